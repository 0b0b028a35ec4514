package understand

import (
	"slices"
	"strings"

	"familiar/memory/lexical"
	"familiar/memory/understand/english"
	"familiar/memory/understand/rel"
)

// A question names relations in other words than the statements that answer it: "the birthplace of" for "was born in".
// Both are brought to senses: words of one line below mean the same, any other word means its stem.
var senseLines = []string{
	"birth: born birth birthplace native",
	"death: died die dies death dead deathplace deceased pass-away passed-away last-breath breathe-last breathed-last",
	"spouse: married marry spouse wife husband partner wed wedded",
	"citizen: citizen citizens citizenship nationality national",
	"author: author authored writer wrote written write writes",
	"found: founder founded founding founders found establish established establishment came-existence come-existence",
	"create: creator created create creates creation creators invented inventor originate originated originates origin originally comes-from came-from hails hailed gave-rise come-from comes came come invent first-developed",
	"develop: developer developed develop develops developers",
	"make: made make makes maker produced produce produces producer manufacturer manufactured manufactures",
	"perform: performer performed perform performs singer sang sung sings performers portrayed portrays",
	"direct: director directed directs manager managed",
	"own: owner owned owns",
	"employ: employed employer employs employee works-at works-for working-for part-of",
	"work: work works worked working",
	"headquarters: headquarters headquarter headquartered head-office",
	"educate: educated university school education educational study studied studies attended alma-mater college graduated",
	"religion: religion religious faith denomination creed",
	"language: language languages speak speaks spoken tongue written-in",
	"sport: sport sports sporting",
	"music: music musical genre",
	"chair: chairperson chairman chairwoman chair chairs",
	"ceo: chief-executive-officer ceo chief-executive",
	"government: head-government prime-minister head-of-government",
	"state: head-state chief-state president head-of-state",
	"fame: famous known notable renowned significant fame notable-work famous-work best-known",
	"field: field profession occupation job career professional trade kind-work sort-work type-work line-work job-title do-living",
	"broadcast: broadcaster broadcast broadcasts network aired",
	"child: child children son daughter kid kids offspring",
	"coach: coach coaches coached trainer trains",
	"country: country countries nation nations",
	"city: city cities town towns",
	"place: place places location where located locations situated site lies",
	"person: who whom whose person individual people somebody someone man woman",
	"company: company companies firm label record-label music-label corporation organization organisation",
	"live: live lives lived living resides reside home",
	"position: position positions",
	"capital: capital capitals",
	"continent: continent continents",
	"official: official officially",
}

// agentWords name who did what they tell of.
var agentWords = english.Set("founder creator developer author writer performer singer employer owner manufacturer producer maker director founders creators developers inventor")

// near are senses in which people ask for one another, rarer than for themselves.
var near = map[string][]string{
	"birth": {"create"}, "create": {"birth", "citizen"}, "develop": {"create"}, "found": {"create"}, "ceo": {"government"},
	"government": {"ceo"}, "employ": {"work"}, "work": {"employ"}, "coach": {"direct"}, "direct": {"coach"},
}

// kindSenses are senses of what a value is rather than of how it is related.
var kindSenses = english.Set("country city place person company")

var senses, phrasesOfSense = func() (map[string]string, map[string]string) {
	one, many := map[string]string{}, map[string]string{}
	for _, line := range senseLines {
		sense, words, _ := strings.Cut(line, ": ")
		for _, w := range strings.Fields(words) {
			if strings.Contains(w, "-") {
				many[strings.ReplaceAll(w, "-", " ")] = sense
			} else {
				one[w] = sense
			}
		}
	}
	return one, many
}()

// Term is a word of a question that may name a relation, or what kind of thing is asked for.
type Term struct {
	// Start and End are its bytes in the text.
	Start, End int
	Sense      string
	// Agent says that it names who did it: "founder". Common says that it names a relation people commonly tell of.
	Agent, Common bool
}

// Asks says whether a text asks something by its look alone.
func Asks(text string) bool {
	if strings.HasSuffix(strings.TrimRight(text, " \n"), "?") {
		return true
	}
	first, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	return english.WordsOfQuestion[english.Normalize(first)]
}

// Terms are the terms of a text in order, those within the bytes [from, to) left out.
func Terms(text string, from, to int) []Term {
	var words []english.Word
	for _, s := range english.Split(text) {
		for _, w := range s.Words {
			if w.End <= from || w.Start >= to {
				words = append(words, w)
			}
		}
	}
	var out []Term
	for i := 0; i < len(words); {
		t, n := termAt(words, i)
		if n == 0 {
			i++
			continue
		}
		out = append(out, t)
		i += n
	}
	return out
}

