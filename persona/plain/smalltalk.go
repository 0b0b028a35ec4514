package plain

import (
	"slices"
	"strings"
	"unicode"

	"familiar/internal/lazyregexp"
	"familiar/memory/model"
	"familiar/memory/understand"
	"familiar/persona/scene"
	"familiar/persona/words"
)

// smallTalker responds to courtesies and messages that need no answer.
type smallTalker struct{ *composer }

// courtesies respond to thanks, kind and hard words, greetings and goodbyes. greeted reports that a greeting was said,
// spoken that something else was.
func (st smallTalker) courtesies(greeted, spoken bool) []string {
	var parts []string
	hello, farewell, thanks, warm, hostile, sorry := false, false, false, false, false, false
	for _, line := range st.scene.Incoming {
		r := line.Parsed
		hello = hello || r.Greeting
		farewell = farewell || r.Farewell && r.Question == nil // "did you sleep well?" is no goodbye
		warm = warm || r.Warmth > 0
		hostile = hostile || r.Warmth < 0
		sorry = sorry || apologizing.MatchString(words.Head(line.Text))
		thanks = thanks || thanking(line.Text)
	}
	switch {
	case hostile && !sorry:
		parts = append(parts, st.put("hostile"))
	case spoken:
	case sorry:
		parts = append(parts, st.put("forgive"))
	case thanks && !farewell:
		parts = append(parts, st.put("thanks"))
	case warm && !farewell && !hello:
		parts = append(parts, st.put("kind"))
	case hello && !greeted && !farewell:
		parts = append(parts, st.put("hello"))
	}
	if farewell {
		parts = append(parts, st.farewell())
	}
	return parts
}

// apologizing matches an apology to the persona. Being sorry about news or for someone is none.
var apologizing = lazyregexp.New(`(?i)^(?:(?:i['’]?m|i am|oh|ok|so|really|very)[ ,]+)*(?:sorry|my apologies|i apologi[sz]e)(?:[ .,!]*$|[ ,.!]+(?:i|that was|about that|for (?:that|what i|\w+ing)|my bad)\b)`)

var thankful = words.Of(understand.Thanks)

// thanking reports whether a text expresses thanks.
func thanking(text string) bool {
	said := words.Tokens(text)
	for i, w := range said {
		if i > 0 && said[i-1] == "no" {
			continue // "no thanks" declines
		}
		if thankful.Has(w) {
			return true
		}
	}
	return false
}

// farewell says goodbye, in direct rooms with good luck for what comes next. It never asks anyone to stay.
func (st smallTalker) farewell() string {
	if !st.scene.Direct {
		return st.put("farewell")
	}
	var next *model.Loop
	for i, l := range st.scene.Loops {
		coming := l.Kind == "plan" && l.Status != "closed" && l.DueFrom.After(st.scene.Now) && l.DueFrom.Sub(st.scene.Now) <= scene.AheadWithin
		if coming && (next == nil || l.DueFrom.Before(next.DueFrom)) {
			next = &st.scene.Loops[i]
		}
	}
	if next == nil {
		return st.put("farewell")
	}
	ev := st.loopEvent(*next)
	if ev.form == eventVerb || ev.form == eventGerund {
		return st.put("farewell.luck.verb", "when", sayTime(next.DueFrom, scene.LoopEnd(*next), st.scene.Now))
	}
	return st.put("farewell.luck", "thing", ev.words, "when", sayTime(next.DueFrom, scene.LoopEnd(*next), st.scene.Now))
}

// reminds is how many topic words a message must share with a memory to mention it.
const reminds = 2

// react responds to a message that needs no answer: occasionally with a related memory, else with interest.
func (st smallTalker) react() []string {
	line := st.lastTelling()
	if said := st.passing(line); said != "" {
		return []string{said}
	}
	if said := st.reminded(line); said != "" {
		return []string{said}
	}
	mood := scene.VerdictOf(line.Text)
	if mood == "off" || slices.ContainsFunc(words.Tokens(line.Text), inJest.Has) {
		mood = "neutral"
	}
	parts := []string{st.put("react." + mood)}
	if !st.asked && !st.brief() && st.sometimes("ask on", 2) {
		if about := st.somethingNamed(line); about != "" {
			return append(parts, st.put("ask.about", "about", about))
		}
		return append(parts, st.put("ask.on"))
	}
	return parts
}

