package understand

import "familiar/memory/understand/english"

// Asking for something to be forgotten.

// asksPolitely are the wordings before an imperative.
var asksPolitely = compileAll("can|could|will|would you", "i want|need you to", "i would like you to", "you should|can|may|must", "i|you better")

// forgetting are the imperatives for having something forgotten. "Forget it" is said to change the subject.
var forgetting = compileAll("forget|unlearn everything|all|anything|that|this|what|my|me", "forget about me|my", "forget about? {proper} $",
	"erase|delete|wipe|remove|clear everything|all|anything you|i|about", "erase|delete|wipe|remove|clear everything $", "erase|delete|wipe|remove|clear what|that i",
	"erase|delete|wipe|clear your|my memory|memories|data", "erase|delete|wipe|remove ... from your memory")

// forgets reads "forget what I said about Sarah": nothing of the sentence is a claim.
func (r *reader) forgets(s english.Sentence) bool {
	c := english.NewClause(r.u.Text, s.Words)
	i := english.SkipLeads(c, 0)
	if m, ok := at(c, i, asksPolitely); ok {
		i = english.SkipLeads(c, m.End)
	}
	if _, ok := at(c, i, forgetting); !ok {
		return false
	}
	r.out.Forget, r.out.ForgetAbout = true, toForget(english.Clause{Text: c.Text, Words: c.Words[i+1:]})
	return true
}

// memoryWords of a wish to have something forgotten say nothing about what.
var memoryWords = english.Set("forget everything memory memories data said told tell know remember")

// toForget are the words that say what is to be forgotten, empty for everything and for what was just said.
func toForget(c english.Clause) string {
	words := c.Words[:0:0]
	for _, w := range c.Words {
		if !memoryWords[w.Low] {
			words = append(words, w)
		}
	}
	return about(english.Clause{Text: c.Text, Words: words})
}
