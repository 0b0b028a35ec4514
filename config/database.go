package config

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"familiar/internal/settings"
)

// Database says where the memory is: in the SQLite file of the home, or on a PostgreSQL server. In the file it may be just the URL.
type Database struct {
	URL DatabaseURL `yaml:"url"`
	// Connections is how many connections to a server may read at a time, 2–64, beside the one that writes.
	Connections int `yaml:"connections"`
	// StatementTimeout is after what time the server ends a statement, 5 s–24 h; 0 leaves it to the server, which waits by default.
	StatementTimeout time.Duration `yaml:"statement_timeout"`
}

// defaultConnections is as many as read a file at a time.
const defaultConnections = 4

// DatabaseURL is sqlite for the file of the home, the URL of a server, or a reference to one.
type DatabaseURL struct {
	url string
	ref settings.Secret
}

// inFile is the value for the file of the home.
const inFile = "sqlite"

// UnmarshalText parses what DatabaseURL does.
func (d *Database) UnmarshalText(text []byte) error { return d.URL.UnmarshalText(text) }

// UnmarshalText parses sqlite, the URL of a server without a password, or a reference to a URL with one.
func (d *DatabaseURL) UnmarshalText(text []byte) error {
	value := string(text)
	switch {
	case value == inFile:
		*d = DatabaseURL{}
		return nil
	case isServer(value):
		return d.parse(value)
	case strings.HasPrefix(value, "env:"), strings.HasPrefix(value, "file:"):
		d.url = ""
		return d.ref.UnmarshalText(text)
	}
	return errors.New("takes sqlite, postgres://USER@HOST/DATABASE, or env:NAME or file:/path for an address with a password")
}

func isServer(value string) bool {
	return strings.HasPrefix(value, "postgres://") || strings.HasPrefix(value, "postgresql://")
}

// parse never shows the value in an error: it may contain a password.
func (d *DatabaseURL) parse(value string) error {
	u, err := url.Parse(value)
	if err != nil {
		return errors.New("is not a valid address: write postgres://USER@HOST/DATABASE")
	}
	_, secret := u.User.Password()
	if query := u.Query(); secret || query.Has("password") || query.Has("sslpassword") {
		return errors.New("must not contain the password: write env:NAME, or file:/path of a file that only you can read (mode 0600), " +
			"which holds the whole address")
	}
	*d = DatabaseURL{url: value}
	return nil
}

// OnServer reports whether the memory is on a server.
func (d Database) OnServer() bool { return d.URL.url != "" || d.URL.ref.Set() }

// String returns the URL as it stands in the file, which contains no password.
func (d Database) String() string { return d.URL.String() }

// String returns the value as it stands in the file, which contains no password.
func (d DatabaseURL) String() string {
	switch {
	case d.url != "":
		return d.url
	case d.ref.Set():
		return d.ref.String()
	}
	return inFile
}

// MemoryAddress returns the address of the memory: the path of the file, or the URL of the server, which may contain a password and must
// not be shown.
func (c *Config) MemoryAddress() (string, error) {
	address, err := c.Database.URL.address(c.Home)
	if err != nil {
		return "", c.Problem("database", err)
	}
	return address, nil
}

// OtherDatabase returns the address that a value of database stands for, as MemoryAddress does for the configured one.
func (h Home) OtherDatabase(value string, env Env) (d Database, address string, err error) {
	if err := d.UnmarshalText([]byte(value)); err != nil {
		return d, "", err
	}
	d.URL.ref = d.URL.ref.Within(string(h), env)
	address, err = d.URL.address(h)
	return d, address, err
}

func (d DatabaseURL) address(home Home) (string, error) {
	switch {
	case d.url != "":
		return d.url, nil
	case !d.ref.Set():
		return home.Database(), nil
	}
	address, err := d.ref.Reveal()
	if err == nil && !isServer(address) {
		err = fmt.Errorf("%s does not hold an address such as postgres://USER:PASSWORD@HOST/DATABASE", d.ref)
	}
	return address, err
}

// validateDatabase checks the limits, which only a server has.
func (c *Config) validateDatabase() {
	const connections, timeout = "database.connections", "database.statement_timeout"
	limited := c.doc.Given(connections) || c.doc.Given(timeout)
	switch {
	case limited && !c.doc.Given("database.url"):
		c.doc.Problemf("database.url", "is missing: write postgres://USER@HOST/DATABASE, or env:NAME or file:/path for an address with a password")
	case limited && !c.Database.OnServer():
		c.doc.Problemf("database", "sets limits, which only a server has: remove connections and statement_timeout")
	}
	c.checkInt(connections, c.Database.Connections, 2, 64)
	if span := c.Database.StatementTimeout; span != 0 {
		c.checkDuration(timeout, span, 5*time.Second, 24*time.Hour)
	}
}
