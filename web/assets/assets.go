// Package assets has the stylesheet, the script and the pictures of the dashboard. Their addresses contain a hash of what they
// hold, so browsers keep them for good and fetch them anew when they changed.
package assets

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"mime"
	"net/http"
	"path"
	"strings"
	"sync"

	"familiar/web/chart"
)

//go:embed static
var files embed.FS

// Prefix is where the files are served.
const Prefix = "/assets/"

// file is one file as it is sent.
type file struct {
	kind          string
	plain, packed []byte
	hash          string
}

// all holds the files by name. They are packed at first use: a process that shows no page pays nothing.
var all = sync.OnceValue(func() map[string]file {
	entries, err := files.ReadDir("static")
	if err != nil {
		panic(fmt.Errorf("read the embedded files of the dashboard: %w", err)) // they are part of the binary
	}
	loaded := map[string]file{}
	for _, e := range entries {
		content, err := files.ReadFile("static/" + e.Name())
		if err != nil {
			panic(fmt.Errorf("read the embedded %s: %w", e.Name(), err))
		}
		if e.Name() == "style.css" {
			content = append(content, chart.CSS...)
		}
		loaded[e.Name()] = pack(e.Name(), content)
	}
	return loaded
})

func pack(name string, content []byte) file {
	var packed bytes.Buffer
	w, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression) // the level is valid
	_, _ = w.Write(content)                                    // a buffer takes everything
	_ = w.Close()
	sum := sha256.Sum256(content)
	kind := mime.TypeByExtension(path.Ext(name))
	switch path.Ext(name) { // independent of the machine's own table
	case ".js":
		kind = "text/javascript; charset=utf-8"
	case ".css":
		kind = "text/css; charset=utf-8"
	case ".svg":
		kind = "image/svg+xml"
	}
	return file{kind: kind, plain: content, packed: packed.Bytes(), hash: base64.RawURLEncoding.EncodeToString(sum[:9])}
}

// Path returns the address of a file. It panics for a name that is not embedded.
func Path(name string) string {
	f, ok := all()[name]
	if !ok {
		panic("the dashboard has no file " + name)
	}
	return Prefix + f.hash + "/" + name
}

// Handler answers requests below Prefix. The files are the same for everybody, so it needs no sign-in.
func Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		hash, name, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, Prefix), "/")
		f, ok := all()[name]
		if !ok || hash != f.hash {
			http.NotFound(w, r)
			return
		}
		h := w.Header()
		h.Set("Content-Type", f.kind)
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Add("Vary", "Accept-Encoding")
		content := f.plain
		if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			h.Set("Content-Encoding", "gzip")
			content = f.packed
		}
		_, _ = w.Write(content) // a browser that went away needs nothing
	})
}
