package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"familiar/memory/entry"
	"familiar/memory/internal/db"
	"familiar/memory/jobrun"
	"familiar/memory/lexical"
	"familiar/memory/log"
	"familiar/memory/model"
	"familiar/memory/recall"
)

const (
	// duplicateThreshold is how alike two things put into words must be to say the same.
	duplicateThreshold = 0.85
	// duplicateWindow is how many of its kind and scope, the newest, an inference is compared with.
	duplicateWindow = 100
	// maxInferenceRunes is how many characters an inference may have: what is longer is no note but a copy.
	maxInferenceRunes = 4000
	// inferBatch is how many inferences one transaction takes: a turn waits behind it for a few milliseconds.
	inferBatch = 100
)

// Inference is something a job has put into words. Whoever worded it, it is kept only as far as it rests on messages
// that are there and that its audience may hear.
type Inference struct {
	Audience model.Audience
	Kind     model.Kind
	Sector   model.Sector
	Text     string
	Salience float64 // 0–1
	// Sources are the messages it was made from.
	Sources []int64
	// SessionID is the session it belongs to, 0 for none.
	SessionID int64
	// About is whom it is about, Entities its waypoints.
	About    []int64
	Entities []string
	// Near is what Text means, nil where no embedder is asked: whether it was said before goes by words alone then.
	Near *recall.QueryEmbedding
	// Condenses says that it stands for its sources from now on, as an episode does for the messages it tells; Supersedes
	// is the version it takes the place of, 0 for none. Neither may lose more than a quarter of what was there.
	Condenses  bool
	Supersedes int64
	// Strengthens are memories it shows to matter: they last longer from now on. It is no evidence of anything.
	Reinforces []int64
}

// Rejection is why an inference was not kept.
type Rejection string

// The reasons, in the order they are looked for.
const (
	RejectedEmpty     Rejection = "nothing said"
	RejectedLong      Rejection = "too long"
	RejectedSourced   Rejection = "no sources"
	RejectedUnknown   Rejection = "unknown source"
	RejectedForgotten Rejection = "forgotten source"
	RejectedForeign   Rejection = "source of others"
	RejectedOwnWords  Rejection = "own words alone"
	RejectedLoss      Rejection = "too much lost"
)

// InferResult counts what became of inferences.
type InferResult struct {
	Memories int `json:"memories"`
	// Duplicates said what was said before.
	Duplicates int               `json:"duplicates,omitempty"`
	Rejected   map[Rejection]int `json:"rejected,omitempty"`
	// IDs are the memories made, one for each inference in order, 0 for what was not kept.
	IDs []int64 `json:"-"`
}

// Reject counts one more that was not kept.
func (o *InferResult) Reject(why Rejection) {
	if o.Rejected == nil {
		o.Rejected = map[Rejection]int{}
	}
	o.Rejected[why]++
}

// Add counts more.
func (o *InferResult) Add(more InferResult) {
	o.Memories += more.Memories
	o.Duplicates += more.Duplicates
	o.IDs = append(o.IDs, more.IDs...)
	for why, n := range more.Rejected {
		if o.Rejected == nil {
			o.Rejected = map[Rejection]int{}
		}
		o.Rejected[why] += n
	}
}

// String says the counts in words, for the ledger.
func (o InferResult) String() string {
	words := fmt.Sprintf("made %d", o.Memories)
	if o.Duplicates > 0 {
		words += fmt.Sprintf(", %d known before", o.Duplicates)
	}
	for _, why := range slices.Sorted(maps.Keys(o.Rejected)) {
		words += fmt.Sprintf(", %d rejected (%s)", o.Rejected[why], why)
	}
	return words
}

// Infer is the one way by which jobs keep what they put into words. Each inference becomes a memory of origin Inferred
// that carries run, unless it is rejected: its sources must be listed, on record with their text, such as its audience
// may hear, and not the persona's own words alone; what says the same as another of its kind and scope is dropped; what
// takes the place of something may lose a quarter of it at most. Secrets are taken out. Sources are looked at in the
// transaction that writes: what was forgotten since a job read it leaves nothing behind.
//
// read says how far the job has read for this, and moves with the last of the inferences: a job that dies before that
// reads the same again, and what it had kept by then is a duplicate.
func (s *Store) Infer(ctx context.Context, persona string, run int64, inferences []Inference, read ...jobrun.Cursor) (done InferResult, err error) {
	for first := 0; first == 0 || first < len(inferences); first += inferBatch {
		some := inferences[first:min(first+inferBatch, len(inferences))]
		last := first+inferBatch >= len(inferences)
		var kept InferResult
		err := s.db.Write(ctx, "keep what a job made of the memories of "+persona, func(tx *db.Tx) (err error) {
			if kept, err = inferAll(tx, persona, run, some); err == nil && last {
				err = jobrun.SaveCursors(tx, persona, run, read)
			}
			return err
		})
		if err != nil {
			return done, err
		}
		done.Add(kept)
	}
	return done, nil
}

