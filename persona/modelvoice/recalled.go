package modelvoice

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"familiar/internal/recent"
	"familiar/memory/belief"
	"familiar/memory/lexical"
	"familiar/memory/model"
	"familiar/memory/recall"
	"familiar/memory/understand/rel"
	"familiar/persona/scene"
	"familiar/persona/words"
	"familiar/prompts"
)

// shownOnce leaves out of recalled text what a prompt shows elsewhere, and what no longer holds.
type shownOnce struct {
	// quotes are the words on which beliefs rest, by message: a fact stands for them, or they are outdated.
	quotes map[int64][]quote
	// shown are the content words of each entry shown so far, talk those of each message of the running talk, outdated
	// those of statements that no longer hold, with the time from which they do not.
	shown    wordIndex
	talk     wordIndex
	outdated []outdatedWords
	// asked are the content words of the messages to answer.
	asked words.Set
}

type quote struct {
	text     string
	outdated bool
}

type outdatedWords struct {
	words words.Set
	until time.Time
}

// once returns a filter for text recalled beside what is known.
func (k *knowledge) once() *shownOnce {
	o := &shownOnce{quotes: make(map[int64][]quote, len(k.believed)+len(k.outdated)), asked: content(k.scene.Question())}
	for _, b := range slices.Concat(k.believed, k.outdated) {
		if b.Status == model.Active && b.Sentence == "" && (b.Relation == "name" || b.Relation == rel.CallMe) {
			continue // it is described, and what was said with it may be about something else
		}
		for i := range b.Evidence {
			id := b.Evidence[i].MessageID
			o.quotes[id] = append(o.quotes[id], quote{b.Evidence[i].Quote, b.Status != model.Active})
		}
	}
	for _, b := range k.outdated {
		if w := content(sentence(b, k.scene)); len(w) > 0 {
			o.outdated = append(o.outdated, outdatedWords{w, endedAt(b)})
		}
	}
	return o
}

// bearingWords is how many content words of the messages to answer a line must share to bear on them although a model filed what
// mattered in it.
const bearingWords = 2

// bears reports whether a text is about what the messages to answer are about.
func (o *shownOnce) bears(text string) bool {
	return words.Shared(content(text), o.asked) >= bearingWords
}

// add notes that a text is shown.
func (o *shownOnce) add(texts ...string) {
	for _, text := range texts {
		if w := content(text); len(w) > 0 {
			o.shown.add(w)
		}
	}
}

// coveredShare is the share of a sentence's content words from which another entry says the same. A message of the running talk
// says the same only if it has all of them: a question has most words of its answer.
const coveredShare = 0.6

// keptShare is that share where no model has filed what was said: nothing else has what the sentence adds.
const keptShare = 0.8

// recalledText is a text that was recalled.
type recalledText struct {
	text string
	// message is the one it was said in, 0 for several.
	message int64
	at      time.Time
	// read reports that a model has read it.
	read bool
}

// left returns the sentences of a text that are worth showing.
func (o *shownOnce) left(r recalledText) string {
	var kept []string
	for _, s := range words.Sentences(strings.ReplaceAll(r.text, "⏎", "\n")) {
		s, retold := cutRetold(strings.TrimSpace(s))
		if s == "" || o.dropped(s, r) || retold && r.read {
			continue
		}
		if retold {
			s += " " + Retold
		}
		kept = append(kept, s)
	}
	return strings.Join(kept, " ")
}

// Retold stands beside a sentence whose author said the same thing differently later, when no belief decides between the two.
const Retold = "(told differently since)"

// cutRetold returns a sentence without the mark inside it, and whether it had one.
func cutRetold(sentence string) (said string, retold bool) {
	said = strings.ReplaceAll(sentence, " "+belief.MarkRetold, "")
	return said, said != sentence
}

// dropped reports whether a sentence of a text is shown elsewhere or no longer holds.
func (o *shownOnce) dropped(sentence string, of recalledText) bool {
	for _, mark := range []string{belief.MarkChanged, belief.MarkCorrected} {
		if strings.Contains(sentence, mark) {
			return true
		}
	}
	said, terms := normalized(sentence), content(sentence)
	for q := range o.quotesOf(of.message) {
		within := strings.Contains(said, q.text) && (q.outdated || of.read || covers(content(q.text), terms))
		if within || strings.Contains(q.text, said) {
			return true
		}
	}
	if len(terms) == 0 {
		return true
	}
	share := keptShare
	if of.read {
		share = coveredShare
	}
	if float64(o.shown.most(terms)) >= share*float64(len(terms)) || o.talk.most(terms) == len(terms) {
		return true
	}
	return o.isOutdated(terms, of.at)
}

// isOutdated reports whether words that were written at a time say something that ended later.
func (o *shownOnce) isOutdated(terms words.Set, at time.Time) bool {
	return slices.ContainsFunc(o.outdated, func(old outdatedWords) bool { return !at.After(old.until) && covers(terms, old.words) })
}

