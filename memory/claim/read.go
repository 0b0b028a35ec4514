package claim

import (
	"math"
	"strings"

	"familiar/memory/when"
)

// Read reads everything it can out of one utterance. It believes only what is said plainly and by the speaker: nothing
// supposed ("if I had a dog"), reported ("she said her name is Ann"), quoted or asked becomes a claim. It reads the
// first 16 KiB of the text, without what is invisible in it, and never fails: what it does not understand it leaves out.
func Read(u Utterance) Reading {
	u.Text = legible(u.Text)
	r := reader{u: u, sentences: split(u.Text), spans: when.Find(u.Text, u.At)}
	r.tone()
	for i, s := range r.sentences {
		r.sentence(i, s)
	}
	r.succeed()
	if jests(r.sentences) {
		r.out.Claims = nil
	}
	if len(r.out.Claims) == 0 && r.out.Question == nil && !r.out.Forget {
		r.answer()
	}
	for _, c := range r.out.Claims {
		r.out.Corrects = r.out.Corrects || c.Correction
	}
	r.out.Entities = entities(u.Text, r.sentences, r.out.Claims)
	return r.out
}

// reader is one utterance being read.
type reader struct {
	u         Utterance
	sentences []sentence
	spans     []when.Span
	out       Reading
	// who was spoken of last, whom "she" and "he" mean.
	who someone
	// arrived are the places and trades that the speaker is in now, in case it is said what they left.
	arrived []arrival
	// departed are what the speaker has left, should it turn out to be where they worked.
	departed []Claim
	// moving is the plan of which it was said when it is not.
	moving string
	// cue says that the sentence being read corrects what was said before.
	cue bool
	// pending says that the sentence before announced a correction: "That's wrong. I live in Oslo."
	pending bool
}

// sentence reads the nth sentence.
func (r *reader) sentence(n int, s sentence) {
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
	if believed == math.MaxInt && r.state(s, cue) {
		return
	}
	cs := clauses(r.u.Text, s)
	for i, c := range cs {
		c = r.who.understood(c, believed)
		r.who = r.who.after(c)
		asks := question(c) || s.asks && i == len(cs)-1 && !supposes(c)
		switch {
		case r.wish(c, s, believed):
		case asks:
			r.question(c)
		case !s.asks || i < len(cs)-1:
			r.statement(c, believed, cue)
		}
	}
	r.settleDenial(before, s)
}

// takesBack says that the sentence ends as one does who was wrong before: "Tomas is 5, sorry", "it's at 4pm actually". Who
// likes "rock actually" takes nothing back.
func takesBack(s sentence) bool {
	last := s.words[len(s.words)-1]
	switch last.low {
	case "sorry", "oops":
		return len(s.words) > 1 && last.comma
	case "actually":
		return len(s.words) > 1 && (last.comma || spokenOf[s.words[0].low])
	}
	return false
}

// statement reads one clause that states something. Words from the byte believed on are not the speaker's own claim.
func (r *reader) statement(c clause, believed int, cue bool) {
	before := len(r.out.Claims)
	span := r.spanIn(c, nil)
	cue = cue || c.low(skipLeads(c, 0)) == "actually"
	for i := 0; i < len(c.words); {
		found, end := r.at(c, i)
		if end <= i {
			i++
			continue
		}
		if c.words[i].start < believed || len(found) > 0 && found[0].Kind == Instruction {
			for _, f := range found {
				f.Span, f.Correction = span, f.Correction || cue || f.Corrects != ""
				r.out.Claims = append(r.out.Claims, f)
			}
		}
		i = end
	}
	if end := c.end(); end == 0 || c.words[0].start >= believed {
		return
	}
	r.arrival(c, span)
	r.departure(c)
	r.pronounNaming(c)
	r.loss(c)
	r.feeling(c)
	r.introduction(c)
	planned := r.promise(c) || r.plan(c) || r.cancels(c)
	if len(r.out.Claims) == before && !planned && !c.understood { // how "she" is may be of the moment
		r.free(c, span, cue)
		r.contrast(before, c, believed)
	}
}

