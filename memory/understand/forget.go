package understand

import "familiar/memory/understand/english"

// Requests to forget something.

// asksPolitely are the polite wordings before an imperative.
var asksPolitely = english.CompileAll("can|could|will|would you", "i want|need you to", "i would like you to", "you should|can|may|must", "i|you better")

// forgetting are the imperatives that ask to forget something. "Forget it" only changes the subject.
var forgetting = english.CompileAll("forget|unlearn everything|all|anything|that|this|what|my|me", "forget about me|my", "forget about? {proper} $",
	"erase|delete|wipe|remove|clear everything|all|anything you|i|about", "erase|delete|wipe|remove|clear everything $", "erase|delete|wipe|remove|clear what|that i",
	"erase|delete|wipe|clear your|my memory|memories|data", "erase|delete|wipe|remove ... from your memory")

// forgets reads "forget what I said about Sarah". No part of the sentence is a claim.
func (r *reading) forgets(s english.Sentence) bool {
	c := english.NewClause(r.u.Text, s.Words)
	i := english.SkipLeads(c, 0)
	if m, ok := asksPolitely.Find(c, i); ok {
		i = english.SkipLeads(c, m.End)
	}
	if _, ok := forgetting.Find(c, i); !ok {
		return false
	}
	r.out.Forget, r.out.ForgetAbout = true, toForget(english.Clause{Text: c.Text, Words: c.Words[i+1:]})
	return true
}

// memoryWords are words of a request to forget that do not describe its object.
var memoryWords = english.Set("forget everything memory memories data said told tell know remember")

// toForget returns the words for what to forget, empty for everything and for what was just said.
func toForget(c english.Clause) string {
	words := c.Words[:0:0]
	for _, w := range c.Words {
		if !memoryWords[w.Low] {
			words = append(words, w)
		}
	}
	return about(english.Clause{Text: c.Text, Words: words})
}
