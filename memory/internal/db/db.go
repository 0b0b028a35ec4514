package db

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"familiar/memory/model"
)

// The errors that callers branch on. Other errors only say what to do.
var (
	// ErrNotFound reports that the requested row does not exist.
	ErrNotFound = errors.New("not found")
	// ErrNewer reports that a newer familiar wrote the file.
	ErrNewer = errors.New("written by a newer familiar")
	// ErrCorrupt reports that the file is damaged or is not a familiar database.
	ErrCorrupt = errors.New("damaged or not a familiar database")
	// ErrClosed reports that the store is closed.
	ErrClosed = errors.New("the store is closed")
)

const (
	// MaxReaders is the number of concurrent reads, unless Options.Connections is another. More than the cores of a small machine would only queue in SQLite.
	MaxReaders = 4
	// snapshotShare is which part of the readers may be held by snapshots, which last longer than a single read.
	snapshotShare = 2
	// defaultBusyTimeout is longer than a backup or an operator's transaction in another process takes.
	defaultBusyTimeout = 30 * time.Second
)

// Options configure a store.
type Options struct {
	// Now is the clock for every stored timestamp. It is required.
	Now func() time.Time
	// Connections is how many reads run at a time, MaxReaders when 0.
	Connections int
	// StatementTimeout is after what time a server ends a statement, 0 to leave it to the server. Upgrades, backups, checks, moves and
	// rewrites take as long as they need.
	StatementTimeout time.Duration
	// BusyTimeout is how long a write waits for a write of another process, 30 s when 0.
	BusyTimeout time.Duration
	// AttachmentsDir is the directory in which channels keep attachments, "" for none. The store removes files there
	// that no message refers to.
	AttachmentsDir string
	// ForgetBelow is the retention, 0–1, below which a memory counts as forgotten; model.DefaultForgetBelow when 0.
	// It applies to what is written from then on.
	ForgetBelow float64
	// DecayRates are the decay rates by persona. A missing persona or sector has the default rate. They apply to what
	// is written from then on.
	DecayRates map[string]model.Rates
	// IndexBytes is how much memory the indexes of recall may take together, a default by the machine's memory when 0.
	IndexBytes int64
	// BeforeUpgrade makes a backup of a file of an older version before it is upgraded, and returns an error to prevent the
	// upgrade. Nil copies the file to one next to it. The file is not open yet, except to read it.
	BeforeUpgrade func(ctx context.Context, version int) error
	// NoSync turns off syncing to disk, for files that need not outlive the process. Writing becomes much faster.
	NoSync bool
}

// DB is the database that holds everything. It is safe for concurrent use: writes queue for one writer, which
// commits them in groups, and reads run concurrently on a small pool.
type DB struct {
	engine engine
	Now    func() time.Time
	// decay is replaced as a whole when the rates of a persona change.
	decay atomic.Pointer[model.DecayModel]
	// AttachmentsDir is Options.AttachmentsDir as an absolute path.
	AttachmentsDir string
	// IndexBytes is Options.IndexBytes.
	IndexBytes int64
	// asOf is the time that the database is seen at, zero for now.
	asOf time.Time

	jobs      chan *job     // to the writer
	urgent    chan *job     // to the writer, ahead of jobs
	closing   chan struct{} // closed when Close begins
	stopped   chan struct{} // closed when the writer has ended
	kept      chan struct{} // closed when the engine has ended its own work
	pool      *readerPool
	snapshots chan struct{} // held readers
	writer    *Tx
	vacuums   vacuumSchedule // used by the writer only
	counts    counters

	closeOnce sync.Once
	closeErr  error
}

// Open opens the database at an address: the path of a SQLite file, or the URL of a PostgreSQL database (see IsServer). It makes
// a missing file (mode 0600) and its directory (mode 0700), and the tables if there are none. It upgrades tables of an earlier
// version; those of a file after Options.BeforeUpgrade. It fails with ErrNewer for a database of a newer familiar and with
// ErrCorrupt for a damaged or foreign one; both errors say what to do.
func Open(ctx context.Context, address string, o Options) (*DB, error) {
	return openWith(ctx, address, o, releasedMigrations)
}

