package whatsapptest

import (
	"encoding/json"
	"io"
	"net/http"
	"path"
	"strings"
)

// media stores and serves encrypted files.
func (s *Server) media(w http.ResponseWriter, r *http.Request) {
	if f, ok := s.fault(Transferring, ""); ok {
		http.Error(w, "not now", max(f.Code, http.StatusInternalServerError))
		return
	}
	if r.Method == http.MethodPost {
		s.upload(w, r)
		return
	}
	// The SDK appends its parameters to a path that already has some.
	at, _, _ := strings.Cut(r.URL.Path, "&")
	s.mu.Lock()
	blob, ok := s.blobs[at]
	s.mu.Unlock()
	if !ok {
		http.NotFound(w, r)
		return
	}
	s.note(Entry{What: "download", ID: at})
	_, _ = w.Write(blob)
}

func (s *Server) upload(w http.ResponseWriter, r *http.Request) {
	blob, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	at := path.Join("/v", path.Base(r.URL.Path))
	s.mu.Lock()
	s.blobs[at] = blob
	s.mu.Unlock()
	s.note(Entry{What: "upload", ID: at})
	_ = json.NewEncoder(w).Encode(map[string]string{"url": "https://mmg.whatsapp.net" + at, "direct_path": at + "?ccb=1", "handle": at})
}
