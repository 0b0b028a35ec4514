package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"familiar/channels"
	"familiar/memory"
	"familiar/memory/log"
	"familiar/persona/follow"
)

// WatchReport is what `bench watch` prints. Rates per CPU second do not depend on what else the machine does.
type WatchReport struct {
	// Files is the number of files that did not change while they were followed for Seconds; IdleCPUPercent is what that took of one
	// processor, LookMS the time of a single look at all of them.
	Files          int     `json:"files"`
	Seconds        float64 `json:"seconds"`
	IdleCPUPercent float64 `json:"idle_cpu_percent"`
	LookMS         float64 `json:"look_ms"`
	// NoiseMB is the size of a session with little but calls of tools and their results.
	NoiseMB          float64 `json:"noise_mb"`
	NoiseMBPerSec    float64 `json:"noise_mb_per_s"`
	NoiseMBPerCPUSec float64 `json:"noise_mb_per_cpu_s"`
	// Turns is the number of messages of a session without noise, a third of them by the person.
	Turns          int     `json:"turns"`
	TurnsPerSec    float64 `json:"turns_per_s"`
	TurnsPerCPUSec float64 `json:"turns_per_cpu_s"`
	RSSMB          float64 `json:"rss_mb"`
}

// WatchParts sets the extent of Watch.
type WatchParts struct {
	RecallParts
	Files, Megabytes, Turns int
	// Idle is how long the files are followed.
	Idle time.Duration
}

// Watch measures following session files: idle, and reading a session of noise and one of talk.
func Watch(ctx context.Context, parts WatchParts) (r WatchReport, err error) {
	dir, err := os.MkdirTemp("", "familiar-bench-")
	if err != nil {
		return r, fmt.Errorf("make a directory for the benchmark: %w", err)
	}
	defer os.RemoveAll(dir) //nolint:errcheck // the system cleans its temporary directory
	err = withStore(ctx, func(store *memory.Store) error {
		desk, err := newWatchDesk(ctx, parts, store, filepath.Join(dir, "sessions"))
		if err != nil {
			return err
		}
		for _, measure := range []func(context.Context, *WatchReport) error{desk.idle, desk.noise, desk.turns} {
			if err := measure(ctx, &r); err != nil {
				return fmt.Errorf("bench watch: %w", err)
			}
		}
		r.RSSMB = residentMB()
		return nil
	})
	return r, err
}

// watchDesk follows the sessions of one person.
type watchDesk struct {
	WatchParts
	store *memory.Store
	dir   string
	src   follow.Source
	read  *follow.Reader
	talk  *corpus
}

func newWatchDesk(ctx context.Context, parts WatchParts, store *memory.Store, dir string) (*watchDesk, error) {
	who := channels.Author{Handle: channels.Handle{Channel: "console", ID: "ann"}, Name: "Ann"}
	person, _, err := store.Turns.UpsertParticipant(ctx, channels.Message{
		Room: channels.Room{Channel: "console", ID: "dm/ann"}, Author: who, Direct: true, At: time.Now(),
	})
	if err != nil {
		return nil, err
	}
	engine := engineOn(parts.RecallParts, store, &sink{})
	free := func(context.Context) (func() error, error) { return func() error { return nil }, nil }
	return &watchDesk{
		WatchParts: parts, store: store, dir: dir, talk: newCorpus(),
		src:  follow.Source{Persona: parts.Card.Key, PersonID: person.ID, Author: who, Format: "claude-code"},
		read: &follow.Reader{Store: store, Now: time.Now, Lock: free, To: func(string) (follow.Recorder, error) { return engine, nil }},
	}, nil
}

// idle follows files that do not change.
func (d *watchDesk) idle(ctx context.Context, r *WatchReport) error {
	const perFolder = 50
	for i := range d.Files {
		folder := filepath.Join(d.dir, fmt.Sprintf("project-%d", i/perFolder))
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return err
		}
		if err := d.write(filepath.Join(folder, fmt.Sprintf("%d.jsonl", i)), i, func(w io.Writer, s *session) error { return s.says(w, "user", d.talk.sentence()) }); err != nil {
			return err
		}
	}
	w := log.Watch{Persona: d.src.Persona, PersonID: d.src.PersonID, Account: d.src.Author.Handle, Dir: d.dir, Format: d.src.Format, Pattern: "*.jsonl"}
	if _, err := d.store.Log.AddWatch(ctx, w); err != nil {
		return err
	}
	loop := follow.Loop{Reader: d.read, Log: discardLog}
	if _, err := loop.Once(ctx); err != nil {
		return err
	}
	began := time.Now()
	if _, err := loop.Once(ctx); err != nil {
		return err
	}
	r.Files, r.LookMS, r.Seconds = d.Files, float64(time.Since(began).Microseconds())/1000, d.Idle.Seconds()
	idle, stop := context.WithTimeout(ctx, d.Idle)
	defer stop()
	used := processorTime()
	loop.Run(idle)
	r.IdleCPUPercent = (processorTime() - used).Seconds() / d.Idle.Seconds() * 100
	return ctx.Err()
}

