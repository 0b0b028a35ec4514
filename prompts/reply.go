package prompts

import (
	"fmt"
	"slices"
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
	// Portrait describes the person in a few sentences, empty if there is none.
	Portrait string
	// Notepad is what the persona noted down for itself, empty for nothing.
	Notepad string
	// Confirm is what a model read in the person's words and may have got wrong, zero if there is nothing to ask.
	Confirm Confirm
	// Mood names the persona's mood, "" if there is none to show.
	Mood string
	// Preferences are how the person wants to be talked to. Pinned entries are always included.
	Preferences, Pinned []Entry
	// Facts are what is known of the person and the people around them, the most important first: if there is no room, the
	// last are left out. The prompt has them in the order they were told. They should stay the same during a conversation. Bearing are other facts that bear on the messages to answer, best first.
	Facts, Bearing []Fact
	// Loops are the open items, the most pressing first.
	Loops []Loop
	// Goals are the person's goals, the most salient first. UnknownTerm is a term they used without an explanation,
	// empty if there is none to ask about.
	Goals       []Goal
	UnknownTerm string
	// Milestones are shared milestones, Observations what the persona inferred about the person, Lessons what it
	// inferred for itself, LastConversation the summary of the previous conversation; zero for none. None of these
	// quotes anybody.
	Milestones, Observations, Lessons []Entry
	LastConversation                  Entry
	// Web is a sentence that the persona read on the web and may bring up now, with its source; empty for none.
	Web string
	// Recalled are the recalled passages, best first.
	Recalled []Recalled
	// NothingFound reports that the messages ask for something that was never told.
	NothingFound bool
	// Episodes summarize the part of this conversation before Recent, oldest first.
	Episodes []Episode
	// AfterFallback reports that the previous answer was a fallback because no model could be reached.
	AfterFallback bool
	// Spoken reports that some of what is to be answered was spoken.
	Spoken bool
	// Undelivered is how many earlier answers may not have reached the room and are to be mentioned now.
	Undelivered int
	// Recent is the conversation before this turn, ToAnswer the messages to answer, both oldest first.
	Recent, ToAnswer []Entry
	// Arrival is set if the persona greets somebody who arrived or came back.
	Arrival *Arrival
	// Careful is set for somebody who is met with care.
	Careful *Careful
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
	// Sheet is what a character card adds, nil for nothing.
	Sheet *Sheet
}

// Example is one exchange.
type Example struct{ Person, Persona string }

// Person is the person the persona talks to.
type Person struct {
	Name string
	// Address is how they want to be addressed, empty if they never said.
	Address string
	// Language is the name of the language that they want to be answered in, empty for the one they write in.
	Language string
	// Stage and Style are the persona's assessment of the relationship, e.g. "friend" and "direct".
	Stage, Style string
	// Met is when they first met, zero if this is the first time. Sessions counts their conversations.
	Met      time.Time
	Sessions int
	// Timeline summarizes their history and replaces Met: "met 3 months ago, talks most evenings".
	Timeline string
}

// Fact is one thing that is known.
type Fact struct {
	// Text is a sentence that names its subject.
	Text string
	// Says names who said it about somebody else, "" if people said it of themselves.
	Says string
	// Told is when it was last told.
	Told time.Time
	// Unsure reports thin evidence. Until is when it stopped being true, zero if it is true.
	Unsure bool
	Until  time.Time
	// Why says why it is shown.
	Why string
}

// Confirm is a fact to ask about, and the one it may replace, "" for none.
type Confirm struct{ Text, Instead string }

// Loop is an open item: a plan, a promise, a question.
type Loop struct {
	// Own reports that the persona promised it.
	Own        bool
	Kind, Text string
	// Due is its date, zero if none was given. Since is when it was said.
	Due, Since time.Time
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
	// Why says why it is shown.
	Why string
}

// Arrival is why the persona greets.
type Arrival struct {
	// First reports that they have never met, Proactive that nobody arrived and the persona writes first.
	First, Proactive bool
	// Since is the time since they last talked.
	Since time.Duration
	// Opening is how the persona greets at the first meeting, empty for its own words.
	Opening string
}

// TalkBudget returns the tokens of a reply's budget for the current conversation; budget 0 is DefaultBudget.
func TalkBudget(budget int) int { return orDefault(budget, DefaultBudget) * shareTalk / 100 }

// RecallBudget returns the tokens of a reply's budget for recalled passages, before the unused part of other shares.
func RecallBudget(budget int) int { return orDefault(budget, DefaultBudget) * shareRecall / 100 }

