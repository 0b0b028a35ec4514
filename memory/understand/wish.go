package understand

import (
	"slices"

	"familiar/memory/understand/english"
	"familiar/memory/understand/reader"
	"familiar/memory/understand/rel"
	"familiar/memory/when"
)

// Standing wishes and promises.

// standing are the wordings that make any imperative after them a standing wish.
var standing = english.CompileAll("from now on", "from today on", "from here on", "in the? future", "going forward")

// asking are the wordings that make an imperative about the speaker a standing wish. People also use them for advice.
var asking = english.CompileAll("make sure you? to?", "i want|need you to", "i would like you to", "remember to", "do not forget to")

// requesting are the wordings that need an imperative that is a wish by itself.
var requesting = english.CompileAll("you should|must", "can|could|will|would you")

// manners holds the verbs for ways of talking. A wish with one of them is meant for the persona.
var manners = english.Set("use say ask call greet mention answer reply respond speak write tell talk send swear lie remind start end address sign keep explain " +
	"include add avoid refer begin translate joke flatter apologise apologize")

// habitual are the imperatives about how to talk, which need no "always".
var habitual = english.CompileAll("speak|talk|write|answer|reply|respond|text to|with? me in", "keep your|things|answers|replies", "keep it short|brief|simple|concise|light|casual|formal|clean", "answer|reply|respond|speak in|with|briefly|shortly", "be brief|concise|short|direct|honest|gentle",
	"greet me with|as|by|like|in", "use simple|short|plain|fewer|more|less", "avoid")

// refusals are the imperatives about what not to do.
var refusals = english.CompileAll("do not ever? call|ask|mention|tell|talk|speak|use|greet|remind|send|say|bring|write|swear|lecture|judge", "stop using|asking|mentioning|saying|talking|lecturing|reminding|apologising|apologizing")

// notImperative holds the words after "always" and "never" that do not make a wish.
var notImperative = english.Set("a an the been mind liked had was is are knew good nice wanted thought seen said have again knows happens ever more felt loved " +
	"heard better too so late happy fun welcome there here in on my your his her")

// occasions begin a wish about an occasion: "whenever I say hi, say ahoy".
var occasions = english.CompileAll("whenever|everytime i|we", "every|each|any time i|we", "when i|we greet|say|ask|write|come|tell|talk|mention")

// wish reads a standing wish in the clause. It leaves the wishes of the table ("call me Captain") to the table.
func (r *reading) wish(c english.Clause, s english.Sentence) bool {
	i := english.SkipLeads(c, 0)
	if i >= len(c.Words) || c.Words[i].Quoted {
		return false
	}
	polite := i > 0 && c.Low(i-1) == "please"
	lead, strong := wishLead(c, i)
	polite = polite || lead > i && c.Low(lead-1) == "please"
	if r.address(c, lead) {
		return true
	}
	if len(c.Words) > lead && c.Low(lead) == "remember" && lead == i {
		return r.remember(c, s, lead)
	}
	if !imperative(c, lead, strong, polite) && !occasion(c, s, i) {
		return false
	}
	end := s.Words[len(s.Words)-1].End
	next := 0
	if !occasion(c, s, i) {
		next = anotherWish(s, c.Words[lead].Start)
	}
	if next > 0 {
		end = s.Words[next-2].End // the word before the "and"
	} else if own := butOwn(s, c.Words[lead].Start); own > 0 {
		end = s.Words[own-1].End
	}
	r.out.Claims = append(r.out.Claims, Claim{
		Kind: rel.Instruction, Relation: "instruction", Value: c.Text[c.Words[lead].Start:end], Many: true, Quote: c.Text[c.Words[i].Start:end],
	})
	if next > 0 && s.Words[next].Start < c.End() { // otherwise it is parsed as a clause
		rest := english.Sentence{Words: s.Words[next:]}
		r.wishAfter(english.NewClause(c.Text, rest.Words), rest)
	}
	return true
}

// anotherWish returns the word of the sentence where another wish begins, with a verb of manner after an "and" after
// the byte from. It returns 0 when there is none.
func anotherWish(s english.Sentence, from int) int {
	for k := 2; k < len(s.Words); k++ {
		w := s.Words[k]
		if s.Words[k-1].Start <= from || w.Quoted || s.Words[k-1].Low != "and" && s.Words[k-1].Low != "but" {
			continue
		}
		if manners[w.Low] || w.Low == "be" || w.Low == "always" || w.Low == "never" || w.Low == "stop" || w.Low == "please" || w.Low == "do" {
			return k
		}
	}
	return 0
}

