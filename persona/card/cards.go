package card

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"familiar/internal/spelling"
)

//go:embed cards/*.yaml
var builtIn embed.FS

//go:embed blank.yaml
var blank string

// cardExt is the ending of a persona's file.
const cardExt = ".yaml"

// builtInFile is how a built-in persona's file is called in messages.
const builtInFile = "built-in/"

// ErrNoCard says that there is no persona of that key.
var ErrNoCard = errors.New("no such persona")

// CardEntry is one persona that can be spoken with.
type CardEntry struct {
	Key string
	// File is the operator's file, or "built-in/KEY.yaml".
	File string
	// BuiltIn says that the persona comes with the program, Shadows that the operator's file replaces one that does.
	BuiltIn, Shadows bool
	// Card is nil when Err says what is wrong with the file.
	Card *Card
	Err  error
}

// Cards returns all personas by key: those built in and those in dir, which win over a built-in one with the same key.
// A persona that cannot be read is listed with its Err. dir may be missing.
func Cards(dir string) ([]CardEntry, error) {
	keys, err := cardKeys(dir)
	if err != nil {
		return nil, err
	}
	var entries []CardEntry
	for _, key := range keys {
		data, file, err := CardText(dir, key)
		e := CardEntry{Key: key, File: file, BuiltIn: strings.HasPrefix(file, builtInFile), Err: err}
		if _, comes := builtInText(key); comes {
			e.Shadows = !e.BuiltIn
		}
		if err == nil {
			e.Card, e.Err = ParseCard(file, data)
		}
		entries = append(entries, e)
	}
	return append(entries, strays(dir)...), nil
}

// strays returns files of dir that look like personas and cannot be reached by any key: they are shown, so that nobody
// wonders where their persona went.
func strays(dir string) []CardEntry {
	own, err := os.ReadDir(dir)
	if err != nil {
		return nil // Cards has listed dir already and said so
	}
	var out []CardEntry
	for _, f := range own {
		ext := filepath.Ext(f.Name())
		key := strings.TrimSuffix(f.Name(), ext)
		if f.IsDir() || strings.HasPrefix(key, ".") || (ext != cardExt && ext != ".yml") || (ext == cardExt && ValidKey(key)) {
			continue
		}
		file := filepath.Join(dir, f.Name())
		out = append(out, CardEntry{
			Key: key, File: file,
			Err: fmt.Errorf("%s: cannot be spoken with: rename it to 1–%d of a–z, 0–9 and -, ending in %s", file, maxKey, cardExt),
		})
	}
	return out
}

// LoadCard reads the persona of key, from dir or built in. The error is an ErrNoCard that names the nearest persona
// there is, or what is wrong with the file.
func LoadCard(dir, key string) (*Card, error) {
	data, file, err := CardText(dir, key)
	if err != nil {
		return nil, err
	}
	return ParseCard(file, data)
}

// CardText returns the text of the persona of key and the file it is in, "built-in/KEY.yaml" when it comes with the
// program.
func CardText(dir, key string) (data []byte, file string, err error) {
	if !ValidKey(key) {
		return nil, "", noCard(dir, key)
	}
	file = CardFile(dir, key)
	data, err = os.ReadFile(file)
	if err == nil {
		return data, file, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, file, fmt.Errorf("read the persona %s: %w", key, err)
	}
	if data, ok := builtInText(key); ok {
		return data, builtInFile + key + cardExt, nil
	}
	return nil, "", noCard(dir, key)
}

// CardFile returns where the operator's persona of key is, whether or not it is there.
func CardFile(dir, key string) string { return filepath.Join(dir, key+cardExt) }

// BlankCard returns a commented file to begin a persona with.
func BlankCard(key string) []byte {
	name := nameOf(key)
	return []byte(strings.NewReplacer("name: {persona}", "name: "+strconv.Quote(name), "{persona}", name).Replace(blank))
}

func noCard(dir, key string) error {
	const list = "`familiar persona list` shows them all"
	keys, err := cardKeys(dir)
	if err != nil {
		return err
	}
	if near := spelling.Nearest(key, keys); near != "" {
		return fmt.Errorf("%w: %q: did you mean %q? (%s)", ErrNoCard, key, near, list)
	}
	return fmt.Errorf("%w: %q (%s)", ErrNoCard, key, list)
}

// cardKeys returns the keys of all personas, sorted.
func cardKeys(dir string) ([]string, error) {
	own, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("list the personas: %w", err)
	}
	shipped, err := builtIn.ReadDir("cards")
	if err != nil {
		return nil, fmt.Errorf("list the built-in personas: %w", err)
	}
	var keys []string
	for _, f := range append(shipped, own...) {
		if key, ok := strings.CutSuffix(f.Name(), cardExt); ok && !f.IsDir() && ValidKey(key) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys), nil
}

func builtInText(key string) ([]byte, bool) {
	data, err := builtIn.ReadFile(path.Join("cards", key+cardExt))
	return data, err == nil
}
