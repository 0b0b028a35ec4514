package memory_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"familiar/channels"
	"familiar/memory/entry"
	"familiar/memory/model"
	"familiar/memory/recall"
	"familiar/memory/understand"
)

// tells has somebody say something as the persona hears it, with what the text tells.
func (w *town) tells(place, who, text string) (said channels.Message, message int64) {
	w.t.Helper()
	said = w.message(place, who, text)
	return said, w.record(w.analyzed(said, "")).MessageIDs[0]
}

// weeks has somebody say more than a short talk, in which each line would be looked at anyway.
func (w *town) weeks(place, who string) {
	w.t.Helper()
	for n := range 60 {
		w.tells(place, who, fmt.Sprintf("The gate at number %d squeaks in the rain.", n))
	}
}

func eightHits(q *recall.Query) { q.Limit = 8 }

const (
	toldHome  = "boxes everywhere, we've moved over to Sapporo"
	askedHome = "Which city do I live in?"
)

func TestRecallFindsByTheKindOfFactThatIsTold(t *testing.T) {
	w := newTown(t)
	w.tells("", "ann", toldHome)
	w.weeks("", "ann")
	if hits := hitTexts(w.ask("", "ann", askedHome, eightHits)); !slices.Contains(hits, toldHome) {
		t.Errorf("found only %q", hits)
	}
	if hits := hitTexts(w.ask("", "ann", "What is the boiling point of tungsten?", eightHits)); slices.Contains(hits, toldHome) {
		t.Errorf("a question that asks for nothing told finds %q", hits)
	}
}

func TestWhatIsToldStaysInItsRoom(t *testing.T) {
	w := newTown(t)
	w.tells("cellar", "ann", toldHome)
	w.tells("", "ann", "My sister lives in Turku.")
	w.tells("", "bo", "I live in Quito.")
	w.weeks("garden", "ann")
	w.weeks("garden", "bo")
	for _, hit := range hitTexts(w.ask("garden", "ann", askedHome, eightHits)) {
		if hit == toldHome || hit == "My sister lives in Turku." || hit == "I live in Quito." {
			t.Errorf("the garden hears %q", hit)
		}
	}
	if hits := hitTexts(w.ask("cellar", "ann", askedHome, eightHits)); !slices.Contains(hits, toldHome) {
		t.Errorf("the cellar hears %q", hits)
	}
}

func TestWhatIsToldByOthersDoesNotAnswerForTheAsker(t *testing.T) {
	w := newTown(t)
	for n := range 12 {
		w.tells("garden", "bo", fmt.Sprintf("We moved over to Sapporo, house %d.", n))
	}
	w.tells("garden", "ann", "boxes everywhere, we've moved over to Turku")
	w.weeks("garden", "bo")
	if hits := hitTexts(w.ask("garden", "ann", askedHome, eightHits)); !slices.Contains(hits, "boxes everywhere, we've moved over to Turku") {
		t.Errorf("found only %q", hits)
	}
}

func TestWhatIsToldGoesWithItsText(t *testing.T) {
	for name, erase := range map[string]func(w *town, said channels.Message, message int64){
		"forgotten": func(w *town, _ channels.Message, _ int64) {
			if _, err := w.Eraser.Forget(w.t.Context(), w.memoryOf(toldHome).ID); err != nil {
				w.t.Fatal(err)
			}
		},
		"edited": func(w *town, said channels.Message, message int64) {
			inbox := w.act(channels.Edit, said).ID
			said.Text = "Nothing to see here."
			h := model.AnnotatedMessage{InboxID: inbox, Message: said, PersonID: w.person("ann")}
			if _, err := w.Eraser.EditMessage(w.t.Context(), "mira", message, h, func([]model.Loop) (model.Annotation, []int64) {
				return entry.Annotate(said, "", time.UTC), nil
			}); err != nil {
				w.t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newTown(t)
			said, message := w.tells("", "ann", toldHome)
			w.weeks("", "ann")
			w.ask("", "ann", askedHome) // the index is in memory
			erase(w, said, message)
			var left int
			if err := w.db().QueryRow(`SELECT count(*) FROM memories WHERE told & ? <> 0`, int64(understand.Analyze(understand.Utterance{Text: toldHome}).Told)).Scan(&left); err != nil || left != 0 {
				t.Errorf("%d memories tell what was erased, %v", left, err)
			}
			if hits := hitTexts(w.ask("", "ann", askedHome, eightHits)); slices.Contains(hits, toldHome) {
				t.Errorf("found %q", hits)
			}
		})
	}
}

// TestWhatOldMessagesTellIsFoundOnceItIsRead stores a message as it was before memories held what they tell.
func TestWhatOldMessagesTellIsFoundOnceItIsRead(t *testing.T) {
	w := newTown(t)
	message := w.say("", "ann", toldHome).MessageIDs[0]
	w.weeks("", "ann")
	if hits := hitTexts(w.ask("", "ann", askedHome, eightHits)); slices.Contains(hits, toldHome) {
		t.Fatalf("found %q unread", hits)
	}
	for text, want := range map[string]int{"another text": 0, toldHome: 1} {
		changed, err := w.Entries.StoreTold(t.Context(), []entry.Telling{{Message: message, Text: text, Told: understand.Analyze(understand.Utterance{Text: toldHome}).Told}})
		if err != nil || changed != want {
			t.Errorf("%q changed %d memories, want %d, %v", text, changed, want, err)
		}
	}
	if hits := hitTexts(w.ask("", "ann", askedHome, eightHits)); !slices.Contains(hits, toldHome) {
		t.Errorf("found only %q", hits)
	}
}
