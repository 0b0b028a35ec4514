package memory_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"familiar/channels"
	"familiar/memory/entry"
	"familiar/memory/model"
	"familiar/memory/turns"
	"familiar/memory/understand"
)

// analyzed returns a turn with a message as the engine records it, with its analysis. before is what the persona said
// last.
func (w *town) analyzed(m channels.Message, before string) turns.Turn {
	w.t.Helper()
	turn := w.turn("mira", m)
	turn.Heard[0].Annotation = entry.Annotate(m, before, time.UTC)
	return turn
}

// analyses returns the stored analyses of all messages.
func (w *town) analyses() (all string) {
	w.t.Helper()
	d, done := w.peek()
	defer done()
	rows, err := d.Query(`SELECT id, text, analysis, analysis_version FROM messages ORDER BY id`)
	if err != nil {
		w.t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var id, version int
		var text, analysis string
		if err := rows.Scan(&id, &text, &analysis, &version); err != nil {
			w.t.Fatal(err)
		}
		all += fmt.Sprintf("%d %q %s %d\n", id, text, analysis, version)
	}
	if err := rows.Err(); err != nil {
		w.t.Fatal(err)
	}
	return all
}

// gone fails if a word is in the analysis of a message, or anywhere in the raw file or its log.
func (w *town) gone(word string) {
	w.t.Helper()
	if found := w.analyses(); strings.Contains(found, word) {
		w.t.Errorf("%s is still in a message or its analysis:\n%s", word, found)
	}
	if err := w.Close(); err != nil {
		w.t.Fatal(err)
	}
	if w.onDisk([]byte(word)) {
		w.t.Errorf("%s still contains %s", w.Path(), word)
	}
}

func TestTheAnalysisOfAMessageIsStoredWithIt(t *testing.T) {
	w := newTown(t)
	turn := w.analyzed(w.message("", "ann", "My dog is called Rex and I see the vet on Friday"), "")
	told := w.record(turn)
	plain := w.record(w.analyzed(w.message("", "ann", "mm"), ""))
	m, err := w.Message(t.Context(), told.MessageIDs[0])
	if err != nil {
		t.Fatal(err)
	}
	if got, want := m.Analysis(false), turn.Heard[0].Annotation.Analysis; !reflect.DeepEqual(got, want) || len(want.Claims) == 0 {
		t.Errorf("stored %+v, want %+v", got, want)
	}
	if m.Stored.JSON == "" || strings.Contains(m.Stored.JSON, "Version") || strings.Contains(m.Stored.JSON, "false") {
		t.Errorf("stored as %s", m.Stored.JSON)
	}
	if m, err = w.Message(t.Context(), plain.MessageIDs[0]); err != nil || m.Stored != (model.StoredAnalysis{Version: understand.Version}) {
		t.Errorf("where nothing was found there is %+v, %v", m.Stored, err)
	}
	if m, err = w.Message(t.Context(), told.ReplyID); err != nil || m.Stored != (model.StoredAnalysis{}) {
		t.Errorf("the persona's own words have %+v, %v", m.Stored, err)
	}
}

func TestAnAnalysisOfAnotherVersionIsRepeated(t *testing.T) {
	text := "I live in Bonn"
	want := understand.Analyze(understand.Utterance{Text: text})
	for name, stored := range map[string]model.StoredAnalysis{
		"none":    {},
		"older":   {Version: understand.Version - 1, JSON: `{"Entities":["Rome"]}`},
		"newer":   {Version: understand.Version + 1, JSON: `{"Entities":["Rome"]}`},
		"damaged": {Version: understand.Version, JSON: `{"Entities":[`},
	} {
		if got := (model.Message{Text: text, Stored: stored}).Analysis(false); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v", name, got)
		}
	}
}

// TestFactsAreLeftUnreadWithoutAnAnalysis reads a message that states a fact about the world and has no stored analysis.
func TestFactsAreLeftUnreadWithoutAnAnalysis(t *testing.T) {
	m := model.Message{Text: "The author of Dune is Frank Herbert."}
	if with, without := m.Analysis(false), m.Analysis(true); len(with.Claims) != 1 || len(without.Claims) != 0 {
		t.Errorf("with facts %+v, without %+v", with.Claims, without.Claims)
	}
}

