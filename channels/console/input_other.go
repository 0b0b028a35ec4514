//go:build !unix

package console

import (
	"io"
	"os"
)

// waitable leaves file as it is: a read that waits ends with the next key or with the process.
func waitable(file *os.File) (io.ReadCloser, error) { return io.NopCloser(file), nil }
