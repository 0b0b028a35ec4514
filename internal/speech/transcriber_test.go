package speech_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"familiar/internal/speech"
	"familiar/internal/speech/speechtest"
)

const utterance = "My sister moved to Lisbon last spring and works in a bakery there."

func transcriber(s *speechtest.Server, tweak func(*speech.TranscriberOptions)) *speech.Transcriber {
	o := speech.TranscriberOptions{Model: "whisper-1", Language: "en", Longest: 10 * time.Minute}
	if tweak != nil {
		tweak(&o)
	}
	return speech.NewTranscriber(speech.Server{
		BaseURL: s.BaseURL(), APIKey: "sk-secret", Timeout: 20 * time.Second,
		Sleep: func(context.Context, time.Duration) error { return nil },
	}, o)
}

// TestEveryFormatIsHeard sends what people's phones record: what the server takes as it came, the rest as WAV.
func TestEveryFormatIsHeard(t *testing.T) {
	s := speechtest.Start(t)
	wav := s.Speak(utterance)
	for _, c := range []struct {
		extension string
		arguments []string
		name      string
	}{
		{"ogg", []string{"-c:a", "libopus", "-b:a", "24k"}, "voice.ogg"},
		{"mp3", nil, "voice.mp3"},
		{"m4a", []string{"-c:a", "aac"}, "voice.m4a"},
		{"webm", []string{"-c:a", "libopus"}, "voice.webm"},
		{"flac", nil, "voice.flac"},
		{"wav", nil, "voice.wav"},
		{"aac", []string{"-c:a", "aac"}, "voice.wav"},
	} {
		t.Run(c.extension, func(t *testing.T) {
			file := speechtest.As(t, wav, c.extension, c.arguments...)
			got, err := transcriber(s, nil).Transcribe(t.Context(), speech.Recording{Data: file})
			if err != nil || got.Text != utterance {
				t.Fatalf("heard %q, %v", got.Text, err)
			}
			last := s.Requests()[len(s.Requests())-1]
			if last.Name != c.name || last.Fields["model"] != "whisper-1" || last.Fields["language"] != "en" || last.Key != "Bearer sk-secret" {
				t.Errorf("sent %q with %v", last.Name, last.Fields)
			}
			length := speech.Recording{Data: file}.Duration()
			if (c.name == "voice."+c.extension || c.extension == "aac") && slices.Contains([]string{"ogg", "m4a", "flac", "wav", "mp3", "aac"}, c.extension) && (length < 2*time.Second || length > 8*time.Second) {
				t.Errorf("takes %s for its length", length)
			}
		})
	}
}

// TestSilenceAndNoiseHaveNoTranscript shows that the loopback server listens.
func TestSilenceAndNoiseHaveNoTranscript(t *testing.T) {
	s := speechtest.Start(t)
	wav := s.Speak(utterance)
	quiet := speechtest.As(t, wav, "wav", "-af", "volume=0")
	half := speechtest.As(t, wav, "ogg", "-c:a", "libopus", "-t", "1.5")
	other := speechtest.Speak(t, "Something else entirely is said here, about the weather of the day.")
	for name, file := range map[string][]byte{"silence": quiet, "half": half, "another": other} {
		if got, err := transcriber(s, nil).Transcribe(t.Context(), speech.Recording{Data: file}); err != nil || got.Text != "" {
			t.Errorf("%s: heard %q, %v", name, got.Text, err)
		}
	}
}

// TestAServerThatTakesOneFormatGetsIt converts what the server does not take, by the settings or because it refuses it.
func TestAServerThatTakesOneFormatGetsIt(t *testing.T) {
	s := speechtest.Start(t)
	ogg := speechtest.As(t, s.Speak(utterance), "ogg", "-c:a", "libopus")
	got, err := transcriber(s, func(o *speech.TranscriberOptions) { o.Takes = []speech.Format{speech.WAV} }).Transcribe(t.Context(), speech.Recording{Data: ogg})
	if err != nil || got.Text != utterance || s.Requests()[0].Name != "voice.wav" {
		t.Errorf("heard %q, %v", got.Text, err)
	}
	picky := transcriber(s, nil)
	for n, want := range []int{2, 1} { // the second time it is known
		before := len(s.Requests())
		s.Answer(func(w http.ResponseWriter, _ *http.Request) {
			if all := s.Requests(); all[len(all)-1].Name != "voice.wav" {
				http.Error(w, "unsupported format", http.StatusBadRequest)
				return
			}
			fmt.Fprint(w, `{"text":"as WAV"}`)
		})
		got, err := picky.Transcribe(t.Context(), speech.Recording{Data: ogg})
		if made := len(s.Requests()) - before; err != nil || got.Text != "as WAV" || made != want || got.Requests != want {
			t.Errorf("time %d: heard %q with %d requests, %v", n, got.Text, made, err)
		}
	}
	_, err = transcriber(s, func(o *speech.TranscriberOptions) {
		o.Takes, o.Converter = []speech.Format{speech.WAV}, speech.Converter{Program: "/nowhere/ffmpeg"}
	}).Transcribe(t.Context(), speech.Recording{Data: ogg})
	if fault, ok := errors.AsType[*speech.Error](err); !ok || fault.Kind != speech.WrongFormat || !strings.Contains(err.Error(), "install ffmpeg") {
		t.Errorf("without ffmpeg: %v", err)
	}
}

