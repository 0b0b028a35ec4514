package answer

import (
	"embed"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"sync"
)

//go:embed patterns/*.txt
var patternFiles embed.FS

// patterns are what the files in patterns/ say; their README explains the form.
type patterns struct {
	languages []*language
	// notes are the labels of notes in all languages.
	notes []string
	// direction matches an aside that speaks of the rules, machine a card that describes a machine.
	direction, machine func() *regexp.Regexp
}

// language is one file.
type language struct {
	// openers are the beginnings of clauses that are held back, asks those of what somebody in the talk is said to do.
	openers, asks []string
	// refusal, boilerplate, instructions and reasoning match clauses that may not be said; apology one that leads to them;
	// musing one that may be reasoning. They are compiled when an opener of the language is met.
	refusal, boilerplate, instructions, reasoning, musing, apology func() *regexp.Regexp
}

// rules are read when the first answer is.
var rules = sync.OnceValue(func() *patterns {
	p, err := readPatterns(patternFiles)
	if err != nil {
		panic("prompts/answer: " + err.Error())
	}
	return p
})

// IsMachine reports whether a description says that somebody is a machine: an AI, a robot, a program.
func IsMachine(description string) bool { return rules().machine().MatchString(plainly(description)) }

// readPatterns reads the files of all languages.
func readPatterns(files fs.FS) (*patterns, error) {
	names, err := fs.Glob(files, "patterns/*.txt")
	if err != nil {
		return nil, err
	}
	p := &patterns{}
	var directions, machines []string
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		lines, err := readLines(string(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		p.languages = append(p.languages, &language{
			openers: lines["open"], asks: lines["asks"], refusal: anyOf(lines["refusal"]), boilerplate: anyOf(lines["boilerplate"]),
			instructions: anyOf(lines["instructions"]), reasoning: anyOf(lines["reasoning"]), musing: anyOf(lines["musing"]),
			apology: anyOf(whole(lines["apology"])),
		})
		p.notes = append(p.notes, lines["note"]...)
		directions, machines = append(directions, lines["direction"]...), append(machines, lines["machine"]...)
	}
	p.direction, p.machine = anyOf(directions), anyOf(machines)
	return p, nil
}

// whole returns expressions that match nothing less than a whole sentence.
func whole(expressions []string) (all []string) {
	for _, e := range expressions {
		all = append(all, e+"$")
	}
	return all
}

// anyOf returns an expression that matches what one of these matches at the start, and nothing if there are none. It is
// compiled when it is first used.
func anyOf(expressions []string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp {
		if len(expressions) == 0 {
			return regexp.MustCompile(`^[^\x00-\x{10FFFF}]`)
		}
		return regexp.MustCompile("^(?:" + strings.Join(expressions, "|") + ")")
	})
}

// letters makes the classes of package regexp, which know ASCII only, mean the letters of all languages.
var letters = strings.NewReplacer(`\w`, `[^\s,.;:!?]`, `)\b`, `)(?:$|[\s,.;:!?)])`)

// readLines returns the values of one file by their kind.
func readLines(text string) (map[string][]string, error) {
	lines := make(map[string][]string)
	var parts []string
	for number, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		kind, value, found := strings.Cut(line, ": ")
		if !found {
			return nil, fmt.Errorf("line %d has no kind", number+1)
		}
		value = letters.Replace(strings.NewReplacer(parts...).Replace(strings.TrimSpace(value)))
		if name, ok := strings.CutPrefix(kind, "let "); ok {
			parts = append(parts, "{"+name+"}", "(?:"+value+")")
			continue
		}
		switch kind {
		case "open", "note", "asks":
			for _, each := range strings.Split(value, "|") {
				lines[kind] = append(lines[kind], strings.TrimSpace(each))
			}
		default:
			lines[kind] = append(lines[kind], "(?:"+value+")")
		}
	}
	return lines, nil
}

// opens returns the languages in which a clause begins like one that is looked for, as a set of bits, and whether it may
// still begin like one.
func (p *patterns) opens(clause string, others []string) (languages uint, may bool) {
	for i, l := range p.languages {
		opens, may2 := l.opens(clause, others)
		if opens {
			languages |= 1 << i
		}
		may = may || may2
	}
	return languages, may
}

func (l *language) opens(clause string, others []string) (opens, may bool) {
	for _, o := range l.openers {
		if strings.HasPrefix(clause, o) {
			return true, true
		}
		may = may || strings.HasPrefix(o, clause)
	}
	for _, name := range others {
		rest, ok := strings.CutPrefix(clause, name)
		may = may || strings.HasPrefix(name, clause) && len(l.asks) > 0
		if !ok {
			continue
		}
		for _, a := range l.asks {
			if strings.HasPrefix(rest, a) {
				return true, true
			}
			may = may || strings.HasPrefix(a, rest)
		}
	}
	return false, may
}

// speaksOf reports whether a clause speaks of somebody in the talk as one who asks or says something.
func (l *language) speaksOf(clause string, others []string) bool {
	for _, name := range others {
		before, rest, ok := strings.Cut(clause, name)
		if !ok || len(before) > longestLead {
			continue
		}
		for _, a := range l.asks {
			if strings.HasPrefix(rest+" ", a+" ") {
				return true
			}
		}
	}
	return false
}
