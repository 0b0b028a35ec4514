//go:build !unix

package console

import (
	"io"
	"os"
)

// cancelable returns file unchanged: a blocked read ends with the next key or with the process.
func waitable(file *os.File) (io.ReadCloser, error) { return io.NopCloser(file), nil }
