package modelvoice

import (
	"familiar/persona/lore"
	"familiar/persona/scene"
	"familiar/prompts"
)

// sheet returns what the persona's character card says in this scene, nil if it was not made from one. The placeholders of
// the scene's card are filled. budget is the size of the prompt in tokens, 0 for the default.
func sheet(s scene.Scene, budget int) *prompts.Sheet {
	of := &s.Card.Sheet
	if !of.Directs() {
		return nil
	}
	out := &prompts.Sheet{Instructions: of.SystemPrompt, Last: of.PostHistory, Personality: of.Personality, Scenario: of.Scenario}
	if i := s.Opening(of.FirstMessages); i == 0 && s.Direct {
		out.Opening = of.FirstMessages[i]
	}
	for _, f := range s.FiredLore(prompts.LoreBudget(budget)).Fired {
		switch f.Place {
		case lore.BeforeCharacter:
			out.Before = append(out.Before, f.Text)
		case lore.AfterCharacter:
			out.After = append(out.After, f.Text)
		case lore.InPersonality:
			out.Personality = joined(out.Personality, f.Text)
		case lore.InScenario:
			out.Scenario = joined(out.Scenario, f.Text)
		case lore.AtDepth:
			out.Notes = append(out.Notes, prompts.SheetNote{Text: f.Text, Depth: f.Depth, Own: f.Role == lore.RoleAssistant})
		}
	}
	if of.Note.Text != "" {
		out.Notes = append(out.Notes, prompts.SheetNote{Text: of.Note.Text, Depth: of.Note.Depth, Own: of.Note.Role == lore.RoleAssistant, AuthorNote: true})
	}
	return out
}

func joined(before, after string) string {
	if before == "" {
		return after
	}
	return before + "\n" + after
}
