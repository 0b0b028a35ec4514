package me

import (
	"errors"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"familiar/memory"
	"familiar/memory/model"
	"familiar/memory/reminder"
	"familiar/memory/turns"
	"familiar/web/layout"
)

// What the first page shows before it leads to lists.
const factsShown, talksShown, perPage = 12, 5, 30

// overview is what the first page shows.
type overview struct {
	own
	facts     []model.Belief
	moreFacts bool
	portrait  []model.Memory
	reminders []reminder.Reminder
	talks     []talk
	// agreed is since when the person agrees to training, zero if they do not.
	agreed time.Time
}

// start answers GET /me.
func (p *Pages) start(o own) (err error) {
	shown := overview{own: o}
	if shown.facts, err = o.mind.Known().Facts(o.ctx(), o.Asker); err != nil {
		return err
	}
	if shown.moreFacts = len(shown.facts) > factsShown; shown.moreFacts {
		shown.facts = shown.facts[:factsShown]
	}
	if shown.portrait, err = o.mind.Known().Portrait(o.ctx(), o.Asker); err != nil {
		return err
	}
	if shown.reminders, err = p.Store.Reminders.Waiting(o.ctx(), o.key, o.Person.ID); err != nil {
		return err
	}
	if shown.talks, _, err = p.talks(o, 0, talksShown); err != nil {
		return err
	}
	consent, err := p.Store.Training.Consent(o.ctx(), o.key, o.Person.ID)
	if err != nil {
		return err
	}
	if consent.Given {
		shown.agreed = consent.At
	}
	return p.write(o, o.say("title", "name", o.name), startPage(shown))
}

// talk is a conversation that the person took part in.
type talk struct {
	model.Session
	// room names the group, "" for a direct talk; summary is only of a direct talk.
	room, summary string
}

func (p *Pages) talks(o own, before int64, limit int) (all []talk, next int64, err error) {
	sessions, err := p.Store.Turns.Sessions(o.ctx(), turns.SessionFilter{Persona: o.key, Person: o.Person.ID, Before: before, Limit: limit + 1})
	if err != nil {
		return nil, 0, err
	}
	if len(sessions) > limit {
		sessions, next = sessions[:limit], sessions[limit-1].ID
	}
	var ids []int64
	for _, s := range sessions {
		ids = append(ids, s.ID)
	}
	heads, err := p.Store.Turns.SessionHeads(o.ctx(), ids)
	if err != nil {
		return nil, 0, err
	}
	for _, s := range sessions {
		room, err := p.Store.Log.RoomByID(o.ctx(), s.RoomID)
		if errors.Is(err, memory.ErrNotFound) { // erased meanwhile
			continue
		}
		if err != nil {
			return nil, 0, err
		}
		t := talk{Session: s}
		switch {
		case room.Direct && room.PersonID == o.Person.ID:
			t.summary = heads[s.ID].Summary
		case room.Title != "":
			t.room = room.Title
		default:
			t.room = room.Channel
		}
		all = append(all, t)
	}
	return all, next, nil
}

// conversations answers GET /me/conversations.
func (p *Pages) conversations(o own) error {
	before, err := o.before()
	if err != nil {
		return err
	}
	all, next, err := p.talks(o, before, perPage)
	if err != nil {
		return err
	}
	return p.write(o, o.say("talks"), talksPage(o, all, older("/me/conversations", nil, next)))
}

// older returns the path to the next page of a list, "" for none.
func older(path string, query url.Values, next int64) string {
	if next == 0 {
		return ""
	}
	if query == nil {
		query = url.Values{}
	}
	query.Set("before", idText(next))
	return path + "?" + query.Encode()
}

// drop answers POST /me/reminders/{id}/drop.
func (p *Pages) drop(o own) error {
	id, err := o.id()
	if err != nil {
		return err
	}
	r, err := p.Store.Reminders.Cancel(o.ctx(), o.key, o.Person.ID, id)
	if err != nil {
		return err
	}
	n := layout.Notice{Text: o.say("reminder.dropped", "text", r.Text)}
	if utf8.RuneCountInString(r.Text) <= reminder.MaxRunes {
		n.Undo = "/me/reminders"
		n.Fields = url.Values{"text": {r.Text}, "due": {strconv.FormatInt(r.Due.UnixMilli(), 10)}, "wall": {strconv.FormatBool(r.Wall)}}
	}
	return p.done(o, "/me", n)
}

// putBack answers POST /me/reminders: a reminder that was dropped is set again.
func (p *Pages) putBack(o own) error {
	due, err := strconv.ParseInt(o.r.FormValue("due"), 10, 64)
	if err != nil || o.Hearing.Room().ID == 0 {
		return layout.Invalid(errors.New(o.say("reminder.how")))
	}
	_, err = p.Store.Reminders.Put(o.ctx(), reminder.Reminder{
		Persona: o.key, Person: o.Person.ID, Room: o.Hearing.Room(), Text: model.CleanText(o.r.FormValue("text")), Due: time.UnixMilli(due), Wall: o.r.FormValue("wall") == "true",
	})
	if slices.ContainsFunc([]error{reminder.ErrTooMany, reminder.ErrTooLong, reminder.ErrEmpty}, func(e error) bool { return errors.Is(err, e) }) {
		return layout.Invalid(err)
	}
	if err != nil {
		return err
	}
	return p.done(o, "/me", layout.Notice{Text: o.say("reminder.back")})
}

// withdraw answers POST /me/training: the person takes their consent to training back. They can give it only in the chat.
func (p *Pages) withdraw(o own) error {
	if err := p.Store.Training.SetConsent(o.ctx(), o.key, o.Person.ID, o.Hearing.Room().ID, false); err != nil {
		return err
	}
	return p.done(o, "/me", layout.Notice{Text: o.say("training.off")})
}

// export answers GET /me/export with everything known of the person.
func (p *Pages) export(o own) error {
	content, _, err := p.Store.Transfer.PersonZip(o.ctx(), o.Person.ID, o.Person.Location(p.Zone), math.MaxInt64, p.Now())
	if err != nil {
		return err
	}
	o.w.Header().Set("Content-Type", "application/zip")
	o.w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=familiar-%s.zip", p.Now().Format(time.DateOnly)))
	if _, err := o.w.Write(content); err != nil {
		p.shell.Log.Debug("send an export", "person", o.Person.ID, "error", err)
	}
	return nil
}

// askErase answers GET /me/erase.
func (p *Pages) askErase(o own) error {
	would, err := p.Store.Eraser.CountPerson(o.ctx(), o.Person.ID)
	if err != nil {
		return err
	}
	return p.write(o, o.say("erase"), erasePage(o, would))
}

// erase answers POST /me/erase. Its answer is the last page that the link shows.
func (p *Pages) erase(o own) error {
	gone, erased, err := p.Erase(o.ctx(), o.Person)
	if !erased {
		return err
	}
	if err != nil {
		p.shell.Log.Error("erase a person", "person", o.Person.ID, "error", err)
	}
	return p.write(o, o.say("erased"), erasedPage(o, gone))
}
