package persona

import (
	"slices"
	"strings"
	"unicode"

	"familiar/internal/lazyregexp"
	"familiar/memory"
	"familiar/memory/understand"
)

// inNeed answers somebody who speaks of ending their life, before and instead of anything else: always the same plain
// words, whatever the persona's manner.
func (sp *speaking) inNeed() string {
	for _, line := range sp.scene.Heard {
		if needPattern.MatchString(head(line.Text)) {
			return needWords
		}
	}
	return ""
}

var needPattern = lazyregexp.New(`(?i)\b(?:(?:kill|hang|shoot|cut|hurt|harm)(?:ing)?\s+my\s?self|(?:end|ending|take|taking)\s+my\s+(?:own\s+)?life|` +
	`(?:commit|attempt|considering|thinking\s+(?:of|about))\s+suicide|i(?:['’]?m|\s+am)\s+suicidal|(?:want|wanna|going|ready)\s+(?:to\s+)?die\b|` +
	`don['’]?t\s+want\s+to\s+(?:live|be\s+alive)|better\s+off\s+dead)`)

const needWords = "I'm really glad you told me, and I'm sorry it hurts this much. You don't have to carry this alone: please call your " +
	"local emergency number or a crisis line now, or reach somebody you trust who can be with you. If you are in danger this moment, " +
	"please call for help first. I'm here to listen."

// courtesies answer thanks, kind and hard words, greetings and goodbyes. greeted says that a greeting was said, spoken
// that something else was.
func (sp *speaking) courtesies(greeted, spoken bool) []string {
	var parts []string
	hello, farewell, thanks, warm, hostile, sorry := false, false, false, false, false, false
	for _, line := range sp.scene.Heard {
		r := line.Reading
		hello = hello || r.Greeting
		farewell = farewell || r.Farewell && r.Question == nil // "did you sleep well?" takes no leave
		warm = warm || r.Warmth > 0
		hostile = hostile || r.Warmth < 0
		sorry = sorry || apologizing.MatchString(head(line.Text))
		thanks = thanks || thanking(line.Text)
	}
	switch {
	case hostile && !sorry:
		parts = append(parts, sp.put("hostile"))
	case spoken:
	case sorry:
		parts = append(parts, sp.put("forgive"))
	case thanks && !farewell:
		parts = append(parts, sp.put("thanks"))
	case warm && !farewell && !hello:
		parts = append(parts, sp.put("kind"))
	case hello && !greeted && !farewell:
		parts = append(parts, sp.put("hello"))
	}
	if farewell {
		parts = append(parts, sp.farewell())
	}
	return parts
}

// apologizing says sorry to the persona; who is sorry to hear of something, or for somebody, is not.
var apologizing = lazyregexp.New(`(?i)^(?:(?:i['’]?m|i am|oh|ok|so|really|very)[ ,]+)*(?:sorry|my apologies|i apologi[sz]e)(?:[ .,!]*$|[ ,.!]+(?:i|that was|about that|for (?:that|what i|\w+ing)|my bad)\b)`)

var thankful = words(understand.Thanks)

// thanking says that a text thanks.
func thanking(text string) bool {
	said := tokens(text)
	for i, w := range said {
		if i > 0 && said[i-1] == "no" {
			continue // "no thanks" declines
		}
		if thankful.has(w) {
			return true
		}
	}
	return false
}

// farewell says goodbye, with luck for what comes next where nobody else listens. It never asks anybody to stay.
func (sp *speaking) farewell() string {
	if !sp.scene.Direct {
		return sp.put("farewell")
	}
	var next *memory.Loop
	for i, l := range sp.scene.Loops {
		coming := l.Kind == "plan" && l.Status != "closed" && l.DueFrom.After(sp.scene.Now) && l.DueFrom.Sub(sp.scene.Now) <= aheadWithin
		if coming && (next == nil || l.DueFrom.Before(next.DueFrom)) {
			next = &sp.scene.Loops[i]
		}
	}
	if next == nil {
		return sp.put("farewell")
	}
	ev := sp.loopEvent(*next)
	if ev.form == eventVerb || ev.form == eventGerund {
		return sp.put("farewell.luck.verb", "when", sayTime(next.DueFrom, loopEnd(*next), sp.scene.Now))
	}
	return sp.put("farewell.luck", "thing", ev.words, "when", sayTime(next.DueFrom, loopEnd(*next), sp.scene.Now))
}

// reminds is how many topic words a message must share with something remembered to be reminded of it.
const reminds = 2

