package understand

import (
	"math"
	"strings"

	"familiar/memory/understand/english"
	"familiar/memory/understand/rel"
	"familiar/memory/understand/world"
	"familiar/memory/understand/zones"
	"familiar/memory/when"
)

// Analyze parses one utterance. It accepts only plain statements by the speaker: nothing supposed ("if I had a dog"),
// reported ("she said her name is Ann"), quoted or asked becomes a claim. It reads the first 16 KiB of the text
// without invisible characters. It never fails and omits what it does not understand.
func Analyze(u Utterance) Analysis { return analyze(u, true) }

// analyze is Analyze, with the trained reader or, for words whose form is known, without.
func analyze(u Utterance, learned bool) Analysis {
	u.Text = english.Legible(u.Text)
	r := reading{u: u, sentences: english.Split(u.Text), spans: when.Find(u.Text, u.At)}
	r.cut = make([][]english.Clause, len(r.sentences))
	r.out.Version, r.out.Times = Version, r.spans
	r.out.Zone, r.out.ZoneNamed = zones.Of(u.Text, u.At)
	r.out.Supposes = opensSupposing(u.Text, r.sentences)
	r.tone()
	for i, s := range r.sentences {
		r.sentence(i, s)
	}
	r.succeed()
	if jests(r.sentences) {
		r.out.Claims = nil
	} else {
		r.goals()
	}
	if len(r.out.Claims) == 0 && r.out.Question == nil && !r.out.Forget {
		r.answer()
	}
	if learned && !r.out.Forget && !r.out.Phatic && !jests(r.sentences) {
		r.learn()
	}
	for _, c := range r.out.Claims {
		r.out.Corrects = r.out.Corrects || c.Correction
	}
	r.out.Entities = entities(u.Text, r.sentences, r.out.Claims)
	return r.out
}

// Supposes returns the field Supposes of the text's Analysis without parsing anything else.
func Supposes(text string) bool {
	text = english.Legible(text)
	return opensSupposing(text, english.Split(text))
}

func opensSupposing(text string, sentences []english.Sentence) bool {
	return len(sentences) > 0 && supposes(english.NewClause(text, sentences[0].Words))
}

// reading parses one utterance.
type reading struct {
	u         Utterance
	sentences []english.Sentence
	cut       [][]english.Clause // the clauses of each sentence, split on demand
	spans     []when.Span
	out       Analysis
	// who is the last person mentioned, whom "she" and "he" mean.
	who someone
	// arrived holds the speaker's current places and employers, in case the text tells what they left.
	arrived []arrival
	// departed holds what the speaker has left, in case it was an employer.
	departed []Claim
	// stated holds the quotes of facts about the world.
	stated []string
	// moving is the plan whose old time was denied.
	moving string
	// cue reports that the current sentence corrects an earlier one.
	cue bool
	// pending reports that the sentence before announced a correction: "That's wrong. I live in Oslo."
	pending bool
}

// clauses returns the clauses of the nth sentence.
func (r *reading) clauses(n int) []english.Clause {
	if r.cut[n] == nil {
		r.cut[n] = english.Clauses(r.u.Text, r.sentences[n])
	}
	return r.cut[n]
}

// sentence parses the nth sentence.
func (r *reading) sentence(n int, s english.Sentence) {
	if r.forgets(s) || r.elliptical(s) {
		return
	}
	opens, outright := announcesCorrection(s)
	cue := r.pending || opens || takesBack(s)
	r.cue = cue
	r.pending = opens
	r.out.Corrects = r.out.Corrects || outright
	believed := believable(s)
	before := len(r.out.Claims)
	if believed == math.MaxInt && r.fact(s, cue) {
		return
	}
	cs := r.clauses(n)
	for i, c := range cs {
		c = r.who.understood(c, believed)
		r.who = r.who.after(c)
		asks := english.Question(c) || s.Asks && i == len(cs)-1 && !supposes(c)
		switch {
		case r.wish(c, s, believed):
		case asks:
			r.question(c)
		case !s.Asks || i < len(cs)-1:
			r.statement(c, believed, cue)
		}
	}
	r.settleDenial(before, s)
}

