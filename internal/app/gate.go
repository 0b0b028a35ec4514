package app

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"familiar/channels"
	"familiar/channels/all"
	"familiar/channels/gate"
	"familiar/config"
	"familiar/memory"
	"familiar/memory/log"
	"familiar/persona"
)

// Gate returns the access control between the channels and the engine.
func (a *App) Gate(engine *persona.Cast) *gate.Gate {
	g := a.PolicyGate()
	g.Random, g.NoReply, g.BurnCodes, g.ForAdults = rand.Reader, engine.NoReply, engine.BurnCodes, engine.ForAdults
	g.Lookup.Pair = func(ctx context.Context, m channels.Message, code, text string) error {
		room, err := a.Store.Log.RequestPairing(ctx, log.PairingRequest{
			Persona: a.Card.Key, Message: m, Code: code, Text: text, TTL: gate.CodeLifetime, MaxPending: gate.MaxPendingCodes,
		})
		if err == nil && room.ID != 0 {
			engine.WakeSender(room)
		}
		return err
	}
	g.Lookup.IgnoredGroup = func(ctx context.Context, group channels.Room, title string, times int) error {
		return a.Store.Log.NoteIgnoredRoom(ctx, log.IgnoredRoom{Channel: group.Channel, ID: group.ID, Title: title, Count: times})
	}
	return g
}

// PolicyGate returns a gate that evaluates the configured policies with what the store knows. It forwards no messages
// and sends no pairing codes.
func (a *App) PolicyGate() *gate.Gate {
	return &gate.Gate{
		Policies: Policies(a.Config.Channels), ForAdults: a.forAdults, Now: a.Now, Zone: a.Config.Timezone.Location, Log: a.Log,
		Lookup: gate.Lookup{
			Approved: a.Store.Log.IsAllowed,
			Known: func(ctx context.Context, room channels.Room) (bool, error) {
				_, err := a.Store.Log.RoomByAddress(ctx, room)
				if errors.Is(err, memory.ErrNotFound) {
					return false, nil
				}
				return err == nil, err
			},
			Paused:   a.isPaused,
			Answered: a.countAnswers,
		},
	}
}

// forAdults reports whether the persona that a message is for is for adults, by the cards as they are now if it is served.
func (a *App) forAdults(ctx context.Context, m channels.Message) (bool, error) {
	if a.cast != nil {
		return a.cast.ForAdults(ctx, m)
	}
	return a.Card.Adult, nil
}

// isPaused reports whether none of the personas may hear a message, because its author asked them not to listen.
func (a *App) isPaused(ctx context.Context, m channels.Message) (bool, error) {
	for _, key := range a.Config.Served() {
		if paused, err := a.Store.Log.Paused(ctx, key, m); err != nil || !paused {
			return false, err
		}
	}
	return true, nil
}

// countAnswers counts the answers of all personas in a group.
func (a *App) countAnswers(ctx context.Context, room channels.Room, who channels.Handle, since time.Time) (all, theirs int, _ error) {
	for _, key := range a.Config.Served() {
		n, m, err := a.Store.Log.CountAnswers(ctx, key, room, who, since)
		if err != nil {
			return 0, 0, err
		}
		all, theirs = all+n, theirs+m
	}
	return all, theirs, nil
}

// Policies returns the configured policies by channel.
func Policies(c config.Channels) map[string]gate.Policy {
	all := map[string]gate.Policy{}
	for name, a := range c.Served() {
		groups := map[string]gate.Group{}
		for id, g := range a.Groups.ByID() {
			groups[id] = groupPolicy(g)
		}
		all[name] = gate.Policy{
			Direct: gate.Direct(a.Direct), Notice: a.PairingNotice, Allow: a.Allow, Bots: a.Bots, Adult: a.Adult, Groups: groups, Default: groupPolicy(a.Groups.Default()),
			MaxAge: c.MaxAge,
		}
	}
	return all
}

// proactivePolicy returns when and where the persona may write first. The terminal is excluded: a user who opens it is
// greeted. adult reports that the persona is for adults.
func proactivePolicy(c config.Channels, adult bool) gate.ProactivePolicy {
	u := gate.ProactivePolicy{QuietHours: gate.Hours(c.QuietHours), Daily: c.ProactivePerDay, MinSilence: c.ProactiveGap, Channels: map[string]time.Duration{}}
	for name, a := range c.Served() {
		if a.Proactive == config.ProactiveDirect && a.Direct != config.DirectOff && (a.Adult || !adult) {
			channel, _ := all.Find(name)
			u.Channels[name] = channel.ProactiveWithin
		}
	}
	return u
}

func groupPolicy(g config.Group) gate.Group {
	return gate.Group{Mode: gate.Mode(g.Mode), Members: g.Members, Daily: g.Daily.Turns, DailyEach: g.Daily.PerPerson, Adult: g.Adult}
}
