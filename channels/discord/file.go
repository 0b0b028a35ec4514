package discord

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/textproto"

	"familiar/channels"
)

// SendFile implements channels.FileSender.
func (c *Channel) SendFile(ctx context.Context, room channels.Room, f channels.OutgoingFile) (string, error) {
	form, err := newForm(newPayload(formatBody(f.Caption), ""), f)
	if err != nil {
		return "", err
	}
	k := createCall(target(room), payload{})
	k.body = form
	if err := c.rest.do(ctx, k, nil); err != nil {
		return "", sendError(err)
	}
	return "", nil
}

// form is a request body with files.
type form struct {
	kind    string
	content []byte
}

// newForm returns the body of a message with a file.
func newForm(p payload, f channels.OutgoingFile) (form, error) {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	message, err := json.Marshal(p)
	if err != nil {
		return form{}, fmt.Errorf("build a message with a file: %w", err)
	}
	for _, part := range []struct {
		disposition, kind string
		content           []byte
	}{
		{`form-data; name="payload_json"`, "application/json", message},
		{fmt.Sprintf(`form-data; name="files[0]"; filename=%q`, f.Name), f.Type, f.Content},
	} {
		to, err := w.CreatePart(textproto.MIMEHeader{"Content-Disposition": {part.disposition}, "Content-Type": {part.kind}})
		if err == nil {
			_, err = to.Write(part.content)
		}
		if err != nil {
			return form{}, fmt.Errorf("build a message with a file: %w", err)
		}
	}
	if err := w.Close(); err != nil {
		return form{}, fmt.Errorf("build a message with a file: %w", err)
	}
	return form{w.FormDataContentType(), b.Bytes()}, nil
}
