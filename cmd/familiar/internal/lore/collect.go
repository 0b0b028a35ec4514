package lore

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"familiar/channels/console"
	"familiar/internal/text"
	"familiar/memory"
	"familiar/memory/belief"
	"familiar/memory/log"
	memorylore "familiar/memory/lore"
	"familiar/memory/model"
	"familiar/memory/turns"
	"familiar/persona/card"
	"familiar/persona/lore"
	"familiar/persona/macro"
	"familiar/persona/signedlore"
	"familiar/persona/webnote"
	"familiar/persona/words"
)

// collection is what of a persona's lore is given away, and what is not.
type collection struct {
	names   names
	entries []signedlore.Entry
	ids     map[string]int
	out     []leftOut
}

// collect returns the lore of a persona as entries, and what must stay here.
func collect(ctx context.Context, store *memory.Store, c *card.Card) ([]signedlore.Entry, []leftOut, error) {
	known, err := knownNames(ctx, store, c)
	if err != nil {
		return nil, nil, err
	}
	all := collection{names: known, ids: map[string]int{}}
	if r := c.Sheet.Lore; r != nil {
		values := macro.Values{Char: c.Called(), User: "someone", Pick: macro.Stable(c.Key)}
		for i := range r.Book.Entries {
			all.addBook(&r.Book.Entries[i], values)
		}
	}
	own, err := store.Lore.Shareable(ctx, c.Key)
	if err != nil {
		return nil, nil, err
	}
	for _, m := range own {
		all.addMemory(m)
	}
	return all.entries, all.out, nil
}

// addBook adds an entry of the lorebook. Placeholders are filled: the text is a quotation for whoever reads it.
func (c *collection) addBook(e *lore.Entry, values macro.Values) {
	text := strings.TrimSpace(log.Redact(model.StripInvisible(values.Expand(lore.WithoutDecorators(e.Content)))))
	if !e.Enabled || text == "" {
		return
	}
	var keys []string
	if !e.Regex {
		keys = cleanKeys(e.Keys)
	}
	c.add(signedlore.Entry{ID: id(signedlore.Book, e.Name, strings.Join(e.Keys, "\n")), Kind: signedlore.Book, Keys: keys, Text: text})
}

// addMemory adds what the operator told or ingested, or the persona read.
func (c *collection) addMemory(m memorylore.Own) {
	text := strings.TrimSpace(log.Redact(model.StripInvisible(m.Text)))
	switch n, read := webnote.Parse(text); {
	case m.Kind == model.Web && read:
		c.add(signedlore.Entry{
			ID: id(signedlore.Web, n.Address, n.Text), Kind: signedlore.Web, Title: words.Cut(n.Title, signedlore.MaxTitle), Address: n.Address, Day: n.Read.Format(time.DateOnly), Text: n.Text,
		})
	case m.Kind == model.Web:
		c.out = append(c.out, leftOut{text, "does not say where it stands"})
	case m.Document != "":
		place, said, _ := strings.Cut(text, ":\n")
		c.add(signedlore.Entry{ID: id(signedlore.Document, m.Document, m.Heading), Kind: signedlore.Document, Title: words.Cut(place, signedlore.MaxTitle), Text: said})
	default:
		c.add(signedlore.Entry{ID: id(signedlore.Note, text), Kind: signedlore.Note, Text: text})
	}
}

// add adds an entry, a long one as several.
func (c *collection) add(e signedlore.Entry) {
	for utf8.RuneCountInString(e.Text) > signedlore.MaxText {
		part := e
		part.Text = string([]rune(e.Text)[:signedlore.MaxText])
		e.Text = strings.TrimPrefix(e.Text, part.Text)
		c.keep(part)
	}
	c.keep(e)
}

// id returns an ID of a kind that is the same as long as what it is made of.
func id(kind signedlore.Kind, of ...string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", of))
	return fmt.Sprintf("%s-%x", kind, sum[:8])
}

// cleanKeys returns keys as names and words.
func cleanKeys(keys []string) (clean []string) {
	for _, k := range keys {
		if k = words.Cut(model.CleanName(k), signedlore.MaxKey); k != "" && len(clean) < signedlore.MaxKeys {
			clean = append(clean, k)
		}
	}
	return clean
}

// names are the names of the people who are known here.
type names []string

// knownNames returns the names of everybody, by their accounts and by what they call themselves.
func knownNames(ctx context.Context, store *memory.Store, c *card.Card) (all names, err error) {
	people, err := store.Log.People(ctx)
	if err != nil {
		return nil, err
	}
	claimed, err := store.Beliefs.ClaimedNames(ctx, belief.Filter{})
	if err != nil {
		return nil, err
	}
	for _, p := range people {
		if p.Name == turns.OperatorName {
			continue
		}
		for _, name := range append(claimed[p.ID], p.Name) {
			first, _, _ := strings.Cut(name, " ")
			for _, n := range []string{name, first} {
				if len(n) > 1 && n != console.DefaultName && !strings.EqualFold(n, c.Name) && !slices.Contains(all, n) {
					all = append(all, n)
				}
			}
		}
	}
	return all, nil
}

// in returns a name that one of the texts has, perhaps with an ending ("Bernhards"), "" if none does. A name that is a common word
// too ("Will") is one only where it is written as a name.
func (n names) in(texts ...string) string {
	for _, name := range n {
		for _, said := range texts {
			if words.Holds(said, name) && (strings.Contains(said, name) || strings.Contains(said, words.Capital(name))) || inflected(said, name) {
				return name
			}
		}
	}
	return ""
}

const (
	// minInflected is how many letters a name has at least whose endings are looked for: a shorter one begins too many words.
	minInflected = 4
	// minLower is how many letters a name has at least that is one in lower case too: few common words are that long.
	minLower = 6
)

// endings are those of genitives and plurals.
var endings = []string{"s", "'s", "’s", "es", "ns", "n", "en", "'", "’"}

// inflected reports whether a text has a name of one word with an ending, or a long one in lower case.
func inflected(said, name string) bool {
	low, letters := strings.ToLower(name), utf8.RuneCountInString(name)
	said = strings.ToLower(said)
	for start, end := range text.Words(said, nil) {
		ending, ok := strings.CutPrefix(said[start:end], low)
		if ok && (ending == "" && letters >= minLower || letters >= minInflected && slices.Contains(endings, ending)) {
			return true
		}
	}
	return false
}
