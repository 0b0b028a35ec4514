package memoryapi

import (
	"context"
	"errors"
	"slices"

	"familiar/memory"
	"familiar/memory/lifecycle"
)

// nodesOf returns the nodes that the program may see.
func nodesOf(v memory.Visibility, nodes []lifecycle.Node) []Node {
	list := make([]Node, 0, len(nodes))
	for _, n := range nodes {
		if n.Memory.Persona == v.Persona() && v.Includes(n.Memory.Audience) {
			list = append(list, Node{memoryOf(n.Memory), n.Level, n.Depth, n.Children})
		}
	}
	return list
}

// Topics returns the memories that contain others and that nothing contains, those with the most children first.
func (c *Client) Topics(ctx context.Context, asked int) ([]Node, error) {
	n, err := limit(asked)
	if err != nil {
		return nil, err
	}
	v, err := c.visibility(ctx)
	if err != nil {
		return nil, err
	}
	nodes, err := c.api.Store.Lifecycle.Topics(ctx, c.grant.Persona)
	if err != nil {
		return nil, err
	}
	list := nodesOf(v, nodes)
	return list[:min(n, len(list))], nil
}

// ExploreInput asks for a part of the tree of topics.
type ExploreInput struct {
	Topic string `json:"topic" jsonschema:"what to explore: words that a topic is about"`
	Depth int    `json:"depth,omitempty" jsonschema:"how many levels below the topic, 1 to 5; 2 if missing"`
}

const defaultDepth, maxDepth = 2, 5

// Explore returns the topic that matches best and what it contains, each before its parts. Without a topic that contains others, it
// returns the memories that match, at depth 0.
func (c *Client) Explore(ctx context.Context, in ExploreInput) ([]Node, error) {
	if in.Depth == 0 {
		in.Depth = defaultDepth
	}
	if in.Depth < 1 || in.Depth > maxDepth {
		return nil, invalid("depth is %d: use 1 to %d", in.Depth, maxDepth)
	}
	hits, err := c.Recall(ctx, RecallInput{Query: in.Topic})
	if err != nil || len(hits) == 0 {
		return []Node{}, err
	}
	root, err := c.root(ctx, hits)
	if err != nil {
		return nil, err
	}
	v, err := c.visibility(ctx)
	if err != nil {
		return nil, err
	}
	if root == 0 {
		list := make([]Node, 0, len(hits))
		for _, h := range hits {
			list = append(list, Node{Memory: h.Memory, Level: lifecycle.LevelFact})
		}
		return list, nil
	}
	nodes, err := c.api.Store.Lifecycle.Tree(ctx, root)
	if err != nil {
		return nil, err
	}
	nodes = slices.DeleteFunc(nodes, func(n lifecycle.Node) bool { return n.Depth > in.Depth })
	return nodesOf(v, nodes[:min(len(nodes), maxLimit)]), nil
}

// root returns the topic that the first hit with one belongs to, 0 if none does.
func (c *Client) root(ctx context.Context, hits []Hit) (int64, error) {
	for _, h := range hits {
		at, known := h.ID, false
		for {
			parent, err := c.api.Store.Lifecycle.Parent(ctx, at)
			if errors.Is(err, ErrNotFound) {
				break
			}
			if err != nil {
				return 0, err
			}
			at, known = parent.Memory.ID, true
		}
		if !known {
			children, err := c.api.Store.Lifecycle.Children(ctx, at)
			if err != nil && !errors.Is(err, ErrNotFound) {
				return 0, err
			}
			known = len(children) > 0
		}
		if known {
			return at, nil
		}
	}
	return 0, nil
}

// Expand returns what a summary or topic contains.
func (c *Client) Expand(ctx context.Context, id int64) ([]Node, error) {
	v, err := c.visibility(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := c.visible(ctx, v, id); err != nil {
		return nil, err
	}
	nodes, err := c.api.Store.Lifecycle.Children(ctx, id)
	return nodesOf(v, nodes), err
}

// The directions of Traverse.
const (
	Children     = "children"
	Parent       = "parent"
	Associations = "associations"
)

// TraverseInput asks for the neighbors of a memory.
type TraverseInput struct {
	ID        int64  `json:"id" jsonschema:"the memory to start from"`
	Direction string `json:"direction" jsonschema:"children (what it contains), parent (what contains it) or associations (what it is linked to)"`
}

// Traverse returns the neighbors of a memory in one direction.
func (c *Client) Traverse(ctx context.Context, in TraverseInput) ([]Node, error) {
	switch in.Direction {
	case Children:
		return c.Expand(ctx, in.ID)
	case Parent, Associations:
	default:
		return nil, invalid("there is no direction %q: use children, parent or associations", in.Direction)
	}
	v, err := c.visibility(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := c.visible(ctx, v, in.ID); err != nil {
		return nil, err
	}
	if in.Direction == Parent {
		parent, err := c.api.Store.Lifecycle.Parent(ctx, in.ID)
		if errors.Is(err, ErrNotFound) {
			return []Node{}, nil
		}
		return nodesOf(v, []lifecycle.Node{parent}), err
	}
	links, err := c.links(ctx, v, in.ID, maxLimit)
	if err != nil {
		return nil, err
	}
	list := make([]Node, 0, len(links))
	for _, l := range links {
		m, err := c.visible(ctx, v, l.From+l.To-in.ID)
		if err != nil {
			return nil, err
		}
		list = append(list, Node{Memory: memoryOf(m), Level: l.Kind})
	}
	return list, nil
}
