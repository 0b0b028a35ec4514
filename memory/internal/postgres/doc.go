// Package postgres is a database/sql driver that runs the store's statements on PostgreSQL. They are written in the SQL
// that SQLite and PostgreSQL share. The driver changes only what must differ in form (see Translate) and gives results
// the Go types that the driver of SQLite gives: int64, float64, string, []byte and nil.
//
// PostgreSQL cannot store the character U+0000 or invalid UTF-8 in text. In string arguments both become U+FFFD, the
// replacement character. Byte slices are stored as they are.
//
// Transactions are begun and ended by plain statements. Rows may stay open while other statements run on the same
// connection: what is unread is then read into memory first.
//
// Waiting for the server takes longer than most statements run. Queue, Prefetch and CommitLater send statements without
// waiting for each one's answer.
package postgres
