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

// ScaleReport is what `bench scale` prints: one entry per requested size.
type ScaleReport struct {
	Sizes []ScaleSize `json:"sizes"`
}

// ScaleSize holds the figures of a store with that many memories in one group.
type ScaleSize struct {
	Memories int `json:"memories"`
	// Rooms is the number of groups with that many memories each that are asked in turn, 0 for the one group.
	Rooms int `json:"rooms,omitempty"`
	// IngestPerSec is the number of messages ingested per second, from the inbox to the record.
	IngestPerSec float64 `json:"ingest_per_s"`
	// OpenMS is the time to open the store, ColdMS that of the first recall, WarmMS that of later recalls.
	OpenMS float64    `json:"open_ms"`
	ColdMS float64    `json:"cold_ms"`
	WarmMS Quantiles3 `json:"warm_ms"`
	// FirstMS is the time of the first recall in each room, nil for one group.
	FirstMS *Quantiles3 `json:"first_ms,omitempty"`
	// DecayMS is the time of the nightly job that expires faded memories. Due of them are due, a hundredth.
	DecayMS float64 `json:"decay_ms"`
	Due     int     `json:"due"`
	// Turn is what a turn with a model adds to the model's time, nil for many rooms.
	Turn *ModelTurns `json:"turn,omitempty"`
	// RSSMB is the process's resident memory after the recalls, DBMB the size of the store's files.
	RSSMB float64 `json:"rss_mb"`
	DBMB  float64 `json:"db_mb"`
}

const (
	// scaleQuestions is the number of different questions per size. questionsEach is the maximum number per memory, so
	// a few memories give fewer. acceptBatch is the number of backlog messages per transaction.
	scaleQuestions = 1000
	questionsEach  = 2
	acceptBatch    = 2000
)

// Scale measures recall and ingestion as a store grows. For each size the engine ingests messages into a new store. The
// store is then closed, opened again and asked different questions, with the context packed as for a turn.
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
	defer os.RemoveAll(dir) //nolint:errcheck // the system cleans its temporary directory
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
	messages, talk = nil, nil //nolint:ineffassign,wastedassign // free the data that made the store, so it does not count as serving memory
	debug.FreeOSMemory()
	if err := askStore(ctx, parts.Card.Key, path, last, questions, &size); err != nil {
		return ScaleSize{}, err
	}
	if size.Turn, err = turnsOn(ctx, parts, path, last, questions); err != nil {
		return ScaleSize{}, err
	}
	err = fadeStore(ctx, parts.Card.Key, path, &size)
	return size, err
}

// fillStore ingests messages into a new store at path and returns how long that took.
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

// askStore opens the store at path, asks the questions and fills in size.
func askStore(ctx context.Context, key, path string, last channels.Message, questions []string, size *ScaleSize) error {
	started := time.Now()
	store, err := memory.Open(ctx, path, memory.Options{Now: time.Now})
	if err != nil {
		return err
	}
	size.OpenMS = milliseconds(time.Since(started))
	defer store.Close() //nolint:errcheck // the store is temporary
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

// fadeStore opens the store at path at the moment when a hundredth of its memories is due to fade, and runs the decay.
func fadeStore(ctx context.Context, key, path string, size *ScaleSize) error {
	var clock atomic.Int64
	store, err := memory.Open(ctx, path, memory.Options{Now: func() time.Time { return time.UnixMilli(clock.Load()) }})
	if err != nil {
		return err
	}
	defer store.Close() //nolint:errcheck // the store is temporary
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

// memoriesFadeWithin is the number of years from now within which even the slowest memory is due.
const memoriesFadeWithin = 50

// filesMB returns the total size in MB of the files that match pattern.
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
