package character

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"familiar/internal/strictyaml"
	"familiar/memory/model"
	"familiar/persona/card"
	"familiar/persona/character"
)

// content is what fields hold, as a form shows it: one text for most, several for lists. The parts of pairs and of named numbers
// take turns.
type content map[string][]string

// contentOf returns what the fields of a card hold.
func contentOf(c *card.Card) content {
	s := &c.Sheet
	held := content{
		"name": {c.Name}, "nickname": {s.Nickname}, "description": {c.Description}, "personality": {s.Personality}, "scenario": {s.Scenario},
		"values": c.Values, "interests": c.Interests, "language": {c.Language}, "voice": {c.Voice}, "greetings": c.Greetings,
		"first_messages": s.FirstMessages, "group_greetings": s.GroupGreetings, "example_dialogue": {s.Dialogue},
		"system_prompt": {s.SystemPrompt}, "post_history_instructions": {s.PostHistory}, "boundaries": c.Boundaries,
		"author_note": {s.Note.Text, "", ""}, "rating": {"everyone"}, "world_facts": {strconv.FormatBool(!c.WithoutFacts)}, "timezone": {""},
		"sectors": numbersOf(c.Sectors), "fading": numbersOf(c.Rates),
	}
	if c.Zone != nil {
		held["timezone"] = []string{c.Zone.String()}
	}
	if c.Adult {
		held["rating"] = []string{"adult"}
	}
	if s.Note.Text != "" {
		held["author_note"] = []string{s.Note.Text, strconv.Itoa(s.Note.Depth), s.Note.Role}
	}
	for _, t := range c.Traits {
		held["traits"] = append(held["traits"], t.Name, number(t.Strength))
	}
	for _, e := range c.Examples {
		held["examples"] = append(held["examples"], e.Person, e.Persona)
	}
	for name, texts := range held {
		held[name] = slices.Clone(texts)
		for i, text := range texts {
			held[name][i] = tidy(text)
		}
	}
	return held
}

func numbersOf(by map[model.Sector]float64) []string {
	all := make([]string, len(sectorNames))
	for i, s := range sectorNames {
		if n, ok := by[s]; ok {
			all[i] = number(n)
		}
	}
	return all
}

func number(n float64) string { return strconv.FormatFloat(n, 'g', -1, 64) }

