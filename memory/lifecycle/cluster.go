package lifecycle

import (
	"context"
	"errors"
	"slices"

	"familiar/memory/entry"
	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/model"
)

const (
	// minCluster is how many similar memories are worth a summary, maxCluster how many a new summary covers.
	minCluster = 3
	maxCluster = 12
	// clusterBatch is how many clusters one transaction summarizes, scopeBatch how many scopes are searched before
	// that.
	clusterBatch = 50
	scopeBatch   = 40
)

// Cluster is a group of memories similar to one of them, with one audience and one subject.
type Cluster struct {
	// Members are the memories, oldest first. Summary is what is, or would be, made of them, with its id once it is
	// stored. It supersedes the summary that some of them had, if any.
	Members []model.Memory
	Summary model.Memory
	// Merged is the younger summary whose members it takes over, 0 for none.
	Merged int64
}

// Clusters returns what could be summarized now of persona's memories, as if all were linked, scope by scope: growing
// summaries, summaries whose members changed, summaries to merge, then new clusters, the largest first.
func (s *Store) Clusters(ctx context.Context, persona string) (clusters []Cluster, err error) {
	err = s.db.Read(ctx, "find similar memories", func(tx *db.Tx) error {
		clusters, err = s.clustersAfterLink(tx, persona)
		return err
	})
	return clusters, err
}

// clustersAfterLink returns what can be summarized from existing links and from those the next Link would make.
func (s *Store) clustersAfterLink(tx *db.Tx, persona string) (clusters []Cluster, err error) {
	unlinked, err := s.unlinkedPairs(tx, persona)
	if err != nil {
		return nil, err
	}
	pairs, err := pairsByScope(tx, unlinked)
	if err != nil {
		return nil, err
	}
	scopes, _, err := staleScopes(tx, persona)
	if err != nil {
		return nil, err
	}
	for _, sc := range scopes {
		if len(pairs[sc.Key]) > 0 {
			sc.after = 0 // what is joined to these is not found by what is new
		}
		more, err := findClusters(tx, sc, pairs[sc.Key])
		if err != nil {
			return nil, err
		}
		clusters = append(clusters, more...)
	}
	return clusters, nil
}

// SummarizeClusters stores a summary of each cluster, which says what its members have in common and contains them.
// Where some members had a summary, the new one is its next version. The members stay as they are. Every row it writes
// carries run.
//
// It looks at what is new since the last call, a few scopes at a time, while turns go on. It writes in small
// transactions, each of which skips clusters that changed meanwhile. It repeats while a summary contains another that
// got a new version.
func (s *Store) SummarizeClusters(ctx context.Context, persona string, run int64) (done []Cluster, err error) {
	for again := true; again; {
		var scopes []staleScope
		var upTo int64
		err := s.db.Read(ctx, "read what is new", func(tx *db.Tx) error {
			scopes, upTo, err = staleScopes(tx, persona)
			return err
		})
		if err != nil {
			return done, err
		}
		again = false
		for some := range slices.Chunk(scopes, scopeBatch) {
			more, within, err := s.summarizeScopes(ctx, some, run)
			done, again = append(done, more...), again || within
			if err != nil {
				return done, err
			}
		}
		if again || len(scopes) == 0 {
			continue
		}
		err = s.db.Write(ctx, "store how far scopes were searched", func(tx *db.Tx) error { return advanceSummaryCursor(tx, persona, upTo) })
		if err != nil {
			return done, err
		}
	}
	return done, nil
}

// summarizeScopes summarizes clusters in some scopes. again reports that another summary contains one of the new ones.
func (s *Store) summarizeScopes(ctx context.Context, scopes []staleScope, run int64) (done []Cluster, again bool, err error) {
	var found []Cluster
	err = s.db.Read(ctx, "find similar memories", func(tx *db.Tx) error {
		for _, sc := range scopes {
			more, err := findClusters(tx, sc, nil)
			if err != nil {
				return err
			}
			found = append(found, more...)
		}
		return nil
	})
	if err != nil {
		return nil, false, err
	}
	for chunk := range slices.Chunk(found, clusterBatch) {
		var some []Cluster
		var within bool
		err := s.db.Write(ctx, "summarize similar memories", func(tx *db.Tx) error {
			some, within, err = summarizeAll(tx, chunk, run)
			return err
		})
		if err != nil {
			return done, again, err
		}
		done, again = append(done, some...), again || within
	}
	loose := slices.DeleteFunc(slices.Clone(scopes), func(sc staleScope) bool { return sc.loose == 0 })
	if len(loose) == 0 {
		return done, again, nil
	}
	return done, again, s.db.Write(ctx, "store how far scopes were searched", func(tx *db.Tx) error { return markScopesDone(tx, loose) })
}

