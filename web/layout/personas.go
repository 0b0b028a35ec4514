package layout

// NameOf returns the name of a served persona, its key if it has none.
func (s *Shell) NameOf(key string) string {
	for _, p := range s.Personas() {
		if p.Key == key && p.Name != "" {
			return p.Name
		}
	}
	return key
}
