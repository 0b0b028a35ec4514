package console

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"familiar/channels"
)

const (
	// showPicture is the input that shows the persona a picture.
	showPicture = "/picture"
	// maxPicture is how many bytes of a file are shown at most.
	maxPicture = 8 << 20
	// sniffed is how many bytes tell what a file is.
	sniffed = 512
)

var (
	errNoPath    = errors.New("name its file: " + showPicture + " PATH WORDS")
	errNoPicture = errors.New("it is no picture")
)

// pictureIn returns what follows /picture in a line: the path of a file, as it is typed or as a terminal inserts it that a file is dragged
// to, and the words after it.
func pictureIn(text string) (path, words string, ok bool) {
	rest, ok := strings.CutPrefix(text, showPicture)
	if !ok || strings.Contains(text, "\n") || rest != "" && !unicode.IsSpace(rune(rest[0])) {
		return "", "", false
	}
	path, words = firstWord(strings.TrimSpace(rest))
	return path, strings.TrimSpace(words), true
}

// firstWord returns the first word of a line as a shell reads it: quoted, or with its spaces escaped. A backslash before a letter
// or a digit is part of a path.
func firstWord(line string) (word, rest string) {
	var b strings.Builder
	quote := rune(0)
	runes := []rune(line)
	for i := 0; i < len(runes); i++ {
		r := runes[i]
		switch {
		case quote == 0 && (r == '\'' || r == '"'):
			quote = r
		case quote == r:
			quote = 0
		case r == '\\' && quote != '\'' && i+1 < len(runes) && !unicode.IsLetter(runes[i+1]) && !unicode.IsDigit(runes[i+1]):
			i++
			b.WriteRune(runes[i])
		case quote == 0 && unicode.IsSpace(r):
			return b.String(), string(runes[i:])
		default:
			b.WriteRune(r)
		}
	}
	return b.String(), ""
}

// pictureAt returns the picture in a file. It is read when the persona looks at it.
func pictureAt(path string) (channels.Attachment, error) {
	path, err := located(path)
	if err != nil {
		return channels.Attachment{}, err
	}
	head, size, err := readFile(path, sniffed)
	switch {
	case err != nil:
		return channels.Attachment{}, err
	case size > maxPicture:
		return channels.Attachment{}, fmt.Errorf("%s has %d MB, more than %d: make it smaller", path, size>>20, maxPicture>>20)
	case !strings.HasPrefix(http.DetectContentType(head), "image/"):
		return channels.Attachment{}, fmt.Errorf("%s: %w", path, errNoPicture)
	}
	return channels.Attachment{Kind: "image", Name: filepath.Base(path), Size: size, Ref: path}, nil
}

// located returns a path as an absolute one: it may be a file URL, or begin with ~ for the person's own directory.
func located(path string) (string, error) {
	if path == "" {
		return "", errNoPath
	}
	if u, err := url.Parse(path); err == nil && u.Scheme == "file" {
		path = u.Path
	}
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", fmt.Errorf("find your own directory: %w", err)
		}
		path = filepath.Join(home, rest)
	}
	return filepath.Abs(path)
}

// readFile returns the first bytes of a regular file, at most limit, and its size. Reading anything else could wait for ever.
func readFile(path string, limit int64) (head []byte, size int64, err error) {
	about, err := os.Stat(path)
	if err != nil {
		return nil, 0, err
	}
	if !about.Mode().IsRegular() {
		return nil, 0, fmt.Errorf("%s: %w", path, errNoPicture)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close() //nolint:errcheck // it was only read
	head, err = io.ReadAll(io.LimitReader(f, limit))
	if err != nil {
		return nil, 0, fmt.Errorf("read %s: %w", path, err)
	}
	return head, about.Size(), nil
}

// FetchFile implements channels.FileFetcher.
func (c *Console) FetchFile(_ context.Context, a channels.Attachment, limit int64) ([]byte, error) {
	file, _, err := readFile(a.Ref, limit+1)
	if err == nil && int64(len(file)) > limit {
		err = fmt.Errorf("%s has more than %d bytes", a.Name, limit)
	}
	if err != nil {
		return nil, err
	}
	return file, nil
}
