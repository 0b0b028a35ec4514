package console

import (
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rivo/uniseg"
)

// testScreen is a terminal screen of unlimited height. It handles the few sequences the console uses and fails on
// others. The cursor is the cell shown in reverse.
type testScreen struct {
	t      *testing.T
	mu     sync.Mutex
	rows   [][]string // one grapheme per cell, "" after a wide one
	row    int
	column int

	reverse                 bool
	cursorRow, cursorColumn int
}

func (g *testScreen) Write(p []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for rest, state := string(p), -1; rest != ""; {
		if seq, ok := strings.CutPrefix(rest, "\x1b["); ok {
			end := strings.IndexFunc(seq, func(r rune) bool { return r >= 0x40 && r <= 0x7e })
			g.obey(seq[end], seq[:end])
			rest, state = seq[end+1:], -1
			continue
		}
		var cluster string
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		g.put(cluster)
	}
	return len(p), nil
}

func (g *testScreen) obey(final byte, parameters string) {
	n, err := strconv.Atoi(parameters)
	if err != nil {
		n = 1
	}
	switch final {
	case 'A':
		if g.row -= n; g.row < 0 {
			g.t.Errorf("the cursor leaves the top of the screen")
			g.row = 0
		}
	case 'C':
		g.column += n
	case 'J':
		for i := range g.rows {
			if i > g.row {
				g.rows[i] = nil
			} else if i == g.row {
				g.rows[i] = g.rows[i][:min(g.column, len(g.rows[i]))]
			}
		}
	case 'K':
		switch {
		case parameters == "2":
			g.rows[g.row] = nil
		case g.row < len(g.rows):
			g.rows[g.row] = g.rows[g.row][:min(g.column, len(g.rows[g.row]))]
		}
	case 'm':
		g.reverse = parameters == "7"
	case 'h', 'l': // modes
	default:
		g.t.Errorf("sequence ESC [ %s %c", parameters, final)
	}
}

func (g *testScreen) put(cluster string) {
	for len(g.rows) <= g.row {
		g.rows = append(g.rows, nil)
	}
	switch cluster {
	case "\r":
		g.column = 0
		return
	case "\n", "\r\n":
		g.row++
		if cluster == "\r\n" {
			g.column = 0
		}
		return
	}
	if strings.ContainsAny(cluster, "\x00\x07\x1b") {
		g.t.Errorf("control character in %q", cluster)
	}
	width := uniseg.StringWidth(cluster)
	for len(g.rows[g.row]) < g.column+width {
		g.rows[g.row] = append(g.rows[g.row], " ")
	}
	if width == 0 {
		return
	}
	switch {
	case g.reverse:
		g.cursorRow, g.cursorColumn = g.row, g.column
	case g.cursorRow == g.row && g.cursorColumn == g.column:
		g.cursorRow = -1
	}
	g.rows[g.row][g.column] = cluster
	for i := 1; i < width; i++ {
		g.rows[g.row][g.column+i] = ""
	}
	g.column += width
}

// await waits until want is visible. It is for terminals outside of bubbles.
func (g *testScreen) await(want string) {
	g.t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	deadline := time.After(45 * time.Second) // only ends tests that fail
	for !strings.Contains(g.String(), want) {
		select {
		case <-tick.C:
		case <-deadline:
			g.t.Fatalf("the screen does not show %q but\n%s", want, g)
		}
	}
}

// String returns the visible text, with | at the cursor.
func (g *testScreen) String() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	var rows []string
	for i, cells := range g.rows {
		row := strings.Join(cells, "")
		if at := g.cursorColumn; i == g.cursorRow && at < len(cells) {
			row = strings.Join(cells[:at], "") + "|" + strings.Join(cells[at:], "")
		}
		rows = append(rows, strings.TrimRight(row, " "))
	}
	return strings.TrimRight(strings.Join(rows, "\n"), "\n")
}
