// Package character reads and writes character cards: the versions 1, 2 and 3 as JSON, within PNG and APNG images, and as
// CHARX archives. What a card has that is not known here survives being read and written. Nothing is fetched, unpacked or
// drawn, and what is too large is refused before it takes memory. Pure.
package character

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"familiar/internal/loosejson"
	"familiar/persona/lore"
)

// Spec is a version of the card format.
type Spec int

// The versions.
const (
	V1 Spec = 1
	V2 Spec = 2
	V3 Spec = 3
)

// String returns the version as people write it.
func (s Spec) String() string { return "v" + strconv.Itoa(int(s)) }

// The names of the versions in a card.
const (
	specV2, versionV2 = "chara_card_v2", "2.0"
	specV3, versionV3 = "chara_card_v3", "3.0"
)

// ErrNotCard reports data that is no character card.
var ErrNotCard = errors.New("this is no character card")

// Character is a card. The texts may contain placeholders; see package macro.
type Character struct {
	// Spec is the version that the card was read as, V3 for a new one.
	Spec Spec `json:"-"`

	Name         string   `json:"name"`
	Nickname     string   `json:"nickname"`
	Description  string   `json:"description"`
	Personality  string   `json:"personality"`
	Scenario     string   `json:"scenario"`
	FirstMessage string   `json:"first_mes"`
	Alternates   []string `json:"alternate_greetings"`
	GroupOnly    []string `json:"group_only_greetings"`
	// Examples are dialogues, each after a line "<START>".
	Examples     string `json:"mes_example"`
	SystemPrompt string `json:"system_prompt"`
	// PostHistory are instructions that belong after the talk.
	PostHistory string `json:"post_history_instructions"`

	CreatorNotes string   `json:"creator_notes"`
	Creator      string   `json:"creator"`
	Version      string   `json:"character_version"`
	Tags         []string `json:"tags"`
	// Extensions is what programs added.
	Extensions loosejson.Object `json:"extensions"`
	Assets     []Asset          `json:"assets"`

	// Book is the card's lorebook, nil for none.
	Book *lore.Book `json:"-"`
	// Warnings are what was ignored while it was read, one sentence each.
	Warnings []string `json:"-"`

	top, data loosejson.Object
	read      *Character
	bookRead  bool
}

// Asset is a picture or another file of the card. Its address is never followed.
type Asset struct {
	Type string `json:"type"`
	URI  string `json:"uri"`
	Name string `json:"name"`
	Ext  string `json:"ext"`
}

// Remote reports whether the asset lies on the network.
func (a Asset) Remote() bool {
	scheme, _, ok := strings.Cut(a.URI, "://")
	return ok && !slices.Contains([]string{"embeded", "embedded"}, strings.ToLower(scheme))
}

// Note is text that belongs into the talk, Depth messages before its end.
type Note struct {
	Text  string
	Depth int
	// Role is "system", "user" or "assistant".
	Role string
}

// defaultNoteDepth is where a note goes that does not say.
const defaultNoteDepth = 4

// depthPrompt is a note as SillyTavern writes it among the extensions.
type depthPrompt struct {
	Prompt string   `json:"prompt"`
	Depth  *float64 `json:"depth"`
	Role   string   `json:"role"`
}

// noteKey is the extension with the note.
const noteKey = "depth_prompt"

// AuthorNote returns the card's note, zero if it has none.
func (c *Character) AuthorNote() Note {
	raw, ok := c.Extensions[noteKey]
	if !ok {
		return Note{}
	}
	o, err := loosejson.Parse(raw, maxNesting, maxValues)
	if err != nil {
		return Note{}
	}
	var p depthPrompt
	o.Decode(&p)
	n := Note{Text: p.Prompt, Depth: defaultNoteDepth, Role: p.Role}
	if p.Depth != nil && *p.Depth >= 0 && *p.Depth < 1000 {
		n.Depth = int(*p.Depth)
	}
	if !slices.Contains([]string{lore.RoleSystem, lore.RoleUser, lore.RoleAssistant}, n.Role) {
		n.Role = lore.RoleSystem
	}
	return n
}

// SetAuthorNote replaces the card's note. One without text removes it.
func (c *Character) SetAuthorNote(n Note) error {
	extensions := make(loosejson.Object, len(c.Extensions)+1)
	maps.Copy(extensions, c.Extensions)
	delete(extensions, noteKey)
	if n.Text != "" {
		depth := float64(n.Depth)
		raw, err := loosejson.Marshal(depthPrompt{n.Text, &depth, n.Role})
		if err != nil {
			return fmt.Errorf("write the author's note: %w", err)
		}
		extensions[noteKey] = raw
	}
	c.Extensions = extensions
	return nil
}

// Greetings returns the first message and its alternatives, without empty ones.
func (c *Character) Greetings() []string {
	return slices.DeleteFunc(append([]string{c.FirstMessage}, c.Alternates...), func(g string) bool { return strings.TrimSpace(g) == "" })
}

// Unknown returns the names of what the card has beyond the fields above, sorted: "extensions.depth_prompt", "avatar".
func (c *Character) Unknown() (names []string) {
	for _, key := range c.data.Unknown(c) {
		if key != bookKey {
			names = append(names, key)
		}
	}
	for key := range c.Extensions {
		if key != noteKey {
			names = append(names, "extensions."+key)
		}
	}
	if c.Spec != V1 {
		for key := range c.top {
			if !slices.Contains([]string{"spec", "spec_version", "data"}, key) {
				names = append(names, key+" (beside data)")
			}
		}
	}
	slices.Sort(names)
	return names
}