// fact reads a sentence that states something about the world. It reports whether it did.
func (r *reading) fact(s english.Sentence, cue bool) bool {
	if s.Asks || r.u.WithoutFacts {
		return false
	}
	st, ok := world.Read(r.u.Text, s.Words)
	if !ok {
		return false
	}
	relation := st.Relation
	if kin, known := english.Roles[relation]; known && relation != "spouse" {
		relation = rel.KinRelation(kin.Key, "name")
	}
	r.stated = append(r.stated, st.Quote)
	cue = cue || st.Corrects != "" || s.Words[0].Low == "actually" || s.Words[0].Low == "correction"
	r.out.Claims = append(r.out.Claims, Claim{
		Kind: rel.Fact, Subject: st.Subject, Relation: relation, Value: st.Value, Many: rel.Many(relation),
		Corrects: st.Corrects, Correction: cue, Quote: st.Quote,
	})
	return true
}

// takesBack reports whether the sentence ends like a correction: "Tomas is 5, sorry", "it's at 4pm actually". A taste
// such as "rock actually" corrects nothing.
func takesBack(s english.Sentence) bool {
	last := s.Words[len(s.Words)-1]
	switch last.Low {
	case "sorry", "oops":
		return len(s.Words) > 1 && last.Comma
	case "actually":
		return len(s.Words) > 1 && (last.Comma || english.SpokenOf[s.Words[0].Low])
	}
	return false
}

// statement parses one clause that states something. Words from the byte believed on are not the speaker's own claim.
func (r *reading) statement(c english.Clause, believed int, cue bool) {
	before := len(r.out.Claims)
	span := r.spanIn(c, nil)
	cue = cue || c.Low(english.SkipLeads(c, 0)) == "actually"
	for i := 0; i < len(c.Words); {
		found, end := r.at(c, i)
		if end <= i {
			i++
			continue
		}
		if c.Words[i].Start < believed || len(found) > 0 && found[0].Kind == rel.Instruction {
			for _, f := range found {
				f.Span, f.Correction = span, f.Correction || cue || f.Corrects != ""
				r.out.Claims = append(r.out.Claims, f)
			}
		}
		i = end
	}
	if end := c.End(); end == 0 || c.Words[0].Start >= believed {
		return
	}
	r.arrival(c, span)
	r.departure(c)
	r.pronounNaming(c)
	r.loss(c)
	r.feeling(c)
	r.introduction(c)
	planned := r.promise(c) || r.plan(c) || r.cancels(c)
	if len(r.out.Claims) == before && !planned && !c.Understood { // "she is …" may be a momentary state
		r.free(c, span, cue)
		r.contrast(before, c, believed)
	}
}

// lowerSelf matches "i'm ann".
var lowerSelf = english.Compile("i am {name}")

// introduction reads a name typed in lower case in a greeting or an aside: "hi there, i'm ann", "i'm ann btw".
// Elsewhere "i'm" introduces a state.
func (r *reading) introduction(c english.Clause) {
	i := english.SkipLeads(c, 0)
	if m, ok := lowerSelf.Find(c, i); ok && (r.out.Greeting || r.aside(c)) && !r.claimed("name") && c.Words[m.From].Low == c.Text[c.Words[m.From].Start:c.Words[m.From].End] &&
		!english.Trades[c.Low(m.From)] && intensities[c.Low(m.From)] == 0 && !endsLikeState(c.Low(m.From)) && m.To-m.From == 1 && (m.To == len(c.Words) || c.Words[m.To].Comma) && !r.inSpan(c, m.From) {
		r.add(c, Claim{Kind: rel.Fact, Relation: "name", Value: c.Value(m)}, i, m.To)
	}
}

