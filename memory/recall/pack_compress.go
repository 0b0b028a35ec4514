package recall

import (
	"math"
	"slices"
	"strings"
	"time"
	"unicode"

	"familiar/internal/text"
	"familiar/memory/belief"
	"familiar/memory/lexical"
	"familiar/memory/model"
)

// Weights and thresholds that decide which sentences stay. They were fitted on the shared conversations: all but 0.01
// of what answers their questions stays, in 63 % of the tokens.
const (
	// worthWord is the worth of a content word, worthRepeat of one shown before, worthFact of a name or number. A word
	// of the query adds its rarity among the lines.
	worthWord   = 0.10
	worthRepeat = 0.05
	worthFact   = 0.5
	// worthAsked is the factor for questions: they tell little.
	worthAsked = 0.2
	// worthBeside is the share of a neighbouring sentence's worth that a sentence gets.
	worthBeside = 0.4
	// needPerLine is how much the required worth rises with each further hit, needAtMost its maximum, needBeside its
	// maximum for the turns around hits.
	needPerLine = 0.06
	needAtMost  = 2
	needBeside  = 2
)

// Compress shortens packed items that take more than limit tokens to what matters for a query, keeping their order. It
// drops sentences that tell nothing, repeat earlier ones or matter too little for their place, and filler words from
// the rest; a line with nothing left is dropped. Turns of one day show their time once: At is zero in the others.
// Standing instructions, pinned memories and lines with a marked value stay as they are. Use it for prompts only: what
// is quoted to people is quoted whole.
func Compress(items []Item, query string, limit int) []Item {
	if size(items) <= limit {
		return items
	}
	c := newCompressor(items, query)
	out := make([]Item, 0, len(items))
	for _, it := range items {
		if it.Why != WhyStanding && it.Why != WhyPinned {
			it.Lines = c.lines(it.Lines)
		}
		it.Tokens = 0
		for _, l := range it.Lines {
			it.Tokens += l.Tokens()
		}
		if len(it.Lines) > 0 {
			out = append(out, it)
		}
	}
	return out
}

// size returns the tokens of items.
func size(items []Item) (sum int) {
	for _, it := range items {
		sum += it.Tokens
	}
	return sum
}

// compressor shortens the lines of packed items, best first.
type compressor struct {
	query lexical.Gist
	// speakers are the terms of the speakers' names, which tell nothing.
	speakers map[string]bool
	// in counts the lines that contain each term; all counts the lines.
	in  map[string]int
	all int
	// shown are the terms kept so far, hits the number of hit lines seen.
	shown map[string]bool
	hits  int
}

func newCompressor(items []Item, query string) *compressor {
	c := &compressor{query: lexical.GistOf(query), speakers: map[string]bool{}, in: map[string]int{}, shown: map[string]bool{}}
	for _, it := range items {
		for _, l := range it.Lines {
			for _, t := range c.query.Terms(l.Author) {
				c.speakers[t] = true
			}
		}
	}
	for _, it := range items {
		for _, l := range it.Lines {
			c.all++
			for _, t := range c.terms(l.Text) {
				c.in[t]++
			}
		}
	}
	return c
}

// lines returns those lines of an item of which something stays, shortened.
func (c *compressor) lines(lines []model.SnippetLine) (kept []model.SnippetLine) {
	var at time.Time
	for _, l := range lines {
		if l.Text = c.line(l); l.Text == "" {
			continue
		}
		if l.At.Format(time.DateOnly) == at.Format(time.DateOnly) {
			l.At = time.Time{}
		} else {
			at = l.At
		}
		kept = append(kept, l)
	}
	return kept
}

// line returns what stays of a line.
func (c *compressor) line(l model.SnippetLine) string {
	need := float64(needBeside)
	if l.Hit {
		need = min(needPerLine*float64(c.hits), needAtMost)
		c.hits++
	}
	if showsMark(l.Text) {
		return l.Text
	}
	parts := sentences(l.Text)
	worth := make([]float64, len(parts))
	for i, s := range parts {
		worth[i] = c.worth(s)
	}
	var b strings.Builder
	for i, s := range parts {
		beside := max(worth[max(i-1, 0)], worth[min(i+1, len(parts)-1)])
		if worth[i] <= 0 || worth[i]+worthBeside*beside < need {
			continue
		}
		for _, t := range c.terms(s) {
			c.shown[t] = true
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(c.dropFiller(s))
	}
	return b.String()
}

// worth returns how much a sentence tells.
func (c *compressor) worth(sentence string) (sum float64) {
	for _, t := range c.terms(sentence) {
		switch {
		case c.shown[t]:
			sum += worthRepeat
		default:
			sum += worthWord
		}
		if c.query.Has(t) {
			sum += math.Log(1 + float64(c.all)/(float64(c.in[t])+0.5))
		}
	}
	sum += worthFact * float64(c.facts(sentence))
	if strings.HasSuffix(sentence, "?") {
		sum *= worthAsked
	}
	return sum
}

// terms returns the distinct content terms of a text without the speakers' names.
func (c *compressor) terms(text string) []string {
	terms := c.query.Terms(text)
	slices.Sort(terms)
	return slices.DeleteFunc(slices.Compact(terms), func(t string) bool { return c.speakers[t] })
}

// facts counts the numbers and names in a sentence.
func (c *compressor) facts(sentence string) (n int) {
	for i, word := range strings.Fields(sentence) {
		named := i > 0 && capital(word) && len(c.terms(word)) > 0
		if named || strings.ContainsFunc(word, unicode.IsDigit) {
			n++
		}
	}
	return n
}

// dropFiller removes filler words from a sentence, if it is in their language.
func (c *compressor) dropFiller(sentence string) string {
	if c.query.Language() != lexical.English {
		return sentence
	}
	words := strings.Fields(sentence)
	kept := words[:0]
	for i, w := range words {
		if first := i == 0 || strings.HasPrefix(w, "I"); fillerWords[strings.ToLower(strings.TrimSuffix(w, ","))] && (first || !capital(w)) {
			continue
		}
		kept = append(kept, w)
	}
	return strings.Join(kept, " ")
}

// fillerWords are English words that can be dropped from what people say about themselves without changing the sense:
// no negation, no degree, no pronoun that changes the subject.
var fillerWords = func() map[string]bool {
	words := map[string]bool{}
	for _, w := range strings.Fields(`a an the so very just yeah oh also much too am are is was were be been being have has
		had do does did i i'm i've i'd i'll it it's its that that's there there's this these those to of and as at for in into
		on up about then such own same i’m i’ve i’d i’ll it’s that’s there’s`) {
		words[w] = true
	}
	return words
}()

// capital reports whether a word has more than one letter and begins with a capital.
func capital(word string) bool {
	r := []rune(word)
	return len(r) > 1 && unicode.IsUpper(r[0]) && r[1] != '\'' && r[1] != '’'
}

// showsMark reports whether a line marks an outdated value. Mark and value must stay together.
func showsMark(text string) bool {
	return strings.Contains(text, belief.MarkChanged) || strings.Contains(text, belief.MarkCorrected) || strings.Contains(text, belief.MarkRetold)
}

// sentences splits a line into sentences. The description of an attachment is one of its own.
func sentences(said string) (parts []string) {
	for _, s := range text.Sentences(said) {
		said, shown, attached := strings.Cut(strings.TrimSpace(s), " [")
		parts = append(parts, said)
		if attached {
			parts = append(parts, "["+shown)
		}
	}
	return parts
}
