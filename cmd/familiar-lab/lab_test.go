package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"familiar/internal/cli"
	"familiar/web/simulate/report"
)

// endAtOnce tells the race detector of a child process not to sleep for a second before it exits.
const endAtOnce = "GORACE=atexit_sleep_ms=10"

// TestMain lets the scripts in testdata and the tests run the real command line as the command "familiar-lab".
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"familiar-lab": func() { os.Exit(cli.Run(newRoot, time.Now)) },
	})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(env *testscript.Env) error {
			env.Vars = append(env.Vars, endAtOnce)
			env.Setenv("HOME", env.WorkDir+"/me")
			return nil
		},
	})
}

const (
	// pond is a conversation in LoCoMo format.
	pond = `{"sample_id": "pond", "conversation": {"speaker_a": "Ann", "speaker_b": "Bob",
		"session_1_date_time": "1:56 pm on 8 May, 2023",
		"session_1": [{"speaker": "Ann", "dia_id": "D1:1", "text": "I saw a heron by the pond."},
			{"speaker": "Bob", "dia_id": "D1:2", "text": "Lovely."}]},
		"qa": [{"question": "What did Ann see?", "answer": "a heron", "evidence": ["D1:1"], "category": 4}]}`
	// towns is a file of facts and questions.
	towns = `{"name": "towns", "facts": ["The capital of Ruritania is Strelsau.", "The capital of Ruritania is Zenda."],
		"questions": ["What is the capital of Ruritania?"], "answers": [["Zenda"]]}`
	// probe is something that is told and asked for.
	probe = `[{"id": "1", "cat": "home", "who": "Ann", "told": ["I live in Porto."], "asks": [["Where do I live?", "porto", ""]]}]`
)

