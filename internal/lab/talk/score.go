package talk

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/dlclark/regexp2"
)

// Score is the verdict on one answer.
type Score string

const (
	// Direct is right in the persona's own words. For an unanswerable question it is an honest "I don't know".
	Direct Score = "direct"
	// Quote is right, but only in a quotation of what was told.
	Quote Score = "quote"
	// Hedge denies to know, then quotes what was told.
	Hedge Score = "hedge"
	// Unknown denies to know what was told.
	Unknown Score = "unknown"
	// Wrong contains what is forbidden.
	Wrong Score = "wrong"
	// Nonsense is anything else.
	Nonsense Score = "nonsense"
	// None is no answer at all.
	None Score = "none"
)

// Scores lists all scores, from right to worst.
var Scores = []Score{Direct, Quote, Hedge, Unknown, Wrong, Nonsense, None}

// unknown is the alternative in an expected expression that asks for an honest "I don't know".
const unknown = "UNKNOWN"

// denial matches an answer that says in the persona's own words that it does not know.
var denial = regexp.MustCompile(`(?i)don['’]t know|do not know|nobody has told|nobody['’]s told|haven['’]t told|never told|` +
	`wish I knew|not told me|no idea|can['’]t say|don['’]t remember|haven['’]t said|never said|hasn['’]t come up|` +
	`couldn['’]t say|haven['’]t been told|know nothing|beyond me|not sure I know`)

// quotation matches one quotation.
var quotation = regexp.MustCompile(`(?s)“(.*?)”`)

// rules decide the score of an answer.
type rules struct {
	// wanted and forbidden are nil where nothing is wanted or forbidden.
	wanted, forbidden *regexp2.Regexp
	// wantsUnknown reports that the question cannot be answered, open that anything not forbidden is right.
	wantsUnknown, open bool
}

// compile compiles the expressions of a question.
func compile(expected, forbidden string) (r rules, err error) {
	r.wantsUnknown, r.open = strings.Contains(expected, unknown), expected == ""
	var wanted []string
	for alternative := range strings.SplitSeq(expected, "|") {
		switch alternative {
		case unknown:
		case "no", "not", "yes": // as a word: "no" is not in "know"
			wanted = append(wanted, `\b`+alternative+`\b`)
		default:
			wanted = append(wanted, alternative)
		}
	}
	if r.wanted, err = pattern(strings.Join(wanted, "|")); err == nil {
		r.forbidden, err = pattern(forbidden)
	}
	return r, err
}

// pattern compiles an expression, nil for an empty one. The case is ignored, and "." matches line breaks.
func pattern(text string) (*regexp2.Regexp, error) {
	if text == "" {
		return nil, nil
	}
	p, err := regexp2.Compile(text, regexp2.IgnoreCase|regexp2.Singleline)
	if err != nil {
		return nil, fmt.Errorf("the expression %q: %w", text, err)
	}
	return p, nil
}

// found reports whether p, if there is one, matches text.
func found(p *regexp2.Regexp, text string) bool {
	if p == nil {
		return false
	}
	matches, err := p.MatchString(text)
	return err == nil && matches // the only error is a time limit, and there is none
}

// score returns the score of an answer.
func (r rules) score(answer string) Score {
	if answer == "" {
		return None
	}
	var quoted strings.Builder
	for _, q := range quotation.FindAllStringSubmatch(answer, -1) {
		quoted.WriteString(q[1])
	}
	return r.scoreParts(strings.TrimSpace(quotation.ReplaceAllString(answer, " ")), quoted.String())
}

// scoreParts returns the score of an answer whose own words and quotations are given. The order of the rules matters:
// own words count before quotations, and a denial spoils an answer only together with a quotation.
func (r rules) scoreParts(own, quoted string) Score {
	denies := denial.MatchString(own)
	switch {
	case found(r.forbidden, own):
		return Wrong
	case r.wantsUnknown && denies && quoted == "":
		return Direct
	case found(r.wanted, own) && !(denies && quoted != ""):
		return Direct
	case r.open && !found(r.forbidden, quoted):
		return Direct
	case found(r.wanted, quoted) && denies:
		return Hedge
	case found(r.wanted, quoted):
		return Quote
	case found(r.forbidden, quoted):
		return Wrong
	case denies && quoted != "" && r.wantsUnknown:
		return Hedge
	case denies && quoted == "":
		return Unknown
	}
	return Nonsense
}
