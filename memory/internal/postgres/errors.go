package postgres

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// ConnectError reports that no connection could be made. It does not contain the password.
type ConnectError struct {
	// Host is the name or address of the server, or the directory of its Unix socket.
	Host     string
	Port     uint16
	Database string
	User     string
	err      error
}

// connectError drops the library's error, which holds the password, and keeps its cause.
func connectError(c *pgconn.Config, err error) *ConnectError {
	if library, ok := errors.AsType[*pgconn.ConnectError](err); ok {
		err = library.Unwrap()
	}
	return &ConnectError{Host: c.Host, Port: c.Port, Database: c.Database, User: c.User, err: err}
}

func (e *ConnectError) Error() string {
	cause := strings.ReplaceAll(e.err.Error(), "\n", "; ")
	return fmt.Sprintf("connect to PostgreSQL at %s as %s, database %s: %s", e.address(), e.User, e.Database, cause)
}

// Unwrap returns the cause.
func (e *ConnectError) Unwrap() error { return e.err }

func (e *ConnectError) address() string { return net.JoinHostPort(e.Host, strconv.Itoa(int(e.Port))) }

// The SQLSTATEs that callers or operators can do something about.
const (
	classConnection      = "08"
	stateSerialization   = "40001"
	stateDeadlock        = "40P01"
	stateDiskFull        = "53100"
	stateConnections     = "53300"
	stateCanceled        = "57014"
	stateShutdown        = "57P01"
	stateCrash           = "57P02"
	stateStarting        = "57P03"
	stateReadOnly        = "25006"
	stateLocked          = "55P03"
	stateUnique          = "23505"
	stateForeignKey      = "23503"
	statePassword        = "28P01"
	stateAuthorization   = "28000"
	stateNoDatabase      = "3D000"
	stateNoRights        = "42501"
	stateFeature         = "0A000"
	stateNoSuchStatement = "26000"
	stateInvalidText     = "22P02"
)

// state returns the SQLSTATE of an error of the server, "" for other errors.
func state(err error) string {
	if failed, ok := errors.AsType[*pgconn.PgError](err); ok {
		return failed.Code
	}
	return ""
}

// Conflict reports that a transaction failed because of concurrent ones: run it again.
func Conflict(err error) bool {
	s := state(err)
	return s == stateSerialization || s == stateDeadlock
}

// Unreachable reports that the server cannot be reached or has ended the connection. Whether a COMMIT that failed so took
// place is unknown.
func Unreachable(err error) bool {
	switch s := state(err); s {
	case stateShutdown, stateCrash, stateStarting, stateConnections:
		return true
	case "":
		return brokenConnection(err)
	default:
		return strings.HasPrefix(s, classConnection)
	}
}

// NotConnected reports that a connection could not be made, since the server cannot be reached or is starting or stopping. Unlike for
// Unreachable, the error may be one of a program that uses other connections too.
func NotConnected(err error) bool {
	if state(err) != "" {
		return Unreachable(err)
	}
	_, ok := errors.AsType[*ConnectError](err)
	return ok
}

func brokenConnection(err error) bool {
	if errors.Is(err, context.Canceled) {
		return false
	}
	if _, ok := errors.AsType[*ConnectError](err); ok {
		return true
	}
	for _, lost := range []error{pgconn.ErrConnClosed, io.EOF, io.ErrUnexpectedEOF, net.ErrClosed, driver.ErrBadConn, sql.ErrConnDone} {
		if errors.Is(err, lost) {
			return true
		}
	}
	_, network := errors.AsType[net.Error](err)
	return network && !errors.Is(err, context.DeadlineExceeded) // which looks like an error of the network
}

// Full reports that the server's disk is full.
func Full(err error) bool { return state(err) == stateDiskFull }

// Busy reports that a lock was not free within lock_timeout.
func Busy(err error) bool { return state(err) == stateLocked }

// ReadOnly reports a write to a server or in a transaction that allows none, such as a standby.
func ReadOnly(err error) bool { return state(err) == stateReadOnly }

// Unique reports that a row with the same key exists.
func Unique(err error) bool { return state(err) == stateUnique }

// ForeignKey reports a reference to a row that does not exist, or the removal of one that is referred to.
func ForeignKey(err error) bool { return state(err) == stateForeignKey }

// stalePlan reports that a prepared statement no longer fits the tables, or is gone.
func stalePlan(err error) bool {
	failed, ok := errors.AsType[*pgconn.PgError](err)
	return ok && (failed.Code == stateNoSuchStatement || failed.Code == stateFeature && strings.Contains(failed.Message, "cached plan"))
}

// advice says what an operator should do, by SQLSTATE.
var advice = map[string]string{
	statePassword:      "PostgreSQL refused the password: correct the user and the password in the database's URL.",
	stateAuthorization: "PostgreSQL refused the user: check the user in the database's URL, and whether pg_hba.conf on the server allows it from this machine.",
	stateNoRights:      "The user lacks rights in the database: make it the owner, with ALTER DATABASE … OWNER TO … as an administrator.",
	stateDiskFull:      "The disk of the PostgreSQL server is full, nothing was written: free space there, and writing goes on by itself.",
	stateReadOnly:      "The PostgreSQL server only allows reading, as a standby does: use the URL of the primary server.",
	stateLocked:        "Another process writes or rewrites a table, for longer than is waited for it: wait until it is done, or stop it.",
	stateCanceled:      "The PostgreSQL server ended a statement that took too long: raise statement_timeout, or find out on the server, in pg_stat_activity and the log, what it waited for.",
	stateConnections:   "The PostgreSQL server has too many connections: close other programs' connections, or raise max_connections.",
	stateStarting:      "The PostgreSQL server is starting or stopping: wait, and see its log if this lasts.",
	stateShutdown:      "The PostgreSQL server was stopped or an administrator ended the connection: check that it runs.",
	stateCrash:         "The PostgreSQL server restarts after a crash: see its log.",
}

// Advice returns a sentence that tells an operator what to do about an error, "" if there is nothing to tell.
func Advice(err error) string {
	connecting, isConnecting := errors.AsType[*ConnectError](err)
	s := state(err)
	switch {
	case s == stateNoDatabase && isConnecting:
		return fmt.Sprintf("The database %s does not exist: make it on the server with createdb %s.", connecting.Database, connecting.Database)
	case s == stateNoDatabase:
		return "The database does not exist: make it on the server with createdb."
	case s == stateCanceled && (errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)):
		return "" // the caller gave up
	case advice[s] != "":
		return advice[s]
	case !Unreachable(err):
		return ""
	case isConnecting && strings.HasPrefix(connecting.Host, "/"):
		return fmt.Sprintf("Check that PostgreSQL runs on this machine with its socket for port %d in %s.", connecting.Port, connecting.Host)
	case isConnecting:
		return fmt.Sprintf("Check that PostgreSQL runs at %s and accepts connections from this machine.", connecting.address())
	default:
		return "The connection to PostgreSQL broke: check that the server runs and that the network reaches it."
	}
}
