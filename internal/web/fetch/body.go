package fetch

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// errTooLarge is returned before more than the limit is held.
var errTooLarge = errors.New("the page is too large")

// ReadBody returns the decompressed body of resp. Neither what is read nor what it decompresses to exceeds limit bytes.
func ReadBody(resp *http.Response, limit int64) ([]byte, error) {
	if resp.ContentLength > limit {
		return nil, tooLarge(limit)
	}
	var body io.Reader = &limited{resp.Body, limit}
	switch encoding := strings.ToLower(strings.TrimSpace(resp.Header.Get("Content-Encoding"))); encoding {
	case "", "identity":
	case "gzip", "x-gzip":
		unzipped, err := gzip.NewReader(body)
		if err != nil {
			return nil, fmt.Errorf("decompress the page: %w", err)
		}
		body = &limited{unzipped, limit}
	default:
		return nil, errors.New("the page is compressed in a form that was not asked for")
	}
	data, err := io.ReadAll(body)
	switch {
	case errors.Is(err, errTooLarge):
		return nil, tooLarge(limit)
	case err != nil:
		return nil, fmt.Errorf("read the page: %w", err)
	}
	return data, nil
}

func tooLarge(limit int64) error {
	return fmt.Errorf("%w: at most %d MB are read", errTooLarge, limit>>20)
}

// limited reads at most left bytes and fails if there are more, so that no cut page passes for a whole one.
type limited struct {
	from io.Reader
	left int64
}

func (l *limited) Read(p []byte) (int, error) {
	if l.left < 0 {
		return 0, errTooLarge
	}
	if int64(len(p)) > l.left+1 {
		p = p[:l.left+1]
	}
	n, err := l.from.Read(p)
	if l.left -= int64(n); l.left < 0 {
		return n - 1, errTooLarge
	}
	return n, err
}
