package follow

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"time"

	"familiar/internal/plainfile"
	"familiar/memory/log"
	"familiar/persona/imports"
)

// settled is how long a file must not have changed until its last message counts as complete where the format does not tell.
const settled = time.Minute

// printed is how many bytes at the beginning and at the end of what was read tell whether a file was written anew.
const printed = 1024

// File reads what a session file has that was not read before. whole says that its last message is complete. The file may have
// been moved, or another put in its place: then it continues with the one that it read, and reads the other from its beginning.
func (r *Reader) File(ctx context.Context, src Source, path string, whole bool) (done Result, err error) {
	path, err = filepath.Abs(path)
	if err != nil {
		return done, err
	}
	done, err = r.locked(ctx, src, path, whole)
	return done, errors.Join(err, r.flush(ctx))
}

// locked is File for an absolute path. The watermark of a file without messages may still be unsaved: flush saves it.
func (r *Reader) locked(ctx context.Context, src Source, path string, whole bool) (done Result, err error) {
	release, err := r.Lock(ctx)
	if err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, release()) }()
	pass := &filePass{Reader: r, ctx: ctx, src: src, whole: whole}
	err = pass.file(path)
	return pass.done, err
}

// filePass reads one file, and one that was moved away from its path.
type filePass struct {
	*Reader
	ctx   context.Context // of the pass: it lives as long
	src   Source
	whole bool
	done  Result
	// moved says that the file is one that stood elsewhere.
	moved bool
}

// file reads the file at path and notes a problem with it.
func (p *filePass) file(path string) error {
	w, err := p.Store.Log.Watermark(p.ctx, watermarkID(p.src, path))
	if err != nil {
		return err
	}
	w.ID, w.PersonID, w.Channel, w.Path = watermarkID(p.src, path), p.src.PersonID, p.src.Author.Handle.Channel, path
	err = p.open(path, w)
	var problem *FileError
	if errors.As(err, &problem) && w.Problem != problem.Error() {
		w.Problem = problem.Error()
		err = errors.Join(err, p.Store.Log.SetWatermarks(p.ctx, w))
	}
	return err
}

// FileError is a problem with a file, and not with the store: reading others can go on.
type FileError struct{ cause error }

func (e *FileError) Error() string { return e.cause.Error() }

// Unwrap returns the cause.
func (e *FileError) Unwrap() error { return e.cause }

// open finds out which file stands at path and reads it.
func (p *filePass) open(path string, w log.Watermark) error {
	f, err := plainfile.Open(path)
	if err != nil {
		return &FileError{err}
	}
	defer f.Close() //nolint:errcheck // only read
	info, err := f.Stat()
	if err != nil {
		return &FileError{err}
	}
	file := fileID(info)
	same, err := sameContent(f, w)
	if err != nil {
		return &FileError{err}
	}
	switch {
	case w.ReadTo == 0 || !same:
		if w.ReadTo > 0 && w.File != file {
			if err := p.rest(path, w); err != nil {
				return err
			}
		}
		if w, err = p.arrived(f, file, unread(w)); err != nil {
			return err
		}
	case w.Size == info.Size() && w.Modified.Equal(info.ModTime().Truncate(time.Millisecond)) && w.ReadTo == w.Size && w.Problem == "":
		return nil
	}
	w.File, w.Size, w.Modified, w.Problem = file, info.Size(), info.ModTime(), ""
	return p.continueAt(f, path, w)
}

// arrived returns the watermark of a file that was read under another path, which it has no more, and else w.
func (p *filePass) arrived(f *os.File, file string, w log.Watermark) (log.Watermark, error) {
	others, err := p.Store.Log.WatermarksOfFile(p.ctx, p.src.PersonID, file)
	if err != nil {
		return w, err
	}
	for _, o := range others {
		if o.ID == w.ID || o.ReadTo == 0 || o.ID != watermarkID(p.src, o.Path) {
			continue
		}
		if info, err := os.Lstat(o.Path); err == nil && fileID(info) == file {
			continue // another name of the same file
		}
		same, err := sameContent(f, o)
		if err != nil {
			return w, &FileError{err}
		}
		if same {
			w.Head, w.Tail, w.ReadTo, w.Progress, w.Messages = o.Head, o.Tail, o.ReadTo, o.Progress, o.Messages
			return w, nil
		}
	}
	return w, nil
}

