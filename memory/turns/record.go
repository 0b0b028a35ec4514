package turns

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"familiar/channels"
	"familiar/memory/belief"
	"familiar/memory/entry"
	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/log"
	"familiar/memory/model"
)

// RecordTurn records a turn in one transaction: it stores the messages and what is learned from them, the answer with
// its outbox entry, and what shaped it. On any error nothing is stored. Messages are taken as Pending returns them,
// with pasted secrets redacted; secrets that a voice put into the answer are redacted too.
//
// A turn that began before somebody was erased fails with log.ErrErased, since its reply may tell of them: take it again.
// A turn whose messages were recorded before fails with ErrAlreadyDone and changes nothing, so it is safe to record a
// turn again after an error that left the outcome open. A message that the room already has under the same id is not
// stored twice. A session that has ended meanwhile, or belongs to another room, is not continued: the turn starts a new
// one after the room's latest.
func (s *Store) RecordTurn(ctx context.Context, t Turn) (TurnResult, error) {
	var r TurnWriter
	err := s.db.Write(ctx, fmt.Sprintf("record the turn in room %d", t.Room.ID), func(tx *db.Tx) error {
		r = TurnWriter{Tx: tx, Turn: t, Audience: t.Room.Audience()}
		return r.record()
	})
	if err != nil {
		return TurnResult{}, err
	}
	return r.Done, nil
}

// TurnWriter writes one turn, or one message that changed, within a transaction.
type TurnWriter struct {
	*db.Tx
	Turn     Turn
	Audience model.Audience
	hears    *scope.Visibility // what may be repeated in the room, nil until it is read
	names    *belief.Roster    // the people there, nil until they are read
	claims   []belief.AttributedClaim
	fresh    int // messages that were not on record
	spoke    spoken
	memories []entry.NewRow // made of the messages, not stored yet
	heardNow []model.TurnMessage
	first    time.Time // and last: when the turn's messages were said
	last     time.Time
	// stored are the ids of the messages of the turn that the room already has, by external id, nil if they were not read. unmoved
	// reports that nothing was forgotten since the turn's visibility was read. Both are read before anything is written.
	stored  map[string]int64
	unmoved bool
	queue   log.Queue // of the room, before the reply; read before anything is written, too
	Done    TurnResult
}

