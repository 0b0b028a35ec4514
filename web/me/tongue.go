package me

import (
	"embed"

	"familiar/memory/erase"
	"familiar/web/wording"
)

//go:embed wordings/*.txt
var files embed.FS

// tongue is what the pages say in one language.
type tongue struct{ *wording.Tongue }

var tongues = wording.Load(files)

// tongueOf returns the language that a person chose, else the one that their browser asks for, else English.
func tongueOf(chosen, accepted string) tongue {
	return tongue{tongues()[wording.Choose(chosen, accepted)]}
}

// say words the text under key. fill are pairs of a slot and what stands in it.
func (t tongue) say(key string, fill ...any) string { return t.Say(key, fill...) }

// gone lists what goes, each kind by itself.
func (t tongue) gone(f erase.ForgetResult) (all []string) {
	for _, part := range []struct {
		n    int
		kind string
	}{
		{f.Memories, "memory"},
		{f.Beliefs, "belief"},
		{f.Loops, "loop"},
		{f.Messages, "message"},
		{f.Replies, "reply"},
		{f.Files, "file"},
		{f.Unsent, "unsent"},
		{f.Accounts, "account"},
		{f.Rooms, "room"},
	} {
		switch {
		case part.n == 1:
			all = append(all, t.say("n."+part.kind+".one"))
		case part.n > 1:
			all = append(all, t.say("n."+part.kind+".many", "n", part.n))
		}
	}
	return all
}
