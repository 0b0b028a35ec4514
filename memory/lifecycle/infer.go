package lifecycle

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
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
	// duplicateThreshold is the similarity from which two inferences say the same.
	duplicateThreshold = 0.85
	// duplicateWindow is how many of the newest inferences of its kind and scope an inference is compared with.
	duplicateWindow = 100
	// maxInferenceRunes is the longest inference, in characters. A longer one would be a copy and not a note.
	maxInferenceRunes = 4000
	// inferBatch is how many inferences one transaction handles: a turn waits behind it for a few milliseconds.
	inferBatch = 100
)

// Inference is a text that a job proposes as a memory. Whatever wrote it, it is stored only if it rests on existing
// messages that its audience may see, or is a quotation of strangers for everybody (Kind.Foreign).
type Inference struct {
	Audience model.Audience
	Kind     model.Kind
	Sector   model.Sector
	Text     string
	Salience float64 // 0–1
	// Sources are the ids of the messages it was made from.
	Sources []int64
	// SessionID is its session, 0 for none.
	SessionID int64
	// About are the ids of the people it is about, Entities the names in it.
	About    []int64
	Entities []string
	// Near is the embedding of Text, nil without an embedder: duplicates are then found by words alone.
	Near *recall.QueryEmbedding
	// Condenses reports that it stands for its sources from now on, as an episode stands for its messages. Supersedes
	// is the version it replaces, 0 for none. Neither may lose more than a quarter of the content,
	// unless it is a portrait.
	Condenses  bool
	Supersedes int64
	// Reinforces are the ids of memories that it shows to be important: they last longer from now on. It is never
	// evidence.
	Reinforces []int64
}

// Rejection is why an inference was not stored.
type Rejection string

// The reasons, in the order they are checked.
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
	// Duplicates counts those that said what an earlier one says.
	Duplicates int               `json:"duplicates,omitempty"`
	Rejected   map[Rejection]int `json:"rejected,omitempty"`
	// IDs are the memories made, one for each inference in order, 0 for one that was not stored.
	IDs []int64 `json:"-"`
}

// Reject counts one more rejected inference.
func (o *InferResult) Reject(why Rejection) {
	if o.Rejected == nil {
		o.Rejected = map[Rejection]int{}
	}
	o.Rejected[why]++
}

// Add adds the counts of more.
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

// String describes the counts in words, for the job ledger.
func (o InferResult) String() string {
	words := fmt.Sprintf("made %d", o.Memories)
	if o.Duplicates > 0 {
		words += fmt.Sprintf(", %d duplicates", o.Duplicates)
	}
	for _, why := range slices.Sorted(maps.Keys(o.Rejected)) {
		words += fmt.Sprintf(", %d rejected (%s)", o.Rejected[why], why)
	}
	return words
}

// Infer is the only way for jobs to store what they put into words. Each inference becomes a memory of origin Inferred
// that carries run, unless it is rejected. Its sources must be listed, must still have their text, must be audible to
// its audience and must not all be the persona's own words. An inference that repeats another of its kind and scope is
// dropped. One that replaces something may lose at most a quarter of its content. Secrets are redacted. Sources are
// checked in the writing transaction, so that what was forgotten since the job read it leaves nothing behind.
//
// read is how far the job has read for these inferences. The cursors move with the last inference: a job that dies
// before that reads the same again, and what it had stored by then is rejected as a duplicate.
func (s *Store) Infer(ctx context.Context, persona string, run int64, inferences []Inference, read ...jobrun.Cursor) (done InferResult, err error) {
	for first := 0; first == 0 || first < len(inferences); first += inferBatch {
		some := inferences[first:min(first+inferBatch, len(inferences))]
		last := first+inferBatch >= len(inferences)
		var kept InferResult
		err := s.db.Write(ctx, "store a job's inferences for "+persona, func(tx *db.Tx) (err error) {
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
	if err := checkErased(tx, run); err != nil {
		return done, err
	}
	terms := lexical.NewReader() // caches the earlier inferences of a scope, which are compared with each new one
	for i, in := range inferences {
		id, err := infer(tx, persona, run, in, terms, &done)
		if err != nil {
			return done, fmt.Errorf("inference %d of kind %q: %w", i+1, in.Kind, err)
		}
		done.IDs = append(done.IDs, id)
	}
	return done, nil
}

// checkErased fails with log.ErrErased if somebody was erased since the run began: what it read may tell of them.
func checkErased(tx *db.Tx, run int64) error {
	var started time.Time
	err := tx.QueryRow(`SELECT started_at FROM job_runs WHERE id = ?`, run).Scan(db.IntoTime(&started))
	if errors.Is(err, sql.ErrNoRows) { // not a run of the ledger
		return nil
	}
	if err != nil {
		return err
	}
	return log.CheckErasedSince(tx, started)
}

// infer stores one inference, or counts why it did not.
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
	return SaveInference(tx, persona, run, in, done)
}

// Admit returns an inference as it may be stored, or counts why it is rejected.
func Admit(tx *db.Tx, persona string, in Inference, done *InferResult) (Inference, bool, error) {
	if in.Kind == "" {
		return in, false, errors.New("an inference needs a kind")
	}
	in.Text = log.Redact(strings.TrimSpace(model.StripInvisible(in.Text)))
	in.Sources = db.Distinct(in.Sources)
	why, err := rejectionOf(tx, persona, in)
	if why != "" {
		done.Reject(why)
	}
	return in, err == nil && why == "", err
}

// SaveInference stores an admitted inference as a memory and returns its id.
func SaveInference(tx *db.Tx, persona string, run int64, in Inference, done *InferResult) (int64, error) {
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

// rejectionOf returns why an inference is rejected, "" when it is not.
func rejectionOf(tx *db.Tx, persona string, in Inference) (Rejection, error) {
	switch {
	case in.Text == "":
		return RejectedEmpty, nil
	case utf8.RuneCountInString(in.Text) > maxInferenceRunes:
		return RejectedLong, nil
	case len(in.Sources) == 0 && in.Kind.Foreign() && in.Audience.Kind == model.World:
		return "", nil // it rests on nothing that was said
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

// supersedesWithLoss rejects an inference that replaces something and leaves out too much of it.
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
			return "", fmt.Errorf("superseded memory %d: %w", in.Supersedes, err)
		}
		texts = append(texts, old)
	}
	if in.Kind != model.Portrait && LosesContent(in.Text, texts...) { // a portrait is written anew from the facts
		return RejectedLoss, nil
	}
	return "", nil
}
