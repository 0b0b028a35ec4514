package english

// KinKey is the kin of several: "sister" of "sisters".
func KinKey(kin string) string {
	if _, known := Roles[kin]; known || Animals[kin] != "" {
		return kin
	}
	return Singular(kin)
}

// IsAnimal says that a kin is a pet.
func IsAnimal(kin string) bool { return Animals[kin] != "" }

// KinAt is the role or animal that the word at i of the clause begins, with up to two describing words before it, and
// the word after it: "my little sister".
func KinAt(c Clause, i int) (kin string, plural bool, end int) {
	if c.Low(i) == "little" {
		i++ // "little" is a word of degree elsewhere
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

// KinWord is the animal or relative at word i, empty when there is none.
func KinWord(c Clause, i int) string {
	kin, _, _ := KinAt(c, i)
	return KinKey(kin)
}

// SeveralOf is the plural of a kin.
func SeveralOf(kin string) string {
	switch {
	case kin == "child":
		return "children"
	case kin == "baby":
		return "babies"
	}
	return kin + "s"
}