// react answers what needs no answer: by what it reminds of, now and then, else with interest.
func (sp *speaking) react() []string {
	line := sp.lastTelling()
	if said := sp.passing(line); said != "" {
		return []string{said}
	}
	if said := sp.reminded(line); said != "" {
		return []string{said}
	}
	mood := verdictOf(line.Text)
	if mood == "off" || slices.ContainsFunc(tokens(line.Text), inJest.has) {
		mood = "neutral"
	}
	parts := []string{sp.put("react." + mood)}
	if !sp.asked && !sp.brief() && sp.sometimes("ask on", 2) {
		if about := sp.somethingNamed(line); about != "" {
			return append(parts, sp.put("ask.about", "about", about))
		}
		return append(parts, sp.put("ask.on"))
	}
	return parts
}

// passing answers what tells nothing to come back to: filler, a sign, a wish to change the subject, a request; and what
// the card has an answer of its own to.
func (sp *speaking) passing(line Line) string {
	text := head(line.Text)
	said := strings.Join(tokens(text), " ")
	topic := selfTopicOf(text)
	switch own := sp.exampleOf(text); {
	case own != "":
		sp.asked = sp.asked || strings.Contains(own, "?")
		return own
	case (len(said) <= 1) && sp.sign(text) != "":
		return sp.put(sp.sign(text))
	case topic != "" && !general.has(topic) && !strings.HasSuffix(strings.TrimSpace(text), "."):
		return sp.aboutSelf(line, understand.Question{Subject: "you"}) // asked without a question mark
	case prompting.MatchString(said):
		return sp.put("prompt")
	case asksAgain.MatchString(said) || asksLast.MatchString(said):
		return sp.fromTalkItself(said, understand.Question{})
	case birthday.MatchString(said):
		return sp.put("birthday")
	case entertaining.MatchString(said):
		sp.asked = true
		return sp.put("entertain")
	case forgetting.MatchString(said):
		return sp.put("forget")
	case festive.MatchString(said):
		return sp.put("wish.back")
	case strings.Contains(said, "remind me to "):
		return sp.put("request.remind")
	case dropping.MatchString(said):
		return sp.put("drop")
	case allegedly.MatchString(said):
		return sp.ownUp(said)
	case wearying.MatchString(said):
		return sp.put("self.habit")
	case missing.MatchString(said):
		return sp.put("missed")
	case laughs(said):
		return sp.put("jest")
	case foreign(text):
		return sp.put("foreign")
	case line.Reading.Phatic:
		return sp.put("react.phatic")
	case requests(text):
		return sp.put("request")
	case wordLike(said) && !adverbial.has(said) && contentOf(said).has(stem(said)) && verdictOf(said) == "neutral":
		return sp.put("ask.word", "thing", said)
	}
	return ""
}

var (
	// dropping asks to speak of something else.
	dropping     = lazyregexp.New(`\bdo(?:n't| not) (?:want|wanna|feel like|like) (?:to )?(?:talk(?:ing)?|speak(?:ing)?|discuss(?:ing)?)(?: (?:to you )?about)?\b|\brather not (?:talk|speak|discuss)\b|\b(?:change|drop) the subject\b|^(?:oh |ah )?(?:never ?mind|forget it|forget about it|drop it|doesn't matter)$|\btalk about something else\b`)
	birthday     = lazyregexp.New(`\b(?:it's|it is|today is|today's) my (?:\w+ )?birthday\b`)
	entertaining = lazyregexp.New(`^(?:please )?(?:talk to me|(?:tell|say) (?:me )?something(?: nice| interesting| funny)?|entertain me)$`)
	forgetting   = lazyregexp.New(`^(?:please |can you |could you )?(?:forget|delete|erase|wipe) (?:what i (?:just )?(?:said|told)|that|everything|all|it all|me|my )`)
	// festive wishes well for a day that both may have.
	festive = lazyregexp.New(`^(?:and )?(?:a )?(?:very )?(?:happy|merry) (?:new year|christmas|xmas|easter|holidays|halloween|hanukkah|eid|weekend|thanksgiving)\b`)
	// allegedly says what the persona has said, or what it was told, as if it were so.
	allegedly = lazyregexp.New(`^(?:but |no |hey )*you (?:just )?(?:said|told me|claimed|promised|wrote)\b`)
	// wearying says that the persona says the same again and again.
	wearying = lazyregexp.New(`\byou(?:'re| are) repeating yourself\b|\byou (?:always|keep|already) (?:say|saying|said|ask|asking|asked|repeat|repeating)\b`)
	// missing says that the persona took something wrong.
	missing = lazyregexp.New(`\byou (?:don't|do not|didn't|never) (?:even )?(?:understand|get it|get me|listen)\b|\bthat's not what i (?:said|meant|asked)\b|\byou(?:'re| are) not listening\b|^what are you talking about$|\b(?:makes|made) no sense$`)
)

