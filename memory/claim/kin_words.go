package claim

// kinKey is the kin of several: "sister" of "sisters".
func kinKey(kin string) string {
	if _, known := roles[kin]; known || animals[kin] != "" {
		return kin
	}
	return singular(kin)
}

// isAnimal says that a kin is a pet.
func isAnimal(kin string) bool { return animals[kin] != "" }

// kinAt is the role or animal that the word at i of the clause begins, with up to two describing words before it, and
// the word after it: "my little sister".
func kinAt(c clause, i int) (kin string, plural bool, end int) {
	if c.low(i) == "little" {
		i++ // "little" is a word of degree elsewhere
	}
	for _, kind := range [...]string{"role", "animal"} {
		if m, ok := matchKey(kind, nil, c, i, match{}); ok {
			if m.plural {
				return severalOf(m.key), true, m.end
			}
			return m.key, false, m.end
		}
	}
	return "", false, i
}

// kinWord is the animal or relative at word i, empty when there is none.
func kinWord(c clause, i int) string {
	kin, _, _ := kinAt(c, i)
	return kinKey(kin)
}

// severalOf is the plural of a kin.
func severalOf(kin string) string {
	switch {
	case kin == "child":
		return "children"
	case kin == "baby":
		return "babies"
	}
	return kin + "s"
}
