package doctor

import (
	"context"
	"fmt"
	"time"

	"familiar/internal/app"
	"familiar/internal/cli"
	"familiar/internal/speech"
)

// checkSpeech sends the configured server a second of silence, and says whether recordings can be converted.
func checkSpeech(ctx context.Context, inv *cli.Invocation) (told []finding, _ error) {
	t, err := app.NewTranscriber(inv.Loaded)
	switch {
	case err != nil: // the configuration check reports it
		return []finding{{"speech", stateWarning, "the server for recordings was not asked: " + err.Error(), ""}}, nil
	case t == nil:
		return []finding{{"speech", stateOK, "voice messages are not listened to", "docs/voice.md explains how to set speech.transcribe"}}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, modelTimeout)
	defer cancel()
	started := inv.Now()
	if _, err := t.Transcribe(ctx, speech.Recording{Data: speech.Silence(time.Second)}); err != nil {
		told = append(told, finding{"speech", stateProblem, "voice messages are not heard: " + err.Error(), ""})
	} else {
		told = append(told, finding{"speech", stateOK, fmt.Sprintf("voice messages are heard; a second of silence took %s", inv.Now().Sub(started).Round(10*time.Millisecond)), ""})
	}
	if !(speech.Converter{}).Present() {
		told = append(told, finding{"speech", stateWarning, "recordings in formats that the server does not take are not heard", "install ffmpeg"})
	}
	return told, nil
}