// butOwn returns the word of the sentence where the speaker starts to talk about themselves after the byte from,
// which is not part of a wish: "don't tell anyone, but I'm pregnant". It returns 0 when there is none.
func butOwn(s english.Sentence, from int) int {
	for k := 1; k < len(s.Words)-1; k++ {
		next := s.Words[k+1].Low
		if w := s.Words[k]; w.Start > from && w.Low == "but" && !w.Quoted && (next == "i" || next == "we" || next == "my" || next == "our") {
			return k
		}
	}
	return 0
}

// wishAfter reads an additional wish: "and keep it short". It is a wish because the words before it are one, and it
// is negative only when it has its own negation.
func (r *reading) wishAfter(c english.Clause, s english.Sentence) {
	if r.wish(c, s) {
		return
	}
	i := english.SkipLeads(c, 0)
	text := wholeSentence(c, s, i)
	r.out.Claims = append(r.out.Claims, Claim{Kind: rel.Instruction, Relation: "instruction", Value: text, Many: true, Quote: text})
}

// imperative reports whether the words from i are a standing wish.
func imperative(c english.Clause, i int, strong, polite bool) bool {
	w, next := c.Low(i), c.Low(i+1)
	_, refuses := refusals.Find(c, i)
	switch {
	case w == "" || english.BeginsClause[w] && w != "do":
		return false
	case w == "call" || refuses && next == "not" && c.Low(i+2) == "call" && english.Takes("address", c, i+4) > 0:
		return false // left to the table
	case w == "always" || w == "never":
		if next == "ever" {
			next = c.Low(i + 2)
		}
		return next != "call" && (manners[next] && c.Low(i+2) != "never" || concerns(c, i) && !notImperative[next] && !english.Function[next])
	case refuses:
		return strong || polite || c.Low(len(c.Words)-1) != "worry"
	case strong:
		return true
	}
	_, ok := habitual.Find(c, i)
	return ok
}

// wishLead returns the word after the wording that makes a wish, and whether the wording makes one of any imperative.
func wishLead(c english.Clause, i int) (lead int, strong bool) {
	for kind, patterns := range [...]*english.Patterns{&standing, &asking, &requesting} {
		if m, ok := patterns.Find(c, i); ok {
			lead = english.SkipLeads(c, m.End)
			bare := !english.Pronouns[c.Low(lead)]
			return lead, bare && (kind == 0 || kind == 1 && (concerns(c, lead) || manners[c.Low(lead)]))
		}
	}
	return i, false
}

// concerns reports whether the words from i are about the speaker.
func concerns(c english.Clause, i int) bool {
	return mentions(c, i, "me") || mentions(c, i, "my") || mentions(c, i, "i") || mentions(c, i, "us")
}

// occasion reports whether the sentence is a wish for every occasion of a kind. A wish must follow the occasion.
func occasion(c english.Clause, s english.Sentence, i int) bool {
	if _, ok := occasions.Find(c, i); !ok || s.Asks {
		return false
	}
	for k := i + 2; k < len(s.Words)-1; k++ {
		if w := s.Words[k]; w.Comma && answersOccasion[w.Low] {
			return true
		}
	}
	return false
}

var answersOccasion = english.Set("say answer reply respond greet call tell use always never do please ask remind you")

// wholeSentence returns the text from word i of the clause to the end of the sentence.
func wholeSentence(c english.Clause, s english.Sentence, i int) string {
	return c.Text[c.Words[i].Start:s.Words[len(s.Words)-1].End]
}

// addressing are the wordings for how somebody wants to be called, unaddressing those for how not.
var (
	addressing = english.CompileAll("always? call me {address}", "address me as {address}", "refer to me as {address}", "greet me as {address}",
		"i would like|love|prefer to be called {address}", "i prefer|want to be called {address}", "i prefer {proper} $", "i go by {name}")
	unaddressing = english.CompileAll("do not ever? call me {address}", "never call me {address}", "stop calling me {address}", "do not address me as {address}")
)

