package app

import (
	"os"
	"strings"
	"testing"
	"time"

	"familiar/channels"
	"familiar/memory/entry"
	"familiar/memory/model"
	"familiar/persona"
	"familiar/persona/card"
)

// reloaded returns personas of which a changed file was put to use.
func reloaded(t *testing.T, config, key, text string) *Personas {
	t.Helper()
	a := appOf(t, config)
	dir := a.Config.Home.Personas()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(card.CardFile(dir, "mira"), []byte("name: Mira\ndescription: Tends the garden.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := a.Personas(nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := card.ParseCard(key+".yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	p.renew(c)
	return p
}

// TestAReloadedCardIsUsedByAll changes what others than the engine derive from a card: the hours of the jobs, how fast
// memories fade, and in which rooms it may talk.
func TestAReloadedCardIsUsedByAll(t *testing.T) {
	const adult = "name: %\ndescription: Tends the garden.\nrating: adult\ntimezone: Asia/Tokyo\nfading: {episodic: 0.5}\n"
	for _, key := range []string{"nell", "mira"} {
		p := reloaded(t, "personas: {mira: {channels: [telegram]}}\nchannels: {telegram: {token: 'file:/x', direct: open, unasked: direct}, discord: {token: 'file:/x', direct: open, unasked: direct}}\n", key, strings.Replace(adult, "%", key, 1))
		for _, a := range p.Apps {
			for _, task := range a.Tasks(p.Engine(a.Card.Key)) {
				if moved := task.Zone().String() == "Asia/Tokyo"; moved != (a.Card.Key == key) {
					t.Errorf("%s changed: %s of %s is due by the clock of %s", key, task.Name, a.Card.Key, task.Zone())
				}
			}
		}
		e := p.Engine(key)
		if e.Settings.Zone.String() != "Asia/Tokyo" || len(e.Settings.Proactive.Channels) > 0 {
			t.Errorf("%s changed: its people's days are those of %s, and it writes first on %v", key, e.Settings.Zone, e.Settings.Proactive.Channels)
		}
		gate := p.Apps[0].Gate(p.Cast)
		for channel, owner := range map[string]string{"telegram": "mira", "discord": "nell"} {
			m := channels.Message{Room: channels.Room{Channel: channel, ID: "1"}, Direct: true, Addressed: true, At: time.Now()}
			m.Author.Handle = channels.Handle{Channel: channel, ID: "7"}
			if passes := gate.Allows(t.Context(), m); passes != (owner != key) {
				t.Errorf("%s is for adults: a message to %s passes: %v", key, owner, passes)
			}
		}
	}
}

// TestReloadedRatesApplyToWhatIsStored stores a memory of a persona whose memories have come to fade faster.
func TestReloadedRatesApplyToWhatIsStored(t *testing.T) {
	p := reloaded(t, "", "nell", "name: Nell\ndescription: Keeps the light.\nfading: {episodic: 0.5}\n")
	store := p.Apps[0].Store
	said := channels.Message{ID: "1", Room: channels.Room{Channel: "chat", ID: "1"}, Direct: true, Text: "The ferry was late.", At: p.Apps[0].Now()}
	said.Author = channels.Author{Handle: channels.Handle{Channel: "chat", ID: "ann"}, Name: "Ann"}
	if _, err := p.Engine("nell").RecordConversation(t.Context(), []persona.Recorded{{Message: said}}); err != nil {
		t.Fatal(err)
	}
	all, err := store.Entries.ListMemories(t.Context(), entry.MemoryFilter{Persona: "nell"})
	if err != nil || len(all) != 1 {
		t.Fatalf("remembers %+v, %v", all, err)
	}
	m := all[0]
	usual := model.DecayModel{Threshold: model.DefaultForgetBelow}.Lifetime(model.DefaultRates[model.Episodic], m.Salience)
	if lasts := m.ForgetAt.Sub(m.Created); m.Sector != model.Episodic || (lasts-usual/100).Abs() > time.Hour {
		t.Errorf("a memory of the sector %s is forgotten after %v, want a hundredth of %v", m.Sector, lasts, usual)
	}
}
