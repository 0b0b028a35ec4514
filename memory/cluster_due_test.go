package memory_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"familiar/channels"
	"familiar/internal/torture"
	"familiar/memory"
	"familiar/memory/entry"
	"familiar/memory/lifecycle"
	"familiar/memory/model"
)

// history is a town in which random things happen.
type history struct {
	*town
	rng *rand.Rand
	run int64
	// did lists what happened, for failure messages.
	did []string
}

// TestOnlyNewMemoriesAreSummarized runs through random histories. At each step, a search of what is new must find the
// same clusters as a search of everything.
func TestOnlyNewMemoriesAreSummarized(t *testing.T) {
	t.Parallel()
	for seed := range uint64(torture.Rounds(1, 4)) {
		h := &history{town: newTown(t), rng: rand.New(rand.NewPCG(seed, 11)), run: 100}
		found, again := 0, 0
		copies := t.TempDir()
		for range 150 {
			h.step()
			got, err := h.Lifecycle.Clusters(t.Context(), "mira")
			if err != nil {
				t.Fatal(err)
			}
			want, err := h.ClustersAnew(t.Context(), copies, "mira")
			if err != nil {
				t.Fatal(err)
			}
			if a, b := outlines(got), outlines(want); !slices.Equal(a, b) {
				t.Fatalf("seed %d: would sum up\n%q\nof all\n%q\nafter %q", seed, a, b, h.did[max(0, len(h.did)-12):])
			}
			if len(want) > 0 {
				found++
			}
			for _, cl := range want {
				if cl.Summary.Supersedes != 0 {
					again++
				}
			}
		}
		if found < 20 || again == 0 {
			t.Errorf("seed %d: something to sum up %d times, summaries made again %d: too seldom to tell", seed, found, again)
		}
	}
}

// outlines renders clusters, one line each.
func outlines(clusters []lifecycle.Cluster) (lines []string) {
	for _, cl := range clusters {
		line := fmt.Sprintf("%d %d %q:", cl.Summary.Supersedes, cl.Merged, cl.Summary.Text)
		for _, m := range cl.Members {
			line += fmt.Sprintf(" %d", m.ID)
		}
		lines = append(lines, line)
	}
	return lines
}

// step performs the next random event.
func (h *history) step() {
	h.t.Helper()
	steps := []struct {
		often int
		what  string
		do    func() error
	}{
		{40, "say", h.somebodySays},
		{18, "link", func() error { _, err := h.Lifecycle.Link(h.t.Context(), "mira", h.next()); return err }},
		{16, "sum up", func() error { _, err := h.Lifecycle.SummarizeClusters(h.t.Context(), "mira", h.next()); return err }},
		{4, "consolidate", func() error {
			_, err := h.Lifecycle.Consolidate(h.t.Context(), "mira", h.next(), h.clock.Now())
			return err
		}},
		{4, "time passes", func() error { h.clock.Advance(45 * day); return nil }},
		{3, "decay", func() error { _, err := h.Lifecycle.Decay(h.t.Context(), h.clock.Now()); return err }},
		{3, "recall", func() error { h.recallFor(h.somebody(), "and then?", h.any().ID, h.any().ID); return nil }},
		{6, "forget", func() error { _, err := h.Eraser.Forget(h.t.Context(), h.any().ID); return err }},
		{3, "edit", h.edit},
		{6, "tier", func() error { _, err := h.Lifecycle.MoveTier(h.t.Context(), h.any().ID, h.tier()); return err }},
		{2, "join", func() error { return h.join(model.RelatesTo) }},
		{2, "contradict", func() error { return h.join(model.Contradicts) }},
		{2, "contain", func() error { return h.join(model.Contains) }},
		{3, "part", h.part},
		{4, "expire", func() error {
			_, err := h.Lifecycle.Expire(h.t.Context(), h.any().ID, h.clock.Now().Add(day))
			return err
		}},
		{3, "do not expire", h.keep},
		{2, "revert", h.revert},
		{1, "another name", h.rename},
	}
	all := 0
	for _, s := range steps {
		all += s.often
	}
	n := h.rng.IntN(all)
	for _, s := range steps {
		if n -= s.often; n >= 0 {
			continue
		}
		err := s.do()
		if err != nil && !errors.Is(err, memory.ErrNotFound) {
			h.did = append(h.did, s.what+": "+err.Error())
			return
		}
		h.did = append(h.did, s.what)
		return
	}
}

func (h *history) next() int64 { h.run++; return h.run }

func (h *history) somebody() string { return []string{"ann", "ann", "ben"}[h.rng.IntN(3)] }

