package db

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// memberTables are the tables of the processes that share a memory. They say nothing about anybody and are no part of the memory:
// they are not moved, and a file has none. Whatever is missing of them is added when the memory is opened.
//
// backend is the server's process for the heartbeats of a process, NULL for none that is known. familiar_writers gives out a number
// whenever another process begins to write than the last time.
const memberTables = `CREATE TABLE IF NOT EXISTS familiar_members (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL, version text NOT NULL, personas text NOT NULL,
	channels text NOT NULL, since bigint NOT NULL, alive_until bigint NOT NULL);
CREATE TABLE IF NOT EXISTS familiar_leases (
	name text PRIMARY KEY, member_id bigint NOT NULL REFERENCES familiar_members (id) ON DELETE CASCADE);
CREATE INDEX IF NOT EXISTS familiar_leases_member ON familiar_leases (member_id);
ALTER TABLE familiar_members ADD COLUMN IF NOT EXISTS backend integer;
CREATE SEQUENCE IF NOT EXISTS familiar_writers`

// isGone is the condition that a process of familiar_members is gone. Nobody could tell that they live while the server was down. That
// the connection of one has ended counts only for who was connected before its last heartbeat: the server may have ended all of them.
var isGone = fmt.Sprintf(`(greatest(alive_until, CAST(extract(epoch FROM pg_postmaster_start_time()) * 1000 AS bigint) + %d) < %s
	OR alive_until < %[2]s + %d AND NOT EXISTS (SELECT 1 FROM pg_stat_get_activity(backend))
		AND alive_until - %[1]d > (SELECT CAST(extract(epoch FROM backend_start) * 1000 AS bigint) FROM pg_stat_get_activity(pg_backend_pid())))`,
	timeToLive.Milliseconds(), serverMillis, (timeToLive - cutOff).Milliseconds())

const (
	// serverMillis is the time by the server's clock, in ms. All processes share it.
	serverMillis = `CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)`
	// beatTimeout is how long a heartbeat may take before its connection counts as lost.
	beatTimeout = time.Second
	// confirmGone is for how long heartbeats must find a process gone: until the next one, but a note may bring that forward.
	confirmGone = heartbeat * 4 / 5
	// noteGone is the note that a process left or was declared gone.
	noteGone = "gone"
)

// removeGone removes the processes that are gone, with all that they held. The caller holds the lock of the writers, so none of them is
// writing.
func removeGone(tx *Tx) error {
	_, err := tx.Exec(`DELETE FROM familiar_members WHERE ` + isGone)
	return err
}

// isMember is the condition that a process may still write. Its arguments are its number, 0 for one that joined none, twice.
const isMember = `(? = 0 OR EXISTS (SELECT 1 FROM familiar_members WHERE id = ?))`

// keep takes statistics when they are due, and ends the heartbeat with the database.
func (p *postgresEngine) keep(closing <-chan struct{}) {
	for open := true; open; {
		select {
		case <-p.look:
			p.analyse(closing)
		case <-closing:
			open = false
		}
	}
	if m := p.member.Load(); m != nil {
		m.stop()
		<-m.ended
	}
}

// keep sends heartbeats and notes, and receives those of others, until ctx ends or the process is gone.
func (m *Membership) keep(ctx context.Context) {
	defer close(m.ended)
	c := &Tx{engine: m.engine}
	defer func() { _ = c.close() }()
	var due time.Time
	for ctx.Err() == nil {
		say := m.sendNotes
		if now := monotonic(); m.hastens() || !now.Before(due) {
			say, due = m.beatOn, now.Add(heartbeat)
		}
		switch err := say(ctx, c); {
		case errors.Is(err, ErrGone):
			m.lose()
			return
		case err != nil:
			m.suspend()
			m.disconnect(c)
			due = time.Time{}
			waitFor(ctx, reconnectPause)
		default:
			m.listen(ctx, c, due.Sub(monotonic()))
		}
	}
}

// hastens reports whether a heartbeat is not to wait until it is due.
func (m *Membership) hastens() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	defer func() { m.hasty = false }()
	return m.hasty
}

// sendNotes sends the notes that wait.
func (m *Membership) sendNotes(ctx context.Context, c *Tx) error {
	ctx, cancel := context.WithTimeout(ctx, beatTimeout)
	defer cancel()
	m.mu.Lock()
	notes := m.notes
	m.notes = nil
	m.mu.Unlock()
	for _, note := range notes {
		if _, err := c.c.ExecContext(ctx, `SELECT pg_notify(?, ?)`, m.engine.noteChannel(), m.signed(note)); err != nil {
			return err
		}
	}
	return nil
}