// record writes the turn, in the order of its calls.
func (r *TurnWriter) record() error {
	steps := []func() error{
		r.prefetch, r.check, r.readStored, r.readQueue, r.checkMoved, r.readTold, r.takeFromInbox, r.openSession, r.hear, r.learn, r.answer, r.remind, r.noteCalls, r.noteSession, r.notePeople, r.explain,
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return scope.Advance(r.Tx, r.Turn.Persona, model.ScopeRevision{Audience: r.Audience, Revision: 1})
}

func (r *TurnWriter) check() error {
	t := r.Turn
	switch {
	case t.Persona == "" || t.Room.ID == 0:
		return errors.New("a turn needs a persona and a stored room: call UpsertParticipant first")
	case len(t.Heard) == 0 && t.Reply == nil:
		return errors.New("a turn needs a message or a reply")
	case t.Reply != nil && t.Reply.Key == "":
		return errors.New("a reply needs an idempotency key")
	}
	for _, h := range t.Heard {
		if h.PersonID == 0 && !h.Own {
			return fmt.Errorf("message %s has no stored author: call UpsertParticipant first", h.Message.ID)
		}
		at := cmp.Or(h.Message.At, r.Now)
		if r.first.IsZero() || at.Before(r.first) {
			r.first = at
		}
		r.last = model.Later(r.last, at)
	}
	if !t.Started.IsZero() {
		if err := log.CheckErasedSince(r.Tx, t.Started); err != nil {
			return err
		}
	}
	if len(t.Heard) == 0 {
		r.first = cmp.Or(t.Reply.At, r.Now)
		r.last = r.first
	}
	return nil
}

// takeFromInbox marks the messages as done.
func (r *TurnWriter) takeFromInbox() error {
	var rows []int64
	for _, h := range r.Turn.Heard {
		if h.InboxID != 0 { // otherwise it came from a transcript, not through a channel
			rows = append(rows, h.InboxID)
		}
	}
	if len(rows) == 0 {
		return nil
	}
	return log.MarkInboxDoneOr(r.Tx, fmt.Errorf("inbox rows %v: %w", rows, ErrAlreadyDone), rows...)
}

func (r *TurnWriter) openSession() error {
	if r.Turn.SessionID != 0 {
		s, err := readSession(r.Tx, r.Turn.SessionID)
		if err != nil {
			return fmt.Errorf("session %d: %w", r.Turn.SessionID, err)
		}
		if s.Ended.IsZero() && s.RoomID == r.Turn.Room.ID && s.Persona == r.Turn.Persona {
			r.Done.SessionID = s.ID
			return nil
		}
	}
	id, err := r.Insert(`INSERT INTO sessions (persona, room_id, parent_id, started_at, last_at)
		VALUES (?, ?, (SELECT max(id) FROM sessions WHERE persona = ? AND room_id = ?), ?, ?)`,
		r.Turn.Persona, r.Turn.Room.ID, r.Turn.Persona, r.Turn.Room.ID, db.Millis(r.first), db.Millis(r.last))
	r.Done.SessionID = id
	return err
}

// hear stores the messages and makes a memory of each that has a text.
func (r *TurnWriter) hear() error {
	for _, h := range r.Turn.Heard {
		id, err := r.hearOne(h)
		if err != nil {
			return fmt.Errorf("message %s: %w", h.Message.ID, err)
		}
		r.Done.MessageIDs = append(r.Done.MessageIDs, id)
		if id != 0 && !h.Own {
			r.heardNow = append(r.heardNow, model.TurnMessage{Message: id, Person: h.PersonID, At: cmp.Or(h.Message.At, r.Now), Text: h.Message.FullText()})
		}
	}
	if err := errors.Join(r.noteSpoke(), r.remember()); err != nil {
		return err
	}
	if r.fresh == 0 && len(r.Turn.Heard) > 0 && r.Turn.Reply == nil && r.Turn.Heard[0].InboxID == 0 {
		return ErrAlreadyDone
	}
	return nil
}

func (r *TurnWriter) hearOne(h model.AnnotatedMessage) (int64, error) {
	if h.Message.Arrival {
		return 0, nil // an arrival says nothing
	}
	text, at := h.Message.FullText(), cmp.Or(h.Message.At, r.Now)
	id, fresh, err := r.appendMessage(h.PersonID, r.externalID(h.Message), h.Message.ReplyTo, text, h.Annotation.Stored, at, expiryOf(h.Message, at))
	if err != nil || !fresh || h.Own {
		return id, err
	}
	r.spoke.add(h, at)
	if err := r.noteDanger(id, h.Annotation.Danger); err != nil {
		return id, err
	}
	if err := log.LinkFiles(r.Tx, id, h.Message); err != nil {
		return id, err
	}
	return id, r.understand(h, id, text, at)
}

// externalID is the id under which the room has a message.
func (r *TurnWriter) externalID(m channels.Message) string {
	if !r.Turn.Room.Direct && m.Room.ID != r.Turn.Room.Room.ID { // heard before the room moved: see MoveRoom
		return m.Room.ID + "/" + m.ID
	}
	return m.ID
}

// spoken holds when each author last wrote in a turn, in the order of their first messages.
type spoken []lastWords

type lastWords struct {
	person int64
	handle channels.Handle
	at     time.Time
}

func (s *spoken) add(h model.AnnotatedMessage, at time.Time) {
	for i, w := range *s {
		if w.person == h.PersonID && w.handle == h.Message.Author.Handle {
			(*s)[i].at = model.Later(w.at, at)
			return
		}
	}
	*s = append(*s, lastWords{h.PersonID, h.Message.Author.Handle, at})
}

// noteSpoke records when the authors were last seen and last spoke in the room.
func (r *TurnWriter) noteSpoke() error {
	for _, w := range r.spoke {
		if _, err := r.Exec(`UPDATE handles SET last_seen = ? WHERE channel = ? AND handle = ? AND last_seen < ?`,
			db.Millis(w.at), w.handle.Channel, w.handle.ID, db.Millis(w.at)); err != nil {
			return err
		}
		if _, err := r.Exec(`UPDATE room_people SET last_spoke = ? WHERE room_id = ? AND person_id = ? AND last_spoke < ?`,
			db.Millis(w.at), r.Turn.Room.ID, w.person, db.Millis(w.at)); err != nil {
			return err
		}
	}
	return nil
}

// understand makes a memory of a message that has a text, for remember to store, and collects its claims.
func (r *TurnWriter) understand(h model.AnnotatedMessage, id int64, text string, at time.Time) error {
	if text == "" || h.Annotation.SkipMemory {
		return nil
	}
	claims, err := r.attribute(h, id, at)
	if err != nil {
		return err
	}
	about, err := r.aboutWhom(h, claims)
	if err != nil {
		return err
	}
	r.claims = append(r.claims, claims...)
	f := h.Annotation
	r.memories = append(r.memories, entry.NewRow{
		Memory: model.Memory{
			Persona: r.Turn.Persona, Audience: r.Audience, Origin: model.OriginMessage, AuthorID: h.PersonID, SessionID: r.Done.SessionID,
			Sector: cmp.Or(f.Sector, model.Episodic), Text: text, Salience: f.Salience, Instruction: f.Instruction,
			EventFrom: f.EventFrom, EventUntil: f.EventUntil, Created: at, Sources: []int64{id}, Entities: f.Analysis.Entities,
		},
		About: about, Told: f.Analysis.Told, Follows: true,
	})
	return nil
}

// remember stores the memories that understand made.
func (r *TurnWriter) remember() error {
	err := entry.InsertMemories(r.Tx, r.memories)
	r.memories = nil
	return err
}

// appendMessage stores a message of a person with its analysis, or of the persona for 0. fresh is false when the room already has it.
func (r *TurnWriter) appendMessage(person int64, externalID, replyTo, text string, a model.StoredAnalysis, at, vanishes time.Time) (id int64, fresh bool, err error) {
	if id, err := r.storedID(externalID); err != nil || id != 0 {
		return id, false, err
	}
	id, err = r.Insert(`INSERT INTO messages (persona, room_id, session_id, person_id, external_id, reply_to, text, at, vanishes_at,
		analysis, analysis_version, stored_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		r.Turn.Persona, r.Turn.Room.ID, r.Done.SessionID, db.NullID(person), externalID, replyTo, text, db.Millis(at), db.NullMillis(vanishes),
		a.JSON, a.Version, r.NowMillis())
	if err != nil {
		return 0, false, err
	}
	if r.stored != nil {
		r.stored[externalID] = id
	}
	r.fresh++
	return id, true, nil
}

// learn stores what was claimed, and what became of the plans that the turn closed.
func (r *TurnWriter) learn() error {
	ended, err := r.concludedLoops()
	if err != nil {
		return fmt.Errorf("find the plans that are over: %w", err)
	}
	r.Done.Changes, err = r.apply(slices.Concat(r.claims, r.filed(), ended))
	return err
}

// readHears reads what may be repeated in the room, unless it is known.
func (r *TurnWriter) readHears() error {
	if r.hears != nil {
		return nil
	}
	h, err := scope.ReadVisibility(r.Tx, r.Turn.Persona, r.Turn.Room)
	if err == nil {
		r.hears = &h
	}
	return err
}

// readTold reads what may be repeated in the room if the turn tells anything: before something is written that changes it.
func (r *TurnWriter) readTold() error {
	if !slices.ContainsFunc(r.Turn.Heard, tells) {
		return nil
	}
	return r.readHears()
}

// apply compares claims made in the room with what is believed, and stores what they leave open.
func (r *TurnWriter) apply(claims []belief.AttributedClaim) ([]model.BeliefChange, error) {
	if len(claims) == 0 {
		return nil, nil
	}
	if err := r.readHears(); err != nil {
		return nil, err
	}
	tx, persona, room := r.Tx, r.Turn.Persona, r.Turn.Room
	if err := belief.AlignPlans(tx, persona, room, claims); err != nil {
		return nil, fmt.Errorf("resolve the plans that claims refer to: %w", err)
	}
	changes, err := belief.ApplyClaims(tx, *r.hears, claims)
	if err != nil {
		return nil, fmt.Errorf("revise the beliefs: %w", err)
	}
	if err := belief.UpdateLoops(tx, persona, room, claims); err != nil {
		return nil, fmt.Errorf("store open loops: %w", err)
	}
	return changes, nil
}

// answer stores the reply and its outbox entry.
func (r *TurnWriter) answer() error {
	reply := r.Turn.Reply
	if reply == nil {
		return nil
	}
	text, at := log.Redact(reply.Text), cmp.Or(reply.At, r.Now)
	id, fresh, err := r.appendMessage(0, reply.Key, reply.ReplyTo, text, model.StoredAnalysis{}, at, r.expiresAt(at))
	if err != nil {
		return fmt.Errorf("store the reply: %w", err)
	}
	if !fresh {
		return fmt.Errorf("reply %s: %w", reply.Key, ErrAlreadyDone)
	}
	r.Done.ReplyID = id
	if r.Done.OutboxID, err = log.Enqueue(r.Tx, r.Turn.Persona, r.Turn.Room.ID, id, *reply); err != nil {
		return fmt.Errorf("queue the reply: %w", err)
	}
	if !r.queue.Waiting {
		r.Done.Queued = log.OutboxEntry{
			ID: r.Done.OutboxID, Persona: r.Turn.Persona, Room: r.queue.Room, Key: reply.Key, Text: text, ReplyTo: reply.ReplyTo, ReplyData: reply.ReplyData,
			MessageID: id, Spoken: reply.Spoken, Asks: reply.Ask != nil, Created: db.FromMillis(r.NowMillis()),
		}
		if r.Turn.Proactive != nil {
			r.Done.Queued.ProactiveSubject = r.Turn.Proactive.Subject
		}
	}
	if err := log.MarkTold(r.Tx, r.Turn.Told); err != nil {
		return fmt.Errorf("record which lost answers it tells of: %w", err)
	}
	return nil
}

// readQueue reads where the reply is to be sent, and whether anything must be sent before.
func (r *TurnWriter) readQueue() (err error) {
	if r.Turn.Reply != nil {
		r.queue, err = log.ReadQueue(r.Tx, r.Turn.Room.ID)
	}
	return err
}

// noteSession counts the turn in its session. Session times are those of people's messages: a late answer, for example
// to a transcript, does not extend the session.
func (r *TurnWriter) noteSession() error {
	_, err := r.Exec(`UPDATE sessions SET messages = messages + ?,
		last_at = CASE WHEN last_at < ? THEN ? ELSE last_at END WHERE id = ?`,
		r.fresh, db.Millis(r.last), db.Millis(r.last), r.Done.SessionID)
	return err
}

func (r *TurnWriter) notePeople() error {
	t := r.Turn
	if err := relate(r.Tx, t.Persona, t.Relate); err != nil {
		return err
	}
	for _, person := range slices.Sorted(maps.Keys(t.Zones)) {
		if err := log.SetTimezone(r.Tx, person, t.Zones[person], t.Zone); err != nil {
			return fmt.Errorf("store the timezone of person %d: %w", person, err)
		}
	}
	if err := belief.MarkAsked(r.Tx, t.Persona, t.AskedLoops); err != nil {
		return err
	}
	if err := belief.MarkConfirmationsAsked(r.Tx, t.Persona, t.AskedBeliefs); err != nil {
		return err
	}
	if err := belief.CloseLoops(r.Tx, t.Persona, t.ClosedLoops, r.closing(), 0); err != nil {
		return err
	}
	if len(t.Greeted) > 0 && t.Asker == 0 {
		return errors.New("a greeting needs the greeted person")
	}
	if err := entry.RecordGreeted(r.Tx, t.Persona, t.Asker, t.Greeted); err != nil || t.Proactive == nil {
		return err
	}
	said := *t.Proactive
	said.PersonID, said.Sent, said.MessageID, said.At = t.Asker, true, r.Done.ReplyID, r.Now
	return RecordDecision(r.Tx, t.Persona, said)
}
