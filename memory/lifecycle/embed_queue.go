package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"time"

	"familiar/memory/entry"
	"familiar/memory/internal/db"
	"familiar/memory/vector"
)

// EmbeddingResult is the outcome for one task: a vector, or an error.
type EmbeddingResult struct {
	EmbeddingTask
	Vector []float32
	Err    error
}

// EmbeddingCounts counts what SaveVectors did.
type EmbeddingCounts struct {
	// Vectors were stored. Refused got none: they are retried later or, if GivenUp, never. Memories forgotten meanwhile
	// count in neither.
	Vectors, Refused, GivenUp int
}

const (
	// embedAttempts is how often a memory is tried before it is given up, embedPause the wait before the second try;
	// the wait doubles each time.
	embedAttempts = 5
	embedPause    = time.Minute
)

// EmbeddingBacklog returns at most limit memories that wait for a vector of the model in use: first those due for a
// retry, then those never tried, oldest first. Creating a memory queues nothing: the backlog is every memory without a
// vector.
func (s *Store) EmbeddingBacklog(ctx context.Context, limit int) (waiting []EmbeddingTask, err error) {
	err = s.db.Read(ctx, "list memories without vectors", func(tx *db.Tx) error {
		e, err := entry.ReadEmbedder(tx)
		if err != nil {
			return err
		}
		waiting, err = db.Collect[EmbeddingTask](tx.Query(embeddingTasks+`
			JOIN embedding_failures f ON f.memory_id = m.id WHERE f.not_before <= ? ORDER BY f.not_before, m.id LIMIT ? + 0`, tx.NowMillis(), limit))(scanEmbeddingTask)
		if err != nil || len(waiting) == limit {
			return err
		}
		fresh, err := db.Collect[EmbeddingTask](tx.Query(embeddingTasks+` WHERE m.id > ? AND `+entry.Unembedded+`
			ORDER BY m.id LIMIT ? + 0`, e.Mark, e.Since, limit-len(waiting)))(scanEmbeddingTask)
		waiting = append(waiting, fresh...)
		return err
	})
	return waiting, err
}

// SaveVectors stores the results for memories of EmbeddingBacklog, in the same order, in one transaction: after a crash
// either all of them wait again or none does. A vector that is unusable or has another length than the model's others
// counts as an error. A failed memory is retried, later each time, until it is given up. Memories that were forgotten
// or changed meanwhile, or whose neighbor was, are left out. It fails when the model in use is not model.
func (s *Store) SaveVectors(ctx context.Context, model string, done []EmbeddingResult) (kept EmbeddingCounts, err error) {
	err = s.db.Write(ctx, fmt.Sprintf("store %d vectors", len(done)), func(tx *db.Tx) error {
		e, err := entry.ReadEmbedder(tx)
		if err != nil {
			return err
		}
		if e.Model != model {
			return fmt.Errorf("they come from %s, but the model in use is %s now", model, e.Model)
		}
		k := vectorWriter{Tx: tx, EmbedderState: e}
		k.Revision++
		for _, d := range done {
			if err := k.take(d); err != nil {
				return fmt.Errorf("memory %d: %w", d.MemoryID, err)
			}
		}
		kept = k.kept
		_, err = tx.Exec(`UPDATE embedder SET dim = ?, mark = ?, revision = ?`, k.Dim, k.Mark, k.Revision)
		return err
	})
	return kept, err
}

// vectorWriter is one SaveVectors transaction.
type vectorWriter struct {
	*db.Tx
	entry.EmbedderState
	kept EmbeddingCounts
	// stopped reports that a memory was not as it was listed. Its id may belong to another memory by now, which must
	// stay after the mark and wait.
	stopped bool
}

func (k *vectorWriter) take(d EmbeddingResult) error {
	now, err := db.One(k.QueryRow(embeddingTasks+` WHERE m.id = ?`, d.MemoryID), scanEmbeddingTask)
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return err
	}
	if err != nil || now.Input() != d.Input() {
		k.stopped = k.stopped || d.MemoryID > k.Mark
		return nil
	}
	if d.MemoryID > k.Mark && !k.stopped {
		k.Mark = d.MemoryID
	}
	unit, err := k.usable(d)
	if err != nil {
		return k.fail(d.MemoryID, err)
	}
	if _, err := k.Exec(`DELETE FROM embedding_failures WHERE memory_id = ?`, d.MemoryID); err != nil {
		return err
	}
	k.kept.Vectors++
	_, err = k.Exec(`INSERT INTO memory_vectors (memory_id, revision, vector) VALUES (?, ?, ?)
		ON CONFLICT (memory_id) DO UPDATE SET revision = excluded.revision, vector = excluded.vector`,
		d.MemoryID, k.Revision, vector.Bytes(unit))
	return err
}

// usable returns the vector normalized to length 1. The model's first vector sets the length of the others.
func (k *vectorWriter) usable(d EmbeddingResult) ([]float32, error) {
	if d.Err != nil {
		return nil, d.Err
	}
	unit, err := vector.Unit(d.Vector)
	if err != nil {
		return nil, err
	}
	if k.Dim == 0 {
		k.Dim = len(unit)
	}
	if len(unit) != k.Dim {
		return nil, fmt.Errorf("%w: it has %d numbers, but the model's other vectors have %d: check that the provider still serves the same model",
			vector.ErrUnusable, len(unit), k.Dim)
	}
	return unit, nil
}

// fail records why there is no vector and when to try again.
func (k *vectorWriter) fail(id int64, cause error) error {
	attempts, err := k.attempts(id)
	if err != nil {
		return err
	}
	attempts++
	var again any
	if attempts < embedAttempts {
		again = db.Millis(k.Now.Add(embedPause << (attempts - 1)))
	} else {
		k.kept.GivenUp++
	}
	k.kept.Refused++
	_, err = k.Exec(`INSERT INTO embedding_failures (memory_id, attempts, not_before, error) VALUES (?, ?, ?, ?)
		ON CONFLICT (memory_id) DO UPDATE SET attempts = excluded.attempts, not_before = excluded.not_before, error = excluded.error`,
		id, attempts, again, cause.Error())
	return err
}

func (k *vectorWriter) attempts(id int64) (n int, err error) {
	err = k.QueryRow(`SELECT coalesce(max(attempts), 0) FROM embedding_failures WHERE memory_id = ?`, id).Scan(&n)
	return n, err
}
