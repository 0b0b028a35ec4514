package discord

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"familiar/channels"
)

// TestS9AttachmentsComeFromPublicAddressesOnly gives attachments addresses of the operator's own network, in the forms that
// get past a check of the text.
func TestS9AttachmentsComeFromPublicAddressesOnly(t *testing.T) {
	var reached atomic.Int32
	inside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
	defer inside.Close()
	_, port, _ := strings.Cut(strings.TrimPrefix(inside.URL, "http://"), ":")
	c := &Channel{rest: newClient(Options{Token: "t"})}
	for _, url := range []string{
		inside.URL, "http://localhost:" + port, "http://2130706433:" + port, "http://0x7f.1:" + port, "http://0.0.0.0:" + port,
		"http://[::1]:" + port, "http://[::ffff:127.0.0.1]:" + port, "http://127.0.0.1/", "http://10.0.0.1/", "http://192.168.1.1/", "http://172.16.0.1/",
		"http://169.254.169.254/latest/meta-data/", "http://[fd00::1]/", "http://[fe80::1]/", "http://100.64.0.1/", "file:///etc/passwd",
	} {
		data, err := c.FetchFile(t.Context(), channels.Attachment{Ref: url}, 1<<10)
		if err == nil {
			t.Errorf("%s gave %q", url, data)
		} else if strings.Contains(err.Error(), url) {
			t.Errorf("the error repeats the address: %v", err)
		}
	}
	if n := reached.Load(); n > 0 {
		t.Errorf("the server inside was reached %d times", n)
	}
}

// TestS9ARedirectLeadsNowhereInside redirects from an address that is let through to one that is not.
func TestS9ARedirectLeadsNowhereInside(t *testing.T) {
	client := publicClient()
	outside := client.Transport
	client.Transport = roundTripper(func(r *http.Request) (*http.Response, error) {
		if r.URL.Host == "cdn.example" {
			return &http.Response{StatusCode: http.StatusFound, Header: http.Header{"Location": {"http://127.0.0.1/secret"}}, Body: http.NoBody, Request: r}, nil
		}
		return outside.RoundTrip(r)
	})
	rest := newClient(Options{Token: "t"})
	rest.files = client
	if body, err := rest.open(t.Context(), "http://cdn.example/cat.png"); err == nil {
		_ = body.Close()
		t.Error("the redirect was followed")
	} else if !strings.Contains(err.Error(), "not allowed") {
		t.Errorf("it failed otherwise: %v", err)
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
