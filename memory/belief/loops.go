package belief

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/model"
	"familiar/memory/understand/rel"
)

// releaseKept releases the memories kept for a changed loop. If another loop keeps them too, that is recorded when it
// is found due.
func releaseKept(tx *db.Tx, loop int64) error {
	_, err := tx.Exec(`UPDATE memories SET kept_for = NULL WHERE kept_for = ?`, loop)
	return err
}

// SelectLoops selects the columns that ScanLoop reads, from open_loops l.
const SelectLoops = `SELECT l.id, l.person_id, l.audience, l.audience_person, l.audience_room, l.kind, l.text, l.due_from,
	l.due_until, l.status, l.message_id, l.created_at,
	EXISTS (SELECT 1 FROM messages m WHERE m.id = l.message_id AND m.person_id IS NULL) FROM open_loops l`

// ScanLoop scans a row of SelectLoops.
func ScanLoop(row db.Scanner) (l model.Loop, err error) {
	var kind model.AudienceKind
	var person, room int64
	err = row.Scan(&l.ID, &l.PersonID, &kind, db.IntoID(&person), db.IntoID(&room), &l.Kind, &l.Text, db.IntoTime(&l.DueFrom),
		db.IntoTime(&l.DueUntil), &l.Status, &l.MessageID, db.IntoTime(&l.Created), &l.Own)
	l.Audience = scope.IntoAudience(kind, person, room)
	return l, err
}

// The kinds of loops.
const (
	LoopPlan      = "plan"
	LoopPromise   = "promise"
	LoopQuestion  = "question"
	LoopGoal      = "goal"      // a goal that a person pursues
	LoopCuriosity = "curiosity" // an unexplained term that a person used
)

// Loops returns the plans, promises and questions open with a person that may be mentioned in a room, including those
// already asked about. They are ordered by due date, those without a date last.
func (s *Store) Loops(ctx context.Context, h scope.Visibility, person int64) (loops []model.Loop, err error) {
	err = s.db.Read(ctx, fmt.Sprintf("read the open loops of person %d", person), func(tx *db.Tx) error {
		loops, err = Loops(tx, h, person)
		return err
	})
	return loops, err
}

// Loops is Store.Loops in the running transaction.
func Loops(tx *db.Tx, h scope.Visibility, person int64) ([]model.Loop, error) {
	where, args := h.Where("l")
	loops, err := db.Collect[model.Loop](tx.Query(SelectLoops+` WHERE l.persona = ? AND l.person_id = ? AND l.status IN ('open', 'asked')
		AND (l.kind IN ('plan', 'promise') OR l.kind = 'question' AND l.created_at > ?)
		AND `+where+` ORDER BY CASE WHEN l.due_from IS NULL THEN 1 ELSE 0 END, l.due_from, l.id`,
		append([]any{h.Persona(), person, db.Millis(tx.Now.Add(-leftLifetime))}, args...)...))(ScanLoop)
	return slices.DeleteFunc(loops, func(l model.Loop) bool { return l.Own && tx.Now.Sub(l.Created) > leftLifetime }), err
}

// UpdateLoops creates, moves or closes loops by the plans and promises that people make. A plan stated again is the
// same plan, at a new time if one is named; a denied plan is cancelled.
func UpdateLoops(tx *db.Tx, persona string, room model.Room, claims []AttributedClaim) error {
	for _, cl := range claims {
		if !concernsLoop(cl) || cl.Completed {
			continue
		}
		if err := updateLoop(tx, persona, room.Audience(), cl); err != nil {
			return err
		}
	}
	return nil
}

// concernsLoop reports whether a claim is a plan or promise of its author, or a plan of somebody they speak of that a model
// read ("my sister moves on the 1st").
func concernsLoop(cl AttributedClaim) bool {
	return (ofAuthor(cl) || cl.Kind == rel.Plan && cl.Sentence != "") && cl.AuthorID != 0 && (cl.Kind == rel.Plan || cl.Kind == rel.Promise) && model.NormalizeValue(cl.Value) != ""
}

// ofAuthor reports whether a claim is about its author.
func ofAuthor(cl AttributedClaim) bool { return cl.SubjectPerson == cl.AuthorID || cl.Subject == "" }

// loopText returns what a claim calls its plan, with whose plan it is if it is not the author's.
func loopText(cl AttributedClaim) string {
	text := strings.TrimSpace(cl.Value)
	if ofAuthor(cl) || model.ContainsWords(model.NormalizeValue(text), model.NormalizeValue(cl.Subject)) {
		return text
	}
	return strings.TrimSpace(cl.Subject) + ": " + text
}