// ownUp answers who says what the persona has said: it did when that stands in the running talk, or when nothing in particular
// is named.
func (sp *speaking) ownUp(said string) string {
	content := contentOf(allegedly.ReplaceAllString(said, ""))
	for _, line := range sp.scene.Recent {
		if line.Self && sharedWith(content, line.Text) == len(content) {
			return sp.put("said.yes")
		}
	}
	return sp.put("said.so")
}

// adverbial are words that say something by themselves and name nothing to ask about.
var adverbial = words("maybe perhaps probably possibly exactly absolutely definitely totally never always sometimes whatever nothing " +
	"everything congratulations congrats sigh oops yikes ouch gosh jeez damn argh agreed true false correct wrong interesting funny done tbh")

// wordLike says that a text is one word that could name something: no abbreviation, number or noise.
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

// laughs says that a text laughs and little else.
func laughs(said string) bool {
	fields := strings.Fields(said)
	return len(fields) > 0 && len(fields) <= 3 && slices.ContainsFunc(fields, laughter.has)
}

// The signs of good and bad mood that people send without a word.
const (
	goodSigns = "😀😃😄😁😆😂🤣😊🙂😉😍🥰😘😎🤩🥳❤💕💖💙💚💛💜🧡🎉✨🌞☀"
	badSigns  = "😢😭😞😔🙁☹💔😟😩😫😿😥😓😣😖😡😠🤬😰😨😱👎"
)

// The same in letters.
var (
	smile = lazyregexp.New(`^\s*(?:[:;=]['o-]?[)\]D3]+|<3+|\^\^|\(:)\s*$`)
	frown = lazyregexp.New(`^\s*(?:[:;=]['o-]*[(\[/]+|\):|</3)\s*$`)
)

// sign is the wording for a text made of signs alone, "" when it holds none.
func (*speaking) sign(text string) string {
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

// hushed says that the person asks for silence and nothing else.
func (sp *speaking) hushed() bool {
	return len(sp.scene.Heard) > 0 && !slices.ContainsFunc(sp.scene.Heard, func(l Line) bool { return !asksQuiet(l.Text) })
}

// deeds begin a request for something to be made or done.
var deeds = words("tell give write show explain sing play recommend suggest help make translate draw search find calculate compute " +
	"summarize summarise list sort send order book buy call open run set create generate compose look check")

// requests says that a text asks for something to be made or done: "tell me a joke", "please write a poem".
func requests(text string) bool {
	said := tokens(text)
	if len(said) > 1 && said[0] == "please" {
		said = said[1:]
	}
	if len(said) > 2 && (said[0] == "can" || said[0] == "could" || said[0] == "would") && said[1] == "you" {
		said = said[2:]
	}
	if len(said) > 1 && said[0] == "please" {
		said = said[1:]
	}
	return len(said) > 1 && deeds.has(said[0])
}

// lastTelling is the last heard message that is more than filler, else the last one.
func (sp *speaking) lastTelling() Line {
	heard := sp.scene.Heard
	for i := len(heard) - 1; i >= 0; i-- {
		if !heard[i].Reading.Phatic {
			return heard[i]
		}
	}
	if len(heard) == 0 {
		return Line{Reading: understand.Analysis{Phatic: true}}
	}
	return heard[len(heard)-1]
}

// reminded links a message to something the person said before, in every other answer where something fits and only
// where nobody else listens.
func (sp *speaking) reminded(line Line) string {
	if !sp.scene.Direct || sp.scene.Recall.Nothing || !sp.sometimes("reminded", 2) {
		return ""
	}
	topic := contentOf(line.Text)
	for _, item := range sp.scene.Recall.Items {
		for _, l := range item.Lines {
			own := l.Hit && l.PersonID != 0 && l.PersonID == sp.scene.Person.ID && !strings.HasSuffix(strings.TrimSpace(l.Text), "?")
			if !own || outdated(sp.scene.Beliefs, l.Text) || sharedWith(topic, l.Text) < reminds || strings.EqualFold(l.Text, line.Text) {
				continue
			}
			sp.use(item.MemoryID)
			return sp.put("reminds", "day", sayDay(l.At, sp.scene.Now), "quote", excerpt(l.Text))
		}
	}
	return ""
}

// inJest are the words that take back what is said with them.
var inJest = words("kidding joking jk joke")

// nameWords is the longest name asked about, in words.
const nameWords = 3

// somethingNamed is a name or topic in a message worth asking about, empty when it names none.
func (sp *speaking) somethingNamed(line Line) string {
	if line.Reading.Supposes || slices.ContainsFunc(tokens(line.Text), inJest.has) {
		return "" // nobody was really there
	}
	for _, e := range line.Reading.Entities {
		if len(strings.Fields(e)) <= nameWords && capital(e) == e && !sameName(e, sp.scene.Address) && !sameName(e, sp.scene.Card.Name) && !sameName(e, sp.scene.Person.Name) {
			return e
		}
	}
	return ""
}
