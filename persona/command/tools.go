package command

import (
	"familiar/channels/markdown"
	"familiar/memory/toolcall"
	"familiar/persona/tool"
)

// longestArgument is how much of one argument a question shows, in characters.
const longestArgument = 300

// AskForTool asks a person whether a call of a tool may be made, with exactly what would be done, as Markdown. language is the one
// that the person chose, "" for none, and said is what they wrote.
func AskForTool(language, said string, q toolcall.Question) string {
	return markdown.Escape(tongueOf(language, said).say("tool.ask", "tool", q.Call.Tool, "call", tool.Plainly(q.Input, longestArgument)))
}

// ToldByTool tells a person what a call of a tool brought, where no model can word it, as Markdown.
func ToldByTool(language, said, name, result string) string {
	return markdown.Escape(tongueOf(language, said).say("tool.told", "tool", name, "result", result))
}
