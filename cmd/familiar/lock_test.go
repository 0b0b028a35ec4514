package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestOneProcessServesAHome expects a second process to be rejected with the name of the first, while operators' verbs
// work and their changes are noticed before the next reply.
func TestOneProcessServesAHome(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	talk := start(t, home, nil, "chat", "--as", "Ann")
	talk.ask("My cat is called Tom.")

	holder := fmt.Sprintf("`familiar chat`, process %d, since ", talk.cmd.Process.Pid)
	for _, verb := range []string{"chat", "run"} {
		familiar(t, home, nil, "hi\n", verb).fails(t, 4, "in use by another process", holder, "--home")
	}

	if said := talk.ask("Where is the spare key?"); strings.Contains(said, "flowerpot") {
		t.Fatalf("it said %q before it was told", said)
	}
	familiar(t, home, nil, "", "memory", "add", "--person", "Ann", "The spare key is under the blue flowerpot.").must(t)
	if said := talk.ask("Where is the spare key?"); !strings.Contains(said, "flowerpot") {
		t.Errorf("after memory add it said %q", said)
	}

	rows := rowsOf(t, home, "memory", "list", "--person", "Ann")
	for _, told := range []string{"flowerpot", "Tom"} {
		i := slices.IndexFunc(rows, func(r map[string]any) bool { return strings.Contains(fmt.Sprint(r["text"]), told) })
		if i < 0 {
			t.Fatalf("no memory of %s in %v", told, rows)
		}
		familiar(t, home, nil, "", "memory", "forget", fmt.Sprint(rows[i]["id"])).must(t)
	}
	for question, gone := range map[string]string{"Where is the spare key?": "flowerpot", "What is my cat called?": "Tom"} {
		if said := talk.ask(question); strings.Contains(said, gone) {
			t.Errorf("after memory forget it still says %q", said)
		}
	}
	talk.leave()
	familiar(t, home, nil, "hi\n", "chat").must(t)
}
