package erase

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"familiar/memory/belief"
	"familiar/memory/checkpoint"
	"familiar/memory/entry"
	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/log"
	"familiar/memory/model"
	"familiar/memory/notepad"
	"familiar/memory/toolcall"
	"familiar/memory/turns"
)

// ForgetResult counts what was removed with a memory.
type ForgetResult struct {
	// Memories are the memory itself and those derived from its message.
	Memories int
	// Beliefs lost their only evidence.
	Beliefs int
	// Loops were opened by it alone.
	Loops int
	// Messages lost their text. Replies are the persona's own messages made from them.
	Messages, Replies int
	// The others are removed only with a person: People, their Accounts, their direct Rooms, Files that came with their messages,
	// and messages to them that were not sent yet.
	People, Accounts, Rooms, Files, Unsent int
}

// String describes the counts in words, leaving out zeros.
func (f ForgetResult) String() string {
	var parts []string
	for _, p := range []struct {
		n         int
		one, many string
	}{
		{f.People, "person", "people"},
		{f.Accounts, "account", "accounts"},
		{f.Rooms, "direct room", "direct rooms"},
		{f.Memories, "memory", "memories"},
		{f.Beliefs, "belief", "beliefs"},
		{f.Loops, "open loop", "open loops"},
		{f.Messages, "message", "messages"},
		{f.Replies, "reply", "replies"},
		{f.Files, "file", "files"},
		{f.Unsent, "unsent message", "unsent messages"},
	} {
		switch {
		case p.n == 1:
			parts = append(parts, "1 "+p.one)
		case p.n > 1:
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.many))
		}
	}
	return strings.Join(parts, ", ")
}

// Forget removes a memory and everything that rested on it alone, in one transaction: the text of its message, derived
// memories, beliefs without other evidence, what it left open, the persona's replies made from it, also unsent ones,
// and its trace in the explanation of other answers. The message's row stays, without its text, as its place in the
// talk. What others said about the same stays. When Forget returns, the removed text is gone from the file and its
// write-ahead log. Only if another process was reading them does it stay until the next write. It fails with
// ErrNotFound when there is no such memory.
func (s *Store) Forget(ctx context.Context, id int64) (gone ForgetResult, err error) {
	err = s.db.Write(ctx, fmt.Sprintf("forget memory %d", id), func(tx *db.Tx) error {
		e := Erasure{At: tx.Now, Kind: KindForget}
		if gone, err = forget(tx, id, &e); err != nil {
			return err
		}
		return e.record(tx)
	})
	if err != nil {
		return ForgetResult{}, err
	}
	return gone, nil
}

// ForgetAndAnswer is ForgetAll, asked for by a command, and the answer to the command, in one transaction: after a crash either all is
// done or the command still waits.
func (s *Store) ForgetAndAnswer(ctx context.Context, ids []int64, answer func(ForgetResult) log.CommandAnswer) error {
	return s.db.Write(ctx, fmt.Sprintf("forget %d memories and answer", len(ids)), func(tx *db.Tx) error {
		gone, err := forgetAll(tx, ids)
		if err != nil {
			return err
		}
		return log.AnswerCommand(tx, answer(gone))
	})
}

// ForgetAll is Forget of some memories in one transaction. Those that are gone already are left out; it fails with ErrNotFound if
// none of them is left.
func (s *Store) ForgetAll(ctx context.Context, ids []int64) (gone ForgetResult, err error) {
	err = s.db.Write(ctx, fmt.Sprintf("forget %d memories", len(ids)), func(tx *db.Tx) error {
		gone, err = forgetAll(tx, ids)
		return err
	})
	return gone, err
}

// CountForgotten returns what ForgetAll would remove now. It changes nothing.
func (s *Store) CountForgotten(ctx context.Context, ids []int64) (gone ForgetResult, err error) {
	undo := errors.New("only counted")
	err = s.db.Write(ctx, fmt.Sprintf("count what goes with %d memories", len(ids)), func(tx *db.Tx) error {
		if gone, err = forgetAll(tx, ids); err != nil {
			return err
		}
		return undo
	})
	if errors.Is(err, undo) {
		err = nil
	}
	return gone, err
}

