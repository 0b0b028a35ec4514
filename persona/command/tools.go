package command

import (
	"familiar/channels/markdown"
	"familiar/memory/toolcall"
	"familiar/persona/tool"
)

// AskForTool asks a person whether a call of a tool may be made, with exactly what would be done, as Markdown. language is the one
// that the person chose, "" for none, and said is what they wrote.
func AskForTool(language, said string, q toolcall.Question) string {
	t := tongueOf(language, said)
	return markdown.Escape(t.say("tool.ask", "tool", q.Call.Tool, "call", t.arguments(q.Input)))
}

// Button returns what a button says that answers yes or no. language is the tag of its language.
func Button(language string, yes bool) string {
	if yes {
		return tongueOf(language, "").say("ask.yes")
	}
	return tongueOf(language, "").say("ask.no")
}

// NotAsked tells somebody who pressed a button that others were asked, TooLate that the question is over.
func NotAsked(language string) string { return tongueOf(language, "").say("ask.notyours") }

// TooLate is described at NotAsked.
func TooLate(language string) string { return tongueOf(language, "").say("ask.over") }

// LanguageOf returns the tag of the language in which a person is answered. language is the one that they chose, "" for none, and said
// is what they wrote.
func LanguageOf(language, said string) string { return tongueOf(language, said).tag }

// ToldByTool tells a person what became of a call that they were asked about, where no model can word it, as Markdown.
func ToldByTool(language, said, name string, came tool.Answered) string {
	t := tongueOf(language, said)
	told := t.say("tool.told", "tool", name, "result", came.Text)
	switch came.Outcome {
	case toolcall.Unknown:
		told = t.say("tool.unknown", "tool", name)
	case toolcall.Declined, toolcall.Expired:
		told = t.say("tool.notdone", "tool", name)
	}
	return markdown.Escape(told)
}
