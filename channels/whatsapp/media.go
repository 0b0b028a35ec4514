package whatsapp

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"go.mau.fi/whatsmeow/proto/waE2E"

	"familiar/channels"
)

// fetchTimeout bounds a download: other messages wait meanwhile.
const fetchTimeout = 30 * time.Second

// fetch downloads the file attached to m if files are stored and it is small enough. If that fails, the message is
// handled without it.
func (l *connection) fetch(body *waE2E.Message, m *channels.Message) {
	part := downloadable(body)
	if part == nil || l.host.Files.Dir == "" || len(m.Attachments) == 0 || m.Attachments[0].Size > l.host.Files.MaxSize {
		return
	}
	ctx, cancel := context.WithTimeout(l.ctx, fetchTimeout)
	defer cancel()
	data, err := l.client.Download(ctx, part)
	if err == nil && int64(len(data)) > l.host.Files.MaxSize {
		err = errors.New("it is larger than announced")
	}
	if err != nil {
		l.log.Warn("whatsapp: download an attachment", "kind", m.Attachments[0].Kind, "error", redacted(err))
		return
	}
	kind := ""
	if typed, ok := part.(interface{ GetMimetype() string }); ok {
		kind = typed.GetMimetype()
	}
	path, err := saveFile(l.host.Files.Dir, m.Room.ID+"/"+m.ID, kind, data)
	if err != nil {
		l.log.Error("whatsapp: store an attachment", "error", err)
		return
	}
	m.Attachments[0].Path, m.Attachments[0].Size = path, int64(len(data))
}

// encryptionOverhead is by how many bytes encryption enlarges a file.
const encryptionOverhead = 64

// limitedClient returns base, or a new client, limited to responses as large as a file of atMost bytes needs. The
// history for a new device is downloaded the same way.
func limitedClient(base *http.Client, atMost int64) *http.Client {
	c := &http.Client{Transport: http.DefaultTransport}
	if base != nil {
		*c = *base
	}
	c.Transport = limitedTransport{base: c.Transport, atMost: max(atMost+encryptionOverhead, maxHistory)}
	return c
}

// maxHistory is the maximum size of the history for a new device.
const maxHistory = 64 << 20

type limitedTransport struct {
	base   http.RoundTripper
	atMost int64
}

// RoundTrip implements http.RoundTripper.
func (t limitedTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := t.base.RoundTrip(r)
	if err == nil {
		resp.Body = http.MaxBytesReader(nil, resp.Body, t.atMost)
	}
	return resp, err
}

// saveFile writes data to a file in dir. The name derives from the message, so that a redelivered file is stored once.
func saveFile(dir, of, kind string, data []byte) (string, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("create the directory for attachments: %w", err)
	}
	ext := ".bin"
	if known, err := mime.ExtensionsByType(kind); err == nil && len(known) > 0 {
		ext = known[0]
	}
	name := sha256.Sum256([]byte(of))
	path := filepath.Join(dir, hex.EncodeToString(name[:16])+ext)
	f, err := os.CreateTemp(dir, ".new-*")
	if err != nil {
		return "", fmt.Errorf("store an attachment: %w", err)
	}
	_, err = io.Copy(f, bytes.NewReader(data))
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return "", errors.Join(fmt.Errorf("store an attachment: %w", err), os.Remove(f.Name()))
	}
	return path, nil
}
