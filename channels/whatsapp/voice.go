package whatsapp

import (
	"context"
	"time"

	"go.mau.fi/whatsmeow"
	"go.mau.fi/whatsmeow/proto/waE2E"
	"google.golang.org/protobuf/proto"

	"familiar/channels"
)

// voiceType is the media type of what WhatsApp plays as a voice message.
const voiceType = "audio/ogg; codecs=opus"

// SendVoice implements channels.VoiceSender. The recording is encrypted before it is uploaded. Its message has the id that the text
// would have, so it is shown once; a device that could not read it and asks again gets the text.
func (c *Channel) SendVoice(ctx context.Context, v channels.VoiceMessage) (channels.Receipt, error) {
	to, ok := chatOf(v.Room.ID)
	if !ok {
		return channels.Receipt{}, refused("WhatsApp has no such chat")
	}
	l, err := c.currentConnection(ctx)
	if err != nil {
		return channels.Receipt{}, err
	}
	if err := c.allow(ctx, v.Outgoing); err != nil {
		return channels.Receipt{}, err
	}
	if err := l.reachable(ctx, to); err != nil {
		return channels.Receipt{}, err
	}
	up, err := l.client.Upload(ctx, v.Audio, whatsmeow.MediaAudio)
	if err != nil {
		return channels.Receipt{}, &channels.SendError{Kind: channels.Temporary, Err: redacted(err)} // nothing was sent yet
	}
	return l.sendAs(ctx, to, v.Outgoing, func(about *waE2E.ContextInfo) *waE2E.Message {
		return &waE2E.Message{AudioMessage: &waE2E.AudioMessage{
			PTT: proto.Bool(true), Seconds: proto.Uint32(uint32((v.Length + time.Second - 1) / time.Second)), Waveform: v.Waveform,
			Mimetype: proto.String(voiceType), URL: &up.URL, DirectPath: &up.DirectPath, MediaKey: up.MediaKey,
			FileSHA256: up.FileSHA256, FileEncSHA256: up.FileEncSHA256, FileLength: &up.FileLength, ContextInfo: about,
		}}
	})
}
