package memory

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Forgotten counts what went with a memory.
type Forgotten struct {
	// Memories are the memory itself and what jobs had made of its message.
	Memories int
	// Beliefs lost their only evidence.
	Beliefs int
	// Loops were left open by it.
	Loops int
	// Messages are those whose text is gone, Replies those of the persona's own that repeated it.
	Messages, Replies int
}

// String says the counts in words, leaving out what is none.
func (f Forgotten) String() string {
	var parts []string
	for _, p := range []struct {
		n         int
		one, many string
	}{
		{f.Memories, "memory", "memories"},
		{f.Beliefs, "belief", "beliefs"},
		{f.Loops, "open loop", "open loops"},
		{f.Messages, "message", "messages"},
		{f.Replies, "reply", "replies"},
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

// Forget removes a memory and everything that rested on it alone, in one transaction: what jobs made of its message,
// beliefs it was the only evidence for, what it left open, the persona's replies that repeat it, its trace in what
// shaped earlier answers, and the text of its message. The message's row stays, without its text, as the place in the
// talk it had. What others said of the same stays theirs. ErrNotFound when there is no such memory.
func (s *Store) Forget(ctx context.Context, id int64) (Forgotten, error) {
	var f forgetting
	err := s.write(ctx, fmt.Sprintf("forget memory %d", id), func(tx *conn) error {
		m, err := tx.memory(id)
		if err != nil {
			return err
		}
		f = forgetting{conn: tx, memory: m, scopes: []Audience{m.Audience}}
		return f.run()
	})
	if err != nil {
		return Forgotten{}, err
	}
	return f.gone, nil
}

// forgetting is one Forget at work.
type forgetting struct {
	*conn
	memory   Memory
	derived  []int64 // memories jobs made of it
	messages []int64 // whose text goes
	beliefs  []Belief
	scopes   []Audience
	gone     Forgotten
}

func (f *forgetting) run() error {
	steps := []func() error{
		f.findDerived, f.findMessages, f.findBeliefs, f.removeReplies, f.removeTraces, f.removeBeliefs, f.removeLoops,
		f.removeMemories, f.removeTexts,
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	for _, a := range f.scopes {
		if err := f.advance(f.memory.Persona, ScopeRevision{Audience: a, Epoch: 1}); err != nil {
			return err
		}
	}
	return nil
}

// findDerived finds what jobs made of the message: a summary of it would keep what it said.
func (f *forgetting) findDerived() error {
	if f.memory.Origin != Said {
		return nil
	}
	in, args := list(f.memory.Sources)
	derived, err := collect[Memory](f.rows(memoryColumns+` WHERE m.origin = 'inferred'
		AND m.id IN (SELECT memory_id FROM memory_sources WHERE message_id IN `+in+`) ORDER BY m.id`, args...))(scanMemory)
	for _, m := range derived {
		f.derived = append(f.derived, m.ID)
		f.reaches(m.Audience)
	}
	return err
}

// reaches notes that something in the scope of a goes.
func (f *forgetting) reaches(a Audience) {
	if !slices.Contains(f.scopes, a) {
		f.scopes = append(f.scopes, a)
	}
}

// findMessages finds the messages no other memory rests on.
func (f *forgetting) findMessages() error {
	if f.memory.Origin != Said {
		return nil
	}
	in, going := list(append([]int64{f.memory.ID}, f.derived...))
	for _, id := range f.memory.Sources {
		var others int
		err := f.row(`SELECT count(*) FROM memory_sources WHERE message_id = ? AND memory_id NOT IN `+in,
			append([]any{id}, going...)...).Scan(&others)
		if err != nil {
			return err
		}
		if others == 0 {
			f.messages = append(f.messages, id)
		}
	}
	return nil
}

// findBeliefs takes the messages' evidence away and finds the beliefs left without any. A belief only ever denied
// stays while the denial does.
func (f *forgetting) findBeliefs() error {
	in, args := list(f.messages)
	touched, err := collect[Belief](f.rows(beliefColumns+` WHERE b.id IN
		(SELECT belief_id FROM belief_evidence WHERE message_id IN `+in+`) ORDER BY b.id`, args...))(scanBelief)
	if err != nil {
		return err
	}
	if err := f.fillEvidence(touched); err != nil {
		return err
	}
	for _, b := range touched {
		had := slices.ContainsFunc(b.Evidence, func(e Evidence) bool { return e.Stance > 0 })
		left := slices.DeleteFunc(b.Evidence, func(e Evidence) bool { return slices.Contains(f.messages, e.MessageID) })
		supported := slices.ContainsFunc(left, func(e Evidence) bool { return e.Stance > 0 })
		if len(left) == 0 || had && !supported {
			f.beliefs = append(f.beliefs, b)
		}
	}
	_, err = f.exec(`DELETE FROM belief_evidence WHERE message_id IN `+in, args...)
	return err
}

// removeReplies takes the text from what the persona said in answer to the message, or with the memory or its beliefs
// before it, where that repeats a telling word of it.
func (f *forgetting) removeReplies() error {
	telling := f.telling()
	beliefs := make([]int64, len(f.beliefs))
	for i, b := range f.beliefs {
		beliefs[i] = b.ID
	}
	inMessages, messages := list(f.messages)
	inBeliefs, args := list(beliefs)
	args = slices.Concat(messages, []any{f.memory.ID}, args)
	replies, err := collect[Message](f.rows(messageColumns+` WHERE m.person_id IS NULL AND m.text <> '' AND m.id IN (
		SELECT (SELECT min(r.id) FROM messages r WHERE r.persona = h.persona AND r.room_id = h.room_id AND r.id > h.id
			AND r.person_id IS NULL) FROM messages h WHERE h.id IN `+inMessages+`
		UNION SELECT t.reply_id FROM turns t JOIN turn_items i ON i.turn_id = t.id
			WHERE i.memory_id = ? OR i.belief_id IN `+inBeliefs+`)`, args...))(scanMessage)
	if err != nil {
		return err
	}
	for _, r := range replies {
		if !repeats(r.Text, telling) {
			continue
		}
		if _, err := f.exec(`UPDATE messages SET text = '' WHERE id = ?`, r.ID); err != nil {
			return err
		}
		if _, err := f.exec(`UPDATE outbox SET text = '' WHERE message_id = ? AND status <> 'pending'`, r.ID); err != nil {
			return err
		}
		room, err := f.roomByID(r.RoomID)
		if err != nil {
			return err
		}
		f.reaches(room.Audience())
		f.gone.Replies++
	}
	return nil
}

// tellingRunes is the length from which a word is taken to give its sentence away; shorter ones are mostly grammar.
const tellingRunes = 5

// telling are the words and values by which a repetition is known.
func (f *forgetting) telling() (words []string) {
	for _, w := range strings.Fields(foldValue(f.memory.Text)) {
		if utf8.RuneCountInString(w) >= tellingRunes || strings.ContainsAny(w, "0123456789") {
			words = append(words, w)
		}
	}
	for _, b := range f.beliefs {
		words = append(words, foldValue(b.Value))
	}
	return append(words, f.memory.Entities...)
}

func repeats(text string, telling []string) bool {
	folded := foldValue(text)
	return slices.ContainsFunc(telling, func(w string) bool { return holdsWords(folded, w) })
}

// removeTraces takes the text from what shaped earlier answers, also where it stood beside a neighbour, and from the
// lists a person was shown.
func (f *forgetting) removeTraces() error {
	in, args := list(append([]int64{f.memory.ID}, f.derived...))
	if _, err := f.exec(`UPDATE turn_items SET text = '' WHERE memory_id IN `+in, args...); err != nil {
		return err
	}
	if f.memory.SessionID != 0 {
		err := f.blank(`SELECT i.text, i.turn_id, i.ord FROM turn_items i JOIN memories m ON m.id = i.memory_id
			WHERE m.session_id = ? AND i.text <> ''`, f.memory.SessionID,
			`UPDATE turn_items SET text = '' WHERE turn_id = ? AND ord = ?`, 2)
		if err != nil {
			return err
		}
	}
	return f.blank(`SELECT text, id FROM outbox WHERE persona = ? AND message_id IS NULL AND status <> 'pending' AND text <> ''`,
		f.memory.Persona, `UPDATE outbox SET text = '' WHERE id = ?`, 1)
}

// blank takes the text from those rows of a query that repeat a telling word. The query has one argument and selects
// the text and then the key, of so many integer columns, that update takes.
func (f *forgetting) blank(query string, arg any, update string, columns int) error {
	telling := f.telling()
	rows, err := collect[[]any](f.rows(query, arg))(func(row scanner) ([]any, error) {
		var text string
		keys := make([]int64, columns)
		into, key := []any{&text}, make([]any, columns)
		for i := range keys {
			into = append(into, &keys[i])
		}
		err := row.Scan(into...)
		for i, k := range keys {
			key[i] = k
		}
		if !repeats(text, telling) {
			return nil, err
		}
		return key, err
	})
	if err != nil {
		return err
	}
	for _, key := range rows {
		if key == nil {
			continue
		}
		if _, err := f.exec(update, key...); err != nil {
			return err
		}
	}
	return nil
}

func (f *forgetting) removeBeliefs() error {
	for _, b := range f.beliefs {
		for _, q := range []string{
			`UPDATE turn_items SET text = '' WHERE belief_id = ?`,
			`UPDATE beliefs SET superseded_by = NULL WHERE superseded_by = ?`,
			`DELETE FROM beliefs WHERE id = ?`,
		} {
			if _, err := f.exec(q, b.ID); err != nil {
				return err
			}
		}
	}
	f.gone.Beliefs = len(f.beliefs)
	return nil
}

func (f *forgetting) removeLoops() error {
	in, args := list(f.messages)
	n, err := f.affect(`DELETE FROM open_loops WHERE message_id IN `+in, args...)
	f.gone.Loops = int(n)
	return err
}

// removeMemories takes the memories out of every chain they stand in, then away; their sources, entities and whom they
// are about go with them.
func (f *forgetting) removeMemories() error {
	for _, id := range append([]int64{f.memory.ID}, f.derived...) {
		m, err := f.conn.memory(id)
		if errors.Is(err, ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		if _, err := f.exec(`UPDATE memories SET parent_id = ? WHERE parent_id = ?`, nullID(m.ParentID), id); err != nil {
			return err
		}
		for _, q := range []string{
			`UPDATE memories SET supersedes = NULL WHERE supersedes = ?`,
			`UPDATE memories SET superseded_by = NULL WHERE superseded_by = ?`,
			`DELETE FROM memories WHERE id = ?`,
		} {
			if _, err := f.exec(q, id); err != nil {
				return err
			}
		}
		f.gone.Memories++
	}
	return nil
}

func (f *forgetting) removeTexts() error {
	in, args := list(f.messages)
	n, err := f.affect(`UPDATE messages SET text = '' WHERE text <> '' AND id IN `+in, args...)
	f.gone.Messages = int(n)
	return err
}
