package llm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
)

// extraTransport is a RoundTripper that adds headers to each request, and keys to each body that is a JSON object.
type extraTransport struct {
	next    http.RoundTripper
	body    map[string]any
	headers map[string]string
}

// withExtras returns a copy of client that adds what the settings say to its requests, or client if they say nothing.
func (s Settings) withExtras(client *http.Client) *http.Client {
	if len(s.ExtraBody)+len(s.Headers) == 0 {
		return client
	}
	var c http.Client
	if client != nil {
		c = *client
	}
	next := c.Transport
	if next == nil {
		next = http.DefaultTransport
	}
	c.Transport = extraTransport{next, s.ExtraBody, s.Headers}
	return &c
}

// secrets returns what no error may show.
func (s Settings) secrets() []string {
	return append(slices.Collect(maps.Values(s.Headers)), s.APIKey)
}

// RoundTrip implements http.RoundTripper. It does not change r.
func (t extraTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	for name, value := range t.headers {
		r.Header.Set(name, value)
	}
	if len(t.body) == 0 || r.Body == nil {
		return t.next.RoundTrip(r)
	}
	body, err := io.ReadAll(r.Body)
	_ = r.Body.Close() // it was read completely, or the request fails
	if err != nil {
		return nil, fmt.Errorf("read the request: %w", err)
	}
	if body, err = mergeJSON(body, t.body); err != nil {
		return nil, err
	}
	r.ContentLength = int64(len(body))
	r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	r.Body, _ = r.GetBody()
	return t.next.RoundTrip(r)
}

// mergeJSON returns a body with the keys of extra. Objects are merged key by key, everything else is replaced. A body
// that is no JSON object is returned as it is.
func mergeJSON(body []byte, extra map[string]any) ([]byte, error) {
	var object map[string]any
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	if err := decoder.Decode(&object); err != nil || object == nil {
		return body, nil //nolint:nilerr // it is not JSON
	}
	merge(object, extra)
	merged, err := json.Marshal(object)
	if err != nil {
		return nil, fmt.Errorf("add model.extra_body to the request: %w", err)
	}
	return merged, nil
}

func merge(into, extra map[string]any) {
	for key, value := range extra {
		theirs, both := value.(map[string]any)
		own, ok := into[key].(map[string]any)
		if both && ok {
			merge(own, theirs)
			continue
		}
		into[key] = value
	}
}
