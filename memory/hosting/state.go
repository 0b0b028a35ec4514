package hosting

import (
	"context"
	"time"
)

// Stats counts what was done on the database since it was opened.
type Stats struct {
	// Readers is how many reads may run at a time, Reading how many run now, and Waiting how many wait for one of them to end.
	Readers, Reading, Waiting int
	// ReadWaits counts the reads that had to wait, and ReadWait is how long they did together.
	ReadWaits int64
	ReadWait  time.Duration
	// WriteWait is how long it took until transactions that write began: until other processes had ended theirs, and on a server, until
	// it answered.
	WriteWait time.Duration
	// Commits counts these transactions, and Writes what they wrote: several writes that wait are committed together.
	Commits, Writes int64
	// Repeats counts the transactions and reads that ran again because the connection to a server was lost.
	Repeats int64
}

// Stats returns what was counted. It asks the database nothing.
func (s *Store) Stats() Stats { return Stats(s.db.Stats()) }

// Server is what a PostgreSQL server tells of itself.
type Server struct {
	// Version is its version, such as "17.2", and Supported whether it is new enough.
	Version   string
	Supported bool
	// Latency is how long one statement takes.
	Latency time.Duration
	// Ahead is how far the server's clock is ahead of this machine's, to half the latency.
	Ahead time.Duration
	// Bytes is the size of the tables and indexes.
	Bytes int64
	// Unsafe are the settings that are off although a crash of the server may then lose what was committed.
	Unsafe []string
	// Free is how many more connections the server takes of the user, and Needed how many a process that serves opens.
	Free, Needed int
}

// Server asks the server for its state. It returns nil for a file.
func (s *Store) Server(ctx context.Context) (*Server, error) {
	found, err := s.db.Server(ctx)
	return (*Server)(found), err
}
