// Package guard keeps requests that a stranger can steer away from the operator's own network. It checks the address that is
// dialed, so that neither a redirect nor a name that resolves differently the second time leads past it.
package guard

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"code.dny.dev/ssrf"
)

// ErrRefused is wrapped by every error of an address that the guard does not allow.
var ErrRefused = errors.New("the address is not allowed")

// Times and sizes of one connection.
const (
	dialTimeout      = 10 * time.Second
	handshakeTimeout = 5 * time.Second
	idleTimeout      = 30 * time.Second
	maxHeaders       = 64 << 10
	maxAddress       = 2048 // bytes of a URL
)

// Options says what is allowed beyond public addresses on the ports of http and https.
type Options struct {
	// Ports are further ports.
	Ports []uint16
	// Networks are further addresses, such as a wiki in the operator's own network. A port must be allowed too.
	Networks []netip.Prefix
	// Resolver looks up names; nil is the system's.
	Resolver *net.Resolver
}

// Guard decides which addresses may be requested. It is safe for concurrent use.
type Guard struct {
	ports    []uint16
	rules    *ssrf.Guardian
	resolver *net.Resolver
}

// New returns a guard. Without options it allows public addresses on ports 80 and 443.
func New(o Options) *Guard {
	ports := append([]uint16{80, 443}, o.Ports...)
	var v4, v6 []netip.Prefix
	for _, p := range o.Networks {
		if p.Addr().Is4() {
			v4 = append(v4, p)
		} else {
			v6 = append(v6, p)
		}
	}
	return &Guard{
		ports:    ports,
		rules:    ssrf.New(ssrf.WithPorts(ports...), ssrf.WithAllowedV4Prefixes(v4...), ssrf.WithAllowedV6Prefixes(v6...)),
		resolver: o.Resolver,
	}
}

// Transport returns a transport that connects to allowed addresses only. It uses no proxy, which would be dialed in place
// of the server, and sends no cookies of its own.
func (g *Guard) Transport() *http.Transport {
	dialer := &net.Dialer{Timeout: dialTimeout, Control: g.control, Resolver: g.resolver}
	return &http.Transport{
		DialContext:            dialer.DialContext,
		ForceAttemptHTTP2:      true,
		TLSHandshakeTimeout:    handshakeTimeout,
		IdleConnTimeout:        idleTimeout,
		MaxIdleConns:           8,
		MaxResponseHeaderBytes: maxHeaders,
	}
}

// control is called with the address that is about to be dialed.
func (g *Guard) control(network, address string, conn syscall.RawConn) error {
	if err := g.rules.Safe(network, address, conn); err != nil {
		return fmt.Errorf("%w: it leads to %s, which is no public address on a port of the web", ErrRefused, address)
	}
	return nil
}

// Parse returns address as a URL that may be requested as far as one can tell before it is dialed: http or https, without
// a user or password, on an allowed port.
func (g *Guard) Parse(address string) (*url.URL, error) {
	if len(address) > maxAddress {
		return nil, fmt.Errorf("%w: it is longer than %d bytes", ErrRefused, maxAddress)
	}
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil {
		return nil, fmt.Errorf("%w: it is no valid URL", ErrRefused) // the reason would repeat the address
	}
	return u, g.Check(u)
}

// Check reports why u may not be requested, as Parse does.
func (g *Guard) Check(u *url.URL) error {
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return fmt.Errorf("%w: it must begin with https:// or http://", ErrRefused)
	case u.User != nil:
		return fmt.Errorf("%w: it contains a user name or password", ErrRefused)
	case u.Opaque != "" || u.Hostname() == "":
		return fmt.Errorf("%w: it names no host", ErrRefused)
	}
	if text := u.Port(); text != "" {
		port, err := strconv.ParseUint(text, 10, 16)
		if err != nil || !slices.Contains(g.ports, uint16(port)) {
			return fmt.Errorf("%w: port %s is not one of the web", ErrRefused, text)
		}
	}
	if ip, err := netip.ParseAddr(strings.TrimSuffix(u.Hostname(), ".")); err == nil && g.rules.SafeAddr(ip.Unmap()) != nil {
		return fmt.Errorf("%w: %s is no public address", ErrRefused, ip)
	}
	return nil
}