// lowerSelf is "i'm ann".
var lowerSelf = compile("i am {name}")

// introduction reads a name typed in lower case where one greets or adds it: "hi there, i'm ann", "i'm ann btw".
// Elsewhere "i'm" tells how somebody is.
func (r *reader) introduction(c clause) {
	i := skipLeads(c, 0)
	if m, ok := lowerSelf.find(c, i); ok && (r.out.Greeting || r.aside(c)) && !r.claimed("name") && c.words[m.from].low == c.text[c.words[m.from].start:c.words[m.from].end] &&
		!trades[c.low(m.from)] && intensities[c.low(m.from)] == 0 && !endsLikeState(c.low(m.from)) && m.to-m.from == 1 && (m.to == len(c.words) || c.words[m.to].comma) && !r.inSpan(c, m.from) {
		r.add(c, Claim{Kind: Fact, Relation: "name", Value: c.value(m)}, i, m.to)
	}
}

// aside says that the clause is told by the way.
func (r *reader) aside(c clause) bool {
	rest := strings.TrimLeft(fold(c.text[c.end():]), " ,")
	return strings.HasPrefix(rest, "btw") || strings.HasPrefix(rest, "by the way")
}

// endsLikeState says that a word is built like one for how somebody is: "famished", "starving", "hopeful".
func endsLikeState(w string) bool {
	for _, ending := range [...]string{"ed", "ing", "ful", "ous", "less", "ish", "ant", "able"} {
		if strings.HasSuffix(w, ending) {
			return true
		}
	}
	return false
}

// at reads the claims that start at word i and the word after them.
func (r *reader) at(c clause, i int) ([]Claim, int) {
	for _, bucket := range table().statements.candidates(c, i) {
		for k := range bucket {
			w := &bucket[k]
			m, ok := w.pattern.find(c, i)
			if !ok || w.row.key == "name" && c.low(i) == "this" && !r.out.Greeting {
				continue // "this is Max" under a picture names somebody else
			}
			found, end := claimsOf(c, w, m, i)
			more, end := follow(c, w, m, end)
			if introducesSubject(c, m, end) {
				end = m.from // "my sister Eva lives in Berlin": Eva is who the next claim is about
			}
			return append(found, more...), end
		}
	}
	return nil, i
}

// more are the words that tell of one beside those known.
var more = set("another also second third fourth other too")

// tellsMore says that such a word stands among words [from, to) or around them.
func tellsMore(c clause, from, to int) bool {
	for i := max(from-1, 0); i <= min(to, len(c.words)-1); i++ {
		if more[c.low(i)] {
			return true
		}
	}
	return false
}

