package memory_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"familiar/channels"
	"familiar/memory/belief"
	"familiar/memory/entry"
	"familiar/memory/link"
	"familiar/memory/turns"
)

// tellsOn records what somebody says on a network, read as the engine reads it.
func (w *town) tellsOn(channel, place, who, text string) turns.TurnResult {
	w.t.Helper()
	m := w.on(channel, place, who, text)
	turn := w.turn("mira", m)
	turn.Heard[0].Annotation = entry.Annotator{}.Annotate(m, "", time.UTC)
	return w.record(turn)
}

// on is a message on a network.
func (w *town) on(channel, place, who, text string) channels.Message {
	m := w.message(place, who, text)
	m.Room.Channel, m.Author.Handle.Channel = channel, channel
	return m
}

// owner returns whose account a handle is.
func (w *town) owner(channel, who string) int64 {
	w.t.Helper()
	p, err := w.Log.PersonByHandle(w.t.Context(), channels.Handle{Channel: channel, ID: who})
	if err != nil {
		w.t.Fatal(err)
	}
	return p.ID
}

// known returns what is believed, open and remembered in the direct room of an account: one line each, sorted.
func (w *town) known(channel, who string) (lines []string) {
	w.t.Helper()
	room, err := w.Log.RoomByAddress(w.t.Context(), w.on(channel, "", who, "").Room)
	if err != nil {
		w.t.Fatal(err)
	}
	h, err := w.Log.Visibility(w.t.Context(), "mira", room.ID)
	if err != nil {
		w.t.Fatal(err)
	}
	beliefs, err := w.Beliefs.Beliefs(w.t.Context(), h, belief.Filter{Limit: 1000})
	if err != nil {
		w.t.Fatal(err)
	}
	for _, b := range beliefs {
		subject := "other"
		if b.SubjectPerson == w.owner(channel, who) {
			subject = "self"
		}
		lines = append(lines, fmt.Sprintf("belief %s %s %s from %s (%d)", subject, b.Relation, strings.ToLower(b.Value), b.ValidFrom.Format(time.DateOnly), len(b.Evidence)))
	}
	loops, err := w.Beliefs.Loops(w.t.Context(), h, w.owner(channel, who))
	if err != nil {
		w.t.Fatal(err)
	}
	for _, l := range loops {
		lines = append(lines, fmt.Sprintf("loop %s %s %s", l.Kind, l.Text, l.DueFrom.Format(time.DateOnly)))
	}
	memories, err := w.Recall.MemoriesFor(w.t.Context(), h, 1000)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, m := range memories {
		lines = append(lines, "memory "+m.Text)
	}
	slices.Sort(lines)
	return lines
}

// TestLinkedAccountsAreOnePersonAndPartAgain: what was said privately on either network is known on both, and to nobody
// else; after unlinking each account knows what it said itself.
func TestLinkedAccountsAreOnePersonAndPartAgain(t *testing.T) {
	w := newTown(t)
	w.tellsOn("telegram", "", "ann", "I live in Berlin and my dog is called Rex.")
	w.tellsOn("discord", "", "ann42", "I work as a nurse.")
	w.tellsOn("discord", "", "bob", "I live in Rome.")
	before := map[string][]string{"telegram": w.known("telegram", "ann"), "discord": w.known("discord", "ann42")}
	ann, other := w.owner("telegram", "ann"), w.owner("discord", "ann42")
	if err := w.Links.Join(t.Context(), ann, other, "nell"); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(w.known("telegram", "ann"), w.known("discord", "ann42")) || w.owner("discord", "ann42") != ann {
		t.Errorf("as one person they know\n%q on Telegram and\n%q on Discord", w.known("telegram", "ann"), w.known("discord", "ann42"))
	}
	if all := strings.Join(w.known("discord", "ann42"), "\n"); !strings.Contains(all, "Rex") || !strings.Contains(all, "nurse") {
		t.Errorf("on Discord she knows only\n%s", all)
	}
	if all := strings.Join(w.known("discord", "bob"), "\n"); strings.Contains(all, "Rex") || strings.Contains(all, "nurse") {
		t.Errorf("Bob hears of it:\n%s", all)
	}
	done, err := w.Links.Separate(t.Context(), ann, "discord", "nell", nobodyTold)
	if err != nil || done.Stays != ann || w.owner("discord", "ann42") != done.Leaves || done.Leaves == ann {
		t.Fatalf("separated %+v, %v", done, err)
	}
	for channel, who := range map[string]string{"telegram": "ann", "discord": "ann42"} {
		if now := w.known(channel, who); !slices.Equal(now, before[channel]) {
			t.Errorf("on %s they know\n%s\nbefore it was\n%s", channel, strings.Join(now, "\n"), strings.Join(before[channel], "\n"))
		}
	}
	if _, err := w.Links.Separate(t.Context(), ann, "telegram", "nell", nobodyTold); !errors.Is(err, link.ErrNotLinked) {
		t.Errorf("separating the last account gave %v", err)
	}
}

