package entry

import (
	"context"
	"errors"
	"time"

	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
)

// Embedding is the embedding progress of the whole store.
type Embedding struct {
	// Model is the model in use, empty when none was ever used.
	Model string
	// Vectors counts memories with a vector of the model, Waiting those still to be embedded, Failed those given up.
	Vectors, Waiting, Failed int
	// Worth is how much the vectors add beyond the words, 0–1. Recall multiplies the similarity feature by it.
	Worth float64
	// Fault is why the last request to the embedder failed, empty after a success; FaultAt is when it failed.
	Fault   string
	FaultAt time.Time
}

// EmbeddingForm is the version of what is embedded of a memory (lifecycle.EmbeddingTask.Input). Vectors of another form
// are made anew. Form 1 was the bare text; form 2 says who speaks, after the beginning of the message before.
const EmbeddingForm = 2

// EmbedderState is the database row of the model in use. Dim is the length of its vectors (0 before the first), Mark
// the last memory embedded in order, Revision the last vector written, Since the revision at which this model came into
// use, Judged the number of vectors when Worth was last measured, Form the EmbeddingForm of its vectors.
type EmbedderState struct {
	Model                 string
	Form                  int
	Dim                   int
	Mark, Revision, Since int64
	Worth                 float64
	Judged                int
	fault                 string
	faultAt               time.Time
}

// ReadEmbedder reads the model in use. It fails with ErrNotFound when none was ever used.
func ReadEmbedder(tx *db.Tx) (EmbedderState, error) {
	return db.One(tx.QueryRow(`SELECT model, form, dim, mark, revision, since, worth, judged, fault, fault_at FROM embedder WHERE id = 1`),
		func(row db.Scanner) (e EmbedderState, err error) {
			err = row.Scan(&e.Model, &e.Form, &e.Dim, &e.Mark, &e.Revision, &e.Since, &e.Worth, &e.Judged, &e.fault, db.IntoTime(&e.faultAt))
			return e, err
		})
}

// UseEmbedder sets the model that makes vectors from now on, of EmbeddingForm. It writes nothing when that model is already
// in use. Changing the model or the form re-embeds everything.
func (s *Store) UseEmbedder(ctx context.Context, model string) error {
	var in EmbedderState
	err := s.db.ReadOne(ctx, "read the embedder in use", func(tx *db.Tx) (err error) {
		in, err = ReadEmbedder(tx)
		return err
	})
	if err == nil && in.Model == model && in.Form == EmbeddingForm || err != nil && !errors.Is(err, db.ErrNotFound) {
		return err
	}
	return s.db.Write(ctx, "switch to embedder "+model, func(tx *db.Tx) error {
		if _, err := tx.Exec(`DELETE FROM embedding_failures`); err != nil {
			return err
		}
		_, err := tx.Exec(`INSERT INTO embedder (id, model, form) VALUES (1, ?, ?) ON CONFLICT (id) DO UPDATE SET
			model = excluded.model, form = excluded.form, dim = 0, mark = 0, since = embedder.revision, worth = 0, judged = 0, fault = '', fault_at = NULL`, model, EmbeddingForm)
		return err
	})
}

// RetryEmbeddings puts memories whose embedding was given up back into the backlog.
func (s *Store) RetryEmbeddings(ctx context.Context) error {
	return s.db.Write(ctx, "retry failed embeddings", func(tx *db.Tx) error {
		_, err := tx.Exec(`UPDATE embedding_failures SET attempts = 0, not_before = 0`)
		return err
	})
}

// ReembedAfter removes the vectors of the memories that follow one, and has them made anew. Call it before that memory is
// removed: its text is part of what their vectors were made from.
func ReembedAfter(tx *db.Tx, id int64) error {
	followers := ` SELECT v.memory_id FROM memory_vectors v JOIN memories m ON m.id = v.memory_id WHERE m.parent_id = ?`
	if _, err := tx.Exec(`INSERT INTO embedding_failures (memory_id, attempts, not_before, error)
		SELECT f.memory_id, 0, 0, '' FROM (`+followers+`) f WHERE true ON CONFLICT (memory_id) DO NOTHING`, id); err != nil {
		return err
	}
	_, err := tx.Exec(`DELETE FROM memory_vectors WHERE memory_id IN (`+followers+`)`, id)
	return err
}

// NoteEmbedderFault stores why the embedder could not be reached, for the operator to see. An empty fault records a
// success.
func (s *Store) NoteEmbedderFault(ctx context.Context, fault string) error {
	return s.db.Write(ctx, "record the embedder's fault", func(tx *db.Tx) error {
		var at any
		if fault != "" {
			at = tx.NowMillis()
		}
		_, err := tx.Exec(`UPDATE embedder SET fault = ?, fault_at = ?`, fault, at)
		return err
	})
}

// Embedding counts the vectors of the model in use and the memories that wait for one. It is the zero Embedding before
// the first model.
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

// Unembedded is the SQL condition that memory m can be recalled, has no vector newer than a revision (its one argument)
// and has not failed. The persona's own story and dreams are never found by meaning, so they get no vector.
const Unembedded = scope.RecallableKinds + ` AND NOT EXISTS (SELECT 1 FROM memory_vectors v WHERE v.memory_id = m.id AND v.revision > ?)
	AND NOT EXISTS (SELECT 1 FROM embedding_failures f WHERE f.memory_id = m.id)`
