package understand

import (
	"slices"
	"strings"

	"familiar/channels"
	"familiar/memory/understand/english"
	"familiar/memory/understand/reader"
	"familiar/memory/understand/rel"
	"familiar/memory/understand/world"
	"familiar/memory/understand/zones"
	"familiar/memory/when"
)

// Analyze parses one utterance: the first 16 KiB of its text without invisible characters and without what its author only
// passes on. What is told of people is read by
// the trained reader; requests, facts about the world and the tone have patterns. It never fails and omits what it does not
// understand.
func Analyze(u Utterance) Analysis {
	r := newReading(u)
	r.out.Version, r.out.Times, r.out.Told = Version, r.spans, told(r.passages)
	r.out.Zone, r.out.ZoneNamed = zones.Of(r.u.Text, u.At)
	r.out.Supposes = opensSupposing(r.u.Text, r.sentences)
	r.tone()
	for _, s := range r.sentences {
		r.sentence(s)
	}
	switch {
	case jests(r.sentences):
		r.out.Claims = nil
	case r.out.Forget:
	case len(r.out.Claims) == 0 && r.out.Question == nil && (r.answer() || r.correctsBefore()):
	case !r.out.Phatic:
		r.facts()
		r.contrasts()
	}
	for _, c := range r.out.Claims {
		r.out.Corrects = r.out.Corrects || c.Correction
	}
	r.out.Entities = entities(r.u.Text, r.sentences, r.out.Claims)
	return r.out
}

func opensSupposing(text string, sentences []english.Sentence) bool {
	return len(sentences) > 0 && supposes(english.NewClause(text, sentences[0].Words))
}

// reading parses one utterance.
type reading struct {
	u         Utterance
	sentences []english.Sentence
	spans     []when.Span
	passages  []reader.Reading
	// asked holds the sentences that ask for what was told.
	asked []english.Sentence
	// cued holds the sentences that are said to correct something: "No, …", "That's wrong. …". pending reports that the last
	// sentence announced one.
	cued    []english.Sentence
	pending bool
	out     Analysis
}

func newReading(u Utterance) *reading {
	u.Text = english.Legible(channels.OwnWords(u.Text))
	return &reading{u: u, sentences: english.Split(u.Text), spans: when.Find(u.Text, u.At), passages: reader.Read(u.Text)}
}

// text returns the bytes [start, end) of the utterance.
func (r *reading) text(start, end int) string { return r.u.Text[start:end] }

// marked returns the text of a sentence with the marks at its end.
func (r *reading) marked(s english.Sentence) string {
	start, end := bounds(s)
	for end < len(r.u.Text) && strings.IndexByte("?!.", r.u.Text[end]) >= 0 {
		end++
	}
	return r.text(start, end)
}

// bounds returns where the sentence begins and ends, in bytes.
func bounds(s english.Sentence) (start, end int) {
	return s.Words[0].Start, s.Words[len(s.Words)-1].End
}

// sentence reads what patterns read in a sentence: requests, facts about the world, wishes and questions.
func (r *reading) sentence(s english.Sentence) {
	if r.forgets(s) {
		return
	}
	announces := announcesCorrection(s)
	if r.pending || opensCorrection(s) {
		r.cued = append(r.cued, s)
	}
	r.pending = announces
	r.out.Corrects = r.out.Corrects || announces
	if r.worldFact(s) {
		return
	}
	asked := reader.Ask(r.marked(s))
	cs := english.Clauses(r.u.Text, s)
	for i, c := range cs {
		switch {
		case asked.Recalls < sureOfQuestion && r.meant(c.Words[0].Start) && r.wish(c, s):
		case i == len(cs)-1 && (asked.Recalls >= sureOfQuestion || s.Asks && !supposes(c)), english.Question(c):
			r.question(c, s, asked)
		default:
			r.promise(c)
		}
	}
}

// worldFact reads a sentence that states something about the world. It reports whether it did.
func (r *reading) worldFact(s english.Sentence) bool {
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
	r.out.Claims = append(r.out.Claims, Claim{
		Kind: rel.Fact, Subject: st.Subject, Relation: relation, Value: st.Value, Many: rel.Many(relation), Corrects: st.Corrects,
		Correction: st.Corrects != "" || s.Words[0].Low == "actually" || s.Words[0].Low == "correction", Quote: st.Quote,
	})
	return true
}

// add adds a claim read from words [from, to).
func (r *reading) add(c english.Clause, claim Claim, from, to int) {
	claim.Quote = c.Span(from, min(to, len(c.Words)))
	r.out.Claims = append(r.out.Claims, claim)
}

// spanIn returns the first time in the bytes [start, end) that fits, nil when none does.
func (r *reading) spanIn(start, end int, fits func(when.Span) bool) *when.Span {
	i := slices.IndexFunc(r.spans, func(s when.Span) bool { return s.End > start && s.Start < end && (fits == nil || fits(s)) })
	if i < 0 {
		return nil
	}
	return &r.spans[i]
}
