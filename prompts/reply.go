package prompts

import (
	"fmt"
	"strings"
	"time"

	"familiar/internal/tokens"
)

// The defaults of a reply, in tokens.
const (
	// DefaultBudget fits the smallest context windows in use, 8,192 tokens, with room for the answer.
	DefaultBudget = 6000
	// DefaultMaxTokens is about four hundred words, more than a chat answer should be.
	DefaultMaxTokens = 600
)

// ReplyInput is everything a reply is worded from. It must hold only what everyone in the room may hear.
type ReplyInput struct {
	Card Card
	// Budget is the size of the whole prompt in tokens, DefaultBudget when 0; MaxTokens the longest answer,
	// DefaultMaxTokens when 0.
	Budget, MaxTokens int
	// Now is in the person's timezone.
	Now    time.Time
	Direct bool
	// RoomTitle is the group's name, empty for direct rooms.
	RoomTitle string
	Person    Person
	// Mood is the persona's own in a word of the program's, "" when there is none to show.
	Mood string
	// Preferences are standing wishes about how to be talked to; Pinned is what is always to be in front of the persona.
	Preferences, Pinned []Entry
	// Beliefs, best first; Loops, the most pressing first.
	Beliefs []Belief
	Loops   []Loop
	// Goals are what the person is after, what is most on their mind first. Wonder is a term of theirs that nobody explained,
	// empty when none is to be asked about.
	Goals       []Goal
	UnknownTerm string
	// Milestones are what the two have reached together; Noticed and Lessons what the persona inferred of the person and
	// for itself, LastTalk the talk before this one, summed up; zero for none. None of these is anybody's word.
	Milestones, Observations, Lessons []Entry
	LastConversation                  Entry
	// Recalled is what was remembered, best first.
	Recalled []Recalled
	// NothingFound says that nothing relevant is known.
	NothingFound bool
	// Episodes tell what of this talk lies before Recent, oldest first.
	Episodes []Episode
	// AfterFallback says that the answer before this one was a stand-in's, because no model could be reached.
	AfterFallback bool
	// Recent is the talk before this turn, Heard what is to be answered, both oldest first.
	Recent, ToAnswer []Entry
	// Arrival is set when the persona greets somebody who came back or came in.
	Arrival *Arrival
}

// Card is the persona as its operator wrote it: the only words trusted as instructions.
type Card struct {
	Name, Description, Voice string
	// Traits and Values are phrases, Boundaries sentences. None of them is ever cut.
	Traits, Values, Boundaries []string
	// Examples are exchanges in the persona's manner; the last ones go first when room is short.
	Examples []Example
	// Language is what to speak when in doubt, empty for no preference.
	Language string
}

// Example is one exchange.
type Example struct{ Person, Persona string }

// Person is whom the persona talks to.
type Person struct {
	Name string
	// Address is how they want to be called, empty when they never said.
	Address string
	// Stage and Style are the persona's own reading of the relationship, e.g. "friend" and "direct".
	Stage, Style string
	// Met is when they first met, zero when this is the first time. Sessions counts their talks.
	Met      time.Time
	Sessions int
	// Timeline tells the history of the two in a few words, in place of Met: "met 3 months ago, talks most evenings".
	Timeline string
}

// Belief is one thing the persona holds true.
type Belief struct {
	// Text says it in a sentence that names whom or what it is about.
	Text string
	// Author told it, At is when.
	Author string
	At     time.Time
	// Unsure says that the evidence is thin; Hearsay that the author spoke about somebody else; Former that it was
	// so once and has changed.
	Unsure, Hearsay, Past bool
}

// Loop is something left open: a plan, a promise, a question.
type Loop struct {
	Kind, Text string
	// Due is when, zero when no time was named.
	Due time.Time
	// FollowUp says that now is the time to ask how it went or, of what is Ahead, to wish them well.
	FollowUp, Upcoming bool
}

// Episode is a part of the running talk, summed up.
type Episode struct {
	// From and Until are when its first and last message were said.
	From, Until time.Time
	Text        string
}