// openWith is Open with the migrations as a parameter, so that tests can upgrade without a release.
func openWith(ctx context.Context, address string, o Options, migrations fs.FS) (*DB, error) {
	if o.BusyTimeout <= 0 {
		o.BusyTimeout = defaultBusyTimeout
	}
	e, err := newEngine(address, o)
	if err != nil {
		return nil, fmt.Errorf("open the memory: %w", err)
	}
	s, err := configure(e, o)
	if err == nil {
		err = s.open(ctx, o.BeforeUpgrade, migrations)
	}
	if err != nil {
		return nil, fmt.Errorf("open the memory at %s: %w", e.address(), err)
	}
	go s.writeLoop()
	go func() {
		defer close(s.kept)
		e.keep(s.closing)
	}()
	return s, nil
}

// configure returns a database that is not open yet.
func configure(e engine, o Options) (*DB, error) {
	if o.Now == nil {
		return nil, errors.New("Options.Now is missing")
	}
	s := &DB{engine: e, Now: o.Now, IndexBytes: o.IndexBytes}
	readers := cmp.Or(o.Connections, MaxReaders)
	s.makeQueues(readers, max(1, readers/snapshotShare))
	s.decay.Store(newDecay(o.ForgetBelow))
	for persona, r := range o.DecayRates {
		if err := s.SetRates(persona, r); err != nil {
			return nil, err
		}
	}
	if o.AttachmentsDir != "" {
		dir, err := filepath.Abs(o.AttachmentsDir)
		if err != nil {
			return nil, err
		}
		s.AttachmentsDir = dir
	}
	return s, nil
}

// makeQueues makes the channels of a database with so many readers, so many of which may be held by snapshots.
func (s *DB) makeQueues(readers, snapshots int) {
	s.jobs, s.urgent = make(chan *job), make(chan *job)
	s.closing, s.stopped, s.kept = make(chan struct{}), make(chan struct{}), make(chan struct{})
	s.pool, s.snapshots = newReaderPool(readers), make(chan struct{}, snapshots)
}

// open makes the tables and opens the connections. After an error nothing is open.
func (s *DB) open(ctx context.Context, backUp func(context.Context, int) error, migrations fs.FS) (err error) {
	defer func() {
		if err != nil {
			err = s.engine.explain(errors.Join(err, s.closeConns()))
		}
	}()
	if backUp == nil {
		backUp = copyBeside(s.engine.address(), s.Now)
	}
	if err := s.engine.prepare(ctx, backUp, migrations); err != nil {
		return err
	}
	if s.writer, err = s.engine.connect(ctx, writing, nil); err != nil {
		return err
	}
	s.writer.AttachmentsDir = s.AttachmentsDir
	if err := s.engine.opened(s.writer); err != nil {
		return err
	}
	for range s.pool.size() {
		c, err := s.engine.connect(ctx, reading, nil)
		if err != nil {
			return err
		}
		s.pool.put(c)
	}
	return s.resumeVacuum()
}

// Path is the absolute path of the file, or the URL of the server without its password.
func (s *DB) Path() string { return s.engine.address() }

// Close waits for running writes and reads and closes the database. Later calls fail with ErrClosed.
func (s *DB) Close() error {
	s.closeOnce.Do(func() {
		close(s.closing)
		<-s.stopped
		<-s.kept
		for _, c := range s.pool.takeAll() {
			s.closeErr = errors.Join(s.closeErr, c.close())
		}
		s.closeErr = errors.Join(s.closeErr, s.closeConns())
		if s.closeErr != nil {
			s.closeErr = fmt.Errorf("close the memory at %s: %w", s.Path(), s.engine.explain(s.closeErr))
		}
	})
	return s.closeErr
}

// closeConns closes the open connections, the writer last: the last connection checkpoints the write-ahead log into the
// file, which a read-only one must not do.
func (s *DB) closeConns() error {
	var errs []error
	for len(s.pool.free) > 0 {
		<-s.pool.free
		errs = append(errs, s.pool.take().close())
	}
	if s.writer != nil {
		errs = append(errs, s.writer.close())
	}
	return errors.Join(errs...)
}
