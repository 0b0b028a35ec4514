package card

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"strings"
	"time"

	"familiar/internal/sleep"
)

// WatchEvery is how often a Watcher looks at the files. Looking takes one stat per persona, works on every file system and
// with every editor's way to save; notifications of the operating system do neither.
const WatchEvery = 2 * time.Second

// Watcher notices changes of persona files and their lorebooks, and loads them. A file that changes is loaded once it has stayed the same between
// two looks, so that nothing half-written is read. A file that is broken or gone leaves the last good card in use.
type Watcher struct {
	// Dir is the directory of the personas, Keys name those that are watched.
	Dir  string
	Keys []string
	// Renew is called with each new card.
	Renew func(*Card)
	Now   func() time.Time
	Log   *slog.Logger

	files map[string]*watched
}

// watched is what is known of one file.
type watched struct {
	// seen is how the files were at the last look, judged how they were when they were read last.
	seen, judged stamps
	// text is the last good text, lore how its lorebook's file was.
	text []byte
	lore stamp
	// broken reports that the operator was told of a broken file.
	broken bool
}

// stamps are those of a persona's file and of its lorebook.
type stamps struct{ card, lore stamp }

// stamp changes whenever a file does.
type stamp struct {
	size     int64
	modified int64
	mode     fs.FileMode
}

// Run watches until ctx ends.
func (w *Watcher) Run(ctx context.Context) {
	w.Start()
	for sleep.For(ctx, WatchEvery) {
		w.Look()
	}
}

// Start loads what is there.
func (w *Watcher) Start() {
	w.files = make(map[string]*watched, len(w.Keys))
	for _, key := range w.Keys {
		f := &watched{seen: w.stampsOf(key)}
		w.files[key] = f
		w.load(key, f, Found)
	}
}

// Look looks at all files once.
func (w *Watcher) Look() {
	for _, key := range w.Keys {
		f, now := w.files[key], w.stampsOf(key)
		switch {
		case now == f.judged:
			f.seen = now
		case now != f.seen: // somebody may still be writing
			f.seen = now
		default:
			w.load(key, f, Reloaded)
		}
	}
}

// load reads a file as it is now, and uses it if it is good.
func (w *Watcher) load(key string, f *watched, from Change) {
	f.judged = f.seen
	text, file, err := CardText(w.Dir, key)
	var c *Card
	if err == nil {
		c, err = withLore(w.Dir, file, text)
	}
	if err != nil {
		problem := strings.ReplaceAll(err.Error(), "\n", "; ")
		w.Log.Error("a persona's file is broken: the last good version stays in use until it is mended", "persona", key, "error", problem)
		f.broken = true
		return
	}
	if bytes.Equal(text, f.text) && f.lore == f.judged.lore {
		if f.broken {
			w.Log.Info("a persona's file is good again", "persona", key)
		}
		f.broken = false
		return
	}
	changed := f.text != nil || f.broken
	f.text, f.lore, f.broken = text, f.judged.lore, false
	w.Renew(c)
	if changed {
		w.Log.Info("a persona's file has changed and is in use", "persona", key)
	}
	if err := errors.Join(Keep(w.Dir, key, text, from, w.Now()), w.keepLore(key, from)); err != nil {
		w.Log.Warn("keep the history of a persona", "persona", key, "error", err)
	}
}

// keepLore keeps the lorebook as it is now. That of a persona that never had one is no version.
func (w *Watcher) keepLore(key string, from Change) error {
	text, err := LoreText(w.Dir, key)
	if err != nil {
		return err
	}
	if before, err := LoreVersions(w.Dir, key); err != nil || text == nil && len(before) == 0 {
		return err
	}
	return KeepLore(w.Dir, key, text, from, w.Now())
}

func (w *Watcher) stampsOf(key string) stamps {
	return stamps{stampOf(CardFile(w.Dir, key)), stampOf(LoreFile(w.Dir, key))}
}

// stampOf returns the stamp of a file, zero if it cannot be seen.
func stampOf(file string) stamp {
	info, err := os.Stat(file)
	if err != nil {
		return stamp{}
	}
	return stamp{info.Size(), info.ModTime().UnixNano(), info.Mode()}
}