// Recalled is one recalled passage: what was said, in order.
type Recalled struct {
	// Room is where it was said, empty for the operator's lore and for the room being spoken in.
	Room  string
	Lines []Entry
}

// Arrival is why the persona greets.
type Arrival struct {
	// First says that they have never met, Unasked that nobody came: the persona writes first.
	First, Proactive bool
	// Since is how long they have not spoken.
	Since time.Duration
}

// TalkBudget is how many tokens of a reply's budget are the running talk's; budget 0 is DefaultBudget.
func TalkBudget(budget int) int { return orDefault(budget, DefaultBudget) * shareTalk / 100 }

// RecallBudget is how many tokens of a reply's budget are what is recalled, before what other shares leave unused.
func RecallBudget(budget int) int { return orDefault(budget, DefaultBudget) * shareRecall / 100 }

// Reply words an answer in the persona's voice.
func Reply(in ReplyInput) Prompt {
	c := replyCompiler{in: in, fence: fence(in.texts())}
	c.budget.total = orDefault(in.Budget, DefaultBudget)
	rules := c.rules()
	persona := c.persona()
	state := c.state()
	recalled := c.recalled()
	earlier, heard := c.talk()
	turn := c.turn(state, recalled, heard)
	return Prompt{
		Name:      "reply",
		System:    persona + "\n\n" + rules,
		Messages:  append(earlier, turn).alternating(),
		MaxTokens: orDefault(in.MaxTokens, DefaultMaxTokens),
		Fence:     c.fence,
		Slices:    c.budget.slices,
	}
}

func orDefault(n, standard int) int {
	if n > 0 {
		return n
	}
	return standard
}

// replyCompiler spends the budget of one reply, slice by slice, in the order of its methods.
type replyCompiler struct {
	in     ReplyInput
	fence  string
	budget ledger
}

// rules are never cut: with the frame of the turn they are the safety slice.
func (c *replyCompiler) rules() string {
	rules := render("rules", fields{
		"Fence": c.fence, "Name": plain(c.in.Card.Name), "Language": plain(c.in.Card.Language),
	})
	frame := c.turn([]string{""}, []string{""}, []string{""})
	c.budget.close(SliceSafety, shareSafety, tokens.Estimate(rules)+tokens.Estimate(frame.Text), 0)
	return rules
}

// persona keeps character, values, voice and boundaries whole. A description past the share is cut in the middle,
// examples are left out from the last.
func (c *replyCompiler) persona() string {
	card := c.in.Card.plain()
	description := card.Description
	card.Description = ""
	fixed := tokens.Estimate(render("persona", card.fields()))
	room := c.budget.open(sharePersona) - fixed
	card.Description = cutMiddle(description, max(room, minEntry))
	core := render("persona", card.fields())
	var examples []string
	for _, e := range card.Examples {
		examples = append(examples, "- somebody: "+oneLine(e.Person)+" / you: "+oneLine(e.Persona))
	}
	spent := tokens.Estimate(core)
	examples, leftOut := fitFirst(examples, c.budget.open(sharePersona)-spent)
	if leftOut > 0 {
		examples = examples[:len(examples)-1] // the persona need not know of examples it does not see
	}
	if more := render("examples", examples); more != "" {
		core += "\n" + more
		spent = tokens.Estimate(core)
	}
	c.budget.close(SlicePersona, sharePersona, spent, leftOut)
	return core
}

// state is who is spoken with, always; then the pinned state as far as there is room.
func (c *replyCompiler) state() []string {
	room := c.budget.open(shareState)
	who, more := c.in.who(), c.in.pinned()
	for i := range more {
		more[i] = cutMiddle(more[i], max(minEntry, room/4))
	}
	kept, leftOut := fitFirst(more, room-linesCost(who))
	lines := append(who, kept...)
	c.budget.close(SliceState, shareState, linesCost(lines), leftOut)
	return lines
}

