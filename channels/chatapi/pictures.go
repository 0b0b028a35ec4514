package chatapi

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"familiar/channels"
)

// maxHeld is how many bytes of pictures are held in memory until the persona looks at them.
const maxHeld = 64 << 20

// pictures holds the files of pictures that came within requests, the oldest first, up to maxHeld.
type pictures struct {
	mu    sync.Mutex
	order []string
	files map[string][]byte
	size  int
}

// hold keeps a file and returns the reference to it.
func (p *pictures) hold(file []byte) string {
	sum := sha256.Sum256(file)
	ref := hex.EncodeToString(sum[:16])
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, known := p.files[ref]; known {
		return ref
	}
	if p.files == nil {
		p.files = make(map[string][]byte)
	}
	p.files[ref], p.order, p.size = file, append(p.order, ref), p.size+len(file)
	for p.size > maxHeld && len(p.order) > 1 {
		oldest := p.order[0]
		p.size -= len(p.files[oldest])
		delete(p.files, oldest)
		p.order = p.order[1:]
	}
	return ref
}

// FetchFile implements channels.FileFetcher. Pictures do not survive a restart; a program that asks again sends them
// again.
func (c *Channel) FetchFile(_ context.Context, a channels.Attachment, limit int64) ([]byte, error) {
	c.pictures.mu.Lock()
	defer c.pictures.mu.Unlock()
	file, ok := c.pictures.files[a.Ref]
	switch {
	case !ok:
		return nil, errors.New("the picture is no longer held")
	case int64(len(file)) > limit:
		return nil, errors.New("the picture is larger than allowed")
	}
	return file, nil
}

// attach adds the parts of a message that are no text. Addresses are not fetched: they are shown as what they are.
func (c *Channel) attach(ctx context.Context, m *channels.Message, parts []part) *apiError {
	for _, p := range parts {
		a := channels.Attachment{Kind: strings.TrimPrefix(p.Type, "input_"), Name: p.File.Name}
		if p.Type == "image_url" {
			a.Kind = "image"
			data, inline := strings.CutPrefix(p.ImageURL.URL, "data:")
			switch {
			case inline:
				file, bad := decodePicture(data)
				if bad != nil {
					return bad
				}
				a.Size, a.Ref = int64(len(file)), c.pictures.hold(file)
				a.Path = c.keep(ctx, *m, a.Ref, file)
			case len(p.ImageURL.URL) <= maxURL:
				a.Caption = p.ImageURL.URL
			}
		}
		m.Attachments = append(m.Attachments, a)
	}
	return nil
}

// maxURL is the maximum length of an address that is shown, in bytes.
const maxURL = 2 << 10

// decodePicture returns the file in a data URL without its scheme.
func decodePicture(data string) ([]byte, *apiError) {
	media, encoded, ok := strings.Cut(data, ",")
	if !ok || !strings.HasPrefix(media, "image/") || !strings.HasSuffix(media, ";base64") {
		return nil, badRequest("messages", "a picture is a data URL such as data:image/png;base64,…")
	}
	file, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		return nil, badRequest("messages", "the data URL of a picture is not valid base64")
	}
	return file, nil
}

// keep stores the file of a picture where attachments are kept, and returns its path, "" if they are not. A failure does not
// hold up the message.
func (c *Channel) keep(ctx context.Context, m channels.Message, ref string, file []byte) string {
	if int64(len(file)) > c.host.Files.MaxSize || !c.host.FetchesFiles(ctx, m) {
		return ""
	}
	path := filepath.Join(c.host.Files.Dir, name+"-"+ref)
	if err := writeFile(path, file); err != nil {
		c.log.Warn("keep a picture", "room", m.Room, "error", err)
		return ""
	}
	return path
}

// writeFile writes a file whole or not at all.
func writeFile(path string, content []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".picture-*")
	if err != nil {
		return fmt.Errorf("create a file for a picture: %w", err)
	}
	_, err = f.Write(content)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("store a picture: %w", errors.Join(err, os.Remove(f.Name())))
	}
	return nil
}
