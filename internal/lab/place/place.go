// Package place decides where the memories lie that are measured and simulated: in files, or in a PostgreSQL database.
package place

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

type serverKey struct{}

// OnServer returns a context in which memories lie in the database at address, each in a schema of its own.
func OnServer(ctx context.Context, address string) context.Context {
	return context.WithValue(ctx, serverKey{}, address)
}

// New returns the address of a new memory: a file in dir, or that of a new schema, which remove removes with all that is in it.
func New(ctx context.Context, dir string) (address string, remove func() error, err error) {
	server, _ := ctx.Value(serverKey{}).(string)
	if server == "" {
		return filepath.Join(dir, "familiar.db"), func() error { return nil }, nil
	}
	u, err := url.Parse(server)
	if err != nil {
		return "", nil, errors.New("the address of the database is not valid: write postgres://USER@HOST/DATABASE")
	}
	schema := "lab_" + strings.ToLower(rand.Text())
	if err := run(ctx, server, "CREATE SCHEMA "+schema); err != nil {
		return "", nil, fmt.Errorf("make a schema for what is measured: %w", err)
	}
	// Appended, since encoding the rest anew would write spaces in a way that the server's library does not read.
	u.RawQuery = strings.TrimPrefix(u.RawQuery+"&search_path="+schema, "&")
	return u.String(), func() error {
		if err := run(context.WithoutCancel(ctx), server, "SET client_min_messages = error", "DROP SCHEMA "+schema+" CASCADE"); err != nil {
			return fmt.Errorf("remove the schema %s of what was measured: %w", schema, err)
		}
		return nil
	}, nil
}

func run(ctx context.Context, server string, statements ...string) (err error) {
	c, err := pgconn.Connect(ctx, server)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Close(ctx)) }()
	for _, s := range statements {
		if err := c.Exec(ctx, s).Close(); err != nil {
			return err
		}
	}
	return nil
}

// IsServer reports whether an address is that of a memory on a server.
func IsServer(address string) bool { return strings.HasPrefix(address, "postgres") }
