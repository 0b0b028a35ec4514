package db

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// ErrGone reports that this process no longer belongs to those that answer from the memory: it was not heard of for so long that
// others have taken over what it did. It writes nothing any more.
var ErrGone = errors.New("this process was cut off from the database for so long that others do its work now: start it again")

const (
	// timeToLive is after what silence a process counts as gone. The others take over what it does if that is still so at their next
	// heartbeat: after a server stood still, the first process to be served must not take everything from the others.
	timeToLive = 2500 * time.Millisecond
	// cutOff is the same for a process whose connection for heartbeats has ended, as that of one that was killed: it is enough for
	// one that lives to notice and to stop sending (heartbeat, beatTimeout), which it does not do before timeToLive otherwise.
	cutOff = 1500 * time.Millisecond
	// heartbeat is how often a process says that it lives.
	heartbeat = 500 * time.Millisecond
	// safety is how long before the others may take over a process stops what the database cannot refuse, such as sending.
	safety = 500 * time.Millisecond
)

// Process is what a process tells the others about itself.
type Process struct {
	// ID is higher than that of every earlier process: it is the fencing token of all that the process holds.
	ID int64 `json:"id"`
	// Channels are those to which it can send, separated by spaces.
	Channels string `json:"channels"`
	// Name says where it runs, Version which familiar it is, and Cast which personas it serves; that is empty for one that serves no
	// network.
	Name    string `json:"-"`
	Version string `json:"-"`
	Cast    string `json:"-"`
}

// Listener is told what other processes do. Its functions must return soon.
type Listener struct {
	// Note is called with each note of another process.
	Note func(note string)
	// Peers is called when the processes have changed, and after notes may have been missed.
	Peers func()
}

// Membership is a process's place among those that answer from one memory on a server. Other processes take over what it does when
// they have not heard of it for some three seconds, or two if its connection has ended. From then on it writes nothing: each write
// transaction looks, behind the lock of the writers, whether the process still belongs to them, and whoever takes over holds the same
// lock.
type Membership struct {
	db       *DB
	engine   *postgresEngine
	listener Listener
	id       int64

	mu       sync.Mutex
	peers    []Process
	channels string
	notes    []string
	// endWait ends the wait for notes, nil if nothing waits. hasty has the next heartbeat sent at once.
	endWait context.CancelFunc
	hasty   bool
	// valid is closed while the process surely belongs to the others, and replaced by an open one when it does not.
	valid chan struct{}
	until time.Time

	lost     chan struct{}
	loseOnce sync.Once
	ended    chan struct{}
	stop     context.CancelFunc
	removing atomic.Bool
	skew     atomic.Int64 // in ns
	// silent is since when heartbeats found a process that counts as gone, zero if the last one found none.
	silent time.Time
}

// Join makes this process one of those that answer from the memory, until Leave or Close. For a file it returns nil: there is one
// process only, which holds the lock of its home.
func (s *DB) Join(ctx context.Context, as Process, l Listener) (*Membership, error) {
	p, ok := s.engine.(*postgresEngine)
	if !ok {
		return nil, nil
	}
	m := &Membership{db: s, engine: p, listener: l, channels: as.Channels, valid: make(chan struct{}), lost: make(chan struct{}), ended: make(chan struct{})}
	err := s.Write(ctx, "join the processes of this memory", func(tx *Tx) error { return m.join(tx, as) })
	if err != nil {
		return nil, err
	}
	life, stop := context.WithCancel(context.Background())
	m.stop = stop
	p.member.Store(m)
	if err := m.beat(life); err != nil {
		stop()
		p.member.Store(nil) // the others notice that nothing is heard of it
		return nil, fmt.Errorf("join the processes of this memory: %w", p.explain(err))
	}
	go m.keep(life)
	return m, nil
}

// join adds the process. It refuses one that serves other personas than those that are there.
func (m *Membership) join(tx *Tx, as Process) error {
	if err := removeGone(tx); err != nil {
		return err
	}
	if err := m.readClock(tx); err != nil {
		return err
	}
	if as.Cast != "" {
		if err := m.refuseClock(tx); err != nil {
			return err
		}
		other, err := One(tx.QueryRow(`SELECT name, personas FROM familiar_members WHERE personas NOT IN ('', ?) ORDER BY id LIMIT 1`, as.Cast),
			func(r Scanner) (p Process, err error) {
				err = r.Scan(&p.Name, &p.Cast)
				return p, err
			})
		switch {
		case err == nil:
			return fmt.Errorf("%w: %s serves %s, and this process would serve %s: give both the same personas, or this one a database of its own",
				ErrOtherCast, other.Name, other.Cast, as.Cast)
		case !errors.Is(err, ErrNotFound):
			return err
		}
	}
	var err error
	m.id, err = One(tx.QueryRow(`INSERT INTO familiar_members (name, version, personas, channels, since, alive_until)
		VALUES (?, ?, ?, ?, `+serverMillis+`, `+serverMillis+` + ?) RETURNING id`, as.Name, as.Version, as.Cast, as.Channels, timeToLive.Milliseconds()), ScanID)
	return err
}

