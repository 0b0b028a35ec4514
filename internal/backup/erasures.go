package backup

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"familiar/internal/lazyregexp"
	"familiar/internal/plainfile"
	"familiar/memory"
	"familiar/memory/erase"
)

// What people had erased must not come back with an older backup. The record of erasures, which is ids and no words, is in the
// database and in a list beside the backups, for the day that the database cannot be read. Ids mean something only in the home
// in which they were given, so each home has an id, which its backups carry and which a restore takes over.

// listName is the name of the list of erasures, idName of the file with the home's id.
const (
	listName = "erasures.jsonl"
	idName   = "home.id"
)

// maxList is the largest list that is read, in bytes: some hundred thousand erasures.
const maxList = 256 << 20

// listed is a line of the list.
type listed struct {
	Home string `json:"home"`
	erase.Erasure
}

// homeID returns the id of the home, which it makes if there is none. Only one process works on the set.
func (s *Set) homeID() (string, error) {
	id, err := s.readID()
	if err != nil || id != "" {
		return id, err
	}
	id = s.NewID()
	return id, s.adopt(id)
}

// isID matches ids of homes. They name directories.
var isID = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$`).MatchString

// readID returns the id of the home, "" if it has none yet.
func (s *Set) readID() (string, error) {
	path := filepath.Join(s.Home.Backups(), idName)
	data, err := plainfile.Read(path, 1<<10)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("read the home's id: %w", err)
	}
	id := string(bytes.TrimSpace(data))
	if !isID(id) {
		return "", fmt.Errorf("%s holds no id of a home: put back the one that `home` says in a line of %s beside it, or remove the file", path, listName)
	}
	return id, nil
}

// adopt makes id the home's.
func (s *Set) adopt(id string) error {
	return plainfile.Write(filepath.Join(s.Home.Backups(), idName), []byte(id+"\n"))
}

// readList reads the list of erasures in dir.
func readList(dir string) (all []listed, _ error) {
	path := filepath.Join(dir, listName)
	data, err := plainfile.Read(path, maxList)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the list of erasures: %w", err)
	}
	number := 0
	for line := range bytes.Lines(data) {
		number++
		var one listed
		if err := json.Unmarshal(line, &one); err != nil {
			return nil, fmt.Errorf("%s:%d: this line of the list of erasures cannot be read, so that erased messages might come back: "+
				"mend or remove the line: %w", path, number, err)
		}
		all = append(all, one)
	}
	return all, nil
}

// note adds erasures of the home to the list beside the backups.
func (s *Set) note(home string, erased []erase.Erasure) error {
	for _, dir := range slices.Compact([]string{s.Home.Backups(), s.dir()}) {
		if err := addToList(dir, home, erased); err != nil {
			return err
		}
	}
	return nil
}

func addToList(dir, home string, erased []erase.Erasure) error {
	all, err := readList(dir)
	if err != nil {
		return err
	}
	have := map[string]bool{}
	for _, one := range all {
		have[one.key()] = true
	}
	before := len(all)
	for _, e := range erased {
		one := listed{home, e}
		if one.ID = 0; !have[one.key()] { // the number differs between copies of one erasure
			have[one.key()] = true
			all = append(all, one)
		}
	}
	if len(all) == before {
		return nil
	}
	var text bytes.Buffer
	for _, one := range all {
		line, err := json.Marshal(one)
		if err != nil {
			return err
		}
		text.Write(append(line, '\n'))
	}
	return plainfile.Write(filepath.Join(dir, listName), text.Bytes())
}

// key is the same for the same erasure. Of the highest ids only a change counts, not the time at which they were read.
func (l listed) key() string {
	at := l.At.UnixMilli()
	if l.Kind == erase.KindHighest {
		at = 0
	}
	return fmt.Sprint(l.Home, at, l.Kind, l.People, l.Messages, l.Memories, l.Withdrawn)
}

// erasedIn returns what was erased since in the database at path, which is not upgraded: a database from before this record has
// none.
func (s *Set) erasedIn(ctx context.Context, path string, since time.Time) (erased []erase.Erasure, err error) {
	var outdated bool
	store, err := memory.Open(ctx, path, memory.Options{Now: s.Now, BeforeUpgrade: func(context.Context, int) error {
		outdated = true
		return errors.New("it is of an earlier version")
	}})
	if outdated {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	return store.Eraser.Erasures(ctx, since)
}

// NoteErasures adds to the list beside the backups what was erased in the open store since a time.
func (s *Set) NoteErasures(ctx context.Context, store *memory.Store, since time.Time) error {
	erased, err := store.Eraser.Erasures(ctx, since)
	if err != nil || len(erased) < 2 { // the highest ids alone can wait for the next backup
		return err
	}
	return s.withWork(ctx, func(string) error {
		home, err := s.homeID()
		if err != nil {
			return err
		}
		return s.note(home, erased)
	})
}

// erasuresFor returns what a backup that is restored must not bring back: what the lists in the set and beside the backup say of
// the home it was made of, and what was erased in the database that it replaces if that is the same home. unread is why that
// database could not be asked.
func (s *Set) erasuresFor(ctx context.Context, b Backup, m Manifest) (erased []erase.Erasure, unread, err error) {
	home, err := s.homeID()
	if err != nil {
		return nil, nil, err
	}
	of := m.Home
	if of == "" {
		of = home // a plain copy beside the home's database
	}
	for _, dir := range slices.Compact([]string{s.Home.Backups(), s.dir(), filepath.Dir(b.Path)}) {
		all, err := readList(dir)
		if err != nil {
			return nil, nil, err
		}
		for _, one := range all {
			if one.Home == of {
				erased = append(erased, one.Erasure)
			}
		}
	}
	if of == home {
		known, err := s.erasedInHome(ctx)
		erased, unread = append(erased, known...), err
	}
	return erased, unread, nil
}

// erasedInHome returns what was erased in the home's database, nothing if there is none.
func (s *Set) erasedInHome(ctx context.Context) ([]erase.Erasure, error) {
	if s.Open != nil {
		return s.Open.Eraser.Erasures(ctx, time.Time{})
	}
	if _, err := os.Stat(s.Home.Database()); err != nil {
		return nil, nil //nolint:nilerr // there is none
	}
	return s.erasedIn(ctx, s.Home.Database(), time.Time{})
}
