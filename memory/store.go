package memory

import (
	"context"

	"familiar/memory/belief"
	"familiar/memory/budget"
	"familiar/memory/entry"
	"familiar/memory/erase"
	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/jobrun"
	"familiar/memory/lifecycle"
	"familiar/memory/log"
	"familiar/memory/recall"
	"familiar/memory/transfer"
	"familiar/memory/turns"
)

// The errors callers branch on. Every other error only says what to do.
var (
	// ErrNotFound says that what was asked for does not exist.
	ErrNotFound = db.ErrNotFound
	// ErrNewer says that a newer familiar wrote the file.
	ErrNewer = db.ErrNewer
	// ErrCorrupt says that the file is damaged or is not a familiar database.
	ErrCorrupt = db.ErrCorrupt
	// ErrClosed says that the store was closed.
	ErrClosed = db.ErrClosed
)

// Options are what a store is opened with.
type Options = db.Options

// Visibility is a place with the audiences that may be spoken of there. Every read that may end in an answer takes one.
// Only the store makes one: [log.Store.Visibility] for a room, [Notebook.Visibility] for a notebook.
type Visibility = scope.Visibility

// Store is one memory: the SQLite file everything is kept in, divided by concern. It is safe for concurrent use, also by
// several processes on one file.
type Store struct {
	db *db.DB

	// Log is the conversation log: inbox, outbox, rooms, people, and what channels must find again.
	Log *log.Store
	// Beliefs is what people claimed and what is open between them and the persona.
	Beliefs *belief.Store
	// Entries is the memories, one by one.
	Entries *entry.Store
	// Recall finds memories.
	Recall *recall.Store
	// Lifecycle is what becomes of memories as time passes, one method for each job.
	Lifecycle *lifecycle.Store
	// Turns records turns and sessions.
	Turns *turns.Store
	// Eraser forgets, expires and reverts.
	Eraser *erase.Store
	// Transfer exports, imports and ingests documents.
	Transfer *transfer.Store
	// Jobs is the ledger of job runs.
	Jobs *jobrun.Store
	// Budget is the ledger of tokens.
	Budget *budget.Store
}

// Open opens the store at path. It makes the file (mode 0600) and its directory (mode 0700) when there are none, and
// upgrades an older file after a backup next to it. It fails with ErrNewer for a file of a newer familiar and with
// ErrCorrupt for a damaged or foreign one; both errors say what to do.
func Open(ctx context.Context, path string, o Options) (*Store, error) {
	d, err := db.Open(ctx, path, o)
	if err != nil {
		return nil, err
	}
	return newStore(d), nil
}

// newStore puts the parts together on an open database.
func newStore(d *db.DB) *Store {
	s := &Store{db: d, Log: log.New(d), Beliefs: belief.New(d), Entries: entry.New(d), Transfer: transfer.New(d), Jobs: jobrun.New(d), Budget: budget.New(d)}
	s.Recall = recall.New(d, s.Beliefs)
	s.Lifecycle = lifecycle.New(d, s.Recall)
	s.Turns = turns.New(d)
	s.Eraser = erase.New(d, s.Log, s.Turns)
	return s
}

// Path is the absolute path of the file.
func (s *Store) Path() string { return s.db.Path() }

// Close waits for running writes and reads and closes the file. Later calls fail with ErrClosed.
func (s *Store) Close() error { return s.db.Close() }

// Snapshot runs fn, whose reads with the context it is given all see the store as it is at one moment; together they also
// cost less than each by itself. That context is for fn's own goroutine and ends with fn. fn must not wait for anything
// else, since it holds one of the few readers, and its reads do not see writes made meanwhile.
func (s *Store) Snapshot(ctx context.Context, fn func(ctx context.Context) error) error {
	return s.db.Snapshot(ctx, fn)
}

// Check reads the whole file and fails with ErrCorrupt when anything in it is damaged.
func (s *Store) Check(ctx context.Context) error { return s.db.Check(ctx) }

// Backup writes a copy of the store to dest while it is in use. dest must not exist yet.
func (s *Store) Backup(ctx context.Context, dest string) error { return s.db.Backup(ctx, dest) }

// BackupName is where a backup of this store goes by default: next to the file, named by version and time.
func (s *Store) BackupName(ctx context.Context) (string, error) { return s.db.BackupName(ctx) }
