// Package persona receives messages and answers them. The engine keeps each room in order, a turn answers the messages
// of one room, and the sender delivers the replies. Start with turn.go. Package scene defines what a reply is made
// from; packages plain and modelvoice are the voices that word it.
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
	"familiar/persona/modelvoice"
	"familiar/persona/scene"
	"familiar/persona/words"
)

// takeTurn answers one message, or a few that arrived together. It finds out who is speaking and where, what they said
// and what is relevant to it, lets the voice compose a reply, and records the result. Everything is recorded in one
// transaction: a turn that is interrupted leaves no trace and is taken again.
//
// answer is the answer to the question about a call of a tool that the message gives, nil for none.
func (e *Engine) takeTurn(ctx context.Context, l *lane, pending []log.InboxEntry, answer *toolAnswer) (err error) {
	t := &turn{started: e.Now(), pending: pending, tool: answer}
	ctx = modelvoice.WithSpent(ctx, &t.spent)
	if e.Observer != nil {
		defer func() { e.Observer.Turn(l.room.Channel, e.Now().Sub(t.started), err) }()
	}
	defer e.beginTurn(l, t)()
	defer e.look(ctx, t)()
	defer func() { t.preview.settle() }()
	t.queryEmbedding = e.embedQuery(ctx, t.addressedBy(), t.addressedText())
	err = e.identifyAndPrepare(ctx, l, t)
	if errors.Is(err, errPersonGone) {
		return e.suppress(ctx, t, gate.Outdated)
	}
	if err != nil {
		return err
	}
	if t.answering {
		if err := e.compose(ctx, l, t); err != nil {
			return fmt.Errorf("compose a reply: %w", err)
		}
	}
	l.endTyping(t.reply.Text != "")
	if t.suppressed != "" {
		return e.suppress(ctx, t, t.suppressed)
	}
	t.describePictures(ctx, seenAfter)
	return e.record(ctx, t)
}

// identifyAndPrepare reads all that the turn needs in one snapshot, since a reader begins each of its transactions with an
// empty page cache. If something about the people or the room has to be stored first, a second snapshot follows.
func (e *Engine) identifyAndPrepare(ctx context.Context, l *lane, t *turn) error {
	err := e.Store.Snapshot(ctx, func(ctx context.Context) (err error) {
		if err := e.identify(ctx, t, e.Store.Turns.Participants); err != nil {
			return err
		}
		if err := e.prefetchRoom(ctx, t); err != nil {
			return err
		}
		if t.visibility, err = e.Store.Log.VisibilityIn(ctx, e.Card.Key, t.room); err != nil {
			return fmt.Errorf("find the audience of a room: %w", err)
		}
		return e.prepare(ctx, l, t)
	})
	if !errors.Is(err, turns.ErrOutdated) {
		return err
	}
	if err := e.identify(ctx, t, e.Store.Turns.UpsertParticipants); err != nil {
		return err
	}
	return e.Store.Snapshot(ctx, func(ctx context.Context) (err error) {
		if t.visibility, err = e.Store.Log.Visibility(ctx, e.Card.Key, t.room.ID); err != nil {
			return fmt.Errorf("find the audience of a room: %w", err)
		}
		return e.prepare(ctx, l, t)
	})
}

