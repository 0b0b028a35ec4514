package training

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"familiar/memory/internal/db"
	"familiar/memory/naming"
)

// Options say what is exported.
type Options struct {
	// Persona is the key of the persona, Names are what it is called: these names stay.
	Persona string
	Names   []string
	// Format is how a conversation is written.
	Format Format
	// System is the system message of each conversation, "" for none.
	System string
	// Since leaves out what was said before, unless it is zero.
	Since time.Time
}

// Reason is why a reply is left out.
type Reason string

// The reasons, in the order in which a report lists them.
const (
	// Others is that it was made with words of somebody who did not agree, or may have been.
	Others Reason = "made with words of somebody who did not agree"
	// Named is that it, or what it answers, names somebody who did not agree.
	Named Reason = "names somebody who did not agree"
	// Unknown is that it is not on record what it was made from: it was imported, or a model wrote it over 90 days ago.
	Unknown Reason = "what it was made from is not on record"
	// Care is that somebody had spoken of danger lately.
	Care Reason = "somebody was in danger"
	// Tools is that a tool was used for it.
	Tools Reason = "made with a tool"
	// Quotes is that a message repeats or forwards what somebody else said.
	Quotes Reason = "answers something quoted or forwarded"
	// Files is that a message has a picture, a recording or another file.
	Files Reason = "answers a picture, a recording or a file"
	// Vanishing is that a message is to disappear.
	Vanishing Reason = "answers a message that disappears"
	// Forgotten is that it, or what it answers, was forgotten.
	Forgotten Reason = "forgotten"
	// Unprompted is that it answers nothing that was said: greetings, and what the persona said first.
	Unprompted Reason = "answers nothing that was said"
)

// Reasons are all reasons.
var Reasons = []Reason{Others, Named, Unknown, Care, Tools, Quotes, Files, Vanishing, Forgotten, Unprompted}

// Report counts what was exported and what was left out.
type Report struct {
	// People is how many agreed.
	People int
	// Conversations and Replies were written.
	Conversations, Replies int
	// LeftOut counts the replies in rooms of people who agreed that were left out.
	LeftOut map[Reason]int
}

// Export writes the conversations of people who agreed with a persona, one JSON object a line, and nothing else: a reply is left out
// unless every message it answers, and every message, memory and belief that was in front of the persona, comes from people who
// agreed. Secrets, numbers, addresses and the names of people are replaced. A conversation is a part of a session without a gap. The
// same contents of the store give the same bytes.
func (s *Store) Export(ctx context.Context, w io.Writer, o Options) (r Report, err error) {
	if o.Format == nil {
		return r, errors.New("export training data: no format is chosen")
	}
	err = s.db.Read(ctx, "export training data", func(tx *db.Tx) error {
		e := exporter{Tx: tx, Options: o, out: w, report: Report{LeftOut: map[Reason]int{}}, bars: map[int64]bar{}}
		if err := e.prepare(); err != nil {
			return err
		}
		err := e.run(ctx)
		r = e.report
		return err
	})
	return r, err
}

// exporter is the state of one export.
type exporter struct {
	*db.Tx
	Options
	out    io.Writer
	report Report
	judge  *judge
	names  *placeholders

	talk talk
	// bars are those of the rooms, from the sessions before.
	bars map[int64]bar
	// conversation is what is to be written next.
	conversation []Exchange
}

// Exchange is a reply with the messages that it answers, joined.
type Exchange struct{ Said, Reply string }

// maxReplies is how many replies a conversation has at most.
const maxReplies = 100

