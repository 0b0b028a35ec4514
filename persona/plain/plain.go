// Package plain is the voice that needs no language model. It answers from what is believed where that is sure, else quotes
// the clause that holds the answer with who said it and when, else says that it does not know. What it says is data:
// wordings/ has the sentences and intents/ the phrases of small talk, a file per language. Start with compose, which
// orders the parts of a reply.
package plain

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"familiar/channels/markdown"
	"familiar/memory/lexical"
	"familiar/memory/model"
	"familiar/persona/scene"
	"familiar/persona/words"
)

// Voice is the voice that needs no language model. The same scene always gets the same reply.
type Voice struct{}

// New returns the plain voice.
func New() *Voice { return &Voice{} }

// Name returns "plain".
func (*Voice) Name() string { return "plain" }

// Reply greets if a greeting is due, confirms what it learned, answers every question, and reacts if there is nothing else to
// say. It knows nothing beyond the scene.
func (p *Voice) Reply(ctx context.Context, s scene.Scene, show func(soFar string)) (scene.Reply, error) {
	speech := scene.Reply{Voice: p.Name()}
	switch {
	case ctx.Err() != nil:
		return speech, ctx.Err()
	case s.Card == nil:
		return speech, errors.New("compose a plain reply: the scene has no card")
	case len(s.Incoming) == 0 && s.Greeting == nil:
		return speech, errors.New("compose a plain reply: no message to answer and no greeting due")
	}
	c := newComposer(s)
	// The voice writes no Markdown, but quotes people who do: their words are shown as they wrote them.
	speech.Text = markdown.Escape(assembler{c}.compose())
	speech.Used, speech.Beliefs, speech.Quoted, speech.Exact = c.used, c.believed, c.quoted, true
	speech.ToldUndelivered, speech.Reminders = c.excused, remindersOf(s, c.reminders)
	if show != nil {
		show(speech.Text)
	}
	return speech, nil
}

// assembler orders the parts of a reply.
type assembler struct{ *composer }

// compose writes the parts in order: greeting, what was learned, answers, courtesies. If none of these applies to a
// message, it reacts to it.
func (as assembler) compose() string {
	if reply := as.inDanger(); reply != "" {
		return reply
	}
	if len(as.scene.Incoming) > 0 && !slices.ContainsFunc(as.scene.Incoming, func(l scene.Line) bool { return !words.AsksQuiet(l.Text) }) {
		return as.put("quiet")
	}
	if as.scene.NeedsCare(as.sources()) {
		return as.careful()
	}
	var greeting []string
	if as.scene.Greeting != nil {
		greeting = greeter(as).greet()
	}
	body := acknowledger(as).acknowledge()
	body = append(body, as.answers()...)
	body = append(body, smallTalker(as).courtesies(len(greeting) > 0, len(body) > 0)...)
	if len(body) == 0 && (len(greeting) == 0 || as.saidSomething()) {
		body = smallTalker(as).react()
	}
	if as.scene.Greeting == nil || as.saidSomething() {
		body = append(body, as.fromWeb())
	}
	parts := slices.Concat(as.excuse(), greeting, body)
	if term := as.scene.UnknownTerm; term != nil && !as.asked && !strings.Contains(strings.Join(parts, " "), "?") {
		parts = append(parts, as.put("wonder", "term", term.Text))
	}
	return as.finish(parts)
}

// excuse says that earlier replies may not have arrived.
func (as assembler) excuse() []string {
	if as.scene.Undelivered == 0 {
		return nil
	}
	as.excused = true
	if as.scene.Undelivered == 1 {
		return []string{as.put("undelivered.one")}
	}
	return []string{as.put("undelivered.more")}
}

// answers answers every question.
func (as assembler) answers() (said []string) {
	for _, line := range as.scene.Incoming {
		if q := line.Parsed.Question; q != nil {
			said = append(said, (answerer{as.composer, line, *q}).reply())
		}
	}
	return said
}

// careful replies to someone who spoke of ending their life a while ago: it answers what they ask, and else asks how they are. It
// greets, jokes and congratulates in no manner, and brings up nothing.
func (as assembler) careful() string {
	parts := as.answers()
	switch {
	case as.scene.Greeting != nil:
		parts = append([]string{as.put("care.return")}, parts...)
	case len(parts) == 0:
		parts = []string{as.put("care.listen")}
	}
	return as.finish(parts) + as.reach()
}

// finish joins the parts, adds what the person wishes every reply to begin or end with, and uses the form of address
// that they insist on.
func (as assembler) finish(parts []string) string {
	text := strings.Join(slices.DeleteFunc(parts, func(p string) bool { return strings.TrimSpace(p) == "" }), " ")
	if as.mustName() && !words.Holds(text, as.scene.Address) {
		text = words.Capital(as.scene.Address) + ": " + text
	}
	for _, w := range as.scene.Wishes() {
		if opening, ok := scene.OpensWith(w); ok && as.scene.Greeting == nil && !strings.HasPrefix(text, opening) {
			text = endSentence(opening) + " " + text
		}
		if closing, ok := scene.ClosesWith(w); ok && !strings.HasSuffix(text, closing) {
			text += " " + closing
		}
	}
	if wish, ok := as.scene.Insists(); ok && words.Holds(text, as.scene.Address) {
		as.useBeliefs(wish)
	}
	return model.StripInvisible(text) // removes invisible characters from quoted text
}

