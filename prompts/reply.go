package prompts

import (
	"fmt"
	"strings"
	"time"

	"familiar/internal/tokens"
)

// The defaults for a reply, in tokens.
const (
	// DefaultBudget fits the smallest common context windows, 8,192 tokens, with room for the answer.
	DefaultBudget = 6000
	// DefaultMaxTokens is about four hundred words, more than a chat reply should have.
	DefaultMaxTokens = 600
)

// ReplyInput is everything a reply is based on. It must contain only what everyone in the room may see.
type ReplyInput struct {
	Card Card
	// Budget is the size of the whole prompt in tokens, DefaultBudget if 0. MaxTokens is the longest answer,
	// DefaultMaxTokens if 0.
	Budget, MaxTokens int
	// Now is in the person's time zone.
	Now    time.Time
	Direct bool
	// RoomTitle is the group's name, empty for direct rooms.
	RoomTitle string
	Person    Person
	// Mood names the persona's mood, "" if there is none to show.
	Mood string
	// Preferences are how the person wants to be talked to. Pinned entries are always included.
	Preferences, Pinned []Entry
	// Beliefs, best first; Loops, the most pressing first.
	Beliefs []Belief
	Loops   []Loop
	// Goals are the person's goals, the most salient first. UnknownTerm is a term they used without an explanation,
	// empty if there is none to ask about.
	Goals       []Goal
	UnknownTerm string
	// Milestones are shared milestones, Observations what the persona inferred about the person, Lessons what it
	// inferred for itself, LastConversation the summary of the previous conversation; zero for none. None of these
	// quotes anybody.
	Milestones, Observations, Lessons []Entry
	LastConversation                  Entry
	// Recalled are the recalled passages, best first.
	Recalled []Recalled
	// NothingFound reports that nothing relevant is known.
	NothingFound bool
	// Episodes summarize the part of this conversation before Recent, oldest first.
	Episodes []Episode
	// AfterFallback reports that the previous answer was a fallback because no model could be reached.
	AfterFallback bool
	// Recent is the conversation before this turn, ToAnswer the messages to answer, both oldest first.
	Recent, ToAnswer []Entry
	// Arrival is set if the persona greets somebody who arrived or came back.
	Arrival *Arrival
}

// Card is the persona as written by its operator: the only words trusted as instructions.
type Card struct {
	Name, Description, Voice string
	// Traits and Values are phrases, Boundaries sentences. They are never cut.
	Traits, Values, Boundaries []string
	// Examples are exchanges in the persona's style; the last ones are dropped first if room is short.
	Examples []Example
	// Language is the language to use in case of doubt, empty for no preference.
	Language string
}

// Example is one exchange.
type Example struct{ Person, Persona string }

// Person is the person the persona talks to.
type Person struct {
	Name string
	// Address is how they want to be addressed, empty if they never said.
	Address string
	// Stage and Style are the persona's assessment of the relationship, e.g. "friend" and "direct".
	Stage, Style string
	// Met is when they first met, zero if this is the first time. Sessions counts their conversations.
	Met      time.Time
	Sessions int
	// Timeline summarizes their history and replaces Met: "met 3 months ago, talks most evenings".
	Timeline string
}

// Belief is one thing the persona believes.
type Belief struct {
	// Text is a sentence that names its subject.
	Text string
	// Author said it, at the time At.
	Author string
	At     time.Time
	// Unsure reports thin evidence, Hearsay that the author spoke about somebody else, Past that it was true once and
	// has changed.
	Unsure, Hearsay, Past bool
}

// Loop is an open item: a plan, a promise, a question.
type Loop struct {
	// Own reports that the persona promised it.
	Own        bool
	Kind, Text string
	// Due is its date, zero if none was given.
	Due time.Time
	// FollowUp reports that now is the time to ask how it went or, if it is Upcoming, to wish them well.
	FollowUp, Upcoming bool
}

// Episode is a summary of a part of the current conversation.
type Episode struct {
	// From and Until are the times of its first and last message.
	From, Until time.Time
	Text        string
}

// Recalled is one recalled passage: messages in order.
type Recalled struct {
	// Room is where it was said, empty for the operator's lore and for the current room.
	Room  string
	Lines []Entry
}

// Arrival is why the persona greets.
type Arrival struct {
	// First reports that they have never met, Proactive that nobody arrived and the persona writes first.
	First, Proactive bool
	// Since is the time since they last talked.
	Since time.Duration
}

// TalkBudget returns the tokens of a reply's budget for the current conversation; budget 0 is DefaultBudget.
func TalkBudget(budget int) int { return orDefault(budget, DefaultBudget) * shareTalk / 100 }

// RecallBudget returns the tokens of a reply's budget for recalled passages, before the unused part of other shares.
func RecallBudget(budget int) int { return orDefault(budget, DefaultBudget) * shareRecall / 100 }

// Reply asks for an answer in the persona's voice.
func Reply(in ReplyInput) Prompt {
	c := replyCompiler{in: in, fence: fence(in.texts())}
	c.budget.total = orDefault(in.Budget, DefaultBudget)
	rules := c.rules()
	persona := c.persona()
	state := c.state()
	recalled := c.recalled()
	earlier, toAnswer := c.talk()
	turn := c.turn(state, recalled, toAnswer)
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

// rules are never cut: together with the frame of the turn they are the safety slice.
func (c *replyCompiler) rules() string {
	rules := render("rules", fields{
		"Fence": c.fence, "Name": plain(c.in.Card.Name), "Language": plain(c.in.Card.Language),
	})
	frame := c.turn([]string{""}, []string{""}, []string{""})
	c.budget.close(SliceSafety, shareSafety, tokens.Estimate(rules)+tokens.Estimate(frame.Text), 0)
	return rules
}

// persona keeps character, values, voice and boundaries complete. A description beyond its share is cut in the middle;
// the last examples are dropped.
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

// state is the entry about the person, always, and the pinned state as far as there is room.
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

// talk keeps all messages to answer, the latest episodes in up to a quarter of the room, and the newest earlier
// messages that fit.
func (c *replyCompiler) talk() (earlier transcript, toAnswer []string) {
	room := c.budget.open(shareTalk)
	toAnswer, cut := fitToAnswer(c.in.ToAnswer, c.in.Card.Name, room)
	episodes, dropped := fitLast(c.in.episodes(), min(room/episodeShare, room-linesCost(toAnswer)))
	spent := linesCost(toAnswer) + linesCost(episodes)
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
	return earlier, toAnswer
}

// episodeShare is the divisor for the part of the conversation's room that episodes may take.
const episodeShare = 4

// switchCost is the maximum cost of a change of speaker: the fence around the entries and the role.
const switchCost = 14

// transcript returns the conversation as messages: the persona's own words as the assistant's, all others quoted.
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

// turn returns the last message: the notes, the memories and the messages to answer.
func (c *replyCompiler) turn(state, recalled, toAnswer []string) Message {
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
		"Heard":    fenced(toAnswer),
	})}
}

// transcript is a list of messages whose roles need not alternate yet.
type transcript []Message

// alternating joins neighbours of one role and starts with a user message, as several providers require.
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
