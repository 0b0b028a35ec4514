package main

import (
	"fmt"
	"testing"
	"time"

	"familiar/channels"
	"familiar/channels/discord"
	"familiar/channels/discord/discordtest"
	"familiar/channels/telegram"
	"familiar/channels/telegram/telegramtest"
)

// networkPeer is a network that outlives the processes that serve it. Several people each write there in their own
// room.
type networkPeer struct {
	// config is the section under channels, env the environment it refers to.
	config string
	env    []string
	limits channels.Limits
	rooms  []channels.Room
	// link links the persona's account before it is served, nil if a token is enough.
	link func(home string)
	// say sends a message as the person of a room.
	say func(room int, text string)
	// shown returns the persona's messages in a room, oldest first.
	shown func(room int) []peerMessage
	// taken returns the ids of everything that the persona sent to a room, including repetitions. It is nil if each
	// send has its own id and is shown.
	taken func(room int) []string
	// hang lets a send to a room, after skip others, never be answered: before it is executed, or after if done. The
	// returned channel is closed when that has happened.
	hang func(room, skip int, done bool) (struck <-chan struct{})
	mend func()
	// serving reports whether a process is connected.
	serving func() bool
}

// peerMessage is a message of the persona on the network.
type peerMessage struct{ id, text string }

// everybody is how many people write on each network.
const everybody = 4

// networkPeers are the networks that can be used from another process.
var networkPeers = map[string]func(t *testing.T) *networkPeer{
	"telegram": telegramPeer, "discord": discordPeer, "whatsapp": whatsAppPeer, "webhook": webhookPeer,
}

const telegramToken = "4711:canary-of-telegram"

func telegramPeer(t *testing.T) *networkPeer {
	s := telegramtest.Start(telegramtest.Options{
		Token: telegramToken, Bot: telegramtest.Bot{ID: 4711, Name: "Nell", Username: "nell_bot"}, Now: time.Now,
	})
	t.Cleanup(s.Close)
	chat := func(room int) int64 { return int64(room) + 1 }
	o := &networkPeer{
		config: "telegram: {token: \"env:TELEGRAM\", direct: open, base_url: \"" + s.URL + "\"}",
		env:    []string{"TELEGRAM=" + telegramToken},
		limits: telegram.New(telegram.Options{}).Limits(),
		say:    func(room int, text string) { s.Say(chat(room), chat(room), text) },
		mend:   s.ClearFaults,
	}
	o.shown = func(room int) (all []peerMessage) {
		for _, m := range s.Sent(chat(room)) {
			all = append(all, peerMessage{fmt.Sprint(m.ID), m.Text})
		}
		return all
	}
	o.hang = func(_, skip int, done bool) <-chan struct{} { // no other room is used at that time
		struck := make(chan struct{})
		f := telegramtest.Fault{Method: "sendMessage", Point: telegramtest.Hangs, OnHang: func() { close(struck) }}
		if done {
			f.Point = telegramtest.HangsAfter
		}
		if skip > 0 {
			s.AddFault(telegramtest.Fault{Method: "sendMessage", Times: skip, Point: telegramtest.Delays})
		}
		s.AddFault(f)
		return struck
	}
	polled := 0
	o.serving = func() bool {
		before := polled
		polled = len(s.Calls("getUpdates"))
		return polled > before
	}
	for i := range everybody {
		o.rooms = append(o.rooms, channels.Room{Channel: "telegram", ID: fmt.Sprint(chat(i))})
	}
	return o
}

func discordPeer(t *testing.T) *networkPeer {
	s := discordtest.Start()
	t.Cleanup(s.Close)
	s.LimitSessions(1_000_000)
	o := &networkPeer{
		config:  "discord: {token: \"env:DISCORD\", direct: open, base_url: \"" + s.URL + "\"}",
		env:     []string{"DISCORD=" + discordtest.Token},
		limits:  discord.New(discord.Options{}).Limits(),
		mend:    s.ClearFaults,
		serving: func() bool { return s.Connected() > 0 },
	}
	var who []discordtest.User
	for i := range everybody {
		who = append(who, s.Person(fmt.Sprint("Person ", i)))
		o.rooms = append(o.rooms, channels.Room{Channel: "discord", ID: s.DM(who[i])})
	}
	o.say = func(room int, text string) { s.Say(o.rooms[room].ID, who[room], text) }
	o.shown = func(room int) (all []peerMessage) {
		for _, m := range s.Messages(o.rooms[room].ID) {
			all = append(all, peerMessage{m.ID, m.Content})
		}
		return all
	}
	o.hang = func(room, skip int, done bool) <-chan struct{} {
		struck := make(chan struct{})
		f := discordtest.Fault{
			On: "POST /api/v9/channels/" + o.rooms[room].ID + "/messages", Skip: skip, Times: 1, HoldAfter: done,
			OnWait: func() { close(struck) },
		}
		if !done {
			f.Hold = make(chan struct{})
		}
		s.AddFault(f)
		return struck
	}
	return o
}
