package speech_test

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"slices"
	"testing"
	"time"

	"familiar/internal/speech"
	"familiar/internal/speech/speechtest"
)

// TestWhatIsSaidIsUnderstood speaks with a server and with espeak-ng, and lets the loopback transcriber listen.
func TestWhatIsSaidIsUnderstood(t *testing.T) {
	s := speechtest.Start(t)
	s.Speak(utterance)
	server := &speech.Server{BaseURL: s.BaseURL(), APIKey: "sk-secret", Timeout: 20 * time.Second}
	for name, c := range map[string]*speech.Synthesizer{
		"server": speech.NewSynthesizer(server, speech.SynthesizerOptions{Model: "tts-1", Voice: "nova"}),
		"espeak": speech.NewSynthesizer(nil, speech.SynthesizerOptions{}),
	} {
		t.Run(name, func(t *testing.T) {
			note, err := c.Speak(t.Context(), utterance, "en")
			if err != nil || speech.FormatOf(note.Audio) != speech.Ogg || !bytes.Contains(note.Audio[:64], []byte("OpusHead")) {
				t.Fatalf("said %d bytes, %v", len(note.Audio), err)
			}
			if note.Length < 2*time.Second || note.Length > 8*time.Second || len(note.Waveform) != 64 || slices.Max(note.Waveform) != 100 {
				t.Errorf("takes %s with the waveform %v", note.Length, note.Waveform)
			}
			if heard, err := transcriber(s, nil).Transcribe(t.Context(), speech.Recording{Data: note.Audio}); err != nil || heard.Text != utterance {
				t.Errorf("heard %q, %v", heard.Text, err)
			}
		})
	}
	for _, r := range s.Requests() {
		if r.Path == "/v1/audio/speech" && (r.Fields["input"] != utterance || r.Fields["voice"] != "nova" || r.Fields["response_format"] != "opus" || r.Key != "Bearer sk-secret") {
			t.Errorf("asked %v", r.Fields)
		}
	}
}

// TestATextIsNoOption says what espeak-ng would take for an option or a mark.
func TestATextIsNoOption(t *testing.T) {
	speechtest.Speak(t, "ready")
	s := speech.NewSynthesizer(nil, speech.SynthesizerOptions{})
	for _, text := range []string{"--help", "-f /etc/passwd", "<audio src=\"/etc/passwd\"/>", "$(id) `id`"} {
		if note, err := s.Speak(t.Context(), text, "en"); err != nil || note.Length < 100*time.Millisecond {
			t.Errorf("%q: %s, %v", text, note.Length, err)
		}
	}
}

// TestASpeakerThatFails has servers that answer with something else, and machines without the programs.
func TestASpeakerThatFails(t *testing.T) {
	s := speechtest.Start(t)
	server := &speech.Server{BaseURL: s.BaseURL(), Timeout: 5 * time.Second, Sleep: func(context.Context, time.Duration) error { return nil }}
	nowhere := speech.Converter{Program: "/nowhere/ffmpeg"}
	for name, c := range map[string]struct {
		s      *speech.Synthesizer
		answer http.HandlerFunc
		want   speech.Kind
	}{
		"a page":     {speech.NewSynthesizer(server, speech.SynthesizerOptions{}), says(200, "<html>hello</html>"), speech.Nonsense},
		"nothing":    {speech.NewSynthesizer(server, speech.SynthesizerOptions{}), says(200, ""), speech.Nonsense},
		"key":        {speech.NewSynthesizer(server, speech.SynthesizerOptions{}), says(401, "no"), speech.Auth},
		"no ffmpeg":  {speech.NewSynthesizer(server, speech.SynthesizerOptions{Converter: nowhere}), says(200, string(speech.Silence(time.Second))), speech.Missing},
		"no espeak":  {speech.NewSynthesizer(nil, speech.SynthesizerOptions{Espeak: "/nowhere/espeak-ng"}), nil, speech.Missing},
		"three days": {speech.NewSynthesizer(server, speech.SynthesizerOptions{Converter: nowhere}), says(200, "OggS\x00\x04\x00\x00\x00\x00\x0c\x00\x00\x00 OpusHead and so on"), speech.Nonsense},
	} {
		s.Answer(c.answer)
		_, err := c.s.Speak(t.Context(), "hello", "en")
		if fault, ok := errors.AsType[*speech.Error](err); !ok || fault.Kind != c.want {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}
