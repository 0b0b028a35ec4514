package discord

import (
	"context"
	"fmt"
	"io"
	"net/http"

	"familiar/internal/web/guard"
)

// publicClient returns a client that connects to public addresses on the ports of http and https only, since people choose
// what is linked.
func publicClient() *http.Client {
	return &http.Client{Transport: guard.New(guard.Options{}).Transport()}
}

// open starts reading the file at url, which its caller closes. No error contains the URL, because whoever has it can read
// the file.
func (c *client) open(ctx context.Context, url string) (io.ReadCloser, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return nil, withoutURL(err)
	}
	resp, err := c.files.Do(req)
	if err != nil {
		return nil, withoutURL(err)
	}
	if resp.StatusCode != http.StatusOK {
		_ = resp.Body.Close()
		return nil, fmt.Errorf("the server answered with %s", resp.Status)
	}
	return resp.Body, nil
}
