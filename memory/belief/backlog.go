package belief

import (
	"context"
	"fmt"
	"time"

	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/jobrun"
	"familiar/memory/model"
	"familiar/memory/understand"
)

// Backlog returns the messages in a scope that a job has not read, oldest first, each with what the persona said just
// before. It is for jobs. limit 0 means 500. Messages that jobs must leave alone are excluded.
func (s *Store) Backlog(ctx context.Context, persona, job string, a model.Audience, limit int) (news []BacklogItem, err error) {
	clause, args := scope.MemoryCondition(a)
	err = s.db.Read(ctx, fmt.Sprintf("read the backlog of %s %d", a.Kind, a.Ref), func(tx *db.Tx) error {
		from, err := jobrun.ReadCursor(tx, persona, job, a)
		if err != nil {
			return err
		}
		all, err := jobrun.ReadCursor(tx, persona, job, model.Audience{Kind: model.World})
		if err != nil {
			return err
		}
		news, err = db.Collect[BacklogItem](tx.Query(selectBacklog+clause+` ORDER BY m.id LIMIT ? + 0`,
			append(append([]any{persona, max(from, all)}, args...), db.LimitOr(limit, 500))...))(scanBacklog)
		return err
	})
	return news, err
}

// BacklogItem is a message that a job has not read.
type BacklogItem struct {
	model.Memory
	// Before is the persona's text right before it in the session, empty if there is none or another person spoke in
	// between.
	Before string
}

// Analysis is what was understood of the message when it was heard, or what is understood of its text by the author's clock
// if no analysis of the present version is stored; withoutFacts then leaves facts about the world unread.
func (b BacklogItem) Analysis(zone *time.Location, withoutFacts bool) understand.Analysis {
	return b.Stored.Or(understand.Utterance{Text: b.Text, At: b.Created.In(zone), Before: b.Before, WithoutFacts: withoutFacts})
}

const selectBacklog = `SELECT m.id, m.author_id, p.name, m.text, m.created_at, w.id,
	CASE WHEN w.text = m.text THEN w.analysis ELSE '' END, CASE WHEN w.text = m.text THEN w.analysis_version ELSE 0 END,
	coalesce((SELECT CASE WHEN b.person_id IS NULL THEN b.text END FROM messages b
		WHERE b.session_id = w.session_id AND b.id < w.id ORDER BY b.id DESC LIMIT 1), '')
	FROM memories m JOIN people p ON p.id = m.author_id JOIN memory_sources s ON s.memory_id = m.id JOIN messages w ON w.id = s.message_id
	WHERE m.persona = ? AND m.id > ? AND m.origin = 'said' AND m.apart = 0 AND w.text <> '' AND `

func scanBacklog(row db.Scanner) (t BacklogItem, err error) {
	var message int64
	err = row.Scan(&t.ID, &t.AuthorID, &t.Author, &t.Text, db.IntoTime(&t.Created), &message,
		&t.Stored.JSON, &t.Stored.Version, &t.Before)
	t.Origin, t.Sources = model.OriginMessage, []int64{message}
	return t, err
}
