package memory

import (
	"context"
	"time"

	"familiar/memory/access"
	"familiar/memory/belief"
	"familiar/memory/budget"
	"familiar/memory/checkpoint"
	"familiar/memory/conversation"
	"familiar/memory/entry"
	"familiar/memory/erase"
	"familiar/memory/fleet"
	"familiar/memory/history"
	"familiar/memory/hosting"
	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/jobrun"
	"familiar/memory/lifecycle"
	"familiar/memory/link"
	"familiar/memory/log"
	"familiar/memory/login"
	"familiar/memory/lore"
	"familiar/memory/notepad"
	"familiar/memory/recall"
	"familiar/memory/reminder"
	"familiar/memory/toolcall"
	"familiar/memory/training"
	"familiar/memory/transfer"
	"familiar/memory/turns"
)

// Errors that callers check with errors.Is.
var (
	// ErrNotFound reports that a requested object does not exist.
	ErrNotFound = db.ErrNotFound
	// ErrNewer reports that a newer version of familiar wrote the file.
	ErrNewer = db.ErrNewer
	// ErrCorrupt reports that the file is damaged or is not a familiar database.
	ErrCorrupt = db.ErrCorrupt
	// ErrClosed reports that the store was closed.
	ErrClosed = db.ErrClosed
	// ErrAsOf reports that a store as of an earlier time was to be changed.
	ErrAsOf = db.ErrAsOf
)

// Options configure Open.
type Options = db.Options

// Visibility is a place with the audiences whose memories may be used there. Every read that may end in an answer takes
// one. Only the store makes them: [log.Store.Visibility] for a room, [Notebook.Visibility] for a notebook.
type Visibility = scope.Visibility

// MemoryRef is a memory with what decides who may see it.
type MemoryRef = scope.MemoryRef

// Scope is one persona's memories of one audience.
type Scope = scope.Key

// Store is one memory: a SQLite file or a PostgreSQL database, with one field per concern. It is safe for concurrent use, also by
// several processes.
type Store struct {
	db *db.DB

	// Log is the conversation log: inbox, outbox, rooms, people and channel state.
	Log *log.Store
	// Beliefs holds what people claimed, and the open items between them and the persona.
	Beliefs *belief.Store
	// Entries reads and writes memories one by one.
	Entries *entry.Store
	// Recall finds memories for a query.
	Recall *recall.Store
	// Lifecycle changes memories as time passes, with one method for each job.
	Lifecycle *lifecycle.Store
	// Turns records turns and sessions.
	Turns *turns.Store
	// Eraser forgets, expires, reverts and prunes.
	Eraser *erase.Store
	// Transfer exports, imports and ingests documents.
	Transfer *transfer.Store
	// Links joins accounts of several networks to one person.
	Links *link.Store
	// Reminders holds what people asked to be reminded of.
	Reminders *reminder.Store
	// Access holds what other programs may do with the memory.
	Access *access.Store
	// Logins holds the browsers that may open the dashboard.
	Logins *login.Store
	// ToolCalls holds every call of a tool that a model asked for.
	ToolCalls *toolcall.Store
	// History tells how memories and beliefs changed over time.
	History *history.Store
	// Conversations reads what was said in rooms.
	Conversations *conversation.Store
	// Training holds who agreed to training, and reads the conversations that they agreed to.
	Training *training.Store
	// Checkpoints holds saved states of personas.
	Checkpoints *checkpoint.Store
	// Notepads holds what a persona notes down for itself.
	Notepads *notepad.Store
	// Lore holds signed lore of other installations.
	Lore *lore.Store
	// Jobs is the ledger of job runs.
	Jobs *jobrun.Store
	// Hosting is where the memory lies: moving it.
	Hosting *hosting.Store
	// Fleet is the processes that answer from the memory.
	Fleet *fleet.Store
	// Budget is the ledger of token usage.
	Budget *budget.Store
}

// Open opens the store at an address: the path of a SQLite file, or the URL of a PostgreSQL database. It creates a missing file
// (mode 0600), its directory (mode 0700) and the tables, and upgrades an older file after Options.BeforeUpgrade. It fails with
// ErrNewer for a database of a newer version and with ErrCorrupt for a damaged or foreign one; both errors say what to do.
func Open(ctx context.Context, address string, o Options) (*Store, error) {
	d, err := db.Open(ctx, address, o)
	if err != nil {
		return nil, err
	}
	return newStore(d), nil
}

