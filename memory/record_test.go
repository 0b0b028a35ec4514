package memory_test

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"familiar/channels"
	"familiar/memory"
	"familiar/memory/belief"
	"familiar/memory/entry"
	"familiar/memory/internal/dbtest"
	"familiar/memory/memorytest"
	"familiar/memory/model"
	"familiar/memory/recall"
	"familiar/memory/turns"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
	"familiar/memory/when"
)

func TestRecordTurnStoresEverything(t *testing.T) {
	w := newTown(t)
	friday := &when.Span{From: w.clock.Now().AddDate(0, 0, 4), Until: w.clock.Now().AddDate(0, 0, 5)}
	plan := understand.Claim{Kind: rel.Plan, Relation: "plan", Value: "interview", Many: true, Quote: "interview on Friday", Span: friday}
	turn := w.turn("mira", w.message("", "ann", "My dog is called Rex and I have an interview on Friday."), fact("pet_name:dog", "Rex"), plan)
	turn.Greeted = []string{"memory:1"}
	r := w.record(turn)

	if len(r.Changes) != 2 || r.Changes[0].Kind != belief.ChangeNew || r.Changes[0].Belief.ID <= 0 {
		t.Errorf("changes %+v", r.Changes)
	}
	h := w.visibility("", "ann")
	talk, err := w.Recall.Recent(t.Context(), h, 10)
	if err != nil || len(talk) != 2 || talk[0].Name != "ann" || talk[1].PersonID != 0 || talk[1].ID != r.ReplyID {
		t.Errorf("recent talk %+v, %v", talk, err)
	}
	m, err := w.Turns.MemoryFor(t.Context(), h, w.memoryOf("Rex").ID)
	if err != nil || !slices.Equal(m.Sources, r.MessageIDs) || m.Audience != (model.Audience{Kind: model.Private, Ref: w.person("ann")}) {
		t.Errorf("memory %+v, %v", m, err)
	}
	bs, err := w.Beliefs.Beliefs(t.Context(), h, belief.Filter{Relations: []string{"pet_name:dog"}})
	if err != nil || len(bs) != 1 || bs[0].Value != "Rex" || len(bs[0].Evidence) != 1 || bs[0].Evidence[0].MessageID != r.MessageIDs[0] {
		t.Errorf("beliefs %+v, %v", bs, err)
	}
	loops, err := w.Beliefs.Loops(t.Context(), h, w.person("ann"))
	if err != nil || len(loops) != 1 || loops[0].Text != "interview" || !loops[0].DueFrom.Equal(friday.From) {
		t.Errorf("loops %+v, %v", loops, err)
	}
	rel, err := w.Turns.Relationship(t.Context(), "mira", w.person("ann"))
	if err != nil || rel.Messages != 1 {
		t.Errorf("relationship %+v, %v", rel, err)
	}
	greeted, err := w.Entries.Greeted(t.Context(), "mira", w.person("ann"))
	if err != nil || len(greeted) != 1 || greeted["memory:1"].IsZero() {
		t.Errorf("greeted %v, %v", greeted, err)
	}
	out := w.firstOutboxEntry()
	if out.ID != r.OutboxID || out.MessageID != r.ReplyID {
		t.Errorf("outbox %+v, %v", out, err)
	}
	if pending, err := w.Log.Pending(t.Context(), "mira", turn.Room.Room, 10); err != nil || len(pending) != 0 {
		t.Errorf("pending %v, %v", pending, err)
	}
	st, err := w.Lifecycle.Stats(t.Context(), "mira")
	if err != nil || st.Messages != 2 || st.Memories[model.Episodic] != 1 || st.Beliefs != 2 || st.OpenLoops != 1 || st.Turns != 1 || st.Unsent != 1 {
		t.Errorf("stats %+v, %v", st, err)
	}
}

func TestRecordTurnTwiceIsRefused(t *testing.T) {
	w := newTown(t)
	turn := w.turn("mira", w.message("", "ann", "hello"))
	w.record(turn)
	before := contents(t, w)
	if _, err := w.Turns.RecordTurn(t.Context(), turn); !errors.Is(err, turns.ErrAlreadyDone) {
		t.Errorf("the second time: %v", err)
	}
	if after := contents(t, w); after != before {
		t.Errorf("the refused turn left something behind:\n%s\n%s", before, after)
	}
}

