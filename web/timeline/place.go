package timeline

import (
	"cmp"
	"math"
	"slices"

	"familiar/memory/lifecycle"
)

// circle is where something stands on the map.
type circle struct{ x, y, r float64 }

// distance is what is between two circles at least.
const distance = 2.5

// cluster is a node of the map with what is below it, or the memories without a topic that belong together.
type cluster struct {
	// branch is the index of its memory, -1 for none.
	branch int
	own    float64
	below  []*cluster
	// around is the circle around all of it, relative to what it is in, after arrange.
	around circle
}

// forest orders branches as clusters: topics, and a cluster for the memories without a topic of each author.
func forest(branches []lifecycle.Branch) (top []*cluster) {
	byID := map[int64]*cluster{}
	loose := map[int64]*cluster{}
	for i, b := range branches {
		c := &cluster{branch: i, own: size(b)}
		byID[b.ID] = c
		switch above := byID[b.Within]; {
		case above != nil:
			above.below = append(above.below, c)
		case b.Children > 0:
			top = append(top, c)
		default:
			if loose[b.Author] == nil {
				loose[b.Author] = &cluster{branch: -1}
				top = append(top, loose[b.Author])
			}
			loose[b.Author].below = append(loose[b.Author].below, c)
		}
	}
	return top
}

// size is the radius of a node: what matters and what contains much is larger.
func size(b lifecycle.Branch) float64 { return 3 + 5*b.Salience + math.Sqrt(float64(b.Children)) }

// arrange places everything below the cluster around its centre and sets how large all of it is.
func (c *cluster) arrange() {
	for _, b := range c.below {
		b.arrange()
	}
	c.around.r = rings(c.own, c.below)
}

// rings places clusters in rings around a disc, the largest innermost, and returns the radius of all. Each stands in its own part of
// a ring, so none covers another.
func rings(centre float64, all []*cluster) (radius float64) {
	slices.SortStableFunc(all, func(a, b *cluster) int { return cmp.Compare(b.around.r, a.around.r) })
	radius = centre
	for len(all) > 0 {
		widest := all[0].around.r
		ring := radius + distance + widest
		n, sum := 0, 0.0
		for ; n < len(all); n++ {
			w := width(all[n], ring)
			if sum+w > 2*math.Pi && n > 0 {
				break
			}
			sum += w
		}
		spare := (2*math.Pi - sum) / float64(n)
		angle := 0.0
		for _, c := range all[:n] {
			half := (width(c, ring) + spare) / 2
			c.around.x, c.around.y = ring*math.Cos(angle+half), ring*math.Sin(angle+half)
			angle += 2 * half
		}
		radius, all = ring+widest, all[n:]
	}
	return radius
}

// width is the angle that a cluster takes in a ring.
func width(c *cluster, ring float64) float64 { return 2 * math.Asin((c.around.r+distance/2)/ring) }

// place returns a circle for each branch and for each cluster that has something below it. The same branches always stand in the
// same places.
func place(branches []lifecycle.Branch) (nodes []circle, groups []group) {
	top := forest(branches)
	for _, c := range top {
		c.arrange()
	}
	slices.SortStableFunc(top, func(a, b *cluster) int { return cmp.Compare(b.around.r, a.around.r) })
	if len(top) > 0 { // the largest stands in the middle
		rings(top[0].around.r, top[1:])
	}
	nodes = make([]circle, len(branches))
	for _, c := range top {
		groups = c.settle(0, 0, nodes, groups)
	}
	return nodes, groups
}

// group is a cluster as it is drawn.
type group struct {
	circle
	// branch is the index of its memory, -1 for none, and author who said what is in it.
	branch, first int
}

// settle turns the places relative to what a cluster is in into places on the map.
func (c *cluster) settle(x, y float64, nodes []circle, groups []group) []group {
	x, y = x+c.around.x, y+c.around.y
	if c.branch >= 0 {
		nodes[c.branch] = circle{x, y, c.own}
	}
	if len(c.below) > 0 {
		groups = append(groups, group{circle{x, y, c.around.r}, c.branch, c.below[0].branch})
	}
	for _, b := range c.below {
		groups = b.settle(x, y, nodes, groups)
	}
	return groups
}