// aside reports whether the clause is a passing remark.
func (r *reading) aside(c english.Clause) bool {
	rest := strings.TrimLeft(english.Normalize(c.Text[c.End():]), " ,")
	return strings.HasPrefix(rest, "btw") || strings.HasPrefix(rest, "by the way")
}

// endsLikeState reports whether a word has the ending of a word for a state: "famished", "starving", "hopeful".
func endsLikeState(w string) bool {
	for _, ending := range [...]string{"ed", "ing", "ful", "ous", "less", "ish", "ant", "able"} {
		if strings.HasSuffix(w, ending) {
			return true
		}
	}
	return false
}

// at returns the claims that start at word i and the word after them.
func (r *reading) at(c english.Clause, i int) ([]Claim, int) {
	for _, bucket := range rel.Wordings().Statements.Candidates(c, i) {
		for w, k := bucket.Next(&c, 0); w != nil; w, k = bucket.Next(&c, k+1) {
			m, ok := w.Pattern.Find(c, i)
			if !ok || w.Row.Key == "name" && c.Low(i) == "this" && !r.out.Greeting {
				continue // "this is Max" with a picture names somebody else
			}
			found, end := claimsOf(c, w, m, i)
			more, end := follow(c, w, m, end)
			if introducesSubject(c, m, end) {
				end = m.From // "my sister Eva lives in Berlin": the next claim is about Eva
			}
			return append(found, more...), end
		}
	}
	return nil, i
}

// more holds the words that tell of an additional one.
var more = english.Set("another also second third fourth other too")

// tellsMore reports whether such a word is among words [from, to) or next to them.
func tellsMore(c english.Clause, from, to int) bool {
	for i := max(from-1, 0); i <= min(to, len(c.Words)-1); i++ {
		if more[c.Low(i)] {
			return true
		}
	}
	return false
}

// claimsOf returns the claims of a match: one, or one for each value of a list.
func claimsOf(c english.Clause, w *rel.Wording, m english.Match, start int) ([]Claim, int) {
	base := Claim{
		Kind: w.Row.Kind, Subject: m.Subject, Relation: w.Row.Key, Many: w.Row.Many,
		Negates: w.Stance == rel.Denied, Changed: w.Stance == rel.Changed || w.Stance == rel.Denied && (w.Changes || noLonger(c, max(m.To, m.End))),
	}
	if base.Kind == "" {
		base.Kind = rel.Fact
	}
	if strings.HasSuffix(w.Row.Key, ":") || strings.HasSuffix(w.Row.Key, " ") {
		base.Relation += m.Key
		base.Many = rel.Many(base.Relation) || w.Gains || w.Stance != rel.Denied && tellsMore(c, start, m.To)
	}
	if m.Kin != "" {
		base.Relation = rel.KinRelation(m.Kin, base.Relation)
		base.Many = rel.Many(base.Relation)
	}
	var wrong string
	end := max(m.To, m.End)
	if x, after := notAfter(c, m.To); after > 0 && w.Stance != rel.Denied {
		wrong, end = x, after
	}
	if w.Stance == rel.Denied && m.To == 0 && w.Row.Key == "works_as" {
		// People who left their job also left the workplace.
		quote := c.Span(start, end)
		base.Quote = quote
		place := base
		place.Relation = rel.KinRelation(m.Kin, "works_at")
		return []Claim{base, place}, end
	}
	if names := wrong == "" && namesOne[w.Value] && m.Plural; names {
		m.To = m.From + english.Listed(c, m.From, func(c english.Clause, i int) int { return english.NameRun(c, i, 4) })
		end = max(end, m.To)
	}
	if w.Stance == rel.Denied && (w.Row.Key == "has_pet" || w.Row.Key == "has_person") {
		return denialsOfKin(c, base, m, start, end), end
	}
	values := [][2]int{{m.From, m.To}}
	if english.Lists[w.Value] || namesOne[w.Value] && m.Plural {
		values = items(c, m.From, m.To)
	}
	var out []Claim
	for _, v := range values {
		one := base
		one.Value, one.Corrects = c.Span(v[0], v[1]), wrong
		if w.Row.Key == "habit" && !strings.HasSuffix(c.Low(v[0]), "ing") {
			one.Value = english.Gerund(c.Low(v[0])) + c.Text[c.Words[v[0]].End:c.Words[v[1]-1].End]
		}
		one.Many = one.Many || len(values) > 1
		one.Quote = c.Span(min(start, v[0]), min(end, len(c.Words)))
		out = append(out, one)
		if w.Row.Key == "owns" && w.Stance == rel.Denied && m.Kin == "" {
			one.Relation, one.Many = "drives", rel.Many("drives") // people do not drive what they have sold
			out = append(out, one)
		}
	}
	return out, end
}

