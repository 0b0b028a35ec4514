package discord

import (
	"context"
	"fmt"
	"io"

	"familiar/channels"
)

// pictureRef returns where a picture is, "" if the attachment is none. The URL holds for a day.
func (a attachment) pictureRef(flags int) string {
	if a.kind(flags) != "image" {
		return ""
	}
	return a.URL
}

// FetchPicture implements channels.PictureFetcher.
func (c *Channel) FetchPicture(ctx context.Context, a channels.Attachment, limit int64) ([]byte, error) {
	body, err := c.rest.open(ctx, a.Ref)
	if err != nil {
		return nil, fmt.Errorf("fetch a picture from Discord: %w", err)
	}
	defer body.Close() //nolint:errcheck // it was only read
	data, err := io.ReadAll(io.LimitReader(body, limit+1))
	switch {
	case err != nil:
		return nil, withoutURL(err)
	case int64(len(data)) > limit:
		return nil, fmt.Errorf("fetch a picture from Discord: it is larger than %d bytes", limit)
	}
	return data, nil
}
