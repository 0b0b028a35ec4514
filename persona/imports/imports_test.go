package imports

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"
)

// now is the time of every import in these tests.
var now = time.Date(2026, time.February, 1, 9, 0, 0, 0, time.UTC)

// taken keeps what a reader found.
type taken struct {
	Plan
	lines     []string
	ids       []string
	times     []time.Time
	documents []Document
}

func (k *taken) Conversation(c Conversation) error {
	for _, l := range c.Lines {
		who := "person"
		if l.Own {
			who = "own"
		}
		k.lines = append(k.lines, who+": "+l.Text)
		k.ids = append(k.ids, c.ID+"/"+l.ID)
		k.times = append(k.times, l.At)
	}
	return k.Plan.Conversation(c)
}

func (k *taken) Document(d Document) error {
	k.documents = append(k.documents, d)
	return k.Plan.Document(d)
}

// write puts a file with a fixed time into a new directory.
func write(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	modified := time.Date(2025, time.May, 1, 0, 0, 0, 0, time.UTC)
	if err := os.Chtimes(path, modified, modified); err != nil {
		t.Fatal(err)
	}
	return path
}

func read(t testing.TB, path string) (*taken, string) {
	t.Helper()
	k := &taken{}
	name, err := Read(path, Options{Now: now}, k)
	if err != nil {
		t.Fatal(err)
	}
	return k, name
}

func TestReadersKeepOrderTimesAndWhoSpoke(t *testing.T) {
	for _, c := range []struct {
		file, text, format string
		lines              []string
		first              string
		skipped            map[string]int
	}{
		{
			"gpt.json", `[{"id":"c","title":"x","current_node":"b","mapping":{
			"b":{"parent":"a","message":{"author":{"role":"assistant"},"create_time":1700000060,"content":{"content_type":"multimodal_text","parts":[{"asset_pointer":"file"},"Hi."]}}},
			"b2":{"parent":"a","message":{"author":{"role":"assistant"},"create_time":1700000050,"content":{"content_type":"text","parts":["Ho."]}}},
			"t":{"parent":"a","message":{"author":{"role":"tool"},"content":{"content_type":"text","parts":["x"]}}},
			"a":{"parent":null,"message":{"author":{"role":"user"},"create_time":1700000000.25,"content":{"content_type":"text","parts":["Hello."]}}}}}]`,
			"chatgpt",
			[]string{"person: Hello.", "own: Hi."},
			"2023-11-14T22:13:20.25Z",
			map[string]int{"answers on other branches": 1, "tool calls and their results": 1},
		},
		{
			"one.json", `{"current_node":"gone","mapping":{"a":{"parent":"b","message":{"author":{"role":"user"},"create_time":1700000000,"content":{"parts":["One."]}}},
			"b":{"parent":"a","message":{"author":{"role":"user"},"create_time":1700000001,"content":{"parts":["Two."]}}}},"conversation_id":"c"}`, // a loop
			"chatgpt",
			[]string{"person: One.", "person: Two."},
			"2023-11-14T22:13:20Z", nil,
		},
		{
			"claude.json", `[{"uuid":"u","name":"","chat_messages":[{"uuid":"1","sender":"human","text":"A","created_at":"2025-03-01T10:00:00+01:00","attachments":[{"x":1}]},
			{"uuid":"2","sender":"assistant","text":"B B","content":[{"type":"text","text":"B"},{"type":"tool_use"}],"created_at":null}]},{"uuid":"v","chat_messages":[]}]`,
			"claude",
			[]string{"person: A", "own: B"},
			"2025-03-01T09:00:00Z",
			map[string]int{"attached files": 1},
		},
		{
			"group.jsonl", "\ufeff" + `{"user_name":"unused","character_name":"unused","chat_metadata":{}}` + "\r\n\r\n" +
				`{"name":"Vela","is_user":false,"mes":"Hm.","send_date":"January 5, 2024 9:03pm"}` + "\n" +
				`{"name":"Bram","is_user":false,"mes":"Ha.","send_date":1704488600000}` + "\n" +
				`{"name":"narrator","is_user":false,"is_system":true,"extra":{"type":"narrator"},"mes":"It rains."}` + "\n" +
				`{"name":"Ann","is_user":true,"swipe_id":1,"swipes":["No","Yes"]}`,
			"sillytavern",
			[]string{"own: Hm.", "own: Bram: Ha.", "person: Yes"},
			"2024-01-05T21:03:00Z",
			map[string]int{"system messages": 1, "other swipes": 1},
		},
		{
			"cai.json", `{"chats":[{"chat_id":"a","create_time":"2024-01-01T00:00:00Z","messages":[{"is_human":true,"text":"Hello"},{"is_human":false,"text":"Hi"}]},
			{"turns":[{"turn_key":{"chat_id":"b","turn_id":"2"},"create_time":"2024-01-02T00:00:02Z","author":{"name":"V"},"candidates":[{"raw_content":"Four"}]},
			{"turn_key":{"chat_id":"b","turn_id":"1"},"create_time":"2024-01-02T00:00:01Z","author":{"is_human":true},"candidates":[{"raw_content":"Three"}]}]}],"character":{"name":"Vela"}}`,
			"characterai",
			[]string{"person: Hello", "own: Hi", "person: Three", "own: Four"},
			"2024-01-01T00:00:00Z", nil,
		},
		{
			"words.json", `{"character_name":"V","messages":[{"src":"human","content":"A","timestamp":1700000000},{"author":"V","message":"B"},{"name":"you","text":"C"}]}`,
			"characterai",
			[]string{"person: A", "own: B", "person: C"},
			"2023-11-14T22:13:20Z", nil,
		},
		{
			"agent.af", `{"agent_type":"memgpt_agent","name":"Sam","core_memory":[{"label":"persona","value":"I am Sam."}],"messages":[
			{"role":"user","content":[{"type":"text","text":"{\"type\":\"heartbeat\"}"}]},{"role":"user","text":"Hi","created_at":"2025-01-01T00:00:00"}]}`,
			"letta",
			[]string{"person: Hi"},
			"2025-01-01T00:00:00Z",
			map[string]int{"system messages, thoughts and tool calls": 1},
		},
	} {
		t.Run(c.file, func(t *testing.T) {
			path := write(t, c.file, c.text)
			got, format := read(t, path)
			if format != c.format || !reflect.DeepEqual(got.lines, c.lines) {
				t.Errorf("%s: %q", format, got.lines)
			}
			if first := got.First.Format(time.RFC3339Nano); first != c.first {
				t.Errorf("the first message is of %s, want %s", first, c.first)
			}
			if c.skipped != nil && !reflect.DeepEqual(got.Skipped, c.skipped) {
				t.Errorf("left out: %v", got.Skipped)
			}
			again, _ := read(t, path)
			if !reflect.DeepEqual(got.ids, again.ids) {
				t.Errorf("ids differ: %v, %v", got.ids, again.ids)
			}
		})
	}
}

