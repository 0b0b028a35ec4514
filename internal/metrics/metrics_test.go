package metrics_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"familiar/internal/metrics"
)

// scrape returns what the metrics say.
func scrape(t *testing.T, m *metrics.Metrics) string {
	t.Helper()
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	if w.Code != 200 {
		t.Fatalf("status %d: %s", w.Code, w.Body)
	}
	return w.Body.String()
}

func TestWhatHappenedIsCounted(t *testing.T) {
	began := time.Unix(1000, 0)
	m := metrics.New(metrics.Build{Version: "v1.2.3", Go: "go1"}, func(context.Context) (metrics.Reading, error) {
		return metrics.Reading{
			Channels: []metrics.Channel{{Name: "telegram", Phase: "connected", Waiting: 2, Unanswered: 3, Unsent: 4, Dead: 5, Oldest: time.Minute}, {Name: "console"}},
			Jobs:     []metrics.Job{{Name: "dream", Started: began, Ended: began.Add(2 * time.Second), Failed: true}, {Name: "link", Started: began}},
			Database: metrics.Database{
				Readers: 6, Reading: 3, Waiting: 2, ReadWaits: 7, ReadWait: 1500 * time.Millisecond, WriteWait: 250 * time.Millisecond, Commits: 8, Writes: 20, Repeats: 1, ServerWaits: 90, Unasked: 4,
			},
			DatabaseBytes: 4096, LogBytes: 12,
		}, nil
	})
	m.Turn("telegram", time.Second, nil)
	m.Turn("telegram", time.Second, errors.New("no"))
	m.Recall(3 * time.Millisecond)
	m.Call(metrics.Call{Model: "openai m", Job: "talk", Took: time.Second, In: 100, Out: 20, Cached: 50, Failed: 7, Dollars: 0.5})
	m.Run("dream", nil)
	said := scrape(t, m)
	for _, line := range []string{
		`familiar_build_info{go="go1",version="v1.2.3"} 1`,
		`familiar_turns_total{channel="telegram",outcome="ok"} 1`,
		`familiar_turns_total{channel="telegram",outcome="failed"} 1`,
		`familiar_turn_seconds_count{channel="telegram"} 1`,
		`familiar_recall_seconds_bucket{le="0.005"} 1`,
		`familiar_model_calls_total{job="talk",model="openai m",outcome="ok"} 1`,
		`familiar_model_tokens_total{job="talk",kind="cached",model="openai m"} 50`,
		`familiar_model_cost_dollars_total{job="talk",model="openai m"} 0.5`,
		`familiar_job_runs_total{job="dream",outcome="ok"} 1`,
		`familiar_inbox_waiting{channel="telegram"} 2`,
		`familiar_inbox_oldest_seconds{channel="telegram"} 60`,
		`familiar_inbox_unanswered{channel="telegram"} 3`,
		`familiar_outbox_waiting{channel="telegram"} 4`,
		`familiar_outbox_dead{channel="telegram"} 5`,
		`familiar_channel_phase{channel="telegram",phase="connected"} 1`,
		`familiar_job_last_run_timestamp_seconds{job="dream"} 1000`,
		`familiar_job_last_run_duration_seconds{job="dream"} 2`,
		`familiar_job_last_run_failed{job="dream"} 1`,
		`familiar_database_bytes 4096`,
		`familiar_database_wal_bytes 12`,
		`familiar_database_readers 6`,
		`familiar_database_reading 3`,
		`familiar_database_reads_waiting 2`,
		`familiar_database_read_waits_total 7`,
		`familiar_database_read_wait_seconds_total 1.5`,
		`familiar_database_write_wait_seconds_total 0.25`,
		`familiar_database_commits_total 8`,
		`familiar_database_writes_total 20`,
		`familiar_database_repeats_total 1`,
		`familiar_database_server_waits_total 90`,
		`familiar_database_unasked_total 4`,
		`familiar_reading_failed 0`,
	} {
		if !strings.Contains(said, line+"\n") {
			t.Errorf("no line %s", line)
		}
	}
	if strings.Contains(said, `phase="connected",`) || strings.Contains(said, `job_last_run_duration_seconds{job="link"}`) {
		t.Error("a value that does not exist is shown")
	}
}

// TestABusyStoreHidesNothingElse checks that the counters are shown if the store cannot be read.
func TestABusyStoreHidesNothingElse(t *testing.T) {
	m := metrics.New(metrics.Build{}, func(context.Context) (metrics.Reading, error) {
		return metrics.Reading{Database: metrics.Database{Waiting: 9}}, errors.New("busy")
	})
	m.Run("dream", nil)
	said := scrape(t, m)
	for _, line := range []string{"familiar_reading_failed 1", "familiar_database_reads_waiting 9", `familiar_job_runs_total{job="dream",outcome="ok"} 1`, "go_goroutines"} {
		if !strings.Contains(said, line) {
			t.Errorf("no line %s", line)
		}
	}
}

// TestLabelsAreBounded: nothing that identifies a person may be a label, so the names of all labels are listed here.
func TestLabelsAreBounded(t *testing.T) {
	m := metrics.New(metrics.Build{}, func(context.Context) (metrics.Reading, error) {
		return metrics.Reading{Channels: []metrics.Channel{{Name: "telegram", Phase: "connected"}}, Jobs: []metrics.Job{{Name: "dream"}}}, nil
	})
	m.Turn("telegram", 0, nil)
	m.Call(metrics.Call{Model: "m", Job: "talk"})
	m.Run("dream", nil)
	known := map[string]bool{}
	for _, label := range []string{"channel", "phase", "outcome", "model", "job", "kind", "le", "quantile", "version", "go"} {
		known[label] = true
	}
	for _, found := range regexp.MustCompile(`[{,]([a-z_]+)="`).FindAllStringSubmatch(scrape(t, m), -1) {
		if !known[found[1]] {
			t.Errorf("label %q", found[1])
		}
	}
}