// passing responds to messages without a topic: filler, emoji, a wish to change the subject, a request; and to those
// that the card has its own answer to.
func (st smallTalker) passing(line scene.Line) string {
	text := words.Head(line.Text)
	said := strings.Join(words.Tokens(text), " ")
	topic := scene.SelfTopicOf(text)
	switch own := character(st).exampleOf(text); {
	case own != "":
		st.asked = st.asked || strings.Contains(own, "?")
		return own
	case (len(said) <= 1) && st.sign(text) != "":
		return st.put(st.sign(text))
	case topic != "" && !general.Has(topic) && !strings.HasSuffix(strings.TrimSpace(text), "."):
		return character(st).aboutSelf(line, understand.Question{Subject: "you"}) // a question without a question mark
	case prompting.MatchString(said):
		return st.put("prompt")
	case asksAgain.MatchString(said) || asksLast.MatchString(said):
		return answerer(st).fromTalkItself(said, understand.Question{})
	case birthday.MatchString(said):
		return st.put("birthday")
	case entertaining.MatchString(said):
		st.asked = true
		return st.put("entertain")
	case forgetting.MatchString(said):
		return st.put("forget")
	case festive.MatchString(said):
		return st.put("wish.back")
	case strings.Contains(said, "remind me to "):
		return st.put("request.remind")
	case dropping.MatchString(said):
		return st.put("drop")
	case allegedly.MatchString(said):
		return st.ownUp(said)
	case wearying.MatchString(said):
		return st.put("self.habit")
	case missing.MatchString(said):
		return st.put("missed")
	case laughs(said):
		return st.put("jest")
	case foreign(text):
		return st.put("foreign")
	case line.Parsed.Phatic:
		return st.put("react.phatic")
	case requests(text):
		return st.put("request")
	case wordLike(said) && !adverbial.Has(said) && words.Content(said).Has(words.Stem(said)) && scene.VerdictOf(said) == "neutral":
		return st.put("ask.word", "thing", said)
	}
	return ""
}

var (
	// dropping asks to change the subject.
	dropping     = lazyregexp.New(`\bdo(?:n't| not) (?:want|wanna|feel like|like) (?:to )?(?:talk(?:ing)?|speak(?:ing)?|discuss(?:ing)?)(?: (?:to you )?about)?\b|\brather not (?:talk|speak|discuss)\b|\b(?:change|drop) the subject\b|^(?:oh |ah )?(?:never ?mind|forget it|forget about it|drop it|doesn't matter)$|\btalk about something else\b`)
	birthday     = lazyregexp.New(`\b(?:it's|it is|today is|today's) my (?:\w+ )?birthday\b`)
	entertaining = lazyregexp.New(`^(?:please )?(?:talk to me|(?:tell|say) (?:me )?something(?: nice| interesting| funny)?|entertain me)$`)
	forgetting   = lazyregexp.New(`^(?:please |can you |could you )?(?:forget|delete|erase|wipe) (?:what i (?:just )?(?:said|told)|that|everything|all|it all|me|my )`)
	// festive returns good wishes for a holiday.
	festive = lazyregexp.New(`^(?:and )?(?:a )?(?:very )?(?:happy|merry) (?:new year|christmas|xmas|easter|holidays|halloween|hanukkah|eid|weekend|thanksgiving)\b`)
	// allegedly claims something about what the persona said or was told.
	allegedly = lazyregexp.New(`^(?:but |no |hey )*you (?:just )?(?:said|told me|claimed|promised|wrote)\b`)
	// wearying says that the persona repeats itself.
	wearying = lazyregexp.New(`\byou(?:'re| are) repeating yourself\b|\byou (?:always|keep|already) (?:say|saying|said|ask|asking|asked|repeat|repeating)\b`)
	// missing says that the persona misunderstood something.
	missing = lazyregexp.New(`\byou (?:don't|do not|didn't|never) (?:even )?(?:understand|get it|get me|listen)\b|\bthat's not what i (?:said|meant|asked)\b|\byou(?:'re| are) not listening\b|^what are you talking about$|\b(?:makes|made) no sense$`)
)

// ownUp responds to claims about what the persona said. It admits it if the running session contains it, or if nothing
// in particular is named.
func (st smallTalker) ownUp(said string) string {
	content := words.Content(allegedly.ReplaceAllString(said, ""))
	for _, line := range st.scene.Recent {
		if line.Self && words.SharedWith(content, line.Text) == len(content) {
			return st.put("said.yes")
		}
	}
	return st.put("said.so")
}

// adverbial are words that are complete by themselves and name nothing to ask about.
var adverbial = words.Of("maybe perhaps probably possibly exactly absolutely definitely totally never always sometimes whatever nothing " +
	"everything congratulations congrats sigh oops yikes ouch gosh jeez damn argh agreed true false correct wrong interesting funny done tbh")

// wordLike reports whether a text is one word that could name something: no abbreviation, number or noise.
func wordLike(said string) bool {
	const shortest, longest, consonants = 4, 24, 4
	if len(said) < shortest || len(said) > longest {
		return false
	}
	run := 0
	for _, r := range said {
		switch {
		case !unicode.IsLetter(r):
			return false
		case strings.ContainsRune("aeiouyäöüåøæáéíóúàèìòùâêîôû", r):
			run = 0
		default:
			run++
		}
		if run > consonants {
			return false
		}
	}
	return true
}

