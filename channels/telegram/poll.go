package telegram

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"familiar/channels"
	"familiar/internal/sleep"
)

const (
	// pollTimeout is how long the network holds a poll without updates; responseTimeout is how long the response may
	// take beyond that.
	pollTimeout     = 30 * time.Second
	responseTimeout = 15 * time.Second
	// maxUpdates is the most updates the network returns at once; minUpdates is the smallest number requested, more
	// than an album.
	maxUpdates, minUpdates = 100, 20
	// storeTarget is the desired time to store one batch: smaller batches are on disk sooner.
	storeTarget = 10 * time.Millisecond
	// albumQuiet is how long after its last part an album counts as complete.
	albumQuiet = 500 * time.Millisecond
	// staleAfter is when a cursor expires: after a week without updates the numbering may restart, and a higher cursor
	// would discard all updates. Nothing is lost without a cursor, because everything before it is confirmed.
	staleAfter = 6 * 24 * time.Hour
)

// poller is one run of the channel: the receiving loop.
type poller struct {
	*Telegram
	accept channels.Accept
	self   identity
	cursor cursor
	// immediate requests that the next poll returns at once: the connection state is unknown, or an album is growing.
	immediate bool
	// album is the last unit seen that contains albums; it is complete when a poll adds nothing.
	album unit
	state channels.State
	// batchSize is how many updates the next poll requests.
	batchSize int
	// failures in a row; lastPoll is when a poll last succeeded.
	failures int
	lastPoll time.Time
}

// cursor is the first unprocessed update, 0 for any, and when it was stored.
type cursor struct {
	next int64
	at   time.Time
}

// storeError reports a message that was not stored: it is received again.
type storeError struct{ err error }

func (u *storeError) Error() string { return "store a message: " + u.err.Error() }
func (u *storeError) Unwrap() error { return u.err }

// step looks up the bot's account once, and processes new updates.
func (p *poller) step(ctx context.Context) error {
	if p.self.ID == 0 {
		if err := p.introduce(ctx); err != nil {
			return err
		}
	}
	asked, held := p.host.Now(), !p.immediate
	batch, err := p.poll(ctx)
	if err != nil {
		return err
	}
	p.lastPoll = p.host.Now()
	switch {
	case len(batch) == 0:
		p.immediate = false
		p.connected(ctx)
		if held {
			p.floor(ctx, asked)
		}
	case p.state.Phase != channels.Connected:
		p.report(channels.State{Phase: channels.Backfilling, Account: p.account()})
	}
	if err := p.handleBatch(ctx, batch); err != nil {
		return err
	}
	p.failures = 0
	return nil
}

func (p *poller) introduce(ctx context.Context) error {
	self, err := p.identify(ctx)
	if err != nil {
		return err
	}
	if p.cursor, err = p.loadCursor(ctx, self.ID); err != nil {
		return &storeError{err}
	}
	p.publishCommands(ctx, &self)
	p.self = self
	return nil
}

func (p *poller) account() string {
	if p.self.ID == 0 {
		return ""
	}
	return "@" + p.self.Username
}

// poll requests updates after the cursor. The request confirms those before it.
func (p *poller) poll(ctx context.Context) ([]update, error) {
	hold := pollTimeout
	if p.immediate {
		hold = 0
	}
	params := tgbotapi.Params{
		"limit": strconv.Itoa(p.batchSize), "timeout": strconv.Itoa(int(hold / time.Second)), "allowed_updates": updateKinds,
	}
	if p.cursor.next != 0 && !p.stale() {
		params["offset"] = strconv.FormatInt(p.cursor.next, 10)
	}
	ctx, cancel := context.WithTimeout(ctx, hold+responseTimeout)
	defer cancel()
	var raw []json.RawMessage
	if err := p.api.call(ctx, "getUpdates", params, &raw); err != nil {
		return nil, err
	}
	batch := make([]update, len(raw))
	for i := range raw {
		if err := p.parse(raw[i], &batch[i]); err != nil {
			return nil, err
		}
	}
	return batch, nil
}

func (p *poller) stale() bool { return p.host.Now().Sub(p.cursor.at) >= staleAfter }

// parse decodes one update. An invalid update is skipped and logged; otherwise it would block all later ones forever.
func (p *poller) parse(raw json.RawMessage, u *update) error {
	err := json.Unmarshal(raw, u)
	if err == nil {
		return nil
	}
	var bare struct {
		ID int64 `json:"update_id"`
	}
	if json.Unmarshal(raw, &bare) != nil || bare.ID == 0 {
		return fmt.Errorf("parse a Telegram update: %w", err)
	}
	p.log.Error("skip an update that cannot be parsed", "update", bare.ID, "error", err)
	*u = update{ID: bare.ID}
	return nil
}

// handleBatch delivers a batch and moves the cursor past the stored updates. The cursor depends only on this batch: the
// numbering may have restarted at lower ids.
func (p *poller) handleBatch(ctx context.Context, batch []update) error {
	ready := p.complete(batch)
	kept, err := p.deliverAll(ctx, batch[:ready])
	p.batchSize = nextBatchSize(p.batchSize, len(batch), p.host.Now().Sub(p.lastPoll))
	var next int64
	for _, u := range batch[:kept] {
		next = max(next, u.ID+1)
	}
	if next != 0 {
		err = errors.Join(err, p.storeCursor(ctx, next))
	}
	if err == nil && ready < len(batch) {
		sleep.For(ctx, albumQuiet)
	}
	return err
}

// nextBatchSize returns the number of updates to request next, after a poll for many returned brought updates that took
// so long to store. It halves if storing took too long, and doubles if there were more updates than requested and
// storing was fast.
func nextBatchSize(many, brought int, took time.Duration) int {
	switch {
	case took > storeTarget:
		return max(many/2, minUpdates)
	case brought >= many && took < storeTarget/2:
		return min(2*many, maxUpdates)
	}
	return many
}

