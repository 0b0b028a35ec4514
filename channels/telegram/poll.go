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
)

const (
	// pollFor is how long the network holds a poll that has nothing to tell; answerFor is how long an answer may take
	// beyond that.
	pollFor   = 30 * time.Second
	answerFor = 15 * time.Second
	// pollMany is the most updates the network hands over at once, pollFew the least that are asked for: more than an album.
	pollMany, pollFew = 100, 20
	// keepWithin is how long it should take to keep what one poll brought: who is asked for less has it on disk sooner.
	keepWithin = 10 * time.Millisecond
	// albumQuiet is how long after its last part an album is taken as complete.
	albumQuiet = 500 * time.Millisecond
	// staleAfter is how old a cursor may be: a bot that heard nothing for a week gets updates numbered anew, and a
	// cursor beyond them would wave them all through. Without one nothing is lost, as all before it is confirmed.
	staleAfter = 6 * 24 * time.Hour
)

// poller is one run of the channel: the loop that hears.
type poller struct {
	*Telegram
	accept channels.Accept
	self   identity
	cursor cursor
	// prompt wants the next poll answered at once: how the connection stands is not known, or an album is growing.
	prompt bool
	// album is the unit with albums that was last seen, which is complete when nothing is added to it.
	album unit
	state channels.State
	// many is how many updates the next poll asks for.
	many int
	// failures in a row; heardAt is when a poll was last answered.
	failures int
	heardAt  time.Time
}

// cursor is the first update not heard yet, 0 for any, and when that was so.
type cursor struct {
	next int64
	at   time.Time
}

// unkept is a message that was not made durable: it is heard again.
type unkept struct{ err error }

func (u *unkept) Error() string { return "keep what was heard: " + u.err.Error() }
func (u *unkept) Unwrap() error { return u.err }