// address reads how the speaker wants to be called: "can you call me Captain".
func (r *reading) address(c english.Clause, i int) bool {
	m, ok := unaddressing.Find(c, i)
	claim := Claim{Kind: rel.Instruction, Relation: rel.CallMe, Negates: ok}
	if !ok {
		if m, ok = addressing.Find(c, i); !ok {
			return false
		}
	}
	claim.Value = c.Value(m)
	r.add(c, claim, i, m.To)
	return true
}

// remember reads "remember that …". It claims what the table understands and stores anything else whole.
func (r *reading) remember(c english.Clause, s english.Sentence, i int) bool {
	j := i + 1
	switch c.Low(j) {
	case "that", "this":
		j++
	case "my", "i", "our", "we":
	default:
		return false
	}
	if j >= len(s.Words) || j > len(c.Words) {
		return false
	}
	rest := english.Sentence{Words: s.Words[len(s.Words)-remaining(c, s, j):]}
	if len(rest.Words) == 0 || !states(rest) {
		return false
	}
	start, end := bounds(rest)
	if slices.ContainsFunc(r.passages, func(p reader.Reading) bool {
		return slices.ContainsFunc(p.Facts, func(f reader.Fact) bool { return f.Sure >= sureEnough && f.Start >= start && f.End <= end })
	}) {
		return false // what it says is read as a fact
	}
	r.out.Claims = append(r.out.Claims, Claim{Kind: rel.Fact, Relation: "remember", Value: r.text(start, end), Many: true, Quote: r.text(start, end)})
	return true
}

// states reports whether the words are a statement and not only a thing: "that epic game".
func states(s english.Sentence) bool {
	for _, w := range s.Words {
		switch w.Low {
		case "is", "are", "was", "were", "am", "has", "have", "will", "can", "do", "does", "must", "should", "'s", "need", "likes", "lives":
			return true
		}
	}
	return false
}

// remaining returns how many words of the sentence follow word j of the clause.
func remaining(c english.Clause, s english.Sentence, j int) int {
	from := c.End()
	if j < len(c.Words) {
		from = c.Words[j].Start
	}
	n := 0
	for _, w := range s.Words {
		if w.Start >= from {
			n++
		}
	}
	return n
}

var (
	willDo     = english.Compile("i will|shall definitely|surely|certainly|also|gladly? {rest}")
	promises   = english.CompileAll("i promise to? that? i? will? {rest}", "i swear to? that? i? will? {rest}", "i will promise to {rest}")
	noPromises = english.Set("ask stop remember forget note keep listen hold see talk miss love be catch speak need kill never not always have take go try die probably maybe just get stay wait")
)

// Promises returns what the speaker of an utterance promises: "I'll send you the photos".
func Promises(u Utterance) []Claim {
	u.Text = english.Legible(u.Text)
	r := &reading{u: u, sentences: english.Split(u.Text), spans: when.Find(u.Text, u.At)}
	for _, s := range r.sentences {
		if s.Asks || opensSupposing(u.Text, []english.Sentence{s}) {
			continue
		}
		for _, c := range english.Clauses(r.u.Text, s) {
			r.promise(c)
		}
	}
	return r.out.Claims
}

// promise reads the speaker's promise to the persona: "I'll send you the photos".
func (r *reading) promise(c english.Clause) bool {
	i := english.SkipLeads(c, 0)
	m, sworn := promises.Find(c, i)
	if !sworn {
		var ok bool
		m, ok = willDo.Find(c, i)
		if !ok || noPromises[c.Low(m.From)] || !mentions(c, m.From, "you") && !mentions(c, m.From, "your") {
			return false
		}
	}
	if n := m.To - m.From; n <= 4 && (c.Low(m.From) == "let" || c.Low(m.From) == "keep") {
		return false // "I'll let you know" and "I'll keep you posted" are polite phrases, not promises
	}
	if english.Function[c.Low(m.From)] && !english.NameWord(c.Low(m.From)) && c.Low(m.From) != "let" {
		return false
	}
	r.add(c, Claim{Kind: rel.Promise, Relation: "promise", Value: c.Value(m), Many: true, Span: r.spanIn(c.Words[0].Start, c.End(), nil)}, i, m.To)
	return true
}

// mentions reports whether the word is in the clause from word i on.
func mentions(c english.Clause, i int, w string) bool {
	for ; i < len(c.Words); i++ {
		if c.Low(i) == w {
			return true
		}
	}
	return false
}
