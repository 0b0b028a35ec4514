package memoryapi

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"familiar/memory/access"
	"familiar/memory/jobrun"
	"familiar/memory/lifecycle"
	"familiar/memory/log"
	"familiar/memory/model"
)

// CurateInput changes the life of one memory.
type CurateInput struct {
	ID     int64  `json:"id" jsonschema:"the number of the memory"`
	Action string `json:"action" jsonschema:"promote or demote (to the next tier), boost or diminish (its salience), pin or unpin, archive (dormant: only a strong match finds it), forget (for good)"`
}

// salienceStep is how much boost and diminish change a memory.
const salienceStep = 0.2

// curations are the actions of Curate, except forget.
var curations = map[string]func(ctx context.Context, s *lifecycle.Store, m model.Memory) (model.Memory, error){
	"promote": func(ctx context.Context, s *lifecycle.Store, m model.Memory) (model.Memory, error) {
		return s.MoveTier(ctx, m.ID, model.Tier.Promoted)
	},
	"demote": func(ctx context.Context, s *lifecycle.Store, m model.Memory) (model.Memory, error) {
		return s.MoveTier(ctx, m.ID, model.Tier.Demoted)
	},
	"archive": func(ctx context.Context, s *lifecycle.Store, m model.Memory) (model.Memory, error) {
		return s.MoveTier(ctx, m.ID, func(model.Tier) model.Tier { return model.Dormant })
	},
	"boost": func(ctx context.Context, s *lifecycle.Store, m model.Memory) (model.Memory, error) {
		return s.SetSalience(ctx, m.ID, min(1, m.Salience+salienceStep))
	},
	"diminish": func(ctx context.Context, s *lifecycle.Store, m model.Memory) (model.Memory, error) {
		return s.SetSalience(ctx, m.ID, max(0, m.Salience-salienceStep))
	},
	"pin": func(ctx context.Context, s *lifecycle.Store, m model.Memory) (model.Memory, error) {
		return s.Pin(ctx, m.ID, true)
	},
	"unpin": func(ctx context.Context, s *lifecycle.Store, m model.Memory) (model.Memory, error) {
		return s.Pin(ctx, m.ID, false)
	},
}

// Curate changes the life of one memory and returns it as it is then; a forgotten one as it was, without its text.
func (c *Client) Curate(ctx context.Context, in CurateInput) (Memory, error) {
	act, known := curations[in.Action]
	if !known && in.Action != "forget" {
		return Memory{}, invalid("there is no action %q: use promote, demote, boost, diminish, pin, unpin, archive or forget", in.Action)
	}
	m, err := c.changeable(ctx, in.ID)
	if err != nil {
		return Memory{}, err
	}
	if !known {
		gone := memoryOf(m)
		gone.Text = ""
		return gone, c.Forget(ctx, in.ID)
	}
	m, err = act(ctx, c.api.Store.Lifecycle, m)
	return memoryOf(m), err
}

// ConsolidateInput summarizes memories.
type ConsolidateInput struct {
	IDs     []int64 `json:"ids" jsonschema:"the memories to summarize, at least two of one audience"`
	Summary string  `json:"summary" jsonschema:"what they say together; they stay as they are and are found through it"`
}

