package persona

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"familiar/memory"
)

// Plain is the voice that needs no language model: it speaks from templates and from what is remembered. The same
// scene always gets the same words.
type Plain struct{}

// NewPlain makes the plain voice.
func NewPlain() *Plain { return &Plain{} }

// Name is "plain".
func (*Plain) Name() string { return "plain" }

// Speak answers the scene: it greets when a greeting is due, confirms what it learned, answers every question of the
// folded messages, and reacts when there is nothing else to say. Nothing is kept from the room but what the scene
// leaves out; what it does not know it says it does not know.
func (p *Plain) Speak(ctx context.Context, s Scene, show func(soFar string)) (Speech, error) {
	speech := Speech{Voice: p.Name()}
	if err := ctx.Err(); err != nil {
		return speech, err
	}
	if s.Card == nil {
		return speech, errors.New("speak plainly: the scene has no persona's card")
	}
	if len(s.Heard) == 0 && s.Greeting == nil {
		return speech, errors.New("speak plainly: nothing was heard and no greeting is due")
	}
	sp := newSpeaking(s)
	speech.Text = sp.compose()
	speech.Used, speech.Beliefs, speech.Quoted, speech.Exact = sp.used, sp.believed, sp.quoted, true
	if show != nil {
		show(speech.Text)
	}
	return speech, nil
}

// speaking is one answer while it is being put together.
type speaking struct {
	scene Scene
	// lastSaid is what the persona said last: not to be repeated.
	lastSaid string
	// seed is what is answered: wording varies with it.
	seed string
	// manner is "warm", "playful", "formal" or empty, from the card.
	manner string
	// named says that the person was already called by name in this answer.
	named bool
	// asked says that the answer already asks something back.
	asked bool
	// used are memories, believed beliefs, quoted messages of the running talk the words were made from.
	used, believed, quoted []int64
	// talk is what can be quoted, nil until somebody asks.
	talk []stretch
}

func newSpeaking(s Scene) *speaking {
	sp := &speaking{scene: s, manner: mannerOf(s.Card)}
	for _, line := range slices.Backward(s.Recent) {
		if line.Self {
			sp.lastSaid = line.Text
			break
		}
	}
	if sp.unwanted(s.Address) {
		sp.scene.Address = ""
	}
	sp.scene.Heard = ownLines(s)
	texts := make([]string, len(sp.scene.Heard))
	for i, line := range sp.scene.Heard {
		texts[i] = head(line.Text)
	}
	sp.seed = strings.Join(texts, "\n")
	if s.Greeting != nil {
		sp.seed += s.Now.Format(time.DateOnly) // "hi" is not greeted alike every day
	}
	return sp
}

// compose says everything in its order: greeting, what was learned, answers, courtesies; and a reaction when there was
// something said and none of these answers it.
func (sp *speaking) compose() string {
	if words := sp.scene.inNeed(); words != "" {
		return words
	}
	if sp.hushed() {
		return sp.put("quiet")
	}
	var greeting []string
	if sp.scene.Greeting != nil {
		greeting = sp.greet()
	}
	body := append(sp.acknowledge(), sp.askRight()...)
	for _, line := range sp.scene.Heard {
		if q := line.Reading.Question; q != nil {
			if said := sp.reply(line, *q); said != "" {
				body = append(body, said)
			}
		}
	}
	body = append(body, sp.courtesies(len(greeting) > 0, len(body) > 0)...)
	if len(body) == 0 && (len(greeting) == 0 || sp.saidSomething()) {
		body = sp.react()
	}
	return sp.finish(sp.wonder(append(greeting, body...)))
}

// saidSomething says that a heard message is more than a greeting or filler.
func (sp *speaking) saidSomething() bool {
	return slices.ContainsFunc(sp.scene.Heard, func(l Line) bool { return !l.Reading.Phatic && strings.TrimSpace(l.Text) != "" })
}

// finish joins the parts, frames them as the person asked for, and sees to it that who insists on a form of address
// is called by it.
func (sp *speaking) finish(parts []string) string {
	parts = slices.DeleteFunc(parts, func(p string) bool { return strings.TrimSpace(p) == "" })
	text := strings.Join(parts, " ")
	if sp.mustName() && !holds(text, sp.scene.Address) {
		text = nameIn(text, sp.scene.Address)
	}
	for _, w := range sp.wishes() {
		if opening, ok := opensWith(w); ok && sp.scene.Greeting == nil && !strings.HasPrefix(text, opening) {
			text = opening + sentenceGap(opening) + text
		}
		if closing, ok := closesWith(w); ok && !strings.HasSuffix(text, closing) {
			text += " " + closing
		}
	}
	if wish, ok := sp.insists(); ok && holds(text, sp.scene.Address) {
		sp.useBeliefs([]memory.Belief{wish})
	}
	return memory.Visible(text) // who pastes unseen characters gets the words back without them
}

// use notes that the words were made from a memory.
func (sp *speaking) use(id int64) {
	if id != 0 && !slices.Contains(sp.used, id) {
		sp.used = append(sp.used, id)
	}
}

// brief says that short answers are wanted: by the person's manner or by their standing wish.
func (sp *speaking) brief() bool {
	return sp.scene.Style == "direct" || slices.ContainsFunc(sp.wishes(), wantsBrief)
}

// useLine notes that the words were made from a recalled line, or from one of the running talk.
func (sp *speaking) useLine(f found) {
	if f.memoryID != 0 {
		sp.use(f.memoryID)
	} else if f.line.MessageID != 0 && !slices.Contains(sp.quoted, f.line.MessageID) {
		sp.quoted = append(sp.quoted, f.line.MessageID)
	}
}
