package memory_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"familiar/memory"
	"familiar/memory/belief"
	"familiar/memory/entry"
	"familiar/memory/memorytest"
	"familiar/memory/model"
	"familiar/memory/recall"
	"familiar/memory/transfer"
)

// newVariedStore is a store with some of everything: talk, forgotten messages, operator's memories with newer versions,
// greetings and relationships.
func newVariedStore(t *testing.T, seed uint64) *talk {
	k := newTalk(t, seed, 60)
	for i := range 8 {
		k.tell(i)
		k.meetAgain(i)
	}
	for range 3 {
		if n := len(k.said); n > 0 {
			_, err := k.Eraser.Forget(t.Context(), k.said[k.r.IntN(n)].memory)
			if err != nil && !errors.Is(err, memory.ErrNotFound) {
				t.Fatal(err)
			}
		}
	}
	return k
}

// tell has the operator write something, or replace what was written before.
func (k *talk) tell(i int) {
	k.t.Helper()
	told := entry.NewMemory{
		Persona: "mira", Audience: model.Audience{Kind: model.World}, Origin: model.OriginOperator, Sector: model.Semantic,
		Text: fmt.Sprintf("Lore <%d> — “ü” \u2028 & more\x00.", i), Salience: k.r.Float64(), Pinned: k.r.IntN(2) == 0, Entities: []string{"Lore"},
		EventFrom: time.UnixMilli(k.r.Int64N(1 << 47)),
	}
	before, err := k.Entries.ListMemories(k.t.Context(), entry.MemoryFilter{Text: "Lore"})
	if err != nil {
		k.t.Fatal(err)
	}
	if len(before) > 0 && before[0].SupersededBy == 0 && k.r.IntN(2) == 0 {
		told.Supersedes = before[0].ID
	}
	if _, err := k.Entries.Remember(k.t.Context(), told); err != nil {
		k.t.Fatal(err)
	}
}

// meetAgain is a turn that greets somebody with a memory and changes the relationship.
func (k *talk) meetAgain(i int) {
	k.t.Helper()
	who := []string{"ann", "bob", "cleo"}[k.r.IntN(3)]
	turn := k.turn("mira", k.message("", who, fmt.Sprintf("hello again %d", i)))
	turn.Asker = turn.Heard[0].PersonID
	turn.Greeted = []string{fmt.Sprintf("memory:%d", 1+k.r.IntN(30)), "weather"}
	turn.Relate = map[int64]func(model.Relationship) model.Relationship{
		turn.Asker: func(r model.Relationship) model.Relationship {
			r.FirstMet, r.LastSeen, r.Messages, r.Trust = k.clock.Now(), k.clock.Now(), r.Messages+1, k.r.Float64()
			return r
		},
	}
	k.record(turn)
}

