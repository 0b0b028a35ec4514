package persona_test

// Replies as voice messages: where a person wants it, once, with the text as what is remembered and as what is sent if nothing can
// be said.

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"familiar/channels"
	"familiar/internal/speech"
	"familiar/internal/speech/speechtest"
	"familiar/memory/budget"
	"familiar/persona"
	"familiar/persona/modelvoice"
)

// radio is a phone that plays voice messages too.
type radio struct {
	phone
	mu      sync.Mutex
	played  []channels.VoiceMessage
	refuses error
}

func (r *radio) SendVoice(_ context.Context, v channels.VoiceMessage) (channels.Receipt, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.refuses != nil {
		return channels.Receipt{}, r.refuses
	}
	r.played = append(r.played, v)
	return channels.Receipt{ID: v.Key}, nil
}

func (r *radio) voices() []channels.VoiceMessage {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]channels.VoiceMessage(nil), r.played...)
}

// mouth says texts without any sound.
type mouth struct {
	mu   sync.Mutex
	said []string
	err  error
}

func (m *mouth) Speak(_ context.Context, text, _ string) (speech.VoiceNote, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.said = append(m.said, text)
	return speech.VoiceNote{Audio: []byte("OggS " + text), Length: time.Second}, m.err
}

func speaks(t *testing.T, mode string, tweak func(*persona.Parts)) (listener, *radio, *mouth) {
	t.Helper()
	r, m := &radio{phone: phone{files: map[string][]byte{}}}, &mouth{}
	l := listens(t, budget.Caps{}, func(p *persona.Parts) {
		p.Channels, p.Speaker = []channels.Channel{r}, m
		p.Settings.Aloud = func(string) string { return mode }
		if tweak != nil {
			tweak(p)
		}
	})
	l.phone, l.stage.desk = &r.phone, &r.phone.desk
	return l, r, m
}

func TestAVoiceMessageIsAnsweredByOne(t *testing.T) {
	t.Parallel()
	l, r, _ := speaks(t, persona.VoiceAuto, nil)
	if said := l.say("ann", "I live in Oslo."); said == "" || len(r.voices()) != 0 {
		t.Errorf("in writing: %q and %d voice messages", said, len(r.voices()))
	}
	if said := l.answer(l.voice("ann", "I like tea.")); said != "" || len(r.voices()) != 1 {
		t.Fatalf("aloud: %q and %d voice messages", said, len(r.voices()))
	}
	v := r.voices()[0]
	if v.Text == "" || !strings.HasPrefix(string(v.Audio), "OggS ") || v.ReplyTo == "" {
		t.Errorf("played %+v", v)
	}
	l.has(l.recorded(), v.Text)
}

func TestAPersonChoosesInTheChat(t *testing.T) {
	t.Parallel()
	l, r, _ := speaks(t, persona.VoiceOff, nil)
	for i, step := range []struct {
		said, answer string
		aloud        int
	}{
		{"I live in Oslo.", "", 0},
		{"/voice", "in writing", 0},
		{"/voice on", "in voice messages", 0},
		{"I have a dog called Rex.", "", 1},
		{"stop sending me voice messages", "in writing", 1},
		{"I like tea.", "", 1},
		{"/voice auto", "with one", 1},
		{"I like milk.", "", 1},
		{"Antworte mir bitte mit Sprachnachrichten", "", 1},
		{"I like bread.", "", 2},
	} {
		said := l.say("ann", step.said)
		if !strings.Contains(said, step.answer) || len(r.voices()) != step.aloud {
			t.Errorf("step %d: %q is answered %q with %d voice messages", i, step.said, said, len(r.voices()))
		}
	}
	if l.say("bea", "I live in Rome."); len(r.voices()) != 2 {
		t.Error("somebody else is answered aloud")
	}
	withoutVoice := listens(t, budget.Caps{}, nil)
	if said := withoutVoice.say("ann", "/voice on"); !strings.Contains(said, "cannot send voice messages") {
		t.Errorf("said %q", said)
	}
}

// TestTheTextIsTheFallback has nothing to speak with, a room without voice messages, and texts to be read.
func TestTheTextIsTheFallback(t *testing.T) {
	t.Parallel()
	l, r, m := speaks(t, persona.VoiceOn, nil)
	m.err = errors.New("no breath")
	if said := l.say("ann", "I live in Oslo."); said == "" || len(r.voices()) != 0 {
		t.Errorf("without breath: %q", said)
	}
	m.err = nil
	r.refuses = &channels.SendError{Kind: channels.Permanent, Err: errors.New("voice messages forbidden")}
	if said := l.say("ann", "I like tea."); said == "" || len(r.voices()) != 0 {
		t.Errorf("forbidden: %q", said)
	}
}

// TestA2AVoiceMessageThatMayBeShownIsNotFollowedByItsText loses the response once.
func TestA2AVoiceMessageThatMayBeShownIsNotFollowedByItsText(t *testing.T) {
	t.Parallel()
	l, r, m := speaks(t, persona.VoiceOn, nil)
	r.refuses = &channels.SendError{Kind: channels.Ambiguous, Err: errors.New("the line went dead")}
	said := make(chan string, 1)
	go func() { said <- l.say("ann", "I live in Oslo.") }()
	for range 500 {
		m.mu.Lock()
		n := len(m.said)
		m.mu.Unlock()
		if n > 0 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	time.Sleep(50 * time.Millisecond)
	r.mu.Lock()
	r.refuses = nil
	r.mu.Unlock()
	if text := <-said; text != "" {
		t.Errorf("the text followed: %q", text)
	}
	for range 1000 {
		if len(r.voices()) == 1 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if len(r.voices()) != 1 || len(m.said) != 1 {
		t.Errorf("%d voice messages, said %q", len(r.voices()), m.said)
	}
}

// TestS16SpeakingIsChargedBefore has a cap that allows no speech.
func TestS16SpeakingIsChargedBefore(t *testing.T) {
	t.Parallel()
	server := speechtest.Start(t)
	l, r, _ := speaks(t, persona.VoiceOn, func(p *persona.Parts) {
		p.Speaker = modelvoice.Speaking{
			Synthesizer: speech.NewSynthesizer(&speech.Server{BaseURL: server.BaseURL(), Timeout: time.Second}, speech.SynthesizerOptions{}),
			Meter:       modelvoice.Meter{Store: p.Store, Persona: "tess", Now: p.Now, Caps: budget.Caps{Day: budget.Amount{Tokens: 1}}}, Name: "speech/test",
		}
	})
	if said := l.say("ann", "I live in Oslo."); said == "" || len(r.voices()) != 0 || len(server.Requests()) != 0 {
		t.Errorf("said %q, %d requests", said, len(server.Requests()))
	}
}
