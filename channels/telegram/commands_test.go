package telegram

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"familiar/channels"
	"familiar/channels/telegram/telegramtest"
)

var menuCommands = []channels.Command{
	{
		Name: "memory", Args: channels.Localized{"en": "[words]", "de": "[Wörter]"}, Where: channels.InDiscreetGroup,
		Help: channels.Localized{"en": "what I know", "de": "was ich weiß"},
	},
	{Name: "pause", Help: channels.Localized{"en": "I hear nothing", "de": "ich höre nichts"}, Where: channels.InGroup},
}

// begin starts another process that publishes the commands.
func (r *rig) begin(all []channels.Command) {
	_ = r.stop()
	r.tg.api.closeIdle()
	r.open()
	r.tg.Commands(all)
	r.serve()
}

// requests returns how often lists were set, and how often deleted.
func (r *rig) menuRequests() [2]int {
	return [2]int{len(r.server.Calls("setMyCommands")), len(r.server.Calls("deleteMyCommands"))}
}

func TestT10CommandsAreShownInThePersonsLanguageAndWhereTheyAreOfUse(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.begin(menuCommands)
		equal(t, "alone, German", r.server.Commands(ann, "de"),
			[]telegramtest.Command{{Name: "memory", Description: "[Wörter] was ich weiß"}, {Name: "pause", Description: "ich höre nichts"}})
		equal(t, "alone, Japanese", r.server.Commands(ann, "ja"),
			[]telegramtest.Command{{Name: "memory", Description: "[words] what I know"}, {Name: "pause", Description: "I hear nothing"}})
		equal(t, "group, German", r.server.Commands(group, "de"), []telegramtest.Command{{Name: "pause", Description: "ich höre nichts"}})
		equal(t, "group, English", r.server.Commands(group, "en"), []telegramtest.Command{{Name: "pause", Description: "I hear nothing"}})
		r.server.Say(ann, ann, "hello")
		equal(t, "received", r.texts(), []string{"hello"})
	})
}

func TestT10CommandsAreRegisteredOnceUntilTheyChange(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.begin(menuCommands)
		r.begin(menuCommands)
		equal(t, "set and deleted", r.menuRequests(), [2]int{4, 0})
		changed := []channels.Command{menuCommands[0], {Name: "pause", Help: channels.Localized{"en": "I hear nothing", "de": "ich bin taub"}, Where: channels.InGroup}}
		r.begin(changed)
		equal(t, "the German lists only", r.menuRequests(), [2]int{6, 0})
		equal(t, "German", r.server.Commands(group, "de"), []telegramtest.Command{{Name: "pause", Description: "ich bin taub"}})
		r.begin([]channels.Command{{Name: "pause", Help: channels.Localized{"en": "I hear nothing"}}})
		equal(t, "without German", r.menuRequests(), [2]int{8, 2})
		equal(t, "German", r.server.Commands(ann, "de"), []telegramtest.Command{{Name: "pause", Description: "I hear nothing"}})
	})
}

func TestT10ARefusedListOfCommandsIsRegisteredAtTheNextStart(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.server.AddFault(telegramtest.Fault{Method: "setMyCommands", Skip: 1, Times: 1, Status: http.StatusTooManyRequests})
		r.begin(menuCommands)
		equal(t, "the rest is not tried", r.menuRequests(), [2]int{2, 0})
		r.server.Say(ann, ann, "hello")
		equal(t, "received all the same", r.texts(), []string{"hello"})
		r.begin(menuCommands)
		equal(t, "those not set yet", r.menuRequests(), [2]int{5, 0})
	})
}

func TestT10TheListOfAnEarlierVersionIsDeleted(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		if err := r.store.Put(context.Background(), fmt.Sprintf("commands/%d", bot.ID), `[{"command":"help","description":"x"}]`); err != nil {
			t.Fatal(err)
		}
		r.begin(menuCommands)
		equal(t, "requests", r.menuRequests(), [2]int{4, 1})
		equal(t, "of which", r.server.Calls("deleteMyCommands")[0].Params["scope"], `{"type":"default"}`)
	})
}

func TestMenusKeepTelegramsLimits(t *testing.T) {
	many := make([]channels.Command, 120)
	for i := range many {
		many[i] = channels.Command{Name: "x", Help: channels.Localized{"en": strings.Repeat("ü", 300)}}
	}
	for _, m := range menus(many) {
		if len(m.commands) > 100 {
			t.Errorf("%s has %d commands", m.key(), len(m.commands))
		}
		for _, c := range m.commands {
			if n := len([]rune(c.Description)); n != 256 {
				t.Errorf("a description has %d characters", n)
			}
		}
	}
}
