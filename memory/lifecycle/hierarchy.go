package lifecycle

import (
	"context"
	"fmt"

	"familiar/memory/entry"
	"familiar/memory/internal/db"
	"familiar/memory/model"
)

// Node is a memory in the tree of contains edges.
type Node struct {
	Memory model.Memory
	// Level is "topic" for a memory that nothing contains, "concept" for one that is contained and contains others,
	// "fact" for a leaf, and "detail" for a leaf further down.
	Level string
	// Depth is counted from the root of the request. Children counts what the memory contains.
	Depth, Children int
}

// The levels of nodes.
const (
	LevelTopic   = "topic"
	LevelConcept = "concept"
	LevelFact    = "fact"
	LevelDetail  = "detail"
)

// factDepth is the depth below its topic from which a leaf is a detail.
const factDepth = 2

// Topics returns persona's memories that contain others and that nothing contains, those with the most children first.
func (s *Store) Topics(ctx context.Context, persona string) (nodes []Node, err error) {
	return s.nodes(ctx, "list topics", func(tx *db.Tx) ([]int64, error) {
		return db.Collect[int64](tx.Query(`SELECT e.from_id FROM memory_edges e JOIN memories m ON m.id = e.from_id
			WHERE e.kind = 'contains' AND m.persona = ?
			AND NOT EXISTS (SELECT 1 FROM memory_edges w WHERE w.kind = 'contains' AND w.to_id = e.from_id)
			GROUP BY e.from_id ORDER BY count(*) DESC, e.from_id`, persona))(db.ScanID)
	})
}

// Children returns what a memory contains. It fails with ErrNotFound when there is no such memory.
func (s *Store) Children(ctx context.Context, id int64) ([]Node, error) {
	return s.nodes(ctx, fmt.Sprintf("list what memory %d contains", id), func(tx *db.Tx) ([]int64, error) {
		if _, err := entry.Locate(tx, id); err != nil {
			return nil, err
		}
		return contained(tx, id)
	})
}

// Parent returns what contains a memory. It fails with ErrNotFound when there is no such memory or nothing contains it.
func (s *Store) Parent(ctx context.Context, id int64) (n Node, err error) {
	nodes, err := s.nodes(ctx, fmt.Sprintf("find what contains memory %d", id), func(tx *db.Tx) ([]int64, error) {
		if _, err := entry.Locate(tx, id); err != nil {
			return nil, err
		}
		within, err := containerOf(tx, id)
		if err == nil && within == 0 {
			err = fmt.Errorf("no memory contains it: %w", db.ErrNotFound)
		}
		return []int64{within}, err
	})
	if err != nil {
		return Node{}, err
	}
	return nodes[0], nil
}

// Tree returns a memory and everything below it, each before what it contains. It fails with ErrNotFound when there is
// no such memory.
func (s *Store) Tree(ctx context.Context, id int64) (nodes []Node, err error) {
	err = s.db.Read(ctx, fmt.Sprintf("read what memory %d contains", id), func(tx *db.Tx) error {
		nodes = nil
		return descend(tx, id, 0, &nodes)
	})
	return nodes, err
}

// descend appends a memory and what it contains. It ends, because contains edges form a forest.
func descend(tx *db.Tx, id int64, depth int, nodes *[]Node) error {
	n, err := node(tx, id)
	if err != nil {
		return err
	}
	n.Depth = depth
	*nodes = append(*nodes, n)
	children, err := contained(tx, id)
	if err != nil {
		return err
	}
	for _, child := range children {
		if err := descend(tx, child, depth+1, nodes); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) nodes(ctx context.Context, what string, ids func(tx *db.Tx) ([]int64, error)) (nodes []Node, err error) {
	err = s.db.Read(ctx, what, func(tx *db.Tx) error {
		nodes = nil
		found, err := ids(tx)
		if err != nil {
			return err
		}
		for _, id := range found {
			n, err := node(tx, id)
			if err != nil {
				return err
			}
			nodes = append(nodes, n)
		}
		return nil
	})
	return nodes, err
}

// node returns a memory with its place in the tree.
func node(tx *db.Tx, id int64) (n Node, err error) {
	if n.Memory, err = entry.Memory(tx, id); err != nil {
		return n, err
	}
	children, err := contained(tx, id)
	if err != nil {
		return n, err
	}
	n.Children = len(children)
	above := 0
	for at := id; ; above++ {
		if at, err = containerOf(tx, at); err != nil || at == 0 {
			break
		}
	}
	n.Level = level(above, n.Children)
	return n, err
}

func level(above, children int) string {
	switch {
	case above == 0:
		return LevelTopic
	case children > 0:
		return LevelConcept
	case above <= factDepth:
		return LevelFact
	}
	return LevelDetail
}

func contained(tx *db.Tx, id int64) ([]int64, error) {
	return db.Collect[int64](tx.Query(`SELECT to_id FROM memory_edges WHERE from_id = ? AND kind = 'contains' ORDER BY to_id`, id))(db.ScanID)
}
