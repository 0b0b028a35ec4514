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

// What /link answers to a code that joins nothing, whatever the reason: nobody learns whether a code exists.
const (
	wrongCode     = "That code joins nothing. It may be mistyped, used or over, or from this same network. /link on your other network gives a new one."
	tooManyCodes  = "Too many wrong codes were sent, so I look at none for now. Try again in an hour."
	onlyInPrivate = "I do that in a direct talk only: ask me there."
)

// linkCommand gives a person a code, or joins their account with the person who was given one on another network.
func (r Runner) linkCommand(_ context.Context, c call) (result, error) {
	if !c.room.Direct {
		return result{text: onlyInPrivate}, nil
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
		answer.Text = fmt.Sprintf("Send me this in a direct talk on your other network: /link %s\nIt is valid for %d minutes. Whoever sends it becomes one person with you, so show it to nobody.",
			shown, int(link.CodeLifetime.Minutes()))
		return r.Store.Links.Offer(ctx, c.person.ID, code, answer)
	}}, nil
}

// redeem joins the account with the person who was given the code, or says why not.
func (r Runner) redeem(ctx context.Context, c call, answer log.CommandAnswer) error {
	done, err := r.Store.Links.Redeem(ctx, link.Request{
		Person: c.person.ID, Account: c.account, Code: c.rest, Answer: answer,
		Told: func(joined link.Result) (string, string) {
			here := fmt.Sprintf("Done: this account and yours on %s are one person to me now. What you told me there I know here too, for you alone. /unlink separates them again.", joined.Room.Channel)
			there := fmt.Sprintf("The account %s on %s became one person with you here, by your code. If that was not you, send /unlink %s at once.",
				markdown.Escape(c.person.Name), c.room.Channel, c.room.Channel)
			return here, there
		},
	})
	switch {
	case err == nil:
		r.Outbox.Wake(done.Room)
		return nil
	case errors.Is(err, link.ErrOwnCode):
		answer.Text = "That is your own code: send it from your account on the other network."
	case errors.Is(err, link.ErrTooMany):
		answer.Text = tooManyCodes
	case errors.Is(err, link.ErrWrongCode):
		answer.Text = wrongCode
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
		return result{text: onlyInPrivate}, nil
	}
	leaving, ok := c.account.Channel, true
	if c.rest != "" {
		leaving, ok = ownNetwork(c.person, c.rest)
	}
	if !ok {
		return result{text: "You have no such account here. Linked are: " + strings.Join(networksOf(c.person), ", ") + "."}, nil
	}
	networks := networksOf(c.person)
	if len(networks) == 1 {
		return result{text: "This account is linked with no other. /link gives a code for that."}, nil
	}
	rooms, err := r.directRooms(ctx, c.person, networks)
	if err != nil {
		return result{}, err
	}
	return result{apply: func(ctx context.Context, answer log.CommandAnswer) error {
		err := r.Store.Links.SeparateAndAnswer(ctx, c.person.ID, leaving, func(done link.Separated) ([]link.Notice, log.CommandAnswer) {
			answer.Text = parted(done, c.room.Channel)
			var notices []link.Notice
			for _, room := range rooms {
				if room.Channel != c.room.Channel {
					notices = append(notices, link.Notice{Room: room, Text: parted(done, room.Channel)})
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
func parted(done link.Separated, network string) string {
	if network == done.Channel {
		return "This account is a person of its own again: I know here what you said here."
	}
	text := fmt.Sprintf("Your account on %s is a person of its own again, with what was said there.", done.Channel)
	if done.Dropped > 0 {
		text += " What I had concluded from both together is gone."
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
		for _, name := range []string{h.Channel, h.ID, h.Channel + ":" + h.ID} {
			if strings.EqualFold(name, word) {
				return h.Channel, true
			}
		}
	}
	return "", false
}

// looksLikeCode matches what may be a code in a text.
var looksLikeCode = lazyregexp.New(`\b[A-HJ-KM-NP-Za-hj-km-np-z2-9]{4}-?[A-HJ-KM-NP-Za-hj-km-np-z2-9]{4}\b`)

// CodesIn returns what may be link codes in a text.
func CodesIn(text string) (codes []string) {
	for _, at := range looksLikeCode.FindAllStringIndex(text, -1) {
		codes = append(codes, text[at[0]:at[1]])
	}
	return codes
}
