package pgtest

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

const (
	// startTimeout is how long a server may take to start, or to recover after a crash.
	startTimeout = 60 * time.Second
	// stopTimeout is how long a server may take to stop before it is killed.
	stopTimeout = 30 * time.Second
	// adminTimeout is how long making or removing a database may take on a busy machine.
	adminTimeout = 60 * time.Second
	// socketPort names the socket in a server's own directory.
	socketPort = 5432
)

// cluster is a server with its own data.
type cluster struct {
	*home
	bin  string
	args []string
	// host and port are where it listens for TCP, "" for nowhere.
	host string
	port int

	databases atomic.Int64

	mu   sync.Mutex
	cmd  *exec.Cmd
	done chan struct{} // closed when the running server has ended
}

// newCluster makes the data of a server that does not run yet. Its arguments are added to the usual ones.
func newCluster(bin string, args []string) (*cluster, error) {
	seed, err := seedData()
	if err != nil {
		return nil, err
	}
	h, err := newHome()
	if err != nil {
		return nil, err
	}
	if out, err := exec.Command("cp", "-a", seed, filepath.Join(h.dir, "data")).CombinedOutput(); err != nil {
		h.close()
		return nil, fmt.Errorf("copy PostgreSQL's data to %s: %w: %s", h.dir, err, out)
	}
	return &cluster{home: h, bin: bin, args: args, port: socketPort}, nil
}

// seedHome keeps the guard of the seed alive.
var seedHome *home

// seedData makes the data that all servers of the test binary start with, once: copying takes a tenth of the time of
// initdb.
var seedData = sync.OnceValues(func() (string, error) {
	h, err := newHome()
	if err != nil {
		return "", err
	}
	seedHome = h
	dir := filepath.Join(h.dir, "seed")
	cmd := exec.Command(filepath.Join(programs(), "initdb"), "-D", dir, "-U", "postgres", "-A", "trust", "-E", "UTF8",
		"--locale=C", "--no-sync", "--no-instructions")
	cmd.Dir = h.dir
	if err := detach(cmd); err != nil {
		return "", err
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("make PostgreSQL's data with initdb: %w: %s", err, out)
	}
	return dir, nil
})

// start starts the server and waits until it accepts connections.
func (c *cluster) start() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.running() {
		return nil
	}
	if err := c.launch(); err != nil {
		return fmt.Errorf("start PostgreSQL in %s: %w", c.dir, err)
	}
	if err := c.awaitReady(); err != nil {
		return fmt.Errorf("start PostgreSQL in %s: %w; its log:\n%s", c.dir, err, c.log())
	}
	return nil
}

func (c *cluster) launch() error {
	args := append([]string{
		"-D", filepath.Join(c.dir, "data"), "-k", c.dir, "-h", c.host, "-p", strconv.Itoa(c.port),
		"-c", "max_connections=300", "-c", "shared_buffers=32MB", "-c", "timezone=UTC", "-c", "log_timezone=UTC",
	}, c.args...)
	cmd := exec.Command(filepath.Join(c.bin, "postgres"), args...)
	cmd.Dir = c.dir
	if err := detach(cmd); err != nil {
		return err
	}
	log, err := os.OpenFile(c.logPath(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	defer log.Close() //nolint:errcheck // the server has its own handle
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		return err
	}
	done := make(chan struct{})
	c.cmd, c.done = cmd, done
	go func() {
		_ = cmd.Wait() // how it ended is in its log
		close(done)
	}()
	return nil
}

// awaitReady waits until the server accepts connections.
func (c *cluster) awaitReady() error {
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	for {
		conn, err := pgconn.Connect(ctx, c.url("postgres"))
		if err == nil {
			return conn.Close(ctx)
		}
		select {
		case <-c.done:
			return errors.New("it ended at once")
		case <-ctx.Done():
			return fmt.Errorf("it does not accept connections: %w", err)
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// running reports whether the server's process runs.
func (c *cluster) running() bool {
	if c.done == nil {
		return false
	}
	select {
	case <-c.done:
		return false
	default:
		return true
	}
}

// stop ends the server with a signal and waits until it has ended.
func (c *cluster) stop(how os.Signal) error {
	return c.end(func(p *os.Process) error { return p.Signal(how) })
}

// kill kills the server and all its processes at once, as a crash of the machine does.
func (c *cluster) kill() error {
	return c.end(func(p *os.Process) error { return killTree(p.Pid) })
}

func (c *cluster) end(how func(*os.Process) error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.running() {
		return nil
	}
	if err := how(c.cmd.Process); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("stop PostgreSQL in %s: %w", c.dir, err)
	}
	select {
	case <-c.done:
		return nil
	case <-time.After(stopTimeout):
		_ = c.cmd.Process.Signal(stopHard) // the error below says what happened
		<-c.done
		return fmt.Errorf("stop PostgreSQL in %s: it still ran after %v and was killed; its log:\n%s", c.dir, stopTimeout, c.log())
	}
}

// url is the URL of a database through the socket.
func (c *cluster) url(database string) string {
	q := url.Values{"host": {c.dir}, "port": {strconv.Itoa(c.port)}, "sslmode": {"disable"}}
	return "postgres://postgres@/" + database + "?" + q.Encode()
}

func (c *cluster) logPath() string { return filepath.Join(c.dir, "log") }

func (c *cluster) log() string {
	text, err := os.ReadFile(c.logPath())
	if err != nil {
		return err.Error()
	}
	return string(text)
}
