package understand

import (
	"slices"
	"strings"
	"time"

	"familiar/memory/understand/english"
	"familiar/memory/understand/reader"
	"familiar/memory/understand/rel"
)

// What the trained reader adds: facts in wordings that no pattern has, and which messages are not meant.

const (
	// sureEnough is how likely a fact must be to become a claim: four of five are right.
	sureEnough = 0.6
	// sureOfState is how likely it must be that a remark tells a lasting state: people remark on bakeries, tennis and
	// midwives that are not their own.
	sureOfState = 0.7
	// sureOfPair is how likely it must be if the message has the right and the wrong value.
	sureOfPair = 0.35
	// notMeant is how likely a message must be a joke, a supposition or a quotation to claim nothing.
	notMeant = 0.7
)

// direct maps the reader's relations that are kept under a key of their own to that key.
var direct = map[string]string{
	"name": "name", "age": "age", "birthday": "birthday", "birth_year": "birth_year", "from": "from", "born_in": "born_in",
	"nationality": "nationality", "speaks": "speaks", "religion": "religion", "lives_in": "lives_in", "works_as": "works_as",
	"works_at": "works_at", "hours": "hours", "earns": "earns", "studies": "studies", "studies_at": "studies_at", "grade": "grade",
	"marital_status": "marital_status", "allergic_to": "allergic_to", "illness": "illness", "injury": "injury", "medicine": "medicine",
	"diet": "diet", "afraid_of": "afraid_of", "hobby": "hobby", "plays": "plays", "drives": "drives", "owns": "owns", "bought": "bought",
	"lost": "lost", "habit": "habit", "event": "event", "goal": "goal", "wish": "wish", "pronouns": "pronouns", "together_with": "together_with",
}

// learn adds what the trained reader reads to the claims.
func (r *reading) learn() {
	for _, p := range reader.Read(r.u.Text[:min(len(r.u.Text), english.ReadLimit)]) {
		if (p.Class == "supposes" || p.Class == "quotes") && p.Sure >= notMeant {
			r.out.Claims = slices.DeleteFunc(r.out.Claims, func(c Claim) bool { return c.Kind != rel.Instruction && r.quotedIn(c, p) })
			continue
		}
		l := learner{reading: r, passage: p}
		l.doubt()
		l.before = len(r.out.Claims)
		for i := range p.Facts {
			l.fact(&p.Facts[i])
		}
	}
}

// quotedIn reports whether the claim comes from the passage.
func (r *reading) quotedIn(c Claim, p reader.Reading) bool {
	return strings.Contains(r.u.Text[p.Start:p.End], c.Quote)
}

// learner turns the facts of a passage into claims.
type learner struct {
	*reading
	passage reader.Reading
	// before is how many claims there were before.
	before int
}

const (
	// plainLength is the longest sentence in words whose claims need no second opinion: "I'm Ann".
	plainLength = 7
	// otherwise is how likely a fact must be for a claim of the same words with another relation to be wrong.
	otherwise = 0.5
)

// doubt drops what patterns claim in longer sentences where the reader reads something else of the same words. Claims that
// any words would fit ("I'm …", "my … is …") also need that it reads the words as a value at all.
func (l *learner) doubt() {
	l.out.Claims = slices.DeleteFunc(l.out.Claims, func(c Claim) bool {
		if c.Kind == rel.Instruction || c.Kind == rel.Promise || c.Value == "" || c.Changed || c.Corrects != "" || slices.Contains(l.stated, c.Quote) || !l.quotedIn(c, l.passage) || l.isPlain(c) {
			return false
		}
		read, same := false, false
		for _, f := range l.passage.Facts {
			value := l.text(f.Start, f.End)
			if !strings.Contains(c.Value, value) && !strings.Contains(value, c.Value) {
				continue
			}
			if sameKind(c.Relation, f.Relation) {
				same = true
			}
			read = read || f.Sure >= otherwise && strings.Contains(value, c.Value)
		}
		if same {
			return false
		}
		row, _ := rel.Find(c.Relation)
		return read || row.Key == "name" || row.Key == "" && c.Kind == rel.Fact && c.Relation != "" && !Death(c.Relation)
	})
}

// isPlain reports whether the claim's sentence is short.
func (l *learner) isPlain(c Claim) bool {
	for _, s := range l.sentences {
		if len(s.Words) > 0 && strings.Contains(l.text(s.Words[0].Start, s.Words[len(s.Words)-1].End), c.Quote) {
			return len(s.Words) <= plainLength
		}
	}
	return false
}

