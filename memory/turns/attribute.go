package turns

import (
	"slices"
	"time"

	"familiar/memory/belief"
	"familiar/memory/entry"
	"familiar/memory/log"
	"familiar/memory/model"
)

// readNames reads the people of the turn's room, unless they are known.
func (r *TurnWriter) readNames() error {
	if r.names != nil {
		return nil
	}
	if err := r.readHears(); err != nil {
		return err
	}
	names, err := belief.ReadRoster(r.Tx, *r.hears)
	if err == nil {
		r.names = &names
	}
	return err
}

// who resolves a name among the people of the turn's room.
func (r *TurnWriter) who(name string) (int64, error) {
	if err := r.readNames(); err != nil {
		return 0, err
	}
	return r.names.Resolve(name), nil
}

// attribute assigns a message's claims to their author and finds whom they are about.
func (r *TurnWriter) attribute(h model.AnnotatedMessage, message int64, at time.Time) ([]belief.AttributedClaim, error) {
	claims := make([]belief.AttributedClaim, 0, len(h.Annotation.Analysis.Claims))
	for _, c := range h.Annotation.Analysis.Claims {
		a := belief.AttributedClaim{
			Claim: c, AuthorID: h.PersonID, Author: log.DisplayName(h.Message.Author), SubjectPerson: h.PersonID,
			MessageID: message, At: at, Audience: r.Audience,
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

// aboutWhom returns the members of the room, other than the author, whom a message mentions.
func (r *TurnWriter) aboutWhom(h model.AnnotatedMessage, claims []belief.AttributedClaim) ([]int64, error) {
	var about []int64
	note := func(id int64) {
		if id != 0 && id != h.PersonID && !slices.Contains(about, id) {
			about = append(about, id)
		}
	}
	for _, c := range claims {
		note(c.SubjectPerson)
	}
	for _, e := range h.Annotation.Analysis.Entities[:min(len(h.Annotation.Analysis.Entities), entry.MaxEntities)] {
		id, err := r.who(e)
		if err != nil {
			return nil, err
		}
		note(id)
	}
	return about, nil
}