func inferAll(tx *db.Tx, persona string, run int64, inferences []Inference) (done InferResult, err error) {
	terms := lexical.NewReader() // what was said before in a scope is read for each of them
	for i, in := range inferences {
		id, err := infer(tx, persona, run, in, terms, &done)
		if err != nil {
			return done, fmt.Errorf("inference %d of kind %q: %w", i+1, in.Kind, err)
		}
		done.IDs = append(done.IDs, id)
	}
	return done, nil
}

// infer keeps one inference, or counts why it did not.
func infer(tx *db.Tx, persona string, run int64, in Inference, terms *lexical.Reader, done *InferResult) (int64, error) {
	in, ok, err := Admit(tx, persona, in, done)
	if err != nil || !ok {
		return 0, err
	}
	known, err := isDuplicate(tx, persona, in, terms)
	if err != nil {
		return 0, err
	}
	if known {
		done.Duplicates++
		return 0, nil
	}
	return Keep(tx, persona, run, in, done)
}

// admit is an inference as it may be kept, or counts why it is refused.
func Admit(tx *db.Tx, persona string, in Inference, done *InferResult) (Inference, bool, error) {
	if in.Kind == "" {
		return in, false, errors.New("what a job puts into words needs a kind")
	}
	in.Text = log.Redact(strings.TrimSpace(model.StripInvisible(in.Text)))
	in.Sources = db.Distinct(in.Sources)
	why, err := rejectionOf(tx, persona, in)
	if why != "" {
		done.Reject(why)
	}
	return in, err == nil && why == "", err
}

// keep makes an inference that was admitted a memory.
func Keep(tx *db.Tx, persona string, run int64, in Inference, done *InferResult) (int64, error) {
	id, err := entry.Remember(tx, entry.NewMemory{
		Persona: persona, Audience: in.Audience, Origin: model.OriginJob, SessionID: in.SessionID, Sector: in.Sector, Kind: in.Kind,
		Text: in.Text, Salience: in.Salience, Entities: in.Entities, About: in.About, Sources: in.Sources,
		Supersedes: in.Supersedes, JobRun: run,
	})
	if err != nil {
		return 0, err
	}
	done.Memories++
	return id, reinforceMemories(tx, run, persona, in)
}

// rejectionOf says why an inference is not kept, "" when nothing speaks against it.
func rejectionOf(tx *db.Tx, persona string, in Inference) (Rejection, error) {
	switch {
	case in.Text == "":
		return RejectedEmpty, nil
	case utf8.RuneCountInString(in.Text) > maxInferenceRunes:
		return RejectedLong, nil
	case len(in.Sources) == 0:
		return RejectedSourced, nil
	}
	sources, err := entry.Sources(tx, persona, in.Audience, in.Sources)
	if err != nil {
		return "", err
	}
	if len(sources) < len(in.Sources) {
		return RejectedUnknown, nil
	}
	own := true
	for _, s := range sources {
		switch {
		case s.Text == "":
			return RejectedForgotten, nil
		case !s.HeardBy(in.Audience):
			return RejectedForeign, nil
		}
		own = own && s.Person == 0
	}
	if own {
		return RejectedOwnWords, nil
	}
	return supersedesWithLoss(tx, in, sources)
}

// supersedesWithLoss says that an inference that takes the place of something leaves out too much of it.
func supersedesWithLoss(tx *db.Tx, in Inference, sources []entry.Source) (Rejection, error) {
	var texts []string
	if in.Condenses {
		for _, s := range sources {
			texts = append(texts, s.Text)
		}
	}
	if in.Supersedes != 0 {
		old, err := db.One(tx.QueryRow(`SELECT text FROM memories WHERE id = ?`, in.Supersedes), db.ScanText)
		if err != nil {
			return "", fmt.Errorf("memory %d, of which it is the next version: %w", in.Supersedes, err)
		}
		texts = append(texts, old)
	}
	if LosesContent(in.Text, texts...) {
		return RejectedLoss, nil
	}
	return "", nil
}
