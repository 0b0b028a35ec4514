package pgtest

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

const (
	// objectInUse is the SQLSTATE of a database that others are connected to.
	objectInUse = "55006"
	// inUseAttempts bounds how often a copy is tried while connections to its template are still closing.
	inUseAttempts = 20
	inUsePause    = 50 * time.Millisecond
)

// newName returns a name that no database of the server has.
func (c *cluster) newName() string { return fmt.Sprintf("test_%d", c.databases.Add(1)) }

// createDatabase makes a database as a copy of another. Copying files is twice as fast as writing them to the log where
// nothing is synced.
func (c *cluster) createDatabase(name, from string) error {
	for attempt := 1; ; attempt++ {
		err := c.admin("CREATE DATABASE " + name + " TEMPLATE " + from + " STRATEGY FILE_COPY")
		var failed *pgconn.PgError
		if attempt < inUseAttempts && errors.As(err, &failed) && failed.Code == objectInUse {
			<-time.After(inUsePause)
			continue
		}
		if err != nil {
			return fmt.Errorf("make the test database %s from %s: %w", name, from, err)
		}
		return nil
	}
}

// drop removes a database and closes the connections to it.
func (c *cluster) drop(t testing.TB, name string) {
	if err := c.admin(dropStatement(name)); err != nil {
		t.Errorf("remove the test database %s: %v", name, err)
	}
}

func dropStatement(name string) string { return "DROP DATABASE IF EXISTS " + name + " WITH (FORCE)" }

// admin runs a statement on a connection of its own, so tests that run at the same time do not wait for each other.
func (c *cluster) admin(statement string) error {
	ctx, cancel := context.WithTimeout(context.Background(), adminTimeout)
	defer cancel()
	conn, err := pgconn.Connect(ctx, c.url("postgres"))
	if err != nil {
		return err
	}
	defer conn.Close(ctx) //nolint:errcheck // the statement's result counts
	return conn.Exec(ctx, statement).Close()
}
