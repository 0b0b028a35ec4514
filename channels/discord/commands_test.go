package discord

import (
	"fmt"
	"strings"
	"testing"

	"familiar/channels"
	"familiar/channels/discord/discordtest"
)

func TestD8CommandsAreRegisteredOnlyWhenChanged(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	start := func(all []channels.Command) {
		t.Helper()
		c := d.channel()
		c.Commands(all)
		d.run(c).end()
	}
	start(testCommands)
	start(testCommands)
	equal(t, "registered", len(d.server.Requests("PUT /applications/")), 1)
	told := d.server.Commands()
	equal(t, "names", []string{told[0].Name, told[1].Name}, []string{"memory", "help"})
	equal(t, "option", told[0].Options[0].Description, "about what")
	start(testCommands[:1])
	equal(t, "sent after a change", len(d.server.Requests("PUT /applications/")), 2)
	equal(t, "left", len(d.server.Commands()), 1)
}

func TestD8CommandsAreShownInThePersonsLanguage(t *testing.T) {
	t.Parallel()
	memory := newCommandRig(t).server.Commands()[0]
	for locale, want := range map[string][2]string{
		"en-US": {"shows what is remembered", "about what"}, "ja": {"shows what is remembered", "about what"},
		"de": {"zeigt, was erinnert wird", "worüber"}, "es-ES": {"muestra lo recordado", "about what"}, "es-419": {"muestra lo recordado", "about what"},
	} {
		equal(t, locale, [2]string{memory.In(locale), memory.Options[0].In(locale)}, want)
	}
}

func TestD8CommandsAreOfferedWhereTheyAreOfUse(t *testing.T) {
	t.Parallel()
	for where, want := range map[channels.Place][]int{channels.InDirect: {1}, channels.InDiscreetGroup: {0, 1}, channels.InGroup: {0, 1}} {
		d := newRig(t)
		c := d.channel()
		c.Commands([]channels.Command{{Name: "x", Help: channels.Localized{"en": "x"}, Where: where}})
		d.run(c).end()
		equal(t, fmt.Sprint("place ", where), d.server.Commands()[0].Contexts, want)
	}
}

// TestD8OptionsReadAsIfTheyHadBeenTyped: the server sends them in another order than that of their definition.
func TestD8OptionsReadAsIfTheyHadBeenTyped(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	ann := d.server.Person("ann")
	dm := d.server.DM(ann)
	c := d.channel()
	text := channels.Localized{"en": "x"}
	c.Commands([]channels.Command{
		{Name: "remind", Help: text, Options: []channels.Option{{Name: "when", Help: text, Required: true}, {Name: "what", Help: text}}},
		{Name: "quiet", Help: text, Options: []channels.Option{{Name: "switch", Help: text, Choices: []string{"off"}}}},
	})
	d.run(c)
	for i, typed := range []string{"/remind tomorrow 9 call mum", "/remind drop 2", "/remind drop", "/quiet off", "/quiet"} {
		name, rest, _ := strings.Cut(typed[1:], " ")
		d.server.Use(dm, ann, name, rest)
		equal(t, "text", d.messages(i + 1)[i].Text, typed)
	}
}

func TestD8FailedCommandRegistrationIsRetried(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	d.server.AddFault(discordtest.Fault{On: "PUT /api/v9/applications/", Times: 1, Status: 500})
	c := d.channel()
	c.Commands(testCommands)
	d.run(c)
	equal(t, "registered", len(d.server.Commands()), 0)
	d.server.ExpireAndDrop()
	d.eventually("they are told", func() bool { return len(d.server.Commands()) == 2 })
}
