package persona_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"familiar/channels"
	"familiar/memory/link"
	"familiar/memory/log"
	"familiar/persona"
)

// network is a desk with another name.
type network struct {
	*desk
	name string
}

func (n network) Name() string { return n.name }

// hall is an engine with several networks, whose log is kept.
type hall struct {
	*stage
	log *strings.Builder
}

func newHall(t *testing.T) *hall {
	h := &hall{log: new(strings.Builder)}
	var mu sync.Mutex
	h.stage = play(t, func(p *persona.Parts) {
		d := p.Channels[0].(*desk)
		p.Channels = []channels.Channel{network{d, "telegram"}, network{d, "discord"}, network{d, "whatsapp"}}
		p.Log = slog.New(slog.NewTextHandler(writer(func(b []byte) (int, error) {
			mu.Lock()
			defer mu.Unlock()
			return h.log.Write(b)
		}), nil))
	})
	return h
}

type writer func([]byte) (int, error)

func (w writer) Write(b []byte) (int, error) { return w(b) }

// on is what somebody says in their direct room on a network.
func (h *hall) on(network, who, text string) channels.Message {
	m := h.message(who, text)
	m.Room.Channel, m.Author.Handle.Channel = network, network
	return m
}

func (h *hall) sayOn(network, who, text string) string {
	h.t.Helper()
	return h.answer(h.on(network, who, text))
}

func (h *hall) person(network, who string) int64 {
	h.t.Helper()
	p, err := h.store.Log.PersonByHandle(h.t.Context(), channels.Handle{Channel: network, ID: who})
	if err != nil {
		h.t.Fatal(err)
	}
	return p.ID
}

// last is the last thing said to somebody on a network.
func (h *hall) last(network, who string) string {
	out := h.desk.in(channels.Room{Channel: network, ID: who})
	if len(out) == 0 {
		return ""
	}
	return out[len(out)-1].Text
}

var shownCode = regexp.MustCompile(`/link ([A-Z2-9]{4}-[A-Z2-9]{4})`)

// code asks for a code on a network.
func (h *hall) code(network, who string) string {
	h.t.Helper()
	answer := h.sayOn(network, who, "/link")
	found := shownCode.FindStringSubmatch(answer)
	if found == nil {
		h.t.Fatalf("no code in %q", answer)
	}
	return found[1]
}

// TestS16LinkJoinsTwoAccountsAndUnlinkSeparatesThem follows a person over two networks, with Bob listening.
func TestS16LinkJoinsTwoAccountsAndUnlinkSeparatesThem(t *testing.T) {
	const canary = "Zanzibar"
	h := newHall(t)
	h.sayOn("telegram", "ann", "My sister lives in "+canary+".")
	h.sayOn("discord", "ann42", "I work as a nurse.")
	h.sayOn("discord", "bob", "Hello!")
	code := h.code("telegram", "ann")
	if answer := h.sayOn("discord", "ann42", "/link "+strings.ToLower(strings.ReplaceAll(code, "-", ""))); !strings.Contains(answer, "one person") {
		t.Fatalf("/link CODE answers %q", answer)
	}
	if told := h.last("telegram", "ann"); !strings.Contains(told, "discord") || !strings.Contains(told, "/unlink") {
		t.Errorf("the other account is told %q", told)
	}
	if h.person("telegram", "ann") != h.person("discord", "ann42") {
		t.Fatal("they are two people")
	}
	if answer := h.sayOn("discord", "ann42", "/memory sister"); !strings.Contains(answer, canary) {
		t.Errorf("on Discord she finds %q", answer)
	}
	for _, question := range []string{"/memory sister", "/memory", "Where does the sister of Ann live?", "/why"} {
		if answer := h.sayOn("discord", "bob", question); strings.Contains(answer, canary) {
			t.Errorf("Bob asks %q and hears %q", question, answer)
		}
	}
	group := h.on("discord", "ann42", "Where does my sister live?")
	group.Room.ID, group.Direct = "club", false
	if answer := h.answer(group); strings.Contains(answer, canary) {
		t.Errorf("the group hears %q", answer)
	}
	if answer := h.sayOn("discord", "ann42", "/unlink"); !strings.Contains(answer, "own again") {
		t.Errorf("/unlink answers %q", answer)
	}
	if told := h.last("telegram", "ann"); !strings.Contains(told, "discord is a person of its own") {
		t.Errorf("the other account is told %q", told)
	}
	if answer := h.sayOn("discord", "ann42", "/memory sister"); strings.Contains(answer, canary) {
		t.Errorf("after /unlink Discord still finds %q", answer)
	}
	if answer := h.sayOn("telegram", "ann", "/memory sister"); !strings.Contains(answer, canary) {
		t.Errorf("after /unlink Telegram finds only %q", answer)
	}
	if strings.Contains(h.log.String(), code) || strings.Contains(h.log.String(), strings.ReplaceAll(code, "-", "")) {
		t.Errorf("the code is in the log:\n%s", h.log)
	}
}

