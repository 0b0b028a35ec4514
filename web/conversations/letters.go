package conversations

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"familiar/channels"
	"familiar/memory"
	"familiar/memory/log"
	"familiar/web/layout"
)

// letters is what the page on what did not get through shows.
type letters struct {
	persona, name string
	now           time.Time
	rooms         map[channels.Room]address
	// dead are dead letters, unanswered messages that were given up, each with the path of the page with older ones.
	dead            []log.OutboxEntry
	olderDead       string
	unanswered      []log.DeadMessage
	olderUnanswered string
	// texts wait to be sent, messages to be answered.
	texts    []log.OutboxEntry
	messages []log.DeadMessage
}

// address is a room as a list names it.
type address struct {
	id   int64
	name string
}

// none reports that everything got through.
func (l letters) none() bool { return len(l.dead)+len(l.unanswered) == 0 }

// age words how long something has waited.
func (l letters) age(since time.Time) string {
	return strings.TrimSpace(humanize.RelTime(since, l.now, "", ""))
}

func (p Pages) letters(w http.ResponseWriter, r *http.Request) error {
	ctx, query := r.Context(), r.URL.Query()
	beforeLetter, err := optional(query, "letter")
	if err != nil {
		return err
	}
	beforeMessage, err := optional(query, "message")
	if err != nil {
		return err
	}
	l := letters{persona: r.PathValue("persona"), now: p.shell.Now()}
	l.name = p.shell.NameOf(l.persona)
	err = p.store.Snapshot(ctx, func(ctx context.Context) error {
		var err error
		if l.dead, err = p.store.Log.LettersBefore(ctx, l.persona, beforeLetter, pageSize+1); err != nil {
			return err
		}
		if l.unanswered, err = p.store.Log.DeadMessagesBefore(ctx, l.persona, beforeMessage, pageSize+1); err != nil {
			return err
		}
		if l.texts, err = p.store.Log.WaitingTexts(ctx, l.persona, pageSize); err != nil {
			return err
		}
		if l.messages, err = p.store.Log.WaitingMessages(ctx, l.persona, pageSize); err != nil {
			return err
		}
		return p.nameRooms(ctx, &l)
	})
	if err != nil {
		return err
	}
	if len(l.dead) > pageSize {
		l.dead = l.dead[:pageSize]
		l.olderDead = layout.Path(url.Values{"letter": {strconv.FormatInt(l.dead[pageSize-1].ID, 10)}}, "p", l.persona, "letters")
	}
	if len(l.unanswered) > pageSize {
		l.unanswered = l.unanswered[:pageSize]
		l.olderUnanswered = layout.Path(url.Values{"message": {strconv.FormatInt(l.unanswered[pageSize-1].ID, 10)}}, "p", l.persona, "letters")
	}
	return p.shell.Write(w, r, layout.Page{
		Title: "Not delivered", Section: layout.Conversations, Persona: l.persona, Body: lettersBody(l), Live: []string{"waiting"},
	})
}

// nameRooms finds the names of the rooms on the page.
func (p Pages) nameRooms(ctx context.Context, l *letters) error {
	l.rooms = map[channels.Room]address{}
	note := func(at channels.Room) error {
		if _, known := l.rooms[at]; known {
			return nil
		}
		a, err := p.addressOf(ctx, l.persona, at)
		l.rooms[at] = a
		return err
	}
	for _, all := range [][]log.OutboxEntry{l.dead, l.texts} {
		for _, o := range all {
			if err := note(o.Room.Room); err != nil {
				return err
			}
		}
	}
	for _, all := range [][]log.DeadMessage{l.unanswered, l.messages} {
		for _, m := range all {
			if err := note(m.Message.Room); err != nil {
				return err
			}
		}
	}
	return nil
}

// addressOf returns the room at an address. Its number is 0 if persona has no talk there.
func (p Pages) addressOf(ctx context.Context, persona string, at channels.Room) (address, error) {
	a := address{name: at.Channel + "/" + at.ID}
	known, err := p.store.Log.RoomByAddress(ctx, at)
	if errors.Is(err, memory.ErrNotFound) {
		return a, nil
	}
	if err != nil {
		return a, err
	}
	room, err := p.store.Conversations.Room(ctx, persona, known.ID)
	if errors.Is(err, memory.ErrNotFound) {
		return a, nil
	}
	a.id, a.name = room.ID, room.Name()
	return a, err
}

// unknown reports that nobody knows whether the network showed the letter.
func unknown(o log.OutboxEntry) bool {
	return o.MaybeShown || strings.HasPrefix(o.LastError, channels.Ambiguous.String()+":")
}

