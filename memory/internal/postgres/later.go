package postgres

import (
	"context"

	"github.com/jackc/pgx/v5/pgproto3"
)

// CommitLater ends a transaction that has only read, and does not wait for the server: its answer is read before the next
// statement. If nothing of the transaction was sent, there is nothing to end.
func (c *Conn) CommitLater() {
	c.settle()
	unsent := c.Queued() && c.pg.TxStatus() == 'I'
	c.Discard()
	if unsent || c.Lost() {
		return
	}
	front := c.pg.Frontend()
	front.SendQuery(&pgproto3.Query{String: "COMMIT"})
	if front.Flush() != nil {
		_ = c.Close() // it is broken
		return
	}
	c.heard, c.owed = c.now(), true
}

// collect reads the answer to CommitLater. The error of a connection that was lost appears with the next statement.
func (c *Conn) collect() {
	for c.owed {
		message, err := c.pg.ReceiveMessage(context.Background())
		_, ready := message.(*pgproto3.ReadyForQuery)
		c.owed = err == nil && !ready
	}
}
