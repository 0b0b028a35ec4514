package webhook

import (
	"context"
	_ "embed"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"

	"familiar/channels"
	"familiar/channels/registry"
	"familiar/internal/settings"
)

//go:embed settings.yaml
var template string

// Settings are the channel's own settings in familiar.yaml.
type Settings struct {
	// Secret refers to the key that both sides sign with.
	Secret settings.Secret `yaml:"secret"`
	// Listen is the address on which events are received.
	Listen string `yaml:"listen"`
	// URL is where replies are posted, "" for a channel that only receives.
	URL string `yaml:"url"`
}

// Registration describes the channel to the rest of the program; see registry.Definition.
var Registration = registry.Definition[Settings]{
	Name:     name,
	Defaults: Settings{Listen: "127.0.0.1:8787"},
	ServedBy: "secret",
	Template: template,
	Validate: validate,
	Review:   review,
	Check:    check,
	New: func(_ context.Context, s Settings, in registry.Setup) (channels.Channel, error) {
		return open(s, in)
	},
}.Registration()

func open(s Settings, in registry.Setup) (*Channel, error) {
	secret, err := s.Secret.Reveal()
	if err != nil {
		return nil, err
	}
	return New(Options{Secret: secret, Listen: s.Listen, URL: s.URL, Host: in.Host, Log: in.Log, HTTP: in.HTTP})
}

// validate never shows the URL, which may contain a secret by mistake.
func validate(s Settings, problem settings.Problem) {
	_, port, err := net.SplitHostPort(s.Listen)
	if number, bad := strconv.ParseUint(port, 10, 16); err != nil || bad != nil || number == 0 {
		problem("listen", "takes an address with a port, such as 127.0.0.1:8787")
	}
	if s.URL == "" {
		return
	}
	u, err := url.Parse(s.URL)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		problem("url", "takes an address such as http://127.0.0.1:9000/replies")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		problem("url", "takes no user, query or fragment: requests are signed with channels.webhook.secret")
	}
}

// review finds unencrypted connections to other machines, and a missing URL.
func review(s Settings, _ registry.Setup) (found []registry.Finding) {
	warn := func(says, do string) {
		found = append(found, registry.Finding{Severity: registry.Warning, Text: says, NextStep: do})
	}
	if host, _, err := net.SplitHostPort(s.Listen); err == nil && !local(host) {
		warn("other machines can post events at "+s.Listen+" unencrypted", "listen at 127.0.0.1 behind an HTTPS proxy")
	}
	if s.URL == "" {
		warn("the persona cannot reply: there is no URL to post replies to", "set channels.webhook.url")
	}
	if u, err := url.Parse(s.URL); err == nil && u.Scheme == "http" && !local(u.Hostname()) {
		warn("replies are sent to "+u.Host+" unencrypted", "use an https address in channels.webhook.url")
	}
	return found
}

// local reports whether host is this machine.
func local(host string) bool {
	at, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && at.IsLoopback()
}

// check sends the receiver a signed HEAD request.
func check(ctx context.Context, s Settings, in registry.Setup) ([]registry.Finding, error) {
	c, err := open(s, in)
	if err != nil {
		return nil, err
	}
	if s.URL == "" {
		return []registry.Finding{{Severity: registry.OK, Text: "events are received at " + s.Listen}}, nil
	}
	response, err := c.do(ctx, http.MethodHead, "check", nil)
	if err != nil {
		return nil, err
	}
	_ = response.Body.Close() // HEAD has no body
	switch status := response.StatusCode; status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return []registry.Finding{{
			Severity: registry.Problem, Text: "the receiver of replies rejects the signature",
			NextStep: "use the same secret on both sides, and compare the clocks",
		}}, nil
	case http.StatusNotFound, http.StatusGone:
		return []registry.Finding{{
			Severity: registry.Problem, Text: "channels.webhook.url does not accept replies: it answers " + strconv.Itoa(status), NextStep: "correct channels.webhook.url",
		}}, nil
	}
	return []registry.Finding{{Severity: registry.OK, Text: "events are received at " + s.Listen + ", and the receiver of replies answers"}}, nil
}
