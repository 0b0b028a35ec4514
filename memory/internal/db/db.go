package db

import (
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
	// MaxReaders is the number of concurrent reads. More than the cores of a small machine would only queue in SQLite.
	MaxReaders = 4
	// maxSnapshots is how many readers may be held by snapshots, which last longer than a single read.
	maxSnapshots = 2
	// defaultBusyTimeout is longer than a backup or an operator's transaction in another process takes.
	defaultBusyTimeout = 30 * time.Second
)

// Options configure a store.
type Options struct {
	// Now is the clock for every stored timestamp. It is required.
	Now func() time.Time
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

// DB is the SQLite file that holds everything. It is safe for concurrent use: writes queue for one writer, which
// commits them in groups, and reads run concurrently on a small pool.
type DB struct {
	path string
	Now  func() time.Time
	busy time.Duration
	// decay is replaced as a whole when the rates of a persona change.
	decay atomic.Pointer[model.DecayModel]
	// AttachmentsDir is Options.AttachmentsDir as an absolute path.
	AttachmentsDir string
	// IndexBytes is Options.IndexBytes.
	IndexBytes int64
	// noSync turns off syncing to disk.
	noSync bool
	// asOf is the time that the database is seen at, zero for now.
	asOf time.Time

	jobs      chan *job     // to the writer
	urgent    chan *job     // to the writer, ahead of jobs
	closing   chan struct{} // closed when Close begins
	stopped   chan struct{} // closed when the writer has ended
	pool      chan *Tx      // idle readers
	snapshots chan struct{} // held readers
	writer    *Tx
	vacuums   vacuumSchedule // used by the writer only

	checkpoints *checkpoints

	closeOnce sync.Once
	closeErr  error
}

// Open opens the database at path. It makes the file (mode 0600) and its directory (mode 0700) if they are missing, and
// upgrades an older file after Options.BeforeUpgrade. It fails with ErrNewer for a file of a newer familiar and
// with ErrCorrupt for a damaged or foreign one; both errors say what to do.
func Open(ctx context.Context, path string, o Options) (*DB, error) {
	return openWith(ctx, path, o, releasedMigrations)
}

// openWith is Open with the migrations as a parameter, so that tests can upgrade without a release.
func openWith(ctx context.Context, path string, o Options, migrations fs.FS) (*DB, error) {
	if o.Now == nil {
		return nil, fmt.Errorf("open the memory at %s: Options.Now is missing", path)
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("open the memory at %s: %w", path, err)
	}
	s := &DB{
		path: abs, Now: o.Now, busy: o.BusyTimeout,
		IndexBytes: o.IndexBytes, noSync: o.NoSync, jobs: make(chan *job), urgent: make(chan *job), closing: make(chan struct{}), stopped: make(chan struct{}),
		pool: make(chan *Tx, MaxReaders), snapshots: make(chan struct{}, maxSnapshots),
		checkpoints: newCheckpoints(),
	}
	if s.busy <= 0 {
		s.busy = defaultBusyTimeout
	}
	s.decay.Store(newDecay(o.ForgetBelow))
	for persona, r := range o.DecayRates {
		if err := s.SetRates(persona, r); err != nil {
			return nil, fmt.Errorf("open the memory at %s: %w", path, err)
		}
	}
	if s.AttachmentsDir = o.AttachmentsDir; s.AttachmentsDir != "" {
		if s.AttachmentsDir, err = filepath.Abs(s.AttachmentsDir); err != nil {
			return nil, fmt.Errorf("open the memory at %s: %w", path, err)
		}
	}
	if o.BeforeUpgrade == nil {
		o.BeforeUpgrade = copyBeside(abs, o.Now)
	}
	if err := s.open(ctx, o.BeforeUpgrade, migrations); err != nil {
		return nil, fmt.Errorf("open the memory at %s: %w", abs, explainError(abs, errors.Join(err, s.closeConns())))
	}
	if err := s.resumeVacuum(); err != nil {
		return nil, fmt.Errorf("open the memory at %s: %w", abs, explainError(abs, errors.Join(err, s.closeConns())))
	}
	go s.writeLoop()
	go s.checkpointLoop()
	return s, nil
}

func (s *DB) open(ctx context.Context, backUp func(context.Context, int) error, migrations fs.FS) error {
	state, err := prepareFile(ctx, s.path)
	if err != nil {
		return err
	}
	if err := upgrade(ctx, s.path, backUp, migrations); err != nil {
		return err
	}
	if s.writer, err = openConn(ctx, s.path, writing, s.busy); err != nil {
		return err
	}
	s.writer.AttachmentsDir = s.AttachmentsDir
	if s.noSync {
		if err := s.writer.disableSync(); err != nil {
			return err
		}
	}
	if state.needsCheck() {
		if err := quickCheck(s.writer); err != nil {
			return err
		}
	}
	for range MaxReaders {
		c, err := openConn(ctx, s.path, reading, s.busy)
		if err != nil {
			return err
		}
		s.pool <- c
	}
	return nil
}

// Path is the absolute path of the file.
func (s *DB) Path() string { return s.path }

// Close waits for running writes and reads and closes the file. Later calls fail with ErrClosed.
func (s *DB) Close() error {
	s.closeOnce.Do(func() {
		close(s.closing)
		<-s.stopped
		<-s.checkpoints.stopped
		for range cap(s.pool) {
			c := <-s.pool
			s.closeErr = errors.Join(s.closeErr, c.close())
		}
		s.closeErr = errors.Join(s.closeErr, s.closeConns())
		if s.closeErr != nil {
			s.closeErr = fmt.Errorf("close the memory at %s: %w", s.path, explainError(s.path, s.closeErr))
		}
	})
	return s.closeErr
}

// closeConns closes the open connections, the writer last: the last connection checkpoints the write-ahead log into the
// file, which a read-only one must not do.
func (s *DB) closeConns() error {
	var errs []error
	for len(s.pool) > 0 {
		errs = append(errs, (<-s.pool).close())
	}
	if s.writer != nil {
		errs = append(errs, s.writer.close())
	}
	return errors.Join(errs...)
}