// TestAbsurdTimesAreReplaced: a file cannot make something of the future, or of before there were chats.
func TestAbsurdTimesAreReplaced(t *testing.T) {
	got, _ := read(t, write(t, "chat.jsonl", `{"name":"A","is_user":true,"mes":"first"}
{"name":"A","is_user":true,"mes":"in time","send_date":1704488600000}
{"name":"A","is_user":true,"mes":"never","send_date":9e14}
{"name":"A","is_user":true,"mes":"too early","send_date":"January 5, 0024 9:03pm"}
{"name":"A","is_user":true,"mes":"not a time","send_date":"soon"}`))
	modified, said := time.Date(2025, time.May, 1, 0, 0, 0, 0, time.UTC), time.UnixMilli(1704488600000).UTC()
	want := []time.Time{modified, said, said.Add(time.Second), said.Add(2 * time.Second), said.Add(3 * time.Second)}
	if !reflect.DeepEqual(got.times, want) || got.Skipped["times that cannot be right"] != 2 {
		t.Errorf("times %v, left out %v", got.times, got.Skipped)
	}
}

func TestADirectoryOfChats(t *testing.T) {
	first := write(t, "one.jsonl", `{"name":"A","is_user":true,"mes":"one","send_date":1704488600000}`)
	dir := filepath.Dir(first)
	for name, text := range map[string]string{
		"sub/two.jsonl": `{"name":"A","is_user":true,"mes":"two","send_date":1704488600000}`, "settings.json": `{"a":1}`, "picture.png": "x",
	} {
		if err := errors.Join(os.MkdirAll(filepath.Join(dir, "sub"), 0o700), os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	got, format := read(t, dir)
	if format != "sillytavern" || got.Messages != 2 || got.Conversations != 2 || got.Skipped["other files"] != 2 {
		t.Errorf("%s: %+v", format, got.Plan)
	}
}

func TestALongChatComesInParts(t *testing.T) {
	var text strings.Builder
	for i := range 3 * chunkLines {
		fmt.Fprintf(&text, `{"name":"A","is_user":true,"mes":"same words","send_date":%d}`+"\n", 1704488600000+i%2)
	}
	got, _ := read(t, write(t, "chat.jsonl", text.String()))
	seen := map[string]bool{}
	for _, id := range got.ids {
		seen[id] = true
	}
	if got.Messages != 3*chunkLines || len(seen) != got.Messages || got.Conversations != 1 {
		t.Errorf("%d messages, %d ids, %d conversations", got.Messages, len(seen), got.Conversations)
	}
}

// zipped writes an archive. An entry without a text is a link.
func zipped(t testing.TB, entries ...[2]string) string {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, e := range entries {
		f, err := w.Create(e[0])
		if err == nil {
			_, err = io.WriteString(f, e[1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return write(t, "export.zip", out.String())
}

const claudeSample = `[{"uuid":"u","chat_messages":[{"uuid":"1","sender":"human","text":"A","created_at":"2025-03-01T10:00:00Z"}]}]`

func TestArchives(t *testing.T) {
	many := [][2]string{{"conversations.json", claudeSample}}
	for i := range 10_000 {
		many = append(many, [2]string{fmt.Sprintf("files/%d.png", i), "x"})
	}
	for name, path := range map[string]string{
		"at the top":     zipped(t, [2]string{"conversations.json", claudeSample}, [2]string{"users.json", "[]"}),
		"in a directory": zipped(t, [2]string{"export/conversations-001.json", claudeSample}),
		"10k entries":    zipped(t, many...),
		"a workspace":    zipped(t, [2]string{"SOUL.md", "You are a fox."}, [2]string{"memory/2025-01-01.md", "It rained."}),
	} {
		begun := time.Now()
		got, format := read(t, path)
		if name == "a workspace" && (format != "openclaw" || len(got.Personas) != 1 || len(got.documents) != 1) || name != "a workspace" && got.Messages != 1 {
			t.Errorf("%s: %s, %+v", name, format, got.Plan)
		}
		if took := time.Since(begun); took > 10*time.Second {
			t.Errorf("%s took %v", name, took)
		}
	}
}

// endless is an endless stream of one byte.
type endless byte

func (e endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(e)
	}
	return len(p), nil
}

// TestS10BombsAreRejected guards S10: what is no export costs little memory and names the place.
func TestS10BombsAreRejected(t *testing.T) {
	repeated := func(head, part string, n int, tail string) string { return head + strings.Repeat(part, n) + tail }
	big := filepath.Join(t.TempDir(), "big.json")
	f, err := os.Create(big)
	if err == nil {
		_, err = io.Copy(f, io.MultiReader(strings.NewReader(`[{"chat_messages":[{"text":"`), io.LimitReader(endless('a'), 1<<28)))
		err = errors.Join(err, f.Truncate(1<<30)) // a hole: the rest is never read
	}
	if err = errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, path, says string }{
		{"a packed gigabyte", zipped(t, [2]string{"conversations.json", repeated("", " ", 64<<20, "[]")}), "unpacks to"},
		{"an entry outside", zipped(t, [2]string{"../conversations.json", claudeSample}), "leads outside"},
		{"an absolute entry", zipped(t, [2]string{"/etc/conversations.json", claudeSample}), "leads outside"},
		{"a damaged archive", write(t, "x.zip", "PK\x03\x04 and nothing else"), "damaged zip archive"},
		{"deep lists", write(t, "deep.json", repeated(`[{"x":`, "[", 10_000, "")), "nested more than"},
		{"deep objects", write(t, "deep.json", repeated(`{"some":`, `{"a":`, 10_000, "")), "nested more than"},
		{"deep in a message", write(t, "deep.json", repeated(`[{"chat_messages":[{"x":`, "[", 20_000, "")), "near byte"},
		{"deep conversations", write(t, "deep.json", repeated(`{"histories":`, `{"histories":`, 10_000, "")), "nested more than"},
		{"an endless value", big, "longer than"},
		{"an endless line", write(t, "line.jsonl", repeated(`{"chat_metadata":{}}`+"\n"+`{"mes":"`, "a", 5<<20, "")), "line 2: a single value is longer than"},
		{"truncated", write(t, "cut.json", claudeSample[:len(claudeSample)-30]), "truncated"},
		{"truncated line", write(t, "cut.jsonl", `{"mes":"a","is_user":true}`+"\n"+`{"mes":"b`), "line 2"},
		{"UTF-16", write(t, "wide.json", "\xff\xfe[\x00]\x00"), "UTF-16"},
		{"Latin-1", write(t, "latin.json", `[{"uuid":"u","chat_messages":[{"text":"caf`+"\xe9"+`"}]}]`), "byte 43 is not UTF-8"},
		{"zeros", write(t, "zero.json", `{"mapping":`+"\x00"), "is not UTF-8 text"},
		{"empty", write(t, "empty.json", ""), "empty"},
		{"two values", write(t, "two.json", claudeSample+claudeSample), "follows the end"},
		{"nothing in it", write(t, "none.json", `[{"uuid":"u","chat_messages":[]}]`), "nothing in it"},
		{"a picture", write(t, "card.png", "\x89PNG\r\n\x1a\n"), "familiar persona import"},
		{"wrong kinds", write(t, "kinds.json", `[{"uuid":"u","chat_messages":{"a":1}}]`), "chat_messages is not a list"},
		{"many values before any sign", write(t, "many.json", repeated(`{"name":"x","tags":[`, "1,", 5_000_000, "1]}")), "not known"},
		{"a list of numbers", write(t, "numbers.json", `[1,2]`), "not known"},
		{"two formats", filepath.Dir(write(t, "a.json", claudeSample)), ""},
		{"a missing file", filepath.Join(t.TempDir(), "none"), "no such file"},
		{"an empty directory", t.TempDir(), "no conversations.json"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			k := &taken{}
			_, err := Read(c.path, Options{Now: now}, k)
			runtime.ReadMemStats(&after)
			if c.says == "" {
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("error %v, want one with %q", err, c.says)
			}
			if used := after.TotalAlloc - before.TotalAlloc; used > 96<<20 {
				t.Errorf("it allocated %d MiB", used>>20)
			}
		})
	}
}

func TestLinksInADirectoryAreNotFollowed(t *testing.T) {
	secret := write(t, "secret.md", "the secret")
	dir := filepath.Dir(write(t, "SOUL.md", "You are a fox."))
	if err := os.Symlink(secret, filepath.Join(dir, "MEMORY.md")); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(dir, Options{Now: now}, &taken{}); err == nil || !strings.Contains(err.Error(), "MEMORY.md") {
		t.Errorf("a link out of the directory: %v", err)
	}
}

func TestPersonaFiles(t *testing.T) {
	for _, p := range []Persona{
		{Name: "Vela"},
		{Name: "  Vela\n\"the\" fox: ", Description: "- a: b\n\n#c\t\x07\r\n{{user}} 'x' \"y\"", Voice: "Short.\nDry."},
		{Name: strings.Repeat("é", 200), Description: strings.Repeat("Long words. ", 2000)},
		{Name: "Ω", Description: strings.Repeat("x", 9000), Examples: []Example{{"a", ""}, {"How?", "So."}}},
	} {
		text, rest, err := p.File(Key(p.Name))
		if err != nil {
			t.Errorf("%.20q: %v", p.Name, err)
		}
		if want := len(p.Description) > 2*maxProse; (rest != "") != want {
			t.Errorf("%.20q: the rest is %d bytes of %d\n%.200s", p.Name, len(rest), len(p.Description), text)
		}
	}
	for name, want := range map[string]string{"Orla Finch": "orla-finch", "Ω": "persona", "--A!!b--": "a-b", strings.Repeat("ab ", 40): "ab-ab-ab-ab-ab-ab-ab-ab-ab-ab-ab-ab-ab-a"} {
		if got := Key(name); got != want {
			t.Errorf("the key of %q is %q", name, got)
		}
	}
}
