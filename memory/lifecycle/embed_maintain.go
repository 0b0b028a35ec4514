package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"slices"

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

// Embed returns a vector for each text, in order.
type Embed func(ctx context.Context, texts []string) ([][]float32, error)

// MaintainVectors is called when nothing waits for embedding. It removes vectors of earlier models and judges the model
// again when it has many more vectors than the last time, by the talk in the store and by paraphrases, which it has
// embedded: the better result counts. Without embed it judges by the talk alone.
func (s *Store) MaintainVectors(ctx context.Context, embed Embed) error {
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
		if worth, err = s.judge(ctx, e, embed); err != nil {
			return err
		}
		judged = vectors
	}
	return s.db.Write(ctx, "clean up the vectors", func(tx *db.Tx) error {
		if _, err := tx.Exec(`DELETE FROM memory_vectors WHERE revision <= (SELECT since FROM embedder)`); err != nil {
			return err
		}
		_, err := tx.Exec(`UPDATE embedder SET worth = ?, judged = ? WHERE model = ? AND since = ?`, worth, judged, e.Model, e.Since)
		return err
	})
}

// judge returns the worth of the model in use.
func (s *Store) judge(ctx context.Context, e entry.EmbedderState, embed Embed) (float64, error) {
	pairs, err := s.judgedPairs(ctx, e)
	if err != nil {
		return 0, err
	}
	worth := vector.Worth(pairs)
	if embed == nil || worth == 1 {
		return worth, nil
	}
	language, err := s.talkLanguage(ctx)
	if err != nil {
		return 0, err
	}
	paraphrased, err := judgeByParaphrases(ctx, vector.Paraphrases(language), embed)
	return max(worth, paraphrased), err
}

// judgeByParaphrases returns the worth that a model shows on pairs of paraphrases.
func judgeByParaphrases(ctx context.Context, pairs [][2]string, embed Embed) (float64, error) {
	var texts []string
	for _, p := range pairs {
		texts = append(texts, p[0], p[1])
	}
	vectors, err := embed(ctx, texts)
	if err != nil {
		return 0, fmt.Errorf("judge the model by paraphrases: %w", err)
	}
	var sides [2][][]float32
	for i, v := range vectors {
		unit, err := vector.Unit(v)
		if err != nil {
			return 0, nil //nolint:nilerr // a model whose vectors cannot be used is worth nothing
		}
		sides[i%2] = append(sides[i%2], unit)
	}
	return vector.ParaphraseWorth(sides[0], sides[1]), nil
}

// languageMessages is how many of the latest messages show the language of the talk.
const languageMessages = 100

// talkLanguage returns the language of most of the latest messages, as a BCP 47 primary subtag.
func (s *Store) talkLanguage(ctx context.Context) (most string, err error) {
	counts := map[string]int{}
	err = s.db.Read(ctx, "read the latest talk", func(tx *db.Tx) error {
		texts, err := db.Collect[string](tx.Query(`SELECT text FROM memories WHERE origin = 'said' ORDER BY id DESC LIMIT ? + 0`, languageMessages))(
			func(row db.Scanner) (text string, err error) { return text, row.Scan(&text) })
		for _, text := range texts {
			tag := lexical.Detect(text).Tag()
			if counts[tag]++; counts[tag] > counts[most] {
				most = tag
			}
		}
		return err
	})
	return most, err
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

// judgedPairs returns the newest messages with vectors, each with the message two before it: the message directly before
// was embedded with it.
func (s *Store) judgedPairs(ctx context.Context, e entry.EmbedderState) (pairs []vector.Pair, err error) {
	err = s.db.Read(ctx, "read messages to judge the vectors", func(tx *db.Tx) error {
		pairs, err = db.Collect[vector.Pair](tx.Query(`SELECT m.session_id, coalesce(m.author_id, 0), m.text, b.text, v.vector,
			a.text, coalesce(o.text, ''), w.vector
			FROM memory_vectors v JOIN memories m ON m.id = v.memory_id JOIN memories b ON b.id = m.parent_id
			JOIN memories a ON a.id = b.parent_id JOIN memory_vectors w ON w.memory_id = a.id
			LEFT JOIN memories o ON o.id = a.parent_id
			WHERE v.revision > ? AND w.revision > ? AND m.origin = 'said' AND m.session_id IS NOT NULL
			ORDER BY v.memory_id DESC LIMIT ? + 0`, e.Since, e.Since, judgePairs))(
			func(row db.Scanner) (p vector.Pair, err error) {
				var later, earlier EmbeddingTask
				var a, b []byte
				if err := row.Scan(&p.Conversation, &p.Speaker, &later.Text, &later.Before, &b, &earlier.Text, &earlier.Before, &a); err != nil {
					return p, err
				}
				p.TermsA, p.TermsB = judgedTerms(earlier), judgedTerms(later)
				var errA, errB error
				p.A, errA = vector.Append(nil, a, e.Dim)
				p.B, errB = vector.Append(nil, b, e.Dim)
				return p, errors.Join(errA, errB)
			})
		return err
	})
	return pairs, err
}

// judgedTerms returns the distinct terms of what was embedded, in order.
func judgedTerms(w EmbeddingTask) []string {
	terms := lexical.English.Terms(w.Input())
	slices.Sort(terms)
	return slices.Compact(terms)
}