func (c *replyCompiler) recalled() []string {
	room := c.budget.open(shareRecall)
	var lines []string
	for _, r := range c.in.Recalled {
		for i, e := range r.Lines {
			mark := "  "
			if i == 0 {
				mark = "- "
				if title := oneLine(r.Room); title != "" {
					mark += "in " + speaker(title, c.in.Card.Name) + " | "
				}
			}
			lines = append(lines, cutMiddle(mark+e.line(c.in.Card.Name), max(minEntry, room/3)))
		}
	}
	lines, leftOut := fitFirst(lines, room)
	c.budget.close(SliceRecall, shareRecall, linesCost(lines), leftOut)
	return lines
}

// talk keeps all of what was just said, the latest episodes in up to a quarter of the room, and as much of the talk before
// as there is room for, the newest first.
func (c *replyCompiler) talk() (earlier transcript, heard []string) {
	room := c.budget.open(shareTalk)
	heard, cut := fitHeard(c.in.ToAnswer, c.in.Card.Name, room)
	episodes, dropped := fitLast(c.in.episodes(), min(room/episodePart, room-linesCost(heard)))
	spent := linesCost(heard) + linesCost(episodes)
	most := max(minEntry, room/4)
	from := len(c.in.Recent)
	for from > 0 {
		cost := min(most, lineCost(c.in.Recent[from-1].line(c.in.Card.Name))) + switchCost
		if spent+cost > room {
			break
		}
		spent += cost
		from--
	}
	if len(episodes) > 0 {
		earlier = append(earlier, Message{User, "Earlier in this talk:\n" + quoted(c.fence, episodes)})
	}
	if from > 0 {
		earlier = append(earlier, Message{User, fmt.Sprintf("(%d earlier messages are not shown.)", from)})
	}
	earlier = append(earlier, c.transcript(c.in.Recent[from:], most)...)
	c.budget.close(SliceTalk, shareTalk, spent, cut+dropped+from)
	return earlier, heard
}

// episodePart is which part of the room for talk the episodes before it may take.
const episodePart = 4

// switchCost is what a change of speaker takes at most: the fence around the entries and the role.
const switchCost = 14

// transcript is talk as messages: the persona's own words as the assistant's, everybody else's quoted.
func (c *replyCompiler) transcript(entries []Entry, most int) transcript {
	var t transcript
	for i := 0; i < len(entries); {
		if entries[i].Self {
			if own := strings.TrimSpace(cutMiddle(plain(entries[i].Text), most)); own != "" {
				t = append(t, Message{Assistant, own})
			}
			i++
			continue
		}
		var lines []string
		for ; i < len(entries) && !entries[i].Self; i++ {
			lines = append(lines, cutMiddle(entries[i].line(c.in.Card.Name), most))
		}
		t = append(t, Message{User, quoted(c.fence, lines)})
	}
	return t
}

// turn is the closing message: the notes, the memories and what is to be answered.
func (c *replyCompiler) turn(state, recalled, heard []string) Message {
	fenced := func(lines []string) string {
		if len(lines) == 0 {
			return ""
		}
		return quoted(c.fence, lines)
	}
	return Message{User, render("turn", fields{
		"Now":      c.in.Now.Format("Monday, 2 January 2006, 15:04 MST"),
		"Direct":   c.in.Direct,
		"State":    fenced(state),
		"Recalled": fenced(recalled),
		"Nothing":  c.in.NothingFound,
		"Arrival":  c.in.Arrival.line(),
		"Folded":   len(c.in.Episodes) > 0,
		"Faltered": c.in.AfterFallback,
		"Heard":    fenced(heard),
	})}
}

// transcript is messages in the making: roles need not alternate yet.
type transcript []Message

// alternating joins neighbours of one role and lets a user begin, as several providers demand.
func (t transcript) alternating() []Message {
	var out []Message
	for _, m := range t {
		last := len(out) - 1
		switch {
		case last >= 0 && out[last].Role == m.Role:
			out[last].Text += "\n\n" + m.Text
		case last < 0 && m.Role == Assistant:
			out = append(out, Message{User, "(You spoke first.)"}, m)
		default:
			out = append(out, m)
		}
	}
	return out
}
