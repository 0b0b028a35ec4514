package command

import (
	"context"
	"embed"
	"fmt"
	"strings"
	"sync"
	"time"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"familiar/channels"
	"familiar/memory"
	"familiar/memory/erase"
	"familiar/memory/lexical"
	"familiar/memory/model"
	"familiar/persona/words"
)

//go:embed wordings/*.txt
var files embed.FS

// tongue is what commands answer in one language.
type tongue struct {
	// tag is the BCP 47 primary subtag.
	tag      string
	wordings map[string]string
}

// tongues are the languages, each read on first use.
var tongues = map[string]func() *tongue{"en": lazily("en"), "de": lazily("de"), "es": lazily("es"), "fr": lazily("fr")}

func lazily(tag string) func() *tongue {
	return sync.OnceValue(func() *tongue {
		t := &tongue{tag: tag, wordings: map[string]string{}}
		for _, entry := range words.Entries(files, "wordings/"+tag+".txt") {
			t.wordings[entry[0]] = strings.ReplaceAll(entry[1], `\n`, "\n")
		}
		return t
	})
}

// tongueOf returns the language in which a person is answered: the one that they chose, else that of what they said, else
// English.
func tongueOf(chosen, said string) *tongue {
	tag, _, _ := strings.Cut(chosen, "-")
	if tag == "" {
		tag = lexical.Detect(said).Tag()
	}
	if read, known := tongues[tag]; known {
		return read()
	}
	return tongues["en"]()
}

// say words the text under key. fill are pairs of a slot and what stands in it. It returns "" if there is no such text.
func (t *tongue) say(key string, fill ...any) string {
	pairs := make([]string, len(fill))
	for i, f := range fill {
		pairs[i] = fmt.Sprint(f)
		if i%2 == 0 {
			pairs[i] = "{" + pairs[i] + "}"
		}
	}
	return strings.NewReplacer(pairs...).Replace(t.wordings[key])
}

// told is a result that is only a text.
func (t *tongue) told(key string, fill ...any) result { return result{text: t.say(key, fill...)} }

// count returns a number of things of a kind.
func (t *tongue) count(n int, kind string) string {
	if n == 1 {
		return t.say("n." + kind + ".one")
	}
	return t.say("n."+kind+".many", "n", n)
}

// listed joins names as "a, b and c".
func (t *tongue) listed(names []string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " " + t.say("and") + " " + names[last]
}

// time returns a time in the layout under key.
func (t *tongue) time(key string, at time.Time) string { return at.Format(t.say(key)) }

// gone tells what was forgotten.
func (t *tongue) gone(f erase.ForgetResult) string {
	var parts []string
	for _, p := range []struct {
		n    int
		kind string
	}{
		{f.People, "person"},
		{f.Accounts, "account"},
		{f.Rooms, "room"},
		{f.Memories, "memory"},
		{f.Beliefs, "belief"},
		{f.Loops, "loop"},
		{f.Messages, "message"},
		{f.Replies, "reply"},
		{f.Files, "file"},
		{f.Unsent, "unsent"},
	} {
		if p.n > 0 {
			parts = append(parts, t.count(p.n, p.kind))
		}
	}
	return strings.Join(parts, ", ")
}

// language returns the name of the language of a BCP 47 tag.
func (t *tongue) language(tag string) string {
	return display.Languages(language.Make(t.tag)).Name(language.Make(tag))
}

// FloodNotice tells a room that it is written to faster than it may be answered. language is the one that a person there chose,
// "" for none, and said is what they wrote.
func FloodNotice(language, said string) string { return tongueOf(language, said).say("flood") }

// unheard are the texts for why nothing of what somebody said aloud was heard.
var unheard = map[channels.Hearing]string{
	channels.Silent: "unheard.silent", channels.TooLong: "unheard.toolong", channels.NoFormat: "unheard.format",
	channels.OverCap: "unheard.cap", channels.Failed: "unheard.failed", channels.Deaf: "unheard.deaf",
}

// Unheard tells somebody why nothing of what they said aloud was heard. language is the one that the person chose, "" for none; said
// is what they wrote last, and otherwise is the language for somebody who wrote nothing yet.
func Unheard(language, said, otherwise string, why channels.Hearing) string {
	if language == "" && said == "" {
		language = otherwise
	}
	return tongueOf(language, said).say(unheard[why])
}

// languageLines is how many of somebody's own lines tell which language they write in.
const languageLines = 8

// tongueFor returns the language in which a command is answered: the one that the person chose, else that of what they said in
// the room lately, with plain, the words of a command given in plain ones. Whoever said nothing yet is answered in the language
// of rest, what stands after the command.
func (r Runner) tongueFor(ctx context.Context, person model.Person, hearing memory.Visibility, plain, rest string) (*tongue, error) {
	if person.Language != "" {
		return tongueOf(person.Language, ""), nil
	}
	recent, err := r.Store.Recall.Recent(ctx, hearing, r.RecentMessages)
	if err != nil {
		return nil, fmt.Errorf("find the language of person %d: %w", person.ID, err)
	}
	said := []string{plain}
	for i := len(recent) - 1; i >= 0 && len(said) < languageLines; i-- {
		if m := recent[i]; m.PersonID == person.ID {
			said = append(said, words.Head(m.Text))
		}
	}
	if text := strings.TrimSpace(strings.Join(said, "\n")); text != "" {
		return tongueOf("", text), nil
	}
	return tongueOf("", rest), nil
}
