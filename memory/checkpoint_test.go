package memory_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"familiar/memory"
	"familiar/memory/checkpoint"
	"familiar/memory/entry"
	"familiar/memory/lifecycle"
	"familiar/memory/model"
	"familiar/memory/turns"
)

// conclude has a job conclude something about a person from messages.
func (w *town) conclude(kind model.Kind, a model.Audience, text string, sources ...int64) int64 {
	w.t.Helper()
	done, err := w.Lifecycle.Infer(w.t.Context(), "mira", 0, []lifecycle.Inference{{
		Audience: a, Kind: kind, Sector: model.Reflective, Text: text, Salience: 0.5, Sources: sources, Entities: []string{"harbour"},
	}})
	if err != nil || done.Memories != 1 {
		w.t.Fatalf("conclude %q: %+v, %v", text, done, err)
	}
	return done.IDs[0]
}

// tell has the operator tell something of the world.
func (w *town) tellOfTheWorld(text string) int64 {
	w.t.Helper()
	m, err := w.Entries.Remember(w.t.Context(), entry.NewMemory{
		Persona: "mira", Audience: model.Audience{Kind: model.World}, Origin: model.OriginOperator, Sector: model.Semantic, Text: text, Salience: 0.5,
		Tags: []string{"town"},
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return m.ID
}

func (w *town) grow(version int, state string) {
	w.t.Helper()
	if err := w.Turns.AddGrowth(w.t.Context(), "mira", 0, version-1, []byte(state)); err != nil {
		w.t.Fatal(err)
	}
}

func (w *town) checkpoint(name string, files checkpoint.Files) checkpoint.Checkpoint {
	w.t.Helper()
	w.clock.Advance(time.Minute)
	c, err := w.Checkpoints.Create(w.t.Context(), checkpoint.NewCheckpoint{Persona: "mira", Name: name, Files: files})
	if err != nil {
		w.t.Fatal(err)
	}
	return c
}

func (w *town) restore(name string, files checkpoint.Files) checkpoint.Restored {
	w.t.Helper()
	w.clock.Advance(time.Minute)
	would, err := w.Checkpoints.WouldRestore(w.t.Context(), "mira", name, files)
	if err != nil {
		w.t.Fatal(err)
	}
	done, err := w.Checkpoints.Restore(w.t.Context(), "mira", name, files)
	if err != nil || would != done {
		w.t.Fatalf("restored %+v, %v, would have restored %+v", done, err, would)
	}
	return done
}

// present describes the state of mira in lines that do not depend on ids.
func (w *town) present() (lines []string) {
	w.t.Helper()
	state, err := w.Checkpoints.Present(w.t.Context(), "mira", checkpoint.Files{})
	if err != nil {
		w.t.Fatal(err)
	}
	lines = append(lines, "growth "+strings.TrimSpace(string(state.Growth)))
	for _, m := range state.Moods {
		lines = append(lines, fmt.Sprintf("mood %d %v", m.SessionID, m.Valence))
	}
	for _, p := range state.Practice {
		lines = append(lines, fmt.Sprintf("practice %d %s %d", p.SessionID, p.Skill, p.Successes))
	}
	for _, r := range state.Rules {
		lines = append(lines, "rule "+r.Text)
	}
	for _, m := range state.Memories {
		lines = append(lines, fmt.Sprintf("memory %s %v %v %v %v %v %v %v %v", m.Text, m.Kind, m.Audience, m.Sources, m.About, m.Entities, m.Tags, m.Created, m.Pinned))
	}
	slices.Sort(lines)
	return lines
}

// told returns what is stored, except what a checkpoint is of.
func (w *town) told() string {
	lines := strings.Split(contents(w.t, w), "\n")
	return strings.Join(slices.DeleteFunc(lines, func(line string) bool {
		table, _, _ := strings.Cut(line, " ")
		if table == "memories" {
			return !strings.Contains(line, " said ")
		}
		return slices.Contains([]string{
			"growth", "moods", "practice", "memory_rules", "checkpoints", "checkpoint_items", "checkpoint_sources", "checkpoint_about",
			"memory_sources", "memory_about", "memory_tags", "memory_entities", "scopes", "scope_changes", "sqlite_sequence",
		}, table)
	}), "\n")
}

func (w *town) exec(query string, args ...any) {
	w.t.Helper()
	if _, err := w.db().Exec(query, args...); err != nil {
		w.t.Fatal(err)
	}
}

// TestACheckpointBringsThePersonaBack saves a state, lets the persona live on, restores it, and restores the state before that.
func TestACheckpointBringsThePersonaBack(t *testing.T) {
	w := newTown(t)
	private := w.say("", "ann", "I walk to the harbour.", fact("likes", "harbours"))
	club := w.say("club", "bob", "The harbour is closed.")
	ann, room := w.visibility("", "ann").Room().Audience(), w.visibility("club", "bob").Room().Audience()
	kept := w.conclude(model.Observation, ann, "Ann walks a lot.", private.MessageIDs[0])
	fades := w.conclude(model.Dream, ann, "I dreamt of a quay.", private.MessageIDs[0])
	w.conclude(model.Web, room, "A web page says: harbours close in winter.", club.MessageIDs[0])
	w.conclude(model.Web, model.Audience{Kind: model.World}, "A web page says: tides come twice a day.")
	w.tellOfTheWorld("The harbour was built in 1802.")
	w.grow(1, `{"traits":{"warm":0.05}}`)
	w.exec(`INSERT INTO moods (persona, session_id, at, valence, energy) VALUES ('mira', ?, ?, 0.5, 0.5)`, private.SessionID, w.clock.Now().UnixMilli())
	w.exec(`INSERT INTO memory_rules (persona, rule, created_at) VALUES ('mira', 'keep any when tag = town', 1)`)
	before := w.present()
	if c := w.checkpoint("first", checkpoint.Files{Card: "name: Mira"}); c.Copied != 5 || c.Kept != 5 || c.Automatic {
		t.Errorf("made %+v", c)
	}

	later := w.say("", "ann", "The harbour is my life.", fact("loves", "the harbour"))
	newer, err := w.Entries.Remember(t.Context(), entry.NewMemory{
		Persona: "mira", Audience: ann, Origin: model.OriginJob, Sector: model.Reflective, Kind: model.Observation, Text: "Ann lives for the harbour.",
		Salience: 0.5, Sources: later.MessageIDs[:1], Supersedes: kept,
	})
	if err != nil {
		t.Fatal(err)
	}
	w.conclude(model.Lesson, ann, "Ask about the harbour.", later.MessageIDs[0])
	w.tellOfTheWorld("The harbour burnt down.")
	for _, kind := range []model.Kind{model.Dream, model.Web} {
		if _, err := w.Turns.TrimInferences(t.Context(), "mira", kind, 0); err != nil {
			t.Fatal(err)
		}
	}
	w.grow(2, `{"traits":{"warm":0.1}}`)
	w.exec(`INSERT INTO practice (persona, skill, session_id, at, successes, failures) VALUES ('mira', 'listening', ?, ?, 1, 0)`, later.SessionID, w.clock.Now().UnixMilli())
	w.exec(`DELETE FROM memory_rules`)
	after, told := w.present(), w.told()
	if slices.Equal(before, after) {
		t.Fatal("nothing has changed")
	}

	done := w.restore("first", checkpoint.Files{Card: "name: Mia"})
	if got := w.present(); !slices.Equal(got, before) {
		t.Errorf("restored\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(before, "\n"))
	}
	if want := (checkpoint.Restored{Name: "first", Before: done.Before, Brought: 3, Removed: 3, Growth: 3, Sessions: 1, Rules: 1, Files: true}); done != want || done.Before == "" {
		t.Errorf("restored %+v, want %+v", done, want)
	}
	if got := w.told(); got != told {
		t.Errorf("what people said has changed:\n%s\nwas\n%s", got, told)
	}
	for _, id := range []int64{newer.ID, fades} {
		if _, err := w.Entries.Memory(t.Context(), id); !errors.Is(err, memory.ErrNotFound) {
			t.Errorf("memory %d: %v", id, err)
		}
	}
	if m, err := w.Entries.Memory(t.Context(), kept); err != nil || m.SupersededBy != 0 {
		t.Errorf("the observation before is %+v, %v", m, err)
	}
	if found := w.recallIn(w.visibility("", "ann"), "Does Ann walk a lot?", 0); len(found.Hits) == 0 {
		t.Error("nothing is recalled")
	}

	name, files, err := w.Checkpoints.FilesDue(t.Context(), "mira")
	if err != nil || name != "first" || files.Card != "name: Mira" {
		t.Errorf("due are %q %+v, %v", name, files, err)
	}
	if _, err := w.Checkpoints.Restore(t.Context(), "mira", "first", files); !errors.Is(err, checkpoint.ErrFilesDue) {
		t.Errorf("restored while files are due: %v", err)
	}
	if err := w.Checkpoints.Drop(t.Context(), "mira", "first"); !errors.Is(err, checkpoint.ErrFilesDue) {
		t.Errorf("dropped while files are due: %v", err)
	}
	if err := w.Checkpoints.FilesWritten(t.Context(), "mira"); err != nil {
		t.Fatal(err)
	}
	if again := w.restore("first", files); again.Changes() || again.Before != "" {
		t.Errorf("restored once more: %+v", again)
	}

	w.restore(done.Before, checkpoint.Files{Card: "name: Mia"})
	if got := w.present(); !slices.Equal(got, after) {
		t.Errorf("taken back\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(after, "\n"))
	}
	w.restore("first", checkpoint.Files{Card: "name: Mira"})
	if got := w.present(); !slices.Equal(got, before) {
		t.Errorf("restored again\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(before, "\n"))
	}
	if got := w.told(); got != told {
		t.Error("what people said has changed")
	}
}

// TestS12ACheckpointKeepsNothingOfAnErasedPerson erases somebody of whom only checkpoints hold a conclusion.
func TestS12ACheckpointKeepsNothingOfAnErasedPerson(t *testing.T) {
	w := newTown(t)
	said := w.say("", "ann", "I keep a canaryraw.")
	shared := w.say("club", "ann", "I keep a canaryraw.")
	other := w.say("club", "bob", "I row.")
	ann, room := w.visibility("", "ann").Room().Audience(), w.visibility("club", "bob").Room().Audience()
	w.conclude(model.Dream, ann, "I dreamt of a canaryone.", said.MessageIDs[0])
	w.conclude(model.Observation, room, "The club has a canarytwo.", shared.MessageIDs[0], other.MessageIDs[0])
	w.conclude(model.Lesson, room, "Ask bob about rowing.", other.MessageIDs[0])
	w.checkpoint("one", checkpoint.Files{})
	w.conclude(model.Lesson, ann, "Ask about the canarythree.", said.MessageIDs[0])
	w.restore("one", checkpoint.Files{})
	for _, kind := range []model.Kind{model.Dream, model.Observation} {
		if _, err := w.Turns.TrimInferences(t.Context(), "mira", kind, 0); err != nil {
			t.Fatal(err)
		}
	}
	w.checkpoint("two", checkpoint.Files{})
	backup := w.copied()
	if !w.onDisk([]byte("canaryone")) || !w.onDisk([]byte("canarythree")) {
		t.Fatal("no checkpoint holds a copy")
	}
	w.erasePerson("ann")
	for _, erased := range []*town{w, backup} {
		if erased == backup {
			if _, err := backup.Eraser.ApplyErasures(t.Context(), w.erasures()); err != nil {
				t.Fatal(err)
			}
		}
		if err := erased.Eraser.SecureDelete(t.Context()); err != nil {
			t.Fatal(err)
		}
		if erased.onDisk([]byte("canary")) {
			t.Errorf("a canary is left in %s", erased.Path())
		}
		done := erased.restore("one", checkpoint.Files{})
		if done.LeftOut != 2 || done.Brought != 0 || len(erased.present()) != 2 {
			t.Errorf("restored %+v, which leaves %q", done, erased.present())
		}
	}
}

// TestS12ForgettingReachesCheckpoints forgets messages and conclusions of which checkpoints hold copies.
func TestS12ForgettingReachesCheckpoints(t *testing.T) {
	for name, forget := range map[string]func(w *town, said turns.TurnResult, dream int64) error{
		"a message": func(w *town, _ turns.TurnResult, _ int64) error {
			_, err := w.Eraser.Forget(t.Context(), w.memoryOf("I keep a canaryraw.").ID)
			return err
		},
		"a conclusion": func(w *town, _ turns.TurnResult, dream int64) error {
			_, err := w.Eraser.Forget(t.Context(), dream)
			return err
		},
		"a conclusion that was brought back": func(w *town, _ turns.TurnResult, _ int64) error {
			if _, err := w.Turns.TrimInferences(t.Context(), "mira", model.Dream, 0); err != nil {
				return err
			}
			w.restore("one", checkpoint.Files{})
			_, err := w.Eraser.Forget(t.Context(), w.memoryOf("I dreamt of a canaryone.").ID)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newTown(t)
			said := w.say("", "ann", "I keep a canaryraw.")
			dream := w.conclude(model.Dream, w.visibility("", "ann").Room().Audience(), "I dreamt of a canaryone.", said.MessageIDs[0])
			w.checkpoint("one", checkpoint.Files{})
			backup := w.copied()
			if err := forget(w, said, dream); err != nil {
				t.Fatal(err)
			}
			if w.onDisk([]byte("canaryone")) {
				t.Error("the checkpoint holds what was forgotten")
			}
			if done := w.restore("one", checkpoint.Files{}); done.LeftOut != 1 || done.Changes() {
				t.Errorf("restored %+v", done)
			}
			if _, err := backup.Eraser.ApplyErasures(t.Context(), w.erasures()); err != nil {
				t.Fatal(err)
			}
			if backup.onDisk([]byte("canaryone")) {
				t.Error("a backup's checkpoint holds what was forgotten")
			}
		})
	}
}

func TestCheckpointsAreBounded(t *testing.T) {
	w := newTown(t)
	w.checkpoint("one", checkpoint.Files{})
	for i := range 2 * checkpoint.KeptAutomatic {
		w.tellOfTheWorld(fmt.Sprintf("The harbour has %d ships.", i))
		if done := w.restore("one", checkpoint.Files{}); done.Removed != 1 {
			t.Fatalf("restored %+v", done)
		}
	}
	all, err := w.Checkpoints.List(t.Context(), "mira")
	if err != nil || len(all) != 1+checkpoint.KeptAutomatic || !all[1].Automatic {
		t.Errorf("kept %+v, %v", all, err)
	}
	for i := range checkpoint.MaxCheckpoints {
		_, err = w.Checkpoints.Create(t.Context(), checkpoint.NewCheckpoint{Persona: "mira", Name: fmt.Sprint("more-", i)})
	}
	if err == nil || !strings.Contains(err.Error(), "drop one of them") {
		t.Errorf("one too many: %v", err)
	}
}

func TestCheckpointsRefuseBadInput(t *testing.T) {
	w := newTown(t)
	w.checkpoint("one", checkpoint.Files{})
	for _, name := range []string{"", "../one", "a/b", `a\b`, ".hidden", "a b", "a\x00", strings.Repeat("x", 65), "a\nb"} {
		if _, err := w.Checkpoints.Create(t.Context(), checkpoint.NewCheckpoint{Persona: "mira", Name: name}); err == nil {
			t.Errorf("took %q", name)
		}
	}
	if _, err := w.Checkpoints.Create(t.Context(), checkpoint.NewCheckpoint{Persona: "mira", Name: "one"}); !errors.Is(err, checkpoint.ErrExists) {
		t.Errorf("a second one: %v", err)
	}
	if _, err := w.Checkpoints.Restore(t.Context(), "mira", "two", checkpoint.Files{}); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("an unknown one: %v", err)
	}
	if _, err := w.Checkpoints.Restore(t.Context(), "odo", "one", checkpoint.Files{}); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("somebody else's: %v", err)
	}
	w.exec(`UPDATE checkpoints SET format = 99`)
	if _, err := w.Checkpoints.Restore(t.Context(), "mira", "one", checkpoint.Files{}); !errors.Is(err, checkpoint.ErrNewer) {
		t.Errorf("a newer one: %v", err)
	}
	if err := w.Checkpoints.Drop(t.Context(), "mira", "one"); err != nil {
		t.Error(err)
	}
}

// TestEveryKindIsConcludedOrNot requires a decision for every kind of memory, whether checkpoints hold it.
func TestEveryKindIsConcludedOrNot(t *testing.T) {
	standing := []model.Kind{model.Summary, model.Episode, model.Portrait, model.Lore}
	for _, k := range model.Kinds {
		if slices.Contains(standing, k) == slices.Contains(model.Conclusions, k) {
			t.Errorf("%s: add it to model.Conclusions, or here if it stands for what people said or has versions of its own", k)
		}
	}
}
