package model

// Audience is who hears what is said in the room.
func (r Room) Audience() Audience {
	if r.Direct {
		return Audience{Kind: Private, Ref: r.PersonID}
	}
	return Audience{Kind: InRoom, Ref: r.ID}
}

// person and room are the audience's reference as the two columns that hold it.
func (a Audience) Person() any {
	if a.Kind == Private {
		return a.Ref
	}
	return nil
}

func (a Audience) Room() any {
	if a.Kind == InRoom {
		return a.Ref
	}
	return nil
}
