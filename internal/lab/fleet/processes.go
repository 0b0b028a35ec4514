package fleet

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// processes are the processes that answer.
type processes struct {
	o       Options
	dir     string
	network network
	model   string
	dice    *rand.Rand
	running []*process
}

// process is one of them.
type process struct {
	cmd   *exec.Cmd
	log   *watchedLog
	ended chan struct{}
}

// config is the configuration of every process.
const config = `database: env:FLEET_DATABASE
persona: nell
debounce: {quiet: 0s}
model:
  provider: openai
  model: echo
  base_url: %s/v1
  api_key: env:FLEET_KEY
jobs: {refine: off}
channels:
  %s
limits: {answers_per_room_per_minute: 0}
`

// home returns the home of a process, and makes it if it is missing.
func (f *processes) home(i int) (string, error) {
	home := filepath.Join(f.dir, strconv.Itoa(i))
	if err := os.MkdirAll(home, 0o700); err != nil {
		return "", err
	}
	return home, os.WriteFile(filepath.Join(home, "familiar.yaml"), []byte(fmt.Sprintf(config, f.model, f.network.settings(i))), 0o600)
}

// startLimit is how long a process may take until it serves.
const startLimit = time.Minute

// start starts a process and returns how long it took until it served.
func (f *processes) start(ctx context.Context, i int) (took time.Duration, err error) {
	home, err := f.home(i)
	if err != nil {
		return 0, fmt.Errorf("make the home of process %d: %w", i, err)
	}
	p := &process{cmd: exec.Command(f.o.Binary, "--home", home, "run"), log: newWatchedLog(`msg=serving`), ended: make(chan struct{})}
	p.cmd.Env = append(os.Environ(), "FLEET_DATABASE="+f.o.Database, "FLEET_KEY=none", "FLEET_TOKEN="+token, "FLEET_SECRET="+secret)
	p.cmd.Stderr, p.cmd.Stdout = p.log, p.log
	began := time.Now()
	if err := p.cmd.Start(); err != nil {
		return 0, fmt.Errorf("start process %d: %w", i, err)
	}
	go func() { _ = p.cmd.Wait(); close(p.ended) }()
	if i == len(f.running) {
		f.running = append(f.running, p)
	} else {
		f.running[i] = p
	}
	select {
	case <-p.log.seen:
		return time.Since(began), nil
	case <-p.ended:
	case <-time.After(startLimit):
	case <-ctx.Done():
	}
	return 0, fmt.Errorf("process %d does not serve:\n%s", i, p.log)
}

// kill ends a process as kill -9 does.
func (f *processes) kill(i int) {
	p := f.running[i]
	_ = p.cmd.Process.Kill()
	<-p.ended
}

// stop ends all processes and returns what they said if one did not end well.
func (f *processes) stop() (err error) {
	for _, p := range f.running {
		_ = p.cmd.Process.Signal(syscall.SIGTERM)
	}
	for i := range f.running {
		err = errors.Join(err, f.end(i))
	}
	return err
}

// end asks a process to stop and waits until it has.
func (f *processes) end(i int) error {
	p := f.running[i]
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.ended:
	case <-time.After(startLimit):
		_ = p.cmd.Process.Kill()
		<-p.ended
	}
	// On a busy machine a process may end before its work has: then the work is repeated, and what is lost is counted.
	if code := p.cmd.ProcessState.ExitCode(); code != 0 && code != -1 && !strings.Contains(p.log.String(), "stopped before all work had ended") {
		return fmt.Errorf("process %d ended with exit code %d:\n%s", i, code, p.log)
	}
	return nil
}

// trouble returns what the processes said.
func (f *processes) trouble() error {
	var all strings.Builder
	for i, p := range f.running {
		fmt.Fprintf(&all, "process %d:\n%s\n", i, p.log)
	}
	return errors.New(all.String())
}

// cpu returns the CPU seconds that the running processes took.
func (f *processes) cpu() (seconds float64) {
	for _, p := range f.running {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
		if err != nil {
			continue
		}
		fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		if len(fields) < 13 {
			continue
		}
		user, _ := strconv.ParseFloat(fields[11], 64)
		system, _ := strconv.ParseFloat(fields[12], 64)
		seconds += (user + system) / 100
	}
	return seconds
}

// recorded returns the network ids of all that was recorded as shown.
func (f *processes) recorded(ctx context.Context) (map[int]bool, error) {
	c, err := pgconn.Connect(ctx, f.o.Database)
	if err != nil {
		return nil, fmt.Errorf("read what was recorded: %w", err)
	}
	defer func() { _ = c.Close(ctx) }()
	results, err := c.Exec(ctx, `SELECT external_id FROM sent_as`).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("read what was recorded: %w", err)
	}
	ids := map[int]bool{}
	for _, row := range results[0].Rows {
		id, _ := strconv.Atoi(string(row[0]))
		ids[id] = true
	}
	return ids, nil
}

// watchedLog keeps the end of what a process says and notices a word.
type watchedLog struct {
	word string
	seen chan struct{}

	mu   sync.Mutex
	text []byte
	once sync.Once
}

func newWatchedLog(word string) *watchedLog {
	return &watchedLog{word: word, seen: make(chan struct{})}
}

// keptLog is how many bytes are kept.
const keptLog = 16 << 10

// Write implements io.Writer.
func (l *watchedLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text = append(l.text, p...)
	if bytes.Contains(l.text, []byte(l.word)) {
		l.once.Do(func() { close(l.seen) })
	}
	if len(l.text) > keptLog {
		l.text = append([]byte(nil), l.text[len(l.text)-keptLog/2:]...)
	}
	return len(p), nil
}

// String returns the end of what was said.
func (l *watchedLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return string(l.text)
}
