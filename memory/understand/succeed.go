package understand

import (
	"slices"

	"familiar/memory/understand/english"
	"familiar/memory/understand/rel"
	"familiar/memory/when"
)

// People who tell what they left often tell at once where they are now: "I no longer work at Google, I'm at Apple
// now", "I used to live in London, now I'm in Bristol". By itself "I'm at Apple now" only tells where somebody is.

// arrival is the place or employer where the speaker is now.
type arrival struct {
	claim Claim
	in    bool // "in Bristol" rather than "at Apple"
}

// The wordings for an arrival: those that use "at" and those that use "in".
var (
	nowAt = english.CompileAll("now i am now? at|with {org}", "i am now at|with {org}", "i am at|with {org} now", "i have? moved|switched to {org}", "i am at|with {org} $")
	nowIn = english.CompileAll("now i am now? based? in {place}", "i am now based? in {place}", "i am based? in {place} now", "i am in {place} $")
)

// arrival records the arrivals that the clause states.
func (r *reading) arrival(c english.Clause, span *when.Span) {
	for i := range c.Words {
		for k, wordings := range [...]*english.Patterns{&nowAt, &nowIn} {
			if m, ok := wordings.Find(c, i); ok && (c.Low(i) == "now" || i == english.SkipLeads(c, 0)) {
				r.arrived = append(r.arrived, arrival{Claim{Kind: rel.Fact, Value: c.Value(m), Changed: true, Span: span, Quote: c.Span(i, m.To)}, k == 1})
			}
		}
	}
}

// left maps the relations whose value may be left for another one to whether their value follows "in" rather than
// "at".
var left = map[string]bool{"lives_in": true, "works_at": false, "studies_at": false}

// leaving matches "I left Google", which by itself may mean a place, a person or a job.
var leaving = english.CompileAll("I left|quit {org}", "I have~ left {org}")

// quitting matches leaving work without naming the employer.
var quitting = english.CompileAll("I quit $", "I have~ quit $", "I changed|switched jobs $", "I have~ changed|switched jobs $")

// departure records what the clause says the speaker has left.
func (r *reading) departure(c english.Clause) {
	if m, ok := quitting.Find(c, english.SkipLeads(c, 0)); ok && m.Subject == "" && m.Kin == "" {
		r.departed = append(r.departed, Claim{Kind: rel.Fact, Relation: "works_at", Negates: true, Changed: true, Quote: c.Span(0, m.End)})
	}
	if m, ok := leaving.Find(c, english.SkipLeads(c, 0)); ok && m.Subject == "" && m.Kin == "" && (m.To == len(c.Words) || c.Words[m.To].Comma) {
		r.departed = append(r.departed, Claim{Kind: rel.Fact, Relation: "works_at", Value: c.Value(m), Negates: true, Changed: true, Quote: c.Span(0, m.To)})
	}
}

// succeed replaces what the speaker has left with where they are now.
func (r *reading) succeed() {
	if slices.ContainsFunc(r.arrived, func(a arrival) bool { return !a.in }) {
		r.out.Claims = append(r.out.Claims, r.departed...)
	}
	for _, a := range r.arrived {
		i := slices.IndexFunc(r.out.Claims, func(c Claim) bool {
			in, known := left[c.Relation]
			return known && in == a.in && c.Negates && c.Changed && c.Subject == ""
		})
		if i < 0 {
			continue
		}
		a.claim.Relation = r.out.Claims[i].Relation
		r.out.Claims = slices.DeleteFunc(r.out.Claims, func(c Claim) bool {
			return c.Kind == rel.Fact && !c.Negates && english.Normalize(c.Value) == english.Normalize(a.claim.Value)
		})
		r.out.Claims = append(r.out.Claims, a.claim)
	}
}
