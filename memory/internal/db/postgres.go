package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"hash/fnv"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"familiar/memory/internal/postgres"
)

// postgresEngine is the engine of one schema of a PostgreSQL database. Any number of processes may use it. As in a SQLite file,
// one of them writes at a time: the writers take turns by an advisory lock. So ids are in the order of the commits, nothing that
// was read changes before it is written, and no write fails for another one. A turn holds the lock for a few milliseconds.
type postgresEngine struct {
	connector *postgres.Connector
	name      string // the URL without its password
	patience  time.Duration
	within    string // the schema with the tables
	lock      int64  // the key of the writers' lock, by the schema
	known     int    // the newest version of the tables that this program knows
	counts    postgres.Counts
	// member is the place of this process among those that share the memory, nil before it joins.
	member atomic.Pointer[Membership]
	// groups counts what the writer has written, and look has a value when the statistics of the tables are to be looked at.
	groups int
	look   chan struct{}
}

const (
	// lockWait is how long one attempt to begin waits for another writer before it looks whether it should go on.
	lockWait = 2 * time.Second
	// idleLimit is after what time without a statement the server ends a write transaction. A process that hangs, or that the network
	// cuts off, must not hold up the others for long.
	idleLimit = 4 * time.Second
	// reconnectPause is the pause between attempts to reach a server that is down.
	reconnectPause = 200 * time.Millisecond
	// keepalive is after what silence of a client the server asks whether it is still there, and how often, in seconds.
	keepalive = "2"
)

func newPostgres(address string, o Options) (*postgresEngine, error) {
	p := &postgresEngine{patience: o.BusyTimeout, name: withoutPassword(address), known: NewestSchema(), look: make(chan struct{}, 1)}
	parameters := map[string]string{
		"application_name":        "familiar",
		"plan_cache_mode":         "force_generic_plan",        // planning takes longer than most statements, and SQLite does not plan by values either
		"enable_seqscan":          "off",                       // a plan is made when the tables are nearly empty, and kept: every statement has its index
		"jit":                     "off",                       // it pays for long statements only
		"lock_timeout":            milliseconds(o.BusyTimeout), // a table is locked while it is rewritten
		"tcp_keepalives_idle":     keepalive,
		"tcp_keepalives_interval": keepalive,
		"tcp_keepalives_count":    keepalive,
	}
	if o.StatementTimeout > 0 {
		parameters["statement_timeout"] = milliseconds(o.StatementTimeout)
	}
	if o.NoSync {
		parameters["synchronous_commit"] = "off"
	}
	var err error
	p.connector, err = postgres.NewConnector(address, postgres.Options{RuntimeParams: parameters, OnNotification: p.hear, Now: o.Now, Counts: &p.counts})
	return p, err
}

func milliseconds(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }

// withoutPassword returns a URL with its password taken out.
func withoutPassword(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "the PostgreSQL server"
	}
	if u.User != nil {
		u.User = url.User(u.User.Username())
	}
	query := u.Query()
	for _, secret := range []string{"password", "sslpassword"} {
		query.Del(secret)
	}
	u.RawQuery = query.Encode()
	return u.String()
}

func (p *postgresEngine) address() string { return p.name }
func (p *postgresEngine) schema() string  { return p.within }

func (p *postgresEngine) explain(err error) error {
	if err == nil || errors.Is(err, ErrNewer) || errors.Is(err, ErrCorrupt) {
		return err
	}
	advice := strings.TrimSuffix(postgres.Advice(err), ".")
	if advice == "" {
		return err
	}
	return fmt.Errorf("%w; %s", err, strings.ToLower(advice[:1])+advice[1:])
}

// connect leaves opening a connection for reading to its first use: few are used at once, and each is a process of the server.
func (p *postgresEngine) connect(ctx context.Context, u purpose, prepare func(c *Tx) error) (*Tx, error) {
	c := &Tx{engine: p, onConnect: prepare, ids: newIDs()}
	if u == reading {
		return c, nil
	}
	switch u {
	case writing:
		c.onConnect = limitWriter
	case upgrading:
		c.onConnect = p.patient
	}
	return c, p.reconnect(ctx, c)
}

// limitWriter has the server end a transaction that holds the writers' lock and does nothing, and waits for that lock in slices.
func limitWriter(c *Tx) error {
	return c.server.Control(context.Background(), "SET idle_in_transaction_session_timeout = "+milliseconds(idleLimit)+
		"; SET lock_timeout = "+milliseconds(lockWait))
}

func (p *postgresEngine) patient(c *Tx) error {
	return c.server.Control(context.Background(), "SET statement_timeout = 0")
}

// patiently calls do while the statements of c may take as long as they need.
func (p *postgresEngine) patiently(c *Tx, do func() error) error {
	if err := p.patient(c); err != nil {
		return err
	}
	err := do()
	if p.lost(c) {
		return err
	}
	return errors.Join(err, c.server.Control(context.Background(), "RESET statement_timeout"))
}