// TestS16CodesJoinNothingElse tries codes that must not work: each leaves two people, and the answer to a code that exists is
// the answer to one that does not.
func TestS16CodesJoinNothingElse(t *testing.T) {
	unknown := func() string { h := newHall(t); return h.sayOn("discord", "eve", "/link AAAA-BBBB") }()
	for name, try := range map[string]struct {
		run  func(h *hall, code string) string
		want string
	}{
		"her own": {func(h *hall, code string) string { return h.sayOn("telegram", "ann", "/link "+code) }, "your own code"},
		"expired": {func(h *hall, code string) string {
			h.clock.Advance(link.CodeLifetime)
			return h.sayOn("discord", "eve", "/link "+code)
		}, unknown},
		"replaced": {func(h *hall, code string) string {
			h.code("telegram", "ann")
			return h.sayOn("discord", "eve", "/link "+code)
		}, unknown},
		"on the same network": {func(h *hall, code string) string { return h.sayOn("telegram", "eve", "/link "+code) }, "different networks only"},
		"tried on the same network before": {func(h *hall, code string) string {
			h.sayOn("telegram", "eve", "/link "+code)
			return h.sayOn("discord", "eve", "/link "+code)
		}, unknown},
		"reused": {func(h *hall, code string) string {
			h.sayOn("whatsapp", "ann", "/link "+code)
			return h.sayOn("discord", "eve", "/link "+code)
		}, unknown},
		"shown in a group": {func(h *hall, code string) string {
			m := h.on("telegram", "ann", "My code is "+code+", what is it for?")
			m.Room.ID, m.Direct = "club", false
			h.answer(m)
			return h.sayOn("discord", "eve", "/link "+code)
		}, unknown},
		"shown in a group with a space": {func(h *hall, code string) string {
			m := h.on("telegram", "ann", "Just take "+strings.ReplaceAll(code, "-", " "))
			m.Room.ID, m.Direct = "club", false
			h.answer(m)
			return h.sayOn("discord", "eve", "/link "+code)
		}, unknown},
		"shown in a group where she paused": {func(h *hall, code string) string {
			pause := h.on("telegram", "ann", "/pause")
			pause.Room.ID, pause.Direct = "club", false
			h.answer(pause)
			m := h.on("telegram", "ann", "My code is "+code)
			m.Room.ID, m.Direct = "club", false
			h.answer(m)
			return h.sayOn("discord", "eve", "/link "+code)
		}, unknown},
		"sent in a group": {func(h *hall, code string) string {
			m := h.on("discord", "eve", "/link "+code)
			m.Room.ID, m.Direct = "club", false
			h.answer(m)
			return h.sayOn("discord", "eve", "/link "+code)
		}, unknown},
		"malformed": {func(h *hall, code string) string {
			h.sayOn("discord", "eve", "/link "+code[:7])
			h.sayOn("discord", "eve", "/link ⛄"+strings.Repeat("💥", 5000))
			return h.sayOn("discord", "eve", "/link "+code+"X")
		}, unknown},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHall(t)
			h.sayOn("telegram", "ann", "Hello.")
			h.sayOn("discord", "eve", "Hello.")
			if answer := try.run(h, h.code("telegram", "ann")); !strings.Contains(answer, try.want) {
				t.Errorf("it answers %q", answer)
			}
			if h.person("telegram", "ann") == h.person("discord", "eve") {
				t.Error("Ann and Eve are one person")
			}
		})
	}
}

// TestS16SomebodyElsesAccountCannotBeUnlinked: only own accounts can be named.
func TestS16SomebodyElsesAccountCannotBeUnlinked(t *testing.T) {
	h := newHall(t)
	h.sayOn("discord", "eve", "Hello.")
	h.sayOn("discord", "ann42", "/link "+h.code("telegram", "ann"))
	for _, name := range []string{"ann", "telegram:ann", "telegram", "ann42"} {
		if answer := h.sayOn("discord", "eve", "/unlink "+name); !strings.Contains(answer, "no such account") {
			t.Errorf("/unlink %s by Eve answers %q", name, answer)
		}
	}
	if answer := h.sayOn("discord", "eve", "/unlink"); !strings.Contains(answer, "linked with no other") {
		t.Errorf("/unlink by Eve answers %q", answer)
	}
	if h.person("telegram", "ann") != h.person("discord", "ann42") {
		t.Error("Eve separated Ann")
	}
}

