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

// fetching is how long a file may take: nothing else is heard meanwhile.
const fetching = 30 * time.Second

// fetch keeps the file that came with m, if files are kept, it is small enough and can be had. Without it the message is
// heard all the same.
func (l *line) fetch(body *waE2E.Message, m *channels.Message) {
	part := downloadable(body)
	if part == nil || l.host.Files.Dir == "" || len(m.Attachments) == 0 || m.Attachments[0].Size > l.host.Files.MaxSize {
		return
	}
	ctx, cancel := context.WithTimeout(l.ctx, fetching)
	defer cancel()
	data, err := l.client.Download(ctx, part)
	if err == nil && int64(len(data)) > l.host.Files.MaxSize {
		err = errors.New("it is larger than it says")
	}
	if err != nil {
		l.log.Warn("whatsapp: fetch an attachment", "kind", m.Attachments[0].Kind, "error", redacted(err))
		return
	}
	kind := ""
	if typed, ok := part.(interface{ GetMimetype() string }); ok {
		kind = typed.GetMimetype()
	}
	path, err := keep(l.host.Files.Dir, m.Room.ID+"/"+m.ID, kind, data)
	if err != nil {
		l.log.Error("whatsapp: keep an attachment", "error", err)
		return
	}
	m.Attachments[0].Path, m.Attachments[0].Size = path, int64(len(data))
}

// sealing is by how much a file grows when it is encrypted.
const sealing = 64

// capped is base, or a client of its own, that reads no more of an answer than a file of atMost bytes needs. The
// history that the phone sends to a new device comes the same way.
func capped(base *http.Client, atMost int64) *http.Client {
	c := &http.Client{Transport: http.DefaultTransport}
	if base != nil {
		*c = *base
	}
	c.Transport = cappedTransport{base: c.Transport, atMost: max(atMost+sealing, historyCap)}
	return c
}

// historyCap is how large the history for a new device may be.
const historyCap = 64 << 20

type cappedTransport struct {
	base   http.RoundTripper
	atMost int64
}

// RoundTrip implements http.RoundTripper.
func (t cappedTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := t.base.RoundTrip(r)
	if err == nil {
		resp.Body = http.MaxBytesReader(nil, resp.Body, t.atMost)
	}
	return resp, err
}

// keep writes data to a file in dir that is named after what it belongs to, so that the same one is kept once.
func keep(dir, of, kind string, data []byte) (string, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("make the directory of attachments: %w", err)
	}
	ext := ".bin"
	if known, err := mime.ExtensionsByType(kind); err == nil && len(known) > 0 {
		ext = known[0]
	}
	name := sha256.Sum256([]byte(of))
	path := filepath.Join(dir, hex.EncodeToString(name[:16])+ext)
	f, err := os.CreateTemp(dir, ".new-*")
	if err != nil {
		return "", fmt.Errorf("keep an attachment: %w", err)
	}
	_, err = io.Copy(f, bytes.NewReader(data))
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return "", errors.Join(fmt.Errorf("keep an attachment: %w", err), os.Remove(f.Name()))
	}
	return path, nil
}
