package webserver

import (
	"net/http"
	"time"
)

// writeDeadlines returns a handler whose answers may take any time, but whose client has to read: each part of an answer is
// given patience.
func writeDeadlines(next http.Handler, patience time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p := &deadlineWriter{w, http.NewResponseController(w), patience}
		defer p.extend() //nolint:errcheck // for what is written when the handler has returned; the write notices
		next.ServeHTTP(p, r)
	})
}

type deadlineWriter struct {
	http.ResponseWriter
	control  *http.ResponseController
	patience time.Duration
}

// Write implements io.Writer.
func (w *deadlineWriter) Write(b []byte) (int, error) {
	if err := w.extend(); err != nil {
		return 0, err
	}
	return w.ResponseWriter.Write(b)
}

// Flush implements http.Flusher.
func (w *deadlineWriter) Flush() { _ = w.FlushError() }

// FlushError is Flush with its error, for http.ResponseController.
func (w *deadlineWriter) FlushError() error {
	if err := w.extend(); err != nil {
		return err
	}
	return w.control.Flush()
}

// Unwrap lets http.ResponseController reach the connection.
func (w *deadlineWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// extend gives the client time for what is written next.
func (w *deadlineWriter) extend() error {
	return w.control.SetWriteDeadline(time.Now().Add(w.patience)) //nolint:forbidigo // the operating system compares it with its clock
}
