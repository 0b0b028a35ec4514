package fleet

import (
	"fmt"
	"net"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"familiar/channels/telegram/telegramtest"
	"familiar/channels/webhook/webhooktest"
)

// network is what people talk over.
type network interface {
	// settings is the section of a process' configuration.
	settings(process int) string
	// say posts a message in a room.
	say(room int, text string)
	close()
}

// shown is called with each message of the bot as it is shown, and again as it is edited. id is the network's number of the message.
type shown func(room, id int, text string)

// token is what the bot logs in with, and secret what programs sign with.
const (
	token  = "7000:fleet"
	secret = "a-secret-of-the-fleet-in-the-lab"
)

// firstChat is the id of the first room's chat.
const firstChat = 1000

// overTelegram is a loopback Telegram, which lets a bot say one message a second in each chat.
type overTelegram struct{ server *telegramtest.Server }

func newTelegram(rooms int, read shown) overTelegram {
	server := telegramtest.Start(telegramtest.Options{Token: token, Bot: telegramtest.Bot{ID: 7000, IsBot: true, Name: "Nell", Username: "nell_bot"}, Now: time.Now})
	for i := range rooms {
		server.AddChat(telegramtest.Chat{ID: int64(firstChat + i), Type: "private"})
	}
	server.Watch(func(m telegramtest.Sent) { read(int(m.Chat)-firstChat, m.ID, m.Text) })
	return overTelegram{server}
}

func (n overTelegram) settings(int) string {
	return fmt.Sprintf("telegram: {token: env:FLEET_TOKEN, direct: open, base_url: %q}", n.server.URL)
}

func (n overTelegram) say(room int, text string) {
	n.server.Say(int64(firstChat+room), int64(firstChat+room), text)
}

func (n overTelegram) close() { n.server.Close() }

// overWebhook is a program that posts to one process after the other. It has no rate limits.
type overWebhook struct {
	peer     *webhooktest.Peer
	ports    []int
	events   atomic.Int64
	messages atomic.Int64
}

func newWebhook(rooms, processes int, read shown) (*overWebhook, error) {
	n := &overWebhook{}
	for range processes {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, fmt.Errorf("find a free port: %w", err)
		}
		n.ports = append(n.ports, l.Addr().(*net.TCPAddr).Port)
		_ = l.Close()
	}
	names := make([]string, rooms)
	for i := range rooms {
		names[i] = strconv.Itoa(i)
	}
	n.peer = webhooktest.Start(secret, time.Now, names...)
	n.peer.Watch(func(r webhooktest.Reply) {
		room, _ := strconv.Atoi(r.Room)
		read(room, int(n.messages.Add(1)), r.Text)
	})
	return n, nil
}

func (n *overWebhook) settings(process int) string {
	return fmt.Sprintf("webhook: {secret: env:FLEET_SECRET, direct: open, listen: \"127.0.0.1:%d\", url: %q}", n.ports[process], n.peer.URL)
}

func (n *overWebhook) say(room int, text string) {
	id := n.events.Add(1)
	who := strconv.Itoa(room)
	address := func() string { return fmt.Sprintf("http://127.0.0.1:%d/events", n.ports[int(id)%len(n.ports)]) }
	status := n.peer.Deliver(address, map[string]any{"id": "e-" + strconv.FormatInt(id, 10), "room": who, "author": map[string]any{"id": who, "name": "P" + who}, "text": text})
	if status >= http.StatusBadRequest {
		panic(fmt.Sprintf("an event was refused with status %d", status)) // the lab's own fault
	}
}

func (n *overWebhook) close() { n.peer.Close() }