// laughs reports whether a text is little more than laughter.
func laughs(said string) bool {
	fields := strings.Fields(said)
	return len(fields) > 0 && len(fields) <= 3 && slices.ContainsFunc(fields, laughter.Has)
}

// Emoji of good and bad mood that people send without a word.
const (
	goodSigns = "😀😃😄😁😆😂🤣😊🙂😉😍🥰😘😎🤩🥳❤💕💖💙💚💛💜🧡🎉✨🌞☀"
	badSigns  = "😢😭😞😔🙁☹💔😟😩😫😿😥😓😣😖😡😠🤬😰😨😱👎"
)

// Emoticons of the same.
var (
	smile = lazyregexp.New(`^\s*(?:[:;=]['o-]?[)\]D3]+|<3+|\^\^|\(:)\s*$`)
	frown = lazyregexp.New(`^\s*(?:[:;=]['o-]*[(\[/]+|\):|</3)\s*$`)
)

// sign returns the wording for a text made only of emoji or emoticons, "" if it has none.
func (smallTalker) sign(text string) string {
	switch {
	case strings.ContainsAny(text, badSigns), frown.MatchString(text):
		return "sign.bad"
	case strings.ContainsAny(text, goodSigns), smile.MatchString(text):
		return "sign.good"
	case strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.So, r) }):
		return "sign.neutral"
	}
	return ""
}

// hushed reports whether the person only asks for silence.
func (st smallTalker) hushed() bool {
	return len(st.scene.Incoming) > 0 && !slices.ContainsFunc(st.scene.Incoming, func(l scene.Line) bool { return !words.AsksQuiet(l.Text) })
}

// deeds begin a request to make or do something.
var deeds = words.Of("tell give write show explain sing play recommend suggest help make translate draw search find calculate compute " +
	"summarize summarise list sort send order book buy call open run set create generate compose look check")

// requests reports whether a text asks to make or do something: "tell me a joke", "please write a poem".
func requests(text string) bool {
	said := words.Tokens(text)
	if len(said) > 1 && said[0] == "please" {
		said = said[1:]
	}
	if len(said) > 2 && (said[0] == "can" || said[0] == "could" || said[0] == "would") && said[1] == "you" {
		said = said[2:]
	}
	if len(said) > 1 && said[0] == "please" {
		said = said[1:]
	}
	return len(said) > 1 && deeds.Has(said[0])
}

// lastTelling returns the last message that is more than filler, else the last one.
func (st smallTalker) lastTelling() scene.Line {
	heard := st.scene.Incoming
	for i := len(heard) - 1; i >= 0; i-- {
		if !heard[i].Parsed.Phatic {
			return heard[i]
		}
	}
	if len(heard) == 0 {
		return scene.Line{Parsed: understand.Analysis{Phatic: true}}
	}
	return heard[len(heard)-1]
}

// reminded links a message to something the person said before, in every other matching reply and only in direct rooms.
func (st smallTalker) reminded(line scene.Line) string {
	if !st.scene.Direct || st.scene.Recall.Nothing || !st.sometimes("reminded", 2) {
		return ""
	}
	topic := words.Content(line.Text)
	for _, item := range st.scene.Recall.Items {
		for _, l := range item.Lines {
			own := l.Hit && l.PersonID != 0 && l.PersonID == st.scene.Person.ID && !strings.HasSuffix(strings.TrimSpace(l.Text), "?")
			if !own || scene.Outdated(st.scene.Beliefs, l.Text) || words.SharedWith(topic, l.Text) < reminds || strings.EqualFold(l.Text, line.Text) {
				continue
			}
			st.use(item.MemoryID)
			return st.put("reminds", "day", sayDay(l.At, st.scene.Now), "quote", words.Excerpt(l.Text))
		}
	}
	return ""
}

// inJest are words that mark a statement as a joke.
var inJest = words.Of("kidding joking jk joke")

// nameWords is the longest name asked about, in words.
const nameWords = 3

// somethingNamed returns a name or topic in a message worth asking about, "" if there is none.
func (st smallTalker) somethingNamed(line scene.Line) string {
	if line.Parsed.Supposes || slices.ContainsFunc(words.Tokens(line.Text), inJest.Has) {
		return "" // an imagined scene
	}
	for _, e := range line.Parsed.Entities {
		if len(strings.Fields(e)) <= nameWords && words.Capital(e) == e && !sameName(e, st.scene.Address) && !sameName(e, st.scene.Card.Name) && !sameName(e, st.scene.Person.Name) {
			return e
		}
	}
	return ""
}
