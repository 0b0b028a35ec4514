package tool

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// served are the tools of other programs, which may come, go and change while the box is used.
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

// Serve replaces the tools of an owner by others. It returns the names of those that it leaves out, since a tool has the
// name already, or the name is none.
func (b *Box) Serve(owner string, tools ...Tool) (left []string) {
	b.served.mu.Lock()
	defer b.served.mu.Unlock()
	others := slices.DeleteFunc(slices.Clone(b.served.byOwner), func(o ownedTools) bool { return o.owner == owner })
	taken := slices.Clone(b.tools)
	for _, o := range others {
		taken = append(taken, o.tools...)
	}
	own := ownedTools{owner: owner}
	for _, t := range tools {
		e, err := newEntry(t)
		if err != nil || slices.ContainsFunc(taken, func(o *entry) bool { return o.spec.Name == e.spec.Name }) {
			left = append(left, t.Spec().Name)
			continue
		}
		own.tools, taken = append(own.tools, e), append(taken, e)
	}
	b.served.byOwner = append(others, own)
	slices.SortFunc(b.served.byOwner, func(x, y ownedTools) int { return strings.Compare(x.owner, y.owner) }) // providers cache prompts in one order
	all := []*entry{}
	for _, o := range b.served.byOwner {
		all = append(all, o.tools...)
	}
	b.served.all.Store(&all)
	return left
}

// entries returns the tools of the box, those of other programs last.
func (b *Box) entries() []*entry {
	more := b.served.all.Load()
	if more == nil || len(*more) == 0 {
		return b.tools
	}
	return slices.Concat(b.tools, *more)
}

// serves reports whether another program offers anything.
func (b *Box) serves() bool {
	more := b.served.all.Load()
	return more != nil && len(*more) > 0
}
