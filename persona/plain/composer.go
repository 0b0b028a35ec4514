package plain

import (
	"slices"
	"strings"
	"time"

	"familiar/memory/model"
	"familiar/persona/scene"
	"familiar/persona/words"
)

// composer is the shared state of one reply: the scene, the wordings, and what the text was made from. The types that
// write the parts of a reply share it.
type composer struct {
	scene scene.Scene
	// lastSaid is the persona's last message, which must not be repeated.
	lastSaid string
	// seed is the text being answered. Wordings vary with it.
	seed string
	// manner is "warm", "playful", "formal" or empty, from the card.
	manner string
	// named reports that the reply already addressed the person by name.
	named bool
	// asked reports that the reply already asks something.
	asked bool
	// used are the memories, beliefs and quoted messages of the running session that the text was made from.
	used, believed, quoted []int64
	// talk is what can be quoted, nil until it is needed.
	talk []stretch
}

func newComposer(s scene.Scene) *composer {
	co := &composer{scene: s, manner: mannerOf(s.Card)}
	for _, line := range slices.Backward(s.Recent) {
		if line.Self {
			co.lastSaid = line.Text
			break
		}
	}
	if co.unwanted(s.Address) {
		co.scene.Address = ""
	}
	co.scene.Incoming = scene.OwnLines(s)
	texts := make([]string, len(co.scene.Incoming))
	for i, line := range co.scene.Incoming {
		texts[i] = words.Head(line.Text)
	}
	co.seed = strings.Join(texts, "\n")
	if s.Greeting != nil {
		co.seed += s.Now.Format(time.DateOnly) // the date varies the reply to "hi" from day to day
	}
	return co
}

// saidSomething reports whether a message is more than a greeting or filler.
func (co *composer) saidSomething() bool {
	return slices.ContainsFunc(co.scene.Incoming, func(l scene.Line) bool { return !l.Parsed.Phatic && strings.TrimSpace(l.Text) != "" })
}

// use records that the text was made from a memory.
func (co *composer) use(id int64) {
	if id != 0 && !slices.Contains(co.used, id) {
		co.used = append(co.used, id)
	}
}

// brief reports whether short answers are wanted, by the person's style or standing wish.
func (co *composer) brief() bool {
	return co.scene.Style == "direct" || slices.ContainsFunc(co.wishes(), wantsBrief)
}

// useLine records that the text was made from a recalled line or one of the running session.
func (co *composer) useLine(f found) {
	if f.memoryID != 0 {
		co.use(f.memoryID)
	} else if f.line.MessageID != 0 && !slices.Contains(co.quoted, f.line.MessageID) {
		co.quoted = append(co.quoted, f.line.MessageID)
	}
}

// useBeliefs records the recalled memories that beliefs rest on.
func (co *composer) useBeliefs(beliefs []model.Belief) {
	for _, b := range beliefs {
		if b.ID > 0 && !slices.Contains(co.believed, b.ID) {
			co.believed = append(co.believed, b.ID)
		}
		for _, item := range co.scene.Recall.Items {
			if item.BeliefID != 0 && item.BeliefID == b.ID || slices.ContainsFunc(item.Lines, func(l model.SnippetLine) bool {
				return l.Hit && slices.ContainsFunc(b.Evidence, func(e model.Evidence) bool {
					return e.MessageID != 0 && e.MessageID == l.MessageID
				})
			}) {
				co.use(item.MemoryID)
			}
		}
	}
}

// found is a recalled line that is relevant to a question.
type found struct {
	line     model.SnippetLine
	memoryID int64
	// coverage is the share of the question's topic words in the line, 0–1. Words of neighbouring lines count half.
	coverage float64
	// asker reports that the person being answered said it, wanted that the subject of the question did.
	asker, wanted bool
	// overheard reports that it was said in a group and not to the persona.
	overheard bool
	// topic are the words asked for.
	topic words.Set
	order int
}

// stretch is a run of lines: those recalled with one memory, or the running session.
type stretch struct {
	lines    []model.SnippetLine
	memoryID int64
	group    bool
}

// snippet returns a line of the running session in the form of a recalled one.
func snippet(l scene.Line) model.SnippetLine {
	return model.SnippetLine{MessageID: l.MessageID, PersonID: l.PersonID, Author: l.Name, At: l.At, Text: l.Text}
}
