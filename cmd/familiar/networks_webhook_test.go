package main

import (
	"fmt"
	"net"
	"net/http"
	"testing"
	"time"

	"familiar/channels"
	"familiar/channels/webhook"
	"familiar/channels/webhook/webhooktest"
)

const webhookSecret = "canary-of-the-webhook-0123456789"

func webhookPeer(t *testing.T) *networkPeer {
	var rooms []string
	for i := range everybody {
		rooms = append(rooms, fmt.Sprint("room-", i))
	}
	p := webhooktest.Start(webhookSecret, time.Now, rooms...)
	t.Cleanup(p.Close)
	address := freeAddress(t)
	o := &networkPeer{
		config: fmt.Sprintf("webhook: {secret: \"env:WEBHOOK\", listen: %q, url: %q, direct: open}", address, p.URL),
		env:    []string{"WEBHOOK=" + webhookSecret},
		limits: new(webhook.Channel).Limits(),
		mend:   p.Mend,
	}
	o.limits.Format = func(text string) string { return text }
	var says []chan<- string
	for i, room := range rooms {
		o.rooms = append(o.rooms, channels.Room{Channel: "webhook", ID: room})
		says = append(says, postInOrder(t, p, "http://"+address+"/events", room, i))
	}
	o.say = func(room int, text string) { says[room] <- text }
	o.shown = func(room int) []peerMessage { return repliesIn(p.Shown(), rooms[room]) }
	o.taken = func(room int) (ids []string) {
		for _, m := range repliesIn(p.Taken(), rooms[room]) {
			ids = append(ids, m.id)
		}
		return ids
	}
	o.hang = func(_, skip int, done bool) <-chan struct{} { // no other room is used at that time
		struck := make(chan struct{})
		for range skip {
			p.Break(webhooktest.Fault{After: true, Status: http.StatusOK})
		}
		p.Break(webhooktest.Fault{After: done, Status: http.StatusOK, Hold: make(chan struct{}), Struck: func() { close(struck) }})
		return struck
	}
	o.serving = func() bool {
		c, err := net.Dial("tcp", address)
		if err != nil {
			return false
		}
		return c.Close() == nil
	}
	return o
}

// postInOrder posts each text of the returned channel as an event in a room, the next once the one before is accepted.
func postInOrder(t *testing.T, p *webhooktest.Peer, url, room string, author int) chan<- string {
	texts, ended := make(chan string, 10_000), t.Context().Done()
	go func() {
		for n := 0; ; n++ {
			select {
			case text := <-texts:
				event := map[string]any{"id": fmt.Sprint(room, "-", n), "room": room, "author": map[string]any{"id": fmt.Sprint(author)}, "text": text}
				for p.Deliver(func() string { return url }, event) != http.StatusNoContent && t.Context().Err() == nil {
				}
			case <-ended:
				return
			}
		}
	}()
	return texts
}

// repliesIn returns the replies in a room, under the ids that the program answers with.
func repliesIn(all []webhooktest.Reply, room string) (there []peerMessage) {
	for _, r := range all {
		if r.Room == room {
			there = append(there, peerMessage{"shown-" + r.ID, r.Text})
		}
	}
	return there
}

// freeAddress returns an address of this machine on which nobody listens.
func freeAddress(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}
