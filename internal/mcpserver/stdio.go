package mcpserver

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Stdio returns the transport of a program that started this one: messages are lines. A line that is no message is answered with an
// error, and the next one is read; a line longer than maxFrame ends the transport.
func Stdio(in io.Reader, out io.Writer) mcp.Transport {
	w := &writer{out: out}
	scan := bufio.NewScanner(in)
	scan.Buffer(nil, maxFrame)
	return &mcp.IOTransport{Reader: io.NopCloser(&reader{in: scan, out: w}), Writer: w, MaxLineLength: maxFrame}
}

// reader passes on the lines that are messages. The SDK's transport ends at the first that is none, and what it was about to
// answer would be lost.
type reader struct {
	in   *bufio.Scanner
	out  io.Writer
	rest []byte // of the line that is passed on
}

// Read implements io.Reader.
func (r *reader) Read(p []byte) (int, error) {
	for len(r.rest) == 0 {
		if !r.in.Scan() {
			if err := r.in.Err(); err != nil {
				return 0, fmt.Errorf("read a message: %w", err)
			}
			return 0, io.EOF
		}
		line := bytes.TrimSpace(r.in.Bytes())
		if len(line) == 0 {
			continue
		}
		if code, wrong := check(line); wrong != "" {
			if _, err := fmt.Fprintf(r.out, `{"jsonrpc":"2.0","id":null,"error":{"code":%d,"message":%q}}`+"\n", code, wrong); err != nil {
				return 0, fmt.Errorf("answer a line that is no message: %w", err)
			}
			continue
		}
		r.rest = append(append(make([]byte, 0, len(line)+1), line...), '\n')
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// check returns JSON-RPC's code of what is wrong with a line, and what that is; "" for nothing.
func check(line []byte) (code int, wrong string) {
	if !json.Valid(line) {
		return jsonrpc.CodeParseError, "the line is no JSON"
	}
	messages := []json.RawMessage{line}
	if line[0] == '[' {
		_ = json.Unmarshal(line, &messages) // it is valid
	}
	for _, m := range messages {
		if _, err := jsonrpc.DecodeMessage(m); err != nil {
			return jsonrpc.CodeInvalidRequest, "the line is no JSON-RPC message"
		}
	}
	if len(messages) == 0 {
		return jsonrpc.CodeInvalidRequest, "the batch is empty"
	}
	return 0, ""
}

// writer writes one message at a time. Standard output stays open: it is not ours to close.
type writer struct {
	mu  sync.Mutex
	out io.Writer
}

// Write implements io.Writer.
func (w *writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.out.Write(p)
}

// Close implements io.Closer.
func (*writer) Close() error { return nil }
