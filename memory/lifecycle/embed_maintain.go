package lifecycle

import (
	"context"
	"errors"

	"familiar/memory/entry"
	"familiar/memory/internal/db"
	"familiar/memory/lexical"
	"familiar/memory/vector"
)

const (
	// judgePairs is how many pairs of recent talk a model is judged by. Three quarters of them share a word and are
	// left out; the rest fixes the result to a few hundredths.
	judgePairs = 2000
	// judgeGrowth is the growth factor of the number of vectors after which the model is judged again.
	judgeGrowth = 1.25
)

// MaintainVectors is called when nothing waits for embedding. It removes vectors of earlier models and judges the model
// again when it has many more vectors than the last time.
func (s *Store) MaintainVectors(ctx context.Context) error {
	e, vectors, err := s.vectorsSince(ctx)
	if err != nil {
		return err
	}
	old, err := s.oldVectors(ctx, e.Since)
	if err != nil {
		return err
	}
	judge := float64(vectors) > judgeGrowth*float64(e.Judged)
	if !judge && !old {
		return nil
	}
	worth, judged := e.Worth, e.Judged
	if judge {
		pairs, err := s.judgedPairs(ctx, e)
		if err != nil {
			return err
		}
		worth, judged = vector.Worth(pairs), vectors
	}
	return s.db.Write(ctx, "clean up the vectors", func(tx *db.Tx) error {
		if _, err := tx.Exec(`DELETE FROM memory_vectors WHERE revision <= (SELECT since FROM embedder)`); err != nil {
			return err
		}
		_, err := tx.Exec(`UPDATE embedder SET worth = ?, judged = ? WHERE model = ? AND since = ?`, worth, judged, e.Model, e.Since)
		return err
	})
}

// vectorsSince returns the model in use and the number of its vectors.
func (s *Store) vectorsSince(ctx context.Context) (e entry.EmbedderState, vectors int, err error) {
	err = s.db.Read(ctx, "count the vectors of the model in use", func(tx *db.Tx) error {
		if e, err = entry.ReadEmbedder(tx); err != nil {
			return err
		}
		return tx.QueryRow(`SELECT count(*) FROM memory_vectors WHERE revision > ?`, e.Since).Scan(&vectors)
	})
	return e, vectors, err
}

func (s *Store) oldVectors(ctx context.Context, since int64) (there bool, err error) {
	err = s.db.ReadOne(ctx, "find old vectors", func(tx *db.Tx) error {
		return tx.QueryRow(`SELECT EXISTS (SELECT 1 FROM memory_vectors WHERE revision <= ?)`, since).Scan(&there)
	})
	return there, err
}

// judgedPairs returns the newest messages with vectors, each with the message before it.
func (s *Store) judgedPairs(ctx context.Context, e entry.EmbedderState) (pairs []vector.Pair, err error) {
	err = s.db.Read(ctx, "read messages to judge the vectors", func(tx *db.Tx) error {
		pairs, err = db.Collect[vector.Pair](tx.Query(`SELECT m.session_id, m.text, v.vector, p.text, w.vector
			FROM memory_vectors v JOIN memories m ON m.id = v.memory_id
			JOIN memories p ON p.id = m.parent_id JOIN memory_vectors w ON w.memory_id = p.id
			WHERE v.revision > ? AND w.revision > ? AND m.origin = 'said' AND m.session_id IS NOT NULL
			ORDER BY v.memory_id DESC LIMIT ? + 0`, e.Since, e.Since, judgePairs))(
			func(row db.Scanner) (p vector.Pair, err error) {
				var next, before string
				var a, b []byte
				if err := row.Scan(&p.Conversation, &next, &b, &before, &a); err != nil {
					return p, err
				}
				p.TermsA, p.TermsB = lexical.English.Terms(before), lexical.English.Terms(next)
				var errA, errB error
				p.A, errA = vector.Append(nil, a, e.Dim)
				p.B, errB = vector.Append(nil, b, e.Dim)
				return p, errors.Join(errA, errB)
			})
		return err
	})
	return pairs, err
}
