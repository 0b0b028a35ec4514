package plain

import (
	"slices"
	"strings"
	"unicode"

	"familiar/internal/lazyregexp"
	"familiar/memory/belief"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
	"familiar/persona/scene"
	"familiar/persona/words"
)

// answerer answers one question from the best source.
type answerer struct{ *composer }

// Questions that need no memory: about the time, about what was just said, or about things no one could have told.

// reply answers one question: from the clock or the running session if possible, otherwise from memory.
func (an answerer) reply(line scene.Line, q understand.Question) string {
	if exclaims(line.Text) {
		return ""
	}
	if said := character(an).exampleOf(line.Text); said != "" {
		return said
	}
	if said := an.toldGoals(strings.Join(words.Tokens(line.Text), " ")); said != "" {
		return said
	}
	if len(q.Relations) > 0 {
		return an.answer(line, q)
	}
	for _, try := range []func(string, understand.Question) string{an.fromClock, an.fromTalkItself, an.inPassing} {
		if said := try(strings.Join(words.Tokens(line.Text), " "), q); said != "" {
			return said
		}
	}
	return an.answer(line, q)
}

// exclaiming begins an exclamation that looks like a question: "what a day".
var exclaiming = lazyregexp.New(`(?i)^(?:what an? |how (?:nice|lovely|sweet|funny|sad|awful|strange|kind|cool|great)\b)`)

// exclaims reports whether a text is an exclamation: it has no question mark and a sentence like "what a day".
func exclaims(text string) bool {
	return !strings.Contains(words.Head(text), "?") && slices.ContainsFunc(words.Sentences(words.Head(text)), exclaiming.MatchString)
}

var (
	asksTime = lazyregexp.New(`^(?:\w+ )?(?:what time is it|what(?:'s| is) the time|do you (?:know|have) (?:what time it is|the time))(?: now| please)?$`)
	asksDay  = lazyregexp.New(`^(?:\w+ )?(?:what|which) (?:day|date|month|year) (?:is it|is today|are we|do we have)(?: today| now)?$|\bwhat(?:'s| is) (?:the date|today's date|the day)(?: today)?$|^what day's today$`)
)

// fromClock answers questions about the time or day in the person's timezone.
func (an answerer) fromClock(said string, _ understand.Question) string {
	switch now := an.scene.Now; {
	case asksTime.MatchString(said):
		return an.put("clock.time", "time", now.Format("15:04"))
	case asksDay.MatchString(said):
		return an.put("clock.day", "date", now.Format("Monday, 2 January 2006"))
	}
	return ""
}

var (
	asksLast  = lazyregexp.New(`\b(?:what (?:did|have|was|were) (?:i|we) (?:just )?(?:say|said|saying|talk|talking|speaking|chatting|tell you|told you|write)(?: about)?(?: again| just now| before)?|where were we)$|^(?:do you (?:remember|know|recall) )what i (?:just )?said$`)
	asksAgain = lazyregexp.New(`^(?:\w+ )?(?:what did you (?:just )?say|say (?:that|it) again|repeat (?:that|it)|come again|pardon(?: me)?|what was that)(?: please)?$`)
)

// fromTalkItself answers what was just said in the running session.
func (an answerer) fromTalkItself(said string, _ understand.Question) string {
	switch {
	case asksAgain.MatchString(said) && an.lastSaid != "":
		return an.put("talk.again", "quote", strings.NewReplacer("“", "‘", "”", "’").Replace(an.lastSaid))
	case asksMet.MatchString(said):
		return an.met(said)
	case asksAll.MatchString(said):
		return an.toldInTalk()
	case !asksLast.MatchString(said):
		return ""
	}
	for _, line := range slices.Backward(an.scene.Recent) {
		own := !line.Self && (an.scene.Direct || line.PersonID != 0 && line.PersonID == an.scene.Person.ID)
		if own && len(words.Content(line.Text)) > 0 && !words.AsksOnly(line.Text) && !asksLast.MatchString(strings.Join(words.Tokens(line.Text), " ")) {
			an.useLine(found{line: snippet(line)})
			return an.put("talk.last", "quote", words.Excerpt(line.Text))
		}
	}
	return an.put("talk.none")
}