// TestS16WrongCodesAreBounded: one account has few guesses, all accounts together a thousand; then not even a right code
// works, and the operator is told.
func TestS16WrongCodesAreBounded(t *testing.T) {
	h := newHall(t)
	code := h.code("telegram", "ann")
	for i := range link.GuessesPerAccount {
		h.sayOn("discord", "eve", fmt.Sprintf("/link AAAA-BBB%d", 2+i))
	}
	if answer := h.sayOn("discord", "eve", "/link "+code); !strings.Contains(answer, "Too many") {
		t.Errorf("after five wrong codes a right one gets %q", answer)
	}
	if answer := h.sayOn("discord", "ann42", "/link "+code); !strings.Contains(answer, "one person") {
		t.Errorf("another account's right code gets %q", answer)
	}
	h.sayOn("discord", "ann42", "/unlink")

	code = h.code("telegram", "ann")
	for i := range link.GuessesOverall {
		who := channels.Handle{Channel: "discord", ID: fmt.Sprintf("guesser%d", i/link.GuessesPerAccount)}
		if _, err := h.store.Links.Redeem(t.Context(), link.Request{Account: who, Code: fmt.Sprint(i)}); !errors.Is(err, link.ErrWrongCode) && !errors.Is(err, link.ErrTooMany) {
			t.Fatalf("guess %d: %v", i, err)
		}
	}
	if answer := h.sayOn("discord", "ann42", "/link "+code); !strings.Contains(answer, "Too many") {
		t.Errorf("after a thousand wrong codes a right one gets %q", answer)
	}
	g, err := h.store.Links.Guesses(t.Context())
	if err != nil || g.Wrong < 990 || !g.LockedUntil.Equal(h.clock.Now().Add(link.LockTime)) {
		t.Errorf("the operator reads %+v, %v", g, err)
	}
	h.clock.Advance(link.LockTime + time.Minute)
	code = h.code("telegram", "ann")
	if answer := h.sayOn("discord", "ann42", "/link "+code); !strings.Contains(answer, "one person") {
		t.Errorf("an hour later a right code gets %q", answer)
	}
}

// TestS16OneOfTwoUsesAtOnceWins: a code is used once, whoever is faster.
func TestS16OneOfTwoUsesAtOnceWins(t *testing.T) {
	h := newHall(t)
	h.sayOn("discord", "eve", "Hello.")
	h.sayOn("whatsapp", "zoe", "Hello.")
	code := h.code("telegram", "ann")
	h.hear(h.on("discord", "eve", "/link "+code))
	h.hear(h.on("whatsapp", "zoe", "/link "+code))
	h.rest()
	joined := 0
	for network, who := range map[string]string{"discord": "eve", "whatsapp": "zoe"} {
		if h.person(network, who) == h.person("telegram", "ann") {
			joined++
		}
	}
	if joined != 1 {
		t.Errorf("the code joined %d accounts", joined)
	}
}

// TestS16ACrashInBetweenLinksWholeOrNotAtAll: whatever the store refuses, the code still works afterwards.
func TestS16ACrashInBetweenLinksWholeOrNotAtAll(t *testing.T) {
	for _, change := range []string{
		"BEFORE INSERT ON link_parts", "BEFORE DELETE ON people", "BEFORE UPDATE ON memories", "BEFORE INSERT ON outbox", "BEFORE DELETE ON link_codes",
	} {
		t.Run(change, func(t *testing.T) {
			h := newHall(t)
			h.sayOn("telegram", "ann", "I live in Berlin.")
			h.sayOn("discord", "ann42", "I work as a nurse.")
			ann, other, code := h.person("telegram", "ann"), h.person("discord", "ann42"), h.code("telegram", "ann")
			free := h.stuck(change)
			request := link.Request{
				Person: other, Account: channels.Handle{Channel: "discord", ID: "ann42"}, Code: code, Answer: log.CommandAnswer{Persona: "tess", Key: "k"},
				Told: func(link.Result) (string, string) { return "here", "there" },
			}
			if _, err := h.store.Links.Redeem(context.WithoutCancel(t.Context()), request); err == nil {
				t.Fatal("it worked")
			}
			free()
			if h.person("discord", "ann42") != other || h.person("telegram", "ann") != ann {
				t.Error("it is half done")
			}
			if answer := h.sayOn("discord", "ann42", "/link "+code); !strings.Contains(answer, "one person") {
				t.Errorf("afterwards the code gets %q", answer)
			}
		})
	}
}
