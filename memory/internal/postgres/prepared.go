package postgres

import (
	"container/list"
	"context"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5/pgconn"
)

// prepared is a statement that the server has prepared for arguments of certain kinds.
type prepared struct {
	key       statementKey
	statement *pgconn.StatementDescription
	// order has the argument for each parameter.
	order   []int
	formats []int16
	oids    []uint32
	columns []string
	changes string
}

type statementKey struct {
	query string
	kinds string
}

// cache has the prepared statements of a connection. The ones that were used the longest ago go first.
type cache struct {
	limit  int
	byKey  map[statementKey]*list.Element // of *prepared
	recent *list.List                     // the last used first
	names  int
	// stale is set when the statements may no longer fit the tables. All are prepared again then.
	stale bool
}

func newCache(limit int) cache {
	return cache{limit: limit, byKey: map[statementKey]*list.Element{}, recent: list.New()}
}

// get returns a statement, nil if it is not prepared.
func (s *cache) get(query string, kinds []byte) *prepared {
	e, ok := s.byKey[statementKey{query, string(kinds)}] // the compiler makes no string here
	if !ok {
		return nil
	}
	s.recent.MoveToFront(e)
	return e.Value.(*prepared)
}

func (s *cache) add(p *prepared) { s.byKey[p.key] = s.recent.PushFront(p) }

// oldest returns the statement to drop before another is added, nil if there is space.
func (s *cache) oldest() *prepared {
	if s.recent.Len() < s.limit {
		return nil
	}
	return s.recent.Back().Value.(*prepared)
}

func (s *cache) remove(p *prepared) {
	s.recent.Remove(s.byKey[p.key])
	delete(s.byKey, p.key)
}

func (s *cache) clear() {
	clear(s.byKey)
	s.recent.Init()
	s.stale = false
}

// prepare returns a statement prepared for arguments of the kinds in c.kinds.
func (c *Conn) prepare(ctx context.Context, query string) (*prepared, error) {
	if err := c.dropStale(ctx); err != nil {
		return nil, err
	}
	c.kindBytes = c.kindBytes[:0]
	for _, k := range c.kinds {
		c.kindBytes = append(c.kindBytes, byte(k))
	}
	if p := c.prepared.get(query, c.kindBytes); p != nil {
		return p, nil
	}
	// What is queued may need a statement that is dropped, or make what this one needs.
	c.settle()
	if err := c.Flush(ctx); err != nil {
		return nil, err
	}
	if p := c.prepared.oldest(); p != nil {
		c.prepared.remove(p)
		if err := c.pg.Deallocate(ctx, p.statement.Name); err != nil {
			return nil, fmt.Errorf("drop a prepared statement: %w", err)
		}
	}
	p, err := c.prepareNew(ctx, query)
	if err != nil {
		return nil, err
	}
	c.prepared.add(p)
	return p, nil
}

func (c *Conn) prepareNew(ctx context.Context, query string) (*prepared, error) {
	sql, order, err := Translate(query, c.kinds)
	if err != nil {
		return nil, err
	}
	types := make([]uint32, len(order))
	for i, argument := range order {
		types[i] = c.kinds[argument].oid()
	}
	c.prepared.names++
	statement, err := c.pg.Prepare(ctx, "s"+strconv.Itoa(c.prepared.names), sql, types)
	if err != nil {
		return nil, err
	}
	p := &prepared{
		key: statementKey{query, string(c.kindBytes)}, statement: statement, order: order, formats: resultFormats(statement.Fields),
	}
	for _, f := range statement.Fields {
		p.columns, p.oids = append(p.columns, f.Name), append(p.oids, f.DataTypeOID)
	}
	if p.changes = changes(sql); len(statement.Fields) == 0 && p.changes != anything {
		statement.Fields = noColumns
	}
	return p, nil
}

// noColumns are the columns of a statement that certainly gives no rows. For one without columns the library asks the
// server again, each time, whether it has any.
var noColumns = []pgconn.FieldDescription{{}}

// dropStale drops all prepared statements if they may not fit the tables any more. In a failed transaction it must wait.
func (c *Conn) dropStale(ctx context.Context) error {
	if !c.prepared.stale {
		return nil
	}
	c.settle()
	if c.pg.TxStatus() == 'E' {
		return nil
	}
	if len(c.prepared.byKey) > 0 {
		if err := c.Flush(ctx); err != nil {
			return err
		}
		if err := c.pg.Exec(ctx, "DEALLOCATE ALL").Close(); err != nil {
			return fmt.Errorf("drop the prepared statements: %w", err)
		}
	}
	c.prepared.clear()
	return nil
}
