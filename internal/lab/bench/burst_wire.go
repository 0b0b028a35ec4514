package bench

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"familiar/channels"
)

// wire sits between the network and the engine and records when the messages of a burst arrive.
type wire struct {
	http.RoundTripper

	mu sync.Mutex
	// polled is the time of the network's last poll response.
	polled time.Time
	// heard holds when each message arrived and kept when it was on disk, by room and number.
	heard, kept [][]time.Time
	last        time.Time     // the latest time in kept
	left        int           // messages not yet kept
	all         chan struct{} // closed when left reaches 0
}

func newWire(under http.RoundTripper, rooms, messages int) *wire {
	w := &wire{RoundTripper: under, left: rooms * messages, all: make(chan struct{})}
	for range rooms {
		w.heard, w.kept = append(w.heard, make([]time.Time, messages)), append(w.kept, make([]time.Time, messages))
	}
	return w
}

// RoundTrip forwards a request and records when polls are answered.
func (w *wire) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := w.RoundTripper.RoundTrip(req)
	if strings.HasSuffix(req.URL.Path, "/getUpdates") {
		w.mu.Lock()
		w.polled = time.Now()
		w.mu.Unlock()
	}
	return resp, err
}

// around wraps accept and records its times. A message that was already kept is not recorded again.
func (w *wire) around(accept channels.Accept) channels.Accept {
	return func(ctx context.Context, m channels.Message) error {
		w.mu.Lock()
		polled := w.polled
		w.mu.Unlock()
		if err := accept(ctx, m); err != nil {
			return err
		}
		chat, errChat := strconv.Atoi(m.Room.ID)
		n, errNumber := numberIn(m.Text)
		if errChat == nil && errNumber == nil {
			w.note(chat-firstChat, n, polled, time.Now())
		}
		return nil
	}
}

func (w *wire) note(room, n int, heard, kept time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.kept[room][n].IsZero() {
		return
	}
	w.heard[room][n], w.kept[room][n], w.last = heard, kept, kept
	if w.left--; w.left == 0 {
		close(w.all)
	}
}

// wait blocks until every message is on disk or counts as lost.
func (w *wire) wait(ctx context.Context) error {
	w.mu.Lock()
	left := w.left
	w.mu.Unlock()
	limit := time.NewTimer(answerLimit + time.Duration(left)*10*time.Millisecond)
	defer limit.Stop()
	select {
	case <-w.all:
	case <-limit.C:
	case <-ctx.Done():
	}
	return ctx.Err()
}
