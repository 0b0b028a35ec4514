package memory

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"familiar/memory/understand/rel"
)

const loopColumns = `SELECT l.id, l.person_id, l.audience, l.audience_person, l.audience_room, l.kind, l.text, l.due_from,
	l.due_until, l.status, l.message_id, l.created_at FROM open_loops l`

func scanLoop(row scanner) (l Loop, err error) {
	var kind AudienceKind
	var person, room int64
	err = row.Scan(&l.ID, &l.PersonID, &kind, intoID(&person), intoID(&room), &l.Kind, &l.Text, intoTime(&l.DueFrom),
		intoTime(&l.DueUntil), &l.Status, &l.MessageID, intoTime(&l.Created))
	l.Audience = intoAudience(kind, person, room)
	return l, err
}

// The kinds of loops.
const (
	LoopPlan      = "plan"
	LoopPromise   = "promise"
	LoopQuestion  = "question"
	LoopGoal      = "goal"      // what a person pursues
	LoopCuriosity = "curiosity" // a term of theirs that nobody explained
)

// Loops are the plans, promises and questions open with a person that may be spoken of in a place, those asked about
// already included, the first due first and those without a date last.
func (s *Store) Loops(ctx context.Context, h Hearing, person int64) (loops []Loop, err error) {
	err = s.read(ctx, fmt.Sprintf("read what is open with person %d", person), func(tx *conn) error {
		loops, err = tx.loops(h, person)
		return err
	})
	return loops, err
}

func (c *conn) loops(h Hearing, person int64) ([]Loop, error) {
	where, args := h.where("l")
	return collect[Loop](c.rows(loopColumns+` WHERE l.persona = ? AND l.person_id = ? AND l.status IN ('open', 'asked')
		AND (l.kind IN ('plan', 'promise') OR l.kind = 'question' AND l.created_at > ?)
		AND `+where+` ORDER BY CASE WHEN l.due_from IS NULL THEN 1 ELSE 0 END, l.due_from, l.id`,
		append([]any{h.persona, person, ms(c.now.Add(-questionLasts))}, args...)...))(scanLoop)
}

// leaveOpen makes, moves or closes loops by the plans and promises people claim of themselves: named again, a plan is
// the same one, at a new time when one is named; denied, it is off.
func (c *conn) leaveOpen(persona string, room Room, claims []AttributedClaim) error {
	for _, cl := range claims {
		if !leavesOpen(cl) || cl.Over {
			continue
		}
		if err := c.leaveOpenOne(persona, room.Audience(), cl); err != nil {
			return err
		}
	}
	return nil
}

// leavesOpen says that a claim is a plan or promise of its author's own.
func leavesOpen(cl AttributedClaim) bool {
	own := cl.SubjectPerson == cl.AuthorID || cl.Subject == ""
	return own && cl.AuthorID != 0 && (cl.Kind == rel.Plan || cl.Kind == rel.Promise) && foldValue(cl.Value) != ""
}

func (c *conn) leaveOpenOne(persona string, a Audience, cl AttributedClaim) error {
	known, err := c.openLoop(persona, a, cl)
	if err != nil {
		return err
	}
	source := loopSource{loop: known.ID, message: cl.MessageID, kind: loopMoved, at: cl.At, jobRun: cl.JobRun}
	if cl.Span != nil {
		source.dueFrom, source.dueUntil = cl.Span.From, cl.Span.Until
	}
	switch {
	case cl.Negates && (known.ID == 0 || cl.MessageID < known.MessageID): // planned only afterwards
		return nil
	case known.ID == 0:
		return c.insertLoop(persona, a, cl, source)
	case cl.Negates:
		return c.closeLoops(persona, []int64{known.ID}, []heardNow{{message: cl.MessageID, person: cl.AuthorID, at: cl.At}})
	}
	if err := c.insertLoopSource(source); err != nil {
		return err
	}
	if cl.Span != nil { // a new date is worth asking about again
		if _, err := c.exec(`UPDATE open_loops SET asked_at = NULL WHERE id = ?`, known.ID); err != nil {
			return err
		}
	}
	_, err = c.settleLoop(known.ID)
	return err
}

func (c *conn) insertLoop(persona string, a Audience, cl AttributedClaim, source loopSource) (err error) {
	source.kind = loopNew
	source.loop, err = c.insert(`INSERT INTO open_loops (persona, audience, audience_person, audience_room, person_id, message_id, kind,
		text, due_from, due_until, status, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'open', ?)`,
		persona, a.Kind, a.person(), a.room(), cl.AuthorID, cl.MessageID, cl.Kind, strings.TrimSpace(cl.Value),
		nullMS(source.dueFrom), nullMS(source.dueUntil), ms(cl.At))
	if err != nil {
		return err
	}
	return c.insertLoopSource(source)
}

// openLoop finds what is already open under the words of a claim, the zero Loop when nothing is.
func (c *conn) openLoop(persona string, a Audience, cl AttributedClaim) (Loop, error) {
	open, err := c.openLoops(persona, a, cl)
	return LoopMeant(open, cl.Claim), err
}

// openLoops are what is open with a claim's author in an audience, of the claim's kind.
func (c *conn) openLoops(persona string, a Audience, cl AttributedClaim) ([]Loop, error) {
	open, err := collect[Loop](c.rows(loopColumns+` WHERE l.persona = ? AND l.person_id = ? AND l.status IN ('open', 'asked')
		AND l.kind = ? ORDER BY l.id`, persona, cl.AuthorID, cl.Kind))(scanLoop)
	open = slices.DeleteFunc(open, func(l Loop) bool { return l.Audience != a })
	return open, err
}

// askLoops notes that loops were asked about: a goal each time, for it is not over with the answer.
func (c *conn) askLoops(persona string, ids []int64) error {
	for _, id := range ids {
		if _, err := c.exec(`UPDATE open_loops SET status = 'asked', asked_at = ? WHERE id = ? AND persona = ?
			AND (status = 'open' OR status = 'asked' AND kind = 'goal')`, c.nowMS(), id, persona); err != nil {
			return err
		}
	}
	return nil
}

// closeLoops closes loops by what was said, as of when it was said.
func (c *conn) closeLoops(persona string, ids []int64, by []heardNow) error {
	if len(ids) > 0 && len(by) == 0 {
		return errors.New("what is open with a person is closed by something they said")
	}
	for _, id := range ids {
		open, err := c.affect(`UPDATE open_loops SET status = 'closed' WHERE id = ? AND persona = ? AND status <> 'closed'`, id, persona)
		if err != nil {
			return err
		}
		if open == 0 {
			continue
		}
		for _, m := range by {
			if err := c.insertLoopSource(loopSource{loop: id, message: m.message, kind: loopClosed, at: m.at}); err != nil {
				return err
			}
		}
		if _, err := c.settleLoop(id); err != nil {
			return err
		}
	}
	return nil
}
