// Package webhooktest is a program at the other end of a webhook. It posts signed events until they are accepted, and receives
// signed replies, showing each id once. It has its own implementation of the Standard Webhooks signature.
package webhooktest

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"sync"
	"time"
)

// Reply is one chunk from the persona.
type Reply struct {
	ID      string `json:"id"`
	Room    string `json:"room"`
	Thread  string `json:"thread"`
	ReplyTo string `json:"reply_to"`
	Text    string `json:"text"`
}

// Fault makes one answer fail.
type Fault struct {
	// Status replaces 200 in the answer, with Header added.
	Status int
	Header http.Header
	// After shows the reply before the fault.
	After bool
	// Hold delays the answer until it is closed; nil does not.
	Hold chan struct{}
	// Struck is called when the fault begins; it may be nil.
	Struck func()
}

// Peer is the program. It answers 404 for rooms other than those given to Start.
type Peer struct {
	// URL is where it receives replies.
	URL string

	secret string
	now    func() time.Time
	server *httptest.Server
	client *http.Client

	mu     sync.Mutex
	watch  func(Reply)
	rooms  []string
	shown  []Reply
	faults []Fault
	taken  []Reply
}

// Start starts a program with these rooms. secret is the key in bytes, without encoding.
func Start(secret string, now func() time.Time, rooms ...string) *Peer {
	p := &Peer{secret: secret, now: now, rooms: rooms, client: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}}
	p.server = httptest.NewServer(http.HandlerFunc(p.take))
	p.URL = p.server.URL + "/replies"
	return p
}

// Close ends the program.
func (p *Peer) Close() { p.server.Close() }

// Sign returns the signature of a request.
func (p *Peer) Sign(id, timestamp string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(p.secret))
	mac.Write(slices.Concat([]byte(id+"."+timestamp+"."), body))
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// Post signs and posts an event once. It returns the status, 0 if there was no answer.
func (p *Peer) Post(address string, event map[string]any) int {
	body, err := json.Marshal(event)
	if err != nil {
		panic(err)
	}
	id, _ := event["id"].(string)
	timestamp := strconv.FormatInt(p.now().Unix(), 10)
	return p.PostRaw(address, id, timestamp, p.Sign(id, timestamp, body), body)
}

// PostRaw posts a body with these headers.
func (p *Peer) PostRaw(address, id, timestamp, signature string, body []byte) int {
	request, err := http.NewRequest(http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return 0
	}
	request.Header.Set("webhook-id", id)
	request.Header.Set("webhook-timestamp", timestamp)
	request.Header.Set("webhook-signature", signature)
	response, err := p.client.Do(request)
	if err != nil {
		return 0
	}
	_ = response.Body.Close()
	return response.StatusCode
}

// Deliver posts an event until it is accepted or rejected for good. It asks for the address before each attempt.
func (p *Peer) Deliver(address func() string, event map[string]any) (status int) {
	for range 10_000 {
		if status = p.Post(address(), event); status != 0 && status != http.StatusServiceUnavailable {
			break
		}
		timer := time.NewTimer(time.Millisecond)
		<-timer.C
	}
	return status
}

// Watch calls seen with each reply when it is first shown. seen must not call the program.
func (p *Peer) Watch(seen func(Reply)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.watch = seen
}

// Break applies the faults to the next replies, one each.
func (p *Peer) Break(faults ...Fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults = append(p.faults, faults...)
}

// Shown returns the replies that people can read, oldest first.
func (p *Peer) Shown() []Reply {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.shown)
}

// Taken returns the signed replies received, oldest first, repetitions and those that no fault let be shown included.
func (p *Peer) Taken() []Reply {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.taken)
}

// Mend takes back the faults that have not struck.
func (p *Peer) Mend() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults = nil
}

// take handles one reply.
func (p *Peer) take(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	id, timestamp := r.Header.Get("webhook-id"), r.Header.Get("webhook-timestamp")
	if !hmac.Equal([]byte(r.Header.Get("webhook-signature")), []byte(p.Sign(id, timestamp, body))) {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	if r.URL.Path != "/replies" {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	if r.Method != http.MethodPost {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	var reply Reply
	if json.Unmarshal(body, &reply) != nil || reply.ID != id {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	fault, status := p.put(reply)
	if fault.Struck != nil {
		fault.Struck()
	}
	if fault.Hold != nil {
		select {
		case <-fault.Hold:
		case <-r.Context().Done():
			return
		}
	}
	for key, values := range fault.Header {
		w.Header()[key] = values
	}
	w.WriteHeader(status)
	if status == http.StatusOK {
		_ = json.NewEncoder(w).Encode(map[string]string{"id": "shown-" + id})
	}
}

// put shows a reply once, unless a fault prevents it.
func (p *Peer) put(reply Reply) (fault Fault, status int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.taken = append(p.taken, reply)
	if len(p.faults) > 0 {
		fault, p.faults = p.faults[0], p.faults[1:]
		if !fault.After {
			return fault, fault.Status
		}
	}
	if !slices.Contains(p.rooms, reply.Room) {
		return fault, http.StatusNotFound
	}
	if !slices.ContainsFunc(p.shown, func(s Reply) bool { return s.ID == reply.ID }) {
		p.shown = append(p.shown, reply)
		if p.watch != nil {
			p.watch(reply)
		}
	}
	if fault.After {
		return fault, fault.Status
	}
	return fault, http.StatusOK
}
