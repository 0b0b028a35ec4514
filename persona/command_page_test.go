package persona_test

import (
	"bytes"
	"crypto/rand"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"familiar/channels"
	"familiar/internal/llm"
	"familiar/memory/login"
	"familiar/persona"
	"familiar/persona/modelvoice"
	"familiar/prompts"
)

// served has the dashboard served at an address.
func served(address string) func(*persona.Parts) {
	return func(p *persona.Parts) { p.Settings.SignIn = func() string { return address + "/login/" } }
}

var pageLink = regexp.MustCompile(`https?://[^\s<>]+/login/(fam_[\w-]{43})`)

// TestMeGivesAPrivateLinkInEveryLanguage asks for the page, and uses the link as a browser does.
func TestMeGivesAPrivateLinkInEveryLanguage(t *testing.T) {
	t.Parallel()
	s := play(t, served("https://familiar.example.org"))
	local := play(t, served("http://127.0.0.1:8484"))
	none := play(t, nil)
	for language, said := range map[string]struct{ link, here, none string }{
		"en": {"within 15 minutes", "only on the machine", "/memory shows"},
		"de": {"innerhalb von 15 Minuten", "nur auf dem Rechner", "/memory zeigt"},
		"es": {"en 15 minutos", "Solo se abre en la máquina", "/memory muestra"},
		"fr": {"dans les 15 minutes", "que sur la machine", "/memory montre"},
	} {
		for _, at := range []*stage{s, local, none} {
			at.say("ann", "/language "+language)
		}
		answer := s.say("ann", "/me")
		link := pageLink.FindStringSubmatch(answer)
		if link == nil || !strings.HasPrefix(link[0], "https://familiar.example.org/login/") || !strings.Contains(answer, said.link) || strings.Contains(answer, said.here) {
			t.Fatalf("%s: /me is answered %q", language, answer)
		}
		_, session, err := s.store.Logins.Redeem(t.Context(), rand.Reader, link[1], "")
		ann, notFound := s.store.Log.PersonByHandle(t.Context(), channels.Handle{Channel: "desk", ID: "ann"})
		if err != nil || notFound != nil || session.Role != login.Person || session.Persona != "tess" || session.PersonID != ann.ID {
			t.Errorf("%s: the link logs in to %+v, %v, %v", language, session, err, notFound)
		}
		if answer := local.say("ann", "/me"); !strings.Contains(answer, said.here) || pageLink.FindString(answer) == "" {
			t.Errorf("%s: with a local address it is answered %q", language, answer)
		}
		if answer := none.say("ann", "/me"); !strings.Contains(answer, said.none) || !strings.Contains(answer, "/export") || !strings.Contains(answer, "/forget") || strings.Contains(answer, "fam_") {
			t.Errorf("%s: without a dashboard it is answered %q", language, answer)
		}
	}
}

// The link is for the person alone: in a group there is none, and a later one replaces it.
func TestMeIsAnsweredInPrivate(t *testing.T) {
	t.Parallel()
	s := play(t, served("https://familiar.example.org"))
	if answer := s.answer(s.group("ann", "/me", true)); strings.Contains(answer, "fam_") {
		t.Errorf("in a group it says %q", answer)
	}
	m := s.group("ann", "/me", true)
	m.PrivateReply = true
	if answer := s.answer(m); !strings.Contains(answer, "direct talk only") {
		t.Errorf("in a group, to them alone, it says %q", answer)
	}
	first, second := pageLink.FindStringSubmatch(s.say("ann", "/me")), pageLink.FindStringSubmatch(s.say("ann", "/me"))
	if _, _, err := s.store.Logins.Redeem(t.Context(), rand.Reader, first[1], ""); err == nil {
		t.Error("the link that was replaced still works")
	}
	s.clock.Advance(15 * time.Minute)
	if _, _, err := s.store.Logins.Redeem(t.Context(), rand.Reader, second[1], ""); err == nil {
		t.Error("the link works after 15 minutes")
	}
}

// A link is in what was sent and nowhere else: not in the store, the log or any prompt, also if they send it back (S14).
func TestS14TheLinkOfAPageIsNotKept(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var asked strings.Builder
	model := llm.Answering(func(p prompts.Prompt) string {
		mu.Lock()
		defer mu.Unlock()
		asked.WriteString(p.System)
		for _, m := range p.Messages {
			asked.WriteString(m.Text)
		}
		return "Quinces are lovely."
	})
	var log bytes.Buffer
	s := play(t, func(p *persona.Parts) {
		served("https://familiar.example.org")(p)
		p.Voice = modelvoice.NewVoice(model, modelvoice.Meter{Store: p.Store, Persona: "tess", Now: p.Now}, 0, 0)
		p.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	})
	s.say("ann", "I like quinces.")
	link := pageLink.FindStringSubmatch(s.say("ann", "/me"))
	s.say("ann", "You sent me "+link[0]+" just now. What do I like?")
	s.say("ann", "/why")
	s.quit()
	mu.Lock()
	defer mu.Unlock()
	if text := asked.String(); !strings.Contains(text, "What do I like?") || strings.Contains(text, link[1][4:]) {
		t.Errorf("the prompts: %s", text)
	}
	if strings.Contains(log.String(), link[1][4:]) {
		t.Errorf("the log: %s", log.String())
	}
	backup := filepath.Join(t.TempDir(), "copy.db")
	if err := s.store.Backup(t.Context(), backup); err != nil {
		t.Fatal(err)
	}
	if content, err := os.ReadFile(backup); err != nil || bytes.Contains(content, []byte(link[1][4:])) {
		t.Errorf("the store has the link, or cannot be read: %v", err)
	}
}
