package stories

import (
	"strings"

	"familiar/prompts"
)

// spoil returns what a bad model makes of a good answer: reasoning said aloud, its own name in front, marks of the chat
// format, a claim with a made-up quote.
func spoil(p prompts.Prompt, good string) string {
	if p.JSON {
		return "<think>They want JSON.</think>Sure! Here it is:\n```JSON\n" + good + "\n```"
	}
	if p.Name != "reply" {
		return "<reasoning>I sum it up.</reasoning>\n" + good
	}
	return "<THINKING>What would they like to hear?" + strings.Repeat(" Hm.", 3) + "</THINKING>\n**Me:** " + good
}