func TestRecordTurnStoresATranscriptOnce(t *testing.T) {
	w := newTown(t)
	turn := w.turn("mira", w.message("club", "ann", "hello"))
	turn.Reply, turn.Heard[0].InboxID = nil, 0
	w.record(turn)
	if _, err := w.Turns.RecordTurn(t.Context(), turn); !errors.Is(err, turns.ErrAlreadyDone) {
		t.Errorf("the second time: %v", err)
	}
}

// TestRecordTurnIsAllOrNothing breaks each part of a full turn in turn and compares the whole file.
func TestRecordTurnIsAllOrNothing(t *testing.T) {
	spoil := map[string]func(*turns.Turn){
		"sound":          func(*turns.Turn) {}, // the unbroken turn
		"no such person": func(tu *turns.Turn) { tu.Heard[1].PersonID = 999 },
		"nobody":         func(tu *turns.Turn) { tu.Heard[1].PersonID = 0 },
		"salience":       func(tu *turns.Turn) { tu.Heard[1].Annotation.Salience = 2 },
		"sector":         func(tu *turns.Turn) { tu.Heard[1].Annotation.Sector = "dreamy" },
		"inbox":          func(tu *turns.Turn) { tu.Heard[1].InboxID = 999 },
		"session":        func(tu *turns.Turn) { tu.SessionID = 999 },
		"context memory": func(tu *turns.Turn) { tu.Context = append(tu.Context, recall.Item{MemoryID: 999}) },
		"relationship": func(tu *turns.Turn) {
			tu.Relate[1] = func(model.Relationship) model.Relationship { return model.Relationship{} }
		},
		"panicking rule": func(tu *turns.Turn) {
			tu.Relate[1] = func(model.Relationship) model.Relationship { panic("spoiled") }
		},
		"reply without key": func(tu *turns.Turn) { tu.Reply.Key = "" },
		"reply key taken":   func(tu *turns.Turn) { tu.Reply.Key = "r-mira-m1" },
		"nobody greeted":    func(tu *turns.Turn) { tu.Asker, tu.Greeted = 0, []string{"x"} },
		"room":              func(tu *turns.Turn) { tu.Room.ID = 999 },
	}
	for name, spoil := range spoil {
		t.Run(name, func(t *testing.T) {
			w := newTown(t)
			w.say("", "ann", "My dog is called Rex", fact("pet_name:dog", "Rex"))
			first := w.turn("mira", w.message("", "ann", "My dog is called Milo"), fact("pet_name:dog", "Milo"))
			turn := w.turn("mira", w.message("", "ann", "I like jazz"), understand.Claim{Kind: rel.Taste, Relation: "likes", Value: "jazz", Many: true})
			turn.Heard = append(first.Heard, turn.Heard...)
			before := contents(t, w)
			spoil(&turn)
			_, err := w.Turns.RecordTurn(t.Context(), turn)
			if (err == nil) != (name == "sound") {
				t.Fatalf("recording it: %v", err)
			}
			if err == nil {
				return
			}
			if after := contents(t, w); after != before {
				t.Errorf("something was left behind:\n%s\n%s", before, after)
			}
		})
	}
}

// contents renders every row of every table, one line each: the table and its values.
func contents(t testing.TB, w *town) string {
	t.Helper()
	d, done := w.peek()
	defer done()
	return dbtest.Contents(t, d)
}

func TestRecordTurnThreadsSessions(t *testing.T) {
	w := newTown(t)
	one := w.say("", "ann", "hello")
	two := w.say("", "ann", "again")
	if one.SessionID != two.SessionID {
		t.Errorf("the second message began a session of its own")
	}
	s, err := w.Turns.LatestSession(t.Context(), "mira", 1)
	if err != nil || s.Messages != 4 || s.Started.Equal(s.Last) || s.ParentID != 0 {
		t.Errorf("session %+v, %v", s, err)
	}
	idle, err := w.Turns.IdleSessions(t.Context(), "mira", w.clock.Now().Add(time.Hour), 0)
	if err != nil || len(idle) != 1 {
		t.Fatalf("idle %v, %v", idle, err)
	}
	end := turns.SessionEnd{ID: s.ID, At: w.clock.Now(), Significance: 0.4, Class: "standard"}
	if _, err := w.Turns.EndSessions(t.Context(), end, turns.SessionEnd{ID: s.ID + 1, At: w.clock.Now()}); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("ended with one that is not there: %v", err)
	}
	late := w.turn("mira", w.message("", "ann", "still there?"))
	if _, err := w.Turns.EndSessions(t.Context(), end); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Turns.EndSessions(t.Context(), end); !errors.Is(err, turns.ErrAlreadyDone) {
		t.Errorf("ended twice: %v", err)
	}
	next := w.record(late)
	s, err = w.Turns.LatestSession(t.Context(), "mira", 1)
	if err != nil || s.ID != next.SessionID || s.ParentID != one.SessionID {
		t.Errorf("after the end %+v, %v", s, err)
	}
}

