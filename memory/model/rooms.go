package model

// unclaimed says that it is the direct room of a stranger nobody has let in.
func (r Room) Unclaimed() bool { return r.Direct && r.PersonID == 0 }
