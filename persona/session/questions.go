package session

import (
	"strings"

	"familiar/internal/lazyregexp"
	"familiar/memory/belief"
	"familiar/persona/scene"
	"familiar/persona/words"
)

// askedQuestion is a person's question in a session, and whether the persona had an answer.
type askedQuestion struct {
	talkMessage
	answered bool
}

// unknowing are the phrases by which either voice says that it has no answer.
var unknowing = lazyregexp.New(`(?i)\b(?:(?:do|did)(?:n['’]t| not) (?:know|remember|recall)|nobody has told me|has(?:n['’]t| not) been told|` +
	`have(?:n['’]t| not) (?:been told|told me)|have nothing on that|(?:wish i|if only i) knew|no idea|can(?:['’]t| ?not) (?:say|recall|remember)|` +
	`i(?:['’]m| am) not sure)\b`)

// questions returns the questions that the persona replied to, except those about the persona itself and those not
// addressed to it.
func (e *endedSession) questions() (all []askedQuestion) {
	for i, h := range e.talk {
		q := h.analysis.Question
		if h.PersonID == 0 || q == nil || q.Subject == "you" || scene.SelfTopicOf(h.Text) != "" {
			continue
		}
		if i+1 < len(e.talk) && e.talk[i+1].PersonID == 0 && e.talk[i+1].Text != "" {
			all = append(all, askedQuestion{h, !unknowing.MatchString(e.talk[i+1].Text) || e.toldAfter(i+1, h.PersonID)})
		}
	}
	return all
}

// toldAfter reports whether the person's next message after message i makes a claim: then they answered their question
// themselves.
func (e *endedSession) toldAfter(i int, person int64) bool {
	for _, h := range e.talk[i+1:] {
		if h.PersonID == person {
			return len(h.analysis.Claims) > 0
		}
	}
	return false
}

const (
	// questionWords is how many content words a question needs to be understandable later.
	questionWords = 2
	// questionRunes is the longest question that is kept; a longer one is a story.
	questionRunes = 200
)

// unanswered returns the questions that the session left open: those the persona could not answer and, in a direct
// room, the last one that the persona asked.
func (e *endedSession) unanswered() (open []belief.LeftOpen) {
	leave := func(h talkMessage, person int64, text string) {
		if len(words.Content(text)) >= questionWords && len([]rune(text)) <= questionRunes {
			open = append(open, belief.LeftOpen{Kind: belief.LoopQuestion, PersonID: person, MessageID: h.ID, Text: text, At: h.At})
		}
	}
	for _, q := range e.questions() {
		if !q.answered {
			leave(q.talkMessage, q.PersonID, lastQuestion(q.Text))
		}
	}
	if len(open) > 0 || !e.direct || len(e.talk) == 0 || len(e.facts) != 1 {
		return open
	}
	if last := e.talk[len(e.talk)-1]; last.PersonID == 0 {
		leave(last, e.people()[0], lastQuestion(last.Text))
	}
	return open
}

// lastQuestion returns the last question of a text that ends with a question mark, "" if there is none.
func lastQuestion(text string) string {
	var question string
	for _, s := range words.Sentences(words.Head(text)) {
		if strings.HasSuffix(s, "?") {
			question = s
		}
	}
	return question
}
