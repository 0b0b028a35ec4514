package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"familiar/internal/cli"
	"familiar/memory/log"
)

// TestEveryVerbSpeaksJSON runs every verb with --json and checks that it prints JSON of the right shape and nothing
// else. Without --json each row is one line.
func TestEveryVerbSpeaksJSON(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	familiar(t, home, nil, "My cat is called Tom.\nI was born in Oslo.\n"+similarLines+"/training on\n", "chat", "--as", "Ann").must(t)
	line := `{"room": "club", "from": "Ann", "text": "I saw a heron.", "at": "2026-01-05T18:30:00Z"}` + "\n"
	write(t, filepath.Join(home, "club.jsonl"), []byte(line))
	write(t, filepath.Join(home, "chat.jsonl"), []byte(`{"name": "Ann", "is_user": true, "mes": "I saw an otter.", "send_date": 1767636000000}`))
	write(t, filepath.Join(home, "pond.md"), []byte("# The pond\n\nHerons live there.\n"))
	write(t, filepath.Join(home, "talk.md"), []byte("## User\n\nI saw a stork.\n"))
	write(t, filepath.Join(home, "zoe.jsonl"), []byte(`{"format":"familiar-memory","version":1}
{"created_at":"2026-01-05T09:00:00.000Z","id":1,"kind":"person","name":"Zoe","timezone":""}
{"kind":"end","records":1}
`))
	write(t, filepath.Join(home, "good.yaml"), []byte("name: Good\ndescription: Made for a test.\n"))

	sendAsStranger(t, home, "4711", "ABCD2345")
	sendAsStranger(t, home, "4712", "EFGH2345")
	if err := openStore(t, home).Turns.AddGrowth(t.Context(), "nell", 1, 0, []byte(`{"traits":{"warm":0.05}}`)); err != nil {
		t.Fatal(err)
	}
	spoke := log.IgnoredRoom{Channel: "telegram", ID: "-100", Title: "The club", Count: 1}
	if err := openStore(t, home).Log.NoteIgnoredRoom(t.Context(), spoke); err != nil {
		t.Fatal(err)
	}

	var tried []string
	for _, c := range []struct {
		verb, args string
		list       bool
	}{
		{"init", "--yes", false}, // first: what follows runs with its file
		{"config show", "", true},
		{"config check", "", false},
		{"config path", "", false},
		{"doctor", "", true},
		{"channel pending", "", true},
		{"channel unheard", "", true},
		{"channel pair approve", "ABCD2345", false},
		{"channel allowed", "", true},
		{"channel pair revoke", "telegram:4712", false},
		{"persona list", "", true},
		{"persona show", "", false},
		{"persona new", "ada", false},
		{"persona set", "ada voice=Terse", false},
		{"persona clone", "ada bea", false},
		{"persona history", "ada", true},
		{"persona diff", "ada", false},
		{"persona revert", "ada 1", false},
		{"persona export", "ada --to " + filepath.Join(home, "ada.json"), false},
		{"persona import", filepath.Join(home, "ada.json") + " --as imported --yes", true},
		{"persona lore add", "--persona imported --key bar Fox", false},
		{"persona lore list", "--persona imported", true},
		{"persona lore test", "--persona imported bar", true},
		{"persona validate", "nell", false},
		{"persona growth show", "", true},
		{"persona growth history", "", true},
		{"persona growth diff", "0 1", true},
		{"persona growth reset", "", false},
		{"memory list", "", true},
		{"memory search", "--as Ann cat", true},
		{"memory show", "1", false},
		{"memory add", "The key is under the flowerpot.", false},
		{"memory history", "1", true},
		{"memory pin", "1", false},
		{"memory unpin", "1", false},
		{"memory promote", "1", false},
		{"memory demote", "1", false},
		{"memory tags", "1 add pets", false},
		{"memory rules add", "keep any when tag = pets", false},
		{"memory rules list", "", true},
		{"memory rules rm", "1", false},
		{"memory clusters", "", true},
		{"memory consolidate", "--dry-run", true},
		{"memory reflect", "--dry-run", true},
		{"memory edge add", "3 4 --type contains", false},
		{"memory edge list", "", true},
		{"memory topics", "", true},
		{"memory tree", "3", true},
		{"memory children", "3", true},
		{"memory parent", "4", true},
		{"memory edge rm", "3 4", false},
		{"memory expire", "5 2020-01-01", false},
		{"memory gc", "--dry-run", true},
		{"memory forget", "6", true},
		{"memory stats", "", false},
		{"memory ingest", filepath.Join(home, "pond.md"), true},
		{"memory export", filepath.Join(home, "export.jsonl"), true},
		{"memory import", filepath.Join(home, "zoe.jsonl"), true},
		{"belief list", "--history", true},
		{"person list", "", true},
		{"person show", "ann", false},
		{"export training", "--format chatml --dry-run", true},
		{"person withdraw", "ann", false},
		{"session list", "", true},
		{"session show", "1", false},
		{"job list", "", true},
		{"job run", "decay", false},
		{"job runs", "", true},
		{"job show", "1", false},
		{"checkpoint create", "calm", false},
		{"checkpoint list", "", true},
		{"checkpoint show", "calm", false},
		{"persona set", "nell voice=Short", false},
		{"checkpoint diff", "calm", true},
		{"checkpoint restore", "calm --yes", false},
		{"checkpoint drop", "calm", false},
		{"usage", "", false},
		{"replay", filepath.Join(home, "club.jsonl"), true},
		{"import", "--yes --as Ann " + filepath.Join(home, "chat.jsonl"), true},
		{"capture", "--as Ann " + filepath.Join(home, "talk.md"), true},
		{"token create", "--client editor --as Ann", false},
		{"token list", "", true},
		{"token revoke", "1", false},
		{"tool list", "", true},
		{"plugin claude-code", filepath.Join(home, "plugin"), true},
		{"watch add", home + " --format markdown --pattern talk.md --as Ann", false},
		{"watch once", "", true},
		{"watch list", "", true},
		{"watch remove", "1", false},
		{"lore key", "", false},
		{"lore export", filepath.Join(home, "imported.lore") + " --persona imported", false},
		{"dashboard end", "--all", false},
		{"version", "", false},
		{"status", "", false},
		{"person export", "zoe --to " + filepath.Join(home, "zoe.zip"), true},
		{"person erase", "zoe --yes", false},
		{"backup create", "", false},
		{"backup list", "", true},
		{"backup verify", "", false},
		{"backup drill", "", false},
		{"backup restore", "", false},
	} {
		tried = append(tried, c.verb)
		args := append(strings.Fields(c.verb), strings.Fields(c.args)...)
		r := familiar(t, home, nil, "", append(args, "--json")...)
		if r.code != 0 || r.errs != "" {
			t.Errorf("familiar %s: exit code %d, on standard error: %s", c.verb, r.code, r.errs)
		}
		var rows []map[string]any
		var one map[string]any
		into := any(&one)
		if c.list {
			into = &rows
		}
		if err := json.Unmarshal([]byte(r.out), into); err != nil || len(rows)+len(one) == 0 {
			t.Errorf("familiar %s --json: %v:\n%s", c.verb, err, r.out)
		}
		once := []string{"memory forget", "memory export", "memory import", "replay", "persona import", "person export"} // or three lines for one row
		if c.list && !slices.Contains(once, c.verb) {
			plain := familiar(t, home, nil, "", args...).must(t).out
			if n := strings.Count(plain, "\n"); n != len(rows) {
				t.Errorf("familiar %s: %d lines for %d rows:\n%s", c.verb, n, len(rows), plain)
			}
		}
	}
	untried := []string{
		"channel list", "channel status", // empty without a network: channel.txtar
		"channel login", "channel logout", // need a network
		"dream list", "dream show", // empty before the first night: TestDreamVerbs
		"followup list",                                                                                         // empty without a proactive message: followup.txtar
		"outbox list", "outbox show", "outbox resend", "outbox drop", "inbox list", "inbox retry", "inbox drop", // need something that was lost: outbox.txtar
		"backup prune", "recover", // have nothing to do: backup.txtar, recover.txtar
		"person link", "person unlink", // need two networks: person_link.txtar
		"dashboard", "dashboard sessions", // without an end, or empty: TestTheDashboardOfARunningHome
		"store move",               // needs a server: server/store.txtar
		"mcp",                      // speaks its own protocol: TestMCPOverStandardInput
		"memory as-of",             // runs another verb: as_of.txtar
		"tool servers", "tool log", // empty without a tool: tool.txtar
		"job revert",                                                                                                                     // needs a run with output: job.txtar
		"lore list", "lore show", "lore revert", "lore import", "lore imports", "lore trust add", "lore trust list", "lore trust remove", // need another home: lore.txtar
		"chat", "persona chat", "run", "watch run", "persona edit", // interactive, or without an end
		"memory embed",                                                                          // asks an embedder: TestVectors has one
		"memory refine",                                                                         // asks a model: TestRefineShowsWhatItWouldFile
		"prompt show",                                                                           // notes that there is no model: prompt.txtar
		"help", "completion bash", "completion zsh", "completion fish", "completion powershell", // print text
	}
	for _, verb := range verbNames() {
		if !slices.Contains(tried, verb) && !slices.Contains(untried, verb) {
			t.Errorf("familiar %s is not tried here", verb)
		}
	}
}

