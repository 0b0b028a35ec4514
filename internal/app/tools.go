package app

import (
	"fmt"
	"slices"
	"time"

	"familiar/config"
	"familiar/memory/toolcall"
	"familiar/persona/modelvoice"
	"familiar/persona/tool"
	"familiar/persona/tool/calculator"
	"familiar/persona/tool/scratchpad"
	"familiar/persona/tool/web"
	"familiar/persona/tool/workspace"
)

// NewTools returns the tools of a persona, with the gates and limits of the configuration. It uses no network. pads are needed only
// to call them.
func NewTools(cfg *config.Config, persona string, now func() time.Time, pads scratchpad.Pads) (*tool.Box, error) {
	all := append([]tool.Tool{calculator.New(), scratchpad.New(pads)}, web.Tools(searchOrReason(cfg), NewFetcher(cfg, now))...)
	if directory := cfg.Tools.Workspaces.Of(persona); directory != "" {
		all = append(all, workspace.New(directory)...)
	}
	box, err := tool.NewBox(toolRules(cfg, persona), toolLimits(cfg.Tools), all...)
	if err != nil {
		return nil, fmt.Errorf("prepare the tools of %s: %w", persona, err)
	}
	return box, nil
}

// connectTools gives the persona's model its tools, with the record of their calls.
func (a *App) connectTools() (err error) {
	if a.Tools, err = NewTools(a.Config, a.Card.Key, a.Now, a.Store.Notepads); err != nil {
		return err
	}
	a.Tools.Log, a.Tools.Clock, a.Tools.Zone = a.Store.ToolCalls, a.Now, a.Config.Timezone.Location
	return nil
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
func ToolSpecs(box *tool.Box) []tool.Spec {
	return slices.Concat(modelvoice.MemoryTools(), box.Specs())
}

// UnknownGates returns the gates of the configuration whose names mean no tool of box, with the settings that have them.
func UnknownGates(cfg *config.Config, box *tool.Box) (all []string) {
	var names []string
	for _, s := range ToolSpecs(box) {
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
