package persona_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"familiar/channels"
	"familiar/internal/llm"
	"familiar/memory"
	"familiar/memory/entry"
	"familiar/memory/memorytest"
	"familiar/memory/model"
	"familiar/memory/training"
	"familiar/persona"
	"familiar/persona/modelvoice"
)

// trained exports the training data of a persona, and checks its form.
func trained(t testing.TB, store *memory.Store, persona string) (string, training.Report) {
	t.Helper()
	var out, again bytes.Buffer
	o := training.Options{Persona: persona, Names: []string{"Tess"}, Format: training.ChatML, System: "A test pilot."}
	report, err := store.Training.Export(t.Context(), &out, o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.Training.Export(t.Context(), &again, o); err != nil || again.String() != out.String() {
		t.Fatalf("exported again it is different, %v", err)
	}
	replies := 0
	for line := range strings.Lines(out.String()) {
		var c struct {
			Messages []struct{ Role, Content string }
		}
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		for i, m := range c.Messages {
			want := []string{"assistant", "user"}[i%2]
			if i == 0 {
				want = "system"
			}
			if m.Role != want || m.Content == "" {
				t.Errorf("message %d is of %s, not of %s: %q", i, m.Role, want, m.Content)
			}
		}
		if len(c.Messages)%2 == 0 {
			t.Errorf("a conversation ends without an answer: %s", line)
		}
		replies += len(c.Messages) / 2
	}
	if replies != report.Replies || strings.Count(out.String(), "\n") != report.Conversations {
		t.Errorf("it reports %+v of %d replies", report, replies)
	}
	return out.String(), report
}

// consent lets somebody agree or take it back, with the command.
func (s *stage) consent(given bool, people ...string) {
	s.t.Helper()
	for _, who := range people {
		s.say(who, map[bool]string{true: "/training on", false: "/training off"}[given])
	}
}

// TestS1TrainingHoldsOnlyWhatConsentingPeopleSaid lets people tell secrets in direct rooms and groups and pry everywhere, with a model
// that repeats all canaries in its prompt. Whoever agrees then, no canary of anybody else may be in what is exported.
func TestS1TrainingHoldsOnlyWhatConsentingPeopleSaid(t *testing.T) {
	t.Parallel()
	people := []string{"ann", "bob", "cho", "dora", "emil"}
	groups := map[string][]string{"garden": {"ann", "bob"}, "choir": {"bob", "cho", "dora"}, "attic": {"emil", "ann"}}
	for _, useModel := range []bool{true, false} {
		t.Run(fmt.Sprintf("model %v", useModel), func(t *testing.T) {
			w := &pryWorld{t: t, clock: &memorytest.Clock{}, persona: "tess", allowed: map[place]map[string]bool{}}
			store := memorytest.OpenAt(t, w.clock)
			w.s = playOn(t, store, w.clock, func(p *persona.Parts) {
				p.Settings.RecentMessages = 12
				if useModel {
					p.Voice = modelvoice.NewVoice(llm.Answering(w.repeat), modelvoice.Meter{Store: store, Persona: "tess", Now: w.clock.Now}, 0, 0)
				}
			})
			w.tell(people, groups)
			w.sleep()
			w.pry(people, groups)
			tellers := w.tellers()
			for _, agreed := range [][]string{nil, {"ann"}, {"bob"}, {"ann", "bob"}, {"emil", "ann"}, {"bob", "cho", "dora"}, people} {
				for _, who := range people {
					w.s.consent(slices.Contains(agreed, who), who)
				}
				data, report := trained(t, store, "tess")
				spoken := map[string]bool{}
				for _, found := range canary.FindAllString(data, -1) {
					if spoken[found] = true; !slices.Contains(agreed, tellers[found]) {
						t.Fatalf("with the consent of %v the data has %s, which %s told", agreed, found, tellers[found])
					}
				}
				if found := anybody.FindString(data); found != "" {
					t.Errorf("the data names %s", found)
				}
				if len(agreed) > 0 && (report.Replies == 0 || len(spoken) == 0) {
					t.Errorf("with the consent of %v it has %+v: the test sees nothing", agreed, report)
				}
				if len(agreed) == 0 && data != "" {
					t.Errorf("nobody agreed, and there is %s", data)
				}
				t.Logf("%v: %+v, %d canaries", agreed, report, len(spoken))
			}
		})
	}
}

// anybody matches the names of these people.
var anybody = regexp.MustCompile(`(?i)\b(?:ann|bob|cho|dora|emil)s?\b`)

// tellers returns who told each canary.
func (w *pryWorld) tellers() map[string]string {
	w.t.Helper()
	all := map[string]string{}
	db := memorytest.SQL(w.t, w.s.store.Path())
	defer db.Close()
	rows, err := db.Query(`SELECT m.text, h.handle FROM messages m JOIN handles h ON h.person_id = m.person_id ORDER BY m.id DESC`)
	if err != nil {
		w.t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var text, who string
		if err := rows.Scan(&text, &who); err != nil {
			w.t.Fatal(err)
		}
		for _, found := range canary.FindAllString(text, -1) {
			all[found] = who
		}
	}
	if err := rows.Err(); err != nil {
		w.t.Fatal(err)
	}
	return all
}

// TestS1TrainingLeavesOutWhatOthersAreIn plays talks in which Ann agreed and Bob did not. zq1z is said by Ann where it may be
// exported, and zq2z is what must not be in the data.
func TestS1TrainingLeavesOutWhatOthersAreIn(t *testing.T) {
	group := func(s *stage, who, text string) string { return s.answer(s.group(who, text, true)) }
	for name, c := range map[string]struct {
		play func(s *stage)
		why  training.Reason
	}{
		"nothing of others": {func(s *stage) {}, ""},
		"his direct room":   {func(s *stage) { s.say("bob", "My cat is called zq2z.") }, ""},
		"what he said before in the group": {func(s *stage) {
			group(s, "bob", "@tess I have a cat.")
			group(s, "ann", "@tess my bird is called zq2z.")
		}, training.Others},
		"what he said beside it": {func(s *stage) {
			s.answer(s.group("bob", "lovely day", false))
			group(s, "ann", "@tess my bird is called zq2z.")
		}, training.Others},
		"what he told of her": {func(s *stage) {
			group(s, "bob", "@tess Ann lives in zq2z.")
			group(s, "ann", "@tess hello")
			s.clock.Advance(5 * time.Hour)
			s.t.Log(s.say("ann", "Where do I live?"))
		}, training.Others},
		"what he said in their group": {func(s *stage) {
			group(s, "bob", "@tess the password of the garden is zq2z.")
			group(s, "ann", "@tess hello")
			s.clock.Advance(5 * time.Hour)
			s.say("ann", "What is the password of the garden?")
		}, training.Others},
		"what she says of him":           {func(s *stage) { s.say("ann", "Bob's cat is called zq2z.") }, training.Named},
		"what she says of him, as a tag": {func(s *stage) { s.say("ann", "I told @bob about zq2z.") }, training.Named},
		"what she says of him, by the name he gave himself": {func(s *stage) {
			s.say("bob", "My nickname is Zorro")
			s.say("bob", "Mein Name ist Zenzi.")
			s.say("ann", "Zorros cat is called zq2z.")
			s.clock.Advance(5 * time.Hour)
			s.say("ann", "zenzi has a dog called zq2z.")
		}, training.Named},
		"what she quotes":   {func(s *stage) { s.say("ann", "> my cat is zq2z\nHe said so.") }, training.Quotes},
		"what she forwards": {func(s *stage) { s.say("ann", "["+channels.Forwarded+": my cat is zq2z]") }, training.Quotes},
		"a picture": {func(s *stage) {
			m := s.message("ann", "Look!")
			m.Attachments = []channels.Attachment{{Kind: "image", Seen: "a cat with a collar that says zq2z"}}
			s.answer(m)
		}, training.Files},
		"danger":       {func(s *stage) { s.say("ann", "I want to kill myself, zq2z.") }, training.Care},
		"after danger": {func(s *stage) { s.say("ann", "I want to kill myself."); s.say("ann", "My cat is called zq2z.") }, training.Care},
		"a greeting":   {func(s *stage) { s.clock.Advance(48 * time.Hour); s.arrive("ann") }, training.Unprompted},
		"what she edits": {func(s *stage) {
			m, _ := s.told("ann", "My cat is called zq2z.")
			s.answer(s.does("ann", channels.Edit, m.ID, "My cat is called Tom."))
		}, ""},
		"what she deletes": {func(s *stage) {
			m, _ := s.told("ann", "My cat is called zq2z.")
			s.answer(s.does("ann", channels.Delete, m.ID, ""))
		}, training.Forgotten},
		"what she forgets": {func(s *stage) { s.say("ann", "My cat is called zq2z."); s.forgets("zq2z") }, training.Forgotten},
		"what disappears": {func(s *stage) {
			m := s.message("ann", "My cat is called zq2z.")
			m.ExpiresAfter = time.Hour
			s.answer(m)
		}, training.Vanishing},
		"what the operator told of her": {func(s *stage) {
			p, err := s.store.Log.PersonByHandle(s.t.Context(), channels.Handle{Channel: "desk", ID: "ann"})
			if err != nil {
				s.t.Fatal(err)
			}
			note := entry.NewMemory{Persona: "tess", Text: "ann's cat is called zq2z", Audience: model.Audience{Kind: model.Private, Ref: p.ID}, Sector: model.Semantic, Salience: 0.8}
			if _, err := s.store.Turns.RecordOperatorNote(s.t.Context(), note, entry.Annotator{}.Annotate(channels.Message{Text: note.Text, At: s.clock.Now()}, "", time.UTC).Analysis); err != nil {
				s.t.Fatal(err)
			}
			s.clock.Advance(5 * time.Hour)
			s.say("ann", "What is my cat called?")
		}, training.Others},
		"an imported answer": {func(s *stage) {
			lines := []persona.Recorded{{Message: s.message("ann", "Hello there")}, {Message: s.message("ann", "Your cat is zq2z."), Own: true}}
			if _, err := s.engine.RecordConversation(s.t.Context(), lines); err != nil {
				s.t.Fatal(err)
			}
		}, training.Unknown},
		"commands": {func(s *stage) { s.say("ann", "/memory zq2z") }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := play(t, nil)
			s.say("ann", "My dog is called zq1z.")
			s.say("bob", "Hello")
			s.clock.Advance(5 * time.Hour)
			c.play(s)
			s.consent(true, "ann")
			data, report := trained(t, s.store, "tess")
			if !strings.Contains(data, "zq1z") {
				t.Errorf("what may be there is not: %q", data)
			}
			if strings.Contains(data, "zq2z") {
				t.Errorf("the data has\n%s", data)
			}
			if c.why != "" && report.LeftOut[c.why] == 0 || c.why == "" && len(report.LeftOut) > 0 {
				t.Errorf("left out are %v, not %q", report.LeftOut, c.why)
			}
			s.consent(false, "ann")
			if data, _ := trained(t, s.store, "tess"); data != "" {
				t.Errorf("after she took it back there is\n%s", data)
			}
		})
	}
}

