// Package workspace has the tools that list, read, write and edit text files inside one directory. Nothing outside of it is
// reached, whatever links point to.
package workspace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"sync"
	"unicode/utf8"

	"familiar/persona/tool"
)

// What a workspace may hold. A directory that holds more is read, and not written.
const (
	// MaxFile is the size of a file in bytes, MaxFiles how many there may be, MaxTotal their size together.
	MaxFile  = 256 << 10
	MaxFiles = 500
	MaxTotal = 16 << 20
	// maxDepth is how deep directories may be nested.
	maxDepth = 8
)

// Why something is not done. The texts are for the model.
var (
	errPath     = errors.New("the path must be that of a text file in the workspace, such as notes/list.md")
	errNoFile   = errors.New("there is no such file: list the files first")
	errTooLarge = fmt.Errorf("the file would be larger than %d KB", MaxFile>>10)
	errTooMany  = fmt.Errorf("the workspace has no room: it holds at most %d files and %d MB", MaxFiles, MaxTotal>>20)
	errNoText   = errors.New("the file is no text that can be read")
	errDisk     = errors.New("the file cannot be reached now")
)

// dir is the directory of a workspace. Each call opens it anew, so that it may be replaced meanwhile.
type dir struct {
	path string
	// mu orders the changes of files.
	mu *sync.Mutex
}

// New returns the tools for a directory, which must exist when they are called.
func New(directory string) []tool.Tool {
	d := dir{directory, new(sync.Mutex)}
	return []tool.Tool{list{d}, read{d}, write{d}, edit{d}}
}

// Check fails if a directory cannot be a workspace.
func Check(directory string) error {
	root, err := os.OpenRoot(directory)
	if err != nil {
		return fmt.Errorf("open the workspace %s: %w", directory, err)
	}
	return root.Close()
}

func (d dir) open() (*os.Root, error) {
	root, err := os.OpenRoot(d.path)
	if err != nil {
		return nil, errDisk
	}
	return root, nil
}