func (p *postgresEngine) ready(c *Tx) error {
	if !p.lost(c) {
		return nil
	}
	return p.reconnect(context.Background(), c)
}

// reconnect gives c a new connection in place of a lost one.
func (p *postgresEngine) reconnect(ctx context.Context, c *Tx) error {
	if c.c != nil {
		_ = c.close() // it is gone
	}
	pool := sql.OpenDB(p.connector)
	pool.SetMaxOpenConns(1)
	pinned, err := pool.Conn(ctx)
	if err != nil {
		c.c = nil
		return errors.Join(err, pool.Close())
	}
	c.db, c.c, c.stmts, c.open = pool, pinned, map[string]*sql.Stmt{}, nil
	c.server, c.queues, c.prefetches, c.alone = nil, false, false, false
	c.ids.voidAll() // a server that crashed may give them out again
	c.ids.turn = 0
	err = pinned.Raw(func(driver any) error { c.server = driver.(*postgres.Conn); return nil })
	if err == nil && c.onConnect != nil {
		err = c.onConnect(c)
	}
	if err != nil {
		err = errors.Join(err, c.close()) // it must not be used without what onConnect does
		c.c, c.server = nil, nil
	}
	return err
}

func (p *postgresEngine) lost(c *Tx) bool { return c.server == nil || c.server.Lost() }
func (p *postgresEngine) inTransaction(c *Tx) bool {
	return !p.lost(c) && (c.queues || c.server.InTransaction())
}

// begin starts a transaction and takes the writers' lock. If no other process seems to write, it does not wait for that: confirm
// does, before anything relies on it.
func (p *postgresEngine) begin(ctx context.Context, closing <-chan struct{}, c *Tx) error {
	c.begun = false
	if c.alone && !p.lost(c) && p.sendBegin(c) == nil {
		c.queues, c.prefetches = true, true
		return nil
	}
	patience := time.NewTimer(p.patience)
	defer patience.Stop()
	for {
		err := p.tryBegin(c)
		if err == nil {
			c.queues, c.prefetches = true, true
			return nil
		}
		if p.inTransaction(c) {
			err = errors.Join(err, p.undo(c, ""))
		}
		if !p.passes(c, err) {
			return err
		}
		select {
		case <-patience.C:
			return err
		case <-ctx.Done():
			return errors.Join(ctx.Err(), err)
		case <-closing:
			return errors.Join(ErrClosed, err)
		case <-time.After(reconnectPause):
		}
	}
}

// passes reports whether what prevented a transaction may be over soon.
func (p *postgresEngine) passes(c *Tx, err error) bool {
	return p.lost(c) || postgres.Unreachable(err) || postgres.Busy(err)
}

func (p *postgresEngine) tryBegin(c *Tx) error {
	if err := p.ready(c); err != nil {
		return err
	}
	if err := p.sendBegin(c); err != nil {
		return err
	}
	return p.confirm(c)
}

// askBegun asks behind the lock for the number of the transaction, the version of the tables, so that an old process writes nothing
// into tables that a new one has upgraded, and whether the process still belongs to the others. If another connection has begun to
// write since this one took a number from familiar_writers, it takes the next.
const askBegun = `SELECT CAST(pg_current_xact_id() AS text), (SELECT max(version) FROM familiar_schema), ` + isMember + `,
	CASE WHEN pg_sequence_last_value('familiar_writers') = ? THEN pg_sequence_last_value('familiar_writers') ELSE nextval('familiar_writers') END`

// sendBegin has a transaction begin with the next statement that is read from. READ COMMITTED: what follows the lock must see what
// the last writer committed.
func (p *postgresEngine) sendBegin(c *Tx) error {
	c.server.Discard()
	ctx := context.Background()
	err := c.server.QueueControl(ctx, "BEGIN ISOLATION LEVEL READ COMMITTED")
	if err == nil {
		err = c.server.Queue(ctx, `SELECT pg_advisory_xact_lock(?)`, p.lock)
	}
	if err == nil {
		id := p.member.Load().ID()
		err = c.server.Prefetch(ctx, askBegun, id, id, c.ids.turn)
	}
	if err == nil {
		err = c.prefetchIDs()
	}
	return err
}

// confirm waits until the transaction has begun, and fails if the process may not write.
func (p *postgresEngine) confirm(c *Tx) error {
	if c.begun {
		return nil
	}
	var version int
	var belongs bool
	var turn int64
	member := p.member.Load()
	id := member.ID()
	if err := c.QueryRow(askBegun, id, id, c.ids.turn).Scan(&c.xid, &version, &belongs, &turn); err != nil {
		return err
	}
	switch {
	case version > p.known:
		return newerError(version, p.known)
	case !belongs:
		member.lose()
		return ErrGone
	}
	if err := c.readIDs(turn); err != nil {
		return err
	}
	c.begun = true
	return nil
}

