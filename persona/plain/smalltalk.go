package plain

import (
	"slices"

	"familiar/memory/understand"
	"familiar/persona/evidence"
	"familiar/persona/scene"
	"familiar/persona/words"
)

// smallTalker responds to courtesies and messages that need no answer.
type smallTalker struct{ *composer }

// courtesies respond to thanks, kind and hard words, greetings and goodbyes. greeted reports that a greeting was said,
// spoken that something else was.
func (st smallTalker) courtesies(greeted, spoken bool) (parts []string) {
	hello, farewell, thanks, warm, hostile, sorry := false, false, false, false, false, false
	for _, line := range st.scene.Incoming {
		r := line.Parsed
		hello = hello || r.Greeting
		farewell = farewell || r.Farewell && r.Question == nil // "did you sleep well?" is no goodbye
		warm = warm || r.Warmth > 0
		hostile = hostile || r.Warmth < 0
		sorry = sorry || st.tongue.intentOf(line.Text) == "forgive"
		thanks = thanks || thanking(line.Text)
	}
	said := ""
	switch {
	case hostile && !sorry:
		said = "hostile"
	case spoken:
	case sorry:
		said = "forgive"
	case farewell:
	case thanks:
		said = "thanks"
	case warm && !hello:
		said = "kind"
	case hello && !greeted:
		said = "hello"
	}
	if parts = append(parts, st.put(said)); farewell {
		parts = append(parts, st.put("farewell"))
	}
	return slices.DeleteFunc(parts, func(p string) bool { return p == "" })
}

var thankful = words.Of(understand.Thanks)

// thanking reports whether a text expresses thanks; "no thanks" declines.
func thanking(text string) bool {
	said := words.Tokens(text)
	i := slices.IndexFunc(said, thankful.Has)
	return i == 0 || i > 0 && said[i-1] != "no"
}

// react responds to a message that needs no answer: by what it is, else with interest.
func (st smallTalker) react() []string {
	line := scene.Line{Parsed: understand.Analysis{Phatic: true}}
	for _, l := range st.scene.Incoming { // the last one that is more than filler
		if !l.Parsed.Phatic || line.Parsed.Phatic {
			line = l
		}
	}
	if said := st.passing(line); said != "" {
		return []string{said}
	}
	mood := scene.VerdictOf(line.Text)
	if mood == "off" || line.Parsed.Supposes {
		mood = "neutral"
	}
	parts := []string{st.put("react." + mood)}
	if !st.asked && !st.brief() && st.hash("ask on")%2 == 0 {
		parts = append(parts, st.put("ask.on"))
	}
	return parts
}

// passing responds to messages without a topic: filler, emoji, small talk, a question without a question mark; and to those
// that the card has its own answer to.
func (st smallTalker) passing(line scene.Line) string {
	an := answerer{st.composer, line, understand.Question{About: line.Text, When: true}}
	intent, topic := st.tongue.intentOf(line.Text), scene.SelfTopicOf(line.Text)
	if said := an.fromCard(); said != "" {
		return said
	}
	switch {
	case intent != "":
		st.asked = st.asked || intent == "entertain"
		return first(an.fromIntent, func() string { return st.put(intent) })
	case line.Parsed.Phatic:
		return st.put("react.phatic")
	case topic != "" && !general.Has(topic):
		return character(st).aboutSelf(line.Text, understand.Question{Subject: "you"})
	case evidence.Asks(line.Text, st.tongue.tag):
		return first(an.fromQuotes, an.unknown)
	}
	return ""
}
