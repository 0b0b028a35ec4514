package db

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync"
	"time"

	"familiar/memory/model"
)

// The errors callers branch on. Everything else is an error that only says what to do.
var (
	// ErrNotFound says that what was asked for does not exist.
	ErrNotFound = errors.New("not found")
	// ErrNewer says that the file was written by a newer familiar.
	ErrNewer = errors.New("written by a newer familiar")
	// ErrCorrupt says that the file is damaged or is no database of familiar's at all.
	ErrCorrupt = errors.New("damaged or not a familiar database")
	// ErrClosed says that the store was closed.
	ErrClosed = errors.New("the store is closed")
)

const (
	// readers is how many reads run side by side. More than the cores of a small machine only queue in SQLite.
	MaxReaders = 4
	// moments is how many of them are lent for longer than one look.
	maxSnapshots = 2
	// defaultBusyTimeout outlasts a backup's or an operator's transaction in another process.
	defaultBusyTimeout = 30 * time.Second
)

// Options are what a store is opened with.
type Options struct {
	// Now is the clock of every stored timestamp; it is required.
	Now func() time.Time
	// BusyTimeout is how long a write waits for another process that is writing, 30 s when 0.
	BusyTimeout time.Duration
	// AttachmentsDir is the directory below which channels keep what comes with messages, "" for none. What is nobody's there is
	// removed.
	AttachmentsDir string
	// ForgetBelow is what is left of a memory, 0–1, when it counts as forgotten; DefaultForgetBelow when 0. It holds for
	// what is written from then on.
	ForgetBelow float64
	// DecayRates are how fast memories fade, by persona; a persona or sector that is left out has the usual rate. They hold for
	// what is written from then on.
	DecayRates map[string]model.Rates
	// NoSync says that nothing in the file need outlive the process: nothing is synced to disk, and writing is a good
	// deal faster for it.
	NoSync bool
}

// Store is the one SQLite file everything is kept in. It is safe for concurrent use: writes queue for the one
// writer and are committed in groups, reads run beside them on a small pool.
type DB struct {
	path  string
	Now   func() time.Time
	busy  time.Duration
	Decay model.DecayModel
	// files is Options.Files, absolute.
	AttachmentsDir string
	// noSync says that nothing need be synced.
	noSync bool

	jobs      chan *job     // to the writer
	urgent    chan *job     // to the writer, before jobs
	closing   chan struct{} // closed when Close begins
	stopped   chan struct{} // closed when the writer has ended
	pool      chan *Tx      // idle readers
	snapshots chan struct{} // those that last
	writer    *Tx
	vacuums   vacuumSchedule // the writer's

	closeOnce sync.Once
	closeErr  error
}

// Open opens the store at path, making the file (mode 0600) and its directory (mode 0700) when there are none, and
// upgrading an older file after a backup beside it. It fails with ErrNewer for a file of a newer familiar and with
// ErrCorrupt for a damaged or foreign one; both errors say what to do.
func Open(ctx context.Context, path string, o Options) (*DB, error) {
	return openWith(ctx, path, o, releasedMigrations)
}

// openWith is Open with the migrations as a parameter, so that upgrades are tested without releasing one.
func openWith(ctx context.Context, path string, o Options, migrations fs.FS) (*DB, error) {
	if o.Now == nil {
		return nil, fmt.Errorf("open the memory at %s: no clock was given", path)
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("open the memory at %s: %w", path, err)
	}
	s := &DB{
		path: abs, Now: o.Now, busy: o.BusyTimeout, Decay: model.DecayModel{Threshold: o.ForgetBelow, Rates: map[string]model.Rates{}},
		noSync: o.NoSync, jobs: make(chan *job), urgent: make(chan *job), closing: make(chan struct{}), stopped: make(chan struct{}),
		pool: make(chan *Tx, MaxReaders), snapshots: make(chan struct{}, maxSnapshots),
	}
	if s.busy <= 0 {
		s.busy = defaultBusyTimeout
	}
	if s.Decay.Threshold <= 0 || s.Decay.Threshold >= 1 {
		s.Decay.Threshold = model.DefaultForgetBelow
	}
	for persona, r := range o.DecayRates {
		if err := r.Validate(); err != nil {
			return nil, fmt.Errorf("open the memory at %s: rates of %s: %w", path, persona, err)
		}
		s.Decay.Rates[persona] = r.WithDefaults()
	}
	if s.AttachmentsDir = o.AttachmentsDir; s.AttachmentsDir != "" {
		if s.AttachmentsDir, err = filepath.Abs(s.AttachmentsDir); err != nil {
			return nil, fmt.Errorf("open the memory at %s: %w", path, err)
		}
	}
	if err := s.open(ctx, migrations); err != nil {
		return nil, fmt.Errorf("open the memory at %s: %w", abs, explainError(abs, errors.Join(err, s.closeConns())))
	}
	go s.writeLoop()
	return s, nil
}

func (s *DB) open(ctx context.Context, migrations fs.FS) error {
	state, err := prepareFile(ctx, s.path)
	if err != nil {
		return err
	}
	if err := upgrade(ctx, s.path, s.Now, migrations); err != nil {
		return err
	}
	if s.writer, err = openConn(ctx, s.path, writing, s.busy); err != nil {
		return err
	}
	s.writer.Decay, s.writer.AttachmentsDir = s.Decay, s.AttachmentsDir
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

// Path is the file the store was opened at.
func (s *DB) Path() string { return s.path }

// Close waits for what is being written and read, and closes the file. Later calls on the store fail with ErrClosed.
func (s *DB) Close() error {
	s.closeOnce.Do(func() {
		close(s.closing)
		<-s.stopped
		for range MaxReaders {
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

// closeConns closes what is open, the writer last: the last connection to go folds the write-ahead log into the file,
// which a read-only one may not do.
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