// somebodySays says something similar to earlier talk, sometimes a move to another place.
func (h *history) somebodySays() error {
	places := []string{"the old lighthouse near Porto", "the green tram of Lisbon", "a wooden boat on the lake"}
	verbs := []string{"walked to", "saw", "drew", "painted", "ran around", "dreamt of", "photographed", "wrote about"}
	where, text := "", fmt.Sprintf("I %s %s", verbs[h.rng.IntN(len(verbs))], places[h.rng.IntN(len(places))])
	if h.rng.IntN(4) == 0 {
		where = "club"
	}
	if h.rng.IntN(6) == 0 {
		h.say(where, h.somebody(), text, fact("lives_in", []string{"Porto", "Bergen", "Oslo"}[h.rng.IntN(3)]))
		return nil
	}
	h.say(where, h.somebody(), text)
	return nil
}

// any returns a random memory, the zero Memory while there is none.
func (h *history) any() model.Memory {
	h.t.Helper()
	all, err := h.Entries.ListMemories(h.t.Context(), entry.MemoryFilter{Limit: 1000})
	if err != nil {
		h.t.Fatal(err)
	}
	if len(all) == 0 {
		return model.Memory{}
	}
	return all[h.rng.IntN(len(all))]
}

func (h *history) tier() func(model.Tier) model.Tier {
	if h.rng.IntN(2) == 0 {
		return model.Tier.Promoted
	}
	return model.Tier.Demoted
}

// join adds an edge between two memories. Edges between scopes are refused.
func (h *history) join(kind model.EdgeKind) error {
	_, err := h.Lifecycle.AddEdge(h.t.Context(), model.Edge{From: h.any().ID, To: h.any().ID, Kind: kind})
	return err
}

// part removes a random edge.
func (h *history) part() error {
	edges, err := h.Lifecycle.Edges(h.t.Context(), "mira", 0, 1000)
	if err != nil || len(edges) == 0 {
		return err
	}
	e := edges[h.rng.IntN(len(edges))]
	_, err = h.Lifecycle.RemoveEdge(h.t.Context(), e.From, e.To, e.Kind)
	return err
}

// keep removes the expiry of a memory that has one.
func (h *history) keep() error {
	all, err := h.Entries.ListMemories(h.t.Context(), entry.MemoryFilter{Limit: 1000})
	for _, m := range all {
		if !m.Expires.IsZero() {
			_, err = h.Lifecycle.Expire(h.t.Context(), m.ID, time.Time{})
		}
	}
	return err
}

// edit changes the text of a message.
func (h *history) edit() error {
	m := h.any()
	if m.Origin != model.OriginMessage {
		return nil
	}
	m, err := h.Entries.Memory(h.t.Context(), m.ID)
	if err != nil {
		return err
	}
	said, err := h.Message(h.t.Context(), m.Sources[0])
	if err != nil {
		return err
	}
	of := h.message("", m.Author, "")
	of.ID = said.ExternalID
	_, err = h.Eraser.EditMessage(h.t.Context(), "mira", said.ID, model.AnnotatedMessage{
		InboxID: h.act(channels.Edit, of).ID, Message: channels.Message{Text: "I left the old lighthouse near Porto"}, PersonID: m.AuthorID,
	}, func([]model.Loop) (model.Annotation, []int64) {
		return model.Annotation{Sector: model.Episodic, Salience: 0.5}, nil
	})
	return err
}

// revert reverts one of the last runs.
func (h *history) revert() error {
	_, err := h.Eraser.Revert(h.t.Context(), "mira", h.run-int64(h.rng.IntN(12)))
	return err
}

// rename changes ann's name.
func (h *history) rename() error {
	m := h.message("", "ann", "hello")
	m.Author.Name = fmt.Sprintf("Ann %d", h.rng.IntN(100))
	_, _, err := h.Turns.UpsertParticipant(h.t.Context(), m)
	return err
}

// TestTheRestOfASummaryIsSummarizedAgain forgets a member long after everything was searched.
func TestTheRestOfASummaryIsSummarizedAgain(t *testing.T) {
	w := newTown(t)
	first := w.lighthouses()
	w.summarize()
	w.link()
	if done, err := w.Lifecycle.SummarizeClusters(t.Context(), "mira", summaryRun+1); err != nil || len(done) != 0 {
		t.Fatalf("summed up again %+v, %v", done, err)
	}
	if _, err := w.Eraser.Forget(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	if left := w.summarize(); len(left) != 1 || len(left[0].Members) != 3 {
		t.Errorf("summed up %+v", left)
	}
}