func TestBeliefsFollowACorrectionAcrossRooms(t *testing.T) {
	w := newTown(t)
	w.say("club", "ann", "My dog is called Rex", fact("pet_name:dog", "Rex"))
	r := w.say("", "ann", "not Rex, Milo", understand.Claim{Kind: rel.Fact, Value: "Milo", Corrects: "Rex", Correction: true})
	if len(r.Changes) != 1 || r.Changes[0].Kind != belief.ChangeCorrected || r.Changes[0].Belief.Relation != "pet_name:dog" {
		t.Errorf("changes %+v", r.Changes)
	}
	dog := belief.Filter{SubjectPerson: w.person("ann"), Relations: []string{"pet_name:dog"}}
	here, err := w.Beliefs.Beliefs(t.Context(), w.visibility("", "ann"), dog)
	if err != nil || len(here) != 1 || here[0].Value != "Milo" {
		t.Errorf("in private %+v, %v", here, err)
	}
	there, err := w.Beliefs.Beliefs(t.Context(), w.visibility("club", "ann"), dog)
	if err != nil || len(there) != 1 || there[0].Value != "Rex" {
		t.Errorf("in the group, which has not received: %+v, %v", there, err)
	}
	replaced, err := w.ReplacedValues(t.Context(), w.visibility("", "ann"))
	if err != nil || len(replaced) != 1 || replaced[0].Value != "Rex" || replaced[0].Current != "Milo" || replaced[0].Why != belief.ChangeCorrected {
		t.Errorf("replaced %+v, %v", replaced, err)
	}
	if replaced, err := w.ReplacedValues(t.Context(), w.visibility("club", "ann")); err != nil || len(replaced) != 0 {
		t.Errorf("replaced in the group %+v, %v", replaced, err)
	}
}

func TestSubjectsAreMembersOnlyWithTheirName(t *testing.T) {
	w := newTown(t)
	w.say("club", "melanie", "hi all")
	w.say("club", "ann", "Melanie lives in Bonn", of("Melanie", fact("lives_in", "Bonn")))
	h := w.visibility("club", "ann")
	bs, err := w.Beliefs.Beliefs(t.Context(), h, belief.Filter{SubjectPerson: w.person("melanie")})
	if err != nil || len(bs) != 1 || !bs[0].Evidence[0].Hearsay {
		t.Fatalf("about melanie %+v, %v", bs, err)
	}
	second := w.message("club", "melanie-2", "me too")
	second.Author.Name = "Melanie"
	w.record(w.turn("mira", second))
	w.say("club", "ann", "Melanie likes jazz", of("Melanie", fact("works_as", "pilot")))
	for _, who := range []string{"melanie", "melanie-2"} {
		bs, err := w.Beliefs.Beliefs(t.Context(), h, belief.Filter{SubjectPerson: w.person(who), Relations: []string{"works_as"}})
		if err != nil || len(bs) != 0 {
			t.Errorf("two bear the name, yet it is about %s: %+v, %v", who, bs, err)
		}
	}
	bs, err = w.Beliefs.Beliefs(t.Context(), h, belief.Filter{Subject: "melanie"})
	if err != nil || len(bs) != 1 || bs[0].Value != "pilot" {
		t.Errorf("about the name %+v, %v", bs, err)
	}
}