// TestEveryVerbSpeaksJSON runs every verb with --json and checks that it prints JSON of the right shape and nothing
// else.
func TestEveryVerbSpeaksJSON(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	locomo, facts, probes := filepath.Join(home, "pond.json"), filepath.Join(home, "facts.json"), filepath.Join(home, "probes.json")
	write(t, locomo, pond)
	write(t, facts, towns)
	write(t, probes, probe)
	labelled, weights := filepath.Join(home, "sentences"), filepath.Join(home, "weights.bin")
	if err := os.MkdirAll(filepath.Join(labelled, "train"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(labelled, "train", "en1.txt"), strings.Repeat("states\ti live in [lives_in|Porto]\nchats\thello there\n", 9))
	write(t, filepath.Join(labelled, "train", "en2.txt"), strings.Repeat("states\twe live in [lives_in|Leeds]\ndenies\tI don't live in [!lives_in|York]\n", 9))
	if err := os.MkdirAll(filepath.Join(labelled, "questions"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(labelled, "questions", "en1.txt"), strings.Repeat("lives_in\tme\twhere do i live?\nnone\tnone\twhat is rain?\n", 9))
	write(t, filepath.Join(labelled, "questions", "en2.txt"), strings.Repeat("lives_in\tme\twhich city is mine?\n", 9))
	learnt := filepath.Join(home, "learnt")
	if err := os.MkdirAll(learnt, 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(learnt, "a.json"), probe)
	answered, network := filepath.Join(home, "answered"), filepath.Join(home, "network.bin")
	if err := os.MkdirAll(answered, 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(answered, "en1.txt"), "> i ride a bike\n? what do i ride? | bike\n? what did it cost? | -\n\n> it rains\n? how is the weather? | it rains\n")
	told := filepath.Join(home, "stories.json")
	write(t, told, `[{"id":"boat","title":"A boat","persona":"a ferryman called Bram","people":["Nora"],"today":"2026-01-20","sessions":[
		{"days_ago":9,"room":"direct","turns":[["Nora","I bought a boat, she is called Petrel."],["persona","A fine name."]]}],
		"probe":{"days_ago":0,"room":"direct","who":"Nora","text":"What did I call her?"},"vital":[{"fact":"the boat's name","any":["petrel"]}],
		"stale":[],"foreign":[],"good_filing":[{"session":0,"turn":0,"subject":"Nora","kind":"event","sentence":"Nora's boat is called Petrel.",
		"quote":"she is called Petrel","due":null,"replaces":null}]}]`)
	kept := filepath.Join(home, "year.json")
	var tried []string
	for _, c := range []struct {
		verb, args string
		list       bool
	}{
		{"simulate", "--days 2 --people 2 --report " + kept + " --chart " + filepath.Join(home, "year.svg"), false},
		{"bench recall", locomo, false},
		{"bench facts", facts, false},
		{"bench turn", "--messages 20 --rooms 2", false},
		{"bench burst", "--messages 2 --rooms 3", false},
		{"bench watch", "--files 3 --noise 1 --turns 20 --idle 10ms", false},
		{"bench model", "--messages 1 --rooms 3 --takes 10ms", false},
		{"bench scale", "--memories 50", false},
		{"bench nights", "--people 2 --memories 30", false},
		{"compare", "dojo", true},
		{"prompts", told, false},
		{"talk", probes, false},
		{"reader train", "--sentences " + labelled + " --qa " + answered + " --weights " + weights, false},
		{"reader score", "--sentences " + labelled + " --author en1", false},
		{"reader questions", "--sentences " + labelled + " --qa " + answered + " --author en1", false},
		{"evidence train", "--probes " + learnt + " --qa " + answered + " --sentences " + labelled + " --weights " + weights + " --network " + network, false},
		{"evidence score", probes, false},
	} {
		tried = append(tried, c.verb)
		out, errs, err := lab(home, append(strings.Fields(c.verb+" "+c.args), "--json")...)
		if err != nil || errs != "" {
			t.Errorf("familiar-lab %s: %v, on standard error: %s", c.verb, err, errs)
		}
		var rows []map[string]any
		var one map[string]any
		into := any(&one)
		if c.list {
			into = &rows
		}
		if err := json.Unmarshal([]byte(out), into); err != nil || len(rows)+len(one) == 0 {
			t.Errorf("familiar-lab %s --json: %v:\n%s", c.verb, err, out)
		}
	}
	if file, err := os.Open(kept); err != nil { //nolint:gosec // the test's own file
		t.Error(err)
	} else if r, err := report.Read(file); err != nil || r.Kind != report.Simulate {
		t.Errorf("--report wrote %+v, %v", r, err)
	}
	untried := []string{
		"bench mcp",                                                                             // needs the built program
		"bench compare",                                                                         // needs its own build
		"fleet",                                                                                 // needs the built program and a server: TestKillFleet
		"bench report",                                                                          // runs all the others
		"help", "completion bash", "completion zsh", "completion fish", "completion powershell", // print text
	}
	for _, verb := range cli.Verbs(newRoot(&cli.Invocation{})) {
		if !slices.Contains(tried, verb) && !slices.Contains(untried, verb) {
			t.Errorf("familiar-lab %s is not tried here", verb)
		}
	}
}

// TestExitCodes checks the exit codes of failures.
func TestExitCodes(t *testing.T) {
	t.Parallel()
	for verb, want := range map[string]struct {
		code int
		says string
	}{
		"bench recal":                     {2, `familiar-lab: familiar-lab bench has no command "recal": did you mean "recall"?`},
		"bench recall nowhere.json":       {1, "nowhere.json"},
		"simulate --days 0 --json":        {2, `"code":2`},
		"bench report --data nowhere":     {1, "there are no conversations at"},
		"bench scale --memories 0 --json": {2, "use numbers of at least 1"},
		"prompts nowhere.json":            {2, "nowhere.json"},
	} {
		_, errs, err := lab(t.TempDir(), strings.Fields(verb)...)
		exit, ok := err.(*exec.ExitError) //nolint:errorlint // what exec returns
		if !ok || exit.ExitCode() != want.code || !strings.Contains(errs, want.says) {
			t.Errorf("familiar-lab %s: %v, want exit code %d and %q on standard error:\n%s", verb, err, want.code, want.says, errs)
		}
	}
}

// lab runs familiar-lab.
func lab(home string, args ...string) (out, errs string, err error) {
	cmd := exec.Command("familiar-lab", append([]string{"--home", home}, args...)...)
	cmd.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "TZ=UTC", endAtOnce}
	var o, e strings.Builder
	cmd.Stdout, cmd.Stderr = &o, &e
	err = cmd.Run()
	return o.String(), e.String(), err
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
