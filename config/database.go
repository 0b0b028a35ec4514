package config

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"familiar/internal/settings"
)

// Database says where the memory is: in the SQLite file of the home, or on a PostgreSQL server.
type Database struct {
	url string
	ref settings.Secret
}

// inFile is the value for the file of the home.
const inFile = "sqlite"

// UnmarshalText parses sqlite, the URL of a server without a password, or a reference to a URL with one.
func (d *Database) UnmarshalText(text []byte) error {
	value := string(text)
	switch {
	case value == inFile:
		*d = Database{}
		return nil
	case isServer(value):
		return d.parseURL(value)
	case strings.HasPrefix(value, "env:"), strings.HasPrefix(value, "file:"):
		d.url = ""
		return d.ref.UnmarshalText(text)
	}
	return errors.New("takes sqlite, postgres://USER@HOST/DATABASE, or env:NAME or file:/path for an address with a password")
}

func isServer(value string) bool {
	return strings.HasPrefix(value, "postgres://") || strings.HasPrefix(value, "postgresql://")
}

// parseURL never shows the value in an error: it may contain a password.
func (d *Database) parseURL(value string) error {
	u, err := url.Parse(value)
	if err != nil {
		return errors.New("is not a valid address: write postgres://USER@HOST/DATABASE")
	}
	_, secret := u.User.Password()
	if secret || u.Query().Has("password") {
		return errors.New("must not contain the password: write env:NAME, or file:/path of a file that only you can read (mode 0600), " +
			"which holds the whole address")
	}
	*d = Database{url: value}
	return nil
}

// OnServer reports whether the memory is on a server.
func (d Database) OnServer() bool { return d.url != "" || d.ref.Set() }

// String returns the value as it stands in the file, which contains no password.
func (d Database) String() string {
	switch {
	case d.url != "":
		return d.url
	case d.ref.Set():
		return d.ref.String()
	}
	return inFile
}

// MarshalYAML returns the value as it stands in the file.
func (d Database) MarshalYAML() ([]byte, error) { return []byte(d.String()), nil }

// MemoryAddress returns the address of the memory: the path of the file, or the URL of the server, which may contain a password and must
// not be shown.
func (c *Config) MemoryAddress() (string, error) {
	address, err := c.Database.address(c.Home)
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
	d.ref = d.ref.Within(string(h), env)
	address, err = d.address(h)
	return d, address, err
}

func (d Database) address(home Home) (string, error) {
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
