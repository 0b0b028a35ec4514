package log

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"familiar/channels"
	"familiar/memory/internal/db"
	"familiar/memory/model"
)

// maxPayload is the maximum size of a stored message in bytes. No network delivers text near this size. A longer
// message is a misplaced file, which the adapter must shorten.
const maxPayload = 4 << 20

// ErrTooLong reports that a message is larger than the inbox accepts.
var ErrTooLong = errors.New("message is longer than 4 MiB")

// ErrMalformed reports that a message lacks a valid identity. Retrying does not help.
var ErrMalformed = errors.New("malformed message")

// InboxEntry is a durable message that is not answered yet.
type InboxEntry struct {
	ID      int64
	Message channels.Message
	// JobRun is the run of the job that created it, 0 for messages from a channel.
	JobRun int64
	// Received is when it was accepted, by this machine's clock.
	Received time.Time

	payload []byte // what Message was decoded from
}

// Accept stores a message for persona until its turn is recorded, and reports whether it is new. An event in a room is
// stored once, however often it is delivered, and not at all if its author deleted it before it arrived (see
// HandleUnknownTarget). When err is nil, the message is on disk, without the secrets pasted into it (see Redact).
func (s *Store) Accept(ctx context.Context, persona string, m channels.Message) (fresh bool, err error) {
	n, err := s.AcceptAll(ctx, persona, []channels.Message{m})
	return n == 1, err
}

