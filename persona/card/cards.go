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

	"familiar/internal/plainfile"
	"familiar/internal/spelling"
)

//go:embed cards/*.yaml
var builtIn embed.FS

//go:embed blank.yaml
var blank string

// cardExt is the extension of a persona's file.
const cardExt = ".yaml"

// builtInFile returns the name of a built-in persona's file in messages.
const builtInFile = "built-in/"

// ErrNoCard reports that no persona has the key.
var ErrNoCard = errors.New("no such persona")

// CardEntry is an available persona.
type CardEntry struct {
	Key string
	// File is the operator's file, or "built-in/KEY.yaml".
	File string
	// BuiltIn reports that the persona is part of the program, Shadows that the operator's file replaces a built-in
	// one.
	BuiltIn, Shadows bool
	// Card is nil if Err describes a problem with the file.
	Card *Card
	Err  error
}

// Cards returns all personas by key: the built-in ones and those in dir, which win over a built-in one with the same
// key. A persona that cannot be read is listed with its Err. dir may be missing.
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
			e.Card, e.Err = withLore(dir, file, data)
		}
		entries = append(entries, e)
	}
	return append(entries, strays(dir)...), nil
}

// strays returns files of dir that look like personas but have no valid key. They are listed so that no persona seems
// to be lost.
func strays(dir string) []CardEntry {
	own, err := os.ReadDir(dir)
	if err != nil {
		return nil // Cards already reported an error of dir
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

// LoadCard reads the persona of key, from dir or built in. It fails with ErrNoCard, naming the most similar key, or
// with the problems of the file.
func LoadCard(dir, key string) (*Card, error) {
	data, file, err := CardText(dir, key)
	if err != nil {
		return nil, err
	}
	return withLore(dir, file, data)
}

// CardText returns the text of the persona of key and its file, "built-in/KEY.yaml" for a built-in one.
func CardText(dir, key string) (data []byte, file string, err error) {
	if !ValidKey(key) {
		return nil, "", noCard(dir, key)
	}
	file = CardFile(dir, key)
	data, err = plainfile.Read(file, maxCard)
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

// CardFile returns the path of the operator's persona of key, whether or not it exists.
func CardFile(dir, key string) string { return filepath.Join(dir, key+cardExt) }

// BlankCard returns a commented template of a persona file.
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
