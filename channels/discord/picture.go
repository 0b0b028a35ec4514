package discord

import (
	"context"
	"fmt"
	"io"
	"net/http"

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
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, a.Ref, http.NoBody)
	if err != nil {
		return nil, withoutURL(err)
	}
	resp, err := c.rest.http.Do(req)
	if err != nil {
		return nil, withoutURL(err)
	}
	defer resp.Body.Close() //nolint:errcheck // it was only read
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("fetch a picture from Discord: the server answered with %s", resp.Status)
	}
	data, err := io.ReadAll(io.LimitReader(resp.Body, limit+1))
	switch {
	case err != nil:
		return nil, withoutURL(err)
	case int64(len(data)) > limit:
		return nil, fmt.Errorf("fetch a picture from Discord: it is larger than %d bytes", limit)
	}
	return data, nil
}