// asksAll asks what the running session was about.
var asksAll = lazyregexp.New(`^(?:\w+ )?what (?:did|have|were) we (?:(?:been|just) )?(?:talk|talked|talking|speak|spoken|speaking|chat|chatted|chatting|discuss|discussed)(?: about)?(?: (?:today|tonight|so far|earlier|just now|in this talk|this (?:morning|evening|afternoon)))?$`)

// toldAtOnce bounds how many lines of the running session are repeated.
const toldAtOnce = 3

// toldInTalk repeats the person's last statements in the running session.
func (an answerer) toldInTalk() string {
	var quotes []string
	for _, line := range slices.Backward(an.scene.Recent) {
		own := !line.Self && (an.scene.Direct || line.PersonID != 0 && line.PersonID == an.scene.Person.ID)
		if !own || len(quotes) == toldAtOnce || len(words.Content(line.Text)) < 2 || words.AsksOnly(line.Text) || requests(words.Head(line.Text)) || strings.Contains(line.Text, belief.MarkCorrected) {
			continue
		}
		if read := line.Analysis(); read.Question != nil || read.Phatic {
			continue
		}
		an.useLine(found{line: snippet(line)})
		quotes = append(quotes, "“"+words.ExcerptAbout(line.Text, nil)+"”")
	}
	if len(quotes) == 0 {
		return an.put("talk.none")
	}
	slices.Reverse(quotes)
	return an.put("talk.list", "quotes", words.Listed(quotes))
}

// asksMet asks since when the two know each other, or when they talked before.
var asksMet = lazyregexp.New(`\bwhen did (?:we|i) (?:(?:first|last) )?(?:meet|talk|speak|chat)(?: to you| with you)?(?: (?:first|last))?$|\bhow long have we (?:known|been talking|been chatting)\b`)

// met answers such a question from the relationship, in direct rooms.
func (an answerer) met(said string) string {
	first, g := an.scene.Relationship.FirstMet, an.scene.Greeting
	switch {
	case !an.scene.Direct:
		return ""
	case first.IsZero() || g != nil && g.First:
		return an.put("met.now")
	case !strings.Contains(said, "last"):
		return an.put("met.first", "day", sayDay(first, an.scene.Now))
	case g != nil:
		return an.put("met.last", "day", sayDay(an.scene.Now.Add(-g.Since), an.scene.Now))
	}
	return ""
}

// prompting invites a question from the persona.
var prompting = lazyregexp.New(`^(?:hey |so |now )?(?:guess what|you know what|know what)(?: happened)?$`)

// inPassing answers questions that ask for nothing: "guess what", "why?", a joke with its own answer.
func (an answerer) inPassing(said string, q understand.Question) string {
	fields := strings.Fields(said)
	switch {
	case prompting.MatchString(said):
		return an.put("prompt")
	case elsewhere.MatchString(said):
		return an.put("drop")
	case asksReminder.MatchString(said):
		return an.put("request.remind")
	case len(fields) > 2 && slices.ContainsFunc(fields, laughter.Has):
		return an.put("jest")
	case followingUp.MatchString(said), q.Subject == "" && len(fields) > 0 && len(fields) <= 2 && bareQuestions.Has(fields[0]) && len(words.Content(said)) == 0:
		return an.put("mean")
	}
	return ""
}

// asksReminder asks for a reminder, which is not a question.
var asksReminder = lazyregexp.New(`^(?:please )?(?:can|could|will|would) you (?:please )?remind me (?:to|that|of|about)\b`)

// elsewhere asks to change the subject.
var elsewhere = lazyregexp.New(`\b(?:talk|speak) about something else\b|\bchange the subject\b`)

// followingUp asks about what was just said.
var followingUp = lazyregexp.New(`^(?:but |and )?(?:how come|how so|what for|since when|says who|like what|which one)$`)

var (
	laughter      = words.Of("ha haha hahaha hahahaha hehe lol lmao rofl hihi xd")
	bareQuestions = words.Of("why what who how where when which huh really so")
)

// beyond answers questions that memory cannot answer: those in another language or about the world at large. It returns
// "" for others. Questions about oneself or anyone here ask for memories.
func (an answerer) beyond(line scene.Line, q understand.Question) string {
	if foreign(line.Text) {
		return an.put("foreign")
	}
	said := words.Tokens(line.Text)
	if len(q.Relations) > 0 && q.Subject == "" || q.Subject == "you" || slices.ContainsFunc(said, words.OwnWords.Has) || slices.ContainsFunc(said, hereWords.Has) {
		return ""
	}
	if q.Subject == "" && an.scene.Direct {
		return an.put("world")
	}
	return ""
}

