package turns

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"familiar/memory/internal/db"
)

// ReadByModel says which messages and memories a model has read: what mattered in them was filed.
type ReadByModel struct {
	// Messages and Memories hold the IDs of those that were read. A memory was read if all its sources were.
	Messages, Memories map[int64]bool
}

// ReadByModel returns which of some messages and memories a model has read.
func (s *Store) ReadByModel(ctx context.Context, messages, memories []int64) (read ReadByModel, err error) {
	err = s.db.Read(ctx, "read what a model has read", func(tx *db.Tx) error {
		read, err = s.read.among(tx, messages, memories)
		return err
	})
	return read, err
}

// readCache remembers what a model has read. It is asked for with every turn, and only a job reads more.
type readCache struct {
	mu sync.Mutex
	// runs are the latest runs of jobs when this was found out.
	runs               string
	messages, memories readSet
}

// readSet tells of IDs whether what they stand for was read.
type readSet map[int64]bool

// mostCached is how many messages or memories the cache holds at most.
const mostCached = 20_000

// The queries for what was read of some messages and memories.
const (
	readMessages = `SELECT m.id FROM messages m JOIN sessions s ON s.id = m.session_id WHERE m.id <= s.read_to AND m.id IN `
	readMemories = `SELECT x.memory_id FROM memory_sources x JOIN messages m ON m.id = x.message_id
		LEFT JOIN sessions s ON s.id = m.session_id WHERE x.memory_id IN `
	wholly = ` GROUP BY x.memory_id HAVING count(*) FILTER (WHERE m.id > coalesce(s.read_to, 0)) = 0`
)

// among returns which of some messages and memories a model has read.
func (c *readCache) among(tx *db.Tx, messages, memories []int64) (read ReadByModel, err error) {
	runs, err := latestRuns(tx)
	if err != nil {
		return read, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.messages == nil || c.runs != runs || len(c.messages) > mostCached || len(c.memories) > mostCached {
		c.runs, c.messages, c.memories = runs, readSet{}, readSet{}
	}
	if read.Messages, err = c.messages.among(tx, readMessages, messages, ``); err != nil {
		return read, err
	}
	read.Memories, err = c.memories.among(tx, readMemories, memories, wholly)
	return read, err
}

// latestRuns names the latest runs of jobs with their states.
func latestRuns(tx *db.Tx) (string, error) {
	runs, err := db.Collect[string](tx.Query(`SELECT id, status FROM job_runs ORDER BY id DESC LIMIT 4`))(func(row db.Scanner) (string, error) {
		var id int64
		var status string
		err := row.Scan(&id, &status)
		return fmt.Sprint(id, " ", status), err
	})
	return strings.Join(runs, ", "), err
}

// forget drops everything: more was read.
func (c *readCache) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.messages, c.memories = nil, nil
}

// among returns which ids were read. A query selects them from those that are not known yet; it is continued with the ids and
// then with after.
func (known readSet) among(tx *db.Tx, query string, ids []int64, after string) (map[int64]bool, error) {
	missing := slices.DeleteFunc(slices.Clone(ids), func(id int64) bool { _, is := known[id]; return is })
	found, err := readAmong(tx, query, missing, after)
	if err != nil {
		return nil, err
	}
	for _, id := range missing {
		known[id] = found[id]
	}
	read := make(map[int64]bool)
	for _, id := range ids {
		if known[id] {
			read[id] = true
		}
	}
	return read, nil
}

// readAmong returns which ids a query selects, which is continued with them and then with after.
func readAmong(tx *db.Tx, query string, ids []int64, after string) (map[int64]bool, error) {
	read := make(map[int64]bool, len(ids))
	for chunk := range slices.Chunk(ids, db.MaxArgs) {
		in, args := db.Placeholders(chunk)
		some, err := db.Collect[int64](tx.Query(query+in+after, args...))(db.ScanID)
		if err != nil {
			return nil, err
		}
		for _, id := range some {
			read[id] = true
		}
	}
	return read, nil
}
