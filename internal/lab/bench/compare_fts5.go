//go:build sqlite_fts5

package bench

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	_ "github.com/mattn/go-sqlite3" // the driver, here with FTS5

	"familiar/channels/transcript"
	"familiar/internal/tokens"
	"familiar/memory/lexical"
	"familiar/memory/model"
)

const hasFTS5 = true

// fts5 is the baseline: a table of turns in a separate file next to the store, ranked by FTS5 alone.
type fts5 struct {
	db   *sql.DB
	find *sql.Stmt
	book map[int64]model.Message
}

const (
	makeFTS5 = `CREATE VIRTUAL TABLE turns USING fts5(text, tokenize = 'porter unicode61')`
	fillFTS5 = `INSERT INTO turns (rowid, text) VALUES (?, ?)`
	findFTS5 = `SELECT rowid FROM turns WHERE turns MATCH ? ORDER BY bm25(turns) LIMIT ?`
)

func newFTS5(ctx context.Context, b *book) (asker, error) {
	f := &fts5{book: map[int64]model.Message{}}
	for _, m := range b.messages {
		f.book[m.ID] = m
	}
	var err error
	if f.db, err = sql.Open("sqlite3", filepath.Join(b.dir, "fts5.db")); err != nil {
		return nil, err
	}
	if err := f.fill(ctx); err != nil {
		f.db.Close() //nolint:errcheck,gosec // the first error counts
		return nil, fmt.Errorf("fill the fts5 baseline: %w", err)
	}
	return f, nil
}

func (f *fts5) fill(ctx context.Context) error {
	if _, err := f.db.ExecContext(ctx, makeFTS5); err != nil {
		return err
	}
	tx, err := f.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for _, id := range slices.Sorted(maps.Keys(f.book)) {
		if _, err := tx.ExecContext(ctx, fillFTS5, id, f.book[id].Text); err != nil {
			return err
		}
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	f.find, err = f.db.PrepareContext(ctx, findFTS5)
	return err
}

// ask finds the turns that hold any of the question's words and packs them in the order of their rank.
func (f *fts5) ask(ctx context.Context, q transcript.Question) (answer, error) {
	started := time.Now()
	ids, err := f.search(ctx, anyOf(q.Text))
	if err != nil {
		return answer{}, fmt.Errorf("ask the fts5 baseline: %w", err)
	}
	var a answer
	left := packBudget
	for _, id := range ids {
		m := f.book[id]
		a.ranked, a.sessions = append(a.ranked, id), append(a.sessions, m.SessionID)
		line := model.SnippetLine{Author: m.Name, At: m.At, Text: m.Text}.String()
		if need := tokens.Estimate(line); need <= left {
			left -= need
			a.packed = append(a.packed, id)
		}
	}
	a.took = time.Since(started)
	return a, nil
}

func (f *fts5) search(ctx context.Context, match string) (ids []int64, err error) {
	if match == "" {
		return nil, nil // FTS5 rejects an empty expression
	}
	rows, err := f.find.QueryContext(ctx, match, asked)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

// anyOf returns a match expression for any content word of text. Each word is quoted so that none acts as an operator.
// Function words are left out: with them, the baseline would lose another three points of recall.
func anyOf(text string) string {
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	words = slices.DeleteFunc(words, func(w string) bool { return len(lexical.English.Terms(w)) == 0 })
	for i, w := range words {
		words[i] = `"` + w + `"`
	}
	return strings.Join(words, " OR ")
}

func (f *fts5) close() error { return f.db.Close() }
