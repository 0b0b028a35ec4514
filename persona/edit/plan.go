package edit

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"familiar/internal/lazyregexp"
	"familiar/internal/tokens"
	"familiar/persona/card"
	"familiar/persona/character"
	"familiar/persona/lore"
	"familiar/persona/macro"
)

// describe fills the parts of the plan.
func (p *Import) describe(file *character.File) {
	c := file.Character
	row := func(part, what, goes string) {
		p.Parts = append(p.Parts, Part{part, oneLine(what), goes})
	}
	row("card", fmt.Sprintf("%s, a character card %s as %s", c.Name, c.Spec, strings.ToUpper(string(file.Format))), "persona "+p.Key)
	for _, text := range []struct{ part, text, goes string }{
		{"nickname", c.Nickname, "nickname"},
		{"description", c.Description, "description"},
		{"personality", c.Personality, "personality"},
		{"scenario", c.Scenario, "scenario"},
		{"first_mes", c.FirstMessage, "first_messages"},
		{"mes_example", c.Examples, "example_dialogue"},
		{"system_prompt", c.SystemPrompt, "system_prompt"},
		{"post_history_instructions", c.PostHistory, "post_history_instructions"},
		{"extensions.depth_prompt", c.AuthorNote().Text, "author_note"},
	} {
		if strings.TrimSpace(text.text) != "" {
			row(text.part, fmt.Sprintf("%d tokens", tokens.Estimate(text.text)), text.goes)
		}
	}
	if n := len(c.Alternates); n > 0 {
		row("alternate_greetings", fmt.Sprintf("%d greetings", n), "first_messages")
	}
	if n := len(c.GroupOnly); n > 0 {
		row("group_only_greetings", fmt.Sprintf("%d greetings", n), "group_greetings")
	}
	if c.Book != nil {
		row("character_book", fmt.Sprintf("%d entries", len(c.Book.Entries)), p.Key+".lore.json")
	}
	for _, text := range []struct{ part, text string }{
		{"creator", c.Creator}, {"character_version", c.Version}, {"creator_notes", c.CreatorNotes}, {"tags", strings.Join(c.Tags, ", ")},
	} {
		if text.text != "" {
			row(text.part, text.text, "kept in the original card")
		}
	}
	for _, name := range c.Unknown() {
		row(name, "", "kept in the original card, not used")
	}
	for _, w := range warnings(c) {
		row("warning", w, "")
	}
}

// warnings are what the operator should know of a card before it speaks.
func warnings(c *character.Character) []string {
	all := slices.Clone(c.Warnings)
	var hosts []string
	for _, a := range c.Assets {
		if u, err := url.Parse(a.URI); a.Remote() && err == nil && !slices.Contains(hosts, u.Host) {
			hosts = append(hosts, u.Host)
		}
	}
	if len(hosts) > 0 {
		all = append(all, "files on "+strings.Join(hosts, ", ")+" are not fetched")
	}
	if c.Book != nil {
		problems := lore.Compile(c.Book).Problems
		if n := len(problems) - mostProblems; n > 0 {
			problems = append(problems[:mostProblems], fmt.Sprintf("%d more keys of the lorebook never match", n))
		}
		all = append(all, problems...)
	}
	if unknown := unknownPlaceholders(c); len(unknown) > 0 {
		all = append(all, "placeholders that stay as they are: "+strings.Join(unknown, " "))
	}
	if utf8.RuneCountInString(c.Name) > card.MaxName {
		all = append(all, fmt.Sprintf("the name is cut to %d letters", card.MaxName))
	}
	return all
}

// mostProblems is how many problems of a lorebook are listed.
const mostProblems = 10

// placeholder matches what was not filled.
var placeholder = lazyregexp.New(`\{\{[^{}\n]{1,60}\}\}`)

// unknownPlaceholders returns what in the card's texts nothing can be filled in for.
func unknownPlaceholders(c *character.Character) (unknown []string) {
	texts := append([]string{c.Description, c.Personality, c.Scenario, c.Examples, c.SystemPrompt, c.PostHistory, c.AuthorNote().Text}, c.Greetings()...)
	texts = append(texts, c.GroupOnly...)
	if c.Book != nil {
		for i := range c.Book.Entries {
			texts = append(texts, c.Book.Entries[i].Content)
		}
	}
	for _, text := range texts {
		filled := macro.Values{Char: c.Name, User: "you"}.Expand(text)
		for _, at := range placeholder.FindAllStringIndex(filled, 20) {
			if found := filled[at[0]:at[1]]; !slices.Contains(unknown, found) && len(unknown) < 20 {
				unknown = append(unknown, found)
			}
		}
	}
	return unknown
}

// hintForLore tells what to do with a lorebook that was taken for a card.
func hintForLore(data []byte) string {
	if _, err := lore.Read(data); err == nil {
		return ": it is a lorebook: add it to a persona with `familiar persona lore add --from FILE`"
	}
	return ""
}

// oneLine replaces white space by single spaces and removes characters that are not printable.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return -1
	}, strings.Join(strings.Fields(text), " "))
}
