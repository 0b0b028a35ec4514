package discord

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"familiar/channels"
	"familiar/channels/channeltest"
)

// sharded returns an adapter with shards, as after a program start.
func (d *rig) sharded(shards int, with ...func(*Options)) *Channel {
	c := d.channel(append(with, func(o *Options) { o.Shards = shards })...)
	c.identifyEvery = time.Millisecond
	return c
}

// part is a running shard.
type part struct {
	*running
	mu    sync.Mutex
	phase channels.Phase
}

// take runs a shard of c until the test ends, and waits until it is connected.
func (d *rig) take(c *Channel, index int) *part {
	d.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	p := &part{running: &running{d: d, stop: cancel, done: make(chan error, 1)}}
	go func() {
		p.done <- c.RunPart(ctx, index, d.accept, func(s channels.State) {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.phase = s.Phase
		})
	}()
	d.t.Cleanup(p.end)
	d.eventually("the shard is connected", func() bool { return p.now() == channels.Connected })
	return p
}

func (p *part) now() channels.Phase {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.phase
}

// inOrder checks that each room has received the texts 0 to n-1, once each and in order.
func (d *rig) inOrder(n int, rooms ...channels.Room) {
	d.t.Helper()
	all := d.messages(n * len(rooms))
	next := map[channels.Room]int{}
	for _, m := range all {
		equal(d.t, "next in "+m.Room.String(), m.Text, fmt.Sprint(next[m.Room]))
		next[m.Room]++
	}
	for _, r := range rooms {
		equal(d.t, "received in "+r.String(), next[r], n)
	}
}

// town has a server for each of two shards, and a direct channel.
type town struct {
	*rig
	channels []string
	rooms    []channels.Room
	said     int
}

func newTown(t *testing.T) *town {
	d := &town{rig: newRig(t)}
	d.channels = []string{
		d.server.DM(d.server.Person("ann")), d.server.Text(d.server.GuildOn("north", 0, 2), "talk"),
		d.server.Text(d.server.GuildOn("south", 1, 2), "talk"),
	}
	for _, c := range d.channels {
		d.rig.rooms = append(d.rig.rooms, room(c))
	}
	thread := d.server.Thread(d.channels[2], "aside")
	d.channels = append(d.channels, thread)
	d.rooms = append(slices.Clone(d.rig.rooms), channels.Room{Channel: name, ID: d.channels[2], Thread: thread})
	d.rig.rooms = nil
	return d
}

// say says n messages everywhere.
func (d *town) say(n int) {
	ann := d.server.Person("ann")
	for range n {
		for _, c := range d.channels {
			d.server.Say(c, ann, fmt.Sprint(d.said))
		}
		d.said++
	}
}

// heard checks that everything that was said is received.
func (d *town) heard() {
	d.t.Helper()
	d.inOrder(d.said, d.rooms...)
}

func TestD13TwoShardsReceiveEachMessageOnceAndInOrder(t *testing.T) {
	t.Parallel()
	d := newTown(t)
	c := d.sharded(2)
	c.Commands([]channels.Command{{Name: "memory", Help: channels.Localized{"en": "what I know"}}})
	r := d.run(c)
	equal(t, "shards", d.server.Shards(), []int{0, 1})
	d.say(30)
	d.heard()
	equal(t, "lists of commands", len(d.server.Requests("PUT /applications/")), 1)
	r.end()
	d.say(120) // more than a page
	again := d.run(d.sharded(2))
	d.heard()
	d.say(1)
	d.heard()
	again.end()
	for _, id := range d.channels {
		if value := d.store.Value(chatPrefix + id); !strings.Contains(value, `"after":`) {
			t.Errorf("the cursor of %s is %q", id, value)
		}
	}
}

