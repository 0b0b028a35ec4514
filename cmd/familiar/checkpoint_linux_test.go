package main

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"familiar/channels/chatapi/chatapitest"
	"familiar/internal/llm/llmtest"
)

// TestCheckpointBesideAServingProcess restores while another process serves the persona: the prompt of its next answer holds what
// the persona knows now, and its file is that of the checkpoint.
func TestCheckpointBesideAServingProcess(t *testing.T) {
	t.Parallel()
	var prompt atomic.Value
	home, c := chatHome(t, llmtest.Serve(t, func(w http.ResponseWriter, r *llmtest.Request) {
		prompt.Store(r.Prompt())
		llmtest.Says("I will think about that for a while, Ann.")(w, r)
	}))
	serving := start(t, home, keyed, "run")
	asked := 0
	prompted := func() string {
		t.Helper()
		asked++
		ask(t, c, chatapitest.Request{Model: "nell", User: fmt.Sprint("guest", asked), Messages: talk("When was the old harbour of Wexmouth built?")})
		return prompt.Load().(string)
	}
	prompted()
	familiar(t, home, keyed, "", "checkpoint", "create", "before").must(t)
	familiar(t, home, keyed, "", "memory", "add", "The old harbour of Wexmouth was built in 1802.").must(t)
	familiar(t, home, keyed, "", "persona", "set", "nell", "description=She is a lighthouse keeper.").must(t)
	if said := prompted(); !strings.Contains(said, "1802") {
		t.Errorf("the fact is not used:\n%s", said)
	}
	eventually(t, "the changed file is used", func() bool { return strings.Contains(prompted(), "lighthouse keeper") })

	said := familiar(t, home, keyed, "", "checkpoint", "restore", "before", "--yes").must(t).out
	if !strings.Contains(said, "1 memory gone") || !strings.Contains(said, "the running bot uses the restored files within") {
		t.Errorf("restored with %q", said)
	}
	if said := prompted(); strings.Contains(said, "1802") {
		t.Errorf("the fact is still used:\n%s", said)
	}
	eventually(t, "the restored file is used", func() bool { return !strings.Contains(prompted(), "lighthouse keeper") })

	_, before, _ := strings.Cut(said, "restore auto-")
	name, _, _ := strings.Cut("auto-"+before, "`")
	familiar(t, home, keyed, "", "checkpoint", "restore", name, "--yes").must(t)
	if said := prompted(); !strings.Contains(said, "1802") {
		t.Errorf("the fact is not used again:\n%s", said)
	}
	serving.signal(syscall.SIGTERM)
	serving.exit()
}

// TestR6CheckpointsOnAFullDisk creates and restores on a full disk: nothing is half-done.
func TestR6CheckpointsOnAFullDisk(t *testing.T) {
	t.Parallel()
	home := smallDisk(t)
	familiar(t, home, nil, "", "checkpoint", "create", "before").must(t)
	familiar(t, home, nil, "", "memory", "add", "The harbour was built in 1802.").must(t)
	familiar(t, home, nil, "", "persona", "set", "nell", "description="+strings.Repeat("She keeps a bar. ", 500)).must(t)
	free := fill(t, home)
	for _, args := range [][]string{{"create", "full"}, {"restore", "before", "--yes"}} {
		if r := familiar(t, home, nil, "", append([]string{"checkpoint"}, args...)...); r.code == 0 || r.errs == "" {
			t.Errorf("checkpoint %s on a full disk: exit code %d, %s", args[0], r.code, r.errs)
		}
	}
	free()
	if listed := familiar(t, home, nil, "", "checkpoint", "list").must(t).out; strings.Count(listed, "\n") != 1 {
		t.Errorf("half-done checkpoints:\n%s", listed)
	}
	if listed := familiar(t, home, nil, "", "memory", "list").must(t).out; !strings.Contains(listed, "1802") {
		t.Errorf("half restored:\n%s", listed)
	}
	if left, err := filepath.Glob(filepath.Join(home, "personas", ".restore-*")); err != nil || len(left) != 0 {
		t.Errorf("left behind %q, %v", left, err)
	}
	familiar(t, home, nil, "", "checkpoint", "restore", "before", "--yes").must(t)
	if said := familiar(t, home, nil, "", "checkpoint", "diff", "before").must(t).out; said != "no difference\n" {
		t.Errorf("different after all:\n%s", said)
	}
}
