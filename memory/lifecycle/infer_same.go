package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"familiar/memory/entry"
	"familiar/memory/internal/db"
	"familiar/memory/lexical"
	"familiar/memory/model"
	"familiar/memory/recall"
	"familiar/memory/understand"
	"familiar/memory/vector"
)

// inferredBefore selects the newest inferences of a kind in a scope, with their entities and their vectors of the model
// in use.
const inferredBefore = `SELECT m.text, (SELECT coalesce(group_concat(e.entity, '` + entitySeparator + `'), '') FROM memory_entities e WHERE e.memory_id = m.id),
	v.vector FROM memories m
	LEFT JOIN memory_vectors v ON v.memory_id = m.id AND v.revision > (SELECT coalesce(max(since), 0) FROM embedder)
	WHERE m.persona = ? AND m.kind = ? AND coalesce(m.audience_person, 0) = ? AND coalesce(m.audience_room, 0) = ?
		AND m.kind <> '' AND m.superseded_by IS NULL ORDER BY m.id DESC LIMIT ? + 0`

// InferredTexts returns the texts of the newest hundred inferences of a kind in a scope, newest first. Jobs use it to
// avoid repeating themselves.
func (s *Store) InferredTexts(ctx context.Context, persona string, kind model.Kind, a model.Audience) (texts []string, err error) {
	err = s.db.Read(ctx, fmt.Sprintf("read the inferences in %s %d", a.Kind, a.Ref), func(tx *db.Tx) error {
		before, err := readInferred(tx, persona, kind, a)
		for _, b := range before {
			texts = append(texts, b.text)
		}
		return err
	})
	return texts, err
}

// earlierInference is an inference already stored.
type earlierInference struct {
	text   string
	names  []string
	vector []byte
}

func readInferred(tx *db.Tx, persona string, kind model.Kind, a model.Audience) ([]earlierInference, error) {
	return db.Collect[earlierInference](tx.Query(inferredBefore, persona, kind, audienceRef(a, model.Private), audienceRef(a, model.InRoom), duplicateWindow))(
		func(row db.Scanner) (b earlierInference, err error) {
			var names string
			err = row.Scan(&b.text, &names, &b.vector)
			if names != "" {
				b.names = strings.Split(names, entitySeparator)
			}
			return b, err
		})
}

// isDuplicate reports whether an earlier inference of the kind and scope says the same. Inferences with different names
// differ, however similar the rest is: the names tell two patterns apart.
func isDuplicate(tx *db.Tx, persona string, in Inference, terms *lexical.Reader) (bool, error) {
	known, err := readInferred(tx, persona, in.Kind, in.Audience)
	if err != nil || len(known) == 0 {
		return false, err
	}
	meant, err := comparableVector(tx, in.Near)
	if err != nil {
		return false, err
	}
	as, folded, names := lexical.Detect(in.Text), model.NormalizeValue(in.Text), entry.NormalizeEntities(in.Entities)
	own := terms.Terms(as, in.Text)
	for _, b := range known {
		if model.NormalizeValue(b.text) == folded {
			return true, nil
		}
		if !sameNames(names, b.names) {
			continue
		}
		near, err := meant.cosine(b.vector)
		if err != nil {
			return false, err
		}
		if max(near, recall.TermOverlap(own, terms.Terms(as, b.text))) > duplicateThreshold {
			return true, nil
		}
	}
	return false, nil
}

// audienceRef returns the reference of an audience of the given kind, 0 for another kind.
func audienceRef(a model.Audience, kind model.AudienceKind) int64 {
	if a.Kind == kind {
		return a.Ref
	}
	return 0
}

// sameNames reports whether two lists are equal or one is empty.
func sameNames(a, b []string) bool {
	a, b = slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))
	return len(a) == 0 || len(b) == 0 || slices.Equal(a, b)
}

// textVector is an embedding that can be compared with the store's vectors. The zero textVector is similar to nothing.
type textVector struct {
	unit []float32
	dim  int
}

// comparableVector returns near if it is of the model in use, else the zero textVector.
func comparableVector(tx *db.Tx, near *recall.QueryEmbedding) (textVector, error) {
	if near == nil {
		return textVector{}, nil
	}
	e, err := entry.ReadEmbedder(tx)
	if errors.Is(err, db.ErrNotFound) {
		return textVector{}, nil
	}
	if err != nil || e.Model != near.Model || e.Dim != len(near.Vector) {
		return textVector{}, err
	}
	unit, err := vector.Unit(near.Vector)
	if err != nil {
		return textVector{}, fmt.Errorf("compare with earlier inferences: %w", err)
	}
	return textVector{unit, e.Dim}, nil
}

// cosine returns the cosine similarity to a stored vector, 0 without one.
func (m textVector) cosine(stored []byte) (float64, error) {
	if m.unit == nil || stored == nil {
		return 0, nil
	}
	other, err := vector.Append(nil, stored, m.dim)
	if err != nil {
		return 0, err
	}
	return float64(vector.Dot(m.unit, other)), nil
}

const (
	// maxContentLoss is the share of content that may be missing in a replacement.
	maxContentLoss = 0.25
	// nameWeight is how many times as much names and numbers count as other words: a summary without them says less
	// than it seems to.
	nameWeight = 3
)

// ContentLoss returns the share, 0–1, of the content of texts that is missing in product. The content is the content
// words by stem, counted once for each text that contains them; names and words with a digit count three times. Texts
// without content lose nothing.
func ContentLoss(product string, texts ...string) float64 {
	gist := lexical.GistOf(texts...)
	kept := recall.DistinctTerms(gist, product)
	var all, missing float64
	for _, text := range texts {
		named := namedTerms(gist, text)
		for _, term := range recall.DistinctTerms(gist, text) {
			weight := 1.0
			if slices.Contains(named, term) || strings.ContainsFunc(term, unicode.IsDigit) {
				weight = nameWeight
			}
			all += weight
			if _, found := slices.BinarySearch(kept, term); !found {
				missing += weight
			}
		}
	}
	if all == 0 {
		return 0
	}
	return missing / all
}

// LosesContent reports whether product leaves out too much of texts to replace them.
func LosesContent(product string, texts ...string) bool {
	return ContentLoss(product, texts...) > maxContentLoss
}

// namedTerms returns the terms of the names in a text.
func namedTerms(gist lexical.Gist, text string) (terms []string) {
	for _, name := range understand.Analyze(understand.Utterance{Text: text}).Entities {
		terms = append(terms, gist.Terms(name)...)
	}
	return terms
}
