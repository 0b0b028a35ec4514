package whatsapp

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"

	"go.mau.fi/whatsmeow/proto/waE2E"
	"google.golang.org/protobuf/proto"

	"familiar/channels"
)

// pictureRef returns what it takes to download a picture and to decrypt it, "" if m has none.
func pictureRef(m *waE2E.Message) string {
	p := m.GetImageMessage()
	if p == nil {
		return ""
	}
	raw, err := proto.Marshal(&waE2E.ImageMessage{
		URL: p.URL, DirectPath: p.DirectPath, MediaKey: p.MediaKey, FileEncSHA256: p.FileEncSHA256, FileSHA256: p.FileSHA256,
		FileLength: p.FileLength, Mimetype: p.Mimetype,
	})
	if err != nil {
		return ""
	}
	return base64.StdEncoding.EncodeToString(raw)
}

// FetchPicture implements channels.PictureFetcher.
func (c *Channel) FetchPicture(ctx context.Context, a channels.Attachment, limit int64) ([]byte, error) {
	raw, err := base64.StdEncoding.DecodeString(a.Ref)
	var p waE2E.ImageMessage
	if err == nil {
		err = proto.Unmarshal(raw, &p)
	}
	if err != nil {
		return nil, fmt.Errorf("fetch a picture from WhatsApp: %w", err)
	}
	if p.GetFileLength() > uint64(max(limit, 0)) {
		return nil, errors.New("fetch a picture from WhatsApp: it is too large")
	}
	l, err := c.currentConnection(ctx)
	if err != nil {
		return nil, err
	}
	data, err := l.client.Download(ctx, &p)
	switch {
	case err != nil:
		return nil, fmt.Errorf("fetch a picture from WhatsApp: %w", redacted(err))
	case int64(len(data)) > limit:
		return nil, errors.New("fetch a picture from WhatsApp: it is larger than announced")
	}
	return data, nil
}
