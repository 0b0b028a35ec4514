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

// Document is a longer text an operator gives, to be remembered passage by passage.
type Document struct {
	Persona  string
	Audience model.Audience
	// Name tells it from other documents of the audience, and is named with what is recalled of it: a file's name.
	Name string
	Text string
	// Markdown says that headings, lists, tables and code are marked up, as CommonMark has them.
	Markdown bool
	// Tags file every passage, also one that was known before.
	Tags []string
}

// IngestResult counts what became of a document's passages.
type IngestResult struct {
	Passages int
	// Added are new, Replaced are versions of passages that have changed; the rest were known.
	Added, Replaced int
	// Dropped are passages of the reading before that are no longer in the document.
	Dropped int
}

const (
	// passageTokens is how long a passage may be with the document's name: with its headings, too, it is shown whole, see
	// lineCap.
	passageTokens = 140
	// minPassageTokens is how many of these are left for the text, however deep its headings are.
	minPassageTokens = 60
	// passageSalience is how much a passage matters: like a fact about something else.
	passageSalience = entry.SalienceElsewhere
	// pathSeparator stands between a document, its headings and the headings under them.
	pathSeparator = " › "
)

// Ingest remembers a document, told by the operator: every passage is a memory that begins with the document's name and
// its headings. Ingesting it again adds nothing but what has changed since: a passage that reads differently is a new
// version of the one it replaces under the same heading, and what is no longer there is replaced by what is now. So
// nothing of an earlier reading is recalled, and nothing is lost. Passwords and keys are left out, as Redact says.
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

// passage is one part of a document as it is remembered, id 0 before it is.
type passage struct {
	id            int64
	heading, text string
	headings      []string
}

// passages cuts the document.
func (d Document) passages() ([]passage, error) {
	switch {
	case d.Name == "":
		return nil, errors.New("a document needs a name")
	case !utf8.ValidString(d.Text) || strings.ContainsRune(d.Text, 0):
		return nil, errors.New("it is no text in UTF-8: convert it first")
	}
	cut := document.Plain
	if d.Markdown {
		cut = document.Markdown
	}
	limit := max(minPassageTokens, passageTokens-tokens.Estimate(d.Name))
	var out []passage
	for _, p := range cut(log.Redact(strings.TrimPrefix(d.Text, "\ufeff")), limit) {
		heading := strings.Join(p.Headings, pathSeparator)
		place := strings.Join(append([]string{d.Name}, p.Headings...), pathSeparator)
		out = append(out, passage{heading: heading, headings: p.Headings, text: place + ":\n" + p.Text})
	}
	if len(out) == 0 {
		return nil, errors.New("there is nothing in it to remember")
	}
	return out, nil
}

// ingester is one Ingest at work.
type ingester struct {
	*db.Tx
	document Document
	before   []passage // known and not in the document as it is now
	done     IngestResult
}

// run remembers what is new: what is known word for word stays, what is left under a heading is taken for its versions.
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

// readKnown reads the passages that hold of the document.
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

// take takes the first known passage that fits, 0 for none.
func (in *ingester) take(fits func(passage) bool) int64 {
	i := slices.IndexFunc(in.before, fits)
	if i < 0 {
		return 0
	}
	id := in.before[i].id
	in.before = slices.Delete(in.before, i, i+1)
	return id
}

// add remembers a passage, as a newer version of old where that is not 0.
func (in *ingester) add(p *passage, old int64) (err error) {
	d := in.document
	filing := entry.Annotate(channels.Message{Text: p.text, At: in.Now}, "", nil)
	told := entry.ToldMemory(d.Persona, d.Audience, p.text, filing, false)
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

// drop replaces what is no longer in the document by what stands under its heading now, or by how the document begins.
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
