package main

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"familiar/channels/chatapi/chatapitest"
	"familiar/internal/llm/llmtest"
)

// shellExamples matches the shell examples of a page.
var shellExamples = regexp.MustCompile("(?s)```sh\n(.*?)```")

// TestTheExamplesOfTheAPIWork runs what docs/api.md shows with curl against a served home, as a reader would.
func TestTheExamplesOfTheAPIWork(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("curl is not installed")
	}
	page, err := os.ReadFile("../../docs/api.md")
	if err != nil {
		t.Fatal(err)
	}
	home, c := chatHome(t, llmtest.Serve(t, llmtest.Says("Good morning to you, and a fine day.")))
	token := strings.Fields(familiar(t, home, keyed, "", "token", "create", "--client", "curl", "--as", "Ann").must(t).out)[0]
	serving := start(t, home, keyed, "run")
	ask(t, c, chatapitest.Request{Model: "nell", User: "bob", Messages: talk("Are you there?")})

	var printed []string
	address := strings.TrimSuffix(strings.TrimPrefix(c.URL, "http://"), "/v1")
	for _, example := range shellExamples.FindAllStringSubmatch(string(page), -1) {
		for command := range strings.SplitSeq(strings.ReplaceAll(strings.TrimSpace(example[1]), "\\\n", " "), "\n") {
			shell := exec.Command("sh", "-c", strings.Replace(command, "curl", "curl --fail-with-body --silent --show-error", 1))
			shell.Env = append(os.Environ(), "TOKEN="+token)
			shell.Args[2] = strings.ReplaceAll(shell.Args[2], "127.0.0.1:8484", address)
			out, err := shell.CombinedOutput()
			if err != nil {
				t.Errorf("%s\n%v: %s", command, err, out)
			}
			printed = append(printed, string(out))
		}
	}
	for i, want := range []string{"data: [DONE]", "Ann prefers tea.", "Ann prefers tea.", "Ann prefers tea."} { // a talk, a note, recall, a list
		if i >= len(printed) || strings.Count(printed[i], want) != 1 {
			t.Errorf("the examples printed %q, want %s in number %d", printed, want, i)
		}
	}
	serving.signal(syscall.SIGTERM)
	serving.exit()
}
