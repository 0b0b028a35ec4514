package memory_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"familiar/channels"
	"familiar/memory"
	"familiar/memory/erase"
	"familiar/memory/lifecycle"
	"familiar/memory/log"
	"familiar/memory/model"
	"familiar/memory/recall"
)

func (w *town) erasePerson(who string) erase.ForgetResult {
	w.t.Helper()
	gone, err := w.Eraser.ErasePerson(w.t.Context(), w.person(who))
	if err != nil {
		w.t.Fatal(err)
	}
	return gone
}

// TestS12NothingRefersToAnErasedPerson erases somebody about whom there is a row in each table.
func TestS12NothingRefersToAnErasedPerson(t *testing.T) {
	w, s := openSchema(t)
	w.say("club", "ann", "My parrot is called Gulliver.", fact("pet_name:bird", "Gulliver"))
	w.say("", "ann", "My cat is called Tosca.", fact("pet_name:cat", "Tosca"))
	person := w.person("ann")
	direct, err := w.Log.RoomByAddress(t.Context(), w.message("", "ann", "").Room)
	if err != nil {
		t.Fatal(err)
	}
	people, rooms := s.references("people"), s.references("rooms")
	for _, r := range people {
		s.refer(r, person)
	}
	for _, r := range rooms {
		s.refer(r, direct.ID)
	}
	if gone, err := w.Eraser.ErasePerson(t.Context(), person); err != nil || gone.People != 1 {
		t.Fatal(gone, err)
	}
	for _, r := range append(s.left(people, person), s.left(rooms, direct.ID)...) {
		t.Errorf("%s still refers to the person or their room: add a statement to personStatements in memory/erase", r)
	}
	if _, err := w.Eraser.ErasePerson(t.Context(), person); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("erased twice: %v", err)
	}
}

// TestS12S13ErasingOneOfSeveral plants words of several people in random rooms and erases one of them.
func TestS12S13ErasingOneOfSeveral(t *testing.T) {
	for seed := range uint64(12) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { eraseOneOf(t, rand.New(rand.NewPCG(seed, 1))) })
	}
}

