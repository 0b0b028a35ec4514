package memory

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
)

const (
	// leastCluster is how many alike memories are worth summing up, mostCluster how many one summary holds.
	leastCluster = 3
	mostCluster  = 12
	// clustersAtOnce is how many clusters one transaction sums up.
	clustersAtOnce = 50
)

// Cluster is a group of memories alike to one of them, of one audience and one subject.
type Cluster struct {
	// Members are the memories, oldest first; Summary is what is, or would be, made of them, with its id once it is made. It
	// supersedes the summary that some of them had, if any.
	Members []Memory
	Summary Memory
	// Merged is the younger summary whose members it takes over, 0 when it takes none.
	Merged int64
}

// Clusters are what of persona's memories could be summed up now, as if all were linked: the summaries that grow, those whose
// members have changed, those that become one, then new ones, the largest first.
func (s *Store) Clusters(ctx context.Context, persona string) (clusters []Cluster, err error) {
	err = s.read(ctx, "look for what is alike", func(tx *conn) error {
		unlinked, err := s.unlinked(tx, persona)
		if err == nil {
			clusters, err = tx.clusters(persona, unlinked)
		}
		return err
	})
	return clusters, err
}

// SumUp makes a memory of each cluster that holds what its members have in common, and contains them; where some of them had
// one, it is its next version. The members stay as they are. What it writes carries run. It looks beside the turns and
// writes in small transactions, each of which leaves out what has changed since. It looks again as long as what contains a
// newer version has to tell of it, too.
func (s *Store) SumUp(ctx context.Context, persona string, run int64) (done []Cluster, err error) {
	for again := true; again; {
		var found []Cluster
		err := s.read(ctx, "look for what is alike", func(tx *conn) error {
			found, err = tx.clusters(persona, nil)
			return err
		})
		if err != nil {
			return done, err
		}
		again = false
		for chunk := range slices.Chunk(found, clustersAtOnce) {
			var some []Cluster
			var within bool
			err := s.write(ctx, "sum up what is alike", func(tx *conn) error {
				some, within, err = tx.sumUpAll(chunk, run)
				return err
			})
			if err != nil {
				return done, err
			}
			done, again = append(done, some...), again || within
		}
	}
	return done, nil
}

// sumUpAll sums up those clusters that are as they were found, and says whether some other summary contains one.
func (c *conn) sumUpAll(clusters []Cluster, run int64) (done []Cluster, within bool, err error) {
	for _, cl := range clusters {
		still, err := c.stillSummable(cl)
		if err != nil {
			return nil, false, err
		}
		if !still {
			continue
		}
		if err := c.sumUp(&cl, run); err != nil {
			return nil, false, err
		}
		container, err := c.containerOf(cl.Summary.ID)
		if err != nil {
			return nil, false, err
		}
		done, within = append(done, cl), within || container != 0
	}
	return done, within, nil
}

// stillSummable says that a cluster is as it was when it was found: nothing of it was forgotten, edited, moved away or summed
// up otherwise.
func (c *conn) stillSummable(cl Cluster) (bool, error) {
	before := cl.Summary.Supersedes
	texts := make(map[int64]string, len(cl.Members))
	ids := make([]int64, len(cl.Members))
	for i, m := range cl.Members {
		ids[i], texts[m.ID] = m.ID, m.Text
	}
	for _, summary := range []int64{before, cl.Merged} {
		if summary == 0 {
			continue
		}
		if _, err := one(c.row(`SELECT id FROM memories WHERE id = ? AND superseded_by IS NULL AND tier <> 'dormant'`, summary), scanID); err != nil {
			return false, notThere(err)
		}
	}
	in, args := list(ids)
	a := cl.Summary.Audience
	same, err := collect[bool](c.rows(`SELECT m.id, m.text FROM memories m
		LEFT JOIN memory_edges w ON w.kind = 'contains' AND w.to_id = m.id
		WHERE m.audience = ? AND coalesce(m.audience_person, m.audience_room, 0) = ? AND coalesce(w.from_id, 0) IN (0, ?, ?)
			AND (w.from_id IS NOT NULL OR m.superseded_by IS NULL AND m.tier <> 'dormant' AND m.apart = 0 AND m.expires_at IS NULL)
			AND m.id IN `+in, append([]any{a.Kind, a.Ref, before, cl.Merged}, args...)...))(func(row scanner) (same bool, err error) {
		var id int64
		var text string
		err = row.Scan(&id, &text)
		return texts[id] == text, err
	})
	return len(same) == len(ids) && !slices.Contains(same, false), err
}