// newStore connects the parts on an open database.
func newStore(d *db.DB) *Store {
	s := &Store{db: d, Log: log.New(d), Beliefs: belief.New(d), Entries: entry.New(d), Transfer: transfer.New(d), Jobs: jobrun.New(d), Budget: budget.New(d), Hosting: hosting.New(d), Fleet: fleet.New(d), Links: link.New(d), Reminders: reminder.New(d), ToolCalls: toolcall.New(d), Notepads: notepad.New(d), Lore: lore.New(d), Training: training.New(d), Access: access.New(d), Logins: login.New(d)}
	s.Recall = recall.New(d, s.Beliefs)
	s.Lifecycle = lifecycle.New(d, s.Recall)
	s.History = history.New(d)
	s.Conversations = conversation.New(d)
	s.Checkpoints = checkpoint.New(d)
	s.Turns = turns.New(d)
	s.Eraser = erase.New(d, s.Log, s.Turns)
	return s
}

// Path returns the absolute path of the file.
func (s *Store) Path() string { return s.db.Path() }

// Close waits for running writes and reads and closes the file. Later calls fail with ErrClosed.
func (s *Store) Close() error { return s.db.Close() }

// Snapshot calls fn with a context whose reads all see one moment of the store; together they also cost less than
// separate reads. The context is for fn's own goroutine and ends with fn. fn must not wait for anything else, because
// it occupies one of the few readers. Its reads do not see writes made meanwhile.
func (s *Store) Snapshot(ctx context.Context, fn func(ctx context.Context) error) error {
	return s.db.Snapshot(ctx, fn)
}

// Prefetch has what reads ask in a snapshot sent to a database on a server together, so that fn waits for the server once and
// not for each of them. It calls them in vain: call them again for their results. Without a server it does nothing.
func (s *Store) Prefetch(ctx context.Context, reads ...func(ctx context.Context) error) error {
	return s.db.Prefetch(ctx, reads...)
}

// Changes tells whether the store changed.
type Changes = db.Changes

// Watch returns what tells whether the store changed, also by other processes. Close it before the store.
func (s *Store) Watch(ctx context.Context) (*Changes, error) { return s.db.Watch(ctx) }

// AsOf returns the store as it was at a time, for reading: every read answers as it would have answered then, by the same
// code. What was forgotten since is gone from it too, and stays gone. Its indexes are its own. Changes fail with ErrAsOf.
// Close it before s. What it shows of times before HistorySince is less exact.
func (s *Store) AsOf(ctx context.Context, at time.Time) (*Store, error) {
	d, err := s.db.AsOf(ctx, at)
	if err != nil {
		return nil, err
	}
	return newStore(d), nil
}

// HistorySince returns since when the store records all that AsOf needs, zero for from the beginning. For earlier times,
// tiers, pins and relationships are those after it.
func (s *Store) HistorySince(ctx context.Context) (time.Time, error) { return s.db.HistorySince(ctx) }

// FirstStored returns when the oldest of the people, messages and memories that are left was stored, zero for none.
func (s *Store) FirstStored(ctx context.Context) (time.Time, error) { return s.db.FirstStored(ctx) }

// Empty reports whether there is nobody and nothing: no person, no message, no memory.
func (s *Store) Empty(ctx context.Context) (bool, error) { return s.db.Empty(ctx) }

// Check reads the whole file and fails with ErrCorrupt when anything in it is damaged.
func (s *Store) Check(ctx context.Context) error { return s.db.Check(ctx) }

// Schema returns the version of the file's tables.
func (s *Store) Schema(ctx context.Context) (int, error) { return s.db.Schema(ctx) }

// CheckWritable fails if nothing can be stored, for example on a full disk.
func (s *Store) CheckWritable(ctx context.Context) error { return s.db.CheckWritable(ctx) }

// Size returns the sizes of the file and of its write-ahead log in bytes.
func (s *Store) Size() (file, log int64, err error) { return s.db.Size() }

// SecureDelete rewrites the file, whatever its size, if data was erased since the last rewrite, so that its bytes go too.
func (s *Store) SecureDelete(ctx context.Context) error { return s.db.SecureDelete(ctx) }

// Backup writes a copy of the store to dest while the store is in use. dest must not exist.
func (s *Store) Backup(ctx context.Context, dest string) error { return s.db.Backup(ctx, dest) }

// Inspection is what a database file holds.
type Inspection = db.Inspection

// Inspect reads a whole database file without changing it and counts its rows; see db.Inspect.
func Inspect(ctx context.Context, path string) (Inspection, error) { return db.Inspect(ctx, path) }

// SalvagedTable counts what was saved of one table.
type SalvagedTable = db.SalvagedTable

// Salvage saves what a damaged copy of a database still holds into a new file; see db.Salvage.
func Salvage(ctx context.Context, from, to string) ([]SalvagedTable, error) {
	return db.Salvage(ctx, from, to)
}
