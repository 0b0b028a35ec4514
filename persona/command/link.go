package command

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"familiar/channels/gate"
	"familiar/channels/markdown"
	"familiar/internal/lazyregexp"
	"familiar/memory"
	"familiar/memory/link"
	"familiar/memory/log"
	"familiar/memory/model"
)

// linkCommand gives a person a code, or joins their account with the person who was given one on another network.
func (r Runner) linkCommand(_ context.Context, c call) (result, error) {
	if !c.room.Direct {
		return c.told("direct.only"), nil
	}
	if c.rest != "" {
		return result{apply: func(ctx context.Context, answer log.CommandAnswer) error { return r.redeem(ctx, c, answer) }}, nil
	}
	code, err := gate.NewCode(r.Random)
	if err != nil {
		return result{}, err
	}
	shown := code[:gate.CodeLength/2] + "-" + code[gate.CodeLength/2:]
	return result{apply: func(ctx context.Context, answer log.CommandAnswer) error {
		answer.Text = c.say("link.offer", "code", shown, "minutes", int(link.CodeLifetime.Minutes()))
		return r.Store.Links.Offer(ctx, c.person.ID, code, answer)
	}}, nil
}

// redeem joins the account with the person who was given the code, or says why not.
func (r Runner) redeem(ctx context.Context, c call, answer log.CommandAnswer) error {
	done, err := r.Store.Links.Redeem(ctx, link.Request{
		Person: c.person.ID, Account: c.account, Code: c.rest, Answer: answer,
		Told: func(joined link.Result) (string, string) {
			here := c.say("link.here", "network", joined.Room.Channel)
			there := c.say("link.there", "name", markdown.Escape(c.person.Name), "network", c.room.Channel)
			return here, there
		},
	})
	switch {
	case err == nil:
		r.Outbox.Wake(done.Room)
		return nil
	case errors.Is(err, link.ErrOwnCode):
		answer.Text = c.say("link.own")
	case errors.Is(err, link.ErrTooMany):
		answer.Text = c.say("link.locked")
	case errors.Is(err, link.ErrWrongCode), errors.Is(err, link.ErrSameNetwork):
		// Who sends wrong codes learns nothing of others; a code from the same network is used up by the answer that says so.
		answer.Text = c.say("link.wrong")
		if errors.Is(err, link.ErrSameNetwork) {
			answer.Text = c.say("link.same")
		}
		if err := r.warnOfGuesses(ctx); err != nil {
			return err
		}
	default:
		return fmt.Errorf("join an account by a code: %w", err)
	}
	return r.Store.Log.AnswerCommand(ctx, answer)
}

// warnOfGuesses tells the operator when wrong codes have locked linking.
func (r Runner) warnOfGuesses(ctx context.Context) error {
	g, err := r.Store.Links.Guesses(ctx)
	if err != nil || g.LockedUntil.IsZero() {
		return err
	}
	r.Log.Warn("linking is locked after too many wrong codes", "wrong", g.Wrong, "accounts", g.Accounts, "until", g.LockedUntil)
	return nil
}

// unlinkCommand makes the account it comes from, or the one that is named, a person of its own again.
func (r Runner) unlinkCommand(ctx context.Context, c call) (result, error) {
	if !c.room.Direct {
		return c.told("direct.only"), nil
	}
	leaving, ok := c.account.Channel, true
	if c.rest != "" {
		leaving, ok = ownNetwork(c.person, c.rest)
	}
	if !ok {
		return c.told("unlink.unknown", "networks", strings.Join(networksOf(c.person), ", ")), nil
	}
	networks := networksOf(c.person)
	if len(networks) == 1 {
		return c.told("unlink.single"), nil
	}
	rooms, err := r.directRooms(ctx, c.person, networks)
	if err != nil {
		return result{}, err
	}
	return result{apply: func(ctx context.Context, answer log.CommandAnswer) error {
		err := r.Store.Links.SeparateAndAnswer(ctx, c.person.ID, leaving, func(done link.Separated) ([]link.Notice, log.CommandAnswer) {
			answer.Text = c.parted(done, c.room.Channel)
			var notices []link.Notice
			for _, room := range rooms {
				if room.Channel != c.room.Channel {
					notices = append(notices, link.Notice{Room: room, Text: c.parted(done, room.Channel)})
				}
			}
			return notices, answer
		})
		for _, room := range rooms {
			r.Outbox.Wake(room)
		}
		return err
	}}, nil
}

// parted tells an account on a network that a link is undone.
func (t *tongue) parted(done link.Separated, network string) string {
	if network == done.Channel {
		return t.say("unlink.this")
	}
	text := t.say("unlink.other", "network", done.Channel)
	if done.Dropped > 0 {
		text += " " + t.say("unlink.dropped")
	}
	return text
}

// directRooms returns the rooms in which a person is told something on each network, as far as there are any.
func (r Runner) directRooms(ctx context.Context, p model.Person, networks []string) (rooms []model.Room, err error) {
	for _, network := range networks {
		room, err := r.Store.Log.DirectRoom(ctx, network, p.ID)
		if errors.Is(err, memory.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("find where to tell person %d on %s: %w", p.ID, network, err)
		}
		rooms = append(rooms, room)
	}
	return rooms, nil
}

// networksOf returns the networks on which a person has accounts, sorted.
func networksOf(p model.Person) (networks []string) {
	for _, h := range p.Handles {
		networks = append(networks, h.Channel)
	}
	slices.Sort(networks)
	return slices.Compact(networks)
}

// ownNetwork returns the network of the person's account that word names: the network, the account's ID, or both.
func ownNetwork(p model.Person, word string) (string, bool) {
	for _, h := range p.Handles {
		for _, name := range []string{h.Channel, h.ID, h.Named()} {
			if strings.EqualFold(name, word) {
				return h.Channel, true
			}
		}
	}
	return "", false
}

// looksLikeCode matches what may be a code in a text, with spaces or dashes between its halves or without. Two ordinary
// words of four letters match as well: only the store knows which codes are valid.
var looksLikeCode = lazyregexp.New(`\b[A-HJ-KM-NP-Za-hj-km-np-z2-9]{4}[- ]*[A-HJ-KM-NP-Za-hj-km-np-z2-9]{4}\b`)

// CodesIn returns what may be link codes in a text. They may overlap: in "take 5QSV 6CES" the code is the second pair.
func CodesIn(text string) (codes []string) {
	for found := looksLikeCode.FindAllStringIndex(text, 1); found != nil; found = looksLikeCode.FindAllStringIndex(text, 1) {
		start, end := found[0][0], found[0][1]
		codes = append(codes, text[start:end])
		text = text[start+gate.CodeLength/2:]
	}
	return codes
}
