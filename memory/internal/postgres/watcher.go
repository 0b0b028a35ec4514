package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgconn/ctxwatch"
)

// cancelTimeout is how long the server may take to cancel a statement before the connection is given up.
const cancelTimeout = 15 * time.Second

// watcher ends what runs on a connection when its context ends: it asks the server to cancel a statement, and stops
// waiting for notifications. The connection stays usable in both cases.
type watcher struct {
	conn      *Conn
	statement ctxwatch.Handler
	waiting   ctxwatch.Handler
	canceled  ctxwatch.Handler
}

func newWatcher(c *Conn, pg *pgconn.PgConn) *watcher {
	return &watcher{
		conn:      c,
		statement: &pgconn.CancelRequestContextWatcherHandler{Conn: pg, DeadlineDelay: cancelTimeout},
		waiting:   &pgconn.DeadlineContextWatcherHandler{Conn: pg.Conn()},
	}
}

// HandleCancel is called when the context ends.
func (w *watcher) HandleCancel(ctx context.Context) {
	w.canceled = w.statement
	if w.conn.waiting.Load() {
		w.canceled = w.waiting
	}
	w.canceled.HandleCancel(ctx)
}

// HandleUnwatchAfterCancel is called when what was canceled has ended.
func (w *watcher) HandleUnwatchAfterCancel() { w.canceled.HandleUnwatchAfterCancel() }