// notThere is err, nil where it says that something is not there.
func notThere(err error) error {
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	return err
}

func (c *conn) sumUp(cl *Cluster, run int64) error {
	n := NewMemory{
		Persona: cl.Summary.Persona, Audience: cl.Summary.Audience, Origin: Inferred, Sector: cl.Summary.Sector,
		Text: cl.Summary.Text, Salience: cl.Summary.Salience, Entities: cl.Summary.Entities, JobRun: run,
		Supersedes: cl.Summary.Supersedes, Pinned: cl.Summary.Pinned, Tags: cl.Summary.Tags,
	}
	about, err := c.subjectOf(cl.Members[0])
	if err != nil {
		return err
	}
	if about != 0 {
		n.About = []int64{about}
	}
	for _, m := range cl.Members {
		sources, err := c.sourcesOf(m.ID)
		if err != nil {
			return err
		}
		n.Sources = append(n.Sources, sources...)
	}
	if cl.Summary.ID, err = c.remember(n); err != nil {
		return err
	}
	if n.Supersedes != 0 {
		if err := c.succeed(n.Supersedes, cl.Summary.ID); err != nil {
			return err
		}
	}
	if cl.Merged != 0 {
		if err := c.mergeInto(cl.Merged, cl.Summary.ID, run); err != nil {
			return err
		}
	}
	for _, m := range cl.Members {
		if err := c.addEdge(Edge{From: cl.Summary.ID, To: m.ID, Kind: Contains, Weight: edgeWeights[Contains], JobRun: run}); err != nil {
			return err
		}
	}
	return c.advance(n.Persona, ScopeRevision{Audience: n.Audience, Edges: 1})
}

// subjectOf is whom a memory is by, or of a summary whom it is about.
func (c *conn) subjectOf(m Memory) (subject int64, err error) {
	if m.AuthorID != 0 {
		return m.AuthorID, nil
	}
	err = c.row(`SELECT coalesce(min(person_id), 0) FROM memory_about WHERE memory_id = ?`, m.ID).Scan(&subject)
	return subject, err
}

// pair are two memories that are alike.
type pair struct{ a, b int64 }

// alikeInKind holds of two memories m and n that tell something, are heard by the same people, have the same subject, no end
// set to them, no summary that was forgotten, and were not contradicted: what no longer holds is not summed up. What is summed up is worth at least salienceEvent, its two arguments:
// greetings and questions tell nothing.
const alikeInKind = `m.salience >= ? AND n.salience >= ? AND m.superseded_by IS NULL AND n.superseded_by IS NULL
	AND m.tier <> 'dormant' AND n.tier <> 'dormant' AND m.origin <> 'told' AND n.origin <> 'told' AND m.apart = 0 AND n.apart = 0
	AND m.expires_at IS NULL AND n.expires_at IS NULL
	AND NOT EXISTS (SELECT 1 FROM memory_edges x WHERE x.kind = 'contradicts' AND x.to_id IN (m.id, n.id))
	AND m.kind = '' AND n.kind = '' AND m.persona = n.persona AND m.audience = n.audience
	AND coalesce(m.audience_person, m.audience_room, 0) = coalesce(n.audience_person, n.audience_room, 0)
	AND coalesce(m.author_id, (SELECT min(person_id) FROM memory_about WHERE memory_id = m.id), 0)
		= coalesce(n.author_id, (SELECT min(person_id) FROM memory_about WHERE memory_id = n.id), 0)`

// summable are the pairs of memories m and n that are alike and in no summary.
const summable = ` e JOIN memories m ON m.id = e.a JOIN memories n ON n.id = e.b WHERE m.persona = ? AND ` + alikeInKind + `
	AND NOT EXISTS (SELECT 1 FROM memory_edges w WHERE w.kind = 'contains' AND w.to_id IN (m.id, n.id))`

