package transcript

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"familiar/channels"
)

const sampleFile = `{
 "sample_id": "garden-1",
 "conversation": {
  "speaker_a": "Ann", "speaker_b": "Bo",
  "session_2_date_time": "12:05 am on 1 March, 2024",
  "session_2": [{"speaker": "Bo", "dia_id": "D2:1", "text": "The peas are up", "blip_caption": "a row of peas"}],
  "session_1_date_time": "3:30 pm on 29 February, 2024",
  "session_1": [
   {"speaker": " Ann ", "dia_id": "D1:1", "text": "I sowed peas"},
   {"speaker": "Bo", "dia_id": "D1:2", "text": "Where?"}
  ],
  "session_10": [],
  "session_3_date_time": "1:00 pm on 2 March, 2024"
 },
 "qa": [
  {"question": "What did Ann sow?", "category": 4, "evidence": ["D1:1"], "answer": 5},
  {"question": "Who saw peas?", "category": 1, "evidence": ["D1:01; D2:1", "D:1:2", "D", "D9:9", "D1:1"]}
 ]
}`

func TestLoCoMo(t *testing.T) {
	all, err := LoCoMo("file", strings.NewReader(sampleFile))
	if err != nil || len(all) != 1 {
		t.Fatalf("%d transcripts, %v", len(all), err)
	}
	got := all[0]
	ann := channels.Author{Handle: channels.Handle{Channel: "console", ID: "ann"}, Name: "Ann"}
	bo := channels.Author{Handle: channels.Handle{Channel: "console", ID: "bo"}, Name: "Bo"}
	in := channels.Room{Channel: "console", ID: "transcript/garden-1"}
	began := time.Date(2024, 2, 29, 15, 30, 0, 0, time.UTC)
	want := Transcript{
		Name: "garden-1",
		Messages: []channels.Message{
			{ID: "D1:1", Room: in, RoomTitle: "garden-1", Author: ann, Text: "I sowed peas", At: began},
			{ID: "D1:2", Room: in, RoomTitle: "garden-1", Author: bo, Text: "Where?", At: began.Add(time.Second)},
			{
				ID: "D2:1", Room: in, RoomTitle: "garden-1", Author: bo, Text: "The peas are up",
				At:          time.Date(2024, 3, 1, 0, 5, 0, 0, time.UTC),
				Attachments: []channels.Attachment{{Kind: "image", Caption: "a row of peas"}},
			},
		},
		Questions: []Question{
			{Text: "What did Ann sow?", Answer: "5", Category: 4, Evidence: []string{"D1:1"}},
			{Text: "Who saw peas?", Category: 1, Evidence: []string{"D1:1", "D2:1", "D1:2"}},
		},
		Dropped: 2,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestLoCoMoWithAPersona(t *testing.T) {
	file := func(persona string) string {
		return strings.Replace(sampleFile, `"sample_id"`, `"persona": "`+persona+`", "sample_id"`, 1)
	}
	all, err := LoCoMo("file", strings.NewReader(strings.Replace(file("Bo"), `"category": 4`, `"category": 4, "kind": "single"`, 1)))
	if err != nil {
		t.Fatal(err)
	}
	got := all[0]
	if got.Persona != speaker("Bo") || got.Asker != speaker("Ann") || got.Questions[0].Kind != "single" || got.Questions[1].Kind != "" {
		t.Errorf("persona %+v, asker %+v, questions %+v", got.Persona, got.Asker, got.Questions)
	}
	for persona, want := range map[string]string{"Cleo": "both talk with the persona Cleo", "": ""} {
		_, err := LoCoMo("file", strings.NewReader(file(persona)))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("persona %q: %v", persona, err)
		}
	}
	alone := `{"persona": "Cleo", "conversation": {"session_1_date_time": "1:00 pm on 2 March, 2024",
		"session_1": [{"speaker": "Ann", "dia_id": "D1:1", "text": "Hello?"}]}}`
	if _, err := LoCoMo("file", strings.NewReader(alone)); err == nil || !strings.Contains(err.Error(), "one of two speakers") {
		t.Errorf("a persona that says nothing: %v", err)
	}
}

func TestLoCoMoRefuses(t *testing.T) {
	for _, c := range []struct{ name, file, want string }{
		{"broken JSON", "{\n\"conversation\": [}", "line 2"},
		{"wrong shape", `{"conversation": 3}`, "line 1"},
		{"empty list", ` [] `, "the list is empty"},
		{"wrong in a list", `[{"conversation": 3}]`, "conversation 1: line 1 is not LoCoMo JSON: conversation: found a JSON number"},
		{"no conversation", `{"sample_id": "x"}`, `no "conversation"`},
		{"nobody speaks", `{"conversation": {}}`, "no messages: expected"},
		{"no moment", `{"conversation": {"session_1": [{"speaker":"A","dia_id":"1","text":"x"}]}}`, "session_1_date_time"},
		{
			"bad moment", `{"conversation": {"session_1_date_time": "8 May", "session_1": [{"speaker":"A","dia_id":"1","text":"x"}]}}`,
			"8 May, 2023",
		},
		{
			"no speaker", `{"conversation": {"session_1_date_time": "1:00 pm on 8 May, 2023", "session_1": [{"dia_id":"1"}]}}`,
			"session_1, turn 1: it has no speaker",
		},
		{
			"id twice", `{"conversation": {"session_1_date_time": "1:00 pm on 8 May, 2023",
			"session_1": [{"speaker":"A","dia_id":"1"},{"speaker":"A","dia_id":"1"}]}}`,
			"turn 2",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := LoCoMo("x", strings.NewReader(c.file))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
}

func TestLoCoMoReadsAListOfConversations(t *testing.T) {
	nameless := strings.Replace(sampleFile, `"sample_id": "garden-1",`, "", 1)
	got, err := LoCoMo("locomo10", strings.NewReader("\n["+sampleFile+","+nameless+"]"))
	if err != nil || len(got) != 2 || got[0].Name != "garden-1" || got[1].Name != "locomo10-2" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestLoCoMoErrorsNameNoGoType(t *testing.T) {
	for _, file := range []string{`"x"`, `[3]`, `{"sample_id": {}}`, `{"conversation": {"session_1": 3}}`, `{"conversation": {"session_1_date_time": 3, "session_1": [{}]}}`} {
		if _, err := LoCoMo("x", strings.NewReader(file)); err == nil || strings.Contains(err.Error(), "Go ") || strings.Contains(err.Error(), "transcript.") {
			t.Errorf("%s: error %v", file, err)
		}
	}
}

func TestLines(t *testing.T) {
	long := strings.Repeat("word ", 100_000)
	got, err := Lines("diary", strings.NewReader(`{"from":"Ann","text":"hello","at":"2026-01-05T09:00:00Z"}

{"from":"Ann","text":"hello","at":"2026-01-05T09:00:00Z"}
{"room":"den","from":"Bo","text":"hi","at":"2026-01-05T10:00:00+01:00","id":"7","direct":true}
{"from":"Bo","text":"`+long+`","at":"2026-01-05T11:00:00Z"}`))
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Messages) != 4 || got.Messages[3].Text != long {
		t.Fatalf("got %d messages, want 4 with the long one last", len(got.Messages))
	}
	first, again, direct := got.Messages[0], got.Messages[1], got.Messages[2]
	if first.ID == again.ID {
		t.Error("the same words twice must be two messages")
	}
	if first.Room.ID != "transcript/diary" || first.RoomTitle != "diary" || first.Direct {
		t.Errorf("a line without a room stands in %+v, %q", first.Room, first.RoomTitle)
	}
	if direct.ID != "7" || direct.Room.ID != "transcript/den" || !direct.Direct || direct.Author.Handle.ID != "bo" {
		t.Errorf("got %+v", direct)
	}
}

func TestLinesReadTwiceHaveTheSameIDs(t *testing.T) {
	const file = `{"from":"Ann","text":"a","at":"2026-01-05T09:00:00Z"}` + "\n" + `{"from":"Ann","text":"a","at":"2026-01-05T09:00:00Z"}`
	one, err := Lines("x", strings.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	two, err := Lines("x", strings.NewReader(file+"\n"))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(one, two) {
		t.Errorf("%+v\n%+v", one, two)
	}
}

func TestLinesRefuses(t *testing.T) {
	const good = `{"from":"Ann","text":"a","at":"2026-01-05T09:00:00Z","id":"1","direct":true}` + "\n"
	for _, c := range []struct{ name, file, want string }{
		{"empty", "\n \n", "no messages: expected"},
		{"broken", good + "{", "line 2"},
		{"unknown field", `{"form":"Ann"}`, "line 1"},
		{"two objects", `{"from":"A","text":"a","at":"2026-01-05T09:00:00Z"} {}`, "one per line"},
		{"bad date", `{"from":"A","text":"a","at":"yesterday"}`, "2026-01-05T09:00:00Z"},
		{"no author", `{"from":" ","text":"a","at":"2026-01-05T09:00:00Z"}`, `"from" is missing`},
		{"no text", `{"from":"A","text":" ","at":"2026-01-05T09:00:00Z"}`, `"text" is missing`},
		{"id twice", good + good, "used in line 1"},
		{"two in a direct room", good + `{"from":"Bo","text":"a","at":"2026-01-05T09:00:00Z","direct":true}`, "line 2: Bo speaks"},
		{"direct after all", `{"from":"Ann","text":"a","at":"2026-01-05T09:00:00Z"}` + "\n" + good, "line 2: the room was a group"},
		{"a group after all", good + `{"from":"Bo","text":"a","at":"2026-01-05T09:00:00Z"}`, "line 2: Bo speaks"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Lines("x", strings.NewReader(c.file))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
}

func TestReadChoosesTheFormatByName(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	got, err := Read(write("talk.jsonl", `{"from":"Ann","text":"a","at":"2026-01-05T09:00:00Z"}`))
	if err != nil || len(got) != 1 || got[0].Name != "talk" {
		t.Errorf("lines: %+v, %v", got, err)
	}
	if got, err = Read(write("sample.json", sampleFile)); err != nil || len(got) != 1 || got[0].Name != "garden-1" {
		t.Errorf("LoCoMo: %+v, %v", got, err)
	}
	bad := write("bad.json", "{")
	if _, err := Read(bad); err == nil || !strings.Contains(err.Error(), bad) {
		t.Errorf("the error %v does not name the file", err)
	}
}

// checkWhole checks the invariants of an accepted transcript.
func checkWhole(t *testing.T, got Transcript) {
	t.Helper()
	ids := map[string]bool{}
	for _, m := range got.Messages {
		if m.ID == "" || m.Author.Handle.ID == "" || m.Room.ID == "" || m.At.IsZero() && m.At.Year() != 1 {
			t.Fatalf("incomplete message %+v", m)
		}
		if ids[m.Room.ID+"\x00"+m.ID] {
			t.Fatalf("id %q twice", m.ID)
		}
		ids[m.Room.ID+"\x00"+m.ID] = true
	}
	for _, q := range got.Questions {
		for _, e := range q.Evidence {
			if !ids["transcript/"+got.Name+"\x00"+e] {
				t.Fatalf("evidence %q names no message", e)
			}
		}
	}
}

func FuzzLoCoMo(f *testing.F) {
	f.Add(sampleFile)
	f.Add(`{"conversation":{"session_1":[]}}`)
	f.Fuzz(func(t *testing.T, file string) {
		if got, err := LoCoMo("x", strings.NewReader(file)); err == nil {
			for _, talk := range got {
				checkWhole(t, talk)
			}
		}
	})
}

func FuzzLines(f *testing.F) {
	f.Add(`{"from":"Ann","text":"a","at":"2026-01-05T09:00:00Z"}`)
	f.Add("{\"from\":\"A\",\"text\":\"\\u0000\",\"at\":\"2026-01-05T09:00:00Z\",\"id\":\"1\"}\r\n{}")
	f.Fuzz(func(t *testing.T, file string) {
		if got, err := Lines("x", strings.NewReader(file)); err == nil {
			checkWhole(t, got)
		}
	})
}