func waitFor(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// disconnect gives up a connection without waiting for the server.
func (m *Membership) disconnect(c *Tx) {
	if c.server != nil {
		ended, cancel := context.WithCancel(context.Background())
		cancel()
		_ = c.server.Control(ended, `SELECT 1`) // a statement that is cut off ends the connection
	}
	_ = c.close()
	c.c, c.server = nil, nil
}

// beat sends one heartbeat on a connection of its own.
func (m *Membership) beat(ctx context.Context) error {
	c := &Tx{engine: m.engine}
	defer m.disconnect(c)
	return m.beatOn(ctx, c)
}

// beatOn tells the others that this process lives, sends its notes, and learns who else lives.
func (m *Membership) beatOn(ctx context.Context, c *Tx) error {
	began := monotonic()
	ctx, cancel := context.WithTimeout(ctx, beatTimeout)
	defer cancel()
	fresh, err := m.connect(ctx, c)
	if err != nil {
		return err
	}
	if err := m.sendNotes(ctx, c); err != nil {
		return err
	}
	m.mu.Lock()
	channels := m.channels
	m.mu.Unlock()
	var lives, gone, now int64
	var all string
	err = c.c.QueryRowContext(ctx, `WITH me AS (UPDATE familiar_members SET alive_until = `+serverMillis+` + ?, channels = ?, backend = pg_backend_pid() WHERE id = ? RETURNING id)
		SELECT (SELECT count(*) FROM me), `+serverMillis+`, (SELECT count(*) FROM familiar_members WHERE id <> ? AND `+isGone+`),
			(SELECT coalesce(CAST(json_agg(json_build_object('id', id, 'channels', CASE WHEN id = ? THEN ? ELSE channels END) ORDER BY id) AS text), '[]')
				FROM familiar_members)`,
		timeToLive.Milliseconds(), channels, m.id, m.id, m.id, channels).Scan(&lives, &now, &gone, &all)
	if err != nil {
		return err
	}
	if lives == 0 {
		return ErrGone
	}
	m.setSkew(now)
	var peers []Process
	if err := json.Unmarshal([]byte(all), &peers); err != nil {
		return fmt.Errorf("read who else answers from the memory: %w", err)
	}
	if m.renew(began, peers) || fresh {
		m.listener.Peers()
	}
	switch {
	case gone == 0:
		m.silent = time.Time{}
	case m.silent.IsZero():
		m.silent = began
	case began.Sub(m.silent) >= confirmGone && m.removing.CompareAndSwap(false, true):
		go m.takeOver()
	}
	return nil
}

// takeOver frees what processes held that are gone. It waits for the writer, so it must not hold up the heartbeat.
func (m *Membership) takeOver() {
	defer m.removing.Store(false)
	err := m.db.Write(context.Background(), "take over from processes that are gone", func(tx *Tx) error {
		if err := removeGone(tx); err != nil {
			return err
		}
		return m.notify(tx, noteGone)
	})
	if err == nil {
		m.heartbeatNow()
	}
}

// heartbeatNow has the next heartbeat sent at once.
func (m *Membership) heartbeatNow() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.hasten()
}

// connect opens c if it is not, and listens for notes. It reports whether notes may have been missed.
func (m *Membership) connect(ctx context.Context, c *Tx) (fresh bool, err error) {
	if !m.engine.lost(c) {
		return false, nil
	}
	if err := m.engine.reconnect(ctx, c); err != nil {
		return false, err
	}
	// What is lost of heartbeats with the server makes processes seem gone sooner, not later, so nothing waits for the disk.
	return true, c.server.Control(ctx, `SET synchronous_commit = off; LISTEN `+quoteName(m.engine.noteChannel()))
}

// listen waits for notes of others until the next heartbeat, or until something is to be said.
func (m *Membership) listen(ctx context.Context, c *Tx, untilBeat time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, untilBeat)
	defer cancel()
	m.mu.Lock()
	if m.hasty || len(m.notes) > 0 {
		m.mu.Unlock()
		return
	}
	m.endWait = cancel
	m.mu.Unlock()
	defer func() {
		m.mu.Lock()
		m.endWait = nil
		m.mu.Unlock()
	}()
	for ctx.Err() == nil {
		if err := c.server.WaitForNotification(ctx); err != nil {
			return
		}
	}
}

