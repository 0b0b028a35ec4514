package main

import (
	"archive/zip"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"familiar/config"
	"familiar/internal/cli"
	"familiar/internal/llm/llmtest"
	"familiar/internal/speech/speechtest"
)

// TestMain lets the scripts in testdata run the real command line as the command "familiar". -parallel says how many
// tests run at once, otherwise testsPerProcessor.
func TestMain(m *testing.M) {
	if err := flag.Set("test.parallel", strconv.Itoa(testsPerProcessor*runtime.GOMAXPROCS(0))); err != nil {
		panic(err)
	}
	testscript.Main(m, map[string]func(){
		"familiar":   func() { os.Exit(cli.Run(newRoot, scriptClock())) },
		"toolserver": serveBookings,
	})
}

// scriptClock returns a clock that is stopped at FAMILIAR_TEST_NOW (RFC 3339) if a script sets it.
func scriptClock() func() time.Time {
	text, ok := config.OS()("FAMILIAR_TEST_NOW")
	if !ok {
		return time.Now
	}
	now, err := time.Parse(time.RFC3339, text)
	if err != nil {
		fmt.Fprintln(os.Stderr, "FAMILIAR_TEST_NOW:", err)
		os.Exit(1)
	}
	return func() time.Time { return now }
}

// endAtOnce tells the race detector of a child process not to sleep for a second before it exits, which would be most
// of the time of these tests.
const endAtOnce = "atexit_sleep_ms=10"

// TestScripts runs testdata/*.txtar. $PROVIDER is the address of a provider whose models answer everything with "Of course.", $SPEECH that
// of a server that listens and speaks.
func TestScripts(t *testing.T) {
	provider, speech := llmtest.Serve(t, llmtest.Says("Of course.")), speechtest.Start(t)
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(env *testscript.Env) error {
			env.Setenv("GORACE", endAtOnce)
			env.Setenv("HOME", env.WorkDir+"/me")
			env.Setenv("PROVIDER", provider.URL+"/v1")
			env.Setenv("SPEECH", speech.BaseURL())
			env.Values[scriptKey{}] = new(scriptServers)
			env.Setenv("OLLAMA_HOST", "127.0.0.1:1") // nothing listens there
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"ollama":   startOllama,
			"exits":    exits,
			"lose":     lose,
			"nobytes":  noBytes,
			"mode":     mode,
			"pack":     pack,
			"alone":    alone,
			"expand":   expand,
			"telegram": startTelegram,
			"says":     says,
			"shows":    shows,
			"plays":    plays,
			"presses":  presses,
		},
	})
}

// startOllama runs a server that lists the given models like Ollama, and points OLLAMA_HOST to it.
func startOllama(ts *testscript.TestScript, neg bool, models []string) {
	if neg || len(models) == 0 {
		ts.Fatalf("usage: ollama MODEL...")
	}
	list := ""
	for i, m := range models {
		if i > 0 {
			list += ","
		}
		list += fmt.Sprintf(`{"name":%q,"size":1}`, m)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/tags", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"models":[%s]}`, list)
	})
	server := httptest.NewServer(mux)
	ts.Defer(server.Close)
	ts.Setenv("OLLAMA_HOST", server.URL)
}

// exits runs a command and compares its exit code: exits CODE COMMAND [ARGS...].
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND [ARGS...]")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		code = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("run %v: %v", args[1:], err)
	}
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("%v: exit code %d, want %s", args[1:], code, args[0])
	}
}

// pack writes files into a zip archive: pack ARCHIVE FILE...
func pack(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: pack ARCHIVE FILE...")
	}
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	for _, name := range args[1:] {
		f, err := archive.Create(name)
		ts.Check(err)
		_, err = f.Write([]byte(ts.ReadFile(name)))
		ts.Check(err)
	}
	ts.Check(archive.Close())
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), out.Bytes(), 0o600))
}

// mode compares a file's permissions: mode 0600 FILE.
func mode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: mode PERMISSIONS FILE")
	}
	info, err := os.Stat(ts.MkAbs(args[1]))
	ts.Check(err)
	if got := fmt.Sprintf("%04o", info.Mode().Perm()); got != args[0] {
		ts.Fatalf("%s has mode %s, want %s", args[1], got, args[0])
	}
}

// noBytes checks that no file of the home contains a text: nobytes TEXT.
func noBytes(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: nobytes TEXT")
	}
	home := ts.Getenv("HOME")
	ts.Check(filepath.WalkDir(home, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		content, err := os.ReadFile(path)
		if err == nil && bytes.Contains(content, []byte(args[0])) {
			err = fmt.Errorf("%s contains %q", path, args[0])
		}
		return err
	}))
}