// noLonger reports whether what ends before word i was true before: "I don't live in Riga any more".
func noLonger(c english.Clause, i int) bool {
	return c.Low(i) == "anymore" || c.Low(i) == "any" && (c.Low(i+1) == "more" || c.Low(i+1) == "longer")
}

// denialsOfKin returns what "I don't have a dog" denies: the dog and its name. A denied number denies only the kind
// as a whole: a person without two dogs may have one.
func denialsOfKin(c english.Clause, base Claim, m english.Match, start, end int) []Claim {
	base.Value, base.Quote = c.Value(m), c.Span(start, end)
	kin, _, _ := english.KinAt(c, m.From+1)
	kin = english.KinKey(kin)
	count := c.Low(m.From)
	if count == "any" {
		base.Value = c.Span(m.From+1, m.To)
	}
	switch {
	case kin == "pet":
		base.Value = "" // any earlier value
		return []Claim{base}
	case kin == "" || count != "a" && count != "an" && count != "any":
		return []Claim{base}
	}
	name := base
	name.Relation, name.Value = rel.KinRelation(base.kinOf(), rel.KinRelation(kin, "name")), ""
	if !english.IsAnimal(kin) {
		name.Relation = rel.KinRelation(base.kinOf(), "person_name:"+kin)
	}
	name.Many = rel.Many(name.Relation)
	return []Claim{base, name}
}

// kinOf returns the speaker's kin that the claim is about, empty for the speaker.
func (c Claim) kinOf() string {
	kin, _ := rel.CutKin(c.Relation)
	return kin
}

// namesOne holds the slots for one name, or for several after a plural: "my kids, Ines and Tomas".
var namesOne = english.Set("proper name self")

// introducesSubject reports whether a match ends with the name of the speaker's kin and a statement about them
// follows.
func introducesSubject(c english.Clause, m english.Match, end int) bool {
	if m.To != end || m.From == m.To || m.Key == "" || !english.ProperNoun(c, m.From) || english.ProperNoun(c, m.From-1) {
		return false
	}
	next := c.Low(end)
	return english.Shared[next] || english.Auxiliaries[next] || next == "'s"
}

// compounds holds words whose "and" is part of one value.
var compounds = english.Set("cheese roll chips vinegar butter white pepper jelly blues breakfast crafts bass")

// addition holds the words that begin a remark on a list and not another item.
var addition = english.Set("especially particularly mostly mainly even but including like such")

// items splits a list at commas and "and".
func items(c english.Clause, from, to int) [][2]int {
	var out [][2]int
	start := from
	for i := from; i <= to; i++ {
		and := i < to && (c.Low(i) == "and" || c.Low(i) == "or") && i > start && !compounds[c.Low(i+1)]
		if i == to || and || c.Words[i].Comma && i > start {
			if n := english.Trim(c, start, i-start); n > 0 && !addition[c.Low(start)] {
				out = append(out, [2]int{start, start + n})
			}
			start = i
			if and {
				start = i + 1
			}
		}
	}
	for _, item := range out {
		if item[1]-item[0] > 4 && len(out) > 1 { // "going out and watching the boats go by" is not a list
			return [][2]int{{from, to}}
		}
	}
	return out
}

