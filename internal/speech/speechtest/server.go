// Package speechtest has a loopback server that speaks OpenAI's audio API, and utterances to send it. The server really listens:
// it decodes what arrives and compares it with the utterances it knows, so that silence, noise and half a file have no transcript.
package speechtest

import (
	"encoding/json"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// Request is one request for a transcript or for speech.
type Request struct {
	Path, Key string
	// Fields are those of the form, or of the JSON object.
	Fields map[string]string
	// File is what is to be transcribed, Name how it is called.
	File []byte
	Name string
}

// Server is the loopback server.
type Server struct {
	*httptest.Server
	t testing.TB

	mu       sync.Mutex
	known    []utterance
	requests []Request
	// answer, if set, answers instead.
	answer http.HandlerFunc
}

// utterance is what the server recognises: how loud it is over time.
type utterance struct {
	text   string
	energy []float64
}

// Start starts a server that knows what it is told with Know.
func Start(t testing.TB) *Server {
	t.Helper()
	s := &Server{t: t}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(s.Close)
	return s
}

// BaseURL is the address to configure.
func (s *Server) BaseURL() string { return s.URL + "/v1" }

// Answer lets all further requests be answered by h; nil ends that.
func (s *Server) Answer(h http.HandlerFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer = h
}

// Requests returns the requests so far.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// Speak returns text as espeak-ng says it, as a WAV file, and lets the server know it. The test is skipped without espeak-ng and ffmpeg.
func (s *Server) Speak(text string) []byte {
	s.t.Helper()
	file := Speak(s.t, text)
	energy := energyOf(pcmOf(file))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known = append(s.known, utterance{text, energy})
	return file
}

// Speak returns text as espeak-ng says it, as a WAV file.
func Speak(t testing.TB, text string) []byte {
	t.Helper()
	need(t, "espeak-ng")
	need(t, "ffmpeg")
	file, err := exec.CommandContext(t.Context(), "espeak-ng", "--stdout", "-v", "en", text).Output()
	if err != nil {
		t.Fatalf("espeak-ng: %v", err)
	}
	return file
}

func need(t testing.TB, program string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		t.Skipf("%s is not installed", program)
	}
}

// As returns a recording in the format that ffmpeg's arguments name, as a file with this extension.
func As(t testing.TB, file []byte, extension string, arguments ...string) []byte {
	t.Helper()
	need(t, "ffmpeg")
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.wav"), filepath.Join(dir, "out."+extension)
	if err := os.WriteFile(in, file, 0o600); err != nil {
		t.Fatal(err)
	}
	all := append([]string{"-nostdin", "-loglevel", "error", "-i", in}, append(arguments, out)...)
	if said, err := exec.CommandContext(t.Context(), "ffmpeg", all...).CombinedOutput(); err != nil {
		t.Fatalf("ffmpeg to %s: %v: %s", extension, err, said)
	}
	made, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	asked := Request{Path: r.URL.Path, Key: r.Header.Get("Authorization"), Fields: map[string]string{}}
	if r.URL.Path == "/v1/audio/speech" {
		var object map[string]any
		_ = json.NewDecoder(r.Body).Decode(&object)
		for k, v := range object {
			asked.Fields[k], _ = v.(string)
		}
	} else if err := r.ParseMultipartForm(64 << 20); err == nil {
		for k, v := range r.MultipartForm.Value {
			asked.Fields[k] = v[0]
		}
		if f, head, err := r.FormFile("file"); err == nil {
			asked.Name = head.Filename
			asked.File, _ = io.ReadAll(f)
		}
	}
	s.mu.Lock()
	s.requests = append(s.requests, asked)
	answer := s.answer
	s.mu.Unlock()
	switch {
	case answer != nil:
		answer(w, r)
	case asked.Path == "/v1/audio/transcriptions":
		s.transcribe(w, asked)
	case asked.Path == "/v1/audio/speech":
		s.speak(w, asked)
	default:
		http.NotFound(w, r)
	}
}

// transcribe answers with the text of the utterance that was sent.
func (s *Server) transcribe(w http.ResponseWriter, asked Request) {
	pcm, err := decode(asked.File)
	if err != nil {
		http.Error(w, `{"error":{"message":"Invalid file format."}}`, http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]string{"text": s.recognise(energyOf(pcm))})
}

// speak answers with what espeak-ng says, in the format that was asked for.
func (s *Server) speak(w http.ResponseWriter, asked Request) {
	file := s.Speak(asked.Fields["input"])
	if asked.Fields["response_format"] == "opus" {
		file = As(s.t, file, "ogg", "-c:a", "libopus")
	}
	w.Header().Set("Content-Type", "audio/ogg")
	_, _ = w.Write(file)
}

// recognise returns the text of the utterance with the same energy over time, "" if there is none.
func (s *Server) recognise(heard []float64) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, u := range s.known {
		if alike(u.energy, heard) {
			return u.text
		}
	}
	return ""
}

const (
	rate = 16_000
	// window is how many samples one value of an energy pattern stands for: a twentieth of a second.
	window = rate / 20
)

// decode returns the samples of a recording in any format.
func decode(file []byte) ([]byte, error) {
	dir, err := os.MkdirTemp("", "speechtest-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // the system clears what is left
	in := filepath.Join(dir, "in")
	if err := os.WriteFile(in, file, 0o600); err != nil {
		return nil, err
	}
	return exec.Command("ffmpeg", "-nostdin", "-loglevel", "error", "-i", in, "-ac", "1", "-ar", "16000", "-f", "s16le", "pipe:1").Output() //nolint:noctx // a test's
}

// pcmOf is decode of a file that is known to be good.
func pcmOf(file []byte) []byte {
	pcm, err := decode(file)
	if err != nil {
		panic(err)
	}
	return pcm
}

// energyOf returns how loud samples are over time, without the silence at both ends.
func energyOf(pcm []byte) (all []float64) {
	for at := 0; at+2*window <= len(pcm); at += 2 * window {
		sum := 0.0
		for i := at; i < at+2*window; i += 2 {
			v := float64(int16(uint16(pcm[i]) | uint16(pcm[i+1])<<8))
			sum += v * v
		}
		all = append(all, math.Sqrt(sum/window))
	}
	const quiet = 300
	for len(all) > 0 && all[0] < quiet {
		all = all[1:]
	}
	for len(all) > 0 && all[len(all)-1] < quiet {
		all = all[:len(all)-1]
	}
	return all
}

// alike reports whether two patterns have about the same length and correlate.
func alike(a, b []float64) bool {
	if len(a) == 0 || math.Abs(float64(len(a)-len(b))) > 2+0.05*float64(len(a)) {
		return false
	}
	best := -1.0
	for shift := -3; shift <= 3; shift++ {
		best = max(best, correlation(a, b, shift))
	}
	return best > 0.85
}

// correlation is that of a and of b moved by a number of windows.
func correlation(a, b []float64, shift int) float64 {
	var n, sa, sb, saa, sbb, sab float64
	for i := range a {
		j := i + shift
		if j < 0 || j >= len(b) {
			continue
		}
		n++
		sa, sb = sa+a[i], sb+b[j]
		saa, sbb, sab = saa+a[i]*a[i], sbb+b[j]*b[j], sab+a[i]*b[j]
	}
	d := math.Sqrt((n*saa - sa*sa) * (n*sbb - sb*sb))
	if d == 0 {
		return 0
	}
	return (n*sab - sa*sb) / d
}
