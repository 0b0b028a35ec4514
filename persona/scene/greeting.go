package scene

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"familiar/memory/model"
	"familiar/memory/understand"
	"familiar/persona/mind"
	"familiar/persona/words"
)

// GreetingInput is what Greet decides on.
type GreetingInput struct {
	// Now is in the person's timezone.
	Now    time.Time
	Person int64
	// Name is theirs, as jobs speak of them.
	Name string
	// Direct says that nobody else hears the greeting.
	Direct bool
	// Relationship is as it was before the person came back.
	Relationship model.Relationship
	// Gap is how long someone must have been away to be greeted.
	Gap time.Duration
	// Proactive is the subject that the persona brings up unprompted, "" when the person came.
	Proactive string
	// Loops are what is open with the person, as far as it may be spoken of here.
	Loops []model.Loop
	// Greeted are the subjects brought up before, with when.
	Greeted map[string]time.Time
	// Observed are what jobs observed of the person and may be spoken of here, the newest first.
	Observed []model.Memory
	// Known are memories that may be spoken of here, in any order: what the person said and their standing wishes are
	// chosen from them.
	Known []model.Memory
	// Beliefs are those about the person, replaced ones included: a memory that tells a replaced value is not brought up.
	Beliefs []model.Belief
}

// Greet decides whether the persona greets someone who comes back and what it may bring up: nil when they were not away
// for Gap. Who never spoke to the persona is met for the first time, however often they were seen. Open loops whose
// time has passed come first, then those coming up within a week, then what was lately noticed of them, then one or two
// things the person said. Whom it only overheard before it tells one thing it heard. With Unasked it is the persona
// that comes, and brings up that alone; nil when there is nothing left to say about it. Nothing is brought up twice,
// nothing private in a group, nothing that someone else said.
func Greet(in GreetingInput) *Greeting {
	if in.Proactive != "" {
		return in.proactiveGreeting()
	}
	g := &Greeting{First: in.Relationship.Messages == 0}
	if !g.First {
		if g.Since = in.Now.Sub(in.Relationship.LastSeen); g.Since < in.Gap {
			return nil
		}
	}
	g.Instructions = in.greetingWishes()
	if g.First {
		g.recall(in, 1) // they may have been heard before, where the persona only listened
		return g
	}
	g.Opening = in.nextOpening()
	g.Subjects = append(g.Subjects, openingSubject(g.Opening))
	for _, l := range in.dueLoops() {
		g.Loops = append(g.Loops, l)
		g.Subjects = append(g.Subjects, loopSubject(l, in.Now))
	}
	room := greetingMemories - len(g.Loops)
	if seen := in.newObservation(); room > 0 && seen.ID != 0 {
		g.Observed = append(g.Observed, seen)
		g.Subjects = append(g.Subjects, memorySubject(seen))
		room--
	}
	if !in.Direct || mind.Stage(in.Relationship, in.Now) == mind.Stranger {
		room = min(room, 1)
	}
	g.recall(in, room)
	return g
}

// recall adds up to room things the person said.
func (g *Greeting) recall(in GreetingInput, room int) {
	for _, m := range in.worthMentioning() {
		if len(g.Recalled) >= room {
			break
		}
		if g.First && !slices.ContainsFunc(words.Tokens(m.Text), words.OwnWords.Has) {
			continue // to a stranger only what they told of themselves
		}
		g.Recalled = append(g.Recalled, m)
		g.Subjects = append(g.Subjects, memorySubject(m))
	}
}

// Openings is how far openings are counted: a number that most counts of openings divide, so that the last is followed
// by another than itself.
const Openings = 60

// nextOpening follows the opening of the last greeting; someone's first is chosen by who and when they are.
func (in GreetingInput) nextOpening() int {
	next, latest := int((in.Person+int64(in.Now.YearDay()))%Openings), time.Time{}
	for n := range Openings {
		if at, done := in.Greeted[openingSubject(n)]; done && at.After(latest) {
			next, latest = (n+1)%Openings, at
		}
	}
	return next
}

// openingSubject names an opening in the record of what was greeted about.
func openingSubject(n int) string { return fmt.Sprintf("opening:%d", n) }