// claimsOf makes the claims of a match: one, or one for each value of a list.
func claimsOf(c clause, w *wording, m match, start int) ([]Claim, int) {
	base := Claim{
		Kind: w.row.kind, Subject: m.subject, Relation: w.row.key, Many: w.row.many,
		Negates: w.stance == denied, Changed: w.stance == changed || w.stance == denied && (w.changes || noLonger(c, max(m.to, m.end))),
	}
	if base.Kind == "" {
		base.Kind = Fact
	}
	if strings.HasSuffix(w.row.key, ":") || strings.HasSuffix(w.row.key, " ") {
		base.Relation += m.key
		base.Many = Many(base.Relation) || w.gains || w.stance != denied && tellsMore(c, start, m.to)
	}
	if m.kin != "" {
		base.Relation = kinRelation(m.kin, base.Relation)
		base.Many = Many(base.Relation)
	}
	var wrong string
	end := max(m.to, m.end)
	if x, after := notAfter(c, m.to); after > 0 && w.stance != denied {
		wrong, end = x, after
	}
	if w.stance == denied && m.to == 0 && w.row.key == "works_as" {
		// Who has left their job has left the place as well.
		quote := c.span(start, end)
		base.Quote = quote
		place := base
		place.Relation = kinRelation(m.kin, "works_at")
		return []Claim{base, place}, end
	}
	if names := wrong == "" && namesOne[w.value] && m.plural; names {
		m.to = m.from + listed(c, m.from, func(c clause, i int) int { return nameRun(c, i, 4) })
		end = max(end, m.to)
	}
	if w.stance == denied && (w.row.key == "has_pet" || w.row.key == "has_person") {
		return denialsOfKin(c, base, m, start, end), end
	}
	values := [][2]int{{m.from, m.to}}
	if lists[w.value] || namesOne[w.value] && m.plural {
		values = items(c, m.from, m.to)
	}
	var out []Claim
	for _, v := range values {
		one := base
		one.Value, one.Corrects = c.span(v[0], v[1]), wrong
		if w.row.key == "habit" && !strings.HasSuffix(c.low(v[0]), "ing") {
			one.Value = gerund(c.low(v[0])) + c.text[c.words[v[0]].end:c.words[v[1]-1].end]
		}
		one.Many = one.Many || len(values) > 1
		one.Quote = c.span(min(start, v[0]), min(end, len(c.words)))
		out = append(out, one)
		if w.row.key == "owns" && w.stance == denied && m.kin == "" {
			one.Relation, one.Many = "drives", Many("drives") // nobody drives what they have sold
			out = append(out, one)
		}
	}
	return out, end
}

// noLonger says that what ends before word i was so once: "I don't live in Riga any more".
func noLonger(c clause, i int) bool {
	return c.low(i) == "anymore" || c.low(i) == "any" && (c.low(i+1) == "more" || c.low(i+1) == "longer")
}

// denialsOfKin are what "I don't have a dog" takes back: that there is one, and with it the name it was given. Of many
// only the whole kind is denied: whoever has no two dogs may have one.
func denialsOfKin(c clause, base Claim, m match, start, end int) []Claim {
	base.Value, base.Quote = c.value(m), c.span(start, end)
	kin, _, _ := kinAt(c, m.from+1)
	kin = kinKey(kin)
	count := c.low(m.from)
	if count == "any" {
		base.Value = c.span(m.from+1, m.to)
	}
	switch {
	case kin == "pet":
		base.Value = "" // whatever there was
		return []Claim{base}
	case kin == "" || count != "a" && count != "an" && count != "any":
		return []Claim{base}
	}
	name := base
	name.Relation, name.Value = kinRelation(base.kinOf(), kinRelation(kin, "name")), ""
	if !isAnimal(kin) {
		name.Relation = kinRelation(base.kinOf(), "person_name:"+kin)
	}
	name.Many = Many(name.Relation)
	return []Claim{base, name}
}

// kinOf is the speaker's kin that the claim is about, empty for the speaker.
func (c Claim) kinOf() string {
	kin, _ := cutKin(c.Relation)
	return kin
}

// namesOne are the slots that hold one name, or those of several where several are named: "my kids, Ines and Tomas".
var namesOne = set("proper name self")

// introducesSubject says that a match ends with the name of the speaker's kin, of whom something is told at once.
func introducesSubject(c clause, m match, end int) bool {
	if m.to != end || m.from == m.to || m.key == "" || !properNoun(c, m.from) || properNoun(c, m.from-1) {
		return false
	}
	next := c.low(end)
	return shared[next] || auxiliaries[next] || next == "'s"
}

// compounds are values whose "and" joins no two things.
var compounds = set("cheese roll chips vinegar butter white pepper jelly blues breakfast crafts bass")

// addition are the words that begin a remark on a list rather than another thing in it.
var addition = set("especially particularly mostly mainly even but including like such")