func forgetAll(tx *db.Tx, ids []int64) (all ForgetResult, err error) {
	e, found := Erasure{At: tx.Now, Kind: KindForget}, false
	for _, id := range ids {
		gone, err := forget(tx, id, &e)
		if err != nil && !errors.Is(err, db.ErrNotFound) {
			return ForgetResult{}, err
		}
		found = found || err == nil
		all.add(gone)
	}
	if !found {
		return ForgetResult{}, db.ErrNotFound
	}
	return all, e.record(tx)
}

// add adds other counts.
func (f *ForgetResult) add(more ForgetResult) {
	f.Memories += more.Memories
	f.Beliefs += more.Beliefs
	f.Loops += more.Loops
	f.Messages += more.Messages
	f.Replies += more.Replies
	f.People += more.People
	f.Accounts += more.Accounts
	f.Rooms += more.Rooms
	f.Files += more.Files
	f.Unsent += more.Unsent
}

// forget forgets a memory and adds what it erases to e.
func forget(tx *db.Tx, id int64, e *Erasure) (ForgetResult, error) { return forgetWith(tx, id, e, nil) }

// forgetWith is forget with an index that several of its calls share, nil for none.
func forgetWith(tx *db.Tx, id int64, e *Erasure, index *replyIndex) (ForgetResult, error) {
	m, err := entry.Memory(tx, id)
	if err != nil {
		return ForgetResult{}, err
	}
	f := eraser{Tx: tx, memory: m, scopes: []model.Audience{m.Audience}, index: index}
	switch m.Origin {
	case model.OriginMessage:
		f.messages = m.Sources
	case model.OriginJob:
		if err := errors.Join(keepSeparate(tx, m), f.findOlder([]int64{id})); err != nil {
			return ForgetResult{}, err
		}
	case model.OriginOperator: // what others said stays, whatever the operator made of it
		if err := f.findOperatorMessages(); err != nil {
			return ForgetResult{}, err
		}
	}
	if err := f.run(); err != nil {
		return ForgetResult{}, err
	}
	e.add(f.erasure())
	if m.Origin == model.OriginMessage {
		for _, said := range m.Sources {
			copies, err := forgetCopies(tx, m.Persona, said, e)
			if err != nil {
				return ForgetResult{}, err
			}
			f.gone.add(copies)
		}
	}
	return f.gone, tx.MarkErased()
}

// keepSeparate keeps jobs from deriving the memory from the same memories again, because it was forgotten on purpose.
// That concerns the members of a summary and the sources of a pattern, dream or lesson. A session may be summarized
// again.
func keepSeparate(tx *db.Tx, m model.Memory) error {
	which := `(SELECT to_id FROM memory_edges WHERE from_id = ? AND kind = 'contains')`
	if m.Kind != "" && m.Kind != model.Summary && m.Kind != model.Episode {
		which = `(SELECT s.memory_id FROM memory_sources f JOIN memory_sources s ON s.message_id = f.message_id WHERE f.memory_id = ?)
			AND origin = 'said'`
	}
	_, err := tx.Exec(`UPDATE memories SET apart = 1 WHERE id IN `+which, m.ID)
	return err
}

// eraser forgets one memory or message within a transaction.
type eraser struct {
	*db.Tx
	memory   model.Memory
	messages []int64        // messages whose text is removed
	replies  []int64        // the persona's messages whose text was removed
	derived  []int64        // memories derived from them, and older versions
	copied   []int64        // memories of which a checkpoint held a copy, by their ids then
	beliefs  []model.Belief // left without evidence
	loops    []int64        // opened, moved or closed by one of them, alone or with others
	scopes   []model.Audience
	index    *replyIndex // nil to search the turns
	gone     ForgetResult
}

// erasure returns the ids of what it erased.
func (f *eraser) erasure() Erasure {
	return Erasure{Messages: slices.Concat(f.messages, f.replies), Memories: slices.Concat(f.memories(), f.copied)}
}