// TestS1TrainingAfterPeopleAreErasedOrLinked erases Bob, of whom Ann's talk had something, and links him with somebody who agreed.
func TestS1TrainingAfterPeopleAreErasedOrLinked(t *testing.T) {
	t.Run("erased", func(t *testing.T) {
		s := play(t, nil)
		s.answer(s.group("bob", "@tess the password of the garden is zq2z.", true))
		s.answer(s.group("ann", "@tess hello", true))
		s.clock.Advance(5 * time.Hour)
		if said := s.say("ann", "What is the password of the garden?"); !strings.Contains(said, "zq2z") {
			t.Fatalf("it does not say what Bob told: %q", said)
		}
		s.say("ann", "My dog is called zq1z.")
		bob, err := s.store.Log.PersonByHandle(t.Context(), channels.Handle{Channel: "desk", ID: "bob"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.store.Eraser.ErasePerson(t.Context(), bob.ID); err != nil {
			t.Fatal(err)
		}
		s.consent(true, "ann")
		if data, _ := trained(t, s.store, "tess"); strings.Contains(data, "zq2z") || !strings.Contains(data, "zq1z") {
			t.Errorf("the data is\n%s", data)
		}
	})
	t.Run("erased, whom she named", func(t *testing.T) {
		s := play(t, nil)
		m := s.message("carl", "I like rum.")
		m.Author.Name = "Carlo Vantongeren"
		s.answer(m)
		s.say("ann", "/training on")
		s.say("ann", "My dog is called zq1z.")
		s.clock.Advance(5 * time.Hour)
		s.say("ann", "Carlo Vantongeren lives at the mill.")
		s.say("ann", "I like figs.")
		s.say("ann", "CARLO'S mill is old.")
		before, _ := trained(t, s.store, "tess")
		p, err := s.store.Log.PersonByHandle(t.Context(), m.Author.Handle)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.store.Eraser.ErasePerson(t.Context(), p.ID); err != nil {
			t.Fatal(err)
		}
		s.clock.Advance(5 * time.Hour)
		s.say("ann", "Who lives at the mill?")
		after, report := trained(t, s.store, "tess")
		for _, word := range []string{"Carlo", "CARLO", "antongeren"} {
			if strings.Contains(after, word) {
				t.Errorf("the data has %s:\n%s", word, after)
			}
		}
		if !strings.Contains(after, "zq1z") || len(after) > len(before) || report.LeftOut[training.Named] == 0 {
			t.Errorf("before the erasure the data is\n%s\nafterwards, with %+v,\n%s", before, report, after)
		}
	})
	t.Run("linked", func(t *testing.T) {
		h := newHall(t)
		h.sayOn("telegram", "ann", "My dog is called zq1z.")
		h.sayOn("telegram", "ann", "/training on")
		h.sayOn("discord", "bob", "My cat is called zq2z.")
		if data, _ := trained(t, h.store, "tess"); !strings.Contains(data, "zq1z") || strings.Contains(data, "zq2z") {
			t.Errorf("before the link the data is\n%s", data)
		}
		if err := h.store.Links.Join(t.Context(), h.person("telegram", "ann"), h.person("discord", "bob"), "tess"); err != nil {
			t.Fatal(err)
		}
		if data, _ := trained(t, h.store, "tess"); data != "" {
			t.Errorf("one of the two did not agree, and there is\n%s", data)
		}
		h.sayOn("discord", "bob", "/training on")
		if data, _ := trained(t, h.store, "tess"); !strings.Contains(data, "zq1z") || !strings.Contains(data, "zq2z") {
			t.Errorf("after the yes of the person the data is\n%s", data)
		}
	})
}

// TestTrainingOfAGroupNumbersItsPeople exports a group in which everybody agreed.
func TestTrainingOfAGroupNumbersItsPeople(t *testing.T) {
	s := play(t, nil)
	s.answer(s.group("bob", "a fine day, ann", false))
	s.answer(s.group("ann", "@tess my bird is called zq1z, @bob knows", true))
	s.consent(true, "ann", "bob")
	data, _ := trained(t, s.store, "tess")
	if want := `Person 1: a fine day, Person 2\nPerson 2: @tess my bird is called zq1z, Person 1 knows`; !strings.Contains(data, want) {
		t.Errorf("the data is\n%s", data)
	}
}