func eraseOneOf(t *testing.T, random *rand.Rand) {
	w := newTown(t)
	people := []string{"zannah", "zbobby", "zcleox", "zdanny"}
	canaries := map[string][]string{}
	for i := range 24 + random.IntN(24) {
		who := people[random.IntN(len(people))]
		place := []string{"", "club", "office"}[random.IntN(3)]
		word := fmt.Sprintf("canary%sq%d", who, i)
		canaries[who] = append(canaries[who], word)
		turn := w.turn("mira", w.message(place, who, "I keep a "+word), fact(fmt.Sprintf("pet_name:pet%d", i), word))
		turn.Reply.Text = "A " + word + ", really?"
		turn.Exact = random.IntN(2) == 0
		if h, err := w.Log.Visibility(t.Context(), "mira", turn.Room.ID); err == nil {
			recalled := w.recallIn(h, "keep a canary", turn.Asker)
			for _, hit := range recalled.Hits {
				if len(hit.Memory.Sources) == 0 {
					continue
				}
				turn.Context = append(turn.Context, recall.Item{MemoryID: hit.Memory.ID, Why: "keep", Lines: []model.SnippetLine{{MessageID: hit.Memory.Sources[0], Text: hit.Memory.Text}}})
				if random.IntN(4) == 0 && turn.Exact {
					turn.Reply.Text += " Like " + hit.Memory.Text
				}
			}
		}
		w.record(turn)
	}
	gone := people[random.IntN(len(people))]
	if len(canaries[gone]) == 0 {
		return
	}
	counted, err := w.Eraser.CountPerson(t.Context(), w.person(gone))
	if err != nil {
		t.Fatal(err)
	}
	if result := w.erasePerson(gone); result != counted || result.Memories < len(canaries[gone]) || result.Messages != len(canaries[gone]) {
		t.Errorf("erased %v, counted %v, %d were said", result, counted, len(canaries[gone]))
	}
	if err := w.Eraser.SecureDelete(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, word := range append(canaries[gone], gone) {
		if w.onDisk([]byte(word)) {
			t.Errorf("a file still contains %s", word)
		}
	}
	for _, who := range people {
		if who == gone {
			continue
		}
		for _, word := range canaries[who] {
			if m := w.memoryOf(word); !strings.Contains(m.Text, word) {
				t.Errorf("%s of %s is lost", word, who)
			}
		}
	}
	w.say("club", people[0], "I am back") // whoever it is, the store goes on
}

// recallIn finds what a visibility hears about a text.
func (w *town) recallIn(h memory.Visibility, text string, asker int64) recall.Result {
	w.t.Helper()
	found, err := w.Recall.Find(w.t.Context(), h, recall.Query{Text: text, Asker: asker, Now: w.clock.Now(), Limit: 4})
	if err != nil {
		w.t.Fatal(err)
	}
	return found
}

// TestS13AMixedMemoryGoesAndTheOthersWordsStay infers a memory from two people of a group.
func TestS13AMixedMemoryGoesAndTheOthersWordsStay(t *testing.T) {
	w := newTown(t)
	ann := w.say("club", "ann", "I sail on Sundays")
	bob := w.say("club", "bob", "I row on Mondays")
	club, err := w.Log.RoomByAddress(t.Context(), w.message("club", "bob", "").Room)
	if err != nil {
		t.Fatal(err)
	}
	infer := func(run int64) lifecycle.InferResult {
		t.Helper()
		done, err := w.Lifecycle.Infer(t.Context(), "mira", run, []lifecycle.Inference{{
			Audience: club.Audience(), Kind: model.Dream, Sector: model.Reflective, Text: "The club loves boats.", Salience: 0.5,
			Sources: []int64{ann.MessageIDs[0], bob.MessageIDs[0]},
		}})
		if err != nil && !errors.Is(err, log.ErrErased) {
			t.Fatal(err)
		}
		return done
	}
	if done := infer(1); done.Memories != 1 {
		t.Fatalf("inferred %v", done)
	}
	run, err := w.Jobs.BeginRun(t.Context(), "mira", "dream", w.clock.Now())
	if err != nil {
		t.Fatal(err)
	}
	w.clock.Advance(1e9)
	w.erasePerson("ann")
	if w.onDisk([]byte("boats")) || w.onDisk([]byte("Sundays")) || !w.onDisk([]byte("Mondays")) {
		t.Error("the mixed memory stayed, or bob's went")
	}
	// The dream that was running cannot write it back, nor can a later one.
	for _, run := range []int64{run, run + 1} {
		if done := infer(run); done.Memories != 0 {
			t.Errorf("run %d inferred %v", run, done)
		}
	}
}

// TestS12ATurnUnderWayStoresNothing erases somebody while a turn of theirs and one of somebody else are being answered.
func TestS12ATurnUnderWayStoresNothing(t *testing.T) {
	w := newTown(t)
	w.say("", "ann", "hello")
	theirs := w.turn("mira", w.message("", "ann", "I keep a ferret"))
	other := w.turn("mira", w.message("", "bob", "what is new?"))
	other.Reply.Text = "Ann keeps a ferret."
	w.clock.Advance(1e9)
	w.erasePerson("ann")
	if _, err := w.Turns.RecordTurn(t.Context(), theirs); err == nil {
		t.Error("their turn was recorded")
	}
	if _, err := w.Turns.RecordTurn(t.Context(), other); !errors.Is(err, log.ErrErased) {
		t.Errorf("the other turn: %v", err)
	}
	if _, _, err := w.Turns.UpsertParticipant(t.Context(), theirs.Heard[0].Message); !errors.Is(err, log.ErrErased) {
		t.Errorf("they are met again by an old message: %v", err)
	}
	if fresh, err := w.Log.Accept(t.Context(), "mira", theirs.Heard[0].Message); fresh || err != nil {
		t.Errorf("an old message is received again: %v, %v", fresh, err)
	}
	if pending, err := w.Log.Pending(t.Context(), "mira", other.Room.Room, 10); err != nil || len(pending) != 1 {
		t.Errorf("bob's message waits no more: %v, %v", pending, err)
	}
	if w.onDisk([]byte("ferret")) {
		t.Error("a file contains what was erased")
	}
	w.clock.Advance(1e9)
	w.say("", "ann", "I am new here")
	if p, err := w.Log.PersonByHandle(t.Context(), channels.Handle{Channel: "console", ID: "ann"}); err != nil || p.ID == theirs.Asker {
		t.Errorf("they are %+v, %v", p, err)
	}
}

// TestR8ARestoredCopyErasesThePersonAgain applies the record to a copy made before.
func TestR8ARestoredCopyErasesThePersonAgain(t *testing.T) {
	w := newTown(t)
	w.say("", "zann", "I keep a ferret")
	w.say("club", "zann", "I saw a heron")
	w.say("club", "zbob", "I saw a wombat")
	old := w.copied()
	w.say("", "zann", "I drew an otter")
	w.erasePerson("zann")
	list, err := w.Eraser.Erasures(t.Context(), w.clock.Now().Add(-1e9))
	if err != nil || !slices.ContainsFunc(list, func(e erase.Erasure) bool { return e.Kind == erase.KindPerson && len(e.People) == 1 }) {
		t.Fatal(list, err)
	}
	for range 2 {
		if _, err := old.Eraser.ApplyErasures(t.Context(), list); err != nil {
			t.Fatal(err)
		}
	}
	for _, word := range []string{"zann", "ferret", "heron"} {
		if old.onDisk([]byte(word)) {
			t.Errorf("the copy contains %s", word)
		}
	}
	if !old.onDisk([]byte("wombat")) {
		t.Error("the copy lost what bob said")
	}
	old.clock.Advance(1e9)
	old.say("", "zcleo", "hello")
	if gone, err := old.Eraser.ApplyErasures(t.Context(), list); err != nil || gone != (erase.ForgetResult{}) {
		t.Errorf("the list erased somebody new: %v, %v", gone, err)
	}
}
