package bench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync/atomic"
	"time"

	"familiar/channels"
	"familiar/memory"
	"familiar/memory/recall"
)

// ScaleReport is what `bench scale` prints: one entry per size asked for.
type ScaleReport struct {
	Sizes []ScaleSize `json:"sizes"`
}

// ScaleSize is a store with so many memories in one group.
type ScaleSize struct {
	Memories int `json:"memories"`
	// IngestPerSec is how many messages a second were taken in, from the inbox to the record.
	IngestPerSec float64 `json:"ingest_per_s"`
	// OpenMS is how long opening the store took, ColdMS the first recall after it, WarmMS the ones after that.
	OpenMS float64    `json:"open_ms"`
	ColdMS float64    `json:"cold_ms"`
	WarmMS Quantiles3 `json:"warm_ms"`
	// DecayMS is how long the nightly job took that lets faded memories go, with Due of them due: a hundredth.
	DecayMS float64 `json:"decay_ms"`
	Due     int     `json:"due"`
	// RSSMB is the process's resident memory once it has recalled, DBMB the store's files.
	RSSMB float64 `json:"rss_mb"`
	DBMB  float64 `json:"db_mb"`
}

const (
	// scaleQuestions is how many different questions are asked of each size, questionsEach how many for each memory at
	// most: a few memories give no more. acceptBatch is how many messages of the backlog share a transaction.
	scaleQuestions = 1000
	questionsEach  = 2
	acceptBatch    = 2000
)

// Scale measures how recall and ingestion fare as a store grows. Each size is heard by the engine into a store of its
// own, which is then closed, opened again and asked: different questions with the context packed as for a turn.
func Scale(ctx context.Context, parts RecallParts, sizes []int) (ScaleReport, error) {
	var r ScaleReport
	for _, n := range sizes {
		size, err := scaleOf(ctx, parts, n)
		if err != nil {
			return ScaleReport{}, fmt.Errorf("bench scale: %d memories: %w", n, err)
		}
		r.Sizes = append(r.Sizes, size)
	}
	return r, nil
}

func scaleOf(ctx context.Context, parts RecallParts, n int) (ScaleSize, error) {
	dir, err := os.MkdirTemp("", "familiar-bench-")
	if err != nil {
		return ScaleSize{}, fmt.Errorf("make a directory for the benchmark: %w", err)
	}
	defer os.RemoveAll(dir) //nolint:errcheck // what a benchmark leaves behind is in the system's own place for it
	path := filepath.Join(dir, "familiar.db")

	talk := newCorpus()
	messages := talk.next(n)
	size := ScaleSize{Memories: n}
	ingesting, err := fillStore(ctx, parts, path, messages)
	if err != nil {
		return ScaleSize{}, err
	}
	size.IngestPerSec = float64(n) / ingesting.Seconds()
	questions := make([]string, min(scaleQuestions, questionsEach*n))
	for i := range questions {
		questions[i] = talk.question(messages)
	}
	last := messages[n-1]
	messages, talk = nil, nil //nolint:ineffassign,wastedassign // what made the store is no part of what serves it
	debug.FreeOSMemory()
	if err := askStore(ctx, parts.Card.Key, path, last, questions, &size); err != nil {
		return ScaleSize{}, err
	}
	err = fadeStore(ctx, parts.Card.Key, path, &size)
	return size, err
}

// fillStore hears messages into a new store at path and returns how long that took.
func fillStore(ctx context.Context, parts RecallParts, path string, messages []channels.Message) (time.Duration, error) {
	store, err := memory.Open(ctx, path, memory.Options{Now: time.Now})
	if err != nil {
		return 0, err
	}
	started := time.Now()
	err = hear(ctx, parts, store, messages)
	took := time.Since(started)
	if err != nil {
		store.Close() //nolint:errcheck,gosec // the first error counts
		return 0, err
	}
	return took, store.Close()
}

// askStore opens the store at path and asks it, filling in what was measured.
func askStore(ctx context.Context, key, path string, last channels.Message, questions []string, size *ScaleSize) error {
	started := time.Now()
	store, err := memory.Open(ctx, path, memory.Options{Now: time.Now})
	if err != nil {
		return err
	}
	size.OpenMS = milliseconds(time.Since(started))
	defer store.Close() //nolint:errcheck // the store is thrown away
	room, err := store.Log.RoomByAddress(ctx, last.Room)
	if err != nil {
		return err
	}
	hearing, err := store.Log.Visibility(ctx, key, room.ID)
	if err != nil {
		return err
	}
	times := make([]time.Duration, len(questions))
	for i, q := range questions {
		started := time.Now()
		if _, err := store.Recall.Find(ctx, hearing, recall.Query{
			Text: q, Now: last.At.AddDate(0, 0, 1), Limit: asked, Budget: packBudget,
		}); err != nil {
			return err
		}
		times[i] = time.Since(started)
	}
	size.ColdMS = milliseconds(times[0])
	size.WarmMS = quantiles(times[1:])
	size.RSSMB = residentMB()
	size.DBMB, err = filesMB(path + "*")
	return err
}

// fadeStore opens the store at path at the moment a hundredth of its memories is due to fade, and lets them.
func fadeStore(ctx context.Context, key, path string, size *ScaleSize) error {
	var clock atomic.Int64
	store, err := memory.Open(ctx, path, memory.Options{Now: func() time.Time { return time.UnixMilli(clock.Load()) }})
	if err != nil {
		return err
	}
	defer store.Close() //nolint:errcheck // the store is thrown away
	early, late := time.Now().UnixMilli(), time.Now().AddDate(memoriesFadeWithin, 0, 0).UnixMilli()
	for late-early > 1 {
		clock.Store((early + late) / 2)
		stats, err := store.Lifecycle.Stats(ctx, key)
		if err != nil {
			return err
		}
		if stats.Due < max(1, size.Memories/100) {
			early = clock.Load()
		} else {
			late = clock.Load()
		}
	}
	clock.Store(late)
	started := time.Now()
	faded, err := store.Lifecycle.Decay(ctx, time.UnixMilli(late))
	size.DecayMS, size.Due = milliseconds(time.Since(started)), faded.Dormant+faded.Gone
	return err
}

// memoriesFadeWithin is how many years from now even the slowest memory is due.
const memoriesFadeWithin = 50

// filesMB is how many MB the files that match pattern take.
func filesMB(pattern string) (float64, error) {
	files, err := filepath.Glob(pattern)
	if err != nil {
		return 0, err
	}
	var bytes int64
	for _, f := range files {
		info, err := os.Stat(f)
		if err != nil {
			return 0, err
		}
		bytes += info.Size()
	}
	return float64(bytes) / (1 << 20), nil
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