// notAfter reads ", not Rex" after a value and returns the wrong value and the word after it.
func notAfter(c english.Clause, i int) (string, int) {
	if c.Low(i) == "and" {
		i++
	}
	if i == 0 || c.Low(i) != "not" || i+1 >= len(c.Words) {
		return "", 0
	}
	n := valueLength(c, i+1)
	if n == 0 {
		return "", 0
	}
	return c.Span(i+1, i+1+n), i + 1 + n
}

// follow reads further claims with the same subject: "I work as a nurse at Charité", "I'm Ann from Berlin".
func follow(c english.Clause, w *rel.Wording, m english.Match, end int) ([]Claim, int) {
	next, relation, kind := c.Low(end), "", "org"
	switch {
	case w.Stance == rel.Denied:
		return nil, end
	case w.Row.Key == "name" && agedAt(c, end):
		more, after := follow(c, w, m, end+1)
		return append([]Claim{{Kind: rel.Fact, Subject: m.Subject, Relation: "age", Value: next, Quote: c.Span(end, end+1)}}, more...), after
	case next == "and" && english.Counts[c.Low(end+1)] && (w.Row.Key == "pet_name:" || w.Row.Key == "person_name:"):
		return alsoNamed(c, m, end)
	case w.Row.Key == "works_as" && (next == "at" || next == "for"):
		relation = "works_at"
	case w.Row.Key == "name" && next == "from":
		relation, kind = "from", "place"
	}
	if relation == "" {
		return nil, end
	}
	n := english.Takes(kind, c, end+1)
	if n == 0 {
		return nil, end
	}
	value := c.Span(end+1, end+1+n)
	return []Claim{{Kind: rel.Fact, Subject: m.Subject, Relation: relation, Value: value, Quote: c.Span(end, end+1+n)}}, end + 1 + n
}

// agedAt reports whether an age between commas follows a name: "I'm Cara, 34, from Dublin".
func agedAt(c english.Clause, i int) bool {
	if age := c.Low(i); !english.IsNumber(age) || len(age) > 2 || !c.Words[i].Comma {
		return false
	}
	next := c.Low(i + 1)
	return next == "" || c.Words[i+1].Comma || next == "from" || next == "and"
}

// alsoNamed reads another possession of the same owner after "and": "I have a dog called Rex and a cat called Mia".
func alsoNamed(c english.Clause, m english.Match, and int) ([]Claim, int) {
	kin, plural, i := english.KinAt(c, and+2)
	if c.Low(i) == "called" || c.Low(i) == "named" {
		i++
	}
	n := english.NameRun(c, i, 4)
	if kin == "" || plural || n == 0 {
		return nil, and
	}
	relation := rel.KinRelation(m.Kin, rel.KinRelation(kin, "name"))
	return []Claim{{
		Kind: rel.Fact, Subject: m.Subject, Relation: relation, Value: c.Span(i, i+n), Many: rel.Many(relation), Quote: c.Span(and+1, i+n),
	}}, i + n
}

// spanIn returns the first time in the clause that fits, nil when none does.
func (r *reading) spanIn(c english.Clause, fits func(when.Span) bool) *when.Span {
	if len(c.Words) == 0 {
		return nil
	}
	// An understood subject may come from words far before the clause.
	from := c.Words[0].Start
	for k := 1; k < min(len(c.Words), subjectLimit+1); k++ {
		if c.Words[k].Start-c.Words[k-1].End > 3 {
			from = c.Words[k].Start
		}
	}
	for i := range r.spans {
		s := &r.spans[i]
		if s.End > from && s.Start < c.End() && (fits == nil || fits(*s)) {
			return s
		}
	}
	return nil
}
