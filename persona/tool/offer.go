package tool

import (
	"slices"
	"sync"

	"familiar/prompts"
)

// Offer is what a registry has for one place: the tools that a model is offered there.
type Offer struct {
	registry *Registry
	place    Place
	// helper reports that the calls are those of a helper: of tools that are allowed without asking and change nothing.
	helper bool

	once    sync.Once
	offered []prompts.Tool
	size    int
}

// Limits returns what bounds one answer.
func (o *Offer) Limits() Limits {
	if o == nil || o.registry == nil || o.registry.Limits == (Limits{}) {
		return DefaultLimits
	}
	return o.registry.Limits
}

// plain reports that nothing differs from the defaults of the voice's own tools.
func (o *Offer) plain() bool {
	return o == nil || o.registry == nil || o.registry.idle && !o.registry.serves()
}

// Tools returns the tools that a model is offered: those that the voice brings, and those of the registry, as far as they are not
// denied here; and their size in tokens. Offers in one place offer the same, so that providers can cache it.
func (o *Offer) Tools(voice *VoiceTools) (offered []prompts.Tool, size int) {
	if o.plain() {
		return voice.offered, voice.size
	}
	o.once.Do(func() {
		for i, s := range voice.specs {
			if o.registry.Rules.Decide(s, o.place).Gate == Allow {
				o.offered = append(o.offered, voice.offered[i])
			}
		}
		for _, e := range o.entries() {
			if o.decide(e).Gate != Deny {
				o.offered = append(o.offered, asOffered(e.spec))
			}
		}
		o.size = sizeOf(o.offered)
	})
	return o.offered, o.size
}

// Has reports whether a tool of the registry is offered.
func (o *Offer) Has(name string) bool {
	return !o.plain() && slices.ContainsFunc(o.registry.tools, func(e *entry) bool { return e.spec.Name == name && o.decide(e).Gate != Deny })
}

// entries returns the tools that may be named.
func (o *Offer) entries() []*entry {
	all := o.registry.entries()
	if !o.helper {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(e *entry) bool { return !e.spec.ReadOnly || o.decide(e).Gate != Allow })
}

// find returns the tool with a name, nil for none.
func (o *Offer) find(name string) *entry {
	all := o.entries()
	if at := slices.IndexFunc(all, func(e *entry) bool { return e.spec.Name == name }); at >= 0 {
		return all[at]
	}
	return nil
}

// Extra reports whether anything but the voice's own tools is offered.
func (o *Offer) Extra(voice *VoiceTools) bool {
	if o.plain() {
		return false
	}
	offered, _ := o.Tools(voice)
	return slices.ContainsFunc(offered, func(t prompts.Tool) bool { return !voice.has(t.Name) })
}

func (o *Offer) decide(e *entry) Decision { return o.registry.Rules.Decide(e.spec, o.place) }

func asOffered(s Spec) prompts.Tool {
	return prompts.Tool{Name: s.Name, Description: s.Description, Parameters: s.Parameters}
}

// sizeOf returns what tools take of a prompt.
func sizeOf(offered []prompts.Tool) int {
	return prompts.Prompt{}.WithTools(offered).Tokens()
}