// Consolidate stores a summary of memories in the program's words. It counts as a conclusion of the persona, never as what somebody
// said, and can be reverted by the number of its run.
func (c *Client) Consolidate(ctx context.Context, in ConsolidateInput) (Memory, error) {
	text := log.Redact(strings.TrimSpace(model.CleanText(in.Summary)))
	switch n := utf8.RuneCountInString(text); {
	case n == 0 || n > maxText:
		return Memory{}, invalid("summary has %d characters: use 1 to %d", n, maxText)
	case len(in.IDs) < 2 || len(in.IDs) > maxLimit:
		return Memory{}, invalid("%d memories cannot be summarized at once: use 2 to %d", len(in.IDs), maxLimit)
	}
	for _, id := range in.IDs {
		if _, err := c.changeable(ctx, id); err != nil {
			return Memory{}, err
		}
	}
	var m model.Memory
	err := c.asRun(ctx, "consolidate", func(run int64) (done fmt.Stringer, err error) {
		m, err = c.api.Store.Lifecycle.Condense(ctx, run, in.IDs, text)
		return said(fmt.Sprintf("%s summarized %d memories", c.grant.Client, len(in.IDs))), err
	})
	if err != nil && !errors.Is(err, ErrNotFound) {
		return Memory{}, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	return memoryOf(m), err
}

// said is the result of a run in words.
type said string

// String implements fmt.Stringer.
func (s said) String() string { return string(s) }

// asRun does something as a run of a job, so that it stands in the ledger and can be reverted.
func (c *Client) asRun(ctx context.Context, job string, do func(run int64) (fmt.Stringer, error)) error {
	run, err := c.api.Store.Jobs.BeginRun(ctx, c.grant.Persona, job, c.api.Now())
	if err != nil {
		return err
	}
	done, err := do(run)
	if err != nil {
		return errors.Join(err, c.api.Store.Jobs.FinishRun(ctx, run, jobrun.StatusFailed, err.Error()))
	}
	return c.api.Store.Jobs.FinishRun(ctx, run, jobrun.StatusOK, done.String())
}

// Reflection is what a reflection changed.
type Reflection struct {
	Linked string `json:"linked" jsonschema:"what was linked, in words"`
	Moved  string `json:"moved" jsonschema:"what was moved, summarized and weakened, in words"`
	DryRun bool   `json:"dry_run,omitempty"`
}

// Reflect links similar memories, moves memories between tiers by the rules, weakens unused edges and summarizes similar memories, as the
// jobs do. With dryRun it only says what would be moved. It takes an operator's grant.
func (c *Client) Reflect(ctx context.Context, dryRun bool) (r Reflection, err error) {
	if err := c.mayOperate("reflect"); err != nil {
		return r, err
	}
	if dryRun {
		plan, err := c.api.Store.Lifecycle.PlanConsolidation(ctx, c.grant.Persona, c.api.Now())
		return Reflection{Moved: plan.String(), DryRun: true}, err
	}
	err = c.asRun(ctx, "link", func(run int64) (fmt.Stringer, error) {
		done, err := c.api.Store.Lifecycle.Link(ctx, c.grant.Persona, run)
		r.Linked = done.String()
		return done, err
	})
	if err != nil {
		return r, err
	}
	err = c.asRun(ctx, "consolidate", func(run int64) (fmt.Stringer, error) {
		done, err := c.api.Store.Lifecycle.Consolidate(ctx, c.grant.Persona, run, c.api.Now())
		r.Moved = done.String()
		return done, err
	})
	return r, err
}

// LinkInput joins two memories, or parts them.
type LinkInput struct {
	From   int64   `json:"from" jsonschema:"the first memory"`
	To     int64   `json:"to" jsonschema:"the second memory"`
	Kind   string  `json:"kind" jsonschema:"how the first relates to the second: relates_to, contradicts, contains, refines, depends_on, caused_by, prevents or implies"`
	Weight float64 `json:"weight,omitempty" jsonschema:"strength, 0 to 1; that of the kind if missing"`
	Remove bool    `json:"remove,omitempty" jsonschema:"remove the link instead"`
}

// Link joins two memories, or parts them. Both must be changeable.
func (c *Client) Link(ctx context.Context, in LinkInput) (Edge, error) {
	for _, id := range []int64{in.From, in.To} {
		if _, err := c.changeable(ctx, id); err != nil {
			return Edge{}, err
		}
	}
	kind := model.EdgeKind(in.Kind)
	if in.Remove {
		_, err := c.api.Store.Lifecycle.RemoveEdge(ctx, in.From, in.To, kind)
		if errors.Is(err, ErrNotFound) {
			err = fmt.Errorf("link from %d to %d: %w: the tool links lists what there is", in.From, in.To, ErrNotFound)
		}
		return Edge{From: in.From, To: in.To, Kind: in.Kind}, err
	}
	e, err := c.api.Store.Lifecycle.AddEdge(ctx, model.Edge{From: in.From, To: in.To, Kind: kind, Weight: in.Weight})
	if err != nil {
		return Edge{}, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	return edgeOf(e), nil
}

// Links returns the links of a memory, heaviest first.
func (c *Client) Links(ctx context.Context, id int64) ([]Edge, error) {
	v, err := c.visibility(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := c.visible(ctx, v, id); err != nil {
		return nil, err
	}
	links, err := c.links(ctx, v, id, maxLimit)
	return append([]Edge{}, links...), err
}

// Candidate is a pair of similar memories of which nobody said yet how they relate.
type Candidate struct {
	From   Memory  `json:"from"`
	To     Memory  `json:"to"`
	Weight float64 `json:"weight"`
}

// Candidates returns pairs that are linked as similar only, for a program that can tell how they relate and says so with Link.
func (c *Client) Candidates(ctx context.Context, asked int) ([]Candidate, error) {
	n, err := limit(asked)
	if err != nil {
		return nil, err
	}
	v, err := c.visibility(ctx)
	if err != nil {
		return nil, err
	}
	edges, err := c.api.Store.Lifecycle.Untyped(ctx, v, n)
	if err != nil {
		return nil, err
	}
	list := make([]Candidate, 0, len(edges))
	for _, e := range edges {
		from, err := c.visible(ctx, v, e.From)
		if err != nil {
			return nil, err
		}
		to, err := c.visible(ctx, v, e.To)
		if err != nil {
			return nil, err
		}
		list = append(list, Candidate{memoryOf(from), memoryOf(to), e.Weight})
	}
	return list, nil
}

// Access is what a program may do, in words that a model understands.
type Access struct {
	Client    string      `json:"client"`
	Persona   string      `json:"persona"`
	Sees      access.Kind `json:"sees" jsonschema:"person, room or operator"`
	Person    string      `json:"person,omitempty" jsonschema:"whose view it is"`
	Writes    string      `json:"writes" jsonschema:"first-hand, hearsay or nothing"`
	Now       time.Time   `json:"now"`
	PersonaID string      `json:"persona_key"`
}

// Describe returns what the program may do.
func (c *Client) Describe(ctx context.Context) (Access, error) {
	zone, err := c.zone(ctx)
	if err != nil {
		return Access{}, err
	}
	is := Access{
		Client: c.grant.Client, Persona: c.grant.Persona, PersonaID: c.grant.Persona, Sees: c.grant.Kind, Writes: "hearsay", Now: c.api.Now().In(zone),
	}
	if c.api.PersonaName != nil {
		is.Persona = c.api.PersonaName(c.grant.Persona)
	}
	switch {
	case c.grant.ReadOnly:
		is.Writes = "nothing"
	case c.grant.FirstHand:
		is.Writes = "first-hand"
	}
	if c.grant.PersonID != 0 {
		p, err := c.api.Store.Log.Person(ctx, c.grant.PersonID)
		if err != nil {
			return is, err
		}
		is.Person = p.Name
	}
	return is, nil
}
