package toolserver

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"familiar/internal/web/readable"
)

// grace is how long a child may take to end after its input was closed.
const grace = 2 * time.Second

// child is a server that runs as a process of this one. Closing it closes its input, which asks it to end.
type child struct {
	io.WriteCloser
	out io.ReadCloser

	command *exec.Cmd
	words   tail
	exited  chan struct{}
	once    sync.Once
}

// start runs the command of a server with nothing of this process's environment but what s names.
func start(s Settings) (*child, error) {
	command := exec.Command(s.Command[0], s.Command[1:]...) //nolint:gosec,noctx // the operator names the program; kill ends it
	command.Dir, command.Env = s.Dir, append([]string{}, s.Env...)
	inGroup(command)
	c := &child{command: command, exited: make(chan struct{})}
	command.Stderr = &c.words
	command.WaitDelay = grace
	in, err := command.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("start the tool server %s: %w", s.Name, err)
	}
	// A pipe of our own, since that of exec.Cmd is closed before everything was read.
	read, write, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("start the tool server %s: %w", s.Name, err)
	}
	command.Stdout = write
	err = command.Start()
	_ = write.Close() // the child has its own
	if err != nil {
		_ = read.Close()
		return nil, fmt.Errorf("start the tool server %s: %s cannot be run: %w", s.Name, s.Command[0], err)
	}
	c.WriteCloser, c.out = in, read
	go func() {
		_ = command.Wait() // its last words say more than its exit code
		close(c.exited)
	}()
	return c, nil
}

// Close asks the child to end by closing its input, and ends it if it does not.
func (c *child) Close() error {
	err := c.WriteCloser.Close()
	select {
	case <-c.exited:
	case <-time.After(grace):
	}
	c.kill()
	return err
}

// kill ends the child and what it started, at once.
func (c *child) kill() {
	c.once.Do(func() {
		killGroup(c.command)
		_ = c.WriteCloser.Close()
		<-c.exited
		_ = c.out.Close()
	})
}

// tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	kept []byte
}

const maxTail = 2048 // bytes

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, p[max(0, len(p)-maxTail):]...)
	t.kept = t.kept[max(0, len(t.kept)-maxTail):]
	return len(p), nil
}

// String returns the last line.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := strings.Split(strings.TrimSpace(string(t.kept)), "\n")
	return readable.Line(lines[len(lines)-1], maxDescription)
}
