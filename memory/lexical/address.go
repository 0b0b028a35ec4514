package lexical

// speechReach is the number of words after "you" within which a word for speaking has "you" as its subject: "you have
// always told me", "du hast mir damals ein Buch empfohlen".
const speechReach = 6

// asksWhatYouSaid reports whether a question asks what the person addressed said: "what did you recommend", "what was
// it that you told me", but not "what did I tell you".
func (l *wordLists) asksWhatYouSaid(words []word) bool {
	for i, w := range words {
		if l.youSaid[w.folded] {
			return true
		}
		if !l.secondPerson[w.folded] {
			continue
		}
		for _, said := range words[i+1 : min(i+1+speechReach, len(words))] {
			if l.firstSubject[said.folded] {
				break
			}
			if l.speech[said.folded] {
				return true
			}
		}
	}
	return false
}

// isAboutYou reports whether a question speaks of the person addressed and not of the speaker.
func (l *wordLists) isAboutYou(words []word) bool {
	you := false
	for _, w := range words {
		if l.firstPerson[w.folded] {
			return false
		}
		you = you || l.secondPerson[w.folded] || l.yours[w.folded]
	}
	return you
}

// InFirstPerson reports whether a text speaks of its speaker.
func InFirstPerson(text string) bool {
	lists := Detect(text).lists()
	for w := range words(text) {
		if lists.firstPerson[w.folded] {
			return true
		}
	}
	return false
}
