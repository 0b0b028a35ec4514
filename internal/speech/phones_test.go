package speech_test

import (
	"bytes"
	_ "embed"
	"errors"
	"slices"
	"testing"
	"time"

	"familiar/internal/speech"
	"familiar/internal/speech/speechtest"
)

// amr is the utterance as an old phone records it: espeak-ng, 8 kHz, AMR at 5.15 kbit/s. ffmpeg reads the format, but does not write it.
//
//go:embed testdata/utterance.amr
var amr []byte

// TestOldPhonesAreHeard sends AMR, and the containers in which phones put it and AAC.
func TestOldPhonesAreHeard(t *testing.T) {
	s := speechtest.Start(t)
	wav := s.Speak(utterance)
	for name, c := range map[string]struct {
		file []byte
		sent string
	}{
		"AMR":         {amr, "voice.wav"},
		"AMR in 3GP":  {speechtest.As(t, amr, "3gp", "-c", "copy"), "voice.m4a"},
		"AAC in 3GP":  {speechtest.As(t, wav, "3gp", "-c:a", "aac", "-ar", "16000"), "voice.m4a"},
		"AAC in MP4":  {speechtest.As(t, wav, "mp4", "-c:a", "aac"), "voice.m4a"},
		"with a film": {speechtest.As(t, wav, "mp4", "-f", "lavfi", "-i", "color=s=16x16:r=5", "-shortest", "-c:v", "mpeg4", "-c:a", "aac"), "voice.m4a"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := transcriber(s, nil).Transcribe(t.Context(), speech.Recording{Data: c.file})
			last := s.Requests()[len(s.Requests())-1]
			if err != nil || got.Text != utterance || last.Name != c.sent {
				t.Errorf("heard %q in %s, %v", got.Text, last.Name, err)
			}
			if length := (speech.Recording{Data: c.file}).Duration(); length < 3*time.Second || length > 7*time.Second {
				t.Errorf("takes %s for its length", length)
			}
			onlyWAV := func(o *speech.TranscriberOptions) { o.Takes = []speech.Format{speech.WAV} }
			if got, err := transcriber(s, onlyWAV).Transcribe(t.Context(), speech.Recording{Data: c.file}); err != nil || got.Text != utterance {
				t.Errorf("heard %q as WAV, %v", got.Text, err)
			}
		})
	}
}

// TestS16ThreeHoursAreNotSent has recordings whose files tell that they are long, whatever the network says.
func TestS16ThreeHoursAreNotSent(t *testing.T) {
	s := speechtest.Start(t)
	const frames = 3 * 60 * 60 * 50
	for name, file := range map[string][]byte{
		"AMR":          slices.Concat([]byte("#!AMR\n"), bytes.Repeat(append([]byte{0x04}, make([]byte, 12)...), frames)),
		"wideband AMR": slices.Concat([]byte("#!AMR-WB\n"), bytes.Repeat(append([]byte{0x04}, make([]byte, 17)...), frames)),
		"AAC":          bytes.Repeat([]byte{0xff, 0xf1, 0x60, 0x40, 0x01, 0x3f, 0xfc, 0, 0}, 3*60*60*16_000/1024+1),
		"MP3 of noise": slices.Concat([]byte("ID3"), make([]byte, 10<<20)),
	} {
		r := speech.Recording{Data: file, Length: 5 * time.Second}
		if name == "MP3 of noise" { // which does not tell: nobody says how long it is
			r.Length = 0
		}
		if length := r.Duration(); length < 3*time.Hour {
			t.Errorf("%s: takes %s for its length", name, length)
		}
		_, err := transcriber(s, nil).Transcribe(t.Context(), r)
		if fault, ok := errors.AsType[*speech.Error](err); !ok || fault.Kind != speech.TooLarge {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := len(s.Requests()); n != 0 {
		t.Errorf("%d requests", n)
	}
}

// TestASongIsAsLongAsItsFrames has MP3 files with constant and changing rates, tags, and the older kind. Their size alone would make them
// too long.
func TestASongIsAsLongAsItsFrames(t *testing.T) {
	wav := speechtest.Speak(t, utterance)
	for name, arguments := range map[string][]string{
		"constant": {"-b:a", "320k", "-ar", "44100"}, "changing": {"-q:a", "0", "-ar", "48000"}, "old": {"-b:a", "64k", "-ar", "22050"}, "older": {"-b:a", "32k", "-ar", "8000"},
		"with tags": {"-b:a", "128k", "-ar", "32000", "-id3v2_version", "3", "-write_id3v1", "1", "-metadata", "title=a song"},
	} {
		file := speechtest.As(t, wav, "mp3", arguments...)
		if length := (speech.Recording{Data: file}).Duration(); length < 3500*time.Millisecond || length > 4500*time.Millisecond {
			t.Errorf("%s: %d bytes take %s", name, len(file), length)
		}
	}
}

// TestABrokenRecordingIsRefused cuts files off, and sends what only begins like a recording.
func TestABrokenRecordingIsRefused(t *testing.T) {
	s := speechtest.Start(t)
	wav := s.Speak(utterance)
	mp4 := speechtest.As(t, wav, "m4a", "-c:a", "aac") // its index is at the end
	for name, file := range map[string][]byte{
		"MP4 without its end": mp4[:len(mp4)/2],
		"only a head":         []byte("#!AMR\n"),
		"noise after a head":  slices.Concat([]byte("OggS"), bytes.Repeat([]byte{0xa5, 0x5a, 0x3c}, 5000)),
	} {
		_, err := transcriber(s, nil).Transcribe(t.Context(), speech.Recording{Data: file, Length: time.Second})
		if fault, ok := errors.AsType[*speech.Error](err); !ok || fault.Kind != speech.WrongFormat {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got, err := transcriber(s, nil).Transcribe(t.Context(), speech.Recording{Data: amr[:len(amr)/3]}); err != nil || got.Text != "" {
		t.Errorf("a third of the words: heard %q, %v", got.Text, err)
	}
}
