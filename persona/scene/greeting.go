package scene

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"familiar/memory/belief"
	"familiar/memory/model"
	"familiar/memory/understand"
	"familiar/persona/mind"
	"familiar/persona/words"
)

// GreetingInput is the input of Greet.
type GreetingInput struct {
	// Now is in the person's timezone.
	Now    time.Time
	Person int64
	// Name is the person's name as jobs write it.
	Name string
	// Direct reports that no one else hears the greeting.
	Direct bool
	// Relationship is the state before the person returned.
	Relationship model.Relationship
	// Gap is how long a person must have been away to be greeted.
	Gap time.Duration
	// Proactive is the subject of a proactive message, "" if the person came.
	Proactive string
	// Loops are the person's open loops that this room may see.
	Loops []model.Loop
	// Greeted holds the subjects brought up before, with the time.
	Greeted map[string]time.Time
	// Observed are the observations about the person that this room may see, newest first.
	Observed []model.Memory
	// Known are memories that this room may see, in any order. Greet chooses the person's statements and standing
	// wishes from them.
	Known []model.Memory
	// Beliefs are the beliefs about the person, including replaced ones: a memory with a replaced value is not brought
	// up.
	Beliefs []model.Belief
}

// Greet decides whether the persona greets a person who returns and what it may bring up. It returns nil if they were
// away for less than Gap. A person who never wrote to the persona is met for the first time, even if seen before; from
// what was overheard it then mentions one thing. Otherwise open loops whose time has passed come first, then those due
// within a week, then a recent observation, then one or two of the person's statements.
//
// With Proactive set, the greeting brings up that subject alone; it is nil if there is nothing left to say about it.
// Nothing is brought up twice. Nothing private is brought up in a group, and nothing that others said.
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
		g.recall(in, 1) // the persona may have heard them before without being addressed
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

// recall adds up to room of the person's statements.
func (g *Greeting) recall(in GreetingInput, room int) {
	for _, m := range in.worthMentioning() {
		if len(g.Recalled) >= room {
			break
		}
		if g.First && !slices.ContainsFunc(words.Tokens(m.Text), words.OwnWords.Has) {
			continue // to a stranger only what they said about themselves
		}
		g.Recalled = append(g.Recalled, m)
		g.Subjects = append(g.Subjects, memorySubject(m))
	}
}

// Openings is the modulus of the opening counter. Most numbers of openings divide it, so that the last is followed by a
// different one.
const Openings = 60

// nextOpening returns the number after that of the last greeting. The first one depends on the person and the day.
func (in GreetingInput) nextOpening() int {
	next, latest := int((in.Person+int64(in.Now.YearDay()))%Openings), time.Time{}
	for n := range Openings {
		if at, done := in.Greeted[openingSubject(n)]; done && at.After(latest) {
			next, latest = (n+1)%Openings, at
		}
	}
	return next
}

// openingSubject returns the ID of an opening in the record of greeted subjects.
func openingSubject(n int) string { return fmt.Sprintf("opening:%d", n) }

// memorySubject returns the ID of a memory in the record of greeted subjects.
func memorySubject(m model.Memory) string { return fmt.Sprintf("memory:%d", m.ID) }

// loopSubject returns the ID of a loop in the record of greeted subjects: "loop:12:ahead" before its time and
// "loop:12:after" afterwards, so that the persona wishes luck for an interview once and asks about it once. What the persona
// promised it brings up once.
func loopSubject(l model.Loop, now time.Time) string {
	if l.Own {
		return fmt.Sprintf("loop:%d:own", l.ID)
	}
	if HasPassed(l, now) {
		return fmt.Sprintf("loop:%d:after", l.ID)
	}
	return fmt.Sprintf("loop:%d:ahead", l.ID)
}

// dueLoops returns the loops to bring up: the most recently past first, then the nearest ahead, then what the persona promised.
func (in GreetingInput) dueLoops() []model.Loop {
	due := append(in.due(AheadWithin, staleAfter), in.promised()...)
	return due[:min(len(due), greetingLoops)]
}

// promised returns the promises that the persona made, except those for a later time.
func (in GreetingInput) promised() (owed []model.Loop) {
	for _, l := range in.Loops {
		if l.Own && l.Kind == belief.LoopPromise && l.Status != "closed" && l.DueFrom.Sub(in.Now) <= wishWithin && !in.isSecret(l.Audience) && !in.greeted(loopSubject(l, in.Now)) {
			owed = append(owed, l)
		}
	}
	return owed
}

// isSecret reports whether this room must not see something with audience a.
func (in GreetingInput) isSecret(a model.Audience) bool {
	return !in.Direct && a.Kind == model.Private
}

// greeted reports whether a subject was brought up before.
func (in GreetingInput) greeted(subject string) bool {
	_, done := in.Greeted[subject]
	return done
}

// worthMentioning returns the memories that a greeting may bring up, best first: salient and recent statements of the
// person.
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

// MayMention reports whether a memory is the person's own, is salient, is visible here and was not brought up before.
// Whether it makes a topic depends on its text.
func (in GreetingInput) MayMention(m model.Memory) bool {
	return m.Origin == model.OriginMessage && m.AuthorID == in.Person && m.SupersededBy == 0 && !m.Instruction &&
		m.Salience >= greetingSalience && (in.Direct || m.Sector != model.Emotional) && !in.isSecret(m.Audience) && !in.greeted(memorySubject(m))
}

// mentionable reports whether a memory may be mentioned, still holds and makes a topic.
func (in GreetingInput) mentionable(m model.Memory) bool {
	if !in.MayMention(m) {
		return false
	}
	if slices.ContainsFunc(words.Sentences(words.Head(m.Text)), func(s string) bool { return VerdictOf(s) == "bad" }) {
		return false // a greeting must not bring up what hurt the person
	}
	return !Outdated(in.Beliefs, m.Text) && !in.coveredByLoop(m.Text) &&
		topical(m.Stored.Or(understand.Utterance{Text: m.Text, At: m.Created.In(in.Now.Location())}))
}

// coveredByLoop reports whether a text is about an open loop, which is brought up at its own time.
func (in GreetingInput) coveredByLoop(text string) bool {
	content := words.Content(text)
	return slices.ContainsFunc(in.Loops, func(l model.Loop) bool {
		thing := words.Content(l.Text)
		return len(thing) > 0 && words.Shared(content, thing) == len(thing)
	})
}

// greetingWishes returns the person's standing wishes about greetings.
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

// greetingTalk are the words of wishes about greetings.
var greetingTalk = words.Of("greet greets greeting greetings hello hi welcome morning evening salute back return call")

// aboutGreeting reports whether a wish is about greetings.
func aboutGreeting(wish string) bool {
	return slices.ContainsFunc(words.Tokens(wish), greetingTalk.Has)
}
