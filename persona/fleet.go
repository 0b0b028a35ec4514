package persona

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	"familiar/channels"
	"familiar/internal/sleep"
	"familiar/memory"
	"familiar/memory/fleet"
	"familiar/memory/log"
)

// fleetCheck is QueueCheck for a process that shares the memory with others, whose notes may be lost.
const fleetCheck = 3 * time.Second

// maxWakes is how many notes of other processes wait. If there are more, all queues are looked through.
const maxWakes = 256

// Connect tells the cast that this process can send on a channel now, or no longer, because it is the one that is connected with its
// network.
func (c *Cast) Connect(channel string, now bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.connected[channel] = now
	c.fleet.Announce(c.reachable()...)
}

// Retire has other processes take over what arrives from now on.
func (c *Cast) Retire() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.retired = true
	c.fleet.Announce(c.reachable()...)
}

// reachable lists the channels to whose rooms this process can send: not those where another process has the connection, and not those of
// which every process reaches other rooms. After Retire it lists none. The caller holds mu.
func (c *Cast) reachable() (names []string) {
	if c.retired {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(c.channels)) {
		if _, local := c.channels[name].(channels.Local); !local && c.canSend(name) {
			names = append(names, name)
		}
	}
	return names
}

// canSend reports whether this process can send on a channel. The caller holds mu.
func (c *Cast) canSend(name string) bool {
	e, exclusive := c.channels[name].(channels.Exclusive)
	return !exclusive || e.Exclusive() == channels.ReceivesAlone || c.connected[name]
}

// isLocal reports whether a room is one that only this process reaches.
func (c *Cast) isLocal(room channels.Room) bool {
	local, ok := c.channels[room.Channel].(channels.Local)
	return ok && local.Reaches(room)
}

// answers reports whether this process answers in a room: it can send there, and no other process of the fleet does.
func (c *Cast) answers(room channels.Room) bool { return c.reaches(room) && c.fleet.Answers(room) }

// joinFleet has this process hear of what others leave to it.
func (c *Cast) joinFleet() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.fleet.Serve(c.isLocal, func(w fleet.Wake) {
		select {
		case c.wakes <- w:
		default:
			c.missed.Store(true)
		}
	}, c.reachable()...)
}

// hearFleet takes up what other processes leave to this one, until ctx ends.
func (c *Cast) hearFleet(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case w := <-c.wakes:
			if c.missed.Swap(false) {
				w = fleet.Wake{}
			}
			if err := c.takeUp(ctx, w); err != nil && ctx.Err() == nil {
				c.log.Warn("look for what another process left", "error", err, "retry_in", fleetCheck)
			}
		}
	}
}

// takeUp wakes a room, or all of them: some may have become this process' own.
func (c *Cast) takeUp(ctx context.Context, w fleet.Wake) error {
	if w.Room == (channels.Room{}) {
		c.noteReminder()
		return errors.Join(c.readChosen(ctx), c.sender.watchShown(ctx), c.sender.wakeAll(ctx), c.wakePending(ctx))
	}
	if !c.answers(w.Room) {
		return nil
	}
	for _, e := range c.Engines() {
		e.signal(w)
	}
	if !w.Send {
		return nil
	}
	room, err := c.store.Log.RoomByAddress(ctx, w.Room)
	if errors.Is(err, memory.ErrNotFound) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("find the room of a queued message: %w", err)
	}
	c.sender.addWork(room, unknownCount, log.OutboxEntry{})
	return nil
}

// wakeFor returns what a lane must know of a message.
func wakeFor(m channels.Message) fleet.Wake {
	w := fleet.Wake{Room: m.Room}
	switch m.Action {
	case channels.Post:
		w.Stop = isStop(m)
	case channels.Edit, channels.Delete:
		w.Changed = m.TargetID
	}
	return w
}

// holdRoom takes a room for this process and reports whether it has it. After an error the queues are looked through again soon.
func holdRoom(ctx context.Context, m *fleet.Member, logger *slog.Logger, room channels.Room) (release func(), held bool) {
	release, held, err := m.Hold(ctx, room)
	if err != nil && ctx.Err() == nil {
		logger.Warn("take a room for this process", "room", room, "error", err, "retry_in", fleetCheck)
		sleep.For(ctx, time.Second)
	}
	return release, held && err == nil
}
