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

// Registry has the tools of one persona and says where each may be called. It is safe for concurrent use once it is filled.
type Registry struct {
	Rules  Rules
	Limits Limits
	// Programs reports that other programs may offer tools, which ask the person by default.
	Programs bool
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

// entry is a tool of a registry.
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

// NewRegistry returns a registry of tools. It fails if two have the same name, or one a name that is none.
func NewRegistry(rules Rules, limits Limits, tools ...Tool) (*Registry, error) {
	r := &Registry{Rules: rules, Limits: limits, idle: rules.empty()}
	for _, t := range tools {
		e, err := newEntry(t)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(r.tools, func(o *entry) bool { return o.spec.Name == e.spec.Name }) {
			return nil, fmt.Errorf("add the tool %s: there are two of that name", e.spec.Name)
		}
		r.tools, r.idle = append(r.tools, e), r.idle && e.spec.Default == Deny
	}
	return r, nil
}

func newEntry(t Tool) (*entry, error) {
	s := t.Spec()
	if !validName.MatchString(s.Name) {
		return nil, fmt.Errorf("add the tool %q: its name must have lower-case letters, digits and underscores only", s.Name)
	}
	read := sync.OnceValues(func() (*schema, error) { return schemaOf(s) })
	return &entry{tool: t, spec: s, schema: read, slots: make(chan struct{}, parallel)}, nil
}

// Specs returns what the tools of the registry are, in the order in which models see them.
func (r *Registry) Specs() (all []Spec) {
	if r == nil {
		return nil
	}
	for _, e := range r.entries() {
		all = append(all, e.spec)
	}
	return all
}

// At returns the tools in a place, for one answer. It costs next to nothing where no gate is open.
func (r *Registry) At(p Place) *Offer { return &Offer{registry: r, place: p} }

// VoiceTools are tools that a voice brings for each answer: they act on the answer itself. They are allowed unless a rule says
// otherwise, and cannot ask: Confirm denies them.
type VoiceTools struct {
	specs   []Spec
	entries []*entry
	offered []prompts.Tool
	size    int
}

// NewVoiceTools returns tools with these specs. It panics if a name is none.
func NewVoiceTools(specs ...Spec) *VoiceTools {
	o := &VoiceTools{specs: specs}
	for _, s := range specs {
		e, err := newEntry(onlySpec(s))
		if err != nil {
			panic(err)
		}
		o.entries = append(o.entries, e)
		o.offered = append(o.offered, asOffered(s))
	}
	o.size = sizeOf(o.offered)
	return o
}

// Specs returns what the tools are.
func (o *VoiceTools) Specs() []Spec { return o.specs }

func (o *VoiceTools) has(name string) bool {
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