func TestD13CommandsAreAnsweredOnEachShard(t *testing.T) {
	t.Parallel()
	d := newTown(t)
	a, b := d.sharded(2), d.sharded(2)
	d.take(a, 0)
	d.take(b, 1)
	ann := d.server.Person("ann")
	for i, c := range []*Channel{a, a, b} {
		id := d.server.Use(d.channels[i], ann, "memory", "")
		m := d.messages(i + 1)[i]
		equal(t, "id", m.ID, id)
		d.mustSend(c, channels.Outgoing{Room: m.Room, Key: id, Text: "this is what I know", ReplyData: m.ReplyData})
		d.eventually("it is deferred", func() bool { got, _ := d.server.Interaction(id); return !got.Deferred.IsZero() })
	}
}

// TestD13AShardThatMovesLosesAndRepeatsNothing has two processes with a shard each, then one with both, then two again.
func TestD13AShardThatMovesLosesAndRepeatsNothing(t *testing.T) {
	t.Parallel()
	d := newTown(t)
	a, b := d.sharded(2), d.sharded(2)
	d.take(a, 0)
	south := d.take(b, 1)
	d.say(5)
	d.heard()
	for _, to := range []*Channel{a, b, a} {
		south.end()
		d.say(3)
		south = d.take(to, 1)
		d.say(3)
		d.heard()
	}
	equal(t, "shards", d.server.Shards(), []int{0, 1})
	equal(t, "requests about direct channels", len(d.server.Requests("GET /channels/"+d.channels[0])), 0)
}

// dying is a store that writes nothing more once its process is dead.
type dying struct {
	*channeltest.StateStore
	dead atomic.Bool
}

func (s *dying) Put(ctx context.Context, key, value string) error {
	if s.dead.Load() {
		return errors.New("others have taken over")
	}
	return s.StateStore.Put(ctx, key, value)
}

// TestD13AShardOfADeadProcessLosesNothing, although the process wrote no cursor for its last messages. They come again.
func TestD13AShardOfADeadProcessLosesNothing(t *testing.T) {
	t.Parallel()
	d := newTown(t)
	left := &dying{StateStore: d.store}
	a, b := d.sharded(2), d.sharded(2, func(o *Options) { o.Host.Store = left })
	d.take(a, 0)
	south := d.take(b, 1)
	d.say(3)
	d.heard()
	left.dead.Store(true)
	south.end()
	d.say(3)
	d.take(a, 1)
	d.say(1)
	last := map[channels.Room]string{}
	d.eventually("the last is received everywhere", func() bool {
		for _, m := range d.all() {
			last[m.Room] = m.Text
		}
		return len(last) == len(d.rooms) && !slices.ContainsFunc(d.rooms, func(r channels.Room) bool { return last[r] != "6" })
	})
	ids, texts := map[string]bool{}, map[channels.Room][]string{}
	for _, m := range d.all() {
		if !ids[m.ID] {
			ids[m.ID] = true
			texts[m.Room] = append(texts[m.Room], m.Text)
		}
	}
	for _, r := range d.rooms {
		equal(t, "received once each in "+r.String(), texts[r], []string{"0", "1", "2", "3", "4", "5", "6"})
	}
}

// journal is a store that notes who writes what.
type journal struct {
	*channeltest.StateStore
	who string
	mu  *sync.Mutex
	by  map[string][]string
}

func (j *journal) Put(ctx context.Context, key, value string) error {
	j.mu.Lock()
	if !slices.Contains(j.by[key], j.who) {
		j.by[key] = append(j.by[key], j.who)
	}
	j.mu.Unlock()
	return j.StateStore.Put(ctx, key, value)
}

// TestD13EachShardWritesItsOwnCursors, also after it has read those of all.
func TestD13EachShardWritesItsOwnCursors(t *testing.T) {
	t.Parallel()
	d := newTown(t)
	d.rig.rooms = d.rooms
	var mu sync.Mutex
	by := map[string][]string{}
	as := func(who string) func(*Options) {
		return func(o *Options) { o.Host.Store = &journal{d.store, who, &mu, by} }
	}
	for range 2 {
		north, south := d.take(d.sharded(2, as("north")), 0), d.take(d.sharded(2, as("south")), 1)
		d.say(3)
		d.heard()
		north.end()
		south.end()
	}
	for i, want := range []string{"[north]", "[north]", "[south]", "[south]"} {
		equal(t, fmt.Sprint("who writes the cursor of channel ", i), fmt.Sprint(by[chatPrefix+d.channels[i]]), want)
	}
}