// hear takes a note that arrived.
func (p *postgresEngine) hear(channel, payload string) {
	m := p.member.Load()
	from, note, ok := strings.Cut(payload, " ")
	if m == nil || !ok || channel != p.noteChannel() || from == strconv.FormatInt(m.id, 10) {
		return
	}
	if note == noteGone {
		m.heartbeatNow()
		return
	}
	m.listener.Note(note)
}

// notify sends a note with the running transaction.
func (m *Membership) notify(tx *Tx, note string) error {
	_, err := One(tx.QueryRow(`SELECT CAST(pg_notify(?, ?) AS text)`, m.engine.noteChannel(), m.signed(note)), func(r Scanner) (string, error) {
		var nothing sql.NullString
		return "", r.Scan(&nothing)
	})
	return err
}

// signed is a note with the process that it comes from.
func (m *Membership) signed(note string) string { return strconv.FormatInt(m.id, 10) + " " + note }

// noteChannel is where the processes of one memory hear of each other.
func (p *postgresEngine) noteChannel() string {
	return "familiar_" + strconv.FormatUint(uint64(p.lock), 36)
} //nolint:gosec // any 64 bits will do

// Claim makes a process the holder of a lease that nobody holds, and returns the holder.
func (c *Tx) Claim(name string, process int64) (holder int64, err error) {
	if _, err := c.Exec(`INSERT INTO familiar_leases (name, member_id) VALUES (?, ?) ON CONFLICT (name) DO NOTHING`, name, process); err != nil {
		return 0, err
	}
	return One(c.QueryRow(`SELECT member_id FROM familiar_leases WHERE name = ?`, name), ScanID)
}

// Unclaim gives up leases of a process.
func (c *Tx) Unclaim(process int64, names ...string) error {
	for _, name := range names {
		if _, err := c.Exec(`DELETE FROM familiar_leases WHERE name = ? AND member_id = ?`, name, process); err != nil {
			return err
		}
	}
	return nil
}

// Heard returns when the holder of a lease was last heard of, by the clock of the server; the zero time if nobody holds it.
func (s *DB) Heard(ctx context.Context, lease string) (at time.Time, err error) {
	err = s.ReadOne(ctx, "read the holder of a lease", func(tx *Tx) error {
		until, err := One(tx.QueryRow(`SELECT m.alive_until FROM familiar_leases l JOIN familiar_members m ON m.id = l.member_id WHERE l.name = ?`, lease), ScanID)
		switch {
		case errors.Is(err, ErrNotFound):
			return nil
		case err == nil:
			at = FromMillis(until).Add(-timeToLive)
		}
		return err
	})
	return at, err
}

// Leases lists the names of the leases that begin with prefix, sorted; none for a file.
func (s *DB) Leases(ctx context.Context, prefix string) (names []string, err error) {
	if _, ok := s.engine.(*postgresEngine); !ok {
		return nil, nil
	}
	err = s.ReadOne(ctx, "list leases", func(tx *Tx) (err error) {
		names, err = Collect[string](tx.Query(`SELECT name FROM familiar_leases WHERE substr(name, 1, ?) = ? ORDER BY name`, len(prefix), prefix))(ScanText)
		return err
	})
	return names, err
}

// Member is a process with what it holds now.
type Member struct {
	Process
	// Since is when it joined, in ms by the clock of the server.
	Since int64
	// Silent is for how long nothing was heard of it.
	Silent time.Duration
	// Leases counts what it holds.
	Leases int
}

// Members lists the processes that answer from the memory, the oldest first; none for a file.
func (s *DB) Members(ctx context.Context) (all []Member, err error) {
	if _, ok := s.engine.(*postgresEngine); !ok {
		return nil, nil
	}
	err = s.ReadOne(ctx, "list the processes", func(tx *Tx) (err error) {
		all, err = Collect[Member](tx.Query(`SELECT id, name, version, personas, channels, since, greatest(0, `+serverMillis+` + ? - alive_until),
			(SELECT count(*) FROM familiar_leases l WHERE l.member_id = m.id) FROM familiar_members m ORDER BY id`, timeToLive.Milliseconds()))(func(r Scanner) (m Member, err error) {
			var silent int64
			err = r.Scan(&m.ID, &m.Name, &m.Version, &m.Cast, &m.Channels, &m.Since, &silent, &m.Leases)
			m.Silent = time.Duration(silent) * time.Millisecond
			return m, err
		})
		return err
	})
	return all, err
}