// addTalk notes the running talk.
func (o *shownOnce) addTalk(lines []scene.Line) {
	for _, l := range lines {
		if w := content(l.Text); len(w) > 0 {
			o.talk.add(w)
		}
	}
}

// quotesOf yields the quotes from a message in normal form, all quotes if the message is unknown.
func (o *shownOnce) quotesOf(message int64) iter.Seq[quote] {
	from := o.quotes
	if message != 0 {
		from = map[int64][]quote{message: o.quotes[message]}
	}
	return func(yield func(quote) bool) {
		for _, quotes := range from {
			for _, q := range quotes {
				if q.text = normalized(q.text); q.text != "" && !yield(q) {
					return
				}
			}
		}
	}
}

// content returns the content words of a text in the language that it is written in. A talk comes back to the same facts and
// lines turn after turn, so the sets are shared: nobody may change them.
var content = recent.Texts(keptTexts, keptBytes, contentOf)

// The texts whose content words are kept: more than the scenes of a few rooms have.
const keptTexts, keptBytes = 8000, 1 << 10

func contentOf(text string) words.Set {
	set := words.Set{}
	for _, term := range lexical.Detect(text).Terms(text) {
		set[term] = true
	}
	return set
}

// covers reports whether a holds most of the words of b.
func covers(a, b words.Set) bool {
	return float64(words.Shared(a, b)) >= coveredShare*float64(len(b))
}

// normalized returns a text in lower case with single spaces and without its outer punctuation.
var normalized = recent.Texts(keptTexts, keptBytes, func(text string) string {
	return strings.Trim(strings.ToLower(strings.Join(strings.Fields(text), " ")), ".,;:!?…“”\"' ")
})

// passages returns recalled items as a prompt shows them: what people said, as far as nothing else in the prompt says it.
func (o *shownOnce) passages(k *knowledge, items []recall.Item) (out []prompts.Recalled) {
	for _, item := range items {
		whole := k.readWhole(item.MemoryID)
		if item.Summary && whole {
			continue // its facts are filed one by one
		}
		r := prompts.Recalled{Room: item.Room, Why: whyRecalled(item)}
		if k.scene.Direct {
			r.Room = "" // their own room, most often
		}
		for _, l := range item.Lines {
			around, read := !l.Hit && len(item.Lines) > 1, k.wasRead(l.MessageID) || l.MessageID == 0 && whole
			text := o.left(recalledText{l.Text, l.MessageID, l.At, read})
			stands := item.Why == recall.WhyStanding
			if text == "" || read && !stands && (around || l.PersonID != 0 && !o.bears(text)) {
				continue
			}
			o.add(text)
			r.Lines = append(r.Lines, prompts.Entry{
				Name: l.Author, Self: l.PersonID == 0 && l.MessageID != 0, Note: l.PersonID == 0 && l.MessageID == 0,
				Text: text, At: inZoneOf(l.At, k.scene.Now),
			})
		}
		if len(r.Lines) > 0 {
			out = append(out, r)
		}
	}
	return out
}

// whyRecalled says why an item was recalled.
func whyRecalled(item recall.Item) string {
	why := cmp.Or(item.Why, "said earlier")
	if item.MemoryID != 0 {
		why += fmt.Sprintf(", memory %d", item.MemoryID)
	}
	if item.Score != 0 {
		why += fmt.Sprintf(", score %.2f", item.Score)
	}
	return why
}

// byDay joins what one person said in one room on one day: a date and a name before each sentence would take more room than the
// sentences.
func byDay(all []prompts.Recalled) (out []prompts.Recalled) {
	for _, r := range all {
		if n := len(out); n > 0 && len(r.Lines) == 1 && sameDay(out[n-1], r) {
			out[n-1].Lines[0].Text += "\n" + r.Lines[0].Text
			continue
		}
		out = append(out, r)
	}
	return out
}

func sameDay(a, b prompts.Recalled) bool {
	x, y := a.Lines[0], b.Lines[0]
	return len(a.Lines) == 1 && a.Room == b.Room && x.Name == y.Name && x.Self == y.Self && x.Note == y.Note &&
		x.At.Format(time.DateOnly) == y.At.Format(time.DateOnly)
}

// memories returns memories as a prompt shows them.
func (o *shownOnce) memories(k *knowledge, all []model.Memory) (out []prompts.Recalled) {
	for _, m := range all {
		read := k.readWhole(m.ID)
		if m.Kind == model.Summary && read {
			continue // its facts are filed one by one
		}
		var message int64
		if len(m.Sources) == 1 {
			message = m.Sources[0]
		}
		if text := o.left(recalledText{m.Text, message, m.Created, read}); text != "" {
			o.add(text)
			entry := prompts.Entry{Name: m.Author, Note: m.AuthorID == 0, Text: text, At: inZoneOf(m.Created, k.scene.Now)}
			out = append(out, prompts.Recalled{Lines: []prompts.Entry{entry}, Why: fmt.Sprintf("worth bringing up on return, memory %d", m.ID)})
		}
	}
	return out
}
