package discord

import (
	"context"
	"encoding/base64"
	"errors"

	"familiar/channels"
)

// voiceName is what Discord's own apps call a voice message.
const voiceName = "voice-message.ogg"

// SendVoice implements channels.VoiceSender. Like a text, a voice message is shown once however often it is sent. The answer to a command
// cannot be one.
func (c *Channel) SendVoice(ctx context.Context, v channels.VoiceMessage) (channels.Receipt, error) {
	if v.ReplyData != "" {
		return channels.Receipt{}, &channels.SendError{Kind: channels.Permanent, Err: errors.New("a command cannot be answered with a voice message")}
	}
	id, err := c.postVoice(ctx, target(v.Room), v)
	if err != nil {
		return channels.Receipt{}, sendError(err)
	}
	return channels.Receipt{ID: id}, nil
}

// postVoice shows a voice message once and returns its id, as post does with a text.
func (c *Channel) postVoice(ctx context.Context, channel string, v channels.VoiceMessage) (string, error) {
	a, earlier, err := c.attempts.begin(ctx, channel, nonceOf(v.Key), v.ReplyTo)
	if err != nil {
		return "", err
	}
	if earlier && a.Message != "" && a.resolved {
		return a.Message, nil
	}
	if earlier && c.host.Now().Sub(a.Began) > nonceWindow {
		if id, err := c.find(ctx, channel, a.After, isOwnVoice); id != "" || err != nil {
			return id, err
		}
	}
	id, err := c.createVoice(ctx, channel, a.Nonce, v)
	switch {
	case err == nil:
		c.attempts.succeeded(channel, a, id)
	case !earlier && notShown(err):
		if err := c.attempts.withdraw(ctx, channel, a); err != nil {
			c.log.Debug("withdraw an attempt's record", "error", err) // the message is then searched for and not found
		}
	}
	return id, err
}

func isOwnVoice(m message) bool { return m.Flags&flagVoice != 0 }

// createVoice posts a voice message. If Discord knows the nonce, it returns the message created before.
func (c *Channel) createVoice(ctx context.Context, channel, nonce string, v channels.VoiceMessage) (string, error) {
	p := newPayload("", v.ReplyTo)
	p.Nonce, p.Enforce, p.Flags = nonce, true, flagVoice
	p.Files = []fileAbout{{ID: "0", Filename: voiceName, Seconds: v.Length.Seconds(), Waveform: base64.StdEncoding.EncodeToString(wave(v.Waveform))}}
	body, err := newForm(p, channels.OutgoingFile{Name: voiceName, Type: "audio/ogg", Content: v.Audio})
	if err != nil {
		return "", err
	}
	k := createCall(channel, p)
	k.body = body
	var made message
	err = c.rest.do(ctx, k, &made)
	return made.ID, err
}

// wave returns a waveform in Discord's measure, from 0 to 255. It needs one.
func wave(levels []byte) []byte {
	if len(levels) == 0 {
		return []byte{0}
	}
	scaled := make([]byte, len(levels))
	for i, l := range levels {
		scaled[i] = byte(min(int(l), 100) * 255 / 100)
	}
	return scaled
}
