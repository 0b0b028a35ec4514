package channels

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"
)

// Divided is a Channel that receives over several connections. Each of these parts brings other messages, may run in another process
// and is restarted by itself. Every process can send to all rooms.
type Divided interface {
	// Parts returns how many parts there are. A channel with one is run as a whole.
	Parts() int
	// RunPart is Run for one part, 0 to Parts()-1. Parts may run at the same time. What becomes of the part's connection is reported
	// to report instead of Host.Report.
	RunPart(ctx context.Context, part int, accept Accept, report func(State)) error
}

// PartStates combines the states of a divided channel's parts that run in this process: the channel's state is the worst of them. A
// state that lasts until the operator acts is the last one reported.
type PartStates struct {
	report func(State)

	mu     sync.Mutex
	states map[int]State
	fatal  bool
}

// NewPartStates returns the states of a channel of which no part runs yet. report is called with each change, with one at a time, and
// returns at once.
func NewPartStates(report func(State)) *PartStates {
	return &PartStates{report: report, states: map[int]State{}}
}

// Set notes the state of a part that runs.
func (p *PartStates) Set(part int, s State) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.fatal {
		return
	}
	worst := p.worst()
	if p.fatal = s.Fatal(); p.fatal {
		s.Account = cmp.Or(s.Account, worst.Account)
		clear(p.states)
	}
	p.states[part] = s
	p.report(p.worst())
}

// End notes that a part no longer runs in this process. If none does, the process stands by.
func (p *PartStates) End(part int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.fatal {
		return
	}
	delete(p.states, part)
	p.report(p.worst())
}

// Reachable reports whether some part is connected with the network, or none runs here that would know.
func (p *PartStates) Reachable() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range p.states {
		if s.Phase == Connected || s.Phase == Backfilling {
			return true
		}
	}
	return len(p.states) == 0
}

// order lists the phases from the worst to the best.
var order = []Phase{Refused, LoggedOut, Transient, Connecting, Backfilling, Connected}

// worst returns the worst state, Standby if there is none. The caller holds mu.
func (p *PartStates) worst() State {
	if len(p.states) == 0 {
		return State{Phase: Standby}
	}
	var worst State
	account := ""
	for i, part := range slices.Sorted(maps.Keys(p.states)) {
		s := p.states[part]
		if i == 0 || worse(s, worst) {
			worst = s
		}
		if account == "" {
			account = s.Account
		}
	}
	worst.Account = account // all parts have the same, but may not know it yet
	return worst
}

// worse reports whether state a is worse than b.
func worse(a, b State) bool {
	if a.Phase != b.Phase {
		return slices.Index(order, a.Phase) < slices.Index(order, b.Phase)
	}
	return a.Problem != "" && b.Problem == ""
}
