package entry

import (
	"context"
	"errors"
	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"time"
)

// Embedding is how far the memories of the store have come on their way to vectors.
type Embedding struct {
	// Model is the model in use, empty when there never was one.
	Model string
	// Vectors memories have one of the model, Waiting are still to get one, Failed were given up.
	Vectors, Waiting, Failed int
	// Worth is how much the vectors tell beyond the words, 0–1: what likeness may add to a score is multiplied by it.
	Worth float64
	// Fault is why the embedder last could not be asked, empty when it went well since; FaultAt is when.
	Fault   string
	FaultAt time.Time
}

// embedder is the row of the model in use.
type EmbedderState struct {
	Model                 string
	Dim                   int
	Mark, Revision, Since int64
	Worth                 float64
	Judged                int
	fault                 string
	faultAt               time.Time
}

// embedder reads the model in use, ErrNotFound when there never was one.
func ReadEmbedder(tx *db.Tx) (EmbedderState, error) {
	return db.One(tx.QueryRow(`SELECT model, dim, mark, revision, since, worth, judged, fault, fault_at FROM embedder WHERE id = 1`),
		func(row db.Scanner) (e EmbedderState, err error) {
			err = row.Scan(&e.Model, &e.Dim, &e.Mark, &e.Revision, &e.Since, &e.Worth, &e.Judged, &e.fault, db.IntoTime(&e.faultAt))
			return e, err
		})
}

// UseEmbedder says which model's vectors are made from now on; nothing is written when it is the one in use. After
// another model everything waits for its vector anew.
func (s *Store) UseEmbedder(ctx context.Context, model string) error {
	var in EmbedderState
	err := s.db.ReadOne(ctx, "read the embedder in use", func(tx *db.Tx) (err error) {
		in, err = ReadEmbedder(tx)
		return err
	})
	if err == nil && in.Model == model || err != nil && !errors.Is(err, db.ErrNotFound) {
		return err
	}
	return s.db.Write(ctx, "begin to use the embedder "+model, func(tx *db.Tx) error {
		if _, err := tx.Exec(`DELETE FROM embedding_failures`); err != nil {
			return err
		}
		_, err := tx.Exec(`INSERT INTO embedder (id, model) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET
			model = excluded.model, dim = 0, mark = 0, since = embedder.revision, worth = 0, judged = 0, fault = '', fault_at = NULL`, model)
		return err
	})
}

// RetryEmbeddings lets what was given up wait again.
func (s *Store) RetryEmbeddings(ctx context.Context) error {
	return s.db.Write(ctx, "let failed embeddings wait again", func(tx *db.Tx) error {
		_, err := tx.Exec(`UPDATE embedding_failures SET attempts = 0, not_before = 0`)
		return err
	})
}

// NoteEmbedderFault keeps why the embedder could not be asked, for the operator to see; empty says that it could.
func (s *Store) NoteEmbedderFault(ctx context.Context, fault string) error {
	return s.db.Write(ctx, "note how the embedder does", func(tx *db.Tx) error {
		var at any
		if fault != "" {
			at = tx.NowMillis()
		}
		_, err := tx.Exec(`UPDATE embedder SET fault = ?, fault_at = ?`, fault, at)
		return err
	})
}

// Embedding counts what has a vector and what waits for one.
func (s *Store) Embedding(ctx context.Context) (st Embedding, err error) {
	err = s.db.Read(ctx, "count the vectors", func(tx *db.Tx) error {
		e, err := ReadEmbedder(tx)
		if errors.Is(err, db.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		st = Embedding{Model: e.Model, Worth: e.Worth, Fault: e.fault, FaultAt: e.faultAt}
		return tx.QueryRow(`SELECT (SELECT count(*) FROM memory_vectors WHERE revision > ?),
			(SELECT count(*) FROM memories m WHERE m.id > ? AND `+Unembedded+`)
				+ (SELECT count(*) FROM embedding_failures WHERE not_before IS NOT NULL),
			(SELECT count(*) FROM embedding_failures WHERE not_before IS NULL)`, e.Since, e.Mark, e.Since).
			Scan(&st.Vectors, &st.Waiting, &st.Failed)
	})
	return st, err
}

// unembedded is the condition that a memory m is recalled, has no vector written after a revision and did not fail: the
// persona's own story and dreams are never found by what they mean.
const Unembedded = scope.RecallableKinds + ` AND NOT EXISTS (SELECT 1 FROM memory_vectors v WHERE v.memory_id = m.id AND v.revision > ?)
	AND NOT EXISTS (SELECT 1 FROM embedding_failures f WHERE f.memory_id = m.id)`