// TestErasureTakesTheAnalysis erases the text of a message in every way, and looks for its words in the rest.
func TestErasureTakesTheAnalysis(t *testing.T) {
	const word = "Zanzibarquagga"
	for name, erase := range map[string]func(w *town, m channels.Message, told turns.TurnResult){
		"forget": func(w *town, _ channels.Message, _ turns.TurnResult) {
			if _, err := w.Eraser.Forget(t.Context(), w.memoryOf(word).ID); err != nil {
				t.Fatal(err)
			}
		},
		"delete": func(w *town, m channels.Message, told turns.TurnResult) {
			if _, err := w.Eraser.DeleteMessage(t.Context(), "mira", w.act(channels.Delete, m).ID, told.MessageIDs[0]); err != nil {
				t.Fatal(err)
			}
		},
		"edit": func(w *town, m channels.Message, told turns.TurnResult) {
			inbox := w.act(channels.Edit, m).ID
			m.Text = "My dog is called Milo"
			h := model.AnnotatedMessage{InboxID: inbox, Message: m, PersonID: w.person("ann")}
			_, err := w.Eraser.EditMessage(t.Context(), "mira", told.MessageIDs[0], h, func([]model.Loop) (model.Annotation, []int64) {
				return entry.Annotate(m, "", time.UTC), nil
			})
			if err != nil {
				t.Fatal(err)
			}
			now, err := w.Message(t.Context(), told.MessageIDs[0])
			if err != nil || now.Stored.Version != understand.Version || !strings.Contains(now.Stored.JSON, "Milo") {
				t.Errorf("the new text is stored with %+v, %v", now.Stored, err)
			}
		},
		"expire": func(w *town, _ channels.Message, _ turns.TurnResult) {
			if gone, err := w.Eraser.Expire(t.Context(), w.clock.Now().Add(48*time.Hour)); err != nil || gone == 0 {
				t.Fatal(gone, err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newTown(t)
			w.record(w.analyzed(w.message("", "ann", "hello"), ""))
			m := w.message("", "ann", "My dog is called "+word)
			m.ExpiresAfter = 24 * time.Hour
			told := w.record(w.analyzed(m, ""))
			if !strings.Contains(w.analyses(), `"Value":"`+word) {
				t.Fatalf("nothing is stored to be erased:\n%s", w.analyses())
			}
			erase(w, m, told)
			w.gone(word)
		})
	}
}

// TestErasingAQuestionTakesTheAnalysisOfItsAnswer: "teal" is analyzed with the words of the question, which must be erased with it.
func TestErasingAQuestionTakesTheAnalysisOfItsAnswer(t *testing.T) {
	const question = "What is your favourite zorblax?"
	w := newTown(t)
	first := w.analyzed(w.message("", "ann", "hello"), "")
	first.Reply.Text = question
	asked := w.record(first)
	answer := w.record(w.analyzed(w.message("", "ann", "teal"), question))
	before, err := w.Message(t.Context(), answer.MessageIDs[0])
	if err != nil || !strings.Contains(before.Stored.JSON, "zorblax") {
		t.Fatalf("the answer is stored with %+v, %v", before.Stored, err)
	}
	if _, err := w.Eraser.DeleteMessage(t.Context(), "mira", w.act(channels.Delete, channels.Message{ID: first.Reply.Key}).ID, asked.ReplyID); err != nil {
		t.Fatal(err)
	}
	if found := w.analyses(); strings.Contains(found, "zorblax") {
		t.Errorf("the analysis of the answer still contains the question:\n%s", found)
	}
	// One made before the question was forgotten is not stored any more.
	left, err := w.Log.AnalyzedOtherwise(t.Context(), "mira", understand.Version, 0, 10)
	if err != nil || len(left) != 1 || left[0].ID != before.ID || left[0].Before != "" {
		t.Fatalf("to be analysed again: %+v, %v", left, err)
	}
	left[0].Before, left[0].Stored = question, before.Stored
	if n, err := w.Log.StoreAnalyses(t.Context(), left); err != nil || n != 0 {
		t.Errorf("stored %d analyses of what was forgotten meanwhile, %v", n, err)
	}
}
