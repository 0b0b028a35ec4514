package discord

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"code.dny.dev/ssrf"
)

// dialTimeout limits how long connecting to a file's server may take.
const dialTimeout = 10 * time.Second

// publicClient returns a client that connects to public addresses on the ports of http and https only. The address is
// checked when it is dialed, so that neither a redirect nor a name that resolves differently the second time leads into the
// operator's own network.
func publicClient() *http.Client {
	dialer := &net.Dialer{Timeout: dialTimeout, Control: ssrf.New().Safe}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.Proxy, transport.DialContext = nil, dialer.DialContext // a proxy would be dialed in place of the file's server
	return &http.Client{Transport: transport}
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
