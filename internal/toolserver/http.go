package toolserver

import (
	"net/http"
	"net/url"
	"time"
)

// httpClient returns a client for one server. It follows no redirect and sends the headers to the server's own address only,
// so that its secrets reach nobody else.
func httpClient(s Settings, m *meter) *http.Client {
	own, err := url.Parse(s.URL)
	if err != nil {
		own = &url.URL{} // no request is its own then
	}
	return &http.Client{
		Transport: &keyed{
			headers: s.Headers, host: own.Host, meter: m,
			base: &http.Transport{MaxResponseHeaderBytes: 64 << 10, IdleConnTimeout: time.Minute, ForceAttemptHTTP2: true},
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// keyed adds headers to the requests for one host and counts what comes back.
type keyed struct {
	base    *http.Transport
	headers map[string]string
	host    string
	meter   *meter
}

// RoundTrip implements http.RoundTripper.
func (t *keyed) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.URL.Host == t.host {
		req = req.Clone(req.Context())
		for name, value := range t.headers {
			req.Header.Set(name, value)
		}
	}
	resp, err := t.base.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	resp.Body = t.meter.read(resp.Body)
	return resp, nil
}

// CloseIdleConnections ends connections that no request uses.
func (t *keyed) CloseIdleConnections() { t.base.CloseIdleConnections() }
