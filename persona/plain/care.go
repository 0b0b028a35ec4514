package plain

import (
	"slices"
	"strings"

	"familiar/memory/lexical"
	"familiar/persona/care"
	"familiar/persona/scene"
)

// inDanger returns the fixed reply to somebody in danger, "" for others.
func (as assembler) inDanger() string {
	danger, language := as.scene.InDanger()
	if danger == care.None {
		return ""
	}
	if language == "" {
		language = lexical.Detect(as.seed).Tag()
	}
	return care.Reply(danger, language, as.scene.Care.Reach)
}

// reach returns whom somebody who is met with care can reach, to put below a reply, "" if the persona said it in this talk
// and nothing sounds like danger again.
func (as assembler) reach() string {
	listing := care.Listing(as.tongue.tag, as.scene.Care.Reach)
	if listing == "" {
		return ""
	}
	again := slices.ContainsFunc(as.scene.Incoming, func(l scene.Line) bool { return care.Read(l.Text).Maybe })
	for _, line := range as.scene.Recent {
		if line.Self && !again && strings.Contains(line.Text, as.scene.Care.Reach[0]) {
			return ""
		}
	}
	return "\n\n" + listing
}
