package mcpserver

import (
	"io"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Stdio returns the transport of a program that started this one: messages are lines. A line longer than maxFrame ends it.
func Stdio(in io.Reader, out io.Writer) mcp.Transport {
	return &mcp.IOTransport{Reader: io.NopCloser(in), Writer: nopCloser{out}, MaxLineLength: maxFrame}
}

// nopCloser leaves standard output open: it is not ours to close.
type nopCloser struct{ io.Writer }

// Close implements io.Closer.
func (nopCloser) Close() error { return nil }