// sameKind reports whether a claim's relation may be what the reader means by its relation.
func sameKind(relation, read string) bool {
	_, of := rel.CutKin(relation)
	head, _, _ := strings.Cut(of, ":")
	switch read {
	case head, of:
		return true
	case "person", "pet":
		return of == "has_"+read
	case "died":
		return of == rel.DeathRelation
	case "together_with", "person_name":
		return of == "spouse" || head == "person_name" || of == "together_with" || of == "has_person"
	case "birthday", "birth_year":
		return of == "birthday" || of == "birth_year"
	case "favourite":
		return strings.HasPrefix(of, "favourite ")
	case "bought", "drives", "owns":
		return of == "owns" || of == "drives"
	case "from", "born_in", "lives_in":
		return of == "from" || of == "born_in"
	case "fact", "event", "habit", "hobby", "plan", "goal", "count":
		row, _ := rel.Find(of)
		return row.Key == "" || of == "habit" || of == "hobby"
	}
	return false
}

// subject is whom a fact is about: the speaker, their kin, somebody with a name, or a thing.
type subject struct{ kin, name, thing string }

func (l *learner) text(start, end int) string { return l.u.Text[start:end] }

// fact adds one fact.
func (l *learner) fact(f *reader.Fact) {
	if f.Sure < l.enough(f) || l.asked(f) || !l.meantSo(f) {
		return
	}
	of, ok := l.subject(f)
	if !ok {
		return
	}
	c := Claim{Kind: rel.Fact, Value: strings.TrimSpace(l.text(f.Start, f.End)), Negates: f.Denied, Quote: l.sentenceOf(f)}
	if !l.relate(&c, f, of) || f.Replaced && l.replaces(f) {
		return
	}
	if f.Replaced {
		c.Negates = true
	}
	switch l.passage.Class {
	case "changes":
		c.Changed = true
	case "corrects":
		if c.Corrects = l.replaced(f); c.Corrects == c.Value {
			c.Corrects = ""
		}
		c.Correction = c.Corrects != ""
	}
	c.Many = rel.Many(c.Relation)
	if !l.known(c, f) {
		l.out.Claims = append(l.out.Claims, c)
	}
}

// lasting holds the relations that remarks on the day are easily read as.
var lasting = english.Set("works_as works_at plays lives_in studies_at")

// lately is how long ago a day may be that a remark is about.
const lately = 60 * 24 * time.Hour

// enough returns how sure a fact must be. What happened on a day is no state, unless it tells of a change.
func (l *learner) enough(f *reader.Fact) float64 {
	if l.paired(f) {
		return sureOfPair
	}
	if !lasting[f.Relation] || l.passage.Class == "changes" || l.passage.Class == "corrects" {
		return sureEnough
	}
	for _, s := range l.spans {
		if s.Past && s.Start >= l.passage.Start && s.End <= l.passage.End && l.u.At.Sub(s.From) < lately {
			return 1
		}
	}
	return sureOfState
}

// paired reports whether the passage has the right and the wrong value of one relation: each confirms the other.
func (l *learner) paired(f *reader.Fact) bool {
	return (l.passage.Class == "corrects" || l.passage.Class == "changes") && slices.ContainsFunc(l.passage.Facts, func(o reader.Fact) bool {
		return o.Relation == f.Relation && o.Replaced != f.Replaced && o.Sure >= sureOfPair
	})
}

// asked reports whether the fact is in a question about what was told: "is my sister called Ana?".
func (l *learner) asked(f *reader.Fact) bool {
	q := l.out.Question
	if q == nil || len(q.Relations) == 0 && !q.YesNo {
		return false
	}
	for _, s := range l.sentences {
		if s.Asks && s.Words[0].Start <= f.Start && f.Start < s.Words[len(s.Words)-1].End {
			return true
		}
	}
	return false
}

// meantSo reports whether the fact is the speaker's own assertion: not reported or supposed, not about the persona, not
// asked back ("my dog is called Rex?"), and more than a bare correction of what the persona said.
func (l *learner) meantSo(f *reader.Fact) bool {
	for n, s := range l.sentences {
		if s.Words[0].Start > f.Start || s.Words[len(s.Words)-1].End <= f.Start {
			continue
		}
		if f.Relation != "wish" && f.Start >= believable(s) {
			return false
		}
		cs := l.clauses(n)
		if last := cs[len(cs)-1]; s.Asks && len(last.Words) > 0 && last.Words[0].Start <= f.Start && !english.Question(last) {
			return false
		}
		c := english.Clause{Text: l.u.Text, Words: s.Words}
		for i := range c.Words {
			if c.Words[i].Start < f.Start && f.Start-c.Words[i].Start < yoursWithin && yours[c.Low(i)] {
				return false
			}
		}
		return l.u.Before == "" || l.passage.Class != "corrects" || len(s.Words) > bareCorrection
	}
	return true
}