func exported(t testing.TB, s *memory.Store, o transfer.ExportOptions) string {
	t.Helper()
	var b bytes.Buffer
	if _, err := s.Transfer.Export(t.Context(), &b, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func imported(t testing.TB, s *memory.Store, text string) transfer.Counts {
	t.Helper()
	added, err := s.Transfer.Import(t.Context(), "talk.jsonl", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return added
}

func TestExportOfAnImportIsTheSame(t *testing.T) {
	t.Parallel()
	for seed := range uint64(5) {
		from := newVariedStore(t, seed)
		want := exported(t, from.Store, transfer.ExportOptions{})
		to := memorytest.Open(t)
		imported(t, to, want)
		if got := exported(t, to, transfer.ExportOptions{}); got != want {
			t.Fatalf("seed %d: %s", seed, difference(want, got))
		}
		if added := imported(t, to, want); len(added.Kinds()) > 0 {
			t.Errorf("seed %d: importing it again added %v", seed, added)
		}
		if got := exported(t, to, transfer.ExportOptions{}); got != want {
			t.Fatalf("seed %d: importing it again: %s", seed, difference(want, got))
		}
		if added := imported(t, from.Store, want); len(added.Kinds()) > 0 {
			t.Errorf("seed %d: importing it where it is from added %v", seed, added)
		}
		if got := exported(t, from.Store, transfer.ExportOptions{}); got != want {
			t.Fatalf("seed %d: importing it where it is from: %s", seed, difference(want, got))
		}
	}
}

// difference returns the first line in which two exports differ.
func difference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(w), len(g)) {
		if w[i] != g[i] {
			return fmt.Sprintf("line %d is\n%s\nwant\n%s", i+1, g[i], w[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(g), len(w))
}

// TestAnImportIsRemembered asks an importing store what the exporting one knows.
func TestAnImportIsRemembered(t *testing.T) {
	w := newTown(t)
	w.say("", "ann", "My boat is called Petrel.", fact("boat_name", "Petrel"))
	w.say("", "ann", "No, my boat is called Puffin.", fact("boat_name", "Puffin"))
	to := &town{Store: memorytest.OpenAt(t, w.clock), t: t, clock: w.clock, n: 100}
	imported(t, to.Store, exported(t, w.Store, transfer.ExportOptions{}))
	for what, s := range map[string]*town{"the first": w, "the second": to} {
		h := s.visibility("", "ann")
		recalled, err := s.Recall.Find(t.Context(), h, recall.Query{Text: "what is the boat called", Now: w.clock.Now()})
		if err != nil || len(recalled.Hits) != 2 {
			t.Errorf("%s recalls %+v, %v", what, recalled.Hits, err)
		}
		beliefs, err := s.Beliefs.Beliefs(t.Context(), h, belief.Filter{})
		if err != nil || len(beliefs) == 0 || beliefs[0].Value != "Puffin" || len(beliefs[0].Evidence) == 0 {
			t.Errorf("%s believes %+v, %v", what, beliefs, err)
		}
	}
	if got, err := to.Eraser.Forget(t.Context(), to.memoryOf("My boat is called Petrel.").ID); err != nil || got.Beliefs != 1 || got.Replies == 0 {
		t.Errorf("forgetting it there took %+v, %v", got, err)
	}
}

// TestAnImportInvalidatesCaches asks a store that has answered before and has its index and beliefs cached.
func TestAnImportInvalidatesCaches(t *testing.T) {
	from, to := newTown(t), newTown(t)
	from.n = 100
	from.say("", "ann", "My boat is called Petrel.", fact("boat_name", "Petrel"))
	from.say("club", "ann", "The club has a boat, too.")
	to.say("", "ann", "I like the sea.")
	ask := func() (hits, beliefs int) {
		t.Helper()
		h := to.visibility("", "ann")
		recalled, err := to.Recall.Find(t.Context(), h, recall.Query{Text: "the boat and the sea", Now: to.clock.Now(), Budget: 200})
		if err != nil {
			t.Fatal(err)
		}
		believed, err := to.Beliefs.Beliefs(t.Context(), h, belief.Filter{})
		if err != nil {
			t.Fatal(err)
		}
		return len(recalled.Hits), len(believed)
	}
	if hits, beliefs := ask(); hits != 1 || beliefs != 0 {
		t.Fatalf("before: %d hits, %d beliefs", hits, beliefs)
	}
	imported(t, to.Store, exported(t, from.Store, transfer.ExportOptions{}))
	if hits, beliefs := ask(); hits != 3 || beliefs != 1 {
		t.Errorf("after: %d hits, %d beliefs; want what was private and what the club received", hits, beliefs)
	}
}

// TestAnImportMergesKnownPeople merges two stores that met the same people.
func TestAnImportMergesKnownPeople(t *testing.T) {
	first, second := newVariedStore(t, 1), newTown(t)
	second.clock.Set(first.clock.Now())
	second.n = 1000
	second.say("", "bob", "I moved to Lisbon.")
	second.say("club", "dora", "I am new here.")
	first.clock.Set(second.clock.Now())
	imported(t, second.Store, exported(t, first.Store, transfer.ExportOptions{}))
	people, err := second.Log.People(t.Context())
	if err != nil || len(people) != 4 {
		t.Errorf("together they know %+v, %v", people, err)
	}
	once := exported(t, second.Store, transfer.ExportOptions{})
	if !strings.Contains(once, "I moved to Lisbon.") {
		t.Error("what was here is gone")
	}
	for line := range strings.Lines(exported(t, first.Store, transfer.ExportOptions{})) {
		if external, ok := strings.CutPrefix(line, `{"at":`); ok && strings.Contains(line, `"kind":"message"`) {
			_, external, _ = strings.Cut(external, `"external_id":`)
			external, _, _ = strings.Cut(external, ",")
			if !strings.Contains(once, external) {
				t.Errorf("message %s was not taken over", external)
			}
		}
	}
	if added := imported(t, second.Store, exported(t, first.Store, transfer.ExportOptions{})); len(added.Kinds()) > 0 {
		t.Errorf("importing it again added %v", added)
	}
	if twice := exported(t, second.Store, transfer.ExportOptions{}); twice != once {
		t.Error("importing it again:", difference(once, twice))
	}
}

// TestAnImportRespectsForgetting brings nothing back that was forgotten here.
func TestAnImportRespectsForgetting(t *testing.T) {
	for seed := range uint64(5) {
		k := newTalk(t, 200+seed, 60)
		before := exported(t, k.Store, transfer.ExportOptions{})
		gone := k.said[k.r.IntN(len(k.said))]
		if _, err := k.Eraser.Forget(t.Context(), gone.memory); err != nil {
			t.Fatal(err)
		}
		after := exported(t, k.Store, transfer.ExportOptions{})
		imported(t, k.Store, before)
		now := exported(t, k.Store, transfer.ExportOptions{})
		if strings.Contains(now, gone.canary) {
			t.Errorf("seed %d: what was forgotten is back: %s", seed, rowsWith(now, gone.canary))
		}
		if now != after {
			t.Errorf("seed %d: %s", seed, difference(after, now))
		}
		if strings.Contains(after, gone.canary) {
			t.Errorf("seed %d: what was forgotten was exported: %s", seed, rowsWith(after, gone.canary))
		}
	}
}

// TestAPersonsExportContainsOnlyTheirWords exports one person of a conversation with a unique word per person.
func TestAPersonsExportContainsOnlyTheirWords(t *testing.T) {
	for seed := range uint64(3) {
		k := newTalk(t, 300+seed, 100)
		ann := exported(t, k.Store, transfer.ExportOptions{Person: k.person("ann")})
		told := withoutReplies(ann)
		for _, s := range k.said {
			if mine := s.who == "ann"; mine != strings.Contains(told, s.canary) {
				t.Errorf("seed %d: %s said %s in %q; is it in ann's export: %v", seed, s.who, s.canary, s.place, !mine)
			}
		}
		to := memorytest.Open(t)
		imported(t, to, ann)
		if got := exported(t, to, transfer.ExportOptions{}); got != ann {
			t.Errorf("seed %d: %s", seed, difference(ann, got))
		}
	}
	if _, err := newTown(t).Transfer.Export(t.Context(), new(bytes.Buffer), transfer.ExportOptions{Person: 9}); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("exporting nobody: %v", err)
	}
}

// TestAPersonsExportContainsOperatorNotes has notes about two people and lore, and exports one of them.
func TestAPersonsExportContainsOperatorNotes(t *testing.T) {
	w := newTown(t)
	w.say("", "bob", "hello")
	w.say("", "ann", "hello")
	w.say("club", "bob", "Ann hates zqgossipqz.", of("ann", fact("hates", "zqgossipqz")))
	w.say("club", "ann", "hello all")
	w.operatorTells("ann", "Ann collects zqpostcardsqz.", of("ann", fact("collects", "zqpostcardsqz")))
	w.operatorTells("bob", "Ann and Bob share a zqsecretqz.", of("ann", fact("shares", "zqsecretqz")))
	for text, about := range map[string]string{"Ann won the zqcupqz.": "ann", "Bob lost the zqmatchqz.": "bob"} {
		if _, err := w.Entries.Remember(t.Context(), entry.NewMemory{
			Persona: "mira", Audience: model.Audience{Kind: model.World}, Origin: model.OriginOperator, Sector: model.Semantic, Text: text,
			About: []int64{w.person(about)},
		}); err != nil {
			t.Fatal(err)
		}
	}
	ann := exported(t, w.Store, transfer.ExportOptions{Person: w.person("ann")})
	for word, want := range map[string]bool{
		"zqpostcardsqz": true, "zqcupqz": true, "zqsecretqz": false, "zqmatchqz": false, "zqgossipqz": false, `"name":"bob"`: false,
		`"name":"the operator"`: true, `"relation":"collects"`: true,
	} {
		if strings.Contains(ann, word) != want {
			t.Errorf("%s is in ann's export: %v", word, !want)
		}
	}
	to := memorytest.Open(t)
	imported(t, to, ann)
	if got := exported(t, to, transfer.ExportOptions{}); got != ann {
		t.Errorf("imported: %s", difference(ann, got))
	}
	if bob := exported(t, w.Store, transfer.ExportOptions{Person: w.person("bob")}); strings.Contains(bob, "zqpostcardsqz") {
		t.Error("what was told of ann is in bob's export")
	}
}

// TestMessagesAfterAnImportKeepTheirPerson imports a store in which another person has the id of a person here.
func TestMessagesAfterAnImportKeepTheirPerson(t *testing.T) {
	from, to := newTown(t), newTown(t)
	from.say("", "ann", "hello")
	from.operatorTells("ann", "Ann collects postcards.")
	to.say("", "bob", "hello")
	imported(t, to.Store, exported(t, from.Store, transfer.ExportOptions{}))
	to.clock.Advance(time.Hour)
	to.operatorTells("bob", "Bob keeps zqcanaryqz.")
	to.operatorTells("bob", "Bob keeps bees.")
	if ann := exported(t, to.Store, transfer.ExportOptions{Person: to.person("ann")}); strings.Contains(ann, "zqcanaryqz") {
		t.Errorf("what was told of bob stands with ann:\n%s", rowsWith(ann, "zqcanaryqz"))
	}
	rooms, err := to.Log.Rooms(t.Context())
	if err != nil || len(rooms) != 4 {
		t.Errorf("rooms %+v, %v", rooms, err)
	}
}

// withoutReplies removes the persona's messages to the exported person: in this talk they repeat anybody's words.
func withoutReplies(export string) string {
	var left strings.Builder
	for line := range strings.Lines(export) {
		if !strings.Contains(line, `"kind":"message"`) || strings.Contains(line, `"person":`) {
			left.WriteString(line)
		}
	}
	return left.String()
}

func TestImportRefusesWhatItCannotKeep(t *testing.T) {
	from := newTown(t)
	from.say("", "ann", "I was born in Oslo.", fact("born_in", "Oslo"))
	good := exported(t, from.Store, transfer.ExportOptions{})
	for name, tc := range map[string]struct{ old, new, want string }{
		"empty":                  {good, "", "talk.jsonl: the file is empty"},
		"another format":         {`"format":"familiar-memory"`, `"format":"diary"`, "talk.jsonl:1: the file is not an export"},
		"a newer version":        {`"version":1`, `"version":2`, "talk.jsonl:1: written by a newer familiar (format 2, this one knows 1): upgrade familiar"},
		"no JSON":                {`{"created_at"`, `{"created_at`, "talk.jsonl:2: the line is not a JSON object"},
		"two objects":            {"}\n{\"created_at\"", "}\n{}{\"created_at\"", "talk.jsonl:2: more follows"},
		"an unknown kind":        {`"kind":"person"`, `"kind":"pirate"`, `talk.jsonl:2: unknown kind of record "pirate"`},
		"an unknown field":       {`"timezone"`, `"zone"`, `talk.jsonl:2: person: unknown key "zone"`},
		"an unknown inner field": {`"display"`, `"shown"`, `talk.jsonl:2: person: handles: unknown key "shown"`},
		"a wrong type":           {`"salience":0.5`, `"salience":"0.5"`, `"salience": has the wrong type or format`},
		"a missing field":        {`,"timezone":""`, ``, `talk.jsonl:2: person: "timezone" is missing`},
		"a wrong moment":         {`"created_at":"2026`, `"created_at":"26`, `talk.jsonl:2: person: "created_at": has the wrong type or format`},
		"a lost line":            {`"id":1,"kind":"room"`, `"id":2,"kind":"room"`, "talk.jsonl:3: room: its ID must be 1: a line is missing"},
		"a lost reference":       {`"session":1`, `"session":7`, `"session": session 7 does not precede it`},
		"an unknown audience":    {`"audience":"private"`, `"audience":"everybody"`, "check constraint"},
		"no end":                 {good[strings.LastIndex(good[:len(good)-1], "\n")+1:], "", "the last line is missing"},
		"more after the end":     {good, good + good, "the line follows the end of the export"},
		"a wrong count":          {`"records":`, `"records":1`, "lines are missing"},
	} {
		t.Run(name, func(t *testing.T) {
			bad := strings.Replace(good, tc.old, tc.new, 1)
			if bad == good {
				t.Fatalf("%q is not in the export", tc.old)
			}
			to := memorytest.Open(t)
			_, err := to.Transfer.Import(t.Context(), "talk.jsonl", strings.NewReader(bad))
			if err == nil || !strings.Contains(strings.ToLower(err.Error()), strings.ToLower(tc.want)) {
				t.Errorf("got %v, want %q", err, tc.want)
			}
			if left := exported(t, to, transfer.ExportOptions{}); strings.Count(left, "\n") != 2 {
				t.Errorf("it left\n%s", left)
			}
		})
	}
}

// TestImportRefusesAbsurdNumbers imports numbers and times that no store writes. A number that only just fits is taken.
func TestImportRefusesAbsurdNumbers(t *testing.T) {
	from := newVariedStore(t, 3)
	good := exported(t, from.Store, transfer.ExportOptions{})
	number := func(key, with string) (old, new string) {
		found := regexp.MustCompile(`"` + key + `":(?:"[^"]*"|[-0-9.e]+)`).FindString(good)
		return found, `"` + key + `":` + with
	}
	for _, c := range []struct{ key, with, want string }{
		{"salience", "1e308", `"salience" is 1e+308: take 0 to 1`},
		{"salience", "-0.01", `"salience" is -0.01: take 0 to 1`},
		{"salience", "1e999", `"salience": has the wrong type or format`},
		{"salience", "NaN", "the line is not a JSON object"},
		{"salience", "1", ""},
		{"strength", "1e300", `"strength" is 1e+300`},
		{"trust", "7", `"trust" is 7: take 0 to 1`},
		{"recalls", "-1", `"recalls" is -1: take 0 to`},
		{"uses", "99999999999999999", `"uses" is`},
		{"messages", "-3", `"messages" is -3`},
		{"created_at", `"9998-12-31T00:00:00Z"`, `"created_at" is a time in the year 9998: take 1 to`},
		{"at", "253402300800001", `"at" is a time in the year 10000`},
		{"at", "-99999999999999", `"at" is a time in the year -1199`},
		{"at", `"-001-01-01T00:00:00Z"`, `"at": has the wrong type or format`},
		{"event_from", "253402300800000", `"event_from" is a time in the year 10000: take 1 to 9999`},
		{"event_from", `"1492-10-12T00:00:00Z"`, ""},
	} {
		t.Run(c.key+" "+c.with, func(t *testing.T) {
			old, new := number(c.key, c.with)
			if old == "" {
				t.Fatalf("there is no %s in the export", c.key)
			}
			to := memorytest.Open(t)
			_, err := to.Transfer.Import(t.Context(), "talk.jsonl", strings.NewReader(strings.Replace(good, old, new, 1)))
			if (err == nil) != (c.want == "") || err != nil && (!strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "talk.jsonl:")) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

// TestImportTakesAByteOrderMark imports a file that an editor marked as UTF-8.
func TestImportTakesAByteOrderMark(t *testing.T) {
	good := exported(t, newVariedStore(t, 1).Store, transfer.ExportOptions{})
	to := memorytest.Open(t)
	imported(t, to, "\ufeff"+good)
	if got := exported(t, to, transfer.ExportOptions{}); got != good {
		t.Error(difference(good, got))
	}
}

// TestAnImportNeverChangesWhoHearsARoom refuses to turn a group into a direct room.
func TestAnImportNeverChangesWhoHearsARoom(t *testing.T) {
	from, to := newTown(t), newTown(t)
	from.say("club", "ann", "hello all")
	m := to.message("", "ann", "hello")
	m.Room.ID = "group/club"
	if _, _, err := to.Turns.UpsertParticipant(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	_, err := to.Transfer.Import(t.Context(), "talk.jsonl", strings.NewReader(exported(t, from.Store, transfer.ExportOptions{})))
	if err == nil || !strings.Contains(err.Error(), "talk.jsonl:3: room: ") || !memorytest.Unique(err) {
		t.Errorf("got %v", err)
	}
}

// TestAnImportRefusesOnePersonForTwo leaves it to the operator which person owns the handles.
func TestAnImportRefusesOnePersonForTwo(t *testing.T) {
	from, to := newTown(t), newTown(t)
	from.say("", "ann", "hello")
	to.say("", "ann", "hello")
	to.say("", "ann2", "hello")
	both := strings.Replace(exported(t, from.Store, transfer.ExportOptions{}), `"handles":[`,
		`"handles":[{"channel":"console","display":"ann","first_seen":"2026-01-05T09:00:00.000Z","handle":"ann2","last_seen":"2026-01-05T09:00:00.000Z"},`, 1)
	_, err := to.Transfer.Import(t.Context(), "talk.jsonl", strings.NewReader(both))
	if err == nil || !strings.Contains(err.Error(), "in this store: merge them first") {
		t.Errorf("got %v", err)
	}
}

var update = flag.Bool("update", false, "write the golden export anew")

// TestTheFormatStays compares the export of a short talk with a stored one. An export must stay readable, so a change
// of the format needs a new version of it.
func TestTheFormatStays(t *testing.T) {
	w := newTown(t)
	w.say("", "ann", "I was born in Oslo.", fact("born_in", "Oslo"))
	w.say("club", "bob", "Ann was born in Bergen.", of("ann", fact("born_in", "Bergen")))
	w.say("", "ann", "No, in Bergen.", fact("born_in", "Bergen"))
	got := exported(t, w.Store, transfer.ExportOptions{})
	if *update {
		if err := os.WriteFile("testdata/export.jsonl", []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/export.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Error(difference(string(want), got))
	}
}

// BenchmarkExportAndImport exports 10,000 messages of talk and imports them into an empty store.
func BenchmarkExportAndImport(b *testing.B) {
	w := newTown(b)
	for i := range 10_000 {
		m := w.message("", "ann", fmt.Sprintf("message %d about the sea", i))
		w.record(w.turn("mira", m))
	}
	text := exported(b, w.Store, transfer.ExportOptions{})
	b.Run("export", func(b *testing.B) {
		for b.Loop() {
			if _, err := w.Transfer.Export(b.Context(), new(bytes.Buffer), transfer.ExportOptions{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("import", func(b *testing.B) {
		for b.Loop() {
			to := memorytest.Open(b)
			imported(b, to, text)
		}
	})
	b.Run("import again", func(b *testing.B) {
		for b.Loop() {
			imported(b, w.Store, text)
		}
	})
}

// TestS15AnImportRedactsSecrets imports an export in which people said secrets, as older versions stored them. Importing it
// again adds nothing.
func TestS15AnImportRedactsSecrets(t *testing.T) {
	from := newTown(t)
	from.say("", "ann", "I was born in Oslo.", fact("born_in", "Oslo"))
	text := strings.ReplaceAll(exported(t, from.Store, transfer.ExportOptions{}), "Oslo", "DE89 3704 0044 0532 0130 00")
	to := memorytest.Open(t)
	imported(t, to, text)
	if got := exported(t, to, transfer.ExportOptions{}); strings.Contains(got, "0532") || !strings.Contains(got, "[redacted account number]") {
		t.Errorf("the import keeps the account number:\n%s", got)
	}
	if added := imported(t, to, text); len(added.Kinds()) > 0 {
		t.Errorf("importing it again added %v", added)
	}
}
