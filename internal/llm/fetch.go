package llm

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strings"
)

// fetch asks one place and returns the body of its response.
func (c *Client) fetch(ctx context.Context, method string, place windowPlace) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, method, place.url, strings.NewReader(place.body))
	if err != nil {
		return nil, fmt.Errorf("ask for the window: %w", err)
	}
	maps.Copy(request.Header, place.header)
	if place.body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := c.http.Do(request)
	if err != nil {
		return nil, fmt.Errorf("ask for the window: %w", err)
	}
	defer func() { _ = response.Body.Close() }() // read only
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("ask for the window: status %d", response.StatusCode)
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxListing))
	if err != nil {
		return nil, fmt.Errorf("read the window: %w", err)
	}
	return body, nil
}