// termAt is the term that begins with the word at i and how many words it takes, 0 for none.
func termAt(words []english.Word, i int) (Term, int) {
	var phrase []string
	for k := i; k < len(words) && len(phrase) < 3; k++ {
		w := words[k].Low
		if k > i && joining[w] {
			continue
		}
		phrase = append(phrase, w)
		if sense, ok := phrasesOfSense[strings.Join(phrase, " ")]; ok {
			last := k
			if k+1 < len(words) && words[k+1].Low == "officer" {
				last++
			}
			return Term{Start: words[i].Start, End: words[last].End, Sense: sense, Common: true}, last - i + 1
		}
	}
	w := words[i]
	sense := senseOf(w.Low)
	if sense == "" {
		return Term{}, 0
	}
	return Term{Start: w.Start, End: w.End, Sense: sense, Agent: agentWords[w.Low], Common: senses[w.Low] != "" && !kindSenses[sense]}, 1
}

// joining are the words that may stand within a phrase.
var joining = english.Set("of the his her their into from for a")

// senseOf is what a word means, empty when it carries only grammar.
func senseOf(w string) string {
	if s, ok := senses[w]; ok {
		return s
	}
	if terms := lexical.English.Terms(w); len(terms) == 1 && !empty[w] && !vague[w] {
		return terms[0]
	}
	return ""
}

// vague are the words of questions that name no relation.
var vague = english.Set("name current currently hold holds held serve serves serving role associated affiliated associate belong belongs related responsible known thing " +
	"title does located")

// Wording is what a relation is asked for by.
type Wording struct {
	senses []string // what it is
	kinds  []string // of what kind its values are
	agent  bool
}

// WordingOf is the wording of a relation.
func WordingOf(relation string) Wording {
	if _, who, ok := strings.Cut(relation, ":"); ok {
		relation = who // "person_name:sister" is asked for as the sister
	}
	relation = strings.NewReplacer("_", " ", rel.KinMark, " ").Replace(relation)
	var w Wording
	for _, t := range Terms(relation, 0, 0) {
		switch {
		case kindSenses[t.Sense]:
			w.kinds = append(w.kinds, t.Sense)
		case !slices.Contains(w.senses, t.Sense):
			w.senses = append(w.senses, t.Sense)
		}
		w.agent = w.agent || t.Agent
	}
	switch english.LastWord(relation) {
	case "by":
		w.agent = true
	case "in", "of":
		w.kinds = append(w.kinds, "place", "city", "country")
	}
	if w.agent {
		w.kinds = append(w.kinds, "person", "company")
	}
	return w
}

const (
	// missing is what a sense of the relation that the question does not have takes from a match, nearSense what a
	// related one gives, kindSense what the kind of value asked for gives.
	missing   = 0.4
	nearSense = 0.6
	kindSense = 0.3
	// perByte is what distance in the question takes: what is asked of a thing stands beside it.
	perByte = 0.001
)

// Senses are the senses that the wording is asked for by.
func (w Wording) Senses() []string { return w.senses }

// Match weighs how well the wording fits those terms of a question that are not yet used, nearest to the byte at first.
// It returns which terms it takes and which byte the match is at, and no terms when it does not fit.
func (w Wording) Match(terms []Term, used uint64, at int) (score float64, taken uint64, place int) {
	place = at
	for _, sense := range w.senses {
		i, worth := nearestTerm(terms, used|taken, at, func(t Term) float64 {
			switch {
			case t.Sense == sense && t.Agent && !w.agent && len(w.kinds) > 0:
				return nearSense
			case t.Sense == sense:
				return 1
			case slices.Contains(near[t.Sense], sense):
				return nearSense
			}
			return 0
		})
		if i < 0 {
			score -= missing
			continue
		}
		score += worth - perByte*float64(distance(terms[i], at))
		taken |= 1 << i
		place = terms[i].Start
		if terms[i].Agent && w.agent {
			score += kindSense
		}
	}
	if taken == 0 {
		return 0, 0, at
	}
	for _, kind := range w.kinds {
		i, worth := nearestTerm(terms, used|taken, place, func(t Term) float64 {
			if t.Sense == kind {
				return kindSense
			}
			return 0
		})
		if i >= 0 && distance(terms[i], place) < kindReach {
			score, taken = score+worth, taken|1<<i
			break
		}
	}
	return score, taken, place
}

// kindReach is how many bytes from a relation's word the kind of its value may stand.
const kindReach = 60

// nearestTerm is the unused term that is worth most, the nearest of several; -1 when none is worth anything.
func nearestTerm(terms []Term, used uint64, at int, worth func(Term) float64) (best int, value float64) {
	best = -1
	for i, t := range terms[:min(len(terms), 64)] {
		v := worth(t)
		if used&(1<<i) != 0 || v == 0 {
			continue
		}
		if best < 0 || v > value || v == value && distance(t, at) < distance(terms[best], at) {
			best, value = i, v
		}
	}
	return best, value
}

func distance(t Term, at int) int { return max(t.Start-at, at-t.Start) }
