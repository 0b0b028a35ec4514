package claim

import "math"

// Standing wishes and promises.

// standing are the wordings that make any imperative after them a standing wish.
var standing = compileAll("from now on", "from today on", "from here on", "in the? future", "going forward")

// asking are the wordings that make one of what concerns the speaker; people also give each other advice with them.
var asking = compileAll("make sure you? to?", "i want|need you to", "i would like you to", "remember to", "do not forget to")

// requesting are the wordings that need an imperative that is a wish by itself.
var requesting = compileAll("you should|must", "can|could|will|would you")

// manners are the verbs for how one talks: wishing them is wishing something of the persona.
var manners = set("use say ask call greet mention answer reply respond speak write tell talk send swear lie remind start end address sign keep explain " +
	"include add avoid refer begin translate joke flatter apologise apologize")

// habitual are the imperatives about how to talk, which stand without "always".
var habitual = compileAll("speak|talk|write|answer|reply|respond|text to|with? me in", "keep your|things|answers|replies", "keep it short|brief|simple|concise|light|casual|formal|clean", "answer|reply|respond|speak in|with|briefly|shortly", "be brief|concise|short|direct|honest|gentle",
	"greet me with|as|by|like|in", "use simple|short|plain|fewer|more|less", "avoid")

// refusals are the imperatives about what not to do.
var refusals = compileAll("do not ever? call|ask|mention|tell|talk|speak|use|greet|remind|send|say|bring|write|swear|lecture|judge", "stop using|asking|mentioning|saying|talking|lecturing|reminding|apologising|apologizing")

// notImperative are the words after "always" and "never" that make no wish.
var notImperative = set("a an the been mind liked had was is are knew good nice wanted thought seen said have again knows happens ever more felt loved " +
	"heard better too so late happy fun welcome there here in on my your his her")

// occasions begin a wish about an occasion: "whenever I say hi, say ahoy".
var occasions = compileAll("whenever|everytime i|we", "every|each|any time i|we", "when i|we greet|say|ask|write|come|tell|talk|mention")

// wish reads a standing wish in the clause. Those the table knows ("call me Captain") are left to it.
func (r *reader) wish(c clause, s sentence, believed int) bool {
	i := skipLeads(c, 0)
	if i >= len(c.words) || c.words[i].start >= believed || c.words[i].quoted {
		return false
	}
	polite := i > 0 && c.low(i-1) == "please"
	lead, strong := wishLead(c, i)
	polite = polite || lead > i && c.low(lead-1) == "please"
	if lead > i && r.tableWish(c, lead) {
		return true
	}
	if len(c.words) > lead && c.low(lead) == "remember" && lead == i {
		return r.remember(c, s, lead)
	}
	if !imperative(c, lead, strong, polite) && !occasion(c, s, i) {
		return false
	}
	end := s.words[len(s.words)-1].end
	next := 0
	if !occasion(c, s, i) {
		next = anotherWish(s, c.words[lead].start)
	}
	if next > 0 {
		end = s.words[next-2].end // the word before the "and"
	} else if own := butOwn(s, c.words[lead].start); own > 0 {
		end = s.words[own-1].end
	}
	r.out.Claims = append(r.out.Claims, Claim{
		Kind: Instruction, Relation: "instruction", Value: c.text[c.words[lead].start:end], Many: true, Quote: c.text[c.words[i].start:end],
	})
	if next > 0 && s.words[next].start < c.end() { // else it is a clause, and read as one
		rest := sentence{words: s.words[next:]}
		r.wishAfter(newClause(c.text, rest.words), rest)
	}
	return true
}

// anotherWish is the word of the sentence at which a wish of its own begins, with a verb of manner after an "and" behind
// the byte from; 0 when there is none.
func anotherWish(s sentence, from int) int {
	for k := 2; k < len(s.words); k++ {
		w := s.words[k]
		if s.words[k-1].start <= from || w.quoted || s.words[k-1].low != "and" && s.words[k-1].low != "but" {
			continue
		}
		if manners[w.low] || w.low == "be" || w.low == "always" || w.low == "never" || w.low == "stop" || w.low == "please" || w.low == "do" {
			return k
		}
	}
	return 0
}

// butOwn is the word of the sentence at which the speaker tells of themselves behind the byte from, no part of a wish:
// "don't tell anyone, but I'm pregnant"; 0 when they do not.
func butOwn(s sentence, from int) int {
	for k := 1; k < len(s.words)-1; k++ {
		next := s.words[k+1].low
		if w := s.words[k]; w.start > from && w.low == "but" && !w.quoted && (next == "i" || next == "we" || next == "my" || next == "our") {
			return k
		}
	}
	return 0
}

// wishAfter reads what is wished for besides: "and keep it short". It is a wish because the words before it are one, and
// it is denied only where it says so itself.
func (r *reader) wishAfter(c clause, s sentence) {
	if r.wish(c, s, math.MaxInt) || r.tableWish(c, skipLeads(c, 0)) {
		return
	}
	i := skipLeads(c, 0)
	text := wholeSentence(c, s, i)
	r.out.Claims = append(r.out.Claims, Claim{Kind: Instruction, Relation: "instruction", Value: text, Many: true, Quote: text})
}

