package discord

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"familiar/channels"
	"familiar/internal/sleep"
)

// shard is one of the gateway connections among which Discord divides the servers of a bot. One process at a time has it. Only the
// shard itself writes the cursors of its channels.
type shard struct {
	*Channel
	index int
	chats *chats
	// contentRefused reports that Discord refused message content.
	contentRefused atomic.Bool
	tell           func(channels.State)
}

func newShard(c *Channel, index, of int) *shard {
	owns := func(guild string) bool { return shardOf(guild, of) == index }
	return &shard{Channel: c, index: index, chats: newChats(c.host.Store, owns), tell: c.host.Report}
}

// shardOf returns which shard receives what happens in a server, as Discord decides it. What happens in no server goes to the first.
func shardOf(guild string, shards int) int {
	n, err := strconv.ParseUint(guild, 10, 64)
	if err != nil {
		return 0
	}
	return int(n >> timeShift % uint64(shards)) //nolint:gosec // both are small
}

// first reports whether the shard does what is to be done once for all of them.
func (s *shard) first() bool { return s.index == 0 }

// Parts returns the number of shards.
func (c *Channel) Parts() int { return len(c.shards) }

// RunPart is Run for one shard. It begins with the cursors as they are stored: another process may have had the shard.
func (c *Channel) RunPart(ctx context.Context, part int, accept channels.Accept, report func(channels.State)) error {
	s := c.shards[part]
	s.tell = report
	s.contentRefused.Store(false)
	if err := s.chats.load(ctx); err != nil {
		return err
	}
	running, cancel := context.WithCancel(ctx)
	h := newReceiver(s, accept)
	var wg sync.WaitGroup
	wg.Go(func() { h.process(running) })
	wg.Go(func() { s.flushCursors(running) })
	wg.Go(func() { c.removeUnanswered(running) })
	err := (&gateway{shard: s, receiver: h}).run(running)
	cancel()
	wg.Wait()
	c.rest.http.CloseIdleConnections()
	c.rest.files.CloseIdleConnections()
	s.flushNow(ctx)
	return err
}

// flushCursors writes the cursors periodically.
func (s *shard) flushCursors(ctx context.Context) {
	for sleep.For(ctx, flushInterval) {
		if err := s.chats.flush(ctx); err != nil && ctx.Err() == nil {
			s.log.Warn("write the Discord cursors", "error", err)
		}
	}
}

// flushNow writes the cursors even if ctx has ended.
func (s *shard) flushNow(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), flushInterval)
	defer cancel()
	if err := s.chats.flush(ctx); err != nil {
		s.log.Warn("write the Discord cursors", "error", err) // the cursors lag, so messages are received again
	}
}

// report reports the state of the shard's connection.
func (s *shard) report(phase channels.Phase, says, do string) {
	s.tell(channels.State{Phase: phase, Problem: says, NextStep: do, Account: s.identity.user().Username})
}

// readsContent reports that message content is requested and was not refused.
func (s *shard) readsContent() bool { return s.wantContent && !s.contentRefused.Load() }

const (
	// identifyEvery is how often a shard opens a new session, among those whose numbers are equal modulo Discord's max_concurrency.
	// Discord refuses those that come within five seconds. Connecting takes longer at one time than at another.
	identifyEvery = 6 * time.Second
	// identifyPrefix starts the state store keys of the last such time, in milliseconds. Keys are followed by the remainder.
	identifyPrefix = "identify/"
)

// awaitIdentify waits for the shard's turn to open a new session. Processes that share the store wait for each other; one that reads
// what another is about to write is refused by Discord and asks again.
func (s *shard) awaitIdentify(ctx context.Context, concurrency int) {
	if len(s.shards) == 1 {
		return
	}
	wait, err := s.reserveIdentify(ctx, identifyPrefix+strconv.Itoa(s.index%max(concurrency, 1)))
	if err != nil {
		s.log.Warn("wait for the turn of a Discord shard", "shard", s.index, "error", err)
	}
	sleep.For(ctx, wait)
}

// reserveIdentify reserves the next turn, and returns how long it is until then.
func (s *shard) reserveIdentify(ctx context.Context, key string) (time.Duration, error) {
	s.identifying.Lock()
	defer s.identifying.Unlock()
	last, err := s.host.Store.Get(ctx, key)
	if err != nil && !errors.Is(err, channels.ErrNotFound) {
		return 0, err
	}
	now := s.host.Now()
	turn := now
	if at, err := strconv.ParseInt(last, 10, 64); err == nil {
		turn = time.UnixMilli(at).Add(s.identifyEvery)
	}
	if wait := turn.Sub(now); wait < 0 || wait > time.Duration(len(s.shards))*s.identifyEvery { // or a clock was changed
		turn = now
	}
	return turn.Sub(now), s.host.Store.Put(ctx, key, strconv.FormatInt(turn.UnixMilli(), 10))
}
