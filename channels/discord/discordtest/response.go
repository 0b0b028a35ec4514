package discordtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
)

// response is a response that has not been sent yet.
type response struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func newAnswer() *response { return &response{header: http.Header{}, status: http.StatusOK} }

// Header returns the response header.
func (a *response) Header() http.Header { return a.header }

// WriteHeader sets the status.
func (a *response) WriteHeader(status int) { a.status = status }

// Write appends to the body.
func (a *response) Write(p []byte) (int, error) { return a.body.Write(p) }

func (a *response) send(w http.ResponseWriter) {
	maps.Copy(w.Header(), a.header)
	w.WriteHeader(a.status)
	w.Write(a.body.Bytes()) //nolint:errcheck // the caller may have gone away
}

func reply(w http.ResponseWriter, status int, v any) {
	text, err := json.Marshal(v)
	if err != nil {
		status, text = http.StatusInternalServerError, []byte(err.Error())
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.Write(text) //nolint:errcheck // as in send
}

func tooMany(w http.ResponseWriter, wait time.Duration, global bool) {
	if global {
		w.Header().Set("X-RateLimit-Global", "true")
	}
	w.Header().Set("Retry-After", fmt.Sprint(int(wait.Seconds())+1))
	reply(w, http.StatusTooManyRequests, map[string]any{
		"message": "You are being rate limited.", "retry_after": wait.Seconds(), "global": global,
	})
}

// readEntry records r for the ledger and leaves its body readable.
func readEntry(r *http.Request) (Request, error) {
	body, err := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	return Request{
		Method: r.Method, Path: strings.TrimPrefix(r.URL.RequestURI(), "/api/v9"), Body: body, Header: r.Header.Clone(), At: now(),
	}, err
}

// readPosted is read for a message, which may come with files as a form.
func readPosted(w http.ResponseWriter, r *http.Request, into *posted) bool {
	if !strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/") {
		return read(w, r, into)
	}
	err := r.ParseMultipartForm(maxFiles)
	if err == nil {
		err = json.Unmarshal([]byte(r.FormValue("payload_json")), into)
	}
	if err != nil {
		fail(w, http.StatusBadRequest, invalidForm, "the body is no form with payload_json")
		return false
	}
	for i, files := range slices.Sorted(maps.Keys(r.MultipartForm.File)) {
		for _, f := range r.MultipartForm.File[files] {
			a := Attachment{ID: fmt.Sprint(i), Filename: f.Filename, ContentType: f.Header.Get("Content-Type"), Size: f.Size}
			if content, err := f.Open(); err == nil {
				a.Content, _ = io.ReadAll(content) // of a form in memory
			}
			for _, about := range into.About {
				if about.ID == a.ID {
					a.Seconds, a.Waveform = about.Seconds, about.Waveform
				}
			}
			into.files = append(into.files, a)
		}
	}
	return true
}

// maxFiles is the limit of a message's files in bytes.
const maxFiles = 10 << 20

// read decodes the body of r. If that fails, it sends an error response and returns false.
func read(w http.ResponseWriter, r *http.Request, into any) bool {
	if err := json.NewDecoder(r.Body).Decode(into); err != nil {
		fail(w, http.StatusBadRequest, 50109, "the body is not JSON")
		return false
	}
	return true
}
