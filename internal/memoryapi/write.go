package memoryapi

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"familiar/channels"
	"familiar/memory/access"
	"familiar/memory/belief"
	"familiar/memory/entry"
	"familiar/memory/log"
	"familiar/memory/model"
	"familiar/memory/turns"
	"familiar/memory/understand"
)

// RememberInput is what a program wants remembered.
type RememberInput struct {
	Text string `json:"text" jsonschema:"what to remember, as a plain sentence with names in place of pronouns"`
	// Person is whom it is about, for an operator's program: without it, it is lore that everybody may know.
	Person int64 `json:"person,omitempty" jsonschema:"for operator access only: the number of the person it is about; without it everybody may know it"`
	// Salience is 0–1, read from the text if 0.
	Salience float64  `json:"salience,omitempty" jsonschema:"how much it matters, 0 to 1; judged from the text if missing"`
	Tags     []string `json:"tags,omitempty" jsonschema:"labels"`
	// Key names the request, "" for none: a repeat with the same key returns the memory of the first, whenever it comes.
	Key string `json:"-"`

	// claims are claims besides those that are read from the text.
	claims []understand.Claim
}

// maxKey is how long a key may be, in bytes.
const maxKey = 255

// ErrReused reports a key that was used for another text.
var ErrReused = errors.New("the key was used for another request: use a new one for each")

// Remember stores a text with what it claims. Passwords and keys in it are redacted. What a first-hand grant writes are the
// person's own words; everything else is the word of the program. The same text at the same moment is stored once.
func (c *Client) Remember(ctx context.Context, in RememberInput) (Memory, error) {
	if err := c.mayWrite(); err != nil {
		return Memory{}, err
	}
	text := log.Redact(strings.TrimSpace(model.CleanText(in.Text)))
	switch n := utf8.RuneCountInString(text); {
	case n == 0:
		return Memory{}, invalid("text is empty: say what to remember")
	case n > maxText:
		return Memory{}, invalid("text has %d characters: at most %d are remembered at once", n, maxText)
	case in.Salience < 0 || in.Salience > 1:
		return Memory{}, invalid("salience is %v: use 0 to 1", in.Salience)
	case len(in.Tags) > maxTags:
		return Memory{}, invalid("%d tags are too many: use at most %d", len(in.Tags), maxTags)
	case len(in.Key) > maxKey:
		return Memory{}, invalid("the key has %d bytes: use at most %d", len(in.Key), maxKey)
	case in.Person != 0 && c.grant.Kind != access.Operator:
		return Memory{}, fmt.Errorf("%w: person is for access to everything of the persona", ErrNotAllowed)
	}
	m, err := c.remember(ctx, text, in)
	if err == nil && len(in.Tags) > 0 {
		m.Tags, err = c.api.Store.Entries.Tag(ctx, m.ID, in.Tags...)
	}
	if err != nil {
		return Memory{}, fmt.Errorf("remember: %w", err)
	}
	return memoryOf(m), nil
}

func (c *Client) remember(ctx context.Context, text string, in RememberInput) (model.Memory, error) {
	person := cmp.Or(c.grant.PersonID, in.Person)
	if person == 0 && c.grant.RoomID == 0 {
		f := entry.Annotate(channels.Message{Text: text, At: c.api.Now()}, "", c.api.Zone)
		f.Salience = cmp.Or(in.Salience, f.Salience)
		lore := entry.OperatorMemory(c.grant.Persona, model.Audience{Kind: model.World}, text, f, false)
		lore.Tags = []string{"client:" + strings.ToLower(c.grant.Client)}
		if in.Key != "" {
			if m, found, err := c.keyed(ctx, in.Key, text); err != nil || found {
				return m, err
			}
			lore.Tags = append(lore.Tags, c.keyTag(in.Key))
		}
		return c.api.Store.Entries.Remember(ctx, lore)
	}
	account, room, err := c.api.Store.Turns.ClientPlace(ctx, turns.ClientNote{
		Persona: c.grant.Persona, Client: c.grant.Client, Person: person, Room: c.grant.RoomID,
	})
	if err != nil {
		return model.Memory{}, err
	}
	if c.grant.FirstHand {
		account = c.grant.PersonID
	}
	return c.record(ctx, text, in, account, room)
}

// keyTag is the tag of lore that was written under a key.
func (c *Client) keyTag(key string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %s", c.grant.ID, key))
	return fmt.Sprintf("key:%x", sum[:16])
}

// keyed returns the lore that was written under a key. It fails with ErrReused if that was another text.
func (c *Client) keyed(ctx context.Context, key, text string) (m model.Memory, found bool, err error) {
	all, err := c.api.Store.Entries.ListMemories(ctx, entry.MemoryFilter{Persona: c.grant.Persona, Tag: c.keyTag(key), Limit: 1})
	if err != nil || len(all) == 0 {
		return m, false, err
	}
	if all[0].Text != text {
		return m, false, ErrReused
	}
	return all[0], true, nil
}

