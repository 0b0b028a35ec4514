package english

// KinKey returns the singular of a kin: "sister" for "sisters".
func KinKey(kin string) string {
	if _, known := Roles[kin]; known || Animals[kin] != "" {
		return kin
	}
	return Singular(kin)
}

// IsAnimal reports whether a kin is a pet.
func IsAnimal(kin string) bool { return Animals[kin] != "" }

// KinAt returns the role or animal at word i of the clause, with up to two describing words before it, and the word
// after it: "my little sister".
func KinAt(c Clause, i int) (kin string, plural bool, end int) {
	if c.Low(i) == "little" {
		i++ // elsewhere "little" is a word of degree
	}
	for _, kind := range [...]string{"role", "animal"} {
		if m, ok := matchKey(kind, nil, c, i, Match{}); ok {
			if m.Plural {
				return SeveralOf(m.Key), true, m.End
			}
			return m.Key, false, m.End
		}
	}
	return "", false, i
}

// KinWord returns the animal or relative at word i, empty when there is none.
func KinWord(c Clause, i int) string {
	kin, _, _ := KinAt(c, i)
	return KinKey(kin)
}

// SeveralOf returns the plural of a kin.
func SeveralOf(kin string) string {
	switch {
	case kin == "child":
		return "children"
	case kin == "baby":
		return "babies"
	}
	return kin + "s"
}