// noise reads a session of calls of tools, with a message in a hundred.
func (d *watchDesk) noise(ctx context.Context, r *WatchReport) error {
	const sayEvery, resultLines = 100, 60
	result := strings.Repeat("drwxr-xr-x 2 ann ann 4096 Mar  1 10:00 directory\n", resultLines)
	path, size := filepath.Join(filepath.Dir(d.dir), "noise.jsonl"), int64(d.Megabytes)<<20
	err := d.write(path, d.Files, func(w io.Writer, s *session) error {
		for s.size < size {
			err := s.result(w, result)
			if s.n%sayEvery == 0 && err == nil {
				err = s.says(w, "user", d.talk.sentence())
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	done, wall, used, err := d.measure(ctx, path)
	mb := float64(done.Bytes) / (1 << 20)
	r.NoiseMB, r.NoiseMBPerSec, r.NoiseMBPerCPUSec = mb, mb/wall.Seconds(), mb/used.Seconds()
	return err
}

// turns reads a session without noise.
func (d *watchDesk) turns(ctx context.Context, r *WatchReport) error {
	const ownOf = 3
	path := filepath.Join(filepath.Dir(d.dir), "turns.jsonl")
	err := d.write(path, d.Files+1, func(w io.Writer, s *session) error {
		for i := range d.Turns {
			role, text := "user", d.talk.sentence()
			if i%ownOf != 0 {
				role, text = "assistant", strings.Join([]string{text, d.talk.sentence(), d.talk.sentence()}, " ")
			}
			if err := s.says(w, role, text); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	done, wall, used, err := d.measure(ctx, path)
	r.Turns, r.TurnsPerSec, r.TurnsPerCPUSec = done.New, float64(done.New)/wall.Seconds(), float64(done.New)/used.Seconds()
	return err
}

// measure reads a file.
func (d *watchDesk) measure(ctx context.Context, path string) (done follow.Result, wall, used time.Duration, err error) {
	began, before := time.Now(), processorTime()
	done, err = d.read.File(ctx, d.src, path, true)
	return done, time.Since(began), max(processorTime()-before, 1), err
}

// write writes a session file.
func (d *watchDesk) write(path string, id int, fill func(w io.Writer, s *session) error) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(f)
	err = fill(out, &session{id: fmt.Sprint("session-", id), at: time.Now().AddDate(0, -1, 0)})
	if err == nil {
		err = out.Flush()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}

// session is a session file of Claude Code that is being written.
type session struct {
	id   string
	at   time.Time
	n    int
	size int64
}

func (s *session) record(w io.Writer, role string, content any, more map[string]any) error {
	const between = 20 * time.Second
	s.n, s.at = s.n+1, s.at.Add(between)
	line := map[string]any{
		"type": role, "isSidechain": false, "cwd": "/home/ann/garden", "sessionId": s.id, "version": "2.0.0", "uuid": fmt.Sprintf("%s-%d", s.id, s.n),
		"timestamp": s.at.UTC().Format(time.RFC3339Nano), "message": map[string]any{"role": role, "content": content},
	}
	for key, value := range more {
		line[key] = value
	}
	text, err := json.Marshal(line)
	if err != nil {
		return err
	}
	n, err := w.Write(append(text, '\n'))
	s.size += int64(n)
	return err
}

func (s *session) says(w io.Writer, role, text string) error {
	return s.record(w, role, []any{map[string]any{"type": "text", "text": text}}, nil)
}

func (s *session) result(w io.Writer, text string) error {
	return s.record(w, "user", []any{map[string]any{"type": "tool_result", "tool_use_id": "t", "content": text}}, map[string]any{
		"toolUseResult": map[string]any{"stdout": text, "stderr": ""},
	})
}
