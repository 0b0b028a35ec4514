package doctor

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/dustin/go-humanize"

	"familiar/config"
	"familiar/internal/app"
	"familiar/internal/backup"
	"familiar/internal/cli"
	"familiar/memory"
	"familiar/memory/jobrun"
)

// backupAge is how old the newest backup may be before the doctor warns: a nightly job that failed twice.
const backupAge = 3 * 24 * time.Hour

// checkBackups looks at the age of the newest backup, whether it can be read, and how the last run of the job ended.
func checkBackups(ctx context.Context, inv *cli.Invocation) (found []Finding, _ error) {
	cfg := inv.Loaded
	if !app.HasMemory(cfg) {
		return nil, nil
	}
	set, err := app.Backups(cfg, "", inv.Now)
	if err != nil {
		return []Finding{{"backup", stateProblem, err.Error(), "without it no backup is made, and the database is not upgraded"}}, nil //nolint:nilerr // the finding says it
	}
	aside, err := checkAside(inv)
	if err != nil {
		return nil, err
	}
	defer func() { found = append(found, aside...) }()
	found, err = lastBackupRun(ctx, inv)
	if err != nil {
		return nil, err
	}
	if cfg.Backup.Schedule.Off() {
		found = append(found, Finding{"backup", stateWarning, "no backups are made: backup.schedule is off", "set backup.schedule, or make backups of the home yourself"})
	}
	all, err := set.List()
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		if cfg.Backup.Schedule.Off() {
			return found, nil
		}
		return append(found, Finding{"backup", stateWarning, "there is no backup yet", "`familiar backup create` makes one; `familiar run` makes one each night"}), nil
	}
	newest := all[0]
	says := fmt.Sprintf("the newest was made %s", humanize.RelTime(newest.Made, inv.Now(), "ago", "from now"))
	switch _, err := set.Manifest(newest); {
	case err != nil && !newest.Encrypted && !newest.IsCopy():
		found = append(found, Finding{"backup", stateProblem, err.Error(), "make another with `familiar backup create`, and check the disk of " + filepath.Dir(newest.Path)})
	case inv.Now().Sub(newest.Made) > backupAge && !cfg.Backup.Schedule.Off():
		found = append(found, Finding{"backup", stateWarning, says, "`familiar job runs --job backup` shows why; `familiar backup create` makes one now"})
	case len(found) == 0:
		found = append(found, Finding{"backup", stateOK, says, ""})
	}
	return found, nil
}

// checkAside names the databases that a restore or a recovery moved aside: what people had erased can stay in a damaged one.
func checkAside(inv *cli.Invocation) (found []Finding, _ error) {
	all, err := backup.ListAside(inv.Loaded.Home)
	for _, a := range all {
		found = append(found, Finding{
			"backup", stateWarning, fmt.Sprintf("%s was moved aside %s", a.Dir, humanize.RelTime(a.Moved, inv.Now(), "ago", "from now")),
			"delete it once you need it no more: erased people stay in it if it is damaged",
		})
	}
	return found, err
}

// lastBackupRun reports a failure of the job's last run.
func lastBackupRun(ctx context.Context, inv *cli.Invocation) (found []Finding, err error) {
	err = inv.WithStore(ctx, func(cfg *config.Config, store *memory.Store) error {
		run, err := store.Jobs.LastRun(ctx, cfg.Persona, "backup")
		if err == nil && run.Status == jobrun.StatusFailed {
			found = []Finding{{
				"backup", stateProblem, "the last backup failed: " + cli.OneLine(run.Result),
				"`familiar backup create` tries again",
			}}
		}
		if errors.Is(err, memory.ErrNotFound) {
			return nil
		}
		return err
	})
	return found, err
}
