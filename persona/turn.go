// Package persona receives messages and answers them: the engine keeps each room in order, the turn identifies the people,
// recalls, answers and records, and the sender delivers. Read turn.go first. What a reply is made from is in package scene,
// the voices are in plain and modelvoice.
package persona

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"time"

	"familiar/channels"
	"familiar/channels/gate"
	"familiar/memory"
	"familiar/memory/entry"
	"familiar/memory/log"
	"familiar/memory/model"
	"familiar/memory/recall"
	"familiar/memory/turns"
	"familiar/memory/understand/rel"
	"familiar/persona/scene"
	"familiar/persona/words"
)

// takeTurn is the story of one message, or of a few that arrived together: who is speaking and where, what they said,
// what comes to mind, what the persona answers, and what is kept of it. Everything it leaves behind is recorded in
// one transaction, so that a turn that is cut short anywhere never happened and is taken again.
func (e *Engine) takeTurn(ctx context.Context, l *lane, pending []log.InboxEntry) error {
	t := &turn{started: e.Now(), pending: pending}
	defer e.beginTurn(l, t)()
	if err := e.identify(ctx, t); err != nil {
		if t.proactive() != "" && errors.Is(err, memory.ErrNotFound) {
			return e.suppress(ctx, t, gate.Outdated) // whom it was about is gone
		}
		return fmt.Errorf("find out who is speaking: %w", err)
	}
	t.queryEmbedding = e.embedQuery(ctx, t.addressedText())
	err := e.Store.Snapshot(ctx, func(ctx context.Context) error { return e.prepare(ctx, l, t) })
	if err != nil {
		return err
	}
	if t.answering {
		if err := e.compose(ctx, l, t); err != nil {
			return fmt.Errorf("find words: %w", err)
		}
	}
	l.endTyping(t.reply.Text != "")
	if t.suppressed != "" {
		return e.suppress(ctx, t, t.suppressed)
	}
	return e.record(ctx, t)
}

// prepare is the turn up to the answer: who hears it, the running session, what was said, whether it is to be answered,
// and what comes to mind about it.
func (e *Engine) prepare(ctx context.Context, l *lane, t *turn) (err error) {
	if t.visibility, err = e.Store.Log.Visibility(ctx, e.Card.Key, t.room.ID); err != nil {
		return fmt.Errorf("find out who hears it: %w", err)
	}
	if err := e.findSession(ctx, t); err != nil {
		return fmt.Errorf("continue the session: %w", err)
	}
	if t.proactive() != "" {
		if t.suppressed, err = e.checkProactive(ctx, t); err != nil || t.suppressed != "" {
			return err
		}
	}
	e.annotate(t)
	if err := e.closeLoops(ctx, t); err != nil {
		return fmt.Errorf("see what was left open: %w", err)
	}
	if !t.expectsReply() || e.interrupted(l, t) {
		return nil
	}
	t.answering = true
	if err := e.buildScene(ctx, t); err != nil {
		return fmt.Errorf("recall: %w", err)
	}
	if t.proactive() != "" && t.scene.Greeting == nil {
		t.suppressed, t.answering = gate.Outdated, false
	}
	return nil
}

// turn is what one turn knows so far; each chapter fills in its part.
type turn struct {
	started time.Time
	pending []log.InboxEntry

	// enter: who and where, and so who hears it.
	room       model.Room
	visibility memory.Visibility
	people     map[int64]model.Person
	authors    []int64 // the author of each pending message
	asker      model.Person
	now        time.Time // started, in the asker's timezone

	// queryEmbedding is what is asked, as a vector: found before the store is looked at, which nobody should wait within.
	queryEmbedding *recall.QueryEmbedding

	// thread: the running session.
	sessionID    int64     // 0 starts one
	sessionStart time.Time // when it began, now for one that starts
	recent       []model.Message
	episodes     []turns.EpisodeTold // of what lies before
	// answersProactive says that what the persona said last, it said proactively: this is the answer, and no coming
	// back.
	answersProactive bool
	// suppressed is why nothing is said proactively after all.
	suppressed gate.Reason

	// read: what was said, where those who said it are, and which open loops it answers.
	annotations []model.Annotation
	zones       map[int64]string
	loops       map[int64][]model.Loop // open ones, by person
	closedLoops []int64

	// recall and speak: whether it is answered, what came to mind and what was answered.
	answering bool
	scene     scene.Scene
	reply     scene.Reply
}