// step learns who the bot is, once, and hears what is new.
func (p *poller) step(ctx context.Context) error {
	if p.self.ID == 0 {
		if err := p.introduce(ctx); err != nil {
			return err
		}
	}
	batch, err := p.poll(ctx)
	if err != nil {
		return err
	}
	p.heardAt = p.host.Now()
	switch {
	case len(batch) == 0:
		p.prompt = false
		p.connected(ctx)
	case p.state.Phase != channels.Connected:
		p.report(channels.State{Phase: channels.Backfilling, Account: p.account()})
	}
	if err := p.take(ctx, batch); err != nil {
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
	if p.cursor, err = p.restore(ctx, self.ID); err != nil {
		return &unkept{err}
	}
	p.publish(ctx, &self)
	p.self = self
	return nil
}

func (p *poller) account() string {
	if p.self.ID == 0 {
		return ""
	}
	return "@" + p.self.Username
}

// poll asks for updates after the cursor. Asking is what confirms those before it.
func (p *poller) poll(ctx context.Context) ([]update, error) {
	hold := pollFor
	if p.prompt {
		hold = 0
	}
	params := tgbotapi.Params{
		"limit": strconv.Itoa(p.many), "timeout": strconv.Itoa(int(hold / time.Second)), "allowed_updates": heardKinds,
	}
	if p.cursor.next != 0 && !p.stale() {
		params["offset"] = strconv.FormatInt(p.cursor.next, 10)
	}
	ctx, cancel := context.WithTimeout(ctx, hold+answerFor)
	defer cancel()
	var raw []json.RawMessage
	if err := p.api.call(ctx, "getUpdates", params, &raw); err != nil {
		return nil, err
	}
	batch := make([]update, len(raw))
	for i := range raw {
		if err := p.read(raw[i], &batch[i]); err != nil {
			return nil, err
		}
	}
	return batch, nil
}

func (p *poller) stale() bool { return p.host.Now().Sub(p.cursor.at) >= staleAfter }

// read decodes one update. One that makes no sense is passed over, and told to the operator; all others would wait
// behind it for ever.
func (p *poller) read(raw json.RawMessage, u *update) error {
	err := json.Unmarshal(raw, u)
	if err == nil {
		return nil
	}
	var bare struct {
		ID int64 `json:"update_id"`
	}
	if json.Unmarshal(raw, &bare) != nil || bare.ID == 0 {
		return fmt.Errorf("read an update of Telegram: %w", err)
	}
	p.log.Error("pass over an update that cannot be read", "update", bare.ID, "error", err)
	*u = update{ID: bare.ID}
	return nil
}

// take hands over batch and moves the cursor past what was kept. The cursor follows this batch alone: the numbers may have
// begun anew, below it.
func (p *poller) take(ctx context.Context, batch []update) error {
	ready := p.ready(batch)
	kept, err := p.hear(ctx, batch[:ready])
	p.many = nextMany(p.many, len(batch), p.host.Now().Sub(p.heardAt))
	var next int64
	for _, u := range batch[:kept] {
		next = max(next, u.ID+1)
	}
	if next != 0 {
		err = errors.Join(err, p.keep(ctx, next))
	}
	if err == nil && ready < len(batch) {
		sleep(ctx, albumQuiet)
	}
	return err
}

// nextMany is how many updates to ask for after a poll that asked for many and brought some, which took so long to keep:
// half as many when it took too long, twice as many when there were more than were asked for and there was time.
func nextMany(many, brought int, took time.Duration) int {
	switch {
	case took > keepWithin:
		return max(many/2, pollFew)
	case brought >= many && took < keepWithin/2:
		return min(2*many, pollMany)
	}
	return many
}

// ready is how many updates come before an album to which something may be added yet.
func (p *poller) ready(batch []update) (n int) {
	for n < len(batch) {
		u := firstUnit(batch[n:])
		if u.albums && u != p.album {
			p.album, p.prompt = u, true
			break
		}
		n += u.size
	}
	return n
}

// unit is a run of updates that are confirmed together: one update, or the parts of an album with all in between.
type unit struct {
	first  int64
	size   int
	albums bool
}

// firstUnit is the unit that batch begins with.
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

// hear hands over the messages of updates, an album as one, and says how many updates, in whole units, come before the
// first that was not kept. Chats are heard side by side, so that what is kept shares a sync to disk, each in its order;
// where a chat moves to another id, all are heard in order.
func (p *poller) hear(ctx context.Context, updates []update) (kept int, err error) {
	for _, u := range updates {
		if u.Member != nil {
			p.noteMember(u.Member)
		}
	}
	inOrder := slices.ContainsFunc(updates, update.moves)
	chats := make(map[string][]told)
	for _, t := range tell(updates, p.self, p.heardAt) {
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
				errs[chat[i].at] = p.hand(ctx, &chat[i])
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

// told is a message and where the update that brought it, or its first part, stands among those heard together.
type told struct {
	heard
	at    int
	press string // the id of the button that was pressed, empty for none
}

// tell are the messages that updates bring, each album as one.
func tell(updates []update, self identity, heardAt time.Time) (all []told) {
	albums := make(map[string]int)
	for i, u := range updates {
		h, ok := convert(u, self, heardAt)
		if !ok {
			continue
		}
		album := u.album()
		if whole, begun := albums[album]; begun && album != "" {
			all[whole].join(h)
			continue
		}
		albums[album] = len(all)
		t := told{heard: h, at: i}
		if u.Callback != nil {
			t.press = u.Callback.ID
		}
		all = append(all, t)
	}
	return all
}

// hand hands over one message, once its files are here.
func (p *poller) hand(ctx context.Context, t *told) error {
	p.fetch(ctx, &t.heard)
	if err := p.accept(ctx, t.Message); err != nil {
		return &unkept{err}
	}
	if t.press != "" {
		p.release(ctx, t.press)
	}
	return nil
}

// release lets a pressed button go. It shows a clock until then, no more.
func (p *poller) release(ctx context.Context, id string) {
	ctx, cancel := context.WithTimeout(ctx, answerFor)
	defer cancel()
	if err := p.api.call(ctx, "answerCallbackQuery", tgbotapi.Params{"callback_query_id": id}, nil); err != nil {
		p.log.Debug("release a button", "error", err)
	}
}

// noteMember tells the operator where the bot came in and went out. Sending there says the rest.
func (p *poller) noteMember(m *tgbotapi.ChatMemberUpdated) {
	p.log.Info("the bot's place in a chat changed", "chat", m.Chat.ID, "type", m.Chat.Type,
		"was", m.OldChatMember.Status, "is", m.NewChatMember.Status)
}

// keep moves the cursor to next, on the shelf first: it is told to the network only when it is on disk.
func (p *poller) keep(ctx context.Context, next int64) error {
	now := p.host.Now()
	value := fmt.Sprintf("%d %d", next, now.Unix())
	if err := p.host.Store.Put(ctx, cursorKey(p.self.ID), value); err != nil {
		return &unkept{fmt.Errorf("note where to hear on: %w", err)}
	}
	p.cursor = cursor{next, now}
	return nil
}

// restore reads the cursor of the bot with that id.
func (p *poller) restore(ctx context.Context, bot int64) (cursor, error) {
	value, err := p.host.Store.Get(ctx, cursorKey(bot))
	if errors.Is(err, channels.ErrNotFound) {
		return cursor{}, nil
	}
	if err != nil {
		return cursor{}, fmt.Errorf("read where to hear on: %w", err)
	}
	first, second, _ := strings.Cut(value, " ")
	next, errNext := strconv.ParseInt(first, 10, 64)
	at, errAt := strconv.ParseInt(second, 10, 64)
	if err := errors.Join(errNext, errAt); err != nil {
		p.log.Warn("begin without a cursor: it cannot be read", "error", err)
		return cursor{}, nil
	}
	return cursor{next, time.Unix(at, 0)}, nil
}

func cursorKey(bot int64) string { return fmt.Sprintf("offset/%d", bot) }