// sessionGap is the silence after which a text starts a new session.
const sessionGap = 30 * time.Minute

// record stores the text as a turn without an answer, and returns its memory.
func (c *Client) record(ctx context.Context, text string, in RememberInput, author int64, room model.Room) (model.Memory, error) {
	by, err := c.api.Store.Log.Person(ctx, author)
	if err != nil {
		return model.Memory{}, err
	}
	now := c.api.Now()
	m := channels.Message{
		ID: turns.NoteID(text, now), Room: room.Room, Direct: room.Direct, RoomTitle: room.Title, Text: text, At: now,
		Author: channels.Author{Handle: handleOf(by), Name: by.Name},
	}
	if in.Key != "" {
		m.ID = c.keyTag(in.Key)
	}
	f := entry.Annotate(m, "", by.Location(c.api.Zone))
	f.Salience = cmp.Or(in.Salience, f.Salience)
	f.Analysis.Claims = append(f.Analysis.Claims, in.claims...)
	if !c.grant.FirstHand { // a program that says I means nobody whom the persona knows
		f.Analysis.Claims = aboutNamed(f.Analysis.Claims)
	}
	turn := turns.Turn{
		Persona: c.grant.Persona, Room: room, Started: now,
		Heard: []model.AnnotatedMessage{{Message: m, PersonID: author, Annotation: f}},
	}
	last, err := c.api.Store.Turns.LatestSession(ctx, c.grant.Persona, room.ID)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return model.Memory{}, err
	}
	if last.Ended.IsZero() && now.Sub(last.Last).Abs() <= sessionGap {
		turn.SessionID = last.ID
	}
	if _, err := c.api.Store.Turns.RecordTurn(ctx, turn); err != nil && !errors.Is(err, turns.ErrAlreadyDone) {
		return model.Memory{}, err
	}
	kept, err := c.api.Store.MemoryOfEvent(ctx, c.grant.Persona, room.ID, m.ID)
	if err == nil && kept.Text != text {
		err = ErrReused
	}
	return kept, err
}

// Correction says what a fact really is.
type Correction struct {
	Value string `json:"value" jsonschema:"what it really is, such as a name or a place"`
}

// Correct replaces the value of a belief, as a sentence that is remembered: the old value stays as history. Only a first-hand grant
// can correct what the person said themselves.
func (c *Client) Correct(ctx context.Context, id int64, in Correction) (Memory, error) {
	if err := c.mayWrite(); err != nil {
		return Memory{}, err
	}
	if c.grant.PersonID == 0 {
		return Memory{}, fmt.Errorf("%w: only the access of a person corrects facts", ErrNotAllowed)
	}
	value := strings.TrimSpace(model.CleanText(in.Value))
	if value == "" || utf8.RuneCountInString(value) > maxQuery {
		return Memory{}, invalid("value has %d characters: use 1 to %d", utf8.RuneCountInString(value), maxQuery)
	}
	v, err := c.visibility(ctx)
	if err != nil {
		return Memory{}, err
	}
	known, err := c.api.Store.Beliefs.Beliefs(ctx, v, belief.Filter{Limit: math.MaxInt32})
	if err != nil {
		return Memory{}, err
	}
	for _, b := range known {
		if b.ID != id {
			continue
		}
		subject := b.Subject
		if c.grant.FirstHand && b.SubjectPerson == c.grant.PersonID {
			subject = ""
		}
		person, err := c.api.Store.Log.Person(ctx, c.grant.PersonID)
		if err != nil {
			return Memory{}, err
		}
		claim := belief.Stated(person.Name, subject, b.Relation, log.Redact(value))
		m, err := c.remember(ctx, claim.Quote, RememberInput{claims: []understand.Claim{claim}})
		return memoryOf(m), err
	}
	return Memory{}, fmt.Errorf("belief %d: %w: list the beliefs to see their numbers", id, ErrNotFound)
}

// handleOf returns an account of a person, none if they have none.
func handleOf(p model.Person) channels.Handle {
	if len(p.Handles) == 0 {
		return channels.Handle{}
	}
	return p.Handles[0]
}

// aboutNamed returns the claims that are about somebody named.
func aboutNamed(claims []understand.Claim) (named []understand.Claim) {
	for _, cl := range claims {
		if cl.Subject != "" {
			named = append(named, cl)
		}
	}
	return named
}

// Forget removes a memory with everything derived from it.
func (c *Client) Forget(ctx context.Context, id int64) error {
	if _, err := c.changeable(ctx, id); err != nil {
		return err
	}
	_, err := c.api.Store.Eraser.Forget(ctx, id)
	return err
}
