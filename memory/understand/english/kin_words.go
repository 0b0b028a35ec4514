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

// IsKin reports whether a word names a relative or an animal.
func IsKin(word string) bool {
	_, known := Roles[word]
	return known || Animals[word] != ""
}

// KinAt returns the relative or animal at word i of the clause, with up to two describing words before it, and the word
// after it: "my little sister".
func KinAt(c Clause, i int) (kin string, plural bool, end int) {
	if c.Low(i) == "little" {
		i++ // elsewhere "little" is a word of degree
	}
	for _, kind := range [...]string{"role", "animal"} {
		for n := 0; n <= 2; n++ {
			w := c.Low(i + n)
			if w == "" || Function[w] || n > 0 && c.Words[i+n].Comma {
				break
			}
			key, plural, ok := KeyWord(kind, w)
			switch {
			case !ok:
				continue
			case kind == "role" && n > 0 && c.Low(i+n-1) == "best":
				key = "best " + key
			}
			if plural {
				key = SeveralOf(key)
			}
			return key, plural, i + n + 1
		}
	}
	return "", false, i
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
