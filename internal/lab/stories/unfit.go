package stories

import (
	"fmt"
	"regexp"
	"strings"
)

// unfitMarks matches what no persona says: marks of reasoning, chat formats and calls, JSON, and an assistant's refusal or
// boilerplate.
var unfitMarks = regexp.MustCompile(`(?i)</?\s*(?:think|thinking|reasoning|thought|analysis|answer|tool_call|quoted)[^>]*>|<\||\|>|\[/?INST\]|` +
	"```|" + `^\s*[{\[]\s*["{]|"arguments"\s*:|` +
	`\bas an? (?:\w+ ){0,2}(?:ai|language model|assistant)\b|\bi(?:'m| am) (?:just |only )?an? (?:\w+ ){0,2}(?:ai|language model)\b|` +
	`can(?:'t|not) (?:help|assist) (?:you )?with (?:that|this)|\bthe user (?:is|asks|wants|says)\b|\bmy (?:instructions|system prompt)\b|Sprachmodell|` +
	`modelo de (?:lenguaje|linguagem)|modèle de langage|modello linguistico|言語モデル`)

// unfit returns why a text should not have been said, "" if it may be. speakers are names that stand before no line.
func unfit(said string, speakers []string) string {
	if mark := unfitMarks.FindString(said); mark != "" {
		return fmt.Sprintf("%q in %q", mark, said)
	}
	for line := range strings.Lines(said) {
		line = strings.ToLower(strings.Trim(line, " \t\r\n*_"))
		for _, name := range speakers {
			rest, found := strings.CutPrefix(line, strings.ToLower(name))
			if found && strings.HasPrefix(strings.TrimLeft(rest, " *_"), ":") {
				return fmt.Sprintf("a line of %s in %q", name, said)
			}
		}
	}
	return ""
}
