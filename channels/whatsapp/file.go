package whatsapp

import (
	"context"
	"crypto/rand"

	"go.mau.fi/whatsmeow"
	"go.mau.fi/whatsmeow/proto/waE2E"

	"familiar/channels"
)

// SendFile implements channels.FileSender. The file is encrypted for the person before it is uploaded.
func (c *Channel) SendFile(ctx context.Context, room channels.Room, f channels.OutgoingFile) (string, error) {
	to, ok := chatOf(room.ID)
	if !ok {
		return "", refused("WhatsApp has no such chat")
	}
	l, err := c.currentConnection(ctx)
	if err != nil {
		return "", err
	}
	key := rand.Text() // each file is a message of its own
	if err := c.allow(ctx, channels.Outgoing{Room: room, Key: key, Text: f.Caption}); err != nil {
		return "", err
	}
	if err := l.reachable(ctx, to); err != nil {
		return "", err
	}
	up, err := l.client.Upload(ctx, f.Content, whatsmeow.MediaDocument)
	if err != nil {
		return "", sendError(err)
	}
	document := &waE2E.DocumentMessage{
		FileName: &f.Name, Title: &f.Name, Mimetype: &f.Type, URL: &up.URL, DirectPath: &up.DirectPath, MediaKey: up.MediaKey,
		FileSHA256: up.FileSHA256, FileEncSHA256: up.FileEncSHA256, FileLength: &up.FileLength,
	}
	if f.Caption != "" {
		document.Caption = &f.Caption
	}
	extra := whatsmeow.SendRequestExtra{ID: messageID(key), Timeout: ackTimeout}
	if _, err := l.client.SendMessage(ctx, to, &waE2E.Message{DocumentMessage: document}, extra); err != nil {
		return "", sendError(err)
	}
	l.touch()
	return "", nil
}
