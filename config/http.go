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

// HTTP configures how other programs reach the persona and its memory while `familiar run` serves.
type HTTP struct {
	// Listen is the TCP address with a port, "" for none. It must be a loopback address unless Hosts names something.
	Listen string `yaml:"listen"`
	// Hosts are the names under which other machines ask; "*" is any name.
	Hosts []string `yaml:"hosts"`
	// Origins are the addresses of web pages whose scripts may ask, such as https://chat.example.org.
	Origins []string `yaml:"origins"`
}

// ListenHTTP replaces http.listen. It fails if the address is none, or would be reached from other machines without leave.
func (c *Config) ListenHTTP(address string) error {
	if problem := checkListen(address, exampleHTTP, len(c.HTTP.Hosts) > 0, allowHTTP); problem != "" {
		return errors.New(problem)
	}
	c.HTTP.Listen = address
	return nil
}

// exampleHTTP is an address for http.listen, allowHTTP how to allow one that other machines reach.
const (
	exampleHTTP = "127.0.0.1:8484"
	allowHTTP   = `list the names they ask under in http.hosts ("*" for any)`
)

// validateHTTP reports an address that is none, or that other machines reach without leave, and origins that are none.
func (c *Config) validateHTTP() {
	c.reportProblem("http.listen", checkListen(c.HTTP.Listen, exampleHTTP, len(c.HTTP.Hosts) > 0, allowHTTP))
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
	ip, err := netip.ParseAddr(host)
	if loopback := host == "localhost" || err == nil && ip.IsLoopback(); !loopback && !remote {
		return "would be reached from other machines: use 127.0.0.1, or " + allow
	}
	return ""
}