// similarLines are messages that are similar to each other.
const similarLines = "I walked to the old lighthouse in Porto.\nI ran to the old lighthouse in Porto.\nI drew the old lighthouse in Porto.\n"

// verbNames returns every verb that does something, as typed.
func verbNames() []string {
	return cli.Verbs(newRoot(&cli.Invocation{In: os.Stdin, Out: os.Stdout, Errs: os.Stderr}))
}

// TestCompletion checks the shell completion of these command lines.
func TestCompletion(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	for typed, want := range map[string][]string{
		"":                                {"chat", "run", "init", "memory"},
		"memory ":                         {"list", "search", "show", "add", "forget", "stats", "ingest", "export", "import"},
		"persona show ":                   {"ambrose", "nell"},
		"persona new x --from ":           {"ambrose", "nell"},
		"init --persona ":                 {"ambrose", "nell"},
		"init --provider ":                {"none", "openai", "ollama"},
		"memory list --sector ":           {"episodic", "semantic", "procedural", "emotional", "reflective"},
		"memory add x --sector ":          {"semantic"},
		"version --log-level ":            {"debug", "info", "warn", "error"},
		"memory list --s":                 {"--sector"},
		"memory search x --explain --ro":  {"--room"},
		"completion ":                     {"bash", "fish", "zsh"},
		"help memory ":                    {"list", "search"},
		"belief list --person Ann --hist": {"--history"},
	} {
		args := append([]string{"__complete"}, strings.Split(typed, " ")...)
		r := familiar(t, home, nil, "", args...).must(t)
		var offered []string
		for line := range strings.Lines(r.out) {
			word, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
			offered = append(offered, word)
		}
		for _, word := range want {
			if !slices.Contains(offered, word) {
				t.Errorf("after %q the shell is offered %q, not %q", typed, offered, word)
			}
		}
	}
}