// prepare does everything before the reply: it finds the session, annotates what was said, decides whether to answer,
// and gathers what is relevant.
func (e *Engine) prepare(ctx context.Context, l *lane, t *turn) (err error) {
	if err := e.prefetchScene(ctx, t); err != nil {
		return err
	}
	if err := e.findSession(ctx, t); err != nil {
		return fmt.Errorf("find the running session: %w", err)
	}
	if t.proactive() != "" {
		if t.suppressed, err = e.checkProactive(ctx, t); err != nil || t.suppressed != "" {
			return err
		}
	}
	if err := e.prefetchSession(ctx, t); err != nil {
		return err
	}
	e.annotate(t)
	if err := e.closeLoops(ctx, t); err != nil {
		return fmt.Errorf("match open loops: %w", err)
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

// turn is the state of one turn. Each step fills in its part.
type turn struct {
	started time.Time
	pending []log.InboxEntry

	// identifyAndPrepare: the room, the people in it and the audience.
	room       model.Room
	visibility memory.Visibility
	people     map[int64]model.Person
	authors    []int64 // the author of each pending message, 0 for the persona's own in a recorded conversation
	asker      model.Person
	now        time.Time // started, in the asker's timezone

	// queryEmbedding is the vector of the question. It is computed before the store snapshot opens, so that no snapshot
	// waits for the embedder.
	queryEmbedding *recall.QueryEmbedding

	// pictures are fetched and described outside the snapshot too.
	pictures pictures

	// findSession: the running session.
	sessionID    int64     // 0 starts a new session
	sessionStart time.Time // now for a new session
	recent       []model.Message
	episodes     []turns.EpisodeView // the part of the session before recent
	// answersProactive reports that the persona's last message was proactive. The person is replying to it, not
	// returning.
	answersProactive bool
	// suppressed is the reason why a proactive message is not sent after all.
	suppressed gate.Reason

	// annotate and closeLoops: what was said, the timezones it reveals, and the open loops it answers. talk is recent
	// and what was said, as a voice sees it.
	annotations []model.Annotation
	zones       map[int64]string
	talk        []scene.Line
	loops       map[int64][]model.Loop // open loops, by person
	closedLoops []int64

	// buildScene and compose: whether there is a reply, what it is made from, and the reply.
	answering bool
	scene     scene.Scene
	reply     scene.Reply
	spoken    bool // the reply is sent as a voice message
	preview   *preview
	// tool is the answer to a question about a call of a tool that the turn takes, nil for none.
	tool *toolAnswer
	// undelivered are the outbox rows of the replies that scene.Undelivered counts.
	undelivered []int64
	// spent is what models used for this attempt at the turn.
	spent modelvoice.Spent
}

// ownText returns the text of pending message i if the persona wrote it, "" otherwise.
func (t *turn) ownText(i int) string {
	if t.authors[i] != 0 {
		return ""
	}
	return t.pending[i].Message.FullText()
}

// expectsReply reports whether someone addressed the persona, or arrived and may be greeted.
func (t *turn) expectsReply() bool {
	for _, h := range t.pending {
		if h.Message.Addressed || h.Message.Arrival {
			return true
		}
	}
	return false
}

// replyTarget returns the message that the reply refers to: the last that addresses the persona, empty if none does.
func (t *turn) replyTarget() (m channels.Message) {
	for _, h := range t.pending {
		if h.Message.Addressed {
			m = h.Message
		}
	}
	return m
}

// sessionTexts returns the part of the running session that the voice saw, with the messages of this turn and the reply.
func (t *turn) sessionTexts() []string {
	texts := make([]string, 0, len(t.recent)+len(t.pending)+1)
	for _, m := range t.recent {
		if m.SessionID == t.sessionID {
			texts = append(texts, m.Text)
		}
	}
	for _, h := range t.pending {
		texts = append(texts, h.Message.FullText())
	}
	return append(texts, t.reply.Text)
}

// isArrival reports whether someone opened the room without writing anything.
func (t *turn) isArrival() bool { return t.pending[0].Message.Arrival }

// errPersonGone reports that the person of a proactive turn no longer exists.
var errPersonGone = errors.New("the person is gone")

// findParticipants returns the author of each message and their room.
type findParticipants func(context.Context, []channels.Message) ([]model.Person, model.Room, error)

// identify finds the room, its people and the person to answer: the last one who addressed the persona. find returns
// the author of each message and their room.
func (e *Engine) identify(ctx context.Context, t *turn, find findParticipants) error {
	messages := make([]channels.Message, len(t.pending))
	for i, h := range t.pending {
		messages[i] = h.Message
	}
	people, room, err := find(ctx, messages)
	if t.proactive() != "" && errors.Is(err, memory.ErrNotFound) {
		return errPersonGone
	}
	if err != nil {
		return fmt.Errorf("identify the people of a turn: %w", err)
	}
	t.room, t.people, t.authors = room, make(map[int64]model.Person), nil
	for i, person := range people {
		t.people[person.ID] = person
		t.authors = append(t.authors, person.ID)
		if messages[i].Addressed || messages[i].Arrival {
			t.asker = person
		}
	}
	t.now = t.started.In(t.asker.Location(e.Settings.Zone))
	return nil
}

// findSession finds the session that the turn continues. There is none if the room was silent for too long.
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

// annotate analyzes what each message says.
func (e *Engine) annotate(t *turn) {
	before := ""
	if n := len(t.recent); n > 0 && t.recent[n-1].PersonID == 0 {
		before = t.recent[n-1].Text
	}
	t.annotations = make([]model.Annotation, len(t.pending))
	inParallel(len(t.pending), annotatedTogether, func(i int) {
		if t.authors[i] == 0 {
			return
		}
		m, last := t.pending[i].Message, before
		if i > 0 {
			last = t.ownText(i - 1)
		}
		zone := t.people[t.authors[i]].Location(e.Settings.Zone)
		t.annotations[i] = entry.Annotator{WithoutFacts: e.Card.WithoutFacts}.Annotate(m, last, zone)
		t.annotations[i].SkipMemory, t.annotations[i].Danger = isStop(m), sighted(m.FullText())
	})
	t.zones = make(map[int64]string)
	for i, annotation := range t.annotations {
		person := t.people[t.authors[i]]
		zone := person.Location(e.Settings.Zone)
		if where := annotation.Analysis.Zone; where != "" && where != zone.String() && (annotation.Analysis.ZoneNamed || person.TimezoneSetAt.IsZero()) {
			t.zones[person.ID] = where
		}
	}
}

// annotatedTogether is how many messages of a backlog one goroutine annotates at a time: fewer are not worth another.
const annotatedTogether = 4

// compose lets the voice write the reply and previews it where the channel can. If the person says "stop", the reply
// ends with what was written so far.
func (e *Engine) compose(ctx context.Context, l *lane, t *turn) error {
	if t.isArrival() && t.scene.Greeting == nil {
		return nil
	}
	if text := e.excuse(t); text != "" {
		t.reply = excused(text)
		return nil
	}
	voiceCtx, ended := e.interruptible(ctx, l)
	defer ended() // also if the voice panics
	e.takeCare(voiceCtx, t)
	err := e.takeToolAnswer(voiceCtx, t)
	if err != nil {
		return err
	}
	if t.spoken, err = e.answersAloud(ctx, t); err != nil {
		return err
	}
	if !t.spoken { // what is said aloud is not read as it grows
		t.preview = e.preview(ctx, t)
	}
	show := t.preview.take()
	reply, err := e.Voice.Reply(voiceCtx, t.scene, show)
	if err == nil {
		reply, err = e.askAgain(voiceCtx, t, reply, show)
	}
	interrupted := ctx.Err() == nil && voiceCtx.Err() != nil // by the person, not by shutdown
	if ended() {
		return errAmended
	}
	if interrupted {
		err = nil
	}
	t.reply = reply
	e.tellOfTools(t)
	t.spoken = t.spoken && t.reply.Question == nil // it has to be read to the letter
	if t.proactive() != "" && err == nil && reply.Text == "" {
		t.suppressed = gate.NothingToSay
	}
	return err
}

// record stores the turn and wakes the sender. If there is no reply, it tells the channel not to wait for one. The reply is
// stored before its preview has settled: what was shown whole is not composed again after a crash.
func (e *Engine) record(ctx context.Context, t *turn) error {
	release := e.sender.holdFor(previewKey{e.Card.Key, t.room.ID}, t.preview)
	defer release()
	kept, err := e.Store.Turns.RecordTurn(ctx, e.turnRecord(t))
	if err != nil {
		return fmt.Errorf("record the turn: %w", err)
	}
	if t.reply.Fault != "" {
		e.Log.Warn("the plain voice replied instead of the model", "turn", kept.TurnID, "room", t.room.ID, "why", t.reply.Fault)
	}
	if len(t.reply.Reminders) > 0 {
		e.noteReminder()
	}
	release()
	if kept.OutboxID != 0 {
		e.sender.wakeWith(t.room, kept.Queued)
	} else {
		if t.answering { // a preview may have been shown before the person said stop
			e.cancelPreview(ctx, t.pending[0].Message)
		}
		e.notifyNoReplies(t.pending)
	}
	if err := e.sessions.Compact(ctx, kept.SessionID, t.sessionTexts()); err != nil { // the next turn tries again
		e.Log.Warn("compact a long session", "room", t.room.ID, "session", kept.SessionID, "error", err)
	}
	return nil
}

// turnRecord returns everything that the turn stores.
func (e *Engine) turnRecord(t *turn) turns.Turn {
	kept := turns.Turn{
		Persona: e.Card.Key, Room: t.room, SessionID: t.sessionID, Started: t.started, Asker: t.asker.ID,
		ClosedLoops: t.closedLoops, Voice: t.reply.Voice, Fault: t.reply.Fault, Used: t.reply.Used, Quoted: t.reply.Quoted,
		Usage: t.spent.Usage(),
	}
	for i, h := range t.pending {
		kept.Heard = append(kept.Heard, model.AnnotatedMessage{
			InboxID: h.ID, Message: h.Message, PersonID: t.authors[i], Own: t.authors[i] == 0, Annotation: t.annotations[i],
		})
	}
	if t.reply.Called && t.scene.Tools != nil {
		kept.ToolTurn = e.replyKey(t.pending[0].Message)
	}
	if kept.ToolQuestion = t.reply.Question; t.tool != nil && t.tool.came != nil {
		kept.ToolAnswered = t.tool.question.Call.ID
	}
	kept.Relate, kept.Zones, kept.Zone = e.relationshipUpdates(t), t.zones, e.Settings.Zone
	if t.reply.Text == "" {
		return kept
	}
	kept.Visibility = t.visibility
	answers := t.replyTarget()
	kept.Reply = &model.Reply{
		Key: e.replyKey(t.pending[0].Message), Text: t.reply.Text, ReplyTo: answers.ID, ReplyData: answers.ReplyData, At: e.Now(), Spoken: t.spoken, Ask: e.askWith(t),
	}
	if answers.Press != (channels.Press{}) {
		kept.Reply.ReplyTo = answers.ReplyTo // a press is no message
	}
	kept.Context, kept.Exact, kept.Filed, kept.Reminders = t.contextItems(), t.reply.Exact, t.filed(), t.reminders()
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
	kept.AskedBeliefs = t.scene.AskedToConfirm(t.reply.Text)
	if g := t.scene.Greeting; g != nil {
		kept.Greeted = g.Subjects
		for _, loop := range g.Loops {
			kept.AskedLoops = append(kept.AskedLoops, loop.ID)
		}
	}
	if e.Settings.ReadsWeb {
		kept.Greeted = append(kept.Greeted, t.scene.ToldFromWeb(t.reply)...)
	}
	if t.reply.ToldUndelivered {
		kept.Told = t.undelivered
	}
	if t.proactive() != "" {
		kept.Proactive = &turns.ProactiveDecision{Subject: t.proactive(), Reason: string(t.proactiveReason()), JobRun: t.pending[0].JobRun}
	}
	return kept
}

// contextItems returns what shaped the reply: the beliefs it used, the last session, earlier statements, then the
// recalled memories.
func (t *turn) contextItems() []recall.Item {
	var items []recall.Item
	for _, b := range slices.Concat(t.scene.Beliefs, t.scene.Around) {
		if b.ID > 0 && slices.Contains(t.reply.Beliefs, b.ID) {
			items = append(items, recall.Item{
				BeliefID: b.ID, Why: "believed", Used: true,
				Lines: []model.SnippetLine{{Text: rel.Describe(b.Subject, b.Relation, b.Value)}},
			})
		}
	}
	items = slices.Concat(items, t.scene.Earlier, t.scene.Recall.Items)
	for _, item := range t.scene.WeakItems() {
		if item.MemoryID != 0 && slices.Contains(t.reply.Used, item.MemoryID) {
			items = append(items, item)
		}
	}
	if !t.reply.Exact {
		items = append(items, t.scene.Inferred()...)
	}
	return append(items, t.lookedUp(items)...)
}

// replyKey returns the idempotency key of the reply to m, the first message of its turn. It is the same whenever the
// turn is repeated. It differs between homes, so that the conversations of two homes can be merged.
func (e *Engine) replyKey(m channels.Message) string { return "reply-" + e.eventKey(m) }

// eventKey returns a key that identifies m among all messages.
func (e *Engine) eventKey(m channels.Message) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %q %q", e.Card.Key, m.Room.Channel, m.Room.ID, m.Room.Thread, m.ID))
	return fmt.Sprintf("%x", sum[:8])
}
