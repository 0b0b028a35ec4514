package card

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"familiar/internal/plainfile"
	"familiar/persona/character"
	"familiar/persona/lore"
)

// ErrOutdated reports that a file is not what it was when a change of it began.
var ErrOutdated = errors.New("somebody else changed it meanwhile")

// Mark is short for a text: who has the mark can tell later whether the text is still the same. It is "" for no text.
func Mark(text []byte) string {
	if text == nil {
		return ""
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:12])
}

// Replace replaces the text of a persona's file by a valid one and keeps both in its history. before is the text as it was, which
// may be that of a built-in persona, or nil for none. Replace fails with ErrOutdated if the persona is another by now, and writes
// nothing if it fails. dir is the directory of the personas.
func Replace(ctx context.Context, dir, key string, before, after []byte, from Change, at time.Time) (file string, err error) {
	file = CardFile(dir, key)
	if _, err := ParseCard(file, after); err != nil {
		return file, err
	}
	unlock, err := lock(ctx, dir)
	if err != nil {
		return file, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	now, _, err := CardText(dir, key)
	if errors.Is(err, ErrNoCard) {
		now, err = nil, nil
	}
	if err != nil {
		return file, err
	}
	if !bytes.Equal(now, before) {
		return file, fmt.Errorf("change the persona %s: %w", key, ErrOutdated)
	}
	if before != nil {
		if err := Keep(dir, key, before, Found, at); err != nil {
			return file, err
		}
	}
	if err := plainfile.Write(file, after); err != nil {
		return file, err
	}
	return file, Keep(dir, key, after, from, at)
}

// LoreText returns the text of a persona's lorebook, nil if it has none.
func LoreText(dir, key string) ([]byte, error) {
	text, err := plainfile.Read(LoreFile(dir, key), lore.MaxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the lore of %s: %w", key, err)
	}
	return text, nil
}

// ReplaceLore is Replace for the lorebook of a persona. An empty text removes it.
func ReplaceLore(ctx context.Context, dir, key string, before, after []byte, from Change, at time.Time) (file string, err error) {
	file = LoreFile(dir, key)
	if len(after) > 0 {
		if _, err := lore.Read(after); err != nil { // what cannot be read again must not replace what can
			return file, fmt.Errorf("change the lore of %s: %w", key, err)
		}
	}
	unlock, err := lock(ctx, dir)
	if err != nil {
		return file, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	now, err := LoreText(dir, key)
	if err != nil {
		return file, err
	}
	if !bytes.Equal(now, before) {
		return file, fmt.Errorf("change the lore of %s: %w", key, ErrOutdated)
	}
	return file, placeLore(dir, key, now, from, at, func() error {
		if len(after) > 0 {
			return plainfile.Write(file, after)
		}
		if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	})
}

// placeLore writes another lorebook with write, and keeps what was there and what is there then. The caller holds the lock.
func placeLore(dir, key string, before []byte, from Change, at time.Time, write func() error) error {
	if err := KeepLore(dir, key, before, Found, at); err != nil {
		return err
	}
	if err := write(); err != nil {
		return err
	}
	after, err := LoreText(dir, key)
	if err != nil {
		return err
	}
	return KeepLore(dir, key, after, from, at)
}

// maxSources is how many character cards of a persona are kept that others replaced.
const maxSources = 5

// ReplaceSource replaces the character card that a persona was made from. The one before goes to its history.
func ReplaceSource(dir, key string, data []byte, format character.Format, at time.Time) error {
	kept := filepath.Join(historyDir(dir, key), "cards")
	for _, old := range character.Formats {
		path := SourceFile(dir, key, old)
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err := os.MkdirAll(kept, 0o700); err != nil {
			return fmt.Errorf("keep the card of %s: %w", key, err)
		}
		if err := os.Rename(path, filepath.Join(kept, at.UTC().Format(versionTime)+"."+string(old))); err != nil {
			return fmt.Errorf("keep the card of %s: %w", key, err)
		}
	}
	files, err := os.ReadDir(kept) // by name, which is by time
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("list the cards of %s: %w", key, err)
	}
	for _, f := range files[:max(0, len(files)-maxSources)] {
		if err := os.Remove(filepath.Join(kept, f.Name())); err != nil {
			return fmt.Errorf("drop the oldest card of %s: %w", key, err)
		}
	}
	return plainfile.Write(SourceFile(dir, key, format), data)
}
