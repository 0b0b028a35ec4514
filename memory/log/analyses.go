package log

import (
	"context"
	"fmt"

	"familiar/memory/internal/db"
	"familiar/memory/model"
)

// before is what the persona said just before a message m of the same session, empty when nothing or when a person spoke in
// between.
const before = `coalesce((SELECT CASE WHEN b.person_id IS NULL THEN b.text END FROM messages b
	WHERE b.session_id = m.session_id AND b.id < m.id ORDER BY b.id DESC LIMIT 1), '')`

// EraseTexts takes the texts of messages away, with all that was read out of them and what models used to word them, and returns
// how many had a text. What answers a message of the persona's loses its analysis, too: it may hold words of the question. The
// reread job makes it again from what is left.
func EraseTexts(tx *db.Tx, messages []int64) (erased int64, err error) {
	in, args := db.Placeholders(messages)
	erased, err = tx.Affect(`UPDATE messages SET text = '', analysis = '', analysis_version = 0, danger = '', names_erased = 0, edited_at = NULL WHERE text <> '' AND id IN `+in, args...)
	if err != nil {
		return 0, err
	}
	for _, next := range []string{`n.session_id = m.session_id`, `n.persona = m.persona AND n.room_id = m.room_id`} {
		if _, err := tx.Exec(`UPDATE messages SET analysis = '', analysis_version = 0 WHERE analysis_version <> 0 AND id IN
			(SELECT (SELECT min(n.id) FROM messages n WHERE n.id > m.id AND `+next+`)
				FROM messages m WHERE m.person_id IS NULL AND m.id IN `+in+`)`, args...); err != nil {
			return 0, err
		}
	}
	_, err = tx.Exec(`DELETE FROM turn_usage WHERE turn_id IN (SELECT id FROM turns WHERE reply_id IN `+in+`)`, args...)
	return erased, err
}

// StoreAnalysis stores the analysis of a message in place of the one there was.
func StoreAnalysis(tx *db.Tx, message int64, a model.StoredAnalysis) error {
	_, err := tx.Exec(`UPDATE messages SET analysis = ?, analysis_version = ? WHERE id = ?`, a.JSON, a.Version, message)
	return err
}

// Reread is a message whose analysis is to be made anew.
type Reread struct {
	model.Message
	// Before is what the persona said just before, "" when nothing.
	Before string
}

// AnalyzedOtherwise are the messages of people to persona whose analysis another version made or that have none, from the
// one after the message with id after on, in order of id, limit at most. What was forgotten is not among them.
func (s *Store) AnalyzedOtherwise(ctx context.Context, persona string, version int, after int64, limit int) (messages []Reread, err error) {
	err = s.db.Read(ctx, "find messages to analyse again", func(tx *db.Tx) error {
		// The plus lets SQLite walk the table in order of id instead of sorting what an index finds.
		messages, err = db.Collect[Reread](tx.Query(`SELECT m.id, m.person_id, m.text, m.at, m.analysis, m.analysis_version, `+before+`
			FROM messages m WHERE m.id > ? AND +m.persona = ? AND m.person_id IS NOT NULL AND m.text <> '' AND m.analysis_version <> ?
			ORDER BY m.id LIMIT ? + 0`, after, persona, version, limit))(scanReread)
		return err
	})
	return messages, err
}

func scanReread(row db.Scanner) (r Reread, err error) {
	err = row.Scan(&r.ID, &r.PersonID, &r.Text, db.IntoTime(&r.At), &r.Stored.JSON, &r.Stored.Version, &r.Before)
	return r, err
}

// StoreAnalyses stores new analyses of messages, as AnalyzedOtherwise gave them with Stored replaced, in one transaction. A
// message that was edited, forgotten or analysed since, or whose Before was, is left as it is. It returns how many were
// stored.
func (s *Store) StoreAnalyses(ctx context.Context, messages []Reread) (stored int, err error) {
	err = s.db.Write(ctx, fmt.Sprintf("store the analyses of %d messages", len(messages)), func(tx *db.Tx) error {
		stored = 0
		for _, r := range messages {
			n, err := tx.Affect(`UPDATE messages AS m SET analysis = ?, analysis_version = ?
				WHERE m.id = ? AND m.text = ? AND m.analysis_version <> ?2 AND `+before+` = ?`,
				r.Stored.JSON, r.Stored.Version, r.ID, r.Text, r.Before)
			if err != nil {
				return fmt.Errorf("message %d: %w", r.ID, err)
			}
			stored += int(n)
		}
		return nil
	})
	return stored, err
}
