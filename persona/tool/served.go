package tool

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// served are the tools of other programs, which may come, go and change while the registry is used.
type served struct {
	mu      sync.Mutex // of whoever changes it
	byOwner []ownedTools
	// all is read by every answer.
	all atomic.Pointer[[]*entry]
}

type ownedTools struct {
	owner string
	tools []*entry
}

// Serve replaces the tools of an owner by others. It returns the names of those that it skips, since a tool has the
// name already, or the name is none.
func (r *Registry) Serve(owner string, tools ...Tool) (skipped []string) {
	r.served.mu.Lock()
	defer r.served.mu.Unlock()
	others := slices.DeleteFunc(slices.Clone(r.served.byOwner), func(o ownedTools) bool { return o.owner == owner })
	taken := slices.Clone(r.tools)
	for _, o := range others {
		taken = append(taken, o.tools...)
	}
	served := ownedTools{owner: owner}
	for _, t := range tools {
		e, err := newEntry(t)
		if err != nil || slices.ContainsFunc(taken, func(o *entry) bool { return o.spec.Name == e.spec.Name }) {
			skipped = append(skipped, t.Spec().Name)
			continue
		}
		served.tools, taken = append(served.tools, e), append(taken, e)
	}
	r.served.byOwner = append(others, served)
	slices.SortFunc(r.served.byOwner, func(x, y ownedTools) int { return strings.Compare(x.owner, y.owner) }) // providers cache prompts in one order
	all := []*entry{}
	for _, o := range r.served.byOwner {
		all = append(all, o.tools...)
	}
	r.served.all.Store(&all)
	return skipped
}

// entries returns the tools of the registry, those of other programs last.
func (r *Registry) entries() []*entry {
	more := r.served.all.Load()
	if more == nil || len(*more) == 0 {
		return r.tools
	}
	return slices.Concat(r.tools, *more)
}

// serves reports whether another program offers anything.
func (r *Registry) serves() bool {
	more := r.served.all.Load()
	return more != nil && len(*more) > 0
}
