package transfer

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"os"
	"slices"
	"testing"

	"familiar/memory/internal/dbtest"

	"familiar/memory/internal/db"
)

// FuzzImport imports exports with one changed line. The import must fail, or succeed so that importing again changes
// nothing and its own export can be imported too.
func FuzzImport(f *testing.F) {
	good, err := os.ReadFile("../testdata/export.jsonl")
	if err != nil {
		f.Fatal(err)
	}
	lines := bytes.SplitAfter(good, []byte("\n"))
	for i, line := range lines {
		f.Add(i, line)
		f.Add((i*7+3)%len(lines), line)
	}
	s := New(dbtest.Open(f))
	errUndo := errors.New("undo")
	f.Fuzz(func(t *testing.T, i int, line []byte) {
		changed := slices.Clone(lines)
		if i >= 0 && i < len(lines) {
			changed[i] = line
		}
		text := bytes.Join(changed, nil)
		err := s.db.Write(context.Background(), "try an import", func(tx *db.Tx) error {
			if newImporter(tx).read(context.Background(), "f", bytes.NewReader(text)) != nil {
				return errUndo
			}
			once := exportedIn(t, tx)
			for _, again := range [][]byte{text, once} {
				if err := newImporter(tx).read(context.Background(), "f", bytes.NewReader(again)); err != nil {
					t.Errorf("it is not taken again: %v\n%s", err, again)
				} else if twice := exportedIn(t, tx); !bytes.Equal(once, twice) {
					t.Errorf("once\n%s\ntwice\n%s", once, twice)
				}
			}
			return errUndo
		})
		if !errors.Is(err, errUndo) {
			t.Fatal(err)
		}
	})
}

func exportedIn(t *testing.T, tx *db.Tx) []byte {
	t.Helper()
	var b bytes.Buffer
	e := exporter{Tx: tx, out: bufio.NewWriter(&b), rows: map[string][]int64{}, counts: Counts{}}
	if err := e.run(context.Background()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