// expectsReply reports whether someone expects an answer, or that someone arrived and may be greeted.
func (t *turn) expectsReply() bool {
	for _, h := range t.pending {
		if h.Message.Addressed || h.Message.Arrival {
			return true
		}
	}
	return false
}

// replyTarget returns the message the reply answers: the last that expects one, empty when none does.
func (t *turn) replyTarget() (m channels.Message) {
	for _, h := range t.pending {
		if h.Message.Addressed {
			m = h.Message
		}
	}
	return m
}

// sessionMessages returns the part of the running session that stood shown to the voice, with what the turn added.
func (t *turn) sessionMessages() []model.Message {
	talk := slices.DeleteFunc(slices.Clone(t.recent), func(m model.Message) bool { return m.SessionID != t.sessionID })
	for _, h := range t.pending {
		talk = append(talk, model.Message{Text: h.Message.FullText()})
	}
	return append(talk, model.Message{Text: t.reply.Text})
}

// isArrival reports whether the turn is someone opening the room without a word.
func (t *turn) isArrival() bool { return t.pending[0].Message.Arrival }

// identify finds the room, its people and who is to be answered: the last one who addressed the persona.
func (e *Engine) identify(ctx context.Context, t *turn) error {
	t.people = make(map[int64]model.Person)
	for _, h := range t.pending {
		person, room, err := e.Store.Turns.UpsertParticipant(ctx, h.Message)
		if err != nil {
			return err
		}
		t.room = room
		t.people[person.ID] = person
		t.authors = append(t.authors, person.ID)
		if h.Message.Addressed || h.Message.Arrival {
			t.asker = person
		}
	}
	t.now = t.started.In(t.asker.Location(e.Settings.Zone))
	return nil
}

// findSession finds the running session of the room: the session that the turn continues, or none when the silence
// before it was too long.
func (e *Engine) findSession(ctx context.Context, t *turn) error {
	t.sessionStart = t.now
	if t.proactive() == "" {
		running, err := e.sessions.Running(ctx, t.visibility, t.room.ID, t.pending[0].Message.At)
		if err != nil {
			return err
		}
		if running.Session != 0 {
			t.sessionID, t.sessionStart, t.recent, t.episodes = running.Session, running.Since, running.Recent, running.Episodes
			return nil
		}
	}
	return e.loadPreceding(ctx, t)
}

// annotate files what each message says.
func (e *Engine) annotate(t *turn) {
	before := ""
	if n := len(t.recent); n > 0 && t.recent[n-1].PersonID == 0 {
		before = t.recent[n-1].Text
	}
	t.zones = make(map[int64]string)
	for i, h := range t.pending {
		person := t.people[t.authors[i]]
		zone := person.Location(e.Settings.Zone)
		filing := entry.Filer{WithoutFacts: e.Card.WithoutFacts}.File(h.Message, before, zone)
		if where := filing.Analysis.Zone; where != "" && where != zone.String() && (filing.Analysis.ZoneNamed || person.TimezoneSetAt.IsZero()) {
			t.zones[person.ID] = where
		}
		filing.SkipMemory = isStop(h.Message)
		t.annotations = append(t.annotations, filing)
		before = ""
	}
}

// compose lets the voice answer, showing the words as they come where the channel can. A person's "stop" cuts it
// short: what was said until then stands.
func (e *Engine) compose(ctx context.Context, l *lane, t *turn) error {
	if t.isArrival() && t.scene.Greeting == nil {
		return nil
	}
	voiceCtx, ended := e.interruptible(ctx, l)
	defer ended() // whatever becomes of the voice
	show := e.preview(ctx, t)
	if t.proactive() != "" {
		show = nil // it may come to nothing
	}
	speech, err := e.Voice.Reply(voiceCtx, t.scene, show)
	interrupted := ctx.Err() == nil && voiceCtx.Err() != nil // by the person, not by shutdown
	if ended() {
		return errAmended
	}
	if interrupted {
		err = nil
	}
	t.reply = speech
	if t.proactive() != "" && err == nil && speech.Text == "" {
		t.suppressed = gate.NothingToSay
	}
	if err != nil || len(speech.Quoted) == 0 {
		return err
	}
	quoted, err := e.Store.Log.MemoriesFromMessages(ctx, speech.Quoted)
	t.reply.Used = append(t.reply.Used, quoted...)
	return err
}

