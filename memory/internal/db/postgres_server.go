package db

import (
	"context"
	"fmt"
	"time"

	"familiar/memory/model"
)

const (
	// oldestServer is the lowest server_version_num with which all statements work.
	oldestServer = 150000
	// latencyTries is how often the time of a statement is measured. The shortest counts.
	latencyTries = 5
	// otherConnections are what a process that serves has beside those for reading: for writing, for its place as the one that
	// serves, and for noticing changes while the dashboard is open.
	otherConnections = 3
)

// Server asks the server for its state. It returns nil for a file.
func (s *DB) Server(ctx context.Context) (*model.DatabaseServer, error) {
	p, is := s.engine.(*postgresEngine)
	if !is {
		return nil, nil
	}
	found := &model.DatabaseServer{Needed: s.pool.size() + otherConnections}
	err := s.ReadOne(ctx, "look at the server", func(c *Tx) (err error) {
		if err := s.timeServer(c, found); err != nil {
			return fmt.Errorf("read the server's clock: %w", err)
		}
		if found.Bytes, err = p.bytes(c); err != nil {
			return fmt.Errorf("measure the tables: %w", err)
		}
		return readSettings(found, c)
	})
	return found, err
}

// timeServer compares the clocks in the middle of the fastest statement.
func (s *DB) timeServer(c *Tx, found *model.DatabaseServer) error {
	for try := range latencyTries {
		began := s.Now()
		var micros int64
		if err := c.QueryRow(`SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint)`).Scan(&micros); err != nil {
			return err
		}
		if took := s.since(began); try == 0 || took < found.Latency {
			found.Latency, found.Ahead = took, time.UnixMicro(micros).Sub(began.Add(took/2))
		}
	}
	return nil
}

// readSettings reads the settings, and how many connections are left by the limits of the server, the database and the role.
func readSettings(found *model.DatabaseServer, c *Tx) error {
	var version int64
	var fsync, commit string
	err := c.QueryRow(`SELECT CAST(current_setting('server_version_num') AS bigint), split_part(current_setting('server_version'), ' ', 1),
		current_setting('fsync'), current_setting('synchronous_commit')`).Scan(&version, &found.Version, &fsync, &commit)
	if err != nil {
		return fmt.Errorf("read the server's settings: %w", err)
	}
	found.Supported = version >= oldestServer
	if fsync == "off" {
		found.Unsafe = append(found.Unsafe, "fsync")
	}
	if commit == "off" {
		found.Unsafe = append(found.Unsafe, "synchronous_commit")
	}
	if err := c.QueryRow(`SELECT CAST(least(
			CAST(current_setting('max_connections') AS bigint) - CAST(current_setting('superuser_reserved_connections') AS bigint)
				- CAST(coalesce(current_setting('reserved_connections', true), '0') AS bigint) - (SELECT sum(numbackends) FROM pg_stat_database),
			(SELECT nullif(datconnlimit, -1) - pg_stat_get_db_numbackends(oid) FROM pg_database WHERE datname = current_database()),
			(SELECT nullif(rolconnlimit, -1) - (SELECT count(*) FROM pg_stat_activity WHERE usename = current_user) FROM pg_roles WHERE rolname = current_user)
		) AS bigint)`).Scan(&found.Free); err != nil {
		return fmt.Errorf("count the server's connections: %w", err)
	}
	return nil
}
