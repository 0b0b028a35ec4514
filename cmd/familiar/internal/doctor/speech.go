package doctor

import (
	"context"
	"fmt"
	"strings"
	"time"

	"familiar/internal/app"
	"familiar/internal/cli"
	"familiar/internal/speech"
)

// checkSpeech lets the persona hear a second of silence and say a word.
func checkSpeech(ctx context.Context, inv *cli.Invocation) ([]Finding, error) {
	ctx, cancel := context.WithTimeout(ctx, modelTimeout)
	defer cancel()
	return append(checkHearing(ctx, inv), checkSpeaking(ctx, inv)...), nil
}

// checkSpeaking says a word aloud, as what is configured does.
func checkSpeaking(ctx context.Context, inv *cli.Invocation) (told []Finding) {
	s, err := app.NewSynthesizer(inv.Loaded, inv.Loaded.Persona)
	switch {
	case err != nil: // the configuration check reports it
		return []Finding{{"speech", stateWarning, "nothing was said aloud: " + err.Error(), ""}}
	case s == nil:
		return nil
	}
	started := inv.Now()
	if _, err := s.Speak(ctx, "Ready.", "en"); err != nil {
		return []Finding{{"speech", stateProblem, "replies are not said aloud but written: " + err.Error(), ""}}
	}
	told = append(told, Finding{"speech", stateOK, fmt.Sprintf("replies are said aloud; a word took %s", inv.Now().Sub(started).Round(10*time.Millisecond)), ""})
	if missing := s.Missing(); len(missing) > 0 {
		told = append(told, Finding{"speech", stateWarning, "voice messages show no waveform", "install " + strings.Join(missing, " and ")})
	}
	return told
}

// checkHearing sends the configured server a second of silence, and says whether recordings can be converted.
func checkHearing(ctx context.Context, inv *cli.Invocation) (told []Finding) {
	t, err := app.NewTranscriber(inv.Loaded)
	switch {
	case err != nil: // the configuration check reports it
		return []Finding{{"speech", stateWarning, "the server for recordings was not asked: " + err.Error(), ""}}
	case t == nil:
		return []Finding{{"speech", stateOK, "voice messages are not listened to", "docs/voice.md explains how to set speech.transcribe"}}
	}
	started := inv.Now()
	if _, err := t.Transcribe(ctx, speech.Recording{Data: speech.Silence(time.Second)}); err != nil {
		told = append(told, Finding{"speech", stateProblem, "voice messages are not heard: " + err.Error(), ""})
	} else {
		told = append(told, Finding{"speech", stateOK, fmt.Sprintf("voice messages are heard; a second of silence took %s", inv.Now().Sub(started).Round(10*time.Millisecond)), ""})
	}
	if !(speech.Converter{}).Present() {
		told = append(told, Finding{"speech", stateWarning, "recordings in formats that the server does not take are not heard", "install ffmpeg"})
	}
	return told
}