// said are things people say about themselves, some of which replace others.
var said = []string{
	"I live in Berlin.", "I live in Lisbon.", "I moved to Porto.", "My dog is called Rex.", "My cat is called Mimi.", "I like jazz.",
	"I don't like jazz any more.", "I work as a nurse.", "I work as a baker.", "I am vegetarian.", "I'm going to the dentist on Friday.",
	"My sister is called Eva.", "No, I live in Rome.", "I have an exam next Monday.", "The exam went well.", "My birthday is on 3 May.",
}

// TestUnlinkingRestoresEachAccount: link and unlink after any talk leaves each account what it knew. After talk while
// linked, each remembers what it said, has its own open loops, and believes nothing but what it said itself.
func TestUnlinkingRestoresEachAccount(t *testing.T) {
	const justLinked = 20
	for seed := range uint64(30) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 16))
			linked, never := newTown(t), newTown(t)
			talk := func(n int) {
				for range n {
					at := random.IntN(2)
					channel, who := []string{"telegram", "discord"}[at], []string{"ann", "ann42"}[at]
					place, text := []string{"", "", "", "club-" + channel}[random.IntN(4)], said[random.IntN(len(said))]
					linked.tellsOn(channel, place, who, text)
					never.tellsOn(channel, place, who, text)
				}
			}
			for _, w := range []*town{linked, never} {
				w.tellsOn("telegram", "", "ann", "Hello.")
				w.tellsOn("discord", "", "ann42", "Hello.")
			}
			talk(8)
			into, from := linked.owner("telegram", "ann"), linked.owner("discord", "ann42")
			if seed%2 == 1 {
				into, from = from, into
			}
			if err := linked.Links.Join(t.Context(), into, from, "nell"); err != nil {
				t.Fatal(err)
			}
			if seed >= justLinked {
				talk(6)
			}
			if _, err := linked.Links.Separate(t.Context(), into, []string{"telegram", "discord"}[seed/2%2], "nell", nobodyTold); err != nil {
				t.Fatal(err)
			}
			for channel, who := range map[string]string{"telegram": "ann", "discord": "ann42"} {
				now, want := linked.known(channel, who), never.known(channel, who)
				if seed >= justLinked {
					checkOwnBeliefs(t, now)
					now, want = withoutBeliefs(now), withoutBeliefs(want)
				}
				if !slices.Equal(now, want) {
					t.Errorf("on %s they know\n  %s\nwithout the link it would be\n  %s", channel, strings.Join(now, "\n  "), strings.Join(want, "\n  "))
				}
			}
		})
	}
}

func withoutBeliefs(lines []string) []string {
	return slices.DeleteFunc(slices.Clone(lines), func(l string) bool { return strings.HasPrefix(l, "belief ") })
}

// checkOwnBeliefs reports beliefs about a town, a job or a pet that none of the remembered lines names.
func checkOwnBeliefs(t *testing.T, lines []string) {
	t.Helper()
	memories := strings.ToLower(strings.Join(withoutBeliefs(lines), "\n"))
	for _, l := range lines {
		for _, word := range []string{"berlin", "lisbon", "porto", "rome", "nurse", "baker", "rex", "mimi", "eva", "jazz"} {
			if strings.HasPrefix(l, "belief ") && strings.Contains(l, word) && !strings.Contains(memories, word) {
				t.Errorf("%q rests on what the other account said:\n%s", l, memories)
			}
		}
	}
}

// nobodyTold sends no notice.
func nobodyTold(link.Separated) []link.Notice { return nil }