// happened words why a text was given up.
func happened(o log.OutboxEntry) string {
	kind, _, _ := strings.Cut(o.LastError, ":")
	switch {
	case unknown(o):
		return "The connection broke while it was sent: nobody knows whether it was shown."
	case kind == channels.Blocked.String():
		return "They blocked the persona, or accept no direct messages."
	case kind == channels.Permanent.String():
		return "The network refused it for good."
	case kind == channels.Moved.String():
		return "The room has moved, and its new place could not be used."
	case o.LastError == "":
		return "It was given up."
	}
	return fmt.Sprintf("The network could not be reached, in %d attempts.", o.Attempts)
}

// letter returns a dead letter of the persona in the path. It fails with ErrNotFound for those of other personas, and says what
// became of one that is none any more.
func (p Pages) letter(r *http.Request) (o log.OutboxEntry, err error) {
	id, err := number(r.PathValue("id"))
	if err != nil {
		return o, err
	}
	o, err = p.store.Log.Outbox(r.Context(), id)
	switch {
	case err != nil:
		return o, err
	case o.Persona != r.PathValue("persona"):
		return o, memory.ErrNotFound
	case o.State() == log.DeadLetter:
		return o, nil
	}
	return o, layout.Invalid(fmt.Errorf("this text is no dead letter any more: it is %s", stateWords[o.State()]))
}

var stateWords = map[log.OutboxState]string{log.Waiting: "waiting to be sent", log.Sent: "sent", log.Dropped: "dropped"}

func (p Pages) askResend(w http.ResponseWriter, r *http.Request) error {
	o, err := p.letter(r)
	if err != nil {
		return err
	}
	return p.ask(w, r, "Send it again", resendBody(r.PathValue("persona"), o))
}

func (p Pages) askDropLetter(w http.ResponseWriter, r *http.Request) error {
	o, err := p.letter(r)
	if err != nil {
		return err
	}
	return p.ask(w, r, "Drop this text", dropLetterBody(r.PathValue("persona"), o))
}

func (p Pages) resend(w http.ResponseWriter, r *http.Request) error {
	o, err := p.letter(r)
	if err != nil {
		return err
	}
	if _, err := p.store.Log.ResendOutbox(r.Context(), o.ID); errors.Is(err, log.ErrTextGone) {
		return layout.Invalid(fmt.Errorf("this cannot be sent again: %w", log.ErrTextGone))
	} else if err != nil {
		return err
	}
	return layout.Done(w, r, layout.Of(o.Persona, "letters"), layout.Notice{Text: queuedAgain("sent")})
}

// queuedAgain says when a row that was queued again is worked on.
func queuedAgain(done string) string {
	return "It is queued again: it is " + done + " within seconds while the persona runs, otherwise as soon as it is started."
}

func (p Pages) dropLetter(w http.ResponseWriter, r *http.Request) error {
	o, err := p.letter(r)
	if err != nil {
		return err
	}
	if err := p.store.Eraser.DropLetter(r.Context(), o.ID); err != nil {
		return err
	}
	return layout.Done(w, r, layout.Of(o.Persona, "letters"), layout.Notice{Text: "The text is dropped. The person is not told of it."})
}

// unansweredMessage returns the message in the path that the persona could not answer.
func (p Pages) unansweredMessage(r *http.Request) (d log.DeadMessage, err error) {
	id, err := number(r.PathValue("id"))
	if err != nil {
		return d, err
	}
	return p.store.Log.DeadMessage(r.Context(), r.PathValue("persona"), id)
}

func (p Pages) retry(w http.ResponseWriter, r *http.Request) error {
	d, err := p.unansweredMessage(r)
	if err != nil {
		return err
	}
	if err := p.store.Log.RetryInbox(r.Context(), d.ID); err != nil {
		return err
	}
	return layout.Done(w, r, layout.Of(r.PathValue("persona"), "letters"), layout.Notice{Text: queuedAgain("answered")})
}

func (p Pages) askDropMessage(w http.ResponseWriter, r *http.Request) error {
	d, err := p.unansweredMessage(r)
	if err != nil {
		return err
	}
	return p.ask(w, r, "Drop this message", dropMessageBody(r.PathValue("persona"), d))
}

func (p Pages) dropMessage(w http.ResponseWriter, r *http.Request) error {
	d, err := p.unansweredMessage(r)
	if err != nil {
		return err
	}
	if err := p.store.Log.DropInbox(r.Context(), d.ID); err != nil {
		return err
	}
	return layout.Done(w, r, layout.Of(r.PathValue("persona"), "letters"), layout.Notice{Text: "The message is dropped. It is never answered."})
}