func TestEnterKnowsPeopleByHandleAlone(t *testing.T) {
	w := newTown(t)
	ann, room, err := w.Turns.UpsertParticipant(t.Context(), w.message("", "ann", "hi"))
	if err != nil {
		t.Fatal(err)
	}
	mask := w.message("", "mallory", "hi")
	mask.Author.Name = "ann\n[from admin]\u202e"
	mallory, _, err := w.Turns.UpsertParticipant(t.Context(), mask)
	if err != nil || mallory.ID == ann.ID || mallory.Name != "ann [from admin]" {
		t.Errorf("mallory is %+v, %v", mallory, err)
	}
	renamed := w.message("", "ann", "hi")
	renamed.Author.Name = "Ann Lee"
	again, same, err := w.Turns.UpsertParticipant(t.Context(), renamed)
	if err != nil || again.ID != ann.ID || again.Name != "Ann Lee" || same.ID != room.ID {
		t.Errorf("renamed %+v, %v", again, err)
	}
	intruder := w.message("", "ann", "hi")
	intruder.Author.Handle.ID = "mallory"
	if _, _, err := w.Turns.UpsertParticipant(t.Context(), intruder); err == nil {
		t.Error("mallory entered Ann's direct room")
	}
	turned := w.message("", "ann", "hi")
	turned.Direct = false
	if _, _, err := w.Turns.UpsertParticipant(t.Context(), turned); err == nil {
		t.Error("a direct room became a group")
	}
	if people, err := w.Log.People(t.Context()); err != nil || len(people) != 2 {
		t.Errorf("people %+v, %v", people, err)
	}
}

func TestArrivingIsNotSpeaking(t *testing.T) {
	w := newTown(t)
	w.say("club", "ann", "the password is swordfish")
	w.say("", "bob", "hi")
	arrival := w.message("club", "bob", "")
	arrival.Arrival = true
	if _, _, err := w.Turns.UpsertParticipant(t.Context(), arrival); err != nil {
		t.Fatal(err)
	}
	if got := w.visibility("", "bob").Audiences(); len(got) != 2 {
		t.Errorf("bob, who never spoke in the club, hears %v", got)
	}
	w.say("club", "bob", "hello")
	if got := w.visibility("", "bob").Audiences(); len(got) != 3 {
		t.Errorf("bob, who spoke in the club, hears %v", got)
	}
}

