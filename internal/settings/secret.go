package settings

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"familiar/internal/plainfile"
)

// Secret refers to a value that must not be written into the configuration: env:NAME, an environment variable, or
// file:/path, a file that only its owner can read. It holds the reference, never the secret itself: printing it prints
// the reference.
type Secret struct {
	ref  string
	home string
	env  func(name string) (value string, ok bool)
}

// maxSecret is the maximum size of a secret file in bytes. Keys and tokens are far shorter.
const maxSecret = 16 << 10

// secretMode is the most permissive mode of a secret file.
const secretMode os.FileMode = 0o600

var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// errLiteral never shows the value: it may be the secret itself.
var errLiteral = errors.New("takes a reference to the secret, never the secret itself: write env:NAME for an environment " +
	"variable, or file:/path for a file that only you can read (mode 0600)")

// UnmarshalText parses a reference. Anything else is rejected without being shown.
func (s *Secret) UnmarshalText(text []byte) error {
	kind, name, _ := strings.Cut(string(text), ":")
	switch {
	case kind == "env" && variableName.MatchString(name), kind == "file" && name != "":
		s.ref = string(text)
		return nil
	}
	return errLiteral
}

// Within returns the secret bound to home, against which relative paths are resolved, and to the environment env. A nil
// env is an empty environment.
func (s Secret) Within(home string, env func(name string) (value string, ok bool)) Secret {
	s.home, s.env = home, env
	return s
}

// Set reports whether there is a reference. It may still fail to resolve.
func (s Secret) Set() bool { return s.ref != "" }

// String returns the reference, "" if there is none.
func (s Secret) String() string { return s.ref }

// File returns the path of the file that holds the secret, "" if it is in none.
func (s Secret) File() string {
	kind, path, _ := strings.Cut(s.ref, ":")
	switch {
	case kind != "file":
		return ""
	case !filepath.IsAbs(path):
		return filepath.Join(s.home, path)
	}
	return path
}

// GoString keeps %#v from printing the fields.
func (s Secret) GoString() string { return "settings.Secret(" + s.ref + ")" }

// MarshalText returns the reference.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.ref), nil }

// MarshalYAML returns the reference.
func (s Secret) MarshalYAML() ([]byte, error) { return []byte(strconv.Quote(s.ref)), nil }

// LogValue returns the reference.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.ref) }

// Reveal resolves the reference, "" if there is none. The result must only be used for its purpose and never be shown
// or logged. Errors say what to do and contain no secret.
func (s Secret) Reveal() (string, error) {
	kind, name, _ := strings.Cut(s.ref, ":")
	switch kind {
	case "":
		return "", nil
	case "env":
		return s.fromEnv(name)
	}
	return fromFile(s.File())
}

func (s Secret) fromEnv(name string) (string, error) {
	value := ""
	if s.env != nil {
		value, _ = s.env(name)
	}
	if strings.TrimSpace(value) == "" {
		return "", fmt.Errorf("the environment variable %s is not set: export it before starting familiar", name)
	}
	return strings.TrimSpace(value), nil
}

func fromFile(path string) (string, error) {
	f, err := plainfile.Open(path)
	if err != nil {
		return "", fmt.Errorf("read the secret: %w", err)
	}
	defer func() { _ = f.Close() }() // read only
	info, err := f.Stat()
	if err != nil {
		return "", fmt.Errorf("read the secret: %w", err)
	}
	if mode := info.Mode().Perm(); mode&^secretMode != 0 {
		return "", fmt.Errorf("other users can read or change the secret %s (mode %04o): run chmod 600 %s",
			path, mode, path)
	}
	data, err := plainfile.ReadAll(f, maxSecret)
	if errors.Is(err, plainfile.ErrTooLarge) {
		return "", fmt.Errorf("the secret %s is longer than %d bytes: it should contain only the key", path, maxSecret)
	}
	if err != nil {
		return "", fmt.Errorf("read the secret: %w", err)
	}
	value := strings.TrimSpace(string(data))
	if value == "" {
		return "", fmt.Errorf("the secret %s is empty: write the key into it", path)
	}
	return value, nil
}
