package imports

import (
	"bytes"
	"testing"
	"unicode/utf8"
)

// fuzzReader reads data as the named format, twice, and compares.
func fuzzReader(f *testing.F, name string, seeds ...string) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var found [2]taken
		for i := range found {
			e := &emitter{sink: &found[i], now: now, fallback: now}
			for _, k := range formats {
				switch {
				case k.name != name:
				case k.rows != nil:
					_ = k.rows(newLineReader(newGuard(bytes.NewReader(data)), "file", e))
				default:
					r := newJSONReader(newGuard(bytes.NewReader(data)), "file", e)
					_ = r.finish(k.json(r))
				}
			}
		}
		if len(found[0].ids) != len(found[1].ids) {
			t.Fatalf("%d messages, then %d", len(found[0].ids), len(found[1].ids))
		}
		seen := map[string]bool{}
		for i, id := range found[0].ids {
			if id != found[1].ids[i] || !utf8.ValidString(found[0].lines[i]) {
				t.Fatalf("message %d: %q, then %q: %q", i, id, found[1].ids[i], found[0].lines[i])
			}
			if found[0].times[i].After(now) || found[0].times[i].Before(earliest) {
				t.Fatalf("message %d is of %v", i, found[0].times[i])
			}
			seen[id] = true
		}
		for _, p := range found[0].Personas {
			if _, _, err := p.File(Key(p.Name)); err != nil {
				t.Fatalf("a persona that makes no file: %v", err)
			}
		}
	})
}

func FuzzChatGPT(f *testing.F) {
	fuzzReader(f, "chatgpt", `[{"id":"c","current_node":"a","mapping":{"a":{"parent":null,"message":{"author":{"role":"user"},"create_time":1700000000,"content":{"content_type":"text","parts":["Hi"]}}}}}]`)
}

func FuzzClaude(f *testing.F) { fuzzReader(f, "claude", claudeSample) }

func FuzzSillyTavern(f *testing.F) {
	fuzzReader(f, "sillytavern", `{"user_name":"A","character_name":"V","create_date":"x"}`+"\n"+`{"name":"V","is_user":false,"mes":"a","send_date":"2024-5-2@10h02m00s120ms","swipes":["a"]}`)
}

func FuzzCharacterAI(f *testing.F) {
	fuzzReader(f, "characterai", `{"info":{"character":{"name":"V"}},"histories":{"histories":[{"external_id":"h","msgs":[{"text":"a","src":{"is_human":true}}]}]}}`,
		`{"turns":[{"turn_key":{"chat_id":"c","turn_id":"t"},"author":{"is_human":true},"candidates":[{"candidate_id":"x","raw_content":"a"}],"primary_candidate_id":"x"}]}`)
}

func FuzzEliza(f *testing.F) {
	fuzzReader(f, "eliza", `{"name":"O","bio":["b"],"style":{"all":["s"]},"messageExamples":[[{"user":"u","content":{"text":"a"}},{"user":"O","content":{"text":"b"}}]],"knowledge":["k",{"path":"p"}]}`)
}

func FuzzLetta(f *testing.F) {
	fuzzReader(f, "letta", `{"agents":[{"name":"S","messages":[{"role":"user","content":"{\"message\":\"m\"}"}]}],"blocks":[{"label":"persona","value":"p"}]}`)
}

func FuzzOpenClaw(f *testing.F) {
	f.Add("- **Name:**\n  _Vela_\n- **Vibe:** dry")
	f.Fuzz(func(t *testing.T, text string) {
		for _, v := range fieldsOf(text) {
			if v.name == "" || v.value == "" {
				t.Fatalf("%+v", v)
			}
		}
	})
}