// alikePairs selects two columns of the pairs that are alike, joined or not, of which a condition holds.
func (c *conn) alikePairs(columns, condition, persona string, unlinked []pair) ([]pair, error) {
	args := []any{persona, salienceEvent, salienceEvent}
	// Nearly all that was joined is summed up by and by: those pairs are of no use, and found out first.
	pairs, err := collect[pair](c.rows(`SELECT `+columns+` FROM (SELECT r.from_id AS a, r.to_id AS b FROM memory_edges r
		WHERE r.kind = 'relates_to' AND NOT (
			EXISTS (SELECT 1 FROM memory_edges x WHERE x.kind = 'contains' AND x.to_id = r.from_id)
			AND EXISTS (SELECT 1 FROM memory_edges y WHERE y.kind = 'contains' AND y.to_id = r.to_id)))`+condition+` ORDER BY 1, 2`, args...))(scanPair)
	if err != nil {
		return nil, err
	}
	for _, p := range unlinked {
		more, err := collect[pair](c.rows(`SELECT `+columns+` FROM (SELECT ? AS a, ? AS b WHERE NOT EXISTS (
			SELECT 1 FROM memory_edges WHERE kind = 'relates_to' AND (from_id = ? AND to_id = ? OR to_id = ? AND from_id = ?)))`+condition,
			slices.Concat([]any{p.a, p.b, p.a, p.b, p.a, p.b}, args)...))(scanPair)
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, more...)
	}
	return pairs, nil
}

// clusters are what can be summed up of the memories that are joined, and of unlinked pairs: what joins a summary there is, what is no
// longer as its summary says, summaries that are one, then what is left. No memory is in two of them.
func (c *conn) clusters(persona string, unlinked []pair) (clusters []Cluster, err error) {
	taken := map[int64]bool{}
	take := func(more []Cluster, err error) error {
		for _, cl := range more {
			taken[cl.Summary.Supersedes], taken[cl.Merged] = true, true
			for _, m := range cl.Members {
				taken[m.ID] = true
			}
		}
		clusters = append(clusters, more...)
		return err
	}
	if err := take(c.growing(persona, unlinked)); err != nil {
		return nil, err
	}
	if err := take(c.renewing(persona, taken)); err != nil {
		return nil, err
	}
	pairs, err := c.alikePairs(`m.id, n.id`, summable, persona, unlinked)
	if err != nil {
		return nil, err
	}
	if err := take(c.merging(pairs, taken)); err != nil {
		return nil, err
	}
	for _, ids := range stars(slices.DeleteFunc(pairs, func(p pair) bool { return taken[p.a] || taken[p.b] })) {
		members, err := c.memories(ids)
		if err != nil {
			return nil, err
		}
		clusters = append(clusters, Cluster{Members: members, Summary: summaryOf(members)})
	}
	return clusters, nil
}

// memories are the memories of ids, in their order.
func (c *conn) memories(ids []int64) (all []Memory, err error) {
	for _, id := range ids {
		m, err := c.memory(id)
		if err != nil {
			return nil, fmt.Errorf("memory %d: %w", id, err)
		}
		all = append(all, m)
	}
	return all, nil
}

// stars groups what is paired around those with the most partners left, so that every member is alike to the middle one
// and chains of likeness do not grow into one heap. Groups are the largest first, their members in order.
func stars(pairs []pair) (groups [][]int64) {
	partners := map[int64][]int64{}
	for _, p := range pairs {
		partners[p.a] = append(partners[p.a], p.b)
		partners[p.b] = append(partners[p.b], p.a)
	}
	var all []int64
	for id := range partners {
		all = append(all, id)
	}
	slices.SortFunc(all, func(a, b int64) int {
		return cmp.Or(cmp.Compare(len(partners[b]), len(partners[a])), cmp.Compare(a, b))
	})
	taken := map[int64]bool{}
	for _, middle := range all {
		if taken[middle] {
			continue
		}
		group := []int64{middle}
		for _, id := range distinct(partners[middle]) {
			if !taken[id] && len(group) < mostCluster {
				group = append(group, id)
			}
		}
		if len(group) < leastCluster {
			continue
		}
		for _, id := range group {
			taken[id] = true
		}
		slices.Sort(group)
		groups = append(groups, group)
	}
	slices.SortStableFunc(groups, func(a, b []int64) int { return cmp.Compare(len(b), len(a)) })
	return groups
}
