package command

import (
	"context"
	"strings"

	"familiar/channels"
)

// voiceOff are words that ask for answers in writing, as people say them in plain words too.
var voiceOff = map[string]bool{
	"off": true, "stop": true, "quit": true, "no": true, "without": true, "hör auf": true, "höre auf": true, "hor auf": true, "keine": true, "ohne": true,
	"deja": true, "sin": true, "arrête": true, "arrete": true, "sans": true, "pas": true,
}

// voiceModes are the texts that say in what form somebody is answered.
var voiceModes = map[string]string{"on": "voice.on", "off": "voice.off", "auto": "voice.auto"}

// voiceCommand shows or sets whether a person is answered in voice messages in this room.
func (r Runner) voiceCommand(ctx context.Context, c call) (result, error) {
	if _, ok := c.channel.(channels.VoiceSender); !ok || !r.Speaks {
		return c.told("voice.unable"), nil
	}
	asked := strings.ToLower(strings.Trim(c.rest, " .!"))
	if asked == "" {
		mode, err := r.Store.Log.Voice(ctx, c.person.ID, c.room.ID)
		if mode == "" {
			mode = r.Aloud(c.room.Channel)
		}
		return result{text: c.say(voiceModes[mode]) + " " + c.say("voice.usage")}, err
	}
	mode := "on"
	switch {
	case asked == "auto":
		mode = "auto"
	case voiceOff[asked]:
		mode = "off"
	}
	if err := r.Store.Log.SetVoice(ctx, c.person.ID, c.room.ID, mode); err != nil {
		return result{}, err
	}
	return c.told(voiceModes[mode]), nil
}
