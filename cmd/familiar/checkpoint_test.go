package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestUnfinishedRestoreIsReported reports a restore whose files are not written, and the command that it names finishes it.
func TestUnfinishedRestoreIsReported(t *testing.T) {
	t.Parallel()
	home := configure(t, "")
	familiar(t, home, nil, "", "checkpoint", "create", "calm").must(t)
	doctorFindings(t, home, "canary", 0, "checkpoints\tok")
	familiar(t, home, nil, "", "persona", "set", "nell", "description=She keeps a lighthouse.").must(t)
	execute(t, filepath.Join(home, "familiar.db"), "UPDATE checkpoints SET files_due = 1")

	const next = "run `familiar checkpoint restore calm --yes`"
	doctorFindings(t, home, "canary", 1, "checkpoints\tproblem\tthe restore of calm is not finished", next)
	if listed := familiar(t, home, nil, "", "checkpoint", "list").must(t); !strings.Contains(listed.errs, next) || !strings.Contains(listed.out, "\tyes") {
		t.Errorf("listed:\n%s%s", listed.out, listed.errs)
	}
	if listed := familiar(t, home, nil, "", "checkpoint", "list", "--json").must(t).out; !strings.Contains(listed, `"unfinished": true`) {
		t.Errorf("listed %s", listed)
	}
	familiar(t, home, nil, "", "checkpoint", "restore", "calm", "--yes").must(t)
	doctorFindings(t, home, "canary", 0, "checkpoints\tok")
	if shown := familiar(t, home, nil, "", "persona", "show").must(t).out; strings.Contains(shown, "lighthouse") {
		t.Errorf("the file is still that of now:\n%s", shown)
	}
}