func updateLoop(tx *db.Tx, persona string, a model.Audience, cl AttributedClaim) error {
	known, err := loopOfOther(tx, persona, a, cl)
	if err != nil {
		return err
	}
	cl.Value = loopText(cl)
	if known.ID == 0 {
		if known, err = openLoop(tx, persona, a, cl); err != nil {
			return err
		}
	}
	source := loopSource{loop: known.ID, message: cl.MessageID, kind: loopMoved, at: cl.At, jobRun: cl.JobRun}
	if cl.Span != nil {
		source.dueFrom, source.dueUntil = cl.Span.From, cl.Span.Until
	}
	switch {
	case cl.Negates && (known.ID == 0 || cl.MessageID < known.MessageID): // the plan was made only afterwards
		return nil
	case known.ID == 0:
		return insertLoop(tx, persona, a, cl, source)
	case cl.Negates:
		return CloseLoops(tx, persona, []int64{known.ID}, []model.TurnMessage{{Message: cl.MessageID, Person: cl.AuthorID, At: cl.At}}, cl.JobRun)
	}
	if err := insertLoopSource(tx, source); err != nil {
		return err
	}
	if cl.Span != nil { // a new date makes it worth asking again
		if _, err := tx.Exec(`UPDATE open_loops SET asked_at = NULL WHERE id = ?`, known.ID); err != nil {
			return err
		}
	}
	_, err = RecomputeLoop(tx, known.ID)
	return err
}

// loopOfOther finds the loop of whom a claim is about if it repeats their plan: somebody else in the room moved it. What only a
// model read moves nothing.
func loopOfOther(tx *db.Tx, persona string, a model.Audience, cl AttributedClaim) (model.Loop, error) {
	if cl.ByModel || ofAuthor(cl) || cl.SubjectPerson == 0 {
		return model.Loop{}, nil
	}
	open, err := loopsOfKind(tx, persona, a, cl.SubjectPerson, string(cl.Kind))
	for _, l := range open {
		if !l.Own && model.NormalizeValue(l.Text) == model.NormalizeValue(cl.Value) {
			return l, err
		}
	}
	return model.Loop{}, err
}

func insertLoop(tx *db.Tx, persona string, a model.Audience, cl AttributedClaim, source loopSource) (err error) {
	source.kind = loopNew
	source.loop, err = tx.Insert(`INSERT INTO open_loops (persona, audience, audience_person, audience_room, person_id, message_id, kind,
		text, due_from, due_until, status, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'open', ?)`,
		persona, a.Kind, a.Person(), a.Room(), cl.AuthorID, cl.MessageID, cl.Kind, strings.TrimSpace(cl.Value),
		db.NullMillis(source.dueFrom), db.NullMillis(source.dueUntil), db.Millis(cl.At))
	if err != nil {
		return err
	}
	return insertLoopSource(tx, source)
}

// openLoop finds the open loop that a claim refers to, the zero Loop if none.
func openLoop(tx *db.Tx, persona string, a model.Audience, cl AttributedClaim) (model.Loop, error) {
	open, err := openLoops(tx, persona, a, cl)
	return MatchLoop(open, cl.Claim), err
}

// openLoops returns the open loops of a claim's author in an audience, of the claim's kind.
func openLoops(tx *db.Tx, persona string, a model.Audience, cl AttributedClaim) ([]model.Loop, error) {
	open, err := loopsOfKind(tx, persona, a, cl.AuthorID, string(cl.Kind))
	return slices.DeleteFunc(open, func(l model.Loop) bool { return l.Own }), err
}

// loopsOfKind returns the open loops of a kind with a person in an audience.
func loopsOfKind(tx *db.Tx, persona string, a model.Audience, person int64, kind string) ([]model.Loop, error) {
	open, err := db.Collect[model.Loop](tx.Query(SelectLoops+` WHERE l.persona = ? AND l.person_id = ? AND l.status IN ('open', 'asked')
		AND l.kind = ? ORDER BY l.id`, persona, person, kind))(ScanLoop)
	open = slices.DeleteFunc(open, func(l model.Loop) bool { return l.Audience != a })
	return open, err
}

// MarkAsked records that the persona asked about loops. A goal may be asked about repeatedly, since an answer does not
// end it.
func MarkAsked(tx *db.Tx, persona string, ids []int64) error {
	for _, id := range ids {
		if _, err := tx.Exec(`UPDATE open_loops SET status = 'asked', asked_at = ? WHERE id = ? AND persona = ?
			AND (status = 'open' OR status = 'asked' AND kind = 'goal')`, tx.NowMillis(), id, persona); err != nil {
			return err
		}
	}
	return nil
}

// CloseLoops closes loops by messages, as of the time of the messages. run is the run of the job that read them a second
// time, 0 for none.
func CloseLoops(tx *db.Tx, persona string, ids []int64, by []model.TurnMessage, run int64) error {
	if len(ids) > 0 && len(by) == 0 {
		return errors.New("close loops: a message of the person is required")
	}
	for _, id := range ids {
		open, err := tx.Affect(`UPDATE open_loops SET status = 'closed' WHERE id = ? AND persona = ? AND status <> 'closed'`, id, persona)
		if err != nil {
			return err
		}
		if open == 0 {
			continue
		}
		for _, m := range by {
			if err := insertLoopSource(tx, loopSource{loop: id, message: m.Message, kind: loopClosed, at: m.At, jobRun: run}); err != nil {
				return err
			}
		}
		if _, err := RecomputeLoop(tx, id); err != nil {
			return err
		}
	}
	return nil
}
