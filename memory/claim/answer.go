package claim

import "strings"

// Answers that only make sense after what the persona said.

// beforeLimit is how many bytes of the persona's words are read back: their end, where its question stands.
const beforeLimit = 2 << 10

// mirrored reads what the persona said before as if the speaker had said it: "your dog" becomes "my dog".
func (r *reader) mirrored() Reading {
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
		if to, ok := mirrorWords[fold(core)]; ok {
			if to == "I" && (len(core) < len(w) || i == len(words)-1) && i > 0 && !auxiliaries[fold(words[i-1])] {
				to = "me" // "what should I call you?", but "how old are you?"
			}
			words[i] = to + w[len(core):]
		}
	}
	return Read(Utterance{Text: strings.Join(words, " "), At: r.u.At})
}

var mirrorWords = map[string]string{
	"your": "my", "you": "I", "you're": "I'm", "yours": "mine", "you've": "I've", "my": "your", "i": "you", "i'm": "you're", "are": "are",
}

// mirrorVerbs agree with the speaker: "you are 34" becomes "I am 34".
var mirrorVerbs = map[string]string{"are": "am", "were": "was", "aren't": "am not", "weren't": "wasn't"}

// answerLeads come before the value of an answer.
var answerLeads = compileAll("it|he|she|that|this is|was called|named", "his|her|its|their|my name is|'s", "it|he|she|that|this is|was", "that would be", "they are called|named", "i am", "called|named|just", "in|as|at a|an|the?",
	"i said", "yes|yeah", "i live in", "mostly|probably|actually")

// noAnswers are replies that give no value.
var noAnswers = set("no not nothing none dunno idk never why what who whatever secret guess later maybe hmm yes yeah yep sure okay ok know private skip pass stop " +
	"please thanks nobody neither hello hi hey")

// answer reads a bare reply to the persona's question.
func (r *reader) answer() {
	if r.u.Before == "" || !strings.Contains(r.u.Before, "?") || len(r.sentences) == 0 || len(r.sentences) > 2 {
		return
	}
	s := r.sentences[0]
	if s.asks || len(s.words) > 8 {
		return
	}
	for _, w := range s.words {
		if noAnswers[w.low] {
			return
		}
	}
	before := r.mirrored()
	q := before.Question
	if q == nil || len(q.Relations) == 0 || q.YesNo || q.Subject != "" {
		return
	}
	c := clause{text: r.u.Text, words: s.words}
	i := skipLeads(c, 0)
	for {
		m, ok := at(c, i, answerLeads)
		if !ok || m.end >= len(c.words) {
			break
		}
		i = m.end
	}
	row, _ := lookup(q.Relations[0])
	kind := answerKind(row)
	n := takes(kind, c, i)
	if n == 0 || n == 1 && filler[c.low(i)] || trim(c, i+n, len(c.words)-i-n) > 0 {
		return
	}
	relation := q.Relations[0]
	claim := Claim{Kind: Fact, Relation: relation, Many: Many(relation)}
	if row.kind != "" {
		claim.Kind = row.kind
	}
	values := [][2]int{{i, i + n}}
	if lists[kind] {
		values = items(c, i, i+n)
	}
	for _, v := range values {
		claim.Value = c.span(v[0], v[1])
		r.add(c, claim, 0, len(c.words))
	}
}

// answerKind is the slot a bare answer to a question about the row must fill.
func answerKind(row relation) string {
	for _, n := range row.said {
		for _, e := range compile(n).elements {
			if e.kind == slot && !keySlots[e.slot] {
				switch e.slot {
				case "self", "proper":
					return "name"
				case "org":
					return "thing"
				}
				return e.slot
			}
		}
	}
	return "thing"
}

// naming is a name given to whom or what was spoken of just before.
var naming = compileAll("his|her|its|their name is|'s {names}", "their names are {names}", "he|she|it|they is|are called|named {names}", "named|called him|her|it {names}", "i|we named|called him|her|it|them {names}")

// pronounNaming reads "we got a puppy, her name is Luna".
func (r *reader) pronounNaming(c clause) {
	for i := range c.words {
		m, ok := at(c, i, naming)
		if !ok {
			continue
		}
		relation := antecedent(r.sentences, c.words[i].start)
		if relation == "" && r.u.Before != "" {
			relation = antecedent(split(r.u.Before), len(r.u.Before))
		}
		if relation == "" {
			return
		}
		wrong, _ := notAfter(c, m.to)
		values := items(c, m.from, m.to)
		for _, v := range values {
			r.add(c, Claim{Kind: Fact, Relation: relation, Value: c.span(v[0], v[1]), Corrects: wrong, Correction: wrong != "", Many: Many(relation) || len(values) > 1 || r.claimed("has_pet")}, i, m.to)
		}
		return
	}
}

// antecedent is the relation of the last animal or relative named before the byte.
func antecedent(sentences []sentence, before int) string {
	relation := ""
	for _, s := range sentences {
		for _, w := range s.words {
			if w.start >= before {
				return relation
			}
			if key, _, ok := keyWord("animal", w.low); ok {
				relation = "pet_name:" + key
			} else if key, _, ok := keyWord("role", w.low); ok {
				relation = "person_name:" + key
			}
		}
	}
	return relation
}
