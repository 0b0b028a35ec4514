package config

import (
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"familiar/internal/strictyaml"
)

// Headers are headers of HTTP requests by name.
type Headers struct{ strictyaml.Map[Header] }

// Header is the value of a header: a text, or a reference to a secret.
type Header struct {
	text   string
	secret Secret
}

// UnmarshalText parses a text, env:NAME or file:/path.
func (h *Header) UnmarshalText(text []byte) error {
	if kind, _, _ := strings.Cut(string(text), ":"); kind == "env" || kind == "file" {
		return h.secret.UnmarshalText(text)
	}
	if strings.ContainsAny(string(text), "\r\n\x00") {
		return errors.New("takes one line of text, env:NAME or file:/path")
	}
	h.text = string(text)
	return nil
}

// String returns the text, or the reference to the secret.
func (h Header) String() string {
	if h.secret.Set() {
		return h.secret.String()
	}
	return h.text
}

// MarshalText returns the text, or the reference to the secret.
func (h Header) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// Secret returns the secret that the value refers to. It is not set if the value is a text.
func (h Header) Secret() Secret { return h.secret }

// Reveal returns the value. It must never be shown if it is a secret.
func (h Header) Reveal() (string, error) {
	if h.secret.Set() {
		return h.secret.Reveal()
	}
	return h.text, nil
}

// String returns the headers as YAML, secrets as references.
func (h Headers) String() string {
	var all []string
	for _, one := range h.Map {
		all = append(all, one.Name+": "+strconv.Quote(one.Value.String()))
	}
	return "{" + strings.Join(all, ", ") + "}"
}

// MarshalYAML returns the headers as YAML, secrets as references.
func (h Headers) MarshalYAML() ([]byte, error) { return []byte(h.String()), nil }

// within returns the headers with their secrets bound to home and env.
func (h Headers) within(home Home, env Env) Headers {
	h.Map = slices.Clone(h.Map)
	for i := range h.Map {
		h.Map[i].Value.secret = h.Map[i].Value.secret.Within(string(home), env)
	}
	return h
}

var (
	headerName = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$") // RFC 9110, section 5.1
	// secretHeader are the names of headers whose value is a secret.
	secretHeader = regexp.MustCompile(`(?i)auth|key|token|secret|cookie|password`)
	// ownHeaders are set by the program.
	ownHeaders = []string{"host", "content-length", "content-type", "transfer-encoding", "connection"}
)

// check returns what is wrong with a header, "" for nothing.
func (h Header) check(name string) string {
	switch {
	case !headerName.MatchString(name):
		return "is not the name of a header"
	case slices.Contains(ownHeaders, strings.ToLower(name)):
		return "is set by the program: remove it"
	case !h.secret.Set() && secretHeader.MatchString(name):
		return errSecretHeader
	}
	return ""
}

// errSecretHeader never shows the value: it may be the secret itself.
const errSecretHeader = "takes a reference to the secret, never the secret itself: write env:NAME, or file:/path with mode 0600"
