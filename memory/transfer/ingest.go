package transfer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"familiar/channels"
	"familiar/internal/tokens"
	"familiar/memory/document"
	"familiar/memory/entry"
	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/log"
	"familiar/memory/model"
)

// Document is a longer text from the operator, to be remembered passage by passage.
type Document struct {
	Persona  string
	Audience model.Audience
	// Name identifies the document within its audience, usually a file name. It is shown with what is recalled.
	Name string
	Text string
	// Markdown says that the text is CommonMark.
	Markdown bool
	// Tags are added to every passage, including known ones.
	Tags []string
}

// IngestResult counts what happened to a document's passages.
type IngestResult struct {
	Passages int
	// Added are new, Replaced are new versions of changed passages; the rest were known.
	Added, Replaced int
	// Dropped are passages of the previous version that are no longer in the document.
	Dropped int
}

const (
	// passageTokens is the maximum length of a passage including the document's name. With its headings it must still
	// be shown whole; see lineCap in package recall.
	passageTokens = 140
	// minPassageTokens are reserved for the text, however long the name is.
	minPassageTokens = 60
	// passageSalience is the salience of a passage, that of a fact about something else.
	passageSalience = entry.SalienceElsewhere
	// pathSeparator joins a document's name and its nested headings.
	pathSeparator = " › "
)

// Ingest remembers a document from the operator. Every passage becomes a memory that begins with the document's name
// and its headings. Ingesting it again stores only changes: a passage that reads differently becomes a new version of
// the one under the same heading, and a dropped passage is superseded by a current one. So recall never finds an
// earlier version, and nothing is lost. Secrets are redacted as in log.Redact.
func (s *Store) Ingest(ctx context.Context, d Document) (done IngestResult, err error) {
	what := "ingest " + d.Name
	fresh, err := d.passages()
	if err != nil {
		return IngestResult{}, fmt.Errorf("%s: %w", what, err)
	}
	err = s.db.Write(ctx, what, func(tx *db.Tx) error {
		in := ingester{Tx: tx, document: d, done: IngestResult{Passages: len(fresh)}}
		err := in.run(fresh)
		done = in.done
		return err
	})
	if err != nil {
		return IngestResult{}, err
	}
	return done, nil
}

// passage is one part of a document as it is remembered. Its id is 0 until it is stored.
type passage struct {
	id            int64
	heading, text string
	headings      []string
}

// passages splits the document.
func (d Document) passages() ([]passage, error) {
	switch {
	case d.Name == "":
		return nil, errors.New("a document needs a name")
	case !utf8.ValidString(d.Text) || strings.ContainsRune(d.Text, 0):
		return nil, errors.New("the document is not UTF-8 text: convert it first")
	}
	cut := document.Plain
	if d.Markdown {
		cut = document.Markdown
	}
	limit := max(minPassageTokens, passageTokens-tokens.Estimate(d.Name))
	var out []passage
	for _, p := range cut(log.Redact(strings.TrimPrefix(d.Text, byteOrderMark)), limit) {
		heading := strings.Join(p.Headings, pathSeparator)
		place := strings.Join(append([]string{d.Name}, p.Headings...), pathSeparator)
		out = append(out, passage{heading: heading, headings: p.Headings, text: place + ":\n" + p.Text})
	}
	if len(out) == 0 {
		return nil, errors.New("it contains no text to remember")
	}
	return out, nil
}

// ingester is the state of one Ingest call.
type ingester struct {
	*db.Tx
	document Document
	before   []passage // known passages not found in the new version so far
	done     IngestResult
}

// run stores what is new. A passage known word for word stays; a remaining known passage under the same heading becomes
// its older version.
func (in *ingester) run(fresh []passage) error {
	if err := in.readKnown(); err != nil {
		return err
	}
	for i := range fresh {
		fresh[i].id = in.take(func(p passage) bool { return p.text == fresh[i].text })
	}
	for i, p := range fresh {
		if p.id != 0 {
			continue
		}
		old := in.take(func(q passage) bool { return q.heading == p.heading })
		if err := in.add(&fresh[i], old); err != nil {
			return err
		}
	}
	for _, p := range fresh {
		if err := entry.AddTags(in.Tx, p.id, in.document.Tags); err != nil {
			return err
		}
	}
	return in.drop(fresh)
}

// readKnown reads the current passages of the document.
func (in *ingester) readKnown() (err error) {
	clause, ref := scope.MemoryCondition(in.document.Audience)
	in.before, err = db.Collect[passage](in.Query(`SELECT m.id, p.heading, m.text FROM passages p JOIN memories m ON m.id = p.memory_id
		WHERE p.document = ? AND m.persona = ? AND m.superseded_by IS NULL AND `+clause+` ORDER BY m.id`,
		append([]any{in.document.Name, in.document.Persona}, ref...)...))(func(row db.Scanner) (p passage, err error) {
		err = row.Scan(&p.id, &p.heading, &p.text)
		return p, err
	})
	return err
}

// take removes and returns the first known passage that fits, 0 if none.
func (in *ingester) take(fits func(passage) bool) int64 {
	i := slices.IndexFunc(in.before, fits)
	if i < 0 {
		return 0
	}
	id := in.before[i].id
	in.before = slices.Delete(in.before, i, i+1)
	return id
}

// add remembers a passage, as a newer version of old unless that is 0.
func (in *ingester) add(p *passage, old int64) (err error) {
	d := in.document
	filing := entry.Annotate(channels.Message{Text: p.text, At: in.Now}, "", nil)
	told := entry.OperatorMemory(d.Persona, d.Audience, p.text, filing, false)
	told.Sector, told.Salience, told.Instruction, told.Supersedes = model.Semantic, passageSalience, false, old
	told.Entities = slices.Concat(p.headings, told.Entities)
	if p.id, err = entry.Remember(in.Tx, told); err != nil {
		return err
	}
	if old == 0 {
		in.done.Added++
	} else {
		in.done.Replaced++
	}
	_, err = in.Exec(`INSERT INTO passages (memory_id, document, heading) VALUES (?, ?, ?)`, p.id, d.Name, p.heading)
	return err
}

// drop supersedes passages that are no longer in the document by the one under their heading now, or by the first one.
func (in *ingester) drop(fresh []passage) error {
	for _, old := range in.before {
		i := max(0, slices.IndexFunc(fresh, func(p passage) bool { return p.heading == old.heading }))
		if _, err := in.Exec(`UPDATE memories SET superseded_by = ? WHERE id = ?`, fresh[i].id, old.id); err != nil {
			return err
		}
	}
	if in.done.Dropped = len(in.before); in.done.Dropped == 0 {
		return nil
	}
	return scope.Advance(in.Tx, in.document.Persona, model.ScopeRevision{Audience: in.document.Audience, Epoch: 1})
}
