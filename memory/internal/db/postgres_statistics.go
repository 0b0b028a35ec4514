package db

import (
	"context"
	"slices"
	"strings"
)

// The server plans statements by the statistics that it took of the tables. As long as it has none, it may look up a message by reading
// all of its room. It takes them by itself, but not in the first minute of a memory, and never if it ends more often than that.

// lookAfter are the numbers of groups written since the start after which it is looked whether the tables have outgrown their statistics.
var lookAfter = []int{100, 1000}

// outgrown is whether the messages have no statistics, or more changes than rows since.
const outgrown = `SELECT c.reltuples < 0 OR s.n_mod_since_analyze > c.reltuples FROM pg_class c JOIN pg_stat_all_tables s ON s.relid = c.oid WHERE c.oid = to_regclass(?)`

func (p *postgresEngine) committed(*Tx) {
	if p.groups++; slices.Contains(lookAfter, p.groups) {
		select {
		case p.look <- struct{}{}:
		default:
		}
	}
}

// analyse takes statistics of the tables if they have outgrown them. If that fails, the server does it some time.
func (p *postgresEngine) analyse(closing <-chan struct{}) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		select {
		case <-closing:
			cancel()
		case <-ctx.Done():
		}
	}()
	c := &Tx{engine: p}
	if p.reconnect(ctx, c) != nil {
		return
	}
	defer c.close() //nolint:errcheck // it is not used again
	var is bool
	if err := c.c.QueryRowContext(ctx, outgrown, p.within+".messages").Scan(&is); err != nil || !is {
		return
	}
	if tables, err := p.tables(c); err == nil {
		_, _ = c.c.ExecContext(ctx, "ANALYZE "+strings.Join(tables, ", "))
	}
}