// rest reads what was added to the file that stood at path before it was moved to another name in the directory.
func (p *filePass) rest(path string, w log.Watermark) error {
	if p.moved {
		return nil
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return &FileError{err}
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() || fileID(info) != w.File {
			continue
		}
		whole, moved := p.whole, p.moved
		p.whole, p.moved = true, true
		err = p.file(filepath.Join(filepath.Dir(path), e.Name()))
		p.whole, p.moved = whole, moved
		return err
	}
	return nil
}

// continueAt reads a file from its watermark on.
func (p *filePass) continueAt(f *os.File, path string, w log.Watermark) error {
	o, err := p.options(p.ctx, p.src)
	if err != nil {
		return err
	}
	o.Stem, o.Project, o.Modified, o.Whole, o.ErasedBytes = stem(path), filepath.Base(filepath.Dir(path)), w.Modified, p.whole, w.ErasedBytes
	if w.Progress != "" {
		if err := json.Unmarshal([]byte(w.Progress), &o.From); err != nil {
			return fmt.Errorf("read how far %s was read: %w", path, err)
		}
	}
	in := io.NewSectionReader(f, o.From.Offset, math.MaxInt64-o.From.Offset)
	saved := false
	err = p.read(p.ctx, p.src, in, o, func(c imports.Chunk, fresh int, from int64) error {
		p.done.add(c, fresh, from)
		w.Messages += fresh
		if err := mark(f, &w, c.Next); err != nil {
			return err
		}
		if saved = len(c.Lines) > 0; saved { // at once, so that an erasure knows what was read
			return p.Store.Log.SetWatermarks(p.ctx, w)
		}
		return nil
	})
	if err != nil {
		return err
	}
	p.done.Pending = w.ReadTo < w.Size
	if saved {
		return nil
	}
	return p.keep(p.ctx, w)
}

// mark notes in a watermark that a file was read up to a place.
func mark(f *os.File, w *log.Watermark, next imports.Progress) error {
	text, err := json.Marshal(next)
	if err != nil {
		return err
	}
	w.Progress, w.ReadTo = string(text), next.Offset
	if w.Head, w.Tail, err = prints(f, next.Offset); err != nil {
		return &FileError{err}
	}
	return nil
}

// unsavedMost is how many watermarks of files without messages are saved together: a folder may have a million of them.
const unsavedMost = 500

// keep saves a watermark with others.
func (r *Reader) keep(ctx context.Context, w log.Watermark) error {
	if r.unsaved = append(r.unsaved, w); len(r.unsaved) < unsavedMost {
		return nil
	}
	return r.flush(ctx)
}

// flush saves the watermarks that are not saved yet.
func (r *Reader) flush(ctx context.Context) error {
	all := r.unsaved
	if r.unsaved = nil; len(all) == 0 {
		return nil
	}
	return r.Store.Log.SetWatermarks(ctx, all...)
}

// sameContent reports whether what was read is still the beginning of the file.
func sameContent(f *os.File, w log.Watermark) (bool, error) {
	head, tail, err := prints(f, w.ReadTo)
	return head == w.Head && tail == w.Tail, err
}

// prints returns hashes of the beginning and the end of the first n bytes of a file, "" if it has fewer, or n is 0.
func prints(f *os.File, n int64) (head, tail string, err error) {
	if n == 0 {
		return "", "", nil
	}
	data := make([]byte, min(n, printed))
	for i, at := range []int64{0, n - int64(len(data))} {
		if _, err := f.ReadAt(data, at); errors.Is(err, io.EOF) {
			return "", "", nil
		} else if err != nil {
			return "", "", err
		}
		*[]*string{&head, &tail}[i] = digest(data)
	}
	return head, tail, nil
}
