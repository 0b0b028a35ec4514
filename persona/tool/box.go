package tool

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"sync"
	"time"

	"familiar/memory/toolcall"
	"familiar/prompts"
)

// Limits bound the calls of one answer.
type Limits struct {
	// Rounds is how often the model may call tools before it has to answer, Calls how many calls are made.
	Rounds, Calls int
	// Tokens is how much all results of one answer show together, Result how much one does.
	Tokens, Result int
	// Timeout bounds one call, Time all calls of one answer together.
	Timeout, Time time.Duration
	// Day bounds the calls for one person and in one room on one day. Those of the voice's own tools do not count.
	Day toolcall.Caps
}

// DefaultLimits are enough to look something up and to act on it.
var DefaultLimits = Limits{Rounds: 3, Calls: 8, Tokens: 1500, Result: 600, Timeout: 20 * time.Second, Time: time.Minute}

// Box holds the tools of one persona and says where each may be called. It is safe for concurrent use
// after it was filled.
type Box struct {
	Rules  Rules
	Limits Limits
	// Log keeps every call, nil in tests that need none. Without a Log no cap of the day holds.
	Log *toolcall.Store
	// Clock reads the time, at which a day begins in Zone; time.UTC if nil.
	Clock func() time.Time
	Zone  *time.Location

	tools  []*entry
	served served
	// idle reports that no gate is open: nothing is offered but what the voice brings.
	idle bool
}

// entry is a tool of a box.
type entry struct {
	tool Tool
	spec Spec
	// schema reads its arguments. It is made when the tool is called first.
	schema func() (*schema, error)
	// slots are its calls that run. A tool that does not end its calls in time uses them up.
	slots chan struct{}
}

// parallel is how many calls of one tool may run at a time in all rooms.
const parallel = 4

var validName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,63}$`)

// NewBox returns a box with tools. It fails if two have the same name, or one a name that is none.
func NewBox(rules Rules, limits Limits, tools ...Tool) (*Box, error) {
	b := &Box{Rules: rules, Limits: limits, idle: rules.empty()}
	for _, t := range tools {
		e, err := newEntry(t)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(b.tools, func(o *entry) bool { return o.spec.Name == e.spec.Name }) {
			return nil, fmt.Errorf("add the tool %s: there are two of that name", e.spec.Name)
		}
		b.tools, b.idle = append(b.tools, e), b.idle && e.spec.Default == Deny
	}
	return b, nil
}

func newEntry(t Tool) (*entry, error) {
	s := t.Spec()
	if !validName.MatchString(s.Name) {
		return nil, fmt.Errorf("add the tool %q: its name must have lower-case letters, digits and underscores only", s.Name)
	}
	read := sync.OnceValues(func() (*schema, error) { return schemaOf(s) })
	return &entry{tool: t, spec: s, schema: read, slots: make(chan struct{}, parallel)}, nil
}

// Specs returns what the tools of the box are, in the order in which models see them.
func (b *Box) Specs() (all []Spec) {
	if b == nil {
		return nil
	}
	for _, e := range b.entries() {
		all = append(all, e.spec)
	}
	return all
}

// At returns the tools in a place, for one answer. It costs next to nothing where no gate is open.
func (b *Box) At(p Place) *Desk { return &Desk{box: b, place: p} }

// Desk is a box in one place: what is offered there to a model.
type Desk struct {
	box   *Box
	place Place

	once    sync.Once
	offered []prompts.Tool
	size    int
}

// Limits returns what bounds one answer.
func (d *Desk) Limits() Limits {
	if d == nil || d.box == nil || d.box.Limits == (Limits{}) {
		return DefaultLimits
	}
	return d.box.Limits
}

// plain reports that nothing differs from the defaults of the voice's own tools.
func (d *Desk) plain() bool {
	return d == nil || d.box == nil || d.box.idle && !d.box.serves()
}

// Offer returns the tools that a model is offered: own, which the voice brings, and those of the box, as far as they are not
// denied here; and their size in tokens. Desks in one place offer the same, so that providers can cache it.
func (d *Desk) Offer(own *Own) (offered []prompts.Tool, size int) {
	if d.plain() {
		return own.offered, own.size
	}
	d.once.Do(func() {
		for i, s := range own.specs {
			if d.box.Rules.Decide(s, d.place).Gate == Allow {
				d.offered = append(d.offered, own.offered[i])
			}
		}
		for _, e := range d.box.entries() {
			if d.decide(e).Gate != Deny {
				d.offered = append(d.offered, offer(e.spec))
			}
		}
		d.size = sizeOf(d.offered)
	})
	return d.offered, d.size
}

// Offers reports whether a tool of the box is offered.
func (d *Desk) Offers(name string) bool {
	return !d.plain() && slices.ContainsFunc(d.box.tools, func(e *entry) bool { return e.spec.Name == name && d.decide(e).Gate != Deny })
}

// Extra reports whether anything but the voice's own tools is offered.
func (d *Desk) Extra(own *Own) bool {
	if d.plain() {
		return false
	}
	offered, _ := d.Offer(own)
	return slices.ContainsFunc(offered, func(t prompts.Tool) bool { return !own.has(t.Name) })
}

func (d *Desk) decide(e *entry) Decision { return d.box.Rules.Decide(e.spec, d.place) }

// Own are tools that a voice brings for each answer: they act on the answer itself. They are allowed unless a rule says
// otherwise, and cannot ask: Confirm denies them.
type Own struct {
	specs   []Spec
	entries []*entry
	offered []prompts.Tool
	size    int
}

// NewOwn returns tools with these specs. It panics if a name is none.
func NewOwn(specs ...Spec) *Own {
	o := &Own{specs: specs}
	for _, s := range specs {
		e, err := newEntry(onlySpec(s))
		if err != nil {
			panic(err)
		}
		o.entries = append(o.entries, e)
		o.offered = append(o.offered, offer(s))
	}
	o.size = sizeOf(o.offered)
	return o
}

// Specs returns what the tools are.
func (o *Own) Specs() []Spec { return o.specs }

func (o *Own) has(name string) bool {
	return slices.ContainsFunc(o.specs, func(s Spec) bool { return s.Name == name })
}

// onlySpec is a description of a tool, to read its calls with.
type onlySpec Spec

// Spec implements Tool.
func (s onlySpec) Spec() Spec { return Spec(s) }

// Call fails: whoever brought the specification makes the calls.
func (s onlySpec) Call(context.Context, Use) (Result, error) {
	return Result{}, fmt.Errorf("%s has nobody who does it", s.Name)
}

func offer(s Spec) prompts.Tool {
	return prompts.Tool{Name: s.Name, Description: s.Description, Parameters: s.Parameters}
}

// sizeOf returns what tools take of a prompt.
func sizeOf(offered []prompts.Tool) int {
	return prompts.Prompt{}.WithTools(offered).Tokens()
}
