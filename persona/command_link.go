package persona

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"familiar/channels"
	"familiar/channels/gate"
	"familiar/channels/markdown"
	"familiar/internal/lazyregexp"
	"familiar/memory"
	"familiar/memory/link"
	"familiar/memory/log"
	"familiar/memory/model"
)

// What /link answers to a code that joins nothing. Who sends wrong ones learns nothing of others; a code from the same network is
// used up by the answer that says so.
const (
	wrongCode     = "That code joins nothing. It may be mistyped, used or over. /link on your other network gives a new one."
	sameNetwork   = "I join accounts of different networks only, and that code is from this network, or from somebody who has an account here already. The two stay two people to me, and the code is used up."
	tooManyCodes  = "Too many wrong codes were sent, so I look at none for now. Try again in an hour."
	onlyInPrivate = "I do that in a direct talk only: ask me there."
)

// linkCommand gives a person a code, or joins their account with the person who was given one on another network.
func (cm commander) linkCommand(_ context.Context, c commandRequest) (commandResult, error) {
	if !c.room.Direct {
		return commandResult{text: onlyInPrivate}, nil
	}
	if c.rest != "" {
		return commandResult{apply: func(ctx context.Context, answer log.CommandAnswer) error { return cm.redeem(ctx, c, answer) }}, nil
	}
	code, err := gate.NewCode(cm.Random)
	if err != nil {
		return commandResult{}, err
	}
	shown := code[:gate.CodeLength/2] + "-" + code[gate.CodeLength/2:]
	return commandResult{apply: func(ctx context.Context, answer log.CommandAnswer) error {
		answer.Text = fmt.Sprintf("Send me this in a direct talk on your other network: /link %s\nIt is valid for %d minutes. Whoever sends it becomes one person with you, so show it to nobody.",
			shown, int(link.CodeLifetime.Minutes()))
		return cm.Store.Links.Offer(ctx, c.person.ID, code, answer)
	}}, nil
}

// redeem joins the account with the person who was given the code, or says why not.
func (cm commander) redeem(ctx context.Context, c commandRequest, answer log.CommandAnswer) error {
	done, err := cm.Store.Links.Redeem(ctx, link.Request{
		Person: c.person.ID, Account: c.account, Code: c.rest, Answer: answer,
		Told: func(r link.Result) (string, string) {
			here := fmt.Sprintf("Done: this account and yours on %s are one person to me now. What you told me there I know here too, for you alone. /unlink separates them again.", r.Room.Channel)
			there := fmt.Sprintf("The account %s on %s became one person with you here, by your code. If that was not you, send /unlink %s at once.",
				markdown.Escape(c.person.Name), c.room.Channel, c.room.Channel)
			return here, there
		},
	})
	switch {
	case err == nil:
		cm.sender.wake(done.Room)
		return nil
	case errors.Is(err, link.ErrOwnCode):
		answer.Text = "That is your own code: send it from your account on the other network."
	case errors.Is(err, link.ErrTooMany):
		answer.Text = tooManyCodes
	case errors.Is(err, link.ErrWrongCode), errors.Is(err, link.ErrSameNetwork):
		answer.Text = wrongCode
		if errors.Is(err, link.ErrSameNetwork) {
			answer.Text = sameNetwork
		}
		if err := cm.warnOfGuesses(ctx); err != nil {
			return err
		}
	default:
		return fmt.Errorf("join an account by a code: %w", err)
	}
	return cm.Store.Log.AnswerCommand(ctx, answer)
}

// warnOfGuesses tells the operator when wrong codes have locked linking.
func (cm commander) warnOfGuesses(ctx context.Context) error {
	g, err := cm.Store.Links.Guesses(ctx)
	if err != nil || g.LockedUntil.IsZero() {
		return err
	}
	cm.Log.Warn("linking is locked after too many wrong codes", "wrong", g.Wrong, "accounts", g.Accounts, "until", g.LockedUntil)
	return nil
}

// unlinkCommand makes the account it comes from, or the one that is named, a person of its own again.
func (cm commander) unlinkCommand(ctx context.Context, c commandRequest) (commandResult, error) {
	if !c.room.Direct {
		return commandResult{text: onlyInPrivate}, nil
	}
	leaving, ok := c.account.Channel, true
	if c.rest != "" {
		leaving, ok = ownNetwork(c.person, c.rest)
	}
	if !ok {
		return commandResult{text: "You have no such account here. Linked are: " + strings.Join(networksOf(c.person), ", ") + "."}, nil
	}
	networks := networksOf(c.person)
	if len(networks) == 1 {
		return commandResult{text: "This account is linked with no other. /link gives a code for that."}, nil
	}
	rooms, err := cm.directRooms(ctx, c.person, networks)
	if err != nil {
		return commandResult{}, err
	}
	return commandResult{apply: func(ctx context.Context, answer log.CommandAnswer) error {
		err := cm.Store.Links.SeparateAndAnswer(ctx, c.person.ID, leaving, func(done link.Separated) ([]link.Notice, log.CommandAnswer) {
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
			cm.sender.wake(room)
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
func (cm commander) directRooms(ctx context.Context, p model.Person, networks []string) (rooms []model.Room, err error) {
	for _, network := range networks {
		room, err := cm.Store.Log.DirectRoom(ctx, network, p.ID)
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

// burnCodes makes link codes invalid that somebody shows in a group, where everybody could use them.
func (c *Cast) burnCodes(ctx context.Context, m channels.Message) error {
	if m.Direct {
		return nil
	}
	text, codes := m.FullText(), []string(nil)
	for _, at := range looksLikeCode.FindAllStringIndex(text, -1) {
		codes = append(codes, text[at[0]:at[1]])
	}
	burnt, err := c.store.Links.Burn(ctx, codes...)
	if err != nil {
		return fmt.Errorf("burn a link code shown in a group: %w", err)
	}
	if burnt {
		c.log.Warn("a link code was shown in a group and is no longer valid", "channel", m.Room.Channel)
	}
	return nil
}
