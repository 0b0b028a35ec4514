package tool

import (
	"slices"
	"strings"
)

// Gate says whether a tool may be called.
type Gate string

// The gates: Allow calls at once, Confirm after the person said yes to exactly this call, Deny never; a denied tool is not
// offered.
const (
	Allow   Gate = "allow"
	Confirm Gate = "confirm"
	Deny    Gate = "deny"
)

// Rule opens or closes one gate: for a tool by its name, or for all whose names begin with what stands before a final "*".
type Rule struct {
	Tool string
	Gate Gate
}

// Rules are the gates that the operator sets. The narrowest place that has a rule for a tool decides: thread, room, server,
// network, persona, everywhere. Within a place a whole name goes before a pattern, and a longer pattern before a shorter one.
type Rules struct {
	Everywhere []Rule
	// Persona are those of the one persona that the Registry belongs to.
	Persona []Rule
	// Places are the others: by CHANNEL/ID/THREAD, CHANNEL/ID of a room or a server, or CHANNEL.
	Places map[string][]Rule
}

// Decision is the gate of a tool in a place, and why.
type Decision struct {
	Gate Gate
	// Why names what decided: "default", "everywhere", "persona" or the place.
	Why string
}

// Where each rule stands, in Decision.Why.
const (
	WhyDefault    = "default"
	WhyEverywhere = "everywhere"
	WhyPersona    = "persona"
)

// Decide returns the gate of a tool in a place.
func (r Rules) Decide(s Spec, p Place) Decision {
	for _, at := range addresses(p) {
		if g, ok := match(r.Places[at], s.Name); ok {
			return Decision{g, at}
		}
	}
	if g, ok := match(r.Persona, s.Name); ok {
		return Decision{g, WhyPersona}
	}
	if g, ok := match(r.Everywhere, s.Name); ok {
		return Decision{g, WhyEverywhere}
	}
	return Decision{s.Default, WhyDefault}
}

// empty reports that no rule changes a default.
func (r Rules) empty() bool { return len(r.Everywhere)+len(r.Persona)+len(r.Places) == 0 }

// addresses returns how rules may name the place of an answer, the narrowest first.
func addresses(p Place) (all []string) {
	room := p.Room.Room
	if room.Channel == "" {
		return nil
	}
	at := room.Channel + "/" + room.ID
	if room.Thread != "" {
		all = append(all, at+"/"+room.Thread)
	}
	all = append(all, at)
	if p.Server != "" {
		all = append(all, room.Channel+"/"+p.Server)
	}
	return append(all, room.Channel)
}

// match returns the gate that rules set for a tool.
func match(rules []Rule, name string) (g Gate, ok bool) {
	best := -1
	for _, r := range rules {
		prefix, pattern := strings.CutSuffix(r.Tool, "*")
		switch {
		case r.Tool == name:
			return r.Gate, true
		case pattern && strings.HasPrefix(name, prefix) && len(prefix) > best:
			best, g, ok = len(prefix), r.Gate, true
		}
	}
	return g, ok
}

// Matches reports whether a rule's tool means one of the names.
func (r Rule) Matches(names []string) bool {
	return slices.ContainsFunc(names, func(n string) bool {
		_, ok := match([]Rule{r}, n)
		return ok
	})
}