func TestD13AnIdleChannelIsForgottenByItsShard(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	d.store.Set(chatPrefix+"7", `{"guild":"4194304","after":"1"}`) // of shard 1
	d.store.Set(chatPrefix+"8", `{"after":"1"}`)
	c := d.sharded(2)
	d.take(c, 0)
	keys, _ := d.store.Keys(t.Context(), chatPrefix)
	equal(t, "left by the first", keys, []string{chatPrefix + "7"})
	d.take(c, 1)
	keys, _ = d.store.Keys(t.Context(), chatPrefix)
	equal(t, "left by the second", keys, []string(nil))
}

func TestD13AnotherShardIsNotTaken(t *testing.T) {
	t.Parallel()
	d := newTown(t)
	c := d.sharded(2)
	d.server.MisplaceNext()
	d.take(c, 1)
	d.take(c, 0)
	equal(t, "sessions asked for", len(d.server.Identifies()), 3)
	d.say(3)
	d.heard()
}

func TestD13AShardThatDoesNotExistIsRefused(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	c := d.sharded(2)
	c.shards[1].index = 2
	err := c.RunPart(t.Context(), 1, d.accept, d.report)
	if !isFatal(err) || !strings.Contains(err.Error(), "channels.discord.shards") {
		t.Errorf("Run ended with %v", err)
	}
	equal(t, "sessions asked for", len(d.server.Identifies()), 1)
}

func TestD13ALostShardDoesNotTouchTheOther(t *testing.T) {
	t.Parallel()
	d := newTown(t)
	c := d.sharded(2)
	north, south := d.take(c, 0), d.take(c, 1)
	d.say(1)
	d.heard()
	d.server.DropShard(1)
	d.say(1)
	d.eventually("it is resumed", func() bool { return d.server.Resumes() == 1 && south.now() == channels.Connected })
	d.heard()
	equal(t, "the other", north.now(), channels.Connected)
	equal(t, "sessions asked for", len(d.server.Identifies()), 2)
}

// TestD13ARefusedTokenEndsAllShards, and is the last that is reported.
func TestD13ARefusedTokenEndsAllShards(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	d.server.Refuse(4004)
	if err := d.start(d.sharded(3)).ended(); !isFatal(err) {
		t.Fatalf("Run ended with %v, want a fatal state", err)
	}
	equal(t, "last report", d.last().Phase, channels.Refused)
}

// TestD13ShardsBeginOneAfterTheOther, as often as Discord allows, also those of another process.
func TestD13ShardsBeginOneAfterTheOther(t *testing.T) {
	t.Parallel()
	for _, together := range []int{1, 2} {
		t.Run(fmt.Sprint(together), func(t *testing.T) {
			t.Parallel()
			d := newRig(t)
			d.server.StartTogether(together)
			d.server.PaceShards(150 * time.Millisecond)
			paced := func() *Channel {
				c := d.sharded(4)
				c.identifyEvery = time.Second
				return c
			}
			a, b := paced(), paced()
			began := time.Now()
			d.take(a, 0)
			var rest sync.WaitGroup
			for _, part := range []int{1, 2} {
				rest.Go(func() { d.take(a, part) })
			}
			rest.Wait()
			d.take(b, 3)
			least := time.Duration(4/together-1) * 900 * time.Millisecond
			if took := time.Since(began); d.server.Hasty() > 0 || took < least {
				t.Errorf("%d sessions began too soon; it took %v, want more than %v", d.server.Hasty(), took, least)
			}
		})
	}
}

func TestD13ASettingOutOfRangeIsReported(t *testing.T) {
	t.Parallel()
	for shards, want := range map[int]int{0: 1, 1: 0, maxShards: 0, maxShards + 1: 1} {
		problems := 0
		validate(Settings{Shards: shards}, func(string, string, ...any) { problems++ })
		equal(t, fmt.Sprintf("problems of %d shards", shards), problems, want)
	}
}
