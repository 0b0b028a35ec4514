package config

import (
	"errors"
	"math"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// HTTP configures how browsers and other programs reach the persona and its memory while `familiar run` serves.
type HTTP struct {
	// Address is the public address, such as https://familiar.example.org, if a proxy answers there. Links that are given out begin
	// with it, and its host counts as one of Hosts.
	Address string `yaml:"address"`
	// Listen is the TCP address with a port, "" for none. It must be a loopback address unless Hosts names something.
	Listen string `yaml:"listen"`
	// Hosts are the names under which other machines ask; "*" is any name.
	Hosts []string `yaml:"hosts"`
	// Origins are the addresses of web pages whose scripts may ask, such as https://chat.example.org.
	Origins []string `yaml:"origins"`
}

// AllHosts are the names under which other machines ask: Hosts, and that of Address.
func (h HTTP) AllHosts() []string {
	if u, err := url.Parse(h.Address); err == nil && u.Hostname() != "" {
		return append([]string{u.Hostname()}, h.Hosts...)
	}
	return h.Hosts
}

// ListenHTTP replaces http.listen. It fails if the address is none, or would be reached from other machines without leave.
func (c *Config) ListenHTTP(address string) error {
	if problem := checkListen(address, exampleHTTP, len(c.HTTP.AllHosts()) > 0, allowHTTP); problem != "" {
		return errors.New(problem)
	}
	c.HTTP.Listen = address
	return nil
}

// exampleHTTP is an address for http.listen, allowHTTP how to allow one that other machines reach.
const (
	exampleHTTP = "127.0.0.1:8484"
	allowHTTP   = `set http.address to what a proxy answers at, or list the names they ask under in http.hosts ("*" for any)`
)

// validateHTTP reports an address that is none, or that other machines reach without leave, and origins that are none.
func (c *Config) validateHTTP() {
	c.reportProblem("http.listen", checkListen(c.HTTP.Listen, exampleHTTP, len(c.HTTP.AllHosts()) > 0, allowHTTP))
	c.validateAddress()
	for _, host := range c.HTTP.Hosts {
		if host == "" || strings.ContainsAny(host, "/ ") {
			c.doc.Problemf("http.hosts", "takes host names without a scheme or a path, such as familiar.example.org")
		}
	}
	for _, origin := range c.HTTP.Origins {
		if u, err := url.Parse(origin); err != nil || u.Host == "" || u.Scheme+"://"+u.Host != origin {
			c.doc.Problemf("http.origins", "takes addresses of web pages without a path, such as https://chat.example.org")
		}
	}
}

// validateAddress reports a public address that is none, and warns of one to which people would sign in unencrypted.
func (c *Config) validateAddress() {
	if c.HTTP.Address == "" {
		return
	}
	u, err := url.Parse(c.HTTP.Address)
	if err != nil || u.Hostname() == "" || u.Scheme != "https" && u.Scheme != "http" || u.Scheme+"://"+u.Host != c.HTTP.Address {
		c.doc.Problemf("http.address", "takes the address of a proxy without a path, such as https://familiar.example.org")
		return
	}
	if u.Scheme == "http" && !isLoopback(u.Hostname()) {
		c.Warnings = append(c.Warnings, "http.address begins with http://, so what people see and do on the dashboard travels unencrypted: use https://")
	}
}

// isLoopback reports whether a host is this machine.
func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// validateOperations reports an address that is none, or that other machines reach without leave.
func (c *Config) validateOperations() {
	const example, allow = "127.0.0.1:9464", "set operations.remote to true if a firewall or container keeps others out"
	c.reportProblem("operations.listen", checkListen(c.Operations.Listen, example, c.Operations.Remote, allow))
}

// reportProblem reports what is wrong with a setting, nothing if problem is empty.
func (c *Config) reportProblem(key, problem string) {
	if problem != "" {
		c.doc.Problemf(key, "%s", problem)
	}
}

// checkListen says what is wrong with a TCP address: that it is none, or that other machines reach it although remote is
// false; allow says how to allow it. An empty address listens nowhere.
func checkListen(address, example string, remote bool, allow string) (problem string) {
	if address == "" {
		return ""
	}
	host, port, err := net.SplitHostPort(address)
	if n, bad := strconv.ParseUint(port, 10, 16); err != nil || bad != nil || n > math.MaxUint16 {
		return "takes an address with a port such as " + example + ", or nothing"
	}
	if !isLoopback(host) && !remote {
		return "would be reached from other machines: use 127.0.0.1, or " + allow
	}
	return ""
}
