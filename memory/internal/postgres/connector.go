package postgres

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgconn/ctxwatch"
)

const (
	// defaultConnectTimeout is short because an operator waits for the error.
	defaultConnectTimeout = 10 * time.Second
	// defaultStatements is more than the store has in use. Each takes some 10 KB of the server's memory.
	defaultStatements = 512
)

// Options configure the connections of a Connector.
type Options struct {
	// RuntimeParams are settings of the session, such as application_name and statement_timeout (in ms). They take
	// precedence over those in the URL.
	RuntimeParams map[string]string
	// ConnectTimeout bounds connecting, connect_timeout of the URL or else 10 s when 0.
	ConnectTimeout time.Duration
	// Statements is how many prepared statements a connection keeps, 512 when 0.
	Statements int
	// Now tells how long statements have been queued. Without it they wait for the next one however long that takes.
	Now func() time.Time
	// OnNotice is called with the server's notices, such as warnings. OnNotification is called with what NOTIFY sends
	// to channels that the connection listens on. Both run while the connection is in use, so they must not use it.
	OnNotice       func(severity, message string)
	OnNotification func(channel, payload string)
	// Counts, if set, counts what its connections do.
	Counts *Counts
}

// Counts counts what connections do.
type Counts struct {
	// Waits is how often one waited for the server.
	Waits atomic.Int64
	// Unasked is how many queries were prefetched in vain: nobody asked for their rows, or they had changed meanwhile.
	Unasked atomic.Int64
}

// Connector makes connections to a database. It is safe for concurrent use.
type Connector struct {
	config *pgconn.Config
	o      Options
}

// NewConnector returns a connector for a URL: postgres://USER:PASSWORD@HOST:PORT/DATABASE?sslmode=verify-full, or
// key=value pairs as libpq reads them. It does not connect yet. Its error contains nothing of the URL, which may have a
// password.
func NewConnector(url string, o Options) (*Connector, error) {
	if ambiguous(url) {
		return nil, errors.New("read PostgreSQL's URL: it has an @ that does not end the user and password: write %40 for @, %2F for / and %3F for ? in them")
	}
	config, err := pgconn.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("read PostgreSQL's URL: %s: write postgres://USER:PASSWORD@HOST:PORT/DATABASE, with special characters as %%XX", urlProblem(err))
	}
	if o.Now == nil {
		o.Now = func() time.Time { return time.Time{} }
	}
	if o.Statements <= 0 {
		o.Statements = defaultStatements
	}
	if o.Counts == nil {
		o.Counts = new(Counts)
	}
	switch {
	case o.ConnectTimeout > 0:
		config.ConnectTimeout = o.ConnectTimeout
	case config.ConnectTimeout <= 0 || config.ConnectTimeout > time.Minute:
		config.ConnectTimeout = defaultConnectTimeout // the library's default is 2 min
	}
	maps.Copy(config.RuntimeParams, o.RuntimeParams)
	// Without these the server could read the literals and texts of a statement otherwise than Translate does.
	config.RuntimeParams["standard_conforming_strings"] = "on"
	config.RuntimeParams["client_encoding"] = "UTF8"
	return &Connector{config: config, o: o}, nil
}

// ambiguous reports whether a URL has an @ in its password or after it, so that a part of the password would be read as
// the host or the database, and shown in errors.
func ambiguous(url string) bool {
	scheme, rest, ok := strings.Cut(url, "://")
	if !ok || strings.Contains(scheme, "=") {
		return false
	}
	user, _, _ := strings.Cut(rest, "@")
	return strings.Count(rest, "@") > 1 || strings.Contains(rest, "@") && strings.ContainsAny(user, "/?#")
}

// urlProblems are the library's words for what is wrong with a URL, without values from it.
var urlProblems = []string{
	"invalid port", "invalid connect_timeout", "invalid sslcertmode", "failed to configure TLS", "failed to read service",
	"unknown target_session_attrs value", "could not match", "invalid require_auth", "unknown channel_binding value",
}

// urlProblem says what is wrong with a URL without quoting it.
func urlProblem(err error) string {
	said := err.Error()
	for _, problem := range urlProblems {
		if strings.Contains(said, "`: "+problem) {
			return problem
		}
	}
	return "its form is unknown"
}

// Driver returns the driver.
func (*Connector) Driver() driver.Driver { return Driver{} }

// Driver opens connections by URL, with the default options.
type Driver struct{}

// Open connects to the database at url.
func (Driver) Open(url string) (driver.Conn, error) {
	c, err := NewConnector(url, Options{})
	if err != nil {
		return nil, err
	}
	return c.Connect(context.Background())
}

// Connect connects to the database. An error is a *ConnectError and has no password.
func (c *Connector) Connect(ctx context.Context) (driver.Conn, error) {
	conn := newConn(c.o)
	config := c.config.Copy()
	config.BuildContextWatcherHandler = func(pg *pgconn.PgConn) ctxwatch.Handler { return newWatcher(conn, pg) }
	if c.o.OnNotice != nil {
		config.OnNotice = func(_ *pgconn.PgConn, n *pgconn.Notice) { c.o.OnNotice(n.Severity, n.Message) }
	}
	if c.o.OnNotification != nil {
		config.OnNotification = func(_ *pgconn.PgConn, n *pgconn.Notification) { c.o.OnNotification(n.Channel, n.Payload) }
	}
	ctx, cancel := context.WithTimeout(ctx, config.ConnectTimeout)
	defer cancel()
	pg, err := pgconn.ConnectConfig(ctx, config)
	if err != nil {
		return nil, connectError(config, err)
	}
	conn.pg = pg
	return conn, nil
}
