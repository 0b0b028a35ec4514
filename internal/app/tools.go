package app

import (
	"context"
	"fmt"
	"slices"
	"time"

	"familiar/config"
	"familiar/memory/toolcall"
	"familiar/persona/modelvoice"
	"familiar/persona/tool"
	"familiar/persona/tool/calculator"
	"familiar/persona/tool/delegate"
	"familiar/persona/tool/scratchpad"
	"familiar/persona/tool/web"
	"familiar/persona/tool/workspace"
)

// NewTools returns the tools of a persona, with the gates and limits of the configuration. It uses no network. pads and helper are
// needed only to call them.
func NewTools(cfg *config.Config, persona string, now func() time.Time, pads scratchpad.Pads, helper delegate.Begin) (*tool.Registry, error) {
	all := append([]tool.Tool{calculator.New(), scratchpad.New(pads)}, web.Tools(searchOrReason(cfg), NewFetcher(cfg, now))...)
	d := cfg.Tools.Delegate
	all = append(all, delegate.New(delegate.Budget{Calls: d.Calls, Tokens: d.Tokens, Time: d.Timeout}, helper))
	if directory := cfg.Tools.Workspaces.Of(persona); directory != "" {
		all = append(all, workspace.New(directory)...)
	}
	registry, err := tool.NewRegistry(toolRules(cfg, persona), toolLimits(cfg.Tools), all...)
	if err != nil {
		return nil, fmt.Errorf("prepare the tools of %s: %w", persona, err)
	}
	return registry, nil
}

// connectTools gives the persona's model its tools, with the record of their calls.
func (a *App) connectTools() (err error) {
	if a.Tools, err = NewTools(a.Config, a.Card.Key, a.Now, a.Store.Notepads, a.beginHelper); err != nil {
		return err
	}
	a.Tools.Programs = len(a.Config.Tools.Servers.Map) > 0
	a.Tools.Log, a.Tools.Clock, a.Tools.Zone = a.Store.ToolCalls, a.Now, a.Config.Timezone.Location
	return nil
}

// beginHelper returns what a helper thinks with: the model for work, charged to the person and the room of the answer that it
// helps with, within tokens.
func (a *App) beginHelper(ctx context.Context, p tool.Place, tokens int) (context.Context, delegate.Model) {
	ctx = modelvoice.WithJob(modelvoice.WithRoom(modelvoice.WithPayer(ctx, p.Person.ID), p.Room.ID), delegate.Name)
	return modelvoice.WithBudget(ctx, modelvoice.NewBudget(tokens)), a.Model
}

// toolRules returns the gates of a persona.
func toolRules(cfg *config.Config, persona string) tool.Rules {
	r := tool.Rules{Everywhere: rulesOf(cfg.Tools.Gates), Persona: rulesOf(cfg.PersonaSettings(persona).Tools)}
	for _, place := range cfg.Tools.Places.Map {
		if r.Places == nil {
			r.Places = make(map[string][]tool.Rule)
		}
		r.Places[place.Name] = rulesOf(place.Value)
	}
	return r
}

func rulesOf(g config.Gates) (rules []tool.Rule) {
	for _, one := range g.Map {
		rules = append(rules, tool.Rule{Tool: one.Name, Gate: tool.Gate(one.Value)})
	}
	return rules
}

func toolLimits(t config.Tools) tool.Limits {
	return tool.Limits{
		Rounds: t.Rounds, Calls: t.Calls, Tokens: t.TokensPerAnswer, Result: t.ResultTokens, Timeout: t.Timeout, Time: t.TimePerAnswer,
		Day: toolcall.Caps{
			Person: toolcall.Cap{Calls: t.CallsPerPersonPerDay, Seconds: t.SecondsPerPersonPerDay, Tokens: t.TokensPerPersonPerDay},
			Room:   toolcall.Cap{Calls: t.CallsPerRoomPerDay, Seconds: t.SecondsPerRoomPerDay, Tokens: t.TokensPerRoomPerDay},
		},
	}
}

// ToolSpecs returns what every tool of a persona is, those of the memory first.
func ToolSpecs(registry *tool.Registry) []tool.Spec {
	return slices.Concat(modelvoice.MemoryTools(), registry.Specs())
}

// UnknownGates returns the gates of the configuration whose names mean no tool of registry, with the settings that have them.
func UnknownGates(cfg *config.Config, registry *tool.Registry) (all []string) {
	var names []string
	for _, s := range ToolSpecs(registry) {
		names = append(names, s.Name)
	}
	add := func(at string, g config.Gates) {
		for _, r := range rulesOf(g) {
			if !r.Matches(names) && !isServed(cfg, r.Tool) {
				all = append(all, at+"."+r.Tool)
			}
		}
	}
	add("tools.gates", cfg.Tools.Gates)
	for _, place := range cfg.Tools.Places.Map {
		add("tools.places."+place.Name, place.Value)
	}
	for _, p := range cfg.Personas.Map {
		add("personas."+p.Name+".tools", p.Value.Tools)
	}
	return all
}