// prepare reads who agreed and how people are called.
func (e *exporter) prepare() error {
	ids, err := db.Collect[int64](e.Query(`SELECT person_id FROM training_consents WHERE persona = ? AND given = 1`, e.Persona))(db.ScanID)
	if err != nil {
		return fmt.Errorf("read who agreed: %w", err)
	}
	agreed := make(map[int64]bool, len(ids))
	for _, id := range ids {
		agreed[id] = true
	}
	e.report.People = len(ids)
	e.judge = &judge{Tx: e.Tx, persona: e.Persona, agreed: agreed}
	if e.judge.inDanger, err = readInDanger(e.Tx, e.Persona); err != nil {
		return fmt.Errorf("read who spoke of danger: %w", err)
	}
	known, err := naming.Read(e.Tx, e.Persona, e.Names...)
	if err != nil {
		return fmt.Errorf("read the names of people: %w", err)
	}
	e.names = newPlaceholders(known, agreed)
	e.System = e.redact(e.System)
	return nil
}

// message is a message as the export reads it. What follows turn is of a reply: its record.
type message struct {
	session, room    int64
	direct           bool
	id, person       int64
	text             string
	at               time.Time
	vanishes, danger bool
	// namesErased reports that it named somebody who was erased since.
	namesErased bool
	turn        int64
	record      record
}

// read walks over the rooms of people who agreed, session by session: CROSS JOIN keeps that order, so that nothing is sorted.
const read = `SELECT s.id, s.room_id, r.direct, m.id, m.person_id, m.text, m.at, m.vanishes_at IS NOT NULL, m.danger <> '',
	t.id, coalesce(t.exact, 0), coalesce(t.thinned, 0), t.recent_from, coalesce(t.unused, ''), m.names_erased
	FROM sessions s CROSS JOIN rooms r CROSS JOIN messages m LEFT JOIN turns t ON t.reply_id = m.id
	WHERE r.id = s.room_id AND m.session_id = s.id AND +s.persona = ?1 AND s.last_at >= ?2
		AND EXISTS (SELECT 1 FROM room_people p CROSS JOIN training_consents c
			WHERE c.persona = ?1 AND c.person_id = p.person_id AND c.given = 1 AND p.room_id = s.room_id)
	ORDER BY s.id, m.id`

func (e *exporter) run(ctx context.Context) error {
	since := int64(0)
	if !e.Since.IsZero() {
		since = db.Millis(e.Since)
	}
	rows, err := e.Query(read, e.Persona, since)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := ctx.Err(); err != nil {
			return err
		}
		var l message
		if err := rows.Scan(&l.session, &l.room, &l.direct, &l.id, db.IntoID(&l.person), &l.text, db.IntoTime(&l.at), &l.vanishes, &l.danger,
			db.IntoID(&l.turn), &l.record.exact, &l.record.thinned, db.IntoID(&l.record.from), &l.record.unused, &l.namesErased); err != nil {
			return err
		}
		if err := e.add(l); err != nil {
			return fmt.Errorf("message %d: %w", l.id, err)
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	return e.flush()
}

// add takes the next message of the walk.
func (e *exporter) add(l message) error {
	if l.session != e.talk.session {
		if err := e.flush(); err != nil {
			return err
		}
		e.bars[e.talk.room] = e.talk.bar
		e.talk = talk{session: l.session, room: l.room, first: l.id, bar: e.bars[l.room]} // the talk before it may be in front of a reply
	}
	if l.person != 0 {
		e.talk.hear(l, e.judge.agreed[l.person])
		return nil
	}
	reason, err := e.reason(l)
	if err != nil {
		return err
	}
	said := e.talk.pending
	e.talk.pending = nil
	e.note(l.id, reason)
	switch {
	case l.at.Before(e.Since):
		return e.flush()
	case reason != "":
		e.report.LeftOut[reason]++
		return e.flush()
	}
	e.report.Replies++
	e.conversation = append(e.conversation, Exchange{e.joined(said, l.direct), e.redact(l.text)})
	if len(e.conversation) < maxReplies {
		return nil
	}
	return e.flush()
}

// flush writes the conversation.
func (e *exporter) flush() error {
	if len(e.conversation) == 0 {
		return nil
	}
	text, err := e.Format(e.System, e.conversation)
	if err != nil {
		return err
	}
	e.conversation = e.conversation[:0]
	e.report.Conversations++
	_, err = e.out.Write(text)
	return err
}
