package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/creack/pty"
	"github.com/tonistiigi/vt100"
)

// The size of the terminal. A conversation must fit, because the picture omits what scrolls away.
const (
	rows    = 40
	columns = 100
)

const (
	// patience is the timeout for an answer.
	patience = 30 * time.Second
	// quiet is the time without screen changes after which an answer is complete.
	quiet = time.Second
)

// screen is a terminal that keeps its contents.
type screen struct {
	// home is the directory shown as ~.
	home string

	mu      sync.Mutex
	term    *vt100.VT100
	changed time.Time
}

// Write displays the output of a program.
func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.changed = time.Now()
	if _, err := s.term.Write(bytes.ReplaceAll(p, []byte(s.home), []byte("~"))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// talk runs cmd in a terminal with home as its home directory. It types each of lines once the previous one is
// answered, and returns the final screen.
func talk(cmd *exec.Cmd, home string, lines []string) (string, error) {
	keyboard, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: rows, Cols: columns})
	if err != nil {
		return "", err
	}
	defer func() { _ = keyboard.Close() }() // the program has ended
	s := &screen{home: home, term: vt100.NewVT100(rows, columns)}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = io.Copy(s, keyboard) // an error means that the program ended
	}()
	for answers := 1; ; answers++ { // the first is the greeting
		if err := s.await(answers); err != nil {
			return "", errors.Join(err, cmd.Process.Kill(), cmd.Wait())
		}
		if answers > len(lines) {
			break
		}
		if _, err := io.WriteString(keyboard, lines[answers-1]+"\r"); err != nil {
			return "", err
		}
	}
	shown := s.text()
	if _, err := io.WriteString(keyboard, "\x04"); err != nil {
		return "", err
	}
	<-ended
	return shown, cmd.Wait()
}

// await waits until the screen shows that many answers and stops changing.
func (s *screen) await(answers int) error {
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(quiet / 10) {
		s.mu.Lock()
		still := time.Since(s.changed) > quiet
		s.mu.Unlock()
		if text := s.text(); still && strings.Count(text, persona) >= answers && !strings.Contains(text, "is thinking") {
			return nil
		}
	}
	return fmt.Errorf("no answer %d within %s:\n%s", answers, patience, s.text())
}

// text returns the screen's contents, coloured by escape sequences, without trailing empty lines.
func (s *screen) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all strings.Builder
	for y, row := range s.term.Content {
		var line strings.Builder
		last := ""
		for x, r := range row {
			if code := colour(s.term.Format[y][x]); code != last {
				line.WriteString("\x1b[" + code + "m")
				last = code
			}
			line.WriteRune(r)
		}
		if last != "" {
			line.WriteString("\x1b[m")
		}
		all.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return strings.TrimRight(all.String(), "\n") + "\n"
}

// colour returns the escape sequence of a format, limited to the colours that the console uses.
func colour(f vt100.Format) string {
	switch {
	case f.Inverse, f.Negative:
		return "7"
	case f.Fg == vt100.Cyan:
		return "36"
	case f.Intensity == vt100.Dim:
		return "2"
	}
	return ""
}