// memorySubject names a memory in the record of what was greeted about.
func memorySubject(m model.Memory) string { return fmt.Sprintf("memory:%d", m.ID) }

// loopSubject names a loop in the record of what was greeted about: "loop:12:after" once its time has passed,
// "loop:12:ahead" until then, so that the same interview is wished luck for and asked about, each once.
func loopSubject(l model.Loop, now time.Time) string {
	if HasPassed(l, now) {
		return fmt.Sprintf("loop:%d:after", l.ID)
	}
	return fmt.Sprintf("loop:%d:ahead", l.ID)
}

// dueLoops returns the loops to bring up: the latest past first, then the nearest ahead.
func (in GreetingInput) dueLoops() []model.Loop {
	due := in.due(AheadWithin, staleAfter)
	return due[:min(len(due), greetingLoops)]
}

// isSecret reports whether what has this audience is not for this room.
func (in GreetingInput) isSecret(a model.Audience) bool {
	return !in.Direct && a.Kind == model.Private
}

func (in GreetingInput) greeted(subject string) bool {
	_, done := in.Greeted[subject]
	return done
}

// worthMentioning returns the memories a greeting may bring up, best first: salient and recent things the person said.
func (in GreetingInput) worthMentioning() []model.Memory {
	var found []model.Memory
	for _, m := range in.Known {
		if in.mentionable(m) {
			found = append(found, m)
		}
	}
	worth := func(m model.Memory) float64 {
		age := max(in.Now.Sub(m.Created).Hours()/24, 0)
		return m.Salience * math.Exp(-age/greetingFade)
	}
	slices.SortStableFunc(found, func(a, b model.Memory) int {
		return cmp.Or(cmp.Compare(worth(b), worth(a)), cmp.Compare(b.ID, a.ID))
	})
	return found
}

// MayMention reports whether a memory is the person's own, matters, may be heard here and was not brought up before.
// Whether it makes something to talk of depends on its text.
func (in GreetingInput) MayMention(m model.Memory) bool {
	return m.Origin == model.OriginMessage && m.AuthorID == in.Person && m.SupersededBy == 0 && !m.Instruction &&
		m.Salience >= greetingSalience && (in.Direct || m.Sector != model.Emotional) && !in.isSecret(m.Audience) && !in.greeted(memorySubject(m))
}

// mentionable reports whether a memory may be mentioned, is still so and makes something to talk of.
func (in GreetingInput) mentionable(m model.Memory) bool {
	if !in.MayMention(m) {
		return false
	}
	if slices.ContainsFunc(words.Sentences(words.Head(m.Text)), func(s string) bool { return VerdictOf(s) == "bad" }) {
		return false // nobody is met with what hurt them
	}
	return !Outdated(in.Beliefs, m.Text) && !in.coveredByLoop(m.Text) &&
		topical(m.Stored.Or(understand.Utterance{Text: m.Text, At: m.Created.In(in.Now.Location())}))
}

// coveredByLoop reports whether a text speaks of what an open loop is about: the loop is brought up in its own time.
func (in GreetingInput) coveredByLoop(text string) bool {
	content := words.Content(text)
	return slices.ContainsFunc(in.Loops, func(l model.Loop) bool {
		thing := words.Content(l.Text)
		return len(thing) > 0 && words.Shared(content, thing) == len(thing)
	})
}

// greetingWishes returns the person's standing wishes that are relevant to greeting.
func (in GreetingInput) greetingWishes() []model.Memory {
	var wishes []model.Memory
	for _, m := range in.Known {
		if m.Instruction && m.AuthorID == in.Person && m.SupersededBy == 0 && !in.isSecret(m.Audience) && aboutGreeting(m.Text) {
			wishes = append(wishes, m)
		}
	}
	slices.SortStableFunc(wishes, func(a, b model.Memory) int { return cmp.Compare(b.ID, a.ID) })
	return wishes
}

// greetingTalk are the words of wishes that are relevant to greeting.
var greetingTalk = words.Of("greet greets greeting greetings hello hi welcome morning evening salute back return call")

// aboutGreeting reports whether a wish is relevant to how someone is greeted.
func aboutGreeting(wish string) bool {
	return slices.ContainsFunc(words.Tokens(wish), greetingTalk.Has)
}