// summarizeAll summarizes the clusters that are unchanged since they were found. within reports that another summary
// contains one of them. The rest of a changed cluster is searched again.
func summarizeAll(tx *db.Tx, clusters []Cluster, run int64) (done []Cluster, within bool, err error) {
	for _, cl := range clusters {
		still, err := unchanged(tx, cl)
		if err != nil {
			return nil, false, err
		}
		if !still {
			if err := scope.Advance(tx, cl.Summary.Persona, model.ScopeRevision{Audience: cl.Summary.Audience, Unclustered: 1}); err != nil {
				return nil, false, err
			}
			continue
		}
		if err := summarize(tx, &cl, run); err != nil {
			return nil, false, err
		}
		container, err := containerOf(tx, cl.Summary.ID)
		if err != nil {
			return nil, false, err
		}
		done, within = append(done, cl), within || container != 0
	}
	return done, within, nil
}

// unchanged reports whether a cluster is as it was found: none of it was forgotten, edited, moved or summarized
// otherwise.
func unchanged(tx *db.Tx, cl Cluster) (bool, error) {
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
		if _, err := db.One(tx.QueryRow(`SELECT id FROM memories WHERE id = ? AND superseded_by IS NULL AND tier <> 'dormant'`, summary), db.ScanID); err != nil {
			return false, ignoreNotFound(err)
		}
	}
	in, args := db.Placeholders(ids)
	a := cl.Summary.Audience
	same, err := db.Collect[bool](tx.Query(`SELECT m.id, m.text FROM memories m
		LEFT JOIN memory_edges w ON w.kind = 'contains' AND w.to_id = m.id
		WHERE m.audience = ? AND coalesce(m.audience_person, m.audience_room, 0) = ? AND coalesce(w.from_id, 0) IN (0, ?, ?)
			AND (w.from_id IS NOT NULL OR m.superseded_by IS NULL AND m.tier <> 'dormant' AND m.apart = 0 AND m.expires_at IS NULL)
			AND m.id IN `+in, append([]any{a.Kind, a.Ref, before, cl.Merged}, args...)...))(func(row db.Scanner) (same bool, err error) {
		var id int64
		var text string
		err = row.Scan(&id, &text)
		return texts[id] == text, err
	})
	return len(same) == len(ids) && !slices.Contains(same, false), err
}

// ignoreNotFound returns err, or nil when it wraps ErrNotFound.
func ignoreNotFound(err error) error {
	if errors.Is(err, db.ErrNotFound) {
		return nil
	}
	return err
}

func summarize(tx *db.Tx, cl *Cluster, run int64) error {
	n := entry.NewMemory{
		Persona: cl.Summary.Persona, Audience: cl.Summary.Audience, Origin: model.OriginJob, Sector: cl.Summary.Sector,
		Text: cl.Summary.Text, Salience: cl.Summary.Salience, Entities: cl.Summary.Entities, JobRun: run,
		Supersedes: cl.Summary.Supersedes, Pinned: cl.Summary.Pinned, Tags: cl.Summary.Tags,
	}
	about, err := subjectOf(tx, cl.Members[0])
	if err != nil {
		return err
	}
	if about != 0 {
		n.About = []int64{about}
	}
	for _, m := range cl.Members {
		sources, err := entry.SourcesOf(tx, m.ID)
		if err != nil {
			return err
		}
		n.Sources = append(n.Sources, sources...)
	}
	if cl.Summary.ID, err = entry.Remember(tx, n); err != nil {
		return err
	}
	if n.Supersedes != 0 {
		if err := CopyEdges(tx, n.Supersedes, cl.Summary.ID); err != nil {
			return err
		}
	}
	if cl.Merged != 0 {
		if err := mergeInto(tx, cl.Merged, cl.Summary.ID, run); err != nil {
			return err
		}
	}
	for _, m := range cl.Members {
		if err := addEdge(tx, model.Edge{From: cl.Summary.ID, To: m.ID, Kind: model.Contains, Weight: model.EdgeWeights[model.Contains], JobRun: run}); err != nil {
			return err
		}
	}
	by := model.ScopeRevision{Audience: n.Audience, Edges: 1}
	if len(cl.Members) >= maxMembers {
		by.Unclustered = 1 // those for whom there was no room may join another
	}
	return scope.Advance(tx, n.Persona, by)
}

// subjectOf returns the person a memory is by, or whom a summary is about.
func subjectOf(tx *db.Tx, m model.Memory) (subject int64, err error) {
	if m.AuthorID != 0 {
		return m.AuthorID, nil
	}
	err = tx.QueryRow(`SELECT coalesce(min(person_id), 0) FROM memory_about WHERE memory_id = ?`, m.ID).Scan(&subject)
	return subject, err
}