// MaxSkew is by how much a clock may differ from that of the server: times of messages and of what is due would be read by another clock
// than the one that they were written by.
const MaxSkew = time.Minute

// ErrClock reports a clock that differs from that of the server by more than a minute.
var ErrClock = errors.New("the clock of this machine and that of the database server differ")

// readClock compares the clock with that of the server.
func (m *Membership) readClock(tx *Tx) error {
	server, err := One(tx.QueryRow(`SELECT `+serverMillis), ScanID)
	if err == nil {
		m.setSkew(server)
	}
	return err
}

// refuseClock fails with ErrClock if the clock differs and others go by that of the server.
func (m *Membership) refuseClock(tx *Tx) error {
	skew := m.Skew()
	if skew.Abs() <= MaxSkew {
		return nil
	}
	others, err := One(tx.QueryRow(`SELECT count(*) FROM familiar_members WHERE personas <> ''`), ScanID)
	if err != nil || others == 0 {
		return err
	}
	return fmt.Errorf("%w by %v: set both by NTP (timedatectl set-ntp true), then start again", ErrClock, skew.Round(time.Second).Abs())
}

func (m *Membership) setSkew(server int64) { m.skew.Store(int64(m.db.Now().Sub(FromMillis(server)))) }

// Skew returns how far the clock is ahead of that of the server, negative if it is behind.
func (m *Membership) Skew() time.Duration { return time.Duration(m.skew.Load()) }

// ErrOtherCast reports processes that serve other personas from the same memory.
var ErrOtherCast = errors.New("other personas are served from this memory")

// ID returns the number of the process, which is higher than that of every earlier one, 0 for a process that joined none.
func (m *Membership) ID() int64 {
	if m == nil {
		return 0
	}
	return m.id
}

// Peers returns the numbers and the channels of the processes, this one included, as they were at the last heartbeat.
func (m *Membership) Peers() []Process {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.peers
}

// Announce sets the channels to which the process can send, and tells the others.
func (m *Membership) Announce(channels string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.channels = channels
	m.hasten()
}

// Tell sends a note to all other processes, soon. Notes may be lost with a connection.
func (m *Membership) Tell(note string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.notes = append(m.notes, note)
	m.interrupt()
}

// hasten has the next heartbeat sent at once. The caller holds mu.
func (m *Membership) hasten() {
	m.hasty = true
	m.interrupt()
}

// interrupt ends the wait for notes. The caller holds mu.
func (m *Membership) interrupt() {
	if m.endWait != nil {
		m.endWait()
	}
}

// Lost returns what is closed when the process no longer belongs to the others.
func (m *Membership) Lost() <-chan struct{} { return m.lost }

// Valid returns what is closed while the others surely leave to this process what it holds. Otherwise it is open, and closed when
// that is so again.
func (m *Membership) Valid() <-chan struct{} {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.expire()
	return m.valid
}

// expire replaces valid when its time is over. The caller holds mu.
func (m *Membership) expire() {
	select {
	case <-m.valid:
		if !monotonic().Before(m.until) {
			m.valid = make(chan struct{})
		}
	default:
	}
}

// renew records a heartbeat that began at a time.
func (m *Membership) renew(began time.Time, peers []Process) (changed bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.until = began.Add(timeToLive - safety)
	select {
	case <-m.valid:
	default:
		close(m.valid)
	}
	changed = differ(m.peers, peers)
	m.peers = peers
	return changed
}

// differ reports whether processes came, went or changed what they can do.
func differ(a, b []Process) bool {
	if len(a) != len(b) {
		return true
	}
	for i := range a {
		if a[i].ID != b[i].ID || a[i].Channels != b[i].Channels {
			return true
		}
	}
	return false
}

// monotonic is the time by the clock of the machine, which no setting of the clock changes: what the process holds depends on it.
func monotonic() time.Time { return time.Now() } //nolint:forbidigo // an injected clock may jump

// suspend has the process stop what the database cannot refuse until the next heartbeat: its connection has ended.
func (m *Membership) suspend() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.until = monotonic()
	m.expire()
}

// lose records that the process no longer belongs to the others.
func (m *Membership) lose() {
	m.loseOnce.Do(func() { close(m.lost) })
}

// Leave gives up everything that the process holds, so that others need not wait for it. It writes nothing afterwards.
func (m *Membership) Leave(ctx context.Context) error {
	m.stop()
	<-m.ended
	select {
	case <-m.lost:
		return nil
	default:
	}
	return m.db.Write(ctx, "leave the processes of this memory", func(tx *Tx) error {
		if err := m.engine.confirm(tx); err != nil { // while it still is one of them
			return err
		}
		if _, err := tx.Exec(`DELETE FROM familiar_members WHERE id = ?`, m.id); err != nil {
			return err
		}
		return m.notify(tx, noteGone)
	})
}