// Reply asks for an answer in the persona's voice. What changes least comes first, because providers cache the beginning of a
// prompt: the persona and the rules, the notes about the person, the conversation, the messages to answer, and last what
// is only true for this answer.
func Reply(in ReplyInput) Prompt {
	c := replyCompiler{in: in}
	c.budget.total = orDefault(in.Budget, DefaultBudget)
	c.readSheet()
	rules := c.rules()
	persona, examples := c.persona()
	notes, known := c.notes()
	bearing := c.bearing()
	earlier, toAnswer := c.talk()
	messages := append(examples, notes...)
	messages = append(messages, earlier...)
	speakers := in.speakers()
	return Prompt{
		Name:      "reply",
		System:    persona + "\n\n" + rules,
		Messages:  append(messages, c.turn(textsOf(bearing), toAnswer)).alternating(),
		MaxTokens: orDefault(in.MaxTokens, DefaultMaxTokens),
		Fence:     fenceMark,
		Notes:     append(known, bearing...),
		Slices:    c.budget.slices,
		Stop:      stops(speakers),
		Speakers:  speakers,
		Rules:     rules,
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
	budget ledger
	// last is what the character sheet says after the talk.
	last []string
}

// rules are never cut: together with the frame of the turn they are the safety slice.
func (c *replyCompiler) rules() string {
	rules := render("rules", fields{
		"Fence": fenceMark, "Name": plain(c.in.Card.Name), "Language": plain(c.in.Card.Language), "Direct": c.in.Direct,
		"Sheet": c.in.Card.Sheet != nil,
	})
	frame := c.turn([]string{""}, []string{""})
	c.budget.close(SliceSafety, shareSafety, tokens.Estimate(rules)+tokens.Estimate(frame.Text), 0)
	return rules
}

// persona keeps character, values, voice and boundaries complete. A description beyond its share is cut in the middle;
// the last examples are dropped.
func (c *replyCompiler) persona() (core string, examples transcript) {
	card := c.in.Card.plain()
	description := card.Description
	card.Description = ""
	fixed := tokens.Estimate(render("persona", card.fields()))
	room := c.budget.open(sharePersona) - fixed + card.Sheet.loreCost()
	card.Description = cutMiddle(description, max(room, minEntry))
	core = render("persona", card.fields())
	spent, leftOut := tokens.Estimate(core), 0
	for i, e := range card.Examples {
		exchange := e.messages()
		cost := tokens.Estimate(exchange[0].Text) + tokens.Estimate(exchange[1].Text) + switchCost
		if spent+cost > c.budget.open(sharePersona) {
			leftOut = len(card.Examples) - i
			break // the persona need not know of examples it does not see
		}
		examples, spent = append(examples, exchange...), spent+cost
	}
	c.budget.close(SlicePersona, sharePersona, spent+c.in.Card.Sheet.talkCost(), leftOut)
	return core, examples
}

// messages returns the example as an exchange.
func (e Example) messages() transcript {
	return transcript{{User, "(An example of how you sound.) " + oneLine(e.Person)}, {Assistant, strings.TrimSpace(plain(e.Persona))}}
}

// notes is the message with the entry about the person, always, and what is known of them as far as there is room. Nothing
// is left out while half of the prompt is empty.
func (c *replyCompiler) notes() (message transcript, notes []Note) {
	room := max(c.budget.open(shareState), c.budget.total/2-c.budget.spent()-c.talkCost())
	always := slices.Concat(c.in.where(), c.in.who(), c.in.bond())
	known, leftOut := fitNotes(c.in.known(), room-linesCost(textsOf(always)), max(minEntry, room/4))
	notes = arrange(append(always, known...))
	lines := textsOf(notes)
	c.budget.close(SliceState, shareState, linesCost(lines), leftOut)
	return transcript{{User, "Your notes:\n" + quoted(lines)}}, notes
}

// bearing returns what bears on the messages to answer, one line each.
func (c *replyCompiler) bearing() []Note {
	room := c.budget.open(shareRecall)
	notes, leftOut := fitNotes(slices.Concat(c.in.current(), c.in.recalled(), c.in.beside()), room, max(minEntry, room/3))
	c.budget.close(SliceRecall, shareRecall, linesCost(textsOf(notes)), leftOut)
	return notes
}

// talk keeps all messages to answer, the latest episodes in up to a quarter of the room, and the newest earlier
// messages that fit.
func (c *replyCompiler) talk() (earlier transcript, toAnswer []string) {
	room := c.budget.open(shareTalk)
	toAnswer, cut := fitToAnswer(untimed(c.in.ToAnswer), c.in.Card.Name, room)
	episodes, dropped := fitLast(c.in.episodes(), min(room/episodeShare, room-linesCost(toAnswer)))
	spent := linesCost(toAnswer) + linesCost(episodes)
	most := max(minEntry, room/4)
	from := len(c.in.Recent)
	for from > 0 {
		cost := min(most, lineCost(c.in.Recent[from-1].said(c.in.Card.Name))) + switchCost
		if spent+cost > room {
			break
		}
		spent += cost
		from--
	}
	if len(episodes) > 0 {
		earlier = append(earlier, Message{User, "Earlier in this talk:\n" + quoted(episodes)})
	}
	if from > 0 {
		earlier = append(earlier, Message{User, fmt.Sprintf("(%d earlier messages are not shown.)", from)})
	}
	notes, last := c.in.Card.Sheet.notesAt(len(c.in.Recent)-from, len(c.in.ToAnswer))
	c.last = last
	earlier = append(earlier, c.transcript(c.in.Recent[from:], most, notes)...)
	c.budget.close(SliceTalk, shareTalk, spent, cut+dropped+from)
	return earlier, toAnswer
}

// talkCost returns the cost of the whole conversation, in tokens.
func (c *replyCompiler) talkCost() (cost int) {
	for _, e := range c.in.Recent {
		cost += lineCost(e.said(c.in.Card.Name)) + switchCost
	}
	for _, e := range c.in.ToAnswer {
		cost += lineCost(e.said(c.in.Card.Name))
	}
	return cost + linesCost(c.in.episodes())
}

// untimed returns entries without their times.
func untimed(entries []Entry) []Entry {
	out := slices.Clone(entries)
	for i := range out {
		out[i].At = time.Time{}
	}
	return out
}

// episodeShare is the divisor for the part of the conversation's room that episodes may take.
const episodeShare = 4

// switchCost is the maximum cost of a change of speaker: the fence around the entries and the role.
const switchCost = 14

// transcript returns the conversation as messages: the persona's own words as the assistant's, all others quoted. A long
// silence between two messages is labelled. notes stand before the entries at their places.
func (c *replyCompiler) transcript(entries []Entry, most int, notes map[int]transcript) (t transcript) {
	for i := 0; i < len(entries); {
		t = append(t, notes[i]...)
		t = append(t, c.silence(i, entries)...)
		if entries[i].Self {
			if own := strings.TrimSpace(cutMiddle(plain(entries[i].Text), most)); own != "" {
				t = append(t, Message{Assistant, own})
			}
			i++
			continue
		}
		var lines []string
		for first := i; i < len(entries) && !entries[i].Self && (i == first || len(notes[i]) == 0 && !longSilence(entries[i-1], entries[i])); i++ {
			lines = append(lines, cutMiddle(entries[i].said(c.in.Card.Name), most))
		}
		t = append(t, Message{User, quoted(lines)})
	}
	return append(t, notes[len(entries)]...)
}

// silenceFrom is the silence that a prompt labels: what follows is another conversation.
const silenceFrom = 3 * time.Hour

func longSilence(before, after Entry) bool {
	return !before.At.IsZero() && after.At.Sub(before.At) >= silenceFrom
}

// silence returns the label of the silence before entry i, nothing if there is none.
func (c *replyCompiler) silence(i int, entries []Entry) transcript {
	if i == 0 || !longSilence(entries[i-1], entries[i]) {
		return nil
	}
	return transcript{{User, "(" + approximate(entries[i].At.Sub(entries[i-1].At)) + " later)"}}
}

// turn returns the last message: the messages to answer, and what is only true for this answer.
func (c *replyCompiler) turn(bearing, toAnswer []string) Message {
	fenced := func(lines []string) string {
		if len(lines) == 0 {
			return ""
		}
		return quoted(lines)
	}
	var gap string
	if n := len(c.in.Recent); n > 0 && len(c.in.ToAnswer) > 0 && longSilence(c.in.Recent[n-1], c.in.ToAnswer[0]) {
		gap = "(" + approximate(c.in.ToAnswer[0].At.Sub(c.in.Recent[n-1].At)) + " later)"
	}
	return Message{User, render("turn", fields{
		"Now":      c.in.Now.Format("Monday, 2 January 2006, 15:04 MST"),
		"Gap":      gap,
		"Direct":   c.in.Direct,
		"Chosen":   oneLine(c.in.Person.Language),
		"Bearing":  fenced(bearing),
		"Nothing":  c.in.NothingFound,
		"Arrival":  c.in.Arrival.line(len(c.in.ToAnswer) > 0),
		"Careful":  c.in.Careful.line(),
		"Folded":   len(c.in.Episodes) > 0,
		"Faltered": c.in.AfterFallback,
		"Spoken":   c.in.Spoken,
		"Lost":     undeliveredLine(c.in.Undelivered),
		"Heard":    fenced(toAnswer),
		"Last":     strings.Join(c.last, "\n"),
	})}
}

// undeliveredLine says that n answers may not have arrived, "" for none.
func undeliveredLine(n int) string {
	const say = " Begin with one short sentence that says so and that you are sorry, make no more of it, and go on."
	switch n {
	case 0:
		return ""
	case 1:
		return "An earlier answer of yours may not have reached this chat." + say
	}
	return "Some of your earlier answers may not have reached this chat." + say
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
