package prompts

import (
	"slices"

	"familiar/internal/tokens"
)

// LeavingOut returns p with a note that an answer brought up what wishes ask to leave alone. The answer itself is not
// shown again: what it said would only be said once more.
func (p Prompt) LeavingOut(wishes []string) Prompt {
	all := make([]string, 0, len(wishes))
	for _, w := range wishes {
		if w = "- " + oneLine(w); !slices.Contains(all, w) {
			all = append(all, w)
		}
	}
	note := render("leaving-out", quoted(all))
	p.Messages = slices.Clone(p.Messages)
	last := &p.Messages[len(p.Messages)-1]
	last.Text += "\n\n" + note
	p.Rules += "\n" + note
	p.Slices = append(slices.Clone(p.Slices), Slice{Name: SliceSafety, Tokens: tokens.Estimate(note)})
	return p
}