// hereWords refer to the persona, the conversation or what was said.
var hereWords = words.Of("you your you're yours you've us told said remember know")

// otherTongues are frequent words of other languages that occur in no English sentence.
var otherTongues = words.Of("ich und der das nicht ist ein eine bist wie geht dir mir habe wohne mein meine je suis une les des vous mon " +
	"comment ça est j'ai oui el los las una que por para yo mi estoy soy hola cómo está estás gracias il sono che per non come stai " +
	"della ciao grazie eu estou você não uma obrigado ik ben het een niet jij och jag är inte")

// foreign reports whether a text is not in English: most of its letters are in another script, or it has more frequent
// words of another language than of English.
func foreign(text string) bool {
	latin, other := 0, 0
	for _, r := range words.Head(text) {
		switch {
		case unicode.Is(unicode.Latin, r):
			latin++
		case unicode.IsLetter(r):
			other++
		}
	}
	if other > latin {
		return true
	}
	foreign, english := 0, 0
	for _, w := range words.Tokens(text) {
		switch {
		case otherTongues.Has(w):
			foreign++
		case words.StopWords.Has(w):
			english++
		}
	}
	return foreign >= 2 && foreign > english
}

// answer answers one question from the best source: the persona's card for questions about itself, then beliefs, plans
// and quotes. If nothing was said about it, it says so.
func (an answerer) answer(line scene.Line, q understand.Question) string {
	q = an.placed(line, q)
	known, facts, plans := overview(an), factTeller(an), planner(an)
	for _, try := range []func(scene.Line, understand.Question) string{
		known.aboutMemory, known.aboutWishes, facts.aboutFood, plans.aboutPlan, character(an).aboutSelf, plans.aboutDay,
		facts.aboutAge, facts.fromHistory, facts.fromBeliefs, facts.ownName, facts.fromNearby, plans.whenWas, facts.fromValue,
		quoter(an).fromTalk,
	} {
		if said := try(line, q); said != "" {
			return said
		}
	}
	return an.unknown(line, q)
}

// placed resolves whom a question is about. People who name themselves ask about themselves.
func (an answerer) placed(line scene.Line, q understand.Question) understand.Question {
	if q.Subject != "" && (sameName(q.Subject, an.scene.Person.Name) || sameName(q.Subject, an.scene.Address)) {
		q.Subject = ""
	}
	if q.About == "" {
		q.About = line.Text
	}
	if asksPlans(line, q) {
		q.Relations = []string{rel.Planned}
	}
	if name := factTeller(an).kinNamed(q); name != "" {
		q.Subject = name
	}
	if q.Subject == "" && !asksOfSelf(line, q) {
		q.Subject = quoter(an).speakerNamed(line.Text)
	}
	if q.Subject == "" && slices.Contains(line.Parsed.Entities, q.About) && !sameName(q.About, an.scene.Person.Name) && !asksOfSelf(line, q) {
		q.Subject = q.About // "tell me something about Caroline"
	}
	return q
}

// unknown says that no one told the persona, and asks if the person asked about themselves. In a group it says only
// that, so that it does not deny what was said elsewhere.
func (an answerer) unknown(line scene.Line, q understand.Question) string {
	if said := an.beyond(line, q); said != "" {
		return said
	}
	if !an.scene.Direct {
		return an.put("unknown.here")
	}
	if q.Subject != "" && q.Subject != "you" {
		return an.put("unknown.other", "subject", turned(q.Subject))
	}
	if q.YesNo && asksWhether(q.Relations) {
		return an.put("unknown.whether")
	}
	if len(q.Relations) > 0 && q.Subject == "" && !strings.HasPrefix(q.Relations[0], rel.Planned) {
		if topic := rel.Topic(q.Relations[0]); topic != "" {
			if topic == "your "+q.Relations[0] {
				return an.put("unknown.thing", "topic", topic)
			}
			return an.put("unknown.topic", "topic", topic)
		}
	}
	return an.put("unknown")
}

// asksWhether reports whether a question asks if someone exists and not for their name.
func asksWhether(relations []string) bool {
	return slices.Contains(relations, "has_pet") || slices.Contains(relations, "has_person")
}