// TestBadRecordingsAreRefusedBeforeTheyAreSent has what no server need see.
func TestBadRecordingsAreRefusedBeforeTheyAreSent(t *testing.T) {
	s := speechtest.Start(t)
	long := append([]byte("RIFF\x00\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x40\x1f\x00\x00\xa0\x0f\x00\x00\x02\x00\x10\x00data\x00\x00\x00\x00"), make([]byte, 4000*700)...)
	for name, c := range map[string]struct {
		r    speech.Recording
		want speech.Kind
	}{
		"three hours":         {speech.Recording{Data: []byte("OggS"), Length: 3 * time.Hour}, speech.TooLarge},
		"longer than claimed": {speech.Recording{Data: long, Length: time.Second}, speech.TooLarge},
		"too many bytes":      {speech.Recording{Data: make([]byte, speech.MaxBytes+1), Length: time.Second}, speech.TooLarge},
		"nothing":             {speech.Recording{Length: time.Second}, speech.WrongFormat},
		"a page":              {speech.Recording{Data: []byte("<html>no recording</html>"), Length: time.Second}, speech.WrongFormat},
		"a play list":         {speech.Recording{Data: []byte("#EXTM3U\nfile:///etc/passwd\n"), Length: time.Second}, speech.WrongFormat},
		"an archive":          {speech.Recording{Data: []byte("PK\x03\x04bomb"), Length: time.Second}, speech.WrongFormat},
	} {
		_, err := transcriber(s, nil).Transcribe(t.Context(), c.r)
		if fault, ok := errors.AsType[*speech.Error](err); !ok || fault.Kind != c.want {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	if n := len(s.Requests()); n != 0 {
		t.Errorf("%d requests", n)
	}
}

// TestR10FaultsOfTheServer has what a server may answer, and S14: no key and no address in an error.
func TestR10FaultsOfTheServer(t *testing.T) {
	ogg := []byte("OggS\x00\x04\x80\xbb\x00\x00\x00\x00\x00\x00 and so on")
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		want   speech.Kind
		count  int
	}{
		"key":      {says(401, "Incorrect API key provided: sk-secret"), speech.Auth, 1},
		"quota":    {says(429, "slow down sk-secret"), speech.RateLimited, 3},
		"broken":   {says(502, "<html>bad gateway</html>"), speech.Unavailable, 3},
		"no model": {says(404, `{"error":{"message":"no model sk-secret"}}`), speech.Refused, 1},
		"no JSON":  {says(200, "hello"), speech.Unavailable, 1},
		"no text":  {says(200, `{"words":[]}`), speech.Unavailable, 1},
		"a megabyte": {func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprintf(w, `{"text":%q}`, strings.Repeat("la ", 1<<19))
		}, speech.Nonsense, 1},
		"a loop": {says(200, `{"text":"`+strings.Repeat("Thank you. ", 90)+`"}`), speech.Nonsense, 1},
		"elsewhere": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://127.0.0.1:1/steal", http.StatusTemporaryRedirect)
		}, speech.Refused, 1},
		"endless": {func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				if _, err := w.Write(make([]byte, 1<<16)); err != nil {
					return
				}
			}
		}, speech.Nonsense, 1},
	} {
		t.Run(name, func(t *testing.T) {
			s := speechtest.Start(t)
			s.Answer(c.answer)
			tr := transcriber(s, func(o *speech.TranscriberOptions) { o.Converter.Program = "/nowhere/ffmpeg" })
			_, err := tr.Transcribe(t.Context(), speech.Recording{Data: ogg})
			fault, ok := errors.AsType[*speech.Error](err)
			if !ok || fault.Kind != c.want || len(s.Requests()) != c.count {
				t.Errorf("%v after %d requests, want %s", err, len(s.Requests()), c.want)
			}
			if text := fmt.Sprint(err); strings.Contains(text, "sk-secret") || strings.Contains(text, "127.0.0.1") {
				t.Errorf("the error shows a secret: %s", text)
			}
		})
	}
}

func says(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}
}

func FuzzDuration(f *testing.F) {
	for _, seed := range []string{"OggS\x00\x04\x80\xbb\x00\x00\x00\x00\x00\x00", "RIFF\x00\x00\x00\x00WAVE", "#!AMR\n\x3c", "\x00\x00\x00\x18ftypmvhd", "fLaC", "ID3", "ID3\x04\x00\x00\x7f\x7f\x7f\x7f", "\xff\xfb\x90\x00", "\xff\xf1\x50\x80\x00\x1f\xfc"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if d := (speech.Recording{Data: data}).Duration(); d < 0 || d > 1001*time.Hour {
			t.Errorf("takes %s", d)
		}
	})
}
