package memory

import (
	"context"
	"errors"
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
type embedder struct {
	model                 string
	dim                   int
	mark, revision, since int64
	worth                 float64
	judged                int
	fault                 string
	faultAt               time.Time
}

// embedder reads the model in use, ErrNotFound when there never was one.
func (c *conn) embedder() (embedder, error) {
	return one(c.row(`SELECT model, dim, mark, revision, since, worth, judged, fault, fault_at FROM embedder WHERE id = 1`),
		func(row scanner) (e embedder, err error) {
			err = row.Scan(&e.model, &e.dim, &e.mark, &e.revision, &e.since, &e.worth, &e.judged, &e.fault, intoTime(&e.faultAt))
			return e, err
		})
}

// UseEmbedder says which model's vectors are made from now on; nothing is written when it is the one in use. After
// another model everything waits for its vector anew.
func (s *Store) UseEmbedder(ctx context.Context, model string) error {
	var in embedder
	err := s.readOne(ctx, "read the embedder in use", func(tx *conn) (err error) {
		in, err = tx.embedder()
		return err
	})
	if err == nil && in.model == model || err != nil && !errors.Is(err, ErrNotFound) {
		return err
	}
	return s.write(ctx, "begin to use the embedder "+model, func(tx *conn) error {
		if _, err := tx.exec(`DELETE FROM embedding_failures`); err != nil {
			return err
		}
		_, err := tx.exec(`INSERT INTO embedder (id, model) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET
			model = excluded.model, dim = 0, mark = 0, since = embedder.revision, worth = 0, judged = 0, fault = '', fault_at = NULL`, model)
		return err
	})
}

// EmbedAgain lets what was given up wait again.
func (s *Store) EmbedAgain(ctx context.Context) error {
	return s.write(ctx, "let failed embeddings wait again", func(tx *conn) error {
		_, err := tx.exec(`UPDATE embedding_failures SET attempts = 0, not_before = 0`)
		return err
	})
}

// NoteEmbedderFault keeps why the embedder could not be asked, for the operator to see; empty says that it could.
func (s *Store) NoteEmbedderFault(ctx context.Context, fault string) error {
	return s.write(ctx, "note how the embedder does", func(tx *conn) error {
		var at any
		if fault != "" {
			at = tx.nowMS()
		}
		_, err := tx.exec(`UPDATE embedder SET fault = ?, fault_at = ?`, fault, at)
		return err
	})
}

// Embedding counts what has a vector and what waits for one.
func (s *Store) Embedding(ctx context.Context) (st Embedding, err error) {
	err = s.read(ctx, "count the vectors", func(tx *conn) error {
		e, err := tx.embedder()
		if errors.Is(err, ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		st = Embedding{Model: e.model, Worth: e.worth, Fault: e.fault, FaultAt: e.faultAt}
		return tx.row(`SELECT (SELECT count(*) FROM memory_vectors WHERE revision > ?),
			(SELECT count(*) FROM memories m WHERE m.id > ? AND `+unembedded+`)
				+ (SELECT count(*) FROM embedding_failures WHERE not_before IS NOT NULL),
			(SELECT count(*) FROM embedding_failures WHERE not_before IS NULL)`, e.since, e.mark, e.since).
			Scan(&st.Vectors, &st.Waiting, &st.Failed)
	})
	return st, err
}
