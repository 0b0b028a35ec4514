package understand

import (
	"strings"

	"familiar/memory/understand/english"
	"familiar/memory/understand/rel"
)

// Answers that only make sense after the persona's words.

// beforeLimit is how many bytes at the end of the persona's words are parsed, where the question is.
const beforeLimit = 2 << 10

// mirrored parses the persona's words as if the speaker had said them: "your dog" becomes "my dog".
func (r *reading) mirrored() Analysis {
	before := r.u.Before
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
	return analyze(Utterance{Text: strings.Join(words, " "), At: r.u.At}, false)
}

var mirrorWords = map[string]string{
	"your": "my", "you": "I", "you're": "I'm", "yours": "mine", "you've": "I've", "my": "your", "i": "you", "i'm": "you're", "are": "are",
}

// mirrorVerbs agree with the speaker: "you are 34" becomes "I am 34".
var mirrorVerbs = map[string]string{"are": "am", "were": "was", "aren't": "am not", "weren't": "wasn't"}

// answerLeads are the words before the value of an answer.
var answerLeads = english.CompileAll("it|he|she|that|this is|was called|named", "his|her|its|their|my name is|'s", "it|he|she|that|this is|was", "that would be", "they are called|named", "i am", "called|named|just", "in|as|at a|an|the?",
	"i said", "yes|yeah", "i live in", "mostly|probably|actually")

// noAnswers holds replies that give no value.
var noAnswers = english.Set("no not nothing none dunno idk never why what who whatever secret guess later maybe hmm yes yeah yep sure okay ok know private skip pass stop " +
	"please thanks nobody neither hello hi hey")

// answer reads a bare reply to the persona's question.
func (r *reading) answer() {
	if r.u.Before == "" || !strings.Contains(r.u.Before, "?") || len(r.sentences) == 0 || len(r.sentences) > 2 {
		return
	}
	s := r.sentences[0]
	if s.Asks || len(s.Words) > 8 {
		return
	}
	for _, w := range s.Words {
		if noAnswers[w.Low] {
			return
		}
	}
	before := r.mirrored()
	q := before.Question
	if q == nil || len(q.Relations) == 0 || q.YesNo || q.Subject != "" {
		return
	}
	c := english.Clause{Text: r.u.Text, Words: s.Words}
	i := english.SkipLeads(c, 0)
	for {
		m, ok := answerLeads.Find(c, i)
		if !ok || m.End >= len(c.Words) {
			break
		}
		i = m.End
	}
	row, _ := rel.Find(q.Relations[0])
	kind := answerKind(row)
	n := english.Takes(kind, c, i)
	if n == 0 || n == 1 && filler[c.Low(i)] || english.Trim(c, i+n, len(c.Words)-i-n) > 0 {
		return
	}
	relation := q.Relations[0]
	claim := Claim{Kind: rel.Fact, Relation: relation, Many: rel.Many(relation)}
	if row.Kind != "" {
		claim.Kind = row.Kind
	}
	values := [][2]int{{i, i + n}}
	if english.Lists[kind] {
		values = items(c, i, i+n)
	}
	for _, v := range values {
		claim.Value = c.Span(v[0], v[1])
		r.add(c, claim, 0, len(c.Words))
	}
}

// answerKind returns the slot that a bare answer to a question about the row must fill.
func answerKind(row rel.Relation) string {
	for _, n := range row.Said {
		for _, e := range english.Compile(n).Elements {
			if e.Kind == english.Slot && !rel.KeySlots[e.Slot] {
				switch e.Slot {
				case "self", "proper":
					return "name"
				case "org":
					return "thing"
				}
				return e.Slot
			}
		}
	}
	return "thing"
}

// naming matches a name for the person or thing mentioned just before.
var naming = english.CompileAll("his|her|its|their name is|'s {names}", "their names are {names}", "he|she|it|they is|are called|named {names}", "named|called him|her|it {names}", "i|we named|called him|her|it|them {names}")

// pronounNaming reads "we got a puppy, her name is Luna".
func (r *reading) pronounNaming(c english.Clause) {
	for i := range c.Words {
		m, ok := naming.Find(c, i)
		if !ok {
			continue
		}
		relation := antecedent(r.sentences, c.Words[i].Start)
		if relation == "" && r.u.Before != "" {
			relation = antecedent(english.Split(r.u.Before), len(r.u.Before))
		}
		if relation == "" {
			return
		}
		wrong, _ := notAfter(c, m.To)
		values := items(c, m.From, m.To)
		for _, v := range values {
			r.add(c, Claim{Kind: rel.Fact, Relation: relation, Value: c.Span(v[0], v[1]), Corrects: wrong, Correction: wrong != "", Many: rel.Many(relation) || len(values) > 1 || r.claimed("has_pet")}, i, m.To)
		}
		return
	}
}

// antecedent returns the relation of the last animal or relative mentioned before the byte.
func antecedent(sentences []english.Sentence, before int) string {
	relation := ""
	for _, s := range sentences {
		for _, w := range s.Words {
			if w.Start >= before {
				return relation
			}
			if key, _, ok := english.KeyWord("animal", w.Low); ok {
				relation = "pet_name:" + key
			} else if key, _, ok := english.KeyWord("role", w.Low); ok {
				relation = "person_name:" + key
			}
		}
	}
	return relation
}