// record keeps the turn, wakes the sender, and tells the room when there is nothing to wait for.
func (e *Engine) record(ctx context.Context, t *turn) error {
	kept, err := e.Store.Turns.RecordTurn(ctx, e.turnRecord(t))
	if err != nil {
		return fmt.Errorf("record the turn: %w", err)
	}
	if t.reply.Fault != "" {
		e.Log.Warn("the plain voice stepped in", "turn", kept.TurnID, "room", t.room.ID, "why", t.reply.Fault)
	}
	if kept.OutboxID != 0 {
		e.sender.wake(t.room)
	} else {
		if t.answering { // and had found words before it was told to stop
			e.cancelPreview(ctx, t.pending[0].Message)
		}
		e.notifyNoReplies(t.pending)
	}
	if err := e.sessions.Compact(ctx, kept.SessionID, t.sessionMessages()); err != nil { // the next turn tries again
		e.Log.Warn("fold a long talk", "room", t.room.ID, "session", kept.SessionID, "error", err)
	}
	return nil
}

// turnRecord returns everything the turn leaves behind.
func (e *Engine) turnRecord(t *turn) turns.Turn {
	kept := turns.Turn{
		Persona: e.Card.Key, Room: t.room, SessionID: t.sessionID, Started: t.started, Asker: t.asker.ID,
		ClosedLoops: t.closedLoops, Voice: t.reply.Voice, Fault: t.reply.Fault, Used: t.reply.Used,
	}
	for i, h := range t.pending {
		kept.Heard = append(kept.Heard, model.AnnotatedMessage{
			InboxID: h.ID, Message: h.Message, PersonID: t.authors[i], Annotation: t.annotations[i],
		})
	}
	kept.Relate, kept.Zones, kept.Zone = e.relationshipUpdates(t), t.zones, e.Settings.Zone
	if t.reply.Text == "" {
		return kept
	}
	kept.Hearing = t.visibility
	answers := t.replyTarget()
	kept.Reply = &model.Reply{Key: e.replyKey(t.pending[0].Message), Text: t.reply.Text, ReplyTo: answers.ID, ReplyData: answers.ReplyData, At: e.Now()}
	kept.Context, kept.Exact = t.contextItems(), t.reply.Exact
	if !kept.Exact && len(t.recent) > 0 {
		kept.RecentFrom = t.recent[0].ID
	}
	said := words.Content(t.reply.Text)
	for _, loop := range t.scene.ShownLoops() {
		kept.Loops = append(kept.Loops, loop.ID)
		if words.SharedWith(said, loop.Text) > 0 {
			kept.SpokenLoops = append(kept.SpokenLoops, loop.ID)
		}
	}
	kept.AskedLoops = t.scene.Asked(t.reply.Text)
	if g := t.scene.Greeting; g != nil {
		kept.Greeted = g.Subjects
		for _, loop := range g.Loops {
			kept.AskedLoops = append(kept.AskedLoops, loop.ID)
		}
	}
	if t.proactive() != "" {
		kept.Unasked = &turns.UnaskedDecision{Subject: t.proactive(), Reason: string(t.proactiveReason()), JobRun: t.pending[0].JobRun}
	}
	return kept
}

// contextItems returns what shaped the answer: the beliefs it was made from, the session before this one, what was told
// before, then what was recalled.
func (t *turn) contextItems() []recall.Item {
	var items []recall.Item
	for _, b := range t.scene.Beliefs {
		if b.ID > 0 && slices.Contains(t.reply.Beliefs, b.ID) {
			items = append(items, recall.Item{
				BeliefID: b.ID, Why: "believed", Used: true,
				Lines: []model.SnippetLine{{Text: rel.Describe(b.Subject, b.Relation, b.Value)}},
			})
		}
	}
	items = slices.Concat(items, t.scene.Earlier, t.scene.Recall.Items)
	if !t.reply.Exact {
		items = append(items, t.scene.Inferred()...)
	}
	return items
}

// replyKey returns the idempotency key of the reply to m, the first message of its turn: the same however often the
// turn is taken, and another in every home, so that the talk of two homes can be put together.
func (e *Engine) replyKey(m channels.Message) string { return "reply-" + e.eventKey(m) }

// eventKey tells m from every other message there was.
func (e *Engine) eventKey(m channels.Message) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %q %q", e.Card.Key, m.Room.Channel, m.Room.ID, m.Room.Thread, m.ID))
	return fmt.Sprintf("%x", sum[:8])
}