// clean returns a path as it is used in the workspace.
func clean(name string) (string, error) {
	name = path.Clean(strings.TrimPrefix(strings.ReplaceAll(strings.TrimSpace(name), `\`, "/"), "./"))
	if !fs.ValidPath(name) || name == "." || strings.Count(name, "/") >= maxDepth || strings.ContainsFunc(name, func(r rune) bool { return r < ' ' }) {
		return "", errPath
	}
	return name, nil
}

// readFile returns a text file.
func readFile(root *os.Root, name string) (string, error) {
	info, err := root.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", errNoFile
	case err != nil, !info.Mode().IsRegular(): // a link that leads outside, or a device
		return "", errPath
	case info.Size() > MaxFile:
		return "", fmt.Errorf("the file is larger than %d KB", MaxFile>>10)
	}
	f, err := root.Open(name)
	if err != nil {
		return "", errDisk
	}
	defer f.Close() //nolint:errcheck // it was only read
	plain, err := io.ReadAll(io.LimitReader(f, MaxFile+1))
	switch {
	case err != nil:
		return "", errDisk
	case !utf8.Valid(plain) || strings.ContainsRune(string(plain), 0):
		return "", errNoText
	}
	return string(plain), nil
}

// writeFile replaces a file, or makes it, whole or not at all.
func writeFile(root *os.Root, name, text string) error {
	switch info, err := root.Lstat(name); {
	case len(text) > MaxFile:
		return errTooLarge
	case err == nil && !info.Mode().IsRegular(): // nothing is written through a link
		return errPath
	}
	if err := hasRoom(root, name, int64(len(text))); err != nil {
		return err
	}
	if err := root.MkdirAll(path.Dir(name), 0o700); err != nil {
		return errPath
	}
	partial := path.Join(path.Dir(name), "."+path.Base(name)+".partial")
	err := root.WriteFile(partial, []byte(text), 0o600)
	if err == nil {
		err = root.Rename(partial, name)
	}
	if err != nil {
		_ = root.Remove(partial)
		return errDisk
	}
	return nil
}

// hasRoom reports whether a file of a size has room in the workspace.
func hasRoom(root *os.Root, name string, size int64) error {
	files, total, exists := 0, size, false
	err := walk(root, func(at string, info fs.FileInfo) {
		if files++; at == name {
			exists = true
			return
		}
		total += info.Size()
	})
	switch {
	case err != nil:
		return errDisk
	case !exists && files >= MaxFiles, total > MaxTotal:
		return errTooMany
	}
	return nil
}

// walk calls fn for each regular file, of more than MaxFiles for one more. Links are not followed.
func walk(root *os.Root, fn func(at string, info fs.FileInfo)) error {
	seen := 0
	return fs.WalkDir(root.FS(), ".", func(at string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fs.SkipDir
		case entry.IsDir() && strings.Count(at, "/") >= maxDepth:
			return fs.SkipDir
		case !entry.Type().IsRegular():
			return nil
		}
		info, err := entry.Info()
		if err != nil {
			return nil //nolint:nilerr // it is gone meanwhile
		}
		if seen++; seen > MaxFiles+1 {
			return fs.SkipAll
		}
		fn(at, info)
		return nil
	})
}

type list struct{ dir }

// Spec implements tool.Tool.
func (list) Spec() tool.Spec {
	return tool.Spec{
		Name: "workspace_list", Description: "List the files of your workspace, with their sizes.",
		Parameters: json.RawMessage(`{"type":"object","properties":{}}`), Aliases: []string{"list_files", "ls"},
		Touches: []tool.Reach{tool.ReachFiles}, Default: tool.Deny, ReadOnly: true,
	}
}

// Call implements tool.Tool.
func (l list) Call(context.Context, tool.Use) (tool.Result, error) {
	root, err := l.open()
	if err != nil {
		return tool.Result{}, err
	}
	defer root.Close() //nolint:errcheck // nothing was written through it
	var all strings.Builder
	err = walk(root, func(at string, info fs.FileInfo) {
		fmt.Fprintf(&all, "%s (%d bytes, %s)\n", at, info.Size(), info.ModTime().UTC().Format("2006-01-02 15:04"))
	})
	switch {
	case err != nil:
		return tool.Result{}, errDisk
	case all.Len() == 0:
		return tool.Result{Text: "The workspace is empty.", ProgramText: true}, nil
	}
	return tool.Result{Text: all.String()}, nil
}

type read struct{ dir }

// Spec implements tool.Tool.
func (read) Spec() tool.Spec {
	return tool.Spec{
		Name: "workspace_read", Description: "Read a text file of your workspace, from a line on. Long ones are cut: read on from a later line.",
		Parameters: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string","description":"such as notes/list.md"},` +
			`"from":{"type":"integer","minimum":1,"description":"the first line, 1 if left out"}},"required":["path"]}`),
		Aliases: []string{"read_file", "open_file"}, Touches: []tool.Reach{tool.ReachFiles}, Default: tool.Deny, ReadOnly: true,
	}
}

// Call implements tool.Tool.
func (r read) Call(_ context.Context, u tool.Use) (tool.Result, error) {
	var given struct {
		Path string
		From int
	}
	if err := u.Decode(&given); err != nil {
		return tool.Result{}, err
	}
	name, err := clean(given.Path)
	if err != nil {
		return tool.Result{}, err
	}
	root, err := r.open()
	if err != nil {
		return tool.Result{}, err
	}
	defer root.Close() //nolint:errcheck // nothing was written through it
	text, err := readFile(root, name)
	if err != nil {
		return tool.Result{}, err
	}
	lines := strings.SplitAfter(text, "\n")
	from := max(given.From, 1)
	if from > len(lines) {
		return tool.Result{}, fmt.Errorf("the file has %d lines", len(lines))
	}
	source := fmt.Sprintf("%s from line %d of %d", name, from, len(lines))
	if text = strings.Join(lines[from-1:], ""); strings.TrimSpace(text) == "" {
		return tool.Result{Text: "There is nothing in it.", ProgramText: true}, nil
	}
	return tool.Result{Text: text, Source: source}, nil
}
