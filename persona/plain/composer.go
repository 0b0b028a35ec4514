package plain

import (
	"slices"
	"strings"
	"time"

	"familiar/memory/model"
	"familiar/persona/scene"
	"familiar/persona/words"
)

// composer is what one reply is written with: the scene, the wordings, and notes of what the words were made from. The types
// that find the parts of a reply share it.
type composer struct {
	scene scene.Scene
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
	// used are memories, believed beliefs, quoted messages of the running session the words were made from.
	used, believed, quoted []int64
	// talk is what can be quoted, nil until someone asks.
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
	co.scene.Heard = scene.OwnLines(s)
	texts := make([]string, len(co.scene.Heard))
	for i, line := range co.scene.Heard {
		texts[i] = words.Head(line.Text)
	}
	co.seed = strings.Join(texts, "\n")
	if s.Greeting != nil {
		co.seed += s.Now.Format(time.DateOnly) // "hi" is not greeted alike every day
	}
	return co
}

// saidSomething reports whether a heard message is more than a greeting or filler.
func (co *composer) saidSomething() bool {
	return slices.ContainsFunc(co.scene.Heard, func(l scene.Line) bool { return !l.Heard.Phatic && strings.TrimSpace(l.Text) != "" })
}

// use notes that the words were made from a memory.
func (co *composer) use(id int64) {
	if id != 0 && !slices.Contains(co.used, id) {
		co.used = append(co.used, id)
	}
}

// brief reports whether short answers are wanted: by the person's manner or by their standing wish.
func (co *composer) brief() bool {
	return co.scene.Style == "direct" || slices.ContainsFunc(co.wishes(), wantsBrief)
}

// useLine notes that the words were made from a recalled line, or from one of the running session.
func (co *composer) useLine(f found) {
	if f.memoryID != 0 {
		co.use(f.memoryID)
	} else if f.line.MessageID != 0 && !slices.Contains(co.quoted, f.line.MessageID) {
		co.quoted = append(co.quoted, f.line.MessageID)
	}
}

// useBeliefs notes the memories that beliefs rest on, where recall brought them.
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
	// coverage is the share of the question's topic words found in the line, 0–1; words of the lines around it count
	// half.
	coverage float64
	// asker says that the person spoken to said it, wanted that whom the question asks about did.
	asker, wanted bool
	// overheard says that it was said in a group, not to the persona.
	overheard bool
	// topic are the words asked for.
	topic words.Set
	order int
}

// stretch is some lines of talk: what recall brought of one memory, or the running session itself.
type stretch struct {
	lines    []model.SnippetLine
	memoryID int64
	group    bool
}

// snippet returns a line of the running session as recall would bring it.
func snippet(l scene.Line) model.SnippetLine {
	return model.SnippetLine{MessageID: l.MessageID, PersonID: l.PersonID, Author: l.Name, At: l.At, Text: l.Text}
}
