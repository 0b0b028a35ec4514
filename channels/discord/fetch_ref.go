package discord

import (
	"context"
	"fmt"
	"io"
	"time"

	"familiar/channels"
)

// fetchable lets to be fetched as a picture or a recording, if a is one. The URL holds for a day.
func (a attachment) fetchable(to *channels.Attachment, forwarded bool) {
	switch to.Kind {
	case "voice":
		to.Speech = channels.OwnSpeech
	case "audio":
		to.Speech = channels.PassedOn
	case "image":
	default:
		return
	}
	if forwarded && to.Speech != channels.NoSpeech {
		to.Speech = channels.PassedOn
	}
	to.Ref, to.Length = a.URL, max(0, min(seconds(a.Duration), maxClaim))
}

// maxClaim is the longest duration that is taken from the network: another one is nonsense.
const maxClaim = 1000 * time.Hour

// FetchFile implements channels.FileFetcher.
func (c *Channel) FetchFile(ctx context.Context, a channels.Attachment, limit int64) ([]byte, error) {
	body, err := c.rest.open(ctx, a.Ref)
	if err != nil {
		return nil, fmt.Errorf("fetch a file from Discord: %w", err)
	}
	defer body.Close() //nolint:errcheck // it was only read
	data, err := io.ReadAll(io.LimitReader(body, limit+1))
	switch {
	case err != nil:
		return nil, withoutURL(err)
	case int64(len(data)) > limit:
		return nil, fmt.Errorf("fetch a file from Discord: it is larger than %d bytes", limit)
	}
	return data, nil
}