// composer is the shared state of one reply: the scene, the wordings, and what the text was made from. The types that
// write the parts of a reply share it.
type composer struct {
	scene scene.Scene
	// tongue is the language of the reply: that of the person if it has wordings, else English.
	tongue *tongue
	// foreign reports that the person writes a language without wordings.
	foreign bool
	// lastSaid is the persona's last message, which must not be repeated.
	lastSaid string
	// seed is the text being answered. Wordings vary with it.
	seed string
	// manner is "warm", "playful", "formal" or empty, from the card.
	manner string
	// named reports that the reply already addressed the person by name, asked that it already asks something.
	named, asked bool
	// excused reports that the reply tells of replies that may not have arrived.
	excused bool
	// used are the memories, beliefs and quoted messages of the running session that the text was made from.
	used, believed, quoted []int64
	// reminders are what the person asks to be reminded of.
	reminders []reminder
	// sources is what can be quoted.
	sources func() []scene.Source
	// refusals are the topics that the person does not want to hear of.
	refusals func() []words.Set
	// forbidden are what must not be spoken of by wishes in any language, and by the card.
	forbidden func() []scene.Topic
}

// languageLines is how many of the person's last messages tell their language where what they write now has fewer words than
// tellingWords, thingRunes the longest plan repeated, in characters, plansListed how many plans or goals are listed at once, and
// justNow how long ago counts as just now.
const languageLines, tellingWords, thingRunes, plansListed, justNow = 5, 4, 120, 5, 10 * time.Minute

func newComposer(s scene.Scene) *composer {
	s = s.WithCard()
	co := &composer{scene: s, manner: mannerOf(s.Card)}
	co.scene.Incoming, co.scene.Changes = scene.OwnLines(s), scene.StandingChanges(s)
	co.refusals, co.sources = sync.OnceValue(co.scene.Refusals), sync.OnceValue(co.readSources)
	co.forbidden = sync.OnceValue(co.scene.Forbidden)
	if co.scene.Unwanted(s.Address) {
		co.scene.Address = ""
	}
	var said []string
	for _, line := range co.scene.Incoming {
		said = append(said, words.Head(line.Text))
	}
	co.seed = strings.Join(said, "\n")
	if s.Greeting != nil {
		co.seed += s.Now.Format(time.DateOnly) // the date varies the reply to "hi" from day to day
	}
	for _, line := range slices.Backward(s.Recent) {
		if line.Self && co.lastSaid == "" {
			co.lastSaid = markdown.Unescape(line.Text)
		}
		if co.scene.IsOwn(line) && len(said) < languageLines && len(strings.Fields(co.seed)) < tellingWords {
			said = append(said, words.Head(line.Text))
		}
	}
	co.tongue, co.foreign = tongueOf(languageOf(s, strings.Join(said, "\n")))
	return co
}

// languageOf returns the language to answer in: the one that the person chose, else that of what they said.
func languageOf(s scene.Scene, said string) string {
	if s.Person.Language == "" {
		return lexical.Detect(said).Tag()
	}
	base, _, _ := strings.Cut(s.Person.Language, "-")
	return base
}

// readSources returns what can be quoted; the persona's own lines are Markdown.
func (co *composer) readSources() []scene.Source {
	all := co.scene.Sources()
	for i := range all {
		if all[i].Self {
			all[i].Text = markdown.Unescape(all[i].Text)
		}
	}
	return all
}

// saidSomething reports whether a message is more than a greeting or filler.
func (co *composer) saidSomething() bool {
	return slices.ContainsFunc(co.scene.Incoming, func(l scene.Line) bool { return !l.Parsed.Phatic && strings.TrimSpace(l.Text) != "" })
}

// brief reports whether short answers are wanted, by the person's style or standing wish.
func (co *composer) brief() bool {
	return co.scene.Style == "direct" || slices.ContainsFunc(co.scene.Wishes(), scene.WantsBrief)
}

// use records that the text was made from a line: a memory, or a message of the running session if it has none.
func (co *composer) use(memory, message int64) {
	if memory != 0 {
		co.used = appendNew(co.used, memory)
	} else {
		co.quoted = appendNew(co.quoted, message)
	}
}

// appendNew appends an ID that is not 0 and not yet there.
func appendNew(ids []int64, id int64) []int64 {
	if id <= 0 || slices.Contains(ids, id) {
		return ids
	}
	return append(ids, id)
}

// useBeliefs records beliefs that were stated and the recalled memories that they rest on.
func (co *composer) useBeliefs(beliefs ...model.Belief) {
	for _, b := range beliefs {
		co.believed = appendNew(co.believed, b.ID)
		proves := func(l model.SnippetLine) bool {
			return l.Hit && l.MessageID != 0 && slices.ContainsFunc(b.Evidence, func(e model.Evidence) bool { return e.MessageID == l.MessageID })
		}
		for _, item := range co.scene.Recall.Items {
			if item.BeliefID != 0 && item.BeliefID == b.ID || slices.ContainsFunc(item.Lines, proves) {
				co.used = appendNew(co.used, item.MemoryID)
			}
		}
	}
}

// refused reports whether the person wishes not to hear of what a text is about, unless they ask about it themselves.
func (co *composer) refused(text, asked string) bool {
	if slices.ContainsFunc(co.forbidden(), func(t scene.Topic) bool { return t.In(text) && !t.In(asked) }) {
		return true
	}
	return slices.ContainsFunc(co.refusals(), func(topic words.Set) bool {
		return words.SharedWith(topic, text) > 0 && words.SharedWith(topic, asked) == 0
	})
}
