package modelvoice

import (
	"strings"

	"familiar/memory/lexical"
	"familiar/persona/care"
	"familiar/persona/scene"
	"familiar/prompts"
)

// addCare adds that somebody is met with care. The persona asks after nothing then.
func addCare(in *prompts.ReplyInput, s scene.Scene) {
	if in.Careful = careful(s); in.Careful == nil {
		return
	}
	for i := range in.Loops {
		in.Loops[i].FollowUp = false
	}
	for i := range in.Goals {
		in.Goals[i].Ask = false
	}
}

// careful returns how a prompt speaks of somebody who is met with care, nil for others.
func careful(s scene.Scene) *prompts.Careful {
	if !s.Careful() {
		return nil
	}
	danger, _ := s.InDanger()
	c := &prompts.Careful{Now: danger != care.None, Danger: dangerNames[danger], Reach: s.Care.Reach, Returns: s.Greeting != nil}
	if !c.Now {
		c.Danger = dangerNames[s.Care.Spoke]
	}
	return c
}

// dangerNames are the dangers as prompts name them.
var dangerNames = map[care.Danger]string{
	care.None: prompts.DangerNone, care.Self: prompts.DangerSelf, care.Harm: prompts.DangerHarm, care.Need: prompts.DangerNeed,
	care.Other: prompts.DangerOther,
}

// DangerOf returns the danger that a prompt's answer names, None for an unknown name.
func DangerOf(name string) care.Danger {
	for d, known := range dangerNames {
		if known == name {
			return d
		}
	}
	return care.None
}

// withReach returns a reply to somebody in danger that tells whom they can reach, in case the model did not.
func withReach(reply scene.Reply, s scene.Scene, show func(soFar string)) scene.Reply {
	danger, language := s.InDanger()
	if danger == care.None || reply.Text == "" || len(s.Care.Reach) == 0 || names(reply.Text, s.Care.Reach) {
		return reply
	}
	if language == "" {
		language = lexical.Detect(reply.Text).Tag()
	}
	reply.Text += "\n\n" + care.Listing(language, s.Care.Reach)
	if show != nil {
		show(reply.Text)
	}
	return reply
}

// names reports whether a text has a number of each line.
func names(text string, reach []string) bool {
	digits := onlyDigits(text)
	for _, line := range reach {
		number := ""
		for word := range strings.FieldsFuncSeq(line, func(r rune) bool { return !isDigit(r) && !strings.ContainsRune(" -", r) }) {
			if number = onlyDigits(word); number != "" {
				break
			}
		}
		if number == "" && !strings.Contains(text, line) || number != "" && !strings.Contains(digits, number) {
			return false
		}
	}
	return true
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' }

func onlyDigits(text string) string {
	return strings.Map(func(r rune) rune {
		if isDigit(r) {
			return r
		}
		return -1
	}, text)
}
