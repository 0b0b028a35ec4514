package memory

import (
	"slices"
	"strings"
	"time"
)

// roster is who has spoken where a hearing reaches, to tell whom a name means.
type roster struct{ members []member }

type member struct {
	id   int64
	name string
}

func (c *conn) roster(h Hearing) (roster, error) {
	rooms := []int64{h.room.ID}
	for _, a := range h.audiences {
		if a.Kind == InRoom && a.Ref != h.room.ID {
			rooms = append(rooms, a.Ref)
		}
	}
	in, args := list(rooms)
	members, err := collect[member](c.rows(`SELECT id, name FROM people
		WHERE id IN (SELECT person_id FROM room_people WHERE room_id IN `+in+`) ORDER BY id`, args...))(
		func(row scanner) (m member, err error) {
			err = row.Scan(&m.id, &m.name)
			return m, err
		})
	return roster{members}, err
}

// who is the one member a name means: by the whole name, else by its first word. Of a name that two bear nobody can
// say whose it is: it is nobody's, and so nobody can take over another's by calling themselves the same.
func (r roster) who(name string) int64 {
	name = foldValue(name)
	if name == "" {
		return 0
	}
	whole := r.bearing(func(n string) bool { return n == name })
	if len(whole) > 0 {
		return only(whole)
	}
	return only(r.bearing(func(n string) bool {
		first, _, _ := strings.Cut(n, " ")
		return first == name
	}))
}

func (r roster) bearing(is func(folded string) bool) (ids []int64) {
	for _, m := range r.members {
		if is(foldValue(m.name)) {
			ids = append(ids, m.id)
		}
	}
	return ids
}

func only(ids []int64) int64 {
	if len(ids) == 1 {
		return ids[0]
	}
	return 0
}

// who is roster.who over the turn's room, read when it is first asked for.
func (r *recording) who(name string) (int64, error) {
	if r.names == nil {
		h, err := r.hearing(r.turn.Persona, r.turn.Room)
		if err != nil {
			return 0, err
		}
		names, err := r.roster(h)
		if err != nil {
			return 0, err
		}
		r.names = &names
	}
	return r.names.who(name), nil
}

// attribute makes a message's claims their author's, and finds whom they are about.
func (r *recording) attribute(h HeardMessage, message int64, at time.Time) ([]AttributedClaim, error) {
	claims := make([]AttributedClaim, 0, len(h.Filing.Reading.Claims))
	for _, c := range h.Filing.Reading.Claims {
		a := AttributedClaim{
			Claim: c, AuthorID: h.PersonID, Author: displayName(h.Message.Author), SubjectPerson: h.PersonID,
			MessageID: message, At: at, Audience: r.audience,
		}
		if c.Subject != "" {
			var err error
			if a.SubjectPerson, err = r.who(c.Subject); err != nil {
				return nil, err
			}
		}
		claims = append(claims, a)
	}
	return claims, nil
}

// aboutWhom are the members, besides the author, whom a message speaks of.
func (r *recording) aboutWhom(h HeardMessage, claims []AttributedClaim) ([]int64, error) {
	var about []int64
	note := func(id int64) {
		if id != 0 && id != h.PersonID && !slices.Contains(about, id) {
			about = append(about, id)
		}
	}
	for _, c := range claims {
		note(c.SubjectPerson)
	}
	for _, e := range h.Filing.Reading.Entities[:min(len(h.Filing.Reading.Entities), maxWaypoints)] {
		id, err := r.who(e)
		if err != nil {
			return nil, err
		}
		note(id)
	}
	return about, nil
}