// AcceptAll is Accept for several messages. It stores all or none, and returns the number of new ones.
func (s *Store) AcceptAll(ctx context.Context, persona string, messages []channels.Message) (fresh int, err error) {
	payloads := make([]string, len(messages))
	for i, m := range messages {
		if payloads[i], err = EncodePayload(m); err != nil {
			return 0, fmt.Errorf("accept message %q in %s: %w", m.ID, m.Room.Channel, err)
		}
	}
	stored := make([]int64, len(messages))
	err = s.db.WriteUrgent(ctx, "accept messages for "+persona, func(tx *db.Tx) error {
		for i, m := range messages {
			if err := tx.AffectLater(&stored[i], intoInbox, inboxRow(tx, persona, m, payloads[i], false)...); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	for _, n := range stored {
		fresh += int(n)
	}
	return fresh, nil
}

// InsertInbox stores a message with its encoded payload. It returns 1 for a new message and 0 otherwise.
// What somebody sent before they were erased is not received again.
func InsertInbox(tx *db.Tx, persona string, m channels.Message, payload string) (int64, error) {
	return tx.Affect(intoInbox, inboxRow(tx, persona, m, payload, false)...)
}

// intoInbox stores a message, for the arguments of inboxRow. The conditions are part of the one statement that each message takes.
const intoInbox = `INSERT INTO inbox
	(persona, channel, room, author_channel, author_handle, thread, event_id, payload, status, received_at)
	SELECT ?1, ?2, ?3, ?4, ?5, ?7, ?8, ?9, 'pending', ?10 WHERE NOT EXISTS
		(SELECT 1 FROM taken_back WHERE persona = ?1 AND channel = ?2 AND room = ?3 AND thread = ?7 AND event_id = ?8
			AND (handle = '' OR handle = ?5 OR handle = ?6))
		AND NOT EXISTS (SELECT 1 FROM erased_handles WHERE at >= ?11 AND hash IN (?12, ?13))
		AND NOT (?14 = 1 AND ` + authorPaused + `)
	ON CONFLICT (persona, channel, room, thread, event_id) DO NOTHING`

// inboxRow returns the arguments of intoInbox. With heedsPause, a message is not stored for a persona that its author paused there.
func inboxRow(tx *db.Tx, persona string, m channels.Message, payload string, heedsPause bool) []any {
	at := m.At
	if at.IsZero() {
		at = tx.Now
	}
	alias := channels.Handle{Channel: m.Author.Handle.Channel, ID: m.Author.Alias}
	return []any{
		persona, m.Room.Channel, m.Room.ID, m.Author.Handle.Channel, m.Author.Handle.ID, m.Author.Alias, m.Room.Thread, m.ID, payload,
		tx.NowMillis(), db.Millis(at), HashHandle(m.Author.Handle), HashHandle(alias), heedsPause,
	}
}

// EncodePayload returns the stored form of a message, with clean texts. Pasted secrets are redacted, so nothing later
// sees them. The error wraps ErrMalformed or ErrTooLong.
func EncodePayload(m channels.Message) (string, error) {
	m, err := Clean(m)
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // it goes to SQLite, not into HTML
	if err := enc.Encode(m); err != nil {
		return "", err
	}
	if b.Len() > maxPayload {
		return "", fmt.Errorf("%w: it takes %d bytes; the adapter must shorten it", ErrTooLong, b.Len())
	}
	return b.String(), nil
}

// Clean returns a message with clean texts, without the secrets pasted into it (see Redact). The error wraps ErrMalformed.
func Clean(m channels.Message) (channels.Message, error) {
	if err := checkIdentity(m); err != nil {
		return m, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	m.Text = Redact(model.CleanText(m.Text))
	m.RoomTitle = redactLine(m.RoomTitle)
	m.Author.Name = redactLine(m.Author.Name)
	m.ReplyTo = model.CleanText(m.ReplyTo)
	m.Attachments = slices.Clone(m.Attachments)
	for i := range m.Attachments {
		a := &m.Attachments[i]
		a.Kind, a.Name, a.Caption, a.Seen = model.CleanText(a.Kind), redactLine(a.Name), redactLine(a.Caption), redactLine(a.Seen)
	}
	return m, nil
}

// redactLine redacts a name or the text about an attachment after joining it to one line, since joining later could restore a secret
// that was split over two lines.
func redactLine(text string) string {
	return Redact(strings.Join(strings.Fields(model.CleanText(text)), " "))
}

// checkIdentity rejects a message that could not be distinguished from others. IDs are never cleaned: different IDs
// must stay different.
func checkIdentity(m channels.Message) error {
	parts := []struct{ name, value string }{
		{"Room.Channel", m.Room.Channel},
		{"Room.ID", m.Room.ID},
		{"ID", m.ID},
	}
	if m.Action != channels.Post {
		parts = append(parts, struct{ name, value string }{"TargetID", m.TargetID})
	}
	if m.Action != channels.Delete && m.Action != channels.Move { // networks do not always name the author of these
		parts = append(parts, []struct{ name, value string }{
			{"Author.Handle.Channel", m.Author.Handle.Channel},
			{"Author.Handle.ID", m.Author.Handle.ID},
		}...)
	}
	for _, part := range parts {
		if part.value == "" {
			return fmt.Errorf("%s is empty: the adapter must set it", part.name)
		}
		if !utf8.ValidString(part.value) {
			return fmt.Errorf("%s is not valid UTF-8: %q", part.name, part.value)
		}
	}
	if !utf8.ValidString(m.ReplyData) {
		return errors.New("ReplyData is not valid UTF-8") // it may be a secret, so the error does not show it
	}
	if !utf8.ValidString(m.Room.Thread) {
		return fmt.Errorf("Room.Thread is not valid UTF-8: %q", m.Room.Thread)
	}
	return nil
}

// Pending returns up to limit messages of room that wait for persona, oldest first. known are entries that an earlier call
// returned; those that have not changed are not decoded again.
func (s *Store) Pending(ctx context.Context, persona string, room channels.Room, limit int, known ...InboxEntry) ([]InboxEntry, error) {
	var out []InboxEntry
	err := s.db.ReadOne(ctx, "read pending messages on "+room.Channel, func(tx *db.Tx) (err error) {
		out, err = db.Collect[InboxEntry](tx.Query(SelectInbox+` WHERE status = 'pending' AND persona = ? AND channel = ? AND room = ? AND thread = ?
			ORDER BY id LIMIT ? + 0`, persona, room.Channel, room.ID, room.Thread, limit))(func(row db.Scanner) (InboxEntry, error) {
			return scanInboxEntry(row, known)
		})
		return err
	})
	return out, err
}

// SelectInbox selects the columns that ScanInboxEntry reads.
const SelectInbox = `SELECT id, payload, coalesce(job_run_id, 0), received_at FROM inbox`

// ScanInboxEntry scans a row of SelectInbox.
func ScanInboxEntry(row db.Scanner) (InboxEntry, error) { return scanInboxEntry(row, nil) }

// scanInboxEntry is ScanInboxEntry that takes the message from one of known, in order of id, if it has not changed.
func scanInboxEntry(row db.Scanner, known []InboxEntry) (InboxEntry, error) {
	var h InboxEntry
	if err := row.Scan(&h.ID, &h.payload, &h.JobRun, db.IntoTime(&h.Received)); err != nil {
		return InboxEntry{}, err
	}
	at, found := slices.BinarySearchFunc(known, h.ID, func(k InboxEntry, id int64) int { return cmp.Compare(k.ID, id) })
	if found && bytes.Equal(known[at].payload, h.payload) {
		h.Message = known[at].Message
		return h, nil
	}
	if err := json.Unmarshal(h.payload, &h.Message); err != nil {
		return InboxEntry{}, fmt.Errorf("inbox row %d: %w", h.ID, err)
	}
	return h, nil
}

// PendingRooms returns the rooms with messages that wait for persona, the longest-waiting first.
func (s *Store) PendingRooms(ctx context.Context, persona string) ([]channels.Room, error) {
	var out []channels.Room
	err := s.db.Read(ctx, "list rooms with messages for "+persona, func(tx *db.Tx) (err error) {
		out, err = db.Collect[channels.Room](tx.Query(`SELECT channel, room, thread FROM inbox
			WHERE status = 'pending' AND persona = ?
			GROUP BY channel, room, thread ORDER BY MIN(id)`, persona))(scanAddress)
		return err
	})
	return out, err
}

// InboxCounts are the numbers of a channel's messages that wait for an answer and that were given up.
type InboxCounts struct {
	Waiting, Dead int
	// Oldest is when the first of Waiting was received, zero if there is none.
	Oldest time.Time
}

// CountInbox counts by channel the messages that wait for persona and those that were given up.
func (s *Store) CountInbox(ctx context.Context, persona string) (map[string]InboxCounts, error) {
	all := map[string]InboxCounts{}
	err := s.db.ReadOne(ctx, "count the waiting messages of "+persona, func(tx *db.Tx) error {
		_, err := db.Collect[string](tx.Query(`SELECT channel, count(*) FILTER (WHERE waits = 1), count(*) FILTER (WHERE waits = 0),
				min(received_at) FILTER (WHERE waits = 1) FROM (
				SELECT channel, 1 AS waits, received_at FROM inbox WHERE status = 'pending' AND persona = ?1
				UNION ALL SELECT channel, 0, received_at FROM inbox WHERE status = 'dead' AND persona = ?1
			) w GROUP BY channel`, persona))(
			func(row db.Scanner) (channel string, err error) {
				var c InboxCounts
				err = row.Scan(&channel, &c.Waiting, &c.Dead, db.IntoTime(&c.Oldest))
				all[channel] = c
				return channel, err
			})
		return err
	})
	return all, err
}

func scanAddress(row db.Scanner) (r channels.Room, err error) {
	err = row.Scan(&r.Channel, &r.ID, &r.Thread)
	return r, err
}

// MarkInboxDone marks pending messages as done and deletes their content. It fails with ErrNotFound if one of them is
// not pending, so that recording a turn twice changes nothing.
func MarkInboxDone(tx *db.Tx, ids ...int64) error {
	return MarkInboxDoneOr(tx, fmt.Errorf("pending inbox rows %v: %w", ids, db.ErrNotFound), ids...)
}

// MarkInboxDoneOr is MarkInboxDone that fails with another error if one of the messages is not pending.
func MarkInboxDoneOr(tx *db.Tx, gone error, ids ...int64) error {
	ids = db.Distinct(ids)
	in, args := db.Placeholders(ids)
	return tx.Expect(int64(len(ids)), gone, `UPDATE inbox SET status = 'done', payload = '', author_channel = '', author_handle = '',
		last_error = '', done_at = ? WHERE status = 'pending' AND id IN `+in, append([]any{tx.NowMillis()}, args...)...)
}
