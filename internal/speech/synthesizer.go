package speech

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"os/exec"
	"strings"
	"time"
)

// speakSection is the section of the configuration that a Synthesizer is set in.
const speakSection = "speech.speak"

const speaking = "say a text aloud"

// VoiceNote is a text as it is said: an Ogg file with Opus.
type VoiceNote struct {
	Audio  []byte
	Length time.Duration
	// Waveform is how loud it is over time: up to 64 values from 0 to 100, nil if nothing here can tell.
	Waveform []byte
	// Requests is how many requests it took.
	Requests int
}

// Synthesizer says texts aloud. It is safe for concurrent use; a few are said at a time.
type Synthesizer struct {
	server    *Server
	options   SynthesizerOptions
	converter Converter
	busy      chan struct{}
}

// SynthesizerOptions are what a Synthesizer asks for.
type SynthesizerOptions struct {
	// Model and Voice are the server's names; Voice is espeak-ng's without a server. "" for its default.
	Model, Voice string
	// Converter makes Ogg of what is not, and measures it. The zero value finds ffmpeg in the path.
	Converter Converter
	// Espeak is espeak-ng, "" to find it in the path.
	Espeak string
}

// NewSynthesizer returns a synthesizer that asks a server, or espeak-ng if it is nil. It does not use the network.
func NewSynthesizer(s *Server, o SynthesizerOptions) *Synthesizer {
	return &Synthesizer{server: s, options: o, converter: o.Converter, busy: make(chan struct{}, atOnce)}
}

// Missing returns the programs that are needed and not installed. A server can do without: what it sends has no waveform then.
func (s *Synthesizer) Missing() (all []string) {
	if s.server == nil {
		if _, err := exec.LookPath(s.espeak()); err != nil {
			all = append(all, "espeak-ng")
		}
	}
	if !s.converter.Present() {
		all = append(all, "ffmpeg")
	}
	return all
}

func (s *Synthesizer) espeak() string {
	if s.options.Espeak != "" {
		return s.options.Espeak
	}
	return "espeak-ng"
}

// Speak returns a text as it is said. language is its language as a tag such as "de", "" if unknown. Errors are *Error.
func (s *Synthesizer) Speak(ctx context.Context, text, language string) (VoiceNote, error) {
	select {
	case s.busy <- struct{}{}:
		defer func() { <-s.busy }()
	case <-ctx.Done():
		return VoiceNote{}, &Error{Kind: Canceled, Act: speaking, cause: context.Canceled}
	}
	said, requests, err := s.say(ctx, text, language)
	if err == nil {
		said, err = s.asVoice(ctx, said)
	}
	if err != nil {
		if fault, ok := errors.AsType[*Error](err); ok {
			fault.Act, fault.Section = speaking, speakSection
		}
		return VoiceNote{Requests: requests}, err
	}
	note := VoiceNote{Audio: said, Length: lengthOf(said), Requests: requests}
	if note.Length <= 0 || note.Length > mostSpeech(text) {
		return VoiceNote{Requests: requests}, &Error{Kind: Nonsense, Act: speaking, Section: speakSection, Detail: "the recording is empty, or far too long for the text"}
	}
	if wav, err := s.converter.ToWAV(ctx, said, note.Length); err == nil {
		note.Waveform = waveform(wav[44:])
	}
	return note, nil
}

// mostSpeech is how long a text takes at most: nobody takes a second for a letter.
func mostSpeech(text string) time.Duration {
	return 10*time.Second + time.Duration(len(text))*time.Second
}

// say returns a text as the server or espeak-ng says it, in a format of theirs.
func (s *Synthesizer) say(ctx context.Context, text, language string) (file []byte, requests int, _ error) {
	if s.server == nil {
		file, err := s.runEspeak(ctx, text, language)
		return file, 0, err
	}
	body, err := json.Marshal(map[string]string{
		"model": s.options.Model, "voice": s.options.Voice, "input": text, "response_format": "opus",
	})
	if err != nil {
		return nil, 0, err
	}
	file, _, requests, fault := s.server.ask(ctx, request{
		act: speaking, section: speakSection, path: "/audio/speech", kind: "application/json", body: body, limit: maxSpeech, said: text,
	})
	if fault != nil {
		return nil, requests, fault
	}
	return file, requests, nil
}

// espeakWithin is how long espeak-ng may take.
const espeakWithin = 30 * time.Second

// runEspeak lets espeak-ng say a text, which it reads from its input: it is no option.
func (s *Synthesizer) runEspeak(ctx context.Context, text, language string) ([]byte, error) {
	program, err := exec.LookPath(s.espeak())
	if err != nil {
		return nil, &Error{Kind: Missing, Detail: "install espeak-ng"}
	}
	voice := s.options.Voice
	if voice == "" {
		voice = language
	}
	arguments := []string{"--stdin", "--stdout"}
	if voice != "" {
		arguments = append(arguments, "-v", voice)
	}
	ctx, cancel := context.WithTimeout(ctx, espeakWithin)
	defer cancel()
	return output(ctx, program, arguments, 4*maxSpeech, strings.NewReader(text))
}

// asVoice returns a recording as Ogg with Opus, as it is if it is that.
func (s *Synthesizer) asVoice(ctx context.Context, file []byte) ([]byte, error) {
	if FormatOf(file) == Ogg && bytes.Contains(file[:min(len(file), 64)], []byte("OpusHead")) {
		return file, nil
	}
	if FormatOf(file) == Other {
		return nil, &Error{Kind: Nonsense, Detail: "the answer is no recording"}
	}
	if !s.converter.Present() {
		return nil, &Error{Kind: Missing, Detail: "install ffmpeg, which makes voice messages of what is said"}
	}
	return s.converter.ToVoice(ctx, file)
}

// waveValues is how many values a waveform has.
const waveValues = 64

// waveform returns how loud samples are over time.
func waveform(pcm []byte) []byte {
	samples := len(pcm) / sampleBytes
	if samples < waveValues {
		return nil
	}
	levels, loudest := make([]float64, waveValues), 1.0
	for i := range levels {
		from, until := i*samples/waveValues, (i+1)*samples/waveValues
		for at := from; at < until; at++ {
			v := float64(int16(uint16(pcm[2*at]) | uint16(pcm[2*at+1])<<8))
			levels[i] += v * v
		}
		levels[i] = math.Sqrt(levels[i] / float64(until-from))
		loudest = max(loudest, levels[i])
	}
	wave := make([]byte, waveValues)
	for i, l := range levels {
		wave[i] = byte(math.Round(100 * l / loudest))
	}
	return wave
}
