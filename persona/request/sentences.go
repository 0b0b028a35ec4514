package request

import (
	_ "embed"
	"fmt"
	"regexp"
	"strings"
	"sync"
)

//go:embed sentences.txt
var sentencesFile string

// sentence is a pattern of a whole message that asks for a command. Its subject is the words that are not merely polite, each
// with a space after it.
type sentence struct {
	command Command
	// patterns are compiled when the first message begins like the sentence: all together would take longer than an answer.
	patterns func() (patterns, error)
}

type patterns struct {
	asks *regexp.Regexp
	// not matches what the command must not be given, nil for nothing.
	not *regexp.Regexp
}

// matching returns the patterns of a sentence in the file, which a test compiles.
func (s sentence) matching() patterns {
	p, err := s.patterns()
	if err != nil {
		panic(err)
	}
	return p
}

// sentences are those of each language, read with the first message.
var sentences = sync.OnceValue(func() map[string]asking {
	all, err := readSentences(sentencesFile)
	if err != nil {
		panic(err) // the file is part of the program, and a test reads it
	}
	return all
})

// asksBySentence reads a message by the sentences of a language.
func asksBySentence(language string, said string, words []word) (Command, bool) {
	asks := sentences()[language]
	words = withoutPhrases(words, asks.polite)
	var subject strings.Builder
	starts := make([]int, len(words)+1)
	for i, w := range words {
		starts[i] = subject.Len()
		subject.WriteString(w.plain + " ")
	}
	if len(words) == 0 {
		return Command{}, false
	}
	starts[len(words)] = subject.Len()
	for _, s := range asks.beginning(words[0].plain) {
		p := s.matching()
		at := p.asks.FindStringSubmatchIndex(subject.String())
		if at == nil {
			continue
		}
		c := s.command
		if len(at) > 2 && at[2] >= 0 {
			if p.not != nil && p.not.MatchString(" "+subject.String()[at[2]:at[3]]) {
				continue
			}
			c.Args = between(said, words, starts, at[2], at[3])
		}
		return c, true
	}
	return Command{}, false
}

// between returns what was said in the words that lie from one place of the subject to another.
func between(said string, words []word, starts []int, from, until int) string {
	start, end := 0, len(said)
	for i, w := range words {
		if starts[i] == from {
			start = w.start
		}
		if starts[i+1] == until {
			end = w.end
		}
	}
	return said[start:end]
}

// withoutPhrases returns the words that belong to none of some phrases.
func withoutPhrases(words []word, phrases map[string][][]string) (kept []word) {
	kept = make([]word, 0, len(words))
	for i := 0; i < len(words); {
		longest := 0
		for _, p := range phrases[words[i].plain] {
			if len(p) > longest && startsWith(words[i:], p) {
				longest = len(p)
			}
		}
		if longest == 0 {
			kept = append(kept, words[i])
			longest = 1
		}
		i += longest
	}
	return kept
}

func startsWith(words []word, phrase []string) bool {
	if len(words) < len(phrase) {
		return false
	}
	for i, p := range phrase {
		if words[i].plain != p {
			return false
		}
	}
	return true
}

// asking is how people ask for commands in one language.
type asking struct {
	// polite are phrases by their first word.
	polite map[string][][]string
	// byFirst are the sentences that can begin with a word, others those that can begin with any.
	byFirst map[string][]sentence
	others  []sentence
}

// beginning returns the sentences that can begin with a word.
func (a asking) beginning(word string) []sentence {
	if known, ok := a.byFirst[word]; ok {
		return known
	}
	return a.others
}

// grammar is the classes of one language, as the file has them, and its patterns.
type grammar struct {
	classes map[string]string
	rules   [][2]string
}

func readSentences(file string) (map[string]asking, error) {
	grammars, err := parseSentences(file)
	if err != nil {
		return nil, err
	}
	all := map[string]asking{}
	for language, g := range grammars {
		a := asking{polite: map[string][][]string{}}
		for phrase := range strings.SplitSeq(g.classes["polite"], ", ") {
			if words := strings.Fields(phrase); len(words) > 0 {
				a.polite[words[0]] = append(a.polite[words[0]], words)
			}
		}
		var sentences []sentence
		var begin []firstWords
		for _, r := range g.rules {
			s, err := g.sentence(r[0], r[1])
			if err != nil {
				return nil, fmt.Errorf("%s sentence %q: %w", language, r[1], err)
			}
			sentences, begin = append(sentences, s), append(begin, g.firstWords(r[1]))
		}
		a.byFirst, a.others = byFirstWord(sentences, begin)
		all[language] = a
	}
	return all, nil
}

func parseSentences(file string) (map[string]*grammar, error) {
	grammars := map[string]*grammar{}
	for line := range strings.Lines(file) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		head, body, ok := strings.Cut(line, ": ")
		language, name, named := strings.Cut(head, " ")
		if !ok || !named {
			return nil, fmt.Errorf("sentence %q: a line is a language, a name, a colon and a pattern", line)
		}
		g := grammars[language]
		if g == nil {
			g = &grammar{classes: map[string]string{}}
			grammars[language] = g
		}
		if command, isRule := strings.CutPrefix(name, "> "); isRule {
			g.rules = append(g.rules, [2]string{command, body})
		} else {
			g.classes[name] = body
		}
	}
	return grammars, nil
}

// sentence returns a pattern that asks for a command.
func (g *grammar) sentence(command, pattern string) (sentence, error) {
	body, err := g.expression(pattern, 0)
	if err != nil {
		return sentence{}, err
	}
	name, args, _ := strings.Cut(command, " ")
	without, ok := g.classes["not "+name]
	return sentence{command: Command{name, args}, patterns: sync.OnceValues(func() (p patterns, err error) {
		if p.asks, err = regexp.Compile("^" + body + "$"); err != nil || !ok {
			return p, err
		}
		p.not, err = regexp.Compile(" (?:" + strings.ReplaceAll(without, ", ", "|") + ") ")
		return p, err
	})}, nil
}

// maxDepth bounds how deep classes stand for classes: one that stands for itself is a mistake.
const maxDepth = 8

// expression returns a pattern as a regular expression.
func (g *grammar) expression(pattern string, depth int) (string, error) {
	if depth > maxDepth {
		return "", fmt.Errorf("%q stands for itself", pattern)
	}
	var b strings.Builder
	for field := range strings.FieldsSeq(pattern) {
		switch field {
		case "<":
			b.WriteString("(")
			continue
		case ">":
			b.WriteString(")")
			continue
		}
		count := ""
		if last := field[len(field)-1:]; last == "?" || last == "*" {
			field, count = field[:len(field)-1], last
		}
		element, err := g.element(field, depth)
		if err != nil {
			return "", err
		}
		b.WriteString(element + count)
	}
	return b.String(), nil
}

// element returns alternatives as a regular expression.
func (g *grammar) element(field string, depth int) (string, error) {
	var all []string
	for word := range strings.SplitSeq(field, "|") {
		switch name, isClass := strings.CutPrefix(word, "$"); {
		case word == "$any":
			all = append(all, `\S+ `)
		case word == "$number":
			all = append(all, `\d+ `)
		case isClass:
			class, known := g.classes[name]
			if !known {
				return "", fmt.Errorf("there is no class %q", name)
			}
			for alternative := range strings.SplitSeq(class, ", ") {
				inner, err := g.expression(alternative, depth+1)
				if err != nil {
					return "", err
				}
				all = append(all, inner)
			}
		default:
			all = append(all, regexp.QuoteMeta(word)+" ")
		}
	}
	return "(?:" + strings.Join(all, "|") + ")", nil
}
