package whatsapp

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"time"

	"go.mau.fi/whatsmeow"
	"go.mau.fi/whatsmeow/proto/waE2E"
	"google.golang.org/protobuf/proto"

	"familiar/channels"
)

// fileRef returns what it takes to download a picture or a recording and to decrypt it, "" if m has neither.
func fileRef(m *waE2E.Message) string {
	only := &waE2E.Message{}
	switch {
	case m.GetImageMessage() != nil:
		p := m.GetImageMessage()
		only.ImageMessage = &waE2E.ImageMessage{
			URL: p.URL, DirectPath: p.DirectPath, MediaKey: p.MediaKey, FileEncSHA256: p.FileEncSHA256, FileSHA256: p.FileSHA256,
			FileLength: p.FileLength, Mimetype: p.Mimetype,
		}
	case m.GetPtvMessage() != nil:
		p := m.GetPtvMessage()
		only.PtvMessage = &waE2E.VideoMessage{
			URL: p.URL, DirectPath: p.DirectPath, MediaKey: p.MediaKey, FileEncSHA256: p.FileEncSHA256, FileSHA256: p.FileSHA256,
			FileLength: p.FileLength, Mimetype: p.Mimetype,
		}
	case m.GetAudioMessage() != nil:
		p := m.GetAudioMessage()
		only.AudioMessage = &waE2E.AudioMessage{
			URL: p.URL, DirectPath: p.DirectPath, MediaKey: p.MediaKey, FileEncSHA256: p.FileEncSHA256, FileSHA256: p.FileSHA256,
			FileLength: p.FileLength, Mimetype: p.Mimetype,
		}
	default:
		return ""
	}
	raw, err := proto.Marshal(only)
	if err != nil {
		return ""
	}
	return base64.StdEncoding.EncodeToString(raw)
}

// downloadOf returns what a reference refers to. References of earlier versions hold a picture alone.
func downloadOf(ref string) (whatsmeow.DownloadableMessage, error) {
	raw, err := base64.StdEncoding.DecodeString(ref)
	if err != nil {
		return nil, err
	}
	var m waE2E.Message
	if err := proto.Unmarshal(raw, &m); err == nil {
		if part := downloadable(&m); part != nil {
			return part, nil
		}
	}
	var p waE2E.ImageMessage
	if err := proto.Unmarshal(raw, &p); err != nil {
		return nil, err
	}
	return &p, nil
}

// recording returns whose words a recording is, and how long it says that it is.
func recording(m *waE2E.Message) (channels.Speech, time.Duration) {
	kind, seconds := channels.NoSpeech, uint32(0)
	switch audio := m.GetAudioMessage(); {
	case m.GetPtvMessage() != nil:
		kind, seconds = channels.OwnSpeech, m.GetPtvMessage().GetSeconds()
	case audio.GetPTT():
		kind, seconds = channels.OwnSpeech, audio.GetSeconds()
	case audio != nil:
		kind, seconds = channels.PassedOn, audio.GetSeconds()
	}
	if kind != channels.NoSpeech && contextOf(m).GetIsForwarded() {
		kind = channels.PassedOn
	}
	return kind, time.Duration(seconds) * time.Second
}

// FetchFile implements channels.FileFetcher.
func (c *Channel) FetchFile(ctx context.Context, a channels.Attachment, limit int64) ([]byte, error) {
	part, err := downloadOf(a.Ref)
	if err != nil {
		return nil, fmt.Errorf("fetch a file from WhatsApp: %w", err)
	}
	if sized, ok := part.(interface{ GetFileLength() uint64 }); ok && sized.GetFileLength() > uint64(max(limit, 0)) {
		return nil, errors.New("fetch a file from WhatsApp: it is too large")
	}
	l, err := c.currentConnection(ctx)
	if err != nil {
		return nil, err
	}
	data, err := l.client.Download(ctx, part)
	switch {
	case err != nil:
		return nil, fmt.Errorf("fetch a file from WhatsApp: %w", redacted(err))
	case int64(len(data)) > limit:
		return nil, errors.New("fetch a file from WhatsApp: it is larger than announced")
	}
	return data, nil
}
