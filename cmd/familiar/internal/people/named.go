package people

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"familiar/config"
	"familiar/internal/cli"
	"familiar/internal/text"
	"familiar/memory"
	"familiar/memory/belief"
	"familiar/memory/checkpoint"
	"familiar/memory/lexical"
	"familiar/memory/model"
	"familiar/persona/card"
)

// Place is something that the operator wrote and that names a person.
type Place struct {
	Where string `json:"where"`
	// Remove is how to remove the name there.
	Remove string `json:"remove"`
}

// mostPlaces is how many places are named one by one.
const mostPlaces = 20

// notePlaces says where the operator's own texts still name somebody who was erased.
func notePlaces(inv *cli.Invocation, places []Place) {
	if len(places) > 0 {
		inv.Note("what you wrote yourself is not erased, and these still hold a name of theirs:")
	}
	for _, p := range places[:min(len(places), mostPlaces)] {
		inv.Note("%s: %s", p.Where, p.Remove)
	}
	if more := len(places) - mostPlaces; more > 0 {
		inv.Note("and %d more: erase the person's name there, then look with `grep -ril NAME` in the home's personas", more)
	}
}

// nameSearch finds what names a person.
type nameSearch struct {
	// words are the words of the names, in lower case without accents; whole are names and account ids that are looked for as they are.
	words map[string]bool
	whole []string
}

// shortestWord is how many letters a word has at least that is looked for by itself.
const shortestWord = 3

// searchFor returns the search for a person by their name, the names they gave themselves, and their accounts.
func searchFor(ctx context.Context, cfg *config.Config, store *memory.Store, p model.Person) (nameSearch, error) {
	names := []string{p.Name}
	for _, key := range cfg.Served() {
		told, err := store.Beliefs.ClaimedNames(ctx, belief.Filter{Persona: key})
		if err != nil {
			return nameSearch{}, err
		}
		names = append(names, told[p.ID]...)
	}
	s := nameSearch{words: map[string]bool{}, whole: names}
	for _, name := range names {
		for w := range text.PlainWords(name) {
			if utf8.RuneCountInString(w) >= shortestWord && !lexical.IsFunctionWord(w) {
				s.words[w] = true
			}
		}
	}
	for _, h := range p.Handles {
		if utf8.RuneCountInString(h.ID) >= shortestWord {
			s.whole = append(s.whole, h.ID)
		}
	}
	return s, nil
}

// in reports whether one of the texts names the person.
func (s nameSearch) in(texts ...string) bool {
	return slices.ContainsFunc(texts, func(t string) bool {
		for w := range text.PlainWords(t) {
			if s.words[w] || s.words[strings.TrimSuffix(w, "s")] {
				return true
			}
		}
		return slices.ContainsFunc(s.whole, func(name string) bool {
			return text.HasToken(t, name) || strings.ContainsFunc(name, isUnspaced) && strings.Contains(t, name)
		})
	})
}

// isUnspaced reports whether a letter is of a script that puts no spaces between words.
func isUnspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
}

// places returns where the operator's texts name the person: notes of the world, files of personas, and checkpoints.
func (s nameSearch) places(ctx context.Context, cfg *config.Config, store *memory.Store) (found []Place, err error) {
	notes, err := store.Entries.WorldNotes(ctx)
	if err != nil {
		return nil, err
	}
	listed := map[int64]bool{}
	for _, m := range notes {
		if s.in(m.Text) {
			listed[m.ID] = true
			found = append(found, Place{fmt.Sprintf("memory %d", m.ID) + cli.OfOther(cfg, m.Persona), fmt.Sprintf("`familiar memory forget %d`", m.ID)})
		}
	}
	files, err := s.files(cfg.Home.Personas())
	if err != nil {
		return found, err
	}
	checkpoints, err := s.checkpoints(ctx, cfg, store.Checkpoints, listed)
	return slices.Concat(found, files, checkpoints), err
}

// files looks into the files of the personas, with their lorebooks and their history.
func (s nameSearch) files(dir string) (found []Place, err error) {
	err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil || !utf8.Valid(content) || !s.in(string(content)) {
			return err
		}
		remove := "edit or delete the file"
		if key := strings.TrimSuffix(entry.Name(), filepath.Ext(path)); path == card.CardFile(dir, key) {
			remove = "`familiar persona edit " + key + "`"
		}
		found = append(found, Place{path, remove})
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("look for a name in the files of the personas: %w", err)
	}
	return found, nil
}

// checkpoints looks into the checkpoints of all personas. What goes with one of the listed memories counts as found.
func (s nameSearch) checkpoints(ctx context.Context, cfg *config.Config, store *checkpoint.Store, listed map[int64]bool) (found []Place, err error) {
	all, err := store.List(ctx, "")
	if err != nil {
		return nil, err
	}
	for _, c := range all {
		_, state, err := store.Read(ctx, c.Persona, c.Name)
		if errors.Is(err, memory.ErrNotFound) { // dropped meanwhile
			continue
		}
		if err != nil {
			return nil, err
		}
		texts := []string{c.Name, c.Note, state.Card, state.Lorebook}
		for _, r := range state.Rules {
			texts = append(texts, r.Text)
		}
		for _, m := range state.Memories {
			if m.Origin == model.OriginOperator && !listed[m.ID] {
				texts = append(texts, m.Text)
			}
		}
		if s.in(texts...) {
			found = append(found, Place{"checkpoint " + c.Name + cli.OfOther(cfg, c.Persona), "`familiar checkpoint drop" + cli.ForOther(cfg, c.Persona) + " " + c.Name + "`"})
		}
	}
	return found, nil
}