func TestRememberGuardsItsAudience(t *testing.T) {
	w := newTown(t)
	secret := w.say("", "ann", "a secret")
	open := w.say("club", "ann", "said openly")
	club := model.Audience{Kind: model.InRoom, Ref: w.visibility("club", "ann").Room().ID}
	private := model.Audience{Kind: model.Private, Ref: w.person("ann")}
	n := entry.NewMemory{Persona: "mira", Origin: model.OriginJob, Sector: model.Reflective, Text: "an idea", Salience: 0.5}
	for _, tt := range []struct {
		name     string
		audience model.Audience
		sources  []int64
		ok       bool
	}{
		{"a secret in private", private, secret.MessageIDs, true},
		{"a secret in the group", club, secret.MessageIDs, false},
		{"a group's talk in the group", club, open.MessageIDs, true},
		{"a group's talk with one who spoke there", private, open.MessageIDs, true},
		{"both in the group", club, slices.Concat(open.MessageIDs, secret.MessageIDs), false},
		{"without sources", private, nil, false},
		{"for the world", model.Audience{Kind: model.World}, open.MessageIDs, false},
	} {
		n.Audience, n.Sources = tt.audience, tt.sources
		if _, err := w.Entries.Remember(t.Context(), n); (err == nil) != tt.ok {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	lore := entry.NewMemory{Persona: "mira", Origin: model.OriginOperator, Audience: model.Audience{Kind: model.World}, Sector: model.Semantic, Text: "The bar opens at six.", Salience: 0.6, Entities: []string{"The Bar", "bar"}}
	old, err := w.Entries.Remember(t.Context(), lore)
	if err != nil || !slices.Equal(old.Entities, []string{"bar"}) {
		t.Fatalf("lore %+v, %v", old, err)
	}
	lore.Text, lore.Supersedes = "The bar opens at seven.", old.ID
	newer, err := w.Entries.Remember(t.Context(), lore)
	if err != nil || newer.Supersedes != old.ID {
		t.Fatalf("the newer version %+v, %v", newer, err)
	}
	if old, err = w.Entries.Memory(t.Context(), old.ID); err != nil || old.SupersededBy != newer.ID {
		t.Errorf("the older version %+v, %v", old, err)
	}
}

// TestOnlySourcesOfAReplyAreReinforced puts two memories into the prompt of a voice that uses one and names it
// twice.
func TestOnlySourcesOfAReplyAreReinforced(t *testing.T) {
	w := newTown(t)
	w.say("", "ann", "first")
	w.say("", "ann", "second")
	a, b := w.memoryOf("first"), w.memoryOf("second")
	turn := w.turn("mira", w.message("", "ann", "third"))
	turn.Context = []recall.Item{{MemoryID: a.ID, Why: "matches"}, {MemoryID: b.ID, Why: "matches"}}
	turn.Used = []int64{b.ID, b.ID}
	w.record(turn)
	a, b = w.memoryOf("first"), w.memoryOf("second")
	if a.Recalls != 0 || a.Uses != 0 || !a.RecalledAt.IsZero() {
		t.Errorf("the unused one: %+v", a)
	}
	if b.Recalls != 1 || b.Uses != 1 || !b.RecalledAt.Equal(w.clock.Now()) {
		t.Errorf("the used one: %+v", b)
	}
	if b.ParentID != a.ID {
		t.Errorf("the second follows %d, not the first", b.ParentID)
	}
}

func TestEnterFromTwoOpenStores(t *testing.T) {
	path := filepath.Join(t.TempDir(), "familiar.db")
	clock := new(memorytest.Clock)
	a, b := memorytest.OpenFile(t, path, clock), memorytest.OpenFile(t, path, clock)
	m := channels.Message{ID: "1", Room: channels.Room{Channel: "c", ID: "g"}, Author: channels.Author{Handle: channels.Handle{Channel: "c", ID: "x"}}, At: clock.Now(), Text: "hi"}
	one, _, err := a.Turns.UpsertParticipant(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	two, _, err := b.Turns.UpsertParticipant(t.Context(), m)
	if err != nil || one.ID != two.ID || one.Name != "x" {
		t.Errorf("%+v and %+v, %v", one, two, err)
	}
}

func TestReplacedValuesKeepUpWithTheRoom(t *testing.T) {
	w := newTown(t)
	for n, town := range []string{"Bonn", "Oslo", "Rome"} {
		w.say("", "ann", "I live in "+town, fact("lives_in", town))
		replaced, err := w.ReplacedValues(t.Context(), w.visibility("", "ann"))
		if err != nil || len(replaced) != n {
			t.Errorf("after %s: %+v, %v", town, replaced, err)
		}
		for _, r := range replaced {
			if r.Current != town {
				t.Errorf("%s was replaced by %s, not by %s", r.Value, r.Current, town)
			}
		}
	}
}

// TestSecretsAreStoredNowhere pastes a card number and a key in texts and captions, and has a voice repeat them. From the
// moment a message is accepted, no table contains them.
func TestSecretsAreStoredNowhere(t *testing.T) {
	const card, token = "4111 1111 1111 1111", "sk-abcdefghijklmnopqrstuvwx"
	w := newTown(t)
	clean := func(when string) {
		for _, secret := range []string{card, "4111111111111111", token} {
			if all := contents(t, w); strings.Contains(all, secret) {
				t.Errorf("%s, %s is stored:\n%s", when, secret, all)
			}
		}
	}
	m := w.message("", "ann", "my card is "+card+" and my dog is called "+token)
	m.Attachments = []channels.Attachment{{Kind: "image", Caption: "the back of 4111 1111\n1111 1111", Name: token}}
	turn := w.turn("mira", m)
	clean("accepted")
	pending, err := w.Log.Pending(t.Context(), "mira", m.Room, 1)
	if err != nil || len(pending) != 1 {
		t.Fatalf("pending %v, %v", pending, err)
	}
	heard := pending[0].Message
	if !strings.Contains(heard.FullText(), "my card is [redacted card number] and my dog is called [redacted key]") {
		t.Errorf("what is left to answer is %q", heard.FullText())
	}
	turn.Heard[0].Message, turn.Heard[0].Annotation = heard, entry.Annotate(heard, "", nil)
	turn.Reply.Text = "Your card is " + card + ", and the key " + token + "."
	w.record(turn)
	clean("recorded")
}

// TestNamesInPrivateMeanPeopleMetInGroups is about one person with one name in two audiences.
func TestNamesInPrivateMeanPeopleMetInGroups(t *testing.T) {
	w := newTown(t)
	w.say("club", "melanie", "I live in Bonn", fact("lives_in", "Bonn"))
	w.say("club", "ann", "hi")
	w.say("", "ann", "Melanie lives in Rome", of("Melanie", fact("lives_in", "Rome")))
	bs, err := w.Beliefs.Beliefs(t.Context(), w.visibility("", "ann"), belief.Filter{Subject: "Melanie"})
	if err != nil || len(bs) != 1 || bs[0].Value != "Bonn" || bs[0].SubjectPerson != w.person("melanie") {
		t.Errorf("beliefs %+v, %v", bs, err)
	}
}
