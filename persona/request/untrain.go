package request

// untrains reads that somebody does not want what they say to be training data: a word of training, one that denies or ends, and their
// own words, in any order. In doubt it is taken for that: a consent that was lost is given again at once.
func (m message) untrains() (Command, bool) {
	n := len(m.words)
	if !m.has(0, n, "train") || !m.has(0, n, "not", "end") || m.is(0, "self") && !m.has(1, n, "you", "wish") {
		return Command{}, false
	}
	for i := range m.words {
		data := m.is(i, "data") && (m.has(i-2, i, "own", "our") || m.has(i-2, i+3, "train"))
		if data || m.is(i, "we-say") || m.is(i, "self", "we") && m.has(i+1, i+3, "say") {
			return Command{"training", "off"}, true
		}
	}
	return Command{}, false
}

// Refuses reports whether one of the words of a text denies or ends something, in any language: "no", "off", "stop".
func Refuses(said string) bool {
	words := split(said)
	for _, t := range tongues() {
		if m := (message{tongue: t, words: words}); m.has(0, len(words), "off") || m.has(0, len(words), "not", "end") {
			return true
		}
	}
	return false
}