// complete returns how many updates come before an album that may still grow.
func (p *poller) complete(batch []update) (n int) {
	for n < len(batch) {
		u := firstUnit(batch[n:])
		if u.albums && u != p.album {
			p.album, p.immediate = u, true
			break
		}
		n += u.size
	}
	return n
}

// unit is a run of updates confirmed together: one update, or the parts of an album with everything in between.
type unit struct {
	first  int64
	size   int
	albums bool
}

// firstUnit returns the first unit of batch.
func firstUnit(batch []update) unit {
	u := unit{first: batch[0].ID, size: 1}
	for i := 0; i < u.size; i++ {
		album := batch[i].album()
		if album == "" {
			continue
		}
		u.albums = true
		for j := u.size; j < len(batch); j++ {
			if batch[j].album() == album {
				u.size = j + 1
			}
		}
	}
	return u
}

// deliverAll delivers the messages of updates, albums as one message. It returns how many updates, in whole units, come
// before the first that was not stored. Chats are processed in parallel, each in order, so that their writes share one
// disk sync; if a chat moves to another id, everything is processed in order.
func (p *poller) deliverAll(ctx context.Context, updates []update) (kept int, err error) {
	for _, u := range updates {
		if u.Member != nil {
			p.logMembership(u.Member)
		}
	}
	inOrder := slices.ContainsFunc(updates, update.moves)
	chats := make(map[string][]delivery)
	for _, t := range deliveries(updates, p.self, p.lastPoll) {
		chat := ""
		if !inOrder {
			chat = t.Room.ID
		}
		chats[chat] = append(chats[chat], t)
	}
	errs := make([]error, len(updates))
	var wg sync.WaitGroup
	for _, chat := range chats {
		wg.Go(func() {
			for i := 0; i < len(chat) && (i == 0 || errs[chat[i-1].at] == nil); i++ {
				errs[chat[i].at] = p.deliver(ctx, &chat[i])
			}
		})
	}
	wg.Wait()
	for kept < len(updates) {
		next := kept + firstUnit(updates[kept:]).size
		if err := errors.Join(errs[kept:next]...); err != nil {
			return kept, err
		}
		kept = next
	}
	return kept, nil
}

// delivery is a message and the index of its update, or its first part, in the batch.
type delivery struct {
	incoming
	at int
	// press is the callback id of a pressed button, empty for none; foreign that it is no button of a question. Nothing is received
	// then, but Telegram wants an answer.
	press   string
	foreign bool
}

// deliveries returns the messages of updates, each album as one.
func deliveries(updates []update, self identity, heardAt time.Time) (all []delivery) {
	albums := make(map[string]int)
	for i, u := range updates {
		h, ok := convert(u, self, heardAt)
		if !ok {
			if u.Callback != nil {
				all = append(all, delivery{at: i, press: u.Callback.ID, foreign: true})
			}
			continue
		}
		album := u.album()
		if index, begun := albums[album]; begun && album != "" {
			all[index].merge(h)
			continue
		}
		albums[album] = len(all)
		t := delivery{incoming: h, at: i}
		if u.Callback != nil {
			t.press = u.Callback.ID
		}
		all = append(all, t)
	}
	return all
}

// deliver passes one message to accept, after downloading its files.
func (p *poller) deliver(ctx context.Context, t *delivery) error {
	if t.foreign {
		p.answerPress(ctx, t.press, "")
		return nil
	}
	p.fetch(ctx, &t.incoming)
	err := p.accept(ctx, t.Message)
	not, refused := errors.AsType[*channels.NotTaken](err)
	switch {
	case err != nil && !refused:
		return &storeError{err}
	case refused:
		p.answerPress(ctx, t.press, not.Notice)
	case t.press != "":
		p.answerPress(ctx, t.press, "")
	}
	return nil
}

// logMembership logs when the bot joins or leaves a chat. Sends report any consequences.
func (p *poller) logMembership(m *tgbotapi.ChatMemberUpdated) {
	p.log.Info("the bot's membership in a chat changed", "chat", m.Chat.ID, "type", m.Chat.Type,
		"was", m.OldChatMember.Status, "is", m.NewChatMember.Status)
}

// storeCursor moves the cursor to next, on disk first: the network must not learn of it before.
func (p *poller) storeCursor(ctx context.Context, next int64) error {
	now := p.host.Now()
	value := fmt.Sprintf("%d %d", next, now.Unix())
	if err := p.host.Store.Put(ctx, cursorKey(p.self.ID), value); err != nil {
		return &storeError{fmt.Errorf("store the Telegram cursor: %w", err)}
	}
	p.cursor = cursor{next, now}
	return nil
}

// loadCursor reads the cursor of the bot with that id.
func (p *poller) loadCursor(ctx context.Context, bot int64) (cursor, error) {
	value, err := p.host.Store.Get(ctx, cursorKey(bot))
	if errors.Is(err, channels.ErrNotFound) {
		return cursor{}, nil
	}
	if err != nil {
		return cursor{}, fmt.Errorf("read the Telegram cursor: %w", err)
	}
	first, second, _ := strings.Cut(value, " ")
	next, errNext := strconv.ParseInt(first, 10, 64)
	at, errAt := strconv.ParseInt(second, 10, 64)
	if err := errors.Join(errNext, errAt); err != nil {
		p.log.Warn("start without a cursor: the stored one is invalid", "error", err)
		return cursor{}, nil
	}
	return cursor{next, time.Unix(at, 0)}, nil
}

func cursorKey(bot int64) string { return fmt.Sprintf("offset/%d", bot) }
