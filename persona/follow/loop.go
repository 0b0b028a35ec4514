package follow

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"time"

	"familiar/channels"
	"familiar/internal/sleep"
	"familiar/memory/log"
)

// Looking at every file costs a system call per file, so that a look at thousands takes milliseconds. The wait between two looks
// grows with what they cost: an idle folder takes at most a hundredth of a processor. Notifications of the operating system would
// be faster, but are limited in number, and absent on network drives.
const (
	shortestWait = 2 * time.Second
	longestWait  = 5 * time.Minute
	waitPerLook  = 100
	// waitWithoutWatches is how often the loop looks for the first watch.
	waitWithoutWatches = 15 * time.Second
)

// Loop follows the watches of a store.
type Loop struct {
	Reader *Reader
	Log    *slog.Logger

	folders map[int64]*Folder
	// told are the problems that were logged, by path.
	told map[string]string
}

// Done is what one look at a watch led to.
type Done struct {
	Watch log.Watch
	// Files are those that were read or could not be, Problems the latter.
	Files    int
	Problems []string
	Result
}

// Once looks at every watch once. A watch that cannot be read does not keep the others from being read. It fails if the store does.
func (l *Loop) Once(ctx context.Context) (all []Done, err error) {
	watches, err := l.Reader.Store.Log.Watches(ctx)
	if err != nil {
		return nil, err
	}
	before := l.folders
	l.folders = make(map[int64]*Folder, len(watches))
	for _, w := range watches {
		folder := before[w.ID]
		if folder == nil || folder.Source.PersonID != w.PersonID {
			folder = &Folder{Reader: l.Reader, Dir: w.Dir, Pattern: w.Pattern}
		}
		l.folders[w.ID] = folder
		done, err := l.look(ctx, w, folder)
		if err != nil {
			return all, fmt.Errorf("follow %s: %w", w.Dir, err)
		}
		all = append(all, done)
	}
	return all, nil
}

// look reads what changed in a watch.
func (l *Loop) look(ctx context.Context, w log.Watch, folder *Folder) (done Done, err error) {
	done.Watch = w
	person, err := l.Reader.Store.Log.Person(ctx, w.PersonID)
	if err != nil {
		return done, err
	}
	folder.Source = Source{
		Persona: w.Persona, PersonID: w.PersonID, Author: channels.Author{Handle: w.Account, Name: person.Name}, Format: w.Format,
	}
	folder.Report = func(path string, r Result, err error) {
		if r.Bytes > 0 || err != nil {
			done.Files++
		}
		done.merge(r)
		l.note(path, err)
		if err != nil {
			done.Problems = append(done.Problems, err.Error())
		} else if r.New > 0 {
			l.Log.Debug("read a session file", "path", path, "messages", r.New)
		}
	}
	err = folder.Scan(ctx)
	var problem *FileError
	if errors.As(err, &problem) {
		done.Problems = append(done.Problems, err.Error())
		l.note(w.Dir, err)
		return done, nil
	}
	if err == nil {
		l.note(w.Dir, nil)
	}
	return done, err
}

// note logs a problem when it begins, and forgets it when it ends.
func (l *Loop) note(path string, err error) {
	if err == nil {
		delete(l.told, path)
		return
	}
	if l.told[path] == err.Error() {
		return
	}
	if l.told == nil {
		l.told = map[string]string{}
	}
	l.told[path] = err.Error()
	l.Log.Warn("a session file or its directory cannot be read: it is tried again", "error", err)
}

// Run looks again and again until ctx ends. Errors of the store are logged.
func (l *Loop) Run(ctx context.Context) {
	for {
		began := l.Reader.Now()
		all, err := l.Once(ctx)
		if err != nil && ctx.Err() == nil {
			l.Log.Warn("following session files was interrupted: it is tried again", "error", err)
		}
		if !sleep.For(ctx, l.wait(len(all), l.Reader.Now().Sub(began))) {
			return
		}
	}
}

// wait returns how long to wait after a look at a number of watches that took some time.
func (l *Loop) wait(watches int, took time.Duration) time.Duration {
	if watches == 0 && len(l.folders) == 0 {
		return waitWithoutWatches
	}
	return min(max(shortestWait, took*waitPerLook), longestWait)
}

// merge adds what was read of another file.
func (r *Result) merge(more Result) {
	r.Found, r.New, r.Bytes, r.Pending = r.Found+more.Found, r.New+more.New, r.Bytes+more.Bytes, r.Pending || more.Pending
	for reason, n := range more.Skipped {
		r.skip(reason, n)
	}
}

// skip counts what was left out.
func (r *Result) skip(reason string, n int) {
	if r.Skipped == nil {
		r.Skipped = map[string]int{}
	}
	r.Skipped[reason] += n
}

// Follows reports whether the file of a watermark is read for a watch.
func Follows(w log.Watch, m log.Watermark) bool {
	src := Source{Persona: w.Persona, Author: channels.Author{Handle: w.Account}, Format: w.Format}
	below := strings.HasPrefix(m.Path, strings.TrimSuffix(w.Dir, string(filepath.Separator))+string(filepath.Separator))
	return below && m.ID == watermarkID(src, m.Path)
}
