package understand

import (
	"strings"

	"familiar/memory/understand/english"
	"familiar/memory/understand/reader"
	"familiar/memory/understand/rel"
)

// Answers that only make sense after the persona's words.

const (
	// beforeLimit is how many bytes at the end of the persona's words are parsed, where the question is.
	beforeLimit = 2 << 10
	// answerWords is the longest bare answer in words.
	answerWords = 5
)

// mirrored parses the persona's words as if the speaker had said them: "your dog" becomes "my dog".
func mirrored(u Utterance) *reading {
	before := u.Before
	if len(before) > beforeLimit {
		before = before[len(before)-beforeLimit:]
	}
	words := strings.Fields(before)
	for i, w := range words {
		if to, ok := mirrorVerbs[w]; ok && i > 0 && words[i-1] == "I" {
			words[i] = to
			continue
		}
		core := strings.TrimRight(w, ".,!?;:")
		if to, ok := mirrorWords[english.Normalize(core)]; ok {
			if to == "I" && (len(core) < len(w) || i == len(words)-1) && i > 0 && !english.Auxiliaries[english.Normalize(words[i-1])] {
				to = "me" // "what should I call you?", but "how old are you?"
			}
			words[i] = to + w[len(core):]
		}
	}
	r := newReading(Utterance{Text: withoutTag(strings.Join(words, " ")), At: u.At})
	for _, s := range r.sentences {
		if s.Asks {
			r.question(english.NewClause(r.u.Text, s.Words), s, reader.Ask(r.marked(s)))
		}
	}
	r.facts()
	return r
}

// withoutTag returns a statement without the end that asks for agreement: "I live in Berlin, don't I?".
func withoutTag(said string) string {
	i := strings.LastIndexByte(said, ',')
	if i < 0 || !strings.HasSuffix(said, "?") {
		return said
	}
	tag := strings.Fields(said[i+1:])
	if len(tag) != 2 || !strings.HasSuffix(strings.NewReplacer("'", "", "’", "").Replace(tag[0]), "nt") {
		return said
	}
	return said[:i] + "."
}

var mirrorWords = map[string]string{
	"your": "my", "you": "I", "you're": "I'm", "yours": "mine", "you've": "I've", "my": "your", "i": "you", "i'm": "you're",
}

// mirrorVerbs agree with the speaker: "you are 34" becomes "I am 34".
var mirrorVerbs = map[string]string{"are": "am", "were": "was", "aren't": "am not", "weren't": "wasn't"}

// answerLeads are the words before the value of an answer.
var answerLeads = english.CompileAll("it|he|she|that|this is|was called|named", "his|her|its|their|my name is|'s", "it|he|she|that|this is|was", "that would be", "they are called|named", "i am", "called|named|just", "in|as|at a|an|the?", "a|an",
	"i said", "yes|yeah", "i live in", "mostly|probably|actually")

// noAnswers holds replies that give no value.
var noAnswers = english.Set("no not nothing none dunno idk never why what who whatever secret guess later maybe hmm yes yeah yep sure okay ok know private skip pass stop " +
	"please thanks nobody neither hello hi hey")

// answer reads a bare reply to the persona's question. It reports whether it did.
func (r *reading) answer() bool {
	if !strings.Contains(r.u.Before, "?") || len(r.sentences) == 0 || len(r.sentences) > 2 || r.sentences[0].Asks {
		return false
	}
	c := english.Clause{Text: r.u.Text, Words: r.sentences[0].Words}
	for _, w := range c.Words {
		if noAnswers[w.Low] {
			return false
		}
	}
	q := mirrored(r.u).out.Question
	if q == nil || len(q.Relations) == 0 || q.YesNo || q.Subject != "" {
		return false
	}
	i := english.SkipLeads(c, 0)
	for {
		m, ok := answerLeads.Find(c, i)
		if !ok || m.End >= len(c.Words) {
			break
		}
		i = m.End
	}
	n := english.Trim(c, i, len(c.Words)-i)
	if english.Pronouns[c.Low(i)] || c.Low(i) == "my" || c.Low(i) == "our" {
		return false // a whole sentence
	}
	if n == 0 || n > answerWords || n == 1 && filler[c.Low(i)] {
		return false
	}
	claim := Claim{Kind: rel.Fact, Relation: q.Relations[0], Many: rel.Many(q.Relations[0])}
	if row, _ := rel.Find(claim.Relation); row.Kind != "" {
		claim.Kind = row.Kind
	}
	values := []string{c.Span(i, i+n)}
	if claim.Many {
		values = strings.FieldsFunc(strings.ReplaceAll(values[0], " and ", ","), func(r rune) bool { return r == ',' })
	}
	for _, v := range values {
		claim.Value = strings.TrimSpace(v)
		r.add(c, claim, 0, len(c.Words))
	}
	return true
}
