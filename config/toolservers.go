package config

import (
	"net"
	"net/netip"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"familiar/internal/strictyaml"
)

// ToolServers are programs that offer tools over the Model Context Protocol, by name.
type ToolServers struct{ strictyaml.Map[ToolServer] }

// ToolServer says how one is reached: by Command or by URL.
type ToolServer struct {
	// Command is a program with its arguments, which runs as a child of `familiar run` in the home.
	Command []string `yaml:"command"`
	// Env is its environment, next to PATH, HOME, LANG and TMPDIR. It sees no other variable of this process.
	Env Headers `yaml:"env"`
	// URL is the address of an endpoint of the streamable HTTP transport.
	URL string `yaml:"url"`
	// Token refers to a bearer token, Headers are further headers. Both are sent to URL only.
	Token   Secret  `yaml:"token"`
	Headers Headers `yaml:"headers"`

	inherited []string
}

// inheritedVariables are what programs need to run at all.
var inheritedVariables = []string{"PATH", "HOME", "LANG", "TMPDIR"}

// String returns the servers as YAML, secrets as references.
func (s ToolServers) String() string {
	all := make([]string, len(s.Map))
	for i, one := range s.Map {
		all[i] = one.Name + ": " + one.Value.String()
	}
	return "{" + strings.Join(all, ", ") + "}"
}

// MarshalYAML returns the servers as YAML, secrets as references.
func (s ToolServers) MarshalYAML() ([]byte, error) { return []byte(s.String()), nil }

// String returns the server as YAML, secrets as references.
func (s ToolServer) String() string {
	var parts []string
	if len(s.Command) > 0 {
		words := make([]string, len(s.Command))
		for i, word := range s.Command {
			words[i] = strconv.Quote(word)
		}
		parts = append(parts, "command: ["+strings.Join(words, ", ")+"]")
	}
	if len(s.Env.Map) > 0 {
		parts = append(parts, "env: "+s.Env.String())
	}
	if s.URL != "" {
		parts = append(parts, "url: "+strconv.Quote(s.URL))
	}
	if s.Token.Set() {
		parts = append(parts, "token: "+strconv.Quote(s.Token.String()))
	}
	if len(s.Headers.Map) > 0 {
		parts = append(parts, "headers: "+s.Headers.String())
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// within binds the secrets of the servers to home and env, and takes from env what programs need.
func (s ToolServers) within(home Home, env Env) {
	for i := range s.Map {
		one := &s.Map[i].Value
		one.Token = one.Token.Within(string(home), env)
		one.Env, one.Headers = one.Env.within(home, env), one.Headers.within(home, env)
		for _, name := range inheritedVariables {
			if value, ok := env.lookup(name); ok {
				one.inherited = append(one.inherited, name+"="+value)
			}
		}
	}
}

// Environment returns the whole environment of the program as NAME=value, and the secrets in it.
func (s ToolServer) Environment() (all, secrets []string, err error) {
	all = append(all, s.inherited...)
	for _, one := range s.Env.Map {
		value, err := one.Value.Reveal()
		if err != nil {
			return nil, nil, err
		}
		all = append(all, one.Name+"="+value)
		if one.Value.Secret().Set() {
			secrets = append(secrets, value)
		}
	}
	return all, secrets, nil
}

// RequestHeaders returns what is sent to URL, and the secrets in it.
func (s ToolServer) RequestHeaders() (all map[string]string, secrets []string, err error) {
	all = make(map[string]string)
	for _, one := range s.Headers.Map {
		if all[one.Name], err = one.Value.Reveal(); err != nil {
			return nil, nil, err
		}
		if one.Value.Secret().Set() {
			secrets = append(secrets, all[one.Name])
		}
	}
	token, err := s.Token.Reveal()
	if err != nil {
		return nil, nil, err
	}
	if token != "" {
		all["Authorization"] = "Bearer " + token
		secrets = append(secrets, token)
	}
	return all, secrets, nil
}

var (
	toolServerName = regexp.MustCompile(`^[a-z][a-z0-9]{0,14}$`)
	envName        = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	// secretName matches variables whose value is a secret.
	secretName = regexp.MustCompile(`(?i)key|token|secret|password|credential`)
)

func (c *Config) validateToolServers() {
	for _, one := range c.Tools.Servers.Map {
		at, s := "tools.servers."+one.Name, one.Value
		if !toolServerName.MatchString(one.Name) {
			c.doc.Problemf(at, "%q is no name of a server: use up to 15 small letters and digits, since its tools are called NAME_TOOL", one.Name)
		}
		switch {
		case (len(s.Command) > 0) == (s.URL != ""):
			c.doc.Problemf(at, "needs either command, a list of a program and its arguments, or url")
		case len(s.Command) > 0 && (s.Command[0] == "" || s.Token.Set() || len(s.Headers.Map) > 0):
			c.doc.Problemf(at, "runs a program: give it what it needs in env, not in token or headers")
		case s.URL != "" && len(s.Env.Map) > 0:
			c.doc.Problemf(at+".env", "is for servers with a command: use token or headers")
		case s.URL != "":
			c.validateToolURL(at, s)
		}
		for _, variable := range s.Env.Map {
			switch {
			case !envName.MatchString(variable.Name):
				c.doc.Problemf(at+".env", "%q is no name of a variable", variable.Name)
			case secretName.MatchString(variable.Name) && !variable.Value.Secret().Set():
				c.doc.Problemf(at+".env."+variable.Name, "%s", errSecretHeader)
			}
		}
		for _, header := range s.Headers.Map {
			if problem := header.Value.check(header.Name); problem != "" {
				c.doc.Problemf(at+".headers."+header.Name, "%s", problem)
			}
		}
	}
}

// validateToolURL reports an address that is none, or that would show a secret to the network.
func (c *Config) validateToolURL(at string, s ToolServer) {
	if err := CheckAddress(s.URL, at+".token"); err != nil {
		c.doc.Problemf(at+".url", "%s", err)
		return
	}
	u, err := url.Parse(s.URL)
	if err != nil || u.Scheme == "https" || !s.Token.Set() && len(s.Headers.Map) == 0 {
		return
	}
	host := u.Hostname()
	ip, err := netip.ParseAddr(host)
	if host == "localhost" || err == nil && (ip.IsLoopback() || ip.IsPrivate()) {
		return
	}
	c.doc.Problemf(at+".url", "would send the token unencrypted to %s: use https", net.JoinHostPort(host, u.Port()))
}
