package memory_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"familiar/memory/checkpoint"
	"familiar/memory/entry"
	"familiar/memory/link"
	"familiar/memory/model"
)

// TestRandomLivesAreRestored has a persona live at random and restores checkpoints in any order. Each brings back what it was made
// from, except what was forgotten since, and nothing changes that was said.
func TestRandomLivesAreRestored(t *testing.T) {
	for seed := range uint64(12) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			w := newTown(t)
			l := life{town: w, random: rand.New(rand.NewPCG(seed, 7)), saved: map[string][]string{}}
			for range 60 {
				l.live()
			}
		})
	}
}

// life is a persona that lives at random.
type life struct {
	*town
	random *rand.Rand
	texts  int
	said   []int64
	saved  map[string][]string
	names  []string
	// forgotten are texts that nothing brings back.
	forgotten []string
}

func (l *life) text(what string) string {
	l.texts++
	return fmt.Sprintf("%s number%dx.", what, l.texts)
}

// live does one thing.
func (l *life) live() {
	ctx, audience := l.t.Context(), model.Audience{Kind: model.Private}
	if len(l.said) > 0 {
		audience.Ref = l.person("ann")
	}
	own := l.own()
	switch n := l.random.IntN(10); {
	case n < 2 || len(l.said) == 0:
		l.said = append(l.said, l.say("", "ann", l.text("I saw a heron")).MessageIDs[0])
	case n == 2:
		kinds := []model.Kind{model.Observation, model.Dream, model.Lesson, model.SelfNote}
		l.conclude(kinds[l.random.IntN(len(kinds))], audience, l.text("Ann sees herons"), l.said[l.random.IntN(len(l.said))])
	case n == 3:
		l.tellOfTheWorld(l.text("Herons fly"))
	case n == 4 && len(own) > 0: // a newer version
		m := own[l.random.IntN(len(own))]
		sources := m.Sources
		if _, err := l.Entries.Remember(ctx, entry.NewMemory{
			Persona: "mira", Audience: m.Audience, Origin: m.Origin, Kind: m.Kind, Sector: m.Sector, Text: l.text("Version"), Salience: 0.5,
			Sources: sources, Supersedes: m.ID,
		}); err != nil {
			l.t.Fatal(err)
		}
	case n == 5: // the oldest fade
		if _, err := l.Turns.TrimInferences(ctx, "mira", model.Dream, l.random.IntN(2)); err != nil {
			l.t.Fatal(err)
		}
	case n == 6 && len(own) > 0 && l.random.IntN(2) == 0:
		l.forget(own[l.random.IntN(len(own))])
	case n == 7:
		name := fmt.Sprint("c", len(l.names))
		l.checkpoint(name, checkpoint.Files{})
		l.saved[name], l.names = l.present(), append(l.names, name)
	case n > 7 && len(l.names) > 0:
		l.check(l.names[l.random.IntN(len(l.names))])
	}
}

// own returns the memories that belong to the state of now.
func (l *life) own() []checkpoint.Memory {
	state, err := l.Checkpoints.Present(l.t.Context(), "mira", checkpoint.Files{})
	if err != nil {
		l.t.Fatal(err)
	}
	return state.Memories
}

// forget forgets a memory with its older versions.
func (l *life) forget(m checkpoint.Memory) {
	for _, older := range append(m.Older, m.ID) {
		if before, err := l.Entries.Memory(l.t.Context(), older); err == nil {
			l.forgotten = append(l.forgotten, before.Text)
		}
	}
	if _, err := l.Eraser.Forget(l.t.Context(), m.ID); err != nil {
		l.t.Fatal(err)
	}
}

