package imports

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"familiar/internal/plainfile"
)

const (
	// maxEntries bounds the files of an archive or directory.
	maxEntries = 50_000
	// maxUnpacked bounds what the files of an archive may unpack to together, in bytes.
	maxUnpacked = 8 << 30
	// maxRatio bounds how much smaller than its contents a packed file may be, beyond slack bytes: text is packed to a tenth.
	maxRatio, slack = 100, 1 << 20
)

// input is what the person named: a file, or a tree of files.
type input struct {
	tree  fs.FS // nil for a file
	file  inputFile
	base  string
	close func() error
	// packed are the entries of an archive by name, nil for a directory.
	packed map[string]*zip.File
}

// inputFile is a file that can be opened again and again.
type inputFile struct {
	label    string
	open     func() (io.ReadCloser, error)
	modified time.Time
}

// stem returns the file's name without directories and extension.
func (f inputFile) stem() string {
	base := path.Base(filepath.ToSlash(f.label))
	return strings.TrimSuffix(base, path.Ext(base))
}

// openInput looks at what stands at a path.
func openInput(name string) (*input, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, fmt.Errorf("import: %w", err)
	}
	base := filepath.Base(filepath.Clean(name))
	if info.IsDir() {
		root, err := os.OpenRoot(name)
		if err != nil {
			return nil, fmt.Errorf("import: %w", err)
		}
		return &input{tree: root.FS(), base: base, close: root.Close}, nil
	}
	f, err := plainfile.Open(name)
	if err != nil {
		return nil, fmt.Errorf("import: %w", err)
	}
	head := make([]byte, 4)
	if _, err := f.ReadAt(head, 0); err == nil && bytes.Equal(head, []byte("PK\x03\x04")) {
		in, err := openArchive(f, name, info.Size())
		if err != nil {
			return nil, errors.Join(fmt.Errorf("import %s: %w", name, err), f.Close())
		}
		in.base, in.close = strings.TrimSuffix(base, filepath.Ext(base)), f.Close
		return in, nil
	}
	file := inputFile{label: name, modified: info.ModTime(), open: func() (io.ReadCloser, error) { return plainfile.Open(name) }}
	return &input{file: file, base: base, close: f.Close}, nil
}

// openArchive lists the entries of an archive and rejects one that cannot be an export.
func openArchive(f *os.File, label string, size int64) (*input, error) {
	archive, err := zip.NewReader(f, size)
	if err != nil {
		return nil, fmt.Errorf("it is a damaged zip archive (%w): download it again", err)
	}
	if len(archive.File) > maxEntries {
		return nil, fmt.Errorf("the archive has %d entries, more than %d", len(archive.File), maxEntries)
	}
	in := &input{tree: archive, packed: map[string]*zip.File{}}
	var unpacked uint64
	for _, e := range archive.File {
		name := strings.TrimSuffix(e.Name, "/")
		switch {
		case !fs.ValidPath(name) || strings.ContainsAny(name, "\\\x00"):
			return nil, fmt.Errorf("its entry %q leads outside of the archive", e.Name)
		case e.UncompressedSize64 > slack+maxRatio*e.CompressedSize64:
			return nil, fmt.Errorf("its entry %q unpacks to %d times its size: this is not an export", e.Name, e.UncompressedSize64/max(1, e.CompressedSize64))
		}
		if unpacked += e.UncompressedSize64; unpacked > maxUnpacked {
			return nil, fmt.Errorf("it unpacks to more than %d GiB", maxUnpacked>>30)
		}
		in.packed[name] = e
	}
	return in, nil
}

// workspace returns the format of a tree that is read as a whole.
func (in *input) workspace(name string) (format, bool) {
	if in.tree == nil {
		return format{}, false
	}
	for _, f := range formats {
		if f.tree != nil && (name == f.name || name == "" && isWorkspace(in.tree)) {
			return f, true
		}
	}
	return format{}, false
}

// exported matches the files with conversations in the archives of ChatGPT and Claude.
var exported = regexp.MustCompile(`(?:^|/)conversations(?:-\d+)?\.json$`)

// conversations returns the files to be read, and how many others there are: those that exports name so, or every file that
// looks like a chat.
func (in *input) conversations() (files []inputFile, left int, err error) {
	if in.tree == nil {
		return []inputFile{in.file}, 0, nil
	}
	var named, chats, others []inputFile
	seen := 0
	err = fs.WalkDir(in.tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if seen++; seen > maxEntries {
			return fmt.Errorf("there are more than %d files in it", maxEntries)
		}
		if !d.Type().IsRegular() {
			return nil // a link may lead anywhere
		}
		file, err := in.fileAt(name, d)
		switch ext := path.Ext(name); {
		case err != nil:
			return err
		case exported.MatchString(name):
			named = append(named, file)
		case ext == ".jsonl":
			chats = append(chats, file)
		case ext == ".json" || ext == ".af":
			others = append(others, file)
		}
		return nil
	})
	if err != nil {
		return nil, 0, fmt.Errorf("import %s: %w", in.base, err)
	}
	for _, next := range [][]inputFile{chats, others} {
		if len(named) == 0 {
			named = next
		}
	}
	if len(named) == 0 {
		return nil, 0, fmt.Errorf("import %s: no conversations.json, chat (.jsonl, .json), agent file (.af) or workspace (SOUL.md) in it", in.base)
	}
	return named, seen - len(named), nil
}

// fileAt returns a file of the tree.
func (in *input) fileAt(name string, d fs.DirEntry) (inputFile, error) {
	info, err := d.Info()
	if err != nil {
		return inputFile{}, err
	}
	open := func() (io.ReadCloser, error) { return in.tree.Open(name) }
	if e := in.packed[name]; e != nil {
		open = func() (io.ReadCloser, error) { return e.Open() }
	}
	return inputFile{label: in.base + "/" + name, modified: info.ModTime(), open: open}, nil
}