// imperative says that the words from i are a standing wish.
func imperative(c clause, i int, strong, polite bool) bool {
	w, next := c.low(i), c.low(i+1)
	_, refuses := at(c, i, refusals)
	switch {
	case w == "" || beginsClause[w] && w != "do":
		return false
	case w == "call" || refuses && next == "not" && c.low(i+2) == "call" && takes("address", c, i+4) > 0:
		return false // the table's
	case w == "always" || w == "never":
		if next == "ever" {
			next = c.low(i + 2)
		}
		return next != "call" && (manners[next] && c.low(i+2) != "never" || concerns(c, i) && !notImperative[next] && !function[next])
	case refuses:
		return strong || polite || c.low(len(c.words)-1) != "worry"
	case strong:
		return true
	}
	_, ok := at(c, i, habitual)
	return ok
}

// wishLead is the word after the wording that makes a wish, and whether it makes one of any imperative.
func wishLead(c clause, i int) (lead int, strong bool) {
	for kind, patterns := range [][]pattern{standing, asking, requesting} {
		if m, ok := at(c, i, patterns); ok {
			lead = skipLeads(c, m.end)
			bare := !pronouns[c.low(lead)]
			return lead, bare && (kind == 0 || kind == 1 && (concerns(c, lead) || manners[c.low(lead)]))
		}
	}
	return i, false
}

// concerns says that the words from i speak of the speaker.
func concerns(c clause, i int) bool {
	return mentions(c, i, "me") || mentions(c, i, "my") || mentions(c, i, "i") || mentions(c, i, "us")
}

// at is the first pattern that matches at word i.
func at(c clause, i int, patterns []pattern) (match, bool) {
	for _, p := range patterns {
		if m, ok := p.find(c, i); ok {
			return m, true
		}
	}
	return match{}, false
}

// occasion says that the sentence wishes for something at every occasion of a kind: after the occasion must follow a wish.
func occasion(c clause, s sentence, i int) bool {
	if _, ok := at(c, i, occasions); !ok || s.asks {
		return false
	}
	for k := i + 2; k < len(s.words)-1; k++ {
		if w := s.words[k]; w.comma && answersOccasion[w.low] {
			return true
		}
	}
	return false
}

var answersOccasion = set("say answer reply respond greet call tell use always never do please ask remind you")

// wholeSentence is the text from word i of the clause to the end of the sentence.
func wholeSentence(c clause, s sentence, i int) string {
	return c.text[c.words[i].start:s.words[len(s.words)-1].end]
}

// tableWish reads what the table knows of at word i: "can you call me Captain".
func (r *reader) tableWish(c clause, i int) bool {
	if i >= len(c.words) {
		return false
	}
	found, end := r.at(c, i)
	if end <= i || found[0].Kind != Instruction {
		return false
	}
	r.out.Claims = append(r.out.Claims, found...)
	return true
}

// remember reads "remember that …": what the table understands of it is claimed as such, anything else is kept whole.
func (r *reader) remember(c clause, s sentence, i int) bool {
	j := i + 1
	switch c.low(j) {
	case "that", "this":
		j++
	case "my", "i", "our", "we":
	default:
		return false
	}
	if j >= len(s.words) || j > len(c.words) {
		return false
	}
	before := len(r.out.Claims)
	rest := sentence{words: s.words[len(s.words)-remaining(c, s, j):]}
	if len(rest.words) == 0 {
		return false
	}
	for _, part := range clauses(c.text, rest) {
		r.statement(part, math.MaxInt, false)
	}
	if len(r.out.Claims) == before && states(rest) {
		text := c.text[rest.words[0].start:rest.words[len(rest.words)-1].end]
		r.out.Claims = append(r.out.Claims, Claim{Kind: Fact, Relation: "remember", Value: text, Many: true, Quote: text})
	}
	return len(r.out.Claims) > before
}

// states says that the words hold a statement and are no mere thing: "that epic game".
func states(s sentence) bool {
	for _, w := range s.words {
		switch w.low {
		case "is", "are", "was", "were", "am", "has", "have", "will", "can", "do", "does", "must", "should", "'s", "need", "likes", "lives":
			return true
		}
	}
	return false
}

// remaining is how many words of the sentence follow word j of the clause.
func remaining(c clause, s sentence, j int) int {
	from := c.end()
	if j < len(c.words) {
		from = c.words[j].start
	}
	n := 0
	for _, w := range s.words {
		if w.start >= from {
			n++
		}
	}
	return n
}

var (
	willDo     = compile("i will|shall definitely|surely|certainly|also|gladly? {rest}")
	promises   = compileAll("i promise to? that? i? will? {rest}", "i swear to? that? i? will? {rest}", "i will promise to {rest}")
	noPromises = set("see talk miss love be catch speak need kill never not always have take go try die probably maybe just get stay wait")
)

// promise reads what the speaker undertakes towards the persona: "I'll send you the photos".
func (r *reader) promise(c clause) bool {
	i := skipLeads(c, 0)
	m, sworn := at(c, i, promises)
	if !sworn {
		var ok bool
		m, ok = willDo.find(c, i)
		if !ok || noPromises[c.low(m.from)] || !mentions(c, m.from, "you") && !mentions(c, m.from, "your") {
			return false
		}
	}
	if n := m.to - m.from; n <= 4 && (c.low(m.from) == "let" || c.low(m.from) == "keep") {
		return false // "I'll let you know", "I'll keep you posted": manners, not promises
	}
	if function[c.low(m.from)] && !nameWord(c.low(m.from)) && c.low(m.from) != "let" {
		return false
	}
	r.add(c, Claim{Kind: Promise, Relation: "promise", Value: c.value(m), Many: true, Span: r.spanIn(c, nil)}, i, m.to)
	return true
}

// mentions says that the word stands in the clause from word i on.
func mentions(c clause, i int, w string) bool {
	for ; i < len(c.words); i++ {
		if c.low(i) == w {
			return true
		}
	}
	return false
}
