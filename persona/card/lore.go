package card

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"familiar/internal/plainfile"
	"familiar/persona/character"
	"familiar/persona/lore"
)

// loreExt is the extension of the file with a persona's lorebook, in the format lorebook_v3. sourceMark stands before the
// extension of the character card that a persona was made from.
const (
	loreExt    = ".lore.json"
	sourceMark = ".card."
)

// LoreFile returns the path of the lorebook of a persona, whether or not it exists.
func LoreFile(dir, key string) string { return filepath.Join(dir, key+loreExt) }

// SourceFile returns the path where the character card is kept that a persona was made from.
func SourceFile(dir, key string, format character.Format) string {
	return filepath.Join(dir, key+sourceMark+string(format))
}

// Source returns the character card that a persona was made from, nil if it was not made from one.
func Source(dir, key string) (*character.File, error) {
	for _, format := range character.Formats {
		path := SourceFile(dir, key, format)
		data, err := plainfile.Read(path, character.MaxFile)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("read the original card of %s: %w", key, err)
		}
		file, err := character.Parse(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		return file, nil
	}
	return nil, nil
}

// LoadLore returns the lorebook of a persona, nil if it has none.
func LoadLore(dir, key string) (*lore.Book, error) {
	path := LoreFile(dir, key)
	data, err := plainfile.Read(path, lore.MaxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the lore of %s: %w", key, err)
	}
	book, err := lore.Read(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return book, nil
}

// withLore parses the persona of a file and adds its lorebook.
func withLore(dir, file string, data []byte) (*Card, error) {
	card, err := ParseCard(file, data)
	if err != nil {
		return nil, err
	}
	book, err := LoadLore(dir, card.Key)
	if err != nil {
		return nil, err
	}
	if book != nil {
		card.Sheet.Lore = lore.Compile(book)
	}
	return card, nil
}
