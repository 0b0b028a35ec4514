package imports

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"
)

var sessionNow = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

// readSession reads all of text in one go.
func readSession(t testing.TB, text string, o SessionOptions) (lines []Line, p Progress, out Plan) {
	t.Helper()
	if o.Now.IsZero() {
		o.Now = sessionNow
	}
	s, err := NewSession(strings.NewReader(text[o.From.Offset:]), o)
	if err != nil {
		t.Fatal(err)
	}
	p = o.From
	for {
		c, err := s.Next()
		if errors.Is(err, io.EOF) {
			return lines, p, out
		}
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, c.Lines...)
		p = c.Next
		for reason, n := range c.Skipped {
			out.Skip(reason, n)
		}
		if len(c.Lines) > 0 {
			if err := out.Conversation(c.Conversation); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// spoken shows lines as "person: text" and "own: text".
func spoken(lines []Line) (all []string) {
	for _, l := range lines {
		who := "person"
		if l.Own {
			who = "own"
		}
		all = append(all, who+": "+l.Text)
	}
	return all
}

const claudeCodeSession = `{"type":"summary","summary":"Fix the build","leafUuid":"x"}
{"type":"file-history-snapshot","messageId":"m","snapshot":{"trackedFileBackups":{}}}
{"parentUuid":null,"isSidechain":false,"userType":"external","cwd":"/home/ann/garden","sessionId":"s-1","type":"user","message":{"role":"user","content":"My sister Lena visits on Friday. Fix the build."},"uuid":"u1","timestamp":"2026-03-01T10:00:00.000Z"}
{"parentUuid":"u1","isSidechain":false,"cwd":"/home/ann/garden","sessionId":"s-1","type":"assistant","message":{"model":"m","role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"AAAA"},{"type":"text","text":"I look at it."},{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"make"}}]},"uuid":"a1","timestamp":"2026-03-01T10:00:05.000Z"}
{"parentUuid":"a1","isSidechain":false,"cwd":"/home/ann/garden","sessionId":"s-1","type":"user","message":{"role":"user","content":[{"tool_use_id":"t1","type":"tool_result","content":[{"type":"text","text":"error: noise"}]}]},"uuid":"r1","timestamp":"2026-03-01T10:00:06.000Z","toolUseResult":{"stdout":"noise"}}
{"type":"user","isMeta":true,"sessionId":"s-1","message":{"role":"user","content":"Caveat: noise"},"uuid":"x1","timestamp":"2026-03-01T10:00:07.000Z"}
{"type":"user","isSidechain":true,"sessionId":"s-1","message":{"role":"user","content":"helper noise"},"uuid":"x2","timestamp":"2026-03-01T10:00:07.000Z"}
{"type":"user","sessionId":"s-1","message":{"role":"user","content":[{"type":"text","text":"<ide_opened_file>noise</ide_opened_file>"},{"type":"text","text":"Thanks, I prefer tabs.\n<system-reminder>\nnoise\n</system-reminder>"},{"type":"image","source":{"type":"base64","data":"AAAA"}}]},"uuid":"u2","timestamp":"2026-03-01T10:01:00.000Z"}
{"type":"user","sessionId":"s-1","message":{"role":"user","content":"<command-message>review</command-message>\n<command-name>/review</command-name>\n<command-args>the parser</command-args>"},"uuid":"u3","timestamp":"2026-03-01T10:02:00.000Z"}
{"type":"user","sessionId":"s-1","message":{"role":"user","content":[{"type":"text","text":"[Request interrupted by user]"}]},"uuid":"u4","timestamp":"2026-03-01T10:02:01.000Z"}
{"type":"assistant","sessionId":"s-1","message":{"model":"<synthetic>","role":"assistant","content":[{"type":"text","text":"noise"}]},"uuid":"a2","timestamp":"2026-03-01T10:02:01.000Z"}
`

func TestClaudeCodeKeepsWhatWasSaid(t *testing.T) {
	lines, p, out := readSession(t, claudeCodeSession, SessionOptions{Format: "claude-code", Stem: "s-1"})
	want := []string{
		"person: My sister Lena visits on Friday. Fix the build.", "own: I look at it.", "person: Thanks, I prefer tabs.", "person: the parser",
	}
	if got := spoken(lines); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if p.Offset != int64(len(claudeCodeSession)) || p.Conversation != "s-1" || p.Title != "garden" {
		t.Errorf("progress %+v", p)
	}
	if lines[0].ID != "u1" || !lines[0].At.Equal(time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)) {
		t.Errorf("first line %+v", lines[0])
	}
	if out.Skipped["records that are no messages"] != 2 || out.Skipped["tool calls, results and thoughts"] != 1 {
		t.Errorf("skipped %v", out.Skipped)
	}
}

func TestCodexTakesEachMessageOnce(t *testing.T) {
	const file = `{"timestamp":"2026-03-01T09:00:00.000Z","type":"session_meta","payload":{"id":"c-1","cwd":"/w/api","instructions":null}}
{"timestamp":"2026-03-01T09:00:00.001Z","type":"response_item","payload":{"type":"message","role":"developer","content":[{"type":"input_text","text":"noise"}]}}
{"timestamp":"2026-03-01T09:00:00.002Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"# AGENTS.md instructions for /w/api\n\n<INSTRUCTIONS>\nnoise\n</INSTRUCTIONS>"}]}}
{"timestamp":"2026-03-01T09:00:00.003Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>\n  <cwd>/w/api</cwd>\n</environment_context>"}]}}
{"timestamp":"2026-03-01T09:00:01.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"yes"}]}}
{"timestamp":"2026-03-01T09:00:01.001Z","type":"event_msg","payload":{"type":"user_message","message":"yes","kind":"plain"}}
{"timestamp":"2026-03-01T09:00:02.000Z","type":"event_msg","payload":{"type":"token_count","info":null}}
{"timestamp":"2026-03-01T09:00:03.000Z","type":"event_msg","payload":{"type":"agent_message","message":"Done."}}
{"timestamp":"2026-03-01T09:00:03.001Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Done."}]}}
{"timestamp":"2026-03-01T09:00:04.000Z","type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"{}","call_id":"1"}}
{"timestamp":"2026-03-01T09:01:01.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"yes"}]}}
{"timestamp":"2026-03-01T09:01:01.001Z","type":"event_msg","payload":{"type":"user_message","message":"yes","kind":"plain"}}
`
	lines, p, _ := readSession(t, file, SessionOptions{Format: "codex"})
	if got, want := spoken(lines), []string{"person: yes", "own: Done.", "person: yes"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if p.Conversation != "c-1" || p.Title != "api" || lines[0].ID == lines[2].ID {
		t.Errorf("progress %+v, lines %+v", p, lines)
	}
}

func TestCodexReadsOldRollouts(t *testing.T) {
	const file = `{"id":"c-0","timestamp":"2025-06-01T09:00:00.000Z","instructions":"noise"}
{"record_type":"state"}
{"type":"message","role":"user","content":[{"type":"input_text","text":"hello"}]}
{"type":"reasoning","id":"rs_1","summary":[]}
{"type":"message","id":"msg_1","role":"assistant","content":[{"type":"output_text","text":"hi"}]}
`
	lines, p, _ := readSession(t, file, SessionOptions{Format: "codex"})
	if got, want := spoken(lines), []string{"person: hello", "own: hi"}; !slices.Equal(got, want) || p.Conversation != "c-0" {
		t.Errorf("got %q in %q", got, p.Conversation)
	}
}

func TestChatLines(t *testing.T) {
	for name, file := range map[string]string{
		"openai":   `{"messages":[{"role":"system","content":"noise"},{"role":"user","content":"hello"},{"role":"assistant","content":[{"type":"text","text":"hi"}]}]}`,
		"messages": "{\"role\":\"user\",\"content\":\"hello\"}\n{\"role\":\"tool\",\"content\":\"noise\"}\n{\"role\":\"assistant\",\"content\":\"hi\",\"tool_calls\":[]}",
		"generic":  "{\"sender\":\"human\",\"text\":\"hello\",\"time\":\"2026-03-01T09:00:00Z\"}\n\n{\"sender\":\"bot\",\"text\":\"hi\",\"time\":1772355601}",
		"nested":   "{\"message\":{\"role\":\"user\",\"content\":\"hello\"}}\n{\"author\":{\"role\":\"assistant\"},\"content\":\"hi\"}\n{\"event\":1}\n[1]\nnoise",
	} {
		t.Run(name, func(t *testing.T) {
			lines, _, _ := readSession(t, file, SessionOptions{Format: "jsonl", Whole: true})
			if got, want := spoken(lines), []string{"person: hello", "own: hi"}; !slices.Equal(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func TestALogThatRepeatsItsHistoryIsOneConversation(t *testing.T) {
	first := `{"messages":[{"role":"user","content":"hello"},{"role":"assistant","content":"hi"}]}` + "\n"
	second := `{"messages":[{"role":"user","content":"hello"},{"role":"assistant","content":"hi"},{"role":"user","content":"hello"}]}` + "\n"
	lines, _, out := readSession(t, first+second, SessionOptions{Format: "openai"})
	ids := map[string]bool{}
	for _, l := range lines {
		ids[l.ID] = true
	}
	if out.Conversations != 1 || len(lines) != 5 || len(ids) != 3 {
		t.Errorf("%d conversations, %d lines with %d ids", out.Conversations, len(lines), len(ids))
	}
}

const markdownSession = "# My talk\n\n## User\n\nI live in Graz.\n\n```md\n## Assistant\n```\n\n## Assistant (2026-03-01 10:00:00)\nNice.\n\n### Summary\nGood.\n\n**User:** And I like tea.\n\n**System**: noise\n\n## Assistant\nNoted"

func TestMarkdown(t *testing.T) {
	lines, p, _ := readSession(t, markdownSession, SessionOptions{Format: "markdown", Whole: true})
	want := []string{
		"person: I live in Graz.\n\n```md\n## Assistant\n```", "own: Nice.\n\n### Summary\nGood.", "person: And I like tea.", "own: Noted",
	}
	if got := spoken(lines); !slices.Equal(got, want) {
		t.Fatalf("got %q, want %q", got, want)
	}
	grown := markdownSession + ".\n\nOne more thing.\n"
	lines, _, _ = readSession(t, grown, SessionOptions{Format: "markdown", From: p, Whole: true})
	if got, want := spoken(lines), []string{"own: .\n\nOne more thing."}; !slices.Equal(got, want) {
		t.Errorf("what was added: %q, want %q", got, want)
	}
}

// TestSessionsGrowAnywhere reads files that grow by any number of bytes: nothing is lost, nothing comes twice.
func TestSessionsGrowAnywhere(t *testing.T) {
	files := map[string]string{
		"claude-code": claudeCodeSession, "markdown": strings.ReplaceAll(markdownSession, "tea", "tée"),
		"jsonl": `{"role":"user","content":"é"}` + "\n" + `{"role":"user","content":"é"}` + "\r\n" + `{"role":"ai","text":"日本"}` + "\n",
	}
	for format, file := range files {
		t.Run(format, func(t *testing.T) {
			whole, _, _ := readSession(t, file, SessionOptions{Format: format, Whole: true})
			for step := 1; step < 200; step += 7 {
				var lines []Line
				var p Progress
				for end := 0; end < len(file); {
					end = min(end+step, len(file))
					more, next, _ := readSession(t, file[:end], SessionOptions{Format: format, From: p, Whole: end == len(file)})
					lines, p = append(lines, more...), next
				}
				if got, want := fmt.Sprint(ids(lines), spoken(lines)), fmt.Sprint(ids(whole), spoken(whole)); got != want {
					t.Fatalf("in steps of %d:\n%s\nwant\n%s", step, got, want)
				}
			}
		})
	}
}

func ids(lines []Line) (all []string) {
	for _, l := range lines {
		all = append(all, l.ID)
	}
	return all
}

func TestALongValueHidesNothing(t *testing.T) {
	blob := strings.Repeat(`A\"\\`, 400_000)
	file := `{"type":"user","sessionId":"s","uuid":"u","timestamp":"2026-03-01T10:00:00Z","message":{"content":[{"type":"image","source":{"data":"` + blob +
		`"}},{"type":"text","text":"look at \"this\""}]}}` + "\n"
	lines, _, out := readSession(t, file, SessionOptions{Format: "claude-code"})
	if got := spoken(lines); len(got) != 1 || got[0] != `person: look at "this"` || out.Skipped["values longer than 256 KiB"] != 1 {
		t.Errorf("got %.200q, skipped %v", got, out.Skipped)
	}
}

func TestErasedWordsStayAway(t *testing.T) {
	erased := time.Date(2026, 3, 1, 10, 0, 30, 0, time.UTC)
	lines, _, out := readSession(t, claudeCodeSession, SessionOptions{Format: "claude-code", Erased: erased})
	if got := spoken(lines); len(got) != 2 || got[0] != "person: Thanks, I prefer tabs." {
		t.Errorf("got %q, skipped %v", got, out.Skipped)
	}
	const file = `{"role":"user","content":"old"}` + "\n" + `{"role":"user","content":"new"}` + "\n"
	lines, _, _ = readSession(t, file, SessionOptions{Format: "jsonl", Erased: erased, ErasedBytes: 10})
	if got := spoken(lines); len(got) != 1 || got[0] != "person: new" {
		t.Errorf("without times: %q", got)
	}
}

func TestDetectSession(t *testing.T) {
	for want, head := range map[string]string{
		"claude-code": claudeCodeSession, "markdown": markdownSession, "openai": `{"role":"user","content":"hello"}`,
		"codex": `{"timestamp":"2026-03-01T09:00:01Z","type":"event_msg","payload":{"type":"user_message","message":"hello"}}`,
	} {
		if got, err := DetectSession([]byte(head), sessionNow); err != nil || got != want {
			t.Errorf("%s: got %q, %v", want, got, err)
		}
	}
	for _, head := range []string{"", "hello", "{}", "\x00\x01\x02"} {
		if got, err := DetectSession([]byte(head), sessionNow); !errors.Is(err, ErrUnknown) {
			t.Errorf("%q: got %q, %v", head, got, err)
		}
	}
}

// repeated is a stream of one byte.
type repeated struct {
	c    byte
	left int
}

func (e *repeated) Read(p []byte) (int, error) {
	if e.left == 0 {
		return 0, io.EOF
	}
	n := min(len(p), e.left)
	for i := range p[:n] {
		p[i] = e.c
	}
	e.left -= n
	return n, nil
}

func TestALineWithoutEndIsBounded(t *testing.T) {
	for _, c := range []byte{'"', '[', 'x', 0} {
		in := io.MultiReader(&repeated{c: c, left: 64 << 20}, strings.NewReader("\n{\"role\":\"user\",\"content\":\"after\"}\n"))
		s, err := NewSession(in, SessionOptions{Format: "jsonl", Now: sessionNow})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for {
			c, err := s.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, spoken(c.Lines)...)
		}
		if len(got) != 1 || cap(s.in.line) > 3*maxValue {
			t.Errorf("%q: got %q with a buffer of %d bytes", c, got, cap(s.in.line))
		}
	}
}

func FuzzSession(f *testing.F) {
	for i := range sessionFormats() {
		f.Add(i, claudeCodeSession, 100)
		f.Add(i, markdownSession, 40)
		f.Add(i, `{"messages":[{"role":"user","content":["a",{"text":1},null]}]}`, 5)
		f.Add(i, `{"payload":{"content":[[]]},"type":"event_msg"}`, 5)
	}
	f.Fuzz(func(t *testing.T, format int, file string, cut int) {
		formats := SessionFormats()
		o := SessionOptions{Format: formats[uint(format)%uint(len(formats))], Whole: true}
		whole, _, _ := readSession(t, file, o)
		for _, l := range whole {
			if l.ID == "" || strings.TrimSpace(l.Text) == "" || l.At.IsZero() || l.At.After(sessionNow) || len(l.Text) > maxLine {
				t.Fatalf("incomplete line %+v", l)
			}
		}
		if o.Format == "markdown" || len(file) == 0 {
			return // the end of the first part may be the middle of a message
		}
		o.Whole = false
		cut = int(uint(cut) % uint(len(file)+1))
		if begun := file[strings.LastIndex(file[:cut], "\n")+1:]; json.Valid([]byte(begun[:cut-(len(file)-len(begun))])) {
			if line, _, _ := strings.Cut(begun, "\n"); !json.Valid([]byte(line)) {
				return // no program writes on behind a complete object: it was read, and what follows makes the line none
			}
		}
		first, p, _ := readSession(t, file[:cut], o)
		o.From, o.Whole = p, true
		second, _, _ := readSession(t, file, o)
		if got, want := spoken(append(first, second...)), spoken(whole); !slices.Equal(got, want) {
			t.Fatalf("cut at %d: got %q, want %q", cut, got, want)
		}
	})
}

func BenchmarkSessionNoise(b *testing.B) {
	result := strings.Repeat(`drwxr-xr-x 2 ann ann 4096 Mar 1 10:00 dir\n`, 400)
	line := `{"parentUuid":"a1","isSidechain":false,"cwd":"/home/ann/garden","sessionId":"s-1","type":"user","message":{"role":"user","content":[{"tool_use_id":"t1","type":"tool_result","content":"` +
		result + `"}]},"uuid":"r1","timestamp":"2026-03-01T10:00:06.000Z","toolUseResult":{"stdout":"` + result + `"}}` + "\n"
	noise := bytes.Repeat([]byte(line), 300)
	b.SetBytes(int64(len(noise)))
	for b.Loop() {
		s, err := NewSession(bytes.NewReader(noise), SessionOptions{Format: "claude-code", Now: sessionNow})
		if err != nil {
			b.Fatal(err)
		}
		for err == nil {
			_, err = s.Next()
		}
	}
}