// tidy returns a text as a browser sends it back, without the spaces around it.
func tidy(text string) string {
	return strings.TrimSpace(strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n"))
}

// submitted returns what the fields of a form hold as it was sent.
func submitted(sent url.Values, fields []field) content {
	held := content{}
	for _, f := range fields {
		all := make([]string, len(sent[f.name]))
		for i, text := range sent[f.name] {
			all[i] = tidy(text)
		}
		switch f.kind {
		case items:
			all = splitItems(strings.Join(sent[f.name], "\n"))
		case texts:
			all = slices.DeleteFunc(all, func(text string) bool { return text == "" })
		case pairs, named:
			all = withoutEmptyPairs(all)
		case sectors, note:
			all = append(all, make([]string, len(sectorNames))...)[:f.parts()]
			if f.kind == note && all[0] == "" {
				all[1], all[2] = "", ""
			}
		case line, prose, choice:
			all = append(all, "")[:1]
		}
		held[f.name] = all
	}
	return held
}

// parts is how many texts a field of a fixed shape has.
func (f field) parts() int {
	if f.kind == note {
		return 3
	}
	return len(sectorNames)
}

// splitItems splits the text of a list. A line that begins with a space continues the item above.
func splitItems(text string) (all []string) {
	for line := range strings.SplitSeq(strings.ReplaceAll(text, "\r", ""), "\n") {
		switch continues := strings.HasPrefix(line, " ") && len(all) > 0; {
		case strings.TrimSpace(line) == "" && !continues:
		case continues:
			all[len(all)-1] += "\n" + strings.TrimPrefix(strings.TrimPrefix(line, " "), " ")
		default:
			all = append(all, strings.TrimSpace(line))
		}
	}
	for i := range all {
		all[i] = strings.TrimSpace(all[i])
	}
	return all
}

// joinItems is the reverse of splitItems.
func joinItems(all []string) string {
	lines := make([]string, len(all))
	for i, item := range all {
		lines[i] = strings.ReplaceAll(item, "\n", "\n  ")
	}
	return strings.Join(lines, "\n")
}

func withoutEmptyPairs(all []string) (full []string) {
	for pair := range slices.Chunk(all, 2) {
		if len(pair) == 2 && pair[0]+pair[1] != "" {
			full = append(full, pair...)
		}
	}
	return full
}

// problems are what is wrong in a form, by field; "" is for what is no single field's.
type problems map[string][]string

func (p problems) add(name, text string) { p[name] = append(p[name], text) }

// addErr adds an error of reading a persona's file, beside the fields of a form as far as it names them.
func (p problems) addErr(err error, fields []field) {
	found, ok := errors.AsType[*strictyaml.Problems](err)
	if !ok {
		p.add("", err.Error())
		return
	}
	for _, one := range found.List {
		name := one.Path
		if cut := strings.IndexAny(name, ".["); cut >= 0 {
			name = name[:cut]
		}
		if !slices.ContainsFunc(fields, func(f field) bool { return f.name == name }) {
			p.add("", one.Text)
			continue
		}
		p.add(name, partLabel(one.Path[len(name):])+strings.TrimPrefix(one.Text, one.Path+": "))
	}
}

// partLabel names a part of a field for people: "no. 2: " for [1], "warm: " for .warm.
func partLabel(path string) string {
	if path == "" {
		return ""
	}
	if inner, rest, ok := strings.Cut(strings.TrimPrefix(path, "["), "]"); ok && path[0] == '[' {
		if i, err := strconv.Atoi(inner); err == nil {
			return fmt.Sprintf("no. %d%s: ", i+1, strings.ReplaceAll(rest, ".", ", "))
		}
	}
	return strings.TrimPrefix(path, ".") + ": "
}

// apply returns the text of a persona's file with the fields of a form as they were sent. Fields that hold what they held stay as
// they are written. The text is valid if nothing is wrong.
func apply(file string, text []byte, was, now content, fields []field) ([]byte, problems) {
	wrong := problems{}
	after := text
	for _, f := range fields {
		if slices.Equal(was[f.name], now[f.name]) {
			continue
		}
		changed, err := f.set(file, after, was[f.name], now[f.name])
		if err != nil {
			wrong.add(f.name, strings.TrimPrefix(err.Error(), f.name+": "))
			continue
		}
		after = changed
	}
	if _, err := card.ParseCard(file, after); err != nil {
		wrong.addErr(err, fields)
	}
	return after, wrong
}

// set returns the text with another value of the field.
func (f field) set(file string, text []byte, was, now []string) ([]byte, error) {
	var value any
	switch f.kind {
	case named:
		return f.setNumbers(file, text, was, now)
	case sectors:
		return f.setNumbers(file, text, withSectors(was), withSectors(now))
	case items, texts:
		if len(now) > 0 {
			value = now
		}
	case pairs:
		var all []card.Example
		for pair := range slices.Chunk(now, 2) {
			all = append(all, card.Example{Person: pair[0], Persona: pair[1]})
		}
		if len(all) > 0 {
			value = all
		}
	case note:
		if now[0] == "" {
			break
		}
		depth, err := strconv.Atoi(cmp.Or(now[1], "4"))
		if err != nil || depth < 0 {
			return nil, fmt.Errorf("the depth is a number of messages, not %q", now[1])
		}
		value = character.Note{Text: now[0], Depth: depth, Role: cmp.Or(now[2], "system")}
	case choice:
		if value = now[0]; f.name == "world_facts" {
			value = now[0] == "true"
		}
	case line, prose:
		if now[0] != "" || f.required {
			value = now[0]
		}
	}
	return card.SetValue(file, text, f.name, value)
}

// withSectors names the numbers of sectors.
func withSectors(numbers []string) (all []string) {
	for i, n := range numbers {
		if n != "" {
			all = append(all, string(sectorNames[i]), n)
		}
	}
	return all
}

// setNumbers changes those of the numbers that differ, so that the others stay as they are written.
func (f field) setNumbers(file string, text []byte, was, now []string) ([]byte, error) {
	given := map[string]string{}
	for pair := range slices.Chunk(now, 2) {
		name, n := pair[0], strings.ReplaceAll(pair[1], ",", ".")
		switch _, twice := given[name]; {
		case name == "":
			return nil, fmt.Errorf("the number %s has no name", n)
		case n == "":
			return nil, fmt.Errorf("%s has no number", name)
		case twice:
			return nil, fmt.Errorf("%s is given twice: keep one", name)
		}
		given[name] = n
	}
	before := map[string]string{}
	var err error
	for pair := range slices.Chunk(was, 2) {
		before[pair[0]] = pair[1]
		if _, stays := given[pair[0]]; !stays {
			if text, err = card.SetField(file, text, f.name+"."+pair[0], ""); err != nil {
				return nil, err
			}
		}
	}
	for pair := range slices.Chunk(now, 2) {
		if n := given[pair[0]]; n != before[pair[0]] {
			if text, err = card.SetField(file, text, f.name+"."+pair[0], n); err != nil {
				return nil, err
			}
		}
	}
	return text, nil
}
