package app

import (
	"testing"

	"familiar/config"
	"familiar/persona/jobs"
	"familiar/persona/session"
)

// TestEveryJobHasASchedule compares the list of jobs with the configuration.
func TestEveryJobHasASchedule(t *testing.T) {
	for _, j := range jobs.List(jobs.Work{Sessions: &session.Manager{}}) {
		if config.Default().Jobs.Of(j.Name) == "" {
			t.Errorf("job %s has no schedule: add it to Jobs, Jobs.Of and Default in config/config.go", j.Name)
		}
	}
}