// check restores a checkpoint and compares.
func (l *life) check(name string) {
	l.t.Helper()
	before, told := l.present(), l.told()
	done := l.restore(name, checkpoint.Files{})
	want := slices.DeleteFunc(slices.Clone(l.saved[name]), func(line string) bool {
		return slices.ContainsFunc(l.forgotten, func(text string) bool { return strings.Contains(line, text) })
	})
	if got := l.present(); !slices.Equal(got, want) {
		l.t.Fatalf("%s %+v is\n%s\nwant\n%s", name, done, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if got := l.told(); got != told {
		l.t.Fatalf("%s changes what was said:\n%s\nwas\n%s", name, got, told)
	}
	for _, text := range l.forgotten {
		if l.onDisk([]byte(text)) {
			l.t.Fatalf("%q is still there", text)
		}
	}
	if done.Before != "" && l.random.IntN(2) == 0 {
		l.restore(done.Before, checkpoint.Files{})
		if got := l.present(); !slices.Equal(got, before) {
			l.t.Fatalf("%s taken back is\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(before, "\n"))
		}
	}
}

// TestCopiesFollowTheirPeople links two accounts and parts them again: each gets the copies of what rests on its own words, and those
// that rest on both go.
func TestCopiesFollowTheirPeople(t *testing.T) {
	w := newTown(t)
	a := w.tellsOn("telegram", "", "ann", "I walk to the harbour.")
	b := w.tellsOn("discord", "", "ann42", "I swim in the river.")
	ann, other := w.owner("telegram", "ann"), w.owner("discord", "ann42")
	of := func(person int64) model.Audience { return model.Audience{Kind: model.Private, Ref: person} }
	w.conclude(model.Dream, of(ann), "I dreamt of a harbour.", a.MessageIDs[0])
	w.conclude(model.Dream, of(other), "I dreamt of a river.", b.MessageIDs[0])
	w.checkpoint("apart", checkpoint.Files{})
	if err := w.Links.Join(t.Context(), ann, other, "nell"); err != nil {
		t.Fatal(err)
	}
	w.conclude(model.Observation, of(ann), "Ann likes canarywater.", a.MessageIDs[0], b.MessageIDs[0])
	w.checkpoint("joined", checkpoint.Files{})
	if _, err := w.Turns.TrimInferences(t.Context(), "mira", model.Dream, 0); err != nil {
		t.Fatal(err)
	}
	done, err := w.Links.Separate(t.Context(), ann, "discord", "nell", func(link.Separated) []link.Notice { return nil })
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"joined", "apart"} {
		if r := w.restore(name, checkpoint.Files{}); r.LeftOut != map[string]int{"joined": 1, "apart": 0}[name] {
			t.Errorf("%s: %+v", name, r)
		}
	}
	for text, person := range map[string]int64{"I dreamt of a harbour.": ann, "I dreamt of a river.": done.Leaves} {
		if m := w.memoryOf(text); m.Audience != of(person) {
			t.Errorf("%s belongs to %+v, not to person %d", text, m.Audience, person)
		}
	}
	if state := strings.Join(w.present(), "\n"); strings.Contains(state, "canarywater") {
		t.Errorf("what rests on both is there:\n%s", state)
	}
}

// BenchmarkCheckpoint saves and restores the state of a persona with 5,000 conclusions and 5,000 sessions.
func BenchmarkCheckpoint(b *testing.B) {
	w := newTown(b)
	said := w.say("", "ann", "I saw a heron.")
	for i := range 5000 {
		if _, err := w.Entries.Remember(b.Context(), entry.NewMemory{
			Persona: "mira", Audience: model.Audience{Kind: model.Private, Ref: w.person("ann")}, Origin: model.OriginJob, Kind: model.Observation,
			Sector: model.Reflective, Text: fmt.Sprintf("Ann saw %d herons by the old harbour, and told of them at length.", i), Salience: 0.5, Sources: said.MessageIDs[:1],
		}); err != nil {
			b.Fatal(err)
		}
	}
	for _, q := range []string{
		`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) INSERT INTO sessions (persona, room_id, started_at, last_at) SELECT 'mira', 1, 1, 1 FROM n`,
		`INSERT INTO moods (persona, session_id, at, valence, energy) SELECT 'mira', id, ?, 0.1, 0.2 FROM sessions`,
		`INSERT INTO practice (persona, skill, session_id, at, successes, failures) SELECT 'mira', 'listening', id, ?, 1, 0 FROM sessions`,
	} {
		args := []any{w.clock.Now().UnixMilli()}
		if !strings.Contains(q, "?") {
			args = nil
		}
		w.exec(q, args...)
	}
	b.Run("create", func(b *testing.B) {
		for i := range b.N {
			w.checkpoint(fmt.Sprintf("c-%d-%d", b.N, i), checkpoint.Files{})
			b.StopTimer()
			if err := w.Checkpoints.Drop(b.Context(), "mira", fmt.Sprintf("c-%d-%d", b.N, i)); err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
		}
	})
	b.Run("restore", func(b *testing.B) {
		w.clock.Advance(time.Minute)
		w.checkpoint(fmt.Sprint("r-", b.N), checkpoint.Files{})
		for range b.N {
			b.StopTimer()
			w.tellOfTheWorld("Herons fly.")
			b.StartTimer()
			if _, err := w.Checkpoints.Restore(b.Context(), "mira", fmt.Sprint("r-", b.N), checkpoint.Files{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
