package webhook

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"familiar/channels"
)

const (
	// maxAttachments is how many attachments an event has at most, maxAttached how many bytes their files have together: they wait with
	// the event until the persona has looked at them, since the program is not asked for them again.
	maxAttachments = 8
	maxAttached    = 2500 << 10
	// maxCaption is the maximum length of a caption in bytes.
	maxCaption = 4 << 10
)

// Attachment is a file that comes with a message.
type Attachment struct {
	// Kind is "image", "voice" for what the author said into a microphone, or "audio" for a recording that they pass on. Anything else,
	// such as "file", is only named.
	Kind string `json:"kind"`
	Name string `json:"name,omitempty"`
	// Caption is the text shown with it.
	Caption string `json:"caption,omitempty"`
	// Data is the file, in base64; only what is looked at or listened to has one.
	Data []byte `json:"data,omitempty"`
}

// checkAttachments reports what is wrong with the attachments.
func (e Event) checkAttachments() error {
	size := 0
	for i, a := range e.Attachments {
		size += len(a.Data)
		at := fmt.Sprintf("attachments[%d]", i)
		switch {
		case strings.TrimSpace(a.Kind) == "":
			return errors.New(at + ".kind is missing")
		case len(a.Kind) > maxID || len(a.Name) > maxID:
			return fmt.Errorf("the kind or the name of %s is longer than %d bytes", at, maxID)
		case len(a.Caption) > maxCaption:
			return fmt.Errorf("the caption of %s is longer than %d bytes", at, maxCaption)
		case a.opens() && len(a.Data) == 0:
			return errors.New(at + ".data is missing")
		case !a.opens() && len(a.Data) > 0:
			return errors.New(at + ": only an image, a voice or an audio has data")
		case a.Kind == "image" && !strings.HasPrefix(http.DetectContentType(a.Data), "image/"):
			return errors.New(at + ".data is no picture")
		}
	}
	switch {
	case len(e.Attachments) > maxAttachments:
		return fmt.Errorf("an event has at most %d attachments", maxAttachments)
	case size > maxAttached:
		return fmt.Errorf("the files of an event have at most %d bytes: make the pictures smaller", maxAttached)
	case len(e.Attachments) > 0 && (e.Edits != "" || e.Deletes != ""):
		return errors.New("an event that edits or deletes has no attachments")
	}
	return nil
}

// opens reports whether the file is looked at or listened to.
func (a Attachment) opens() bool { return a.Kind == "image" || a.Kind == "voice" || a.Kind == "audio" }

// attachment converts it. Its reference is the file itself.
func (a Attachment) attachment() channels.Attachment {
	speech := map[string]channels.Speech{"voice": channels.OwnSpeech, "audio": channels.PassedOn}[a.Kind]
	return channels.Attachment{
		Kind: a.Kind, Name: a.Name, Caption: a.Caption, Size: int64(len(a.Data)), Speech: speech, Ref: base64.StdEncoding.EncodeToString(a.Data),
	}
}

// FetchFile implements channels.FileFetcher.
func (c *Channel) FetchFile(_ context.Context, a channels.Attachment, limit int64) ([]byte, error) {
	file, err := base64.StdEncoding.DecodeString(a.Ref)
	switch {
	case err != nil || len(file) == 0:
		return nil, errors.New("the event has no such file")
	case int64(len(file)) > limit:
		return nil, fmt.Errorf("the file has %d bytes, more than %d", len(file), limit)
	}
	return file, nil
}
