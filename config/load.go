package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"familiar/internal/plainfile"
	"familiar/internal/settings"
	"familiar/internal/strictyaml"
)

// Load reads the configuration in home. A missing file gives the defaults. If the file is invalid, the error is a
// *strictyaml.Problems that lists every problem. Secrets are not resolved: Secret.Reveal does that with env when they
// are needed. sections are those of the channels.
func Load(home Home, env Env, sections ...settings.Section) (*Config, error) {
	if info, err := os.Stat(string(home)); err == nil && !info.IsDir() {
		return nil, fmt.Errorf("the home %s is a file: choose a directory with --home DIR", string(home))
	}
	data, err := readFile(home.File())
	if err != nil {
		return nil, err
	}
	c, err := Parse(home, data, env, sections...)
	if err != nil {
		return nil, err
	}
	c.checkPermissions()
	return c, nil
}

// maxFile is the maximum size of the configuration in bytes.
const maxFile = 1 << 20

// readFile returns the contents of the configuration, nothing if there is no file. A link that leads nowhere is a mistake:
// the file was meant to be there.
func readFile(path string) ([]byte, error) {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	data, err := plainfile.Read(path, maxFile)
	if err != nil {
		return nil, fmt.Errorf("read the configuration: %w: make it readable, or choose another home with --home DIR", err)
	}
	return data, nil
}

// Parse reads data as the configuration of home, without reading the file there.
func Parse(home Home, data []byte, env Env, sections ...settings.Section) (*Config, error) {
	c := Default(sections...)
	c.Home = home
	c.doc = strictyaml.Decode(home.File(), data, c)
	c.eachModel(func(path string, m *ModelSettings) {
		m.section = path
		m.APIKey, m.Headers = m.APIKey.Within(string(home), env), m.Headers.within(home, env)
	})
	c.resolveModels()
	c.Database.URL.ref = c.Database.URL.ref.Within(string(home), env)
	c.Embedder.APIKey = c.Embedder.APIKey.Within(string(home), env)
	c.Web.Search.Key = c.Web.Search.Key.Within(string(home), env)
	c.Speech.Speak.APIKey = c.Speech.Speak.APIKey.Within(string(home), env)
	c.Speech.Transcribe.APIKey = c.Speech.Transcribe.APIKey.Within(string(home), env)
	c.Tools.Servers.within(home, env)
	c.Backup.Passphrase = c.Backup.Passphrase.Within(string(home), env)
	c.Channels.bindSecrets(home, env)
	c.validate()
	if err := c.doc.Err(); err != nil {
		return nil, err
	}
	return c, nil
}

// Problem returns an error about the value of key ("model.api_key") with the file and line that set it.
func (c *Config) Problem(key string, cause error) error {
	at := c.doc.Position(key)
	if at.Line == 0 {
		return fmt.Errorf("%s: %s: %w", c.Home.File(), key, cause)
	}
	return fmt.Errorf("%s:%d:%d: %s: %w", c.Home.File(), at.Line, at.Column, key, cause)
}

// checkPermissions warns about a file that others on the machine can access: it contains no secrets, but says where
// they are.
func (c *Config) checkPermissions() {
	info, err := os.Stat(c.Home.File())
	if err == nil && info.Mode().Perm()&^fileMode != 0 {
		c.Warnings = append(c.Warnings, fmt.Sprintf("other users can read or change %s (mode %04o): run chmod 600 %s",
			c.Home.File(), info.Mode().Perm(), c.Home.File()))
	}
}
