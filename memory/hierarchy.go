package memory

import (
	"context"
	"fmt"
)

// Node is a memory in the tree of what contains what.
type Node struct {
	Memory Memory
	// Level is topic for what nothing contains, concept for what is contained and contains, fact for a leaf, detail for one
	// deeper than that.
	Level string
	// Depth is counted from the root of what was asked for, Children are how many it contains.
	Depth, Children int
}

// The levels of nodes.
const (
	LevelTopic   = "topic"
	LevelConcept = "concept"
	LevelFact    = "fact"
	LevelDetail  = "detail"
)

// factDepth is the depth from its topic below which a leaf is a detail.
const factDepth = 2

// Topics are persona's memories that contain others and are in none, the widest first.
func (s *Store) Topics(ctx context.Context, persona string) (nodes []Node, err error) {
	return s.nodes(ctx, "list topics", func(tx *conn) ([]int64, error) {
		return collect[int64](tx.rows(`SELECT e.from_id FROM memory_edges e JOIN memories m ON m.id = e.from_id
			WHERE e.kind = 'contains' AND m.persona = ?
			AND NOT EXISTS (SELECT 1 FROM memory_edges w WHERE w.kind = 'contains' AND w.to_id = e.from_id)
			GROUP BY e.from_id ORDER BY count(*) DESC, e.from_id`, persona))(scanID)
	})
}

// Children are what a memory contains. ErrNotFound when there is no such memory.
func (s *Store) Children(ctx context.Context, id int64) ([]Node, error) {
	return s.nodes(ctx, fmt.Sprintf("list what memory %d contains", id), func(tx *conn) ([]int64, error) {
		if _, err := tx.placedMemory(id); err != nil {
			return nil, err
		}
		return tx.contained(id)
	})
}

// Parent is what contains a memory. ErrNotFound when there is no such memory or nothing contains it.
func (s *Store) Parent(ctx context.Context, id int64) (n Node, err error) {
	nodes, err := s.nodes(ctx, fmt.Sprintf("find what contains memory %d", id), func(tx *conn) ([]int64, error) {
		if _, err := tx.placedMemory(id); err != nil {
			return nil, err
		}
		within, err := tx.containerOf(id)
		if err == nil && within == 0 {
			err = fmt.Errorf("nothing contains it: %w", ErrNotFound)
		}
		return []int64{within}, err
	})
	if err != nil {
		return Node{}, err
	}
	return nodes[0], nil
}

// Tree is a memory with all it contains, each before what it contains. ErrNotFound when there is no such memory.
func (s *Store) Tree(ctx context.Context, id int64) (nodes []Node, err error) {
	err = s.read(ctx, fmt.Sprintf("read what memory %d contains", id), func(tx *conn) error {
		nodes = nil
		return tx.descend(id, 0, &nodes)
	})
	return nodes, err
}

// descend appends a memory and what it contains. Edges that contain are a forest: it ends.
func (c *conn) descend(id int64, depth int, nodes *[]Node) error {
	n, err := c.node(id)
	if err != nil {
		return err
	}
	n.Depth = depth
	*nodes = append(*nodes, n)
	children, err := c.contained(id)
	if err != nil {
		return err
	}
	for _, child := range children {
		if err := c.descend(child, depth+1, nodes); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) nodes(ctx context.Context, what string, ids func(tx *conn) ([]int64, error)) (nodes []Node, err error) {
	err = s.read(ctx, what, func(tx *conn) error {
		nodes = nil
		found, err := ids(tx)
		if err != nil {
			return err
		}
		for _, id := range found {
			n, err := tx.node(id)
			if err != nil {
				return err
			}
			nodes = append(nodes, n)
		}
		return nil
	})
	return nodes, err
}

// node is a memory with where it stands in the tree.
func (c *conn) node(id int64) (n Node, err error) {
	if n.Memory, err = c.memory(id); err != nil {
		return n, err
	}
	children, err := c.contained(id)
	if err != nil {
		return n, err
	}
	n.Children = len(children)
	above := 0
	for at := id; ; above++ {
		if at, err = c.containerOf(at); err != nil || at == 0 {
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

func (c *conn) contained(id int64) ([]int64, error) {
	return collect[int64](c.rows(`SELECT to_id FROM memory_edges WHERE from_id = ? AND kind = 'contains' ORDER BY to_id`, id))(scanID)
}