// findOperatorMessages finds the messages by which the operator wrote the memory and its older versions.
func (f *eraser) findOperatorMessages() error {
	if err := f.findOlder([]int64{f.memory.ID}); err != nil {
		return err
	}
	for _, id := range f.memories() {
		told, err := turns.OperatorMessages(f.Tx, id)
		if err != nil {
			return err
		}
		f.messages = append(f.messages, told...)
	}
	return nil
}

// findOlder finds the older versions of an operator's or a derived memory, which would otherwise become current again.
func (f *eraser) findOlder(next []int64) error {
	for len(next) > 0 {
		in, args := db.Placeholders(next)
		older, err := db.Collect[model.Memory](f.Query(entry.MemoryColumns+` WHERE m.origin <> 'said' AND m.superseded_by IN `+in+` ORDER BY m.id`, args...))(entry.ScanMemory)
		if err != nil {
			return err
		}
		next = nil
		for _, m := range older {
			if !slices.Contains(f.memories(), m.ID) {
				f.derived, next = append(f.derived, m.ID), append(next, m.ID)
				f.touch(m.Audience)
			}
		}
	}
	return nil
}

// run finds everything that must go before it removes anything, because removals also remove the references by which
// the rest is found.
func (f *eraser) run() error {
	steps := []func() error{
		f.findDerived, f.findBeliefs, f.findLoops, f.removeReplies, f.withdrawAnswers, f.removeBeliefs, f.removeLoops,
		f.removeMemories, f.removeTexts, f.removeCopies,
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	for _, a := range f.scopes {
		if err := scope.Advance(f.Tx, f.memory.Persona, model.ScopeRevision{Audience: a, Epoch: 1, Unclustered: 1}); err != nil {
			return err
		}
	}
	return nil
}

// touch records that something in the scope of a is removed.
func (f *eraser) touch(a model.Audience) {
	if !slices.Contains(f.scopes, a) {
		f.scopes = append(f.scopes, a)
	}
}

// memories returns all memories to remove.
func (f *eraser) memories() []int64 {
	if f.memory.ID == 0 { // it has faded
		return f.derived
	}
	return append([]int64{f.memory.ID}, f.derived...)
}

// findDerived finds the memories derived from the messages: a summary would keep what they said.
func (f *eraser) findDerived() error {
	in, args := db.Placeholders(f.messages)
	derived, err := db.Collect[model.Memory](f.Query(entry.MemoryColumns+` WHERE m.origin = 'inferred'
		AND m.id IN (SELECT memory_id FROM memory_sources WHERE message_id IN `+in+`) ORDER BY m.id`, args...))(entry.ScanMemory)
	for _, m := range derived {
		if !slices.Contains(f.memories(), m.ID) {
			f.derived = append(f.derived, m.ID)
			f.touch(m.Audience)
		}
	}
	if err != nil {
		return err
	}
	return f.findOlder(slices.Clone(f.derived))
}

// findBeliefs removes the messages' evidence and finds the beliefs left without any. A belief that only has evidence
// against it stays while that evidence does.
func (f *eraser) findBeliefs() error {
	in, args := db.Placeholders(f.messages)
	touched, err := db.Collect[model.Belief](f.Query(belief.SelectBeliefs+` WHERE b.id IN
		(SELECT belief_id FROM belief_evidence WHERE message_id IN `+in+`) ORDER BY b.id`, args...))(belief.ScanBelief)
	if err != nil {
		return err
	}
	if err := belief.LoadEvidence(f.Tx, touched); err != nil {
		return err
	}
	for _, b := range touched {
		if !b.Without(func(e model.Evidence) bool { return slices.Contains(f.messages, e.MessageID) }) {
			f.beliefs = append(f.beliefs, b)
		} else if err := f.clearDates(b); err != nil {
			return err
		}
	}
	_, err = f.Exec(`DELETE FROM belief_evidence WHERE message_id IN `+in, args...)
	return err
}

// clearDates recomputes the start of a belief that stays from its remaining evidence, when a removed message named a
// time from which the start may come.
func (f *eraser) clearDates(b model.Belief) error {
	if f.memory.EventFrom.IsZero() || b.Status != model.Active {
		return nil
	}
	var since time.Time
	for _, e := range b.Evidence {
		if e.Stance > 0 && (since.IsZero() || e.At.Before(since)) {
			since = e.At
		}
	}
	_, err := f.Exec(`UPDATE beliefs SET valid_from = ?, valid_to = NULL WHERE id = ?`, db.NullMillis(since), b.ID)
	return err
}

func (f *eraser) removeBeliefs() error {
	for _, b := range f.beliefs {
		f.touch(b.Audience)
		for _, q := range []string{
			`UPDATE beliefs SET superseded_by = NULL WHERE superseded_by = ?`,
			`DELETE FROM beliefs WHERE id = ?`,
		} {
			if _, err := f.Exec(q, b.ID); err != nil {
				return err
			}
		}
	}
	f.gone.Beliefs = len(f.beliefs)
	return nil
}

func (f *eraser) findLoops() (err error) {
	in, args := db.Placeholders(f.messages)
	f.loops, err = db.Collect[int64](f.Query(`SELECT DISTINCT loop_id FROM open_loop_sources WHERE message_id IN `+in+`
		ORDER BY loop_id`, args...))(db.ScanID)
	return err
}

// removeLoops removes the messages' part in each loop: opening it, setting its date, closing it.
func (f *eraser) removeLoops() error {
	in, args := db.Placeholders(f.messages)
	if _, err := f.Exec(`DELETE FROM open_loop_sources WHERE message_id IN `+in, args...); err != nil {
		return err
	}
	var gone []int64
	for _, id := range f.loops {
		there, err := belief.RecomputeLoop(f.Tx, id)
		if err != nil {
			return err
		}
		if !there {
			gone = append(gone, id)
		}
	}
	f.gone.Loops = len(gone)
	return entry.RemoveGreeted(f.Tx, f.memory.Persona, f.memories(), gone)
}

// removeMemories takes the memories out of their threads and version chains and removes them with their sources,
// entities, vectors, people and traces in explanations.
func (f *eraser) removeMemories() error {
	for _, id := range f.memories() {
		m, err := entry.Memory(f.Tx, id)
		if err != nil {
			return err
		}
		if err := entry.ReembedAfter(f.Tx, id); err != nil {
			return err
		}
		if _, err := f.Exec(`UPDATE memories SET parent_id = ? WHERE session_id = ? AND parent_id = ?`,
			db.NullID(m.ParentID), db.NullID(m.SessionID), id); err != nil {
			return err
		}
		for _, q := range []string{
			`UPDATE memories SET supersedes = NULL WHERE supersedes = ?`,
			`UPDATE memories SET superseded_by = NULL WHERE superseded_by = ?`,
			`DELETE FROM memories WHERE id = ?`,
		} {
			if _, err := f.Exec(q, id); err != nil {
				return err
			}
		}
		f.gone.Memories++
	}
	return nil
}

// removeCopies removes what checkpoints hold of the memories and of what else rests on the messages.
func (f *eraser) removeCopies() (err error) {
	f.copied, err = checkpoint.ForgetWith(f.Tx, slices.Concat(f.messages, f.replies), f.memories())
	return err
}

func (f *eraser) removeTexts() error {
	n, err := log.EraseTexts(f.Tx, f.messages)
	f.gone.Messages = int(n)
	if err != nil {
		return err
	}
	in, args := db.Placeholders(f.messages)
	for _, q := range []string{`DELETE FROM reactions WHERE message_id IN `, `DELETE FROM reminders WHERE message_id IN `} {
		if _, err := f.Exec(q+in, args...); err != nil {
			return err
		}
	}
	if err := errors.Join(toolcall.Empty(f.Tx, f.messages), notepad.ForgetWith(f.Tx, f.messages)); err != nil {
		return err
	}
	return log.UnlinkFiles(f.Tx, f.messages)
}
