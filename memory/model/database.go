package model

import "time"

// DatabaseStats counts what was done on a database since it was opened.
type DatabaseStats struct {
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
	// ServerWaits counts how often a connection waited for the server, and Unasked the queries that were sent to it before they were
	// needed, and were not needed.
	ServerWaits, Unasked int64
}

// DatabaseServer is what a PostgreSQL server tells of itself.
type DatabaseServer struct {
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