// confirmed may be asked in a failed transaction: the answer was perhaps received before it failed.
func (p *postgresEngine) confirmed(c *Tx) bool { return !p.lost(c) && p.confirm(c) == nil }

// commit fails with errRepeat if the connection was lost before the commit. If it was lost during the commit, it asks the
// server what became of the transaction.
func (p *postgresEngine) commit(c *Tx) error {
	if p.lost(c) {
		return errRepeat
	}
	if c.server.Failed() {
		return fmt.Errorf("%w, and its error was not reported", errStatement)
	}
	if err := p.confirm(c); err != nil { // the commit is sent later: what became of a transaction is asked by its number
		if p.lost(c) {
			return errRepeat
		}
		return errStatementOr(err)
	}
	c.queues, c.prefetches = false, false
	err := c.server.Commit(context.Background())
	if err == nil || !p.lost(c) {
		return errStatementOr(err)
	}
	patience := time.NewTimer(p.patience)
	defer patience.Stop()
	for {
		committed, asked := p.committedAfterAll(c)
		switch {
		case asked == nil && committed:
			return nil
		case asked == nil:
			return errRepeat
		}
		select {
		case <-patience.C:
			return errors.Join(err, fmt.Errorf("ask whether the transaction was committed: %w", asked))
		case <-time.After(reconnectPause):
		}
	}
}

// errStatementOr adds errStatement to an error of a statement before the COMMIT.
func errStatementOr(err error) error {
	if _, queued := errors.AsType[*postgres.QueuedError](err); queued {
		return fmt.Errorf("%w: %w", errStatement, err)
	}
	return err
}

func (p *postgresEngine) flush(c *Tx) error { return c.server.Flush(context.Background()) }

// undo forgets what is queued: it would be taken back.
func (p *postgresEngine) undo(c *Tx, savepoint string) error {
	c.server.Discard()
	if savepoint != "" {
		return c.server.Control(context.Background(), "ROLLBACK TO "+savepoint)
	}
	c.queues, c.prefetches = false, false
	c.alone = c.alone && c.begun // otherwise it may not have begun at all
	if !c.server.InTransaction() {
		return nil // nothing of it was sent
	}
	return c.server.Control(context.Background(), "ROLLBACK")
}

// errUndecided reports a transaction that the server has not ended yet.
var errUndecided = errors.New("the server has not ended the transaction yet")

// committedAfterAll asks on a new connection whether the transaction of a lost one was committed.
func (p *postgresEngine) committedAfterAll(c *Tx) (bool, error) {
	if err := p.ready(c); err != nil {
		return false, err
	}
	var status sql.NullString
	if err := c.QueryRow(`SELECT pg_xact_status(CAST(CAST(? AS text) AS xid8))`, c.xid).Scan(&status); err != nil {
		return false, err
	}
	if status.String == "in progress" {
		return false, errUndecided
	}
	return status.String == "committed", nil
}

// beginRead connects anew if the connection is known to be lost. It sends nothing yet: a loss that shows at the first statement
// has the read begun anew.
func (p *postgresEngine) beginRead(c *Tx) error {
	if err := p.ready(c); err != nil {
		return err
	}
	c.server.Discard()
	c.prefetches = true
	return c.server.QueueControl(context.Background(), "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
}

func (p *postgresEngine) endRead(c *Tx) error {
	c.prefetches = false
	if !p.lost(c) {
		c.server.CommitLater()
	}
	return nil
}

// insert relies on the primary key being called id. In a write transaction nobody waits for the row.
func (p *postgresEngine) insert(c *Tx, query string, args []any) (int64, error) {
	if !c.queues {
		return ScanID(c.QueryRow(query+" RETURNING id", args...))
	}
	form := c.ids.form(query)
	if form.withID == "" {
		c.ids.void(form.table)
		return ScanID(c.QueryRow(query+" RETURNING id", args...))
	}
	if err := p.confirm(c); err != nil {
		return 0, err
	}
	id, err := c.nextID(form.table)
	if err != nil {
		return 0, err
	}
	if _, err := c.Stmt(form.withID); err != nil { //nolint:sqlclosecheck // kept until the connection closes
		return 0, err
	}
	return id, c.server.Queue(context.Background(), form.withID, append([]any{id}, args...)...)
}

func (p *postgresEngine) waits() (all, unasked int64) {
	return p.counts.Waits.Load(), p.counts.Unasked.Load()
}

// NotConnected reports whether an error says that a server could not be reached, or is starting or stopping.
func NotConnected(err error) bool { return postgres.NotConnected(err) }

// lockKey derives the key of a lock from a name.
func lockKey(name string) int64 {
	h := fnv.New64a()
	h.Write([]byte("familiar " + name)) //nolint:errcheck // it never fails
	return int64(h.Sum64())             //nolint:gosec // any 64 bits will do
}
