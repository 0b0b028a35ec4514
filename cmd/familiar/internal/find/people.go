// Package find finds what an operator names on the command line: people by name, handle or number, and rooms.
package find

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"familiar/memory"
	"familiar/memory/belief"
	"familiar/memory/model"
)

// PersonID returns the number of the person that Person finds, 0 for an empty word.
func PersonID(ctx context.Context, store *memory.Store, persona, word string) (int64, error) {
	if word == "" {
		return 0, nil
	}
	p, err := Person(ctx, store, persona, word)
	return p.ID, err
}

// Person returns a person by number, by handle, by their display name, or by a name they gave themselves ("call me
// Ann"). A name that several people share is an error that lists them.
func Person(ctx context.Context, store *memory.Store, persona, word string) (model.Person, error) {
	if n, err := strconv.ParseInt(word, 10, 64); err == nil {
		p, err := store.Log.Person(ctx, n)
		if errors.Is(err, memory.ErrNotFound) {
			err = fmt.Errorf("%w; `familiar person list` lists all people", err)
		}
		return p, err
	}
	people, err := store.Log.People(ctx)
	if err != nil {
		return model.Person{}, err
	}
	told, err := store.Beliefs.ClaimedNames(ctx, belief.Filter{Persona: persona})
	if err != nil {
		return model.Person{}, err
	}
	var found []model.Person
	for _, p := range people {
		if slices.ContainsFunc(append(knownNames(p), told[p.ID]...), func(name string) bool { return strings.EqualFold(name, word) }) {
			found = append(found, p)
		}
	}
	switch len(found) {
	case 0:
		return model.Person{}, fmt.Errorf("%w: nobody is called %q; `familiar person list` lists all people", memory.ErrNotFound, word)
	case 1:
		return found[0], nil
	}
	return model.Person{}, fmt.Errorf("%d people are called %q: use the number of one of them\n%s", len(found), word,
		strings.Join(describePeople(found, told), "\n"))
}

// knownNames returns the names of a person that do not depend on what they said.
func knownNames(p model.Person) []string {
	all := []string{p.Name}
	for _, h := range p.Handles {
		all = append(all, h.ID, h.Named())
	}
	return all
}

// describePeople returns one line for each person that tells them apart.
func describePeople(people []model.Person, told map[int64][]string) []string {
	lines := make([]string, len(people))
	for i, p := range people {
		also := HandleNames(p)
		if called := told[p.ID]; len(called) > 0 {
			also = append(also, "wants to be called "+strings.Join(called, " or "))
		}
		lines[i] = fmt.Sprintf("  %d  %s (%s)", p.ID, p.Name, strings.Join(also, ", "))
	}
	return lines
}

// HandleNames returns a person's handles as they are displayed.
func HandleNames(p model.Person) []string {
	var shown []string
	for _, h := range p.Handles {
		shown = append(shown, h.Named())
	}
	return shown
}
