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

// networkPeer is a network that outlives the processes that serve it. Some people each talk there alone.
type networkPeer struct {
	// config is what is written under channels, env what it refers to.
	config string
	env    []string
	limits channels.Limits
	rooms  []channels.Room
	// link links the persona's account before it is served, nil where a token is enough.
	link func(home string)
	// say lets who is in a room say something there.
	say func(room int, text string)
	// shown is what is to be read of the persona in a room, oldest first.
	shown func(room int) []peerMessage
	// taken are the ids of all that the persona sent to a room, again where it sent one again; nil where each send has
	// an id of its own, and is shown.
	taken func(room int) []string
	// hang lets a send to a room, after so many others, never be answered: before anything is done, or once all is. What
	// it returns is closed when that has happened.
	hang func(room, skip int, done bool) (struck <-chan struct{})
	mend func()
	// serving says that somebody listens there.
	serving func() bool
}

// peerMessage is a message of the persona's as the network has it.
type peerMessage struct{ id, text string }

// people is how many talk on each network.
const people = 4

// networkPeers are the networks that are reached from another process.
var networkPeers = map[string]func(t *testing.T) *networkPeer{
	"telegram": telegramPeer, "discord": discordPeer, "whatsapp": whatsAppPeer,
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
	o.hang = func(_, skip int, done bool) <-chan struct{} { // nobody else is spoken to then
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
	for i := range people {
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
	for i := range people {
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