// items cuts a list at commas and "and".
func items(c clause, from, to int) [][2]int {
	var out [][2]int
	start := from
	for i := from; i <= to; i++ {
		and := i < to && (c.low(i) == "and" || c.low(i) == "or") && i > start && !compounds[c.low(i+1)]
		if i == to || and || c.words[i].comma && i > start {
			if n := trim(c, start, i-start); n > 0 && !addition[c.low(start)] {
				out = append(out, [2]int{start, start + n})
			}
			start = i
			if and {
				start = i + 1
			}
		}
	}
	for _, item := range out {
		if item[1]-item[0] > 4 && len(out) > 1 { // "going out and watching the boats go by": no list
			return [][2]int{{from, to}}
		}
	}
	return out
}

// notAfter reads ", not Rex" after a value and returns the wrong value and the word after it.
func notAfter(c clause, i int) (string, int) {
	if c.low(i) == "and" {
		i++
	}
	if i == 0 || c.low(i) != "not" || i+1 >= len(c.words) {
		return "", 0
	}
	n := valueLength(c, i+1)
	if n == 0 {
		return "", 0
	}
	return c.span(i+1, i+1+n), i + 1 + n
}

// follow reads what the subject need not be repeated for: "I work as a nurse at Charité", "I'm Ann from Berlin".
func follow(c clause, w *wording, m match, end int) ([]Claim, int) {
	next, relation, kind := c.low(end), "", "org"
	switch {
	case w.stance == denied:
		return nil, end
	case w.row.key == "name" && agedAt(c, end):
		more, after := follow(c, w, m, end+1)
		return append([]Claim{{Kind: Fact, Subject: m.subject, Relation: "age", Value: next, Quote: c.span(end, end+1)}}, more...), after
	case next == "and" && counts[c.low(end+1)] && (w.row.key == "pet_name:" || w.row.key == "person_name:"):
		return alsoNamed(c, m, end)
	case w.row.key == "works_as" && (next == "at" || next == "for"):
		relation = "works_at"
	case w.row.key == "name" && next == "from":
		relation, kind = "from", "place"
	}
	if relation == "" {
		return nil, end
	}
	n := takes(kind, c, end+1)
	if n == 0 {
		return nil, end
	}
	value := c.span(end+1, end+1+n)
	return []Claim{{Kind: Fact, Subject: m.subject, Relation: relation, Value: value, Quote: c.span(end, end+1+n)}}, end + 1 + n
}

// agedAt says that an age stands between commas behind a name: "I'm Cara, 34, from Dublin".
func agedAt(c clause, i int) bool {
	if age := c.low(i); !isNumber(age) || len(age) > 2 || !c.words[i].comma {
		return false
	}
	next := c.low(i + 1)
	return next == "" || c.words[i+1].comma || next == "from" || next == "and"
}

// alsoNamed reads another of the same owner at the "and": "I have a dog called Rex and a cat called Mia".
func alsoNamed(c clause, m match, and int) ([]Claim, int) {
	kin, plural, i := kinAt(c, and+2)
	if c.low(i) == "called" || c.low(i) == "named" {
		i++
	}
	n := nameRun(c, i, 4)
	if kin == "" || plural || n == 0 {
		return nil, and
	}
	relation := kinRelation(m.kin, kinRelation(kin, "name"))
	return []Claim{{
		Kind: Fact, Subject: m.subject, Relation: relation, Value: c.span(i, i+n), Many: Many(relation), Quote: c.span(and+1, i+n),
	}}, i + n
}

// end is the byte after the clause.
func (c clause) end() int {
	if len(c.words) == 0 {
		return 0
	}
	return c.words[len(c.words)-1].end
}

// spanIn is the first time named in the clause that fits, nil when none does.
func (r *reader) spanIn(c clause, fits func(when.Span) bool) *when.Span {
	if len(c.words) == 0 {
		return nil
	}
	// An understood subject of a few words stands far before the clause's own.
	from := c.words[0].start
	for k := 1; k < min(len(c.words), subjectLimit+1); k++ {
		if c.words[k].start-c.words[k-1].end > 3 {
			from = c.words[k].start
		}
	}
	for i := range r.spans {
		s := &r.spans[i]
		if s.End > from && s.Start < c.end() && (fits == nil || fits(*s)) {
			return s
		}
	}
	return nil
}