const (
	// yoursWithin is how many bytes before a value "your" tells that it is about the persona.
	yoursWithin = 16
	// bareCorrection is the longest sentence in words that only corrects, which elliptical reads.
	bareCorrection = 5
)

var yours = english.Set("your you")

// sentenceOf returns the sentence of the fact, as its quote.
func (l *learner) sentenceOf(f *reader.Fact) string {
	for _, s := range l.sentences {
		if start, end := s.Words[0].Start, s.Words[len(s.Words)-1].End; start <= f.Start && f.End <= end {
			return l.text(start, end)
		}
	}
	return l.text(f.Start, f.End)
}

// replaces reports whether the passage gives another value in place of the fact's.
func (l *learner) replaces(f *reader.Fact) bool {
	return slices.ContainsFunc(l.passage.Facts, func(o reader.Fact) bool { return !o.Replaced && !o.Denied && o.Relation == f.Relation })
}

// replaced returns the wrong value that the fact's value replaces, empty when the passage does not give it.
func (l *learner) replaced(f *reader.Fact) string {
	for _, o := range l.passage.Facts {
		if o.Replaced && o.Relation == f.Relation {
			return l.text(o.Start, o.End)
		}
	}
	return ""
}

// subject returns whom the fact is about. ok is false when that is unclear.
func (l *learner) subject(f *reader.Fact) (of subject, ok bool) {
	if f.SubjectStart == f.SubjectEnd {
		return subject{}, true
	}
	word := l.text(f.SubjectStart, f.SubjectEnd)
	low := english.Normalize(word)
	switch low {
	case "i", "me", "we", "us":
		return subject{}, true
	case "he", "she", "they", "him", "her", "it":
		return l.meant(f)
	}
	if kin := l.kinAt(f.SubjectStart); kin != "" {
		return subject{kin: kin}, true
	}
	if english.Words(word)[0].Capital && f.SubjectStart > l.passage.Start {
		return subject{name: word}, true
	}
	if f.Relation != "fact" && f.Relation != "favourite" && l.owned(f.SubjectStart) {
		return subject{kin: low}, true // "my wee lad"
	}
	return subject{thing: low}, true
}

// ownedWithin is how many words before a noun "my" may be.
const ownedWithin = 3

// owned reports whether the noun at the byte is the speaker's: "my wee lad".
func (l *learner) owned(start int) bool {
	for _, s := range l.sentences {
		for i, w := range s.Words {
			for k := max(i-ownedWithin, 0); w.Start == start && k < i; k++ {
				if low := s.Words[k].Low; low == "my" || low == "our" {
					return true
				}
			}
		}
	}
	return false
}

// kinAt returns the kin that the word at the byte names, empty for none.
func (l *learner) kinAt(start int) string {
	for _, s := range l.sentences {
		c := english.Clause{Text: l.u.Text, Words: s.Words}
		for i, w := range s.Words {
			if w.Start > start || w.End <= start {
				continue
			}
			for _, from := range [...]int{max(i-1, 0), i} { // "best friend"
				if kin, _, end := english.KinAt(c, from); kin != "" && end > i {
					return kin
				}
			}
		}
	}
	return ""
}

// meant returns whom a pronoun means: the last person or animal that the passage tells of before.
func (l *learner) meant(f *reader.Fact) (of subject, ok bool) {
	for _, o := range l.passage.Facts {
		if o.Start >= f.Start {
			break
		}
		if o.SubjectStart < o.SubjectEnd && o.SubjectEnd <= f.SubjectStart {
			if kin := l.kinAt(o.SubjectStart); kin != "" {
				of, ok = subject{kin: kin}, true
			}
		} else if o.Relation == "person" || o.Relation == "pet" {
			if kin := l.kinAt(lastWordStart(l.u.Text, o)); kin != "" {
				of, ok = subject{kin: kin}, true
			}
		}
	}
	return of, ok
}

func lastWordStart(text string, f reader.Fact) int {
	return f.Start + strings.LastIndexByte(text[f.Start:f.End], ' ') + 1
}

// known reports whether the claims already say this, or something else of its words.
func (l *learner) known(c Claim, f *reader.Fact) bool {
	value := english.Normalize(c.Value)
	return slices.ContainsFunc(l.out.Claims[:l.before], func(o Claim) bool {
		at := strings.Index(l.u.Text, o.Quote)
		return at <= f.Start && f.Start < at+len(o.Quote) || o.Relation == c.Relation && o.Subject == c.Subject && !c.Many ||
			english.Normalize(o.Value) == value || o.Corrects != "" && english.Normalize(o.Corrects) == value
	}) || slices.ContainsFunc(l.out.Claims[l.before:], func(o Claim) bool {
		return o.Relation == c.Relation && o.Subject == c.Subject && (!c.Many || o.Value == c.Value)
	})
}
