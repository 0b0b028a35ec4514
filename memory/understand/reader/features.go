package reader

import "math"

// A feature is a hash of its kind, numbered per task, and of the words it is made of.

// kind numbers the features of all tasks.
type kind uint32

func (k kind) of(a hash) hash { return mix(hash(k)*0x9e3779b97f4a7c15, a) }

func (k kind) of2(a, b hash) hash { return mix(mix(hash(k)*0x9e3779b97f4a7c15, a), b) }

func (k kind) of3(a, b, c hash) hash { return mix(mix(mix(hash(k)*0x9e3779b97f4a7c15, a), b), c) }

func mix(h, a hash) hash {
	h = (h ^ a) * 0xff51afd7ed558ccd
	return h ^ h>>32
}

// The first kinds of each task.
const (
	classKind   kind = 100
	boundKind   kind = 200
	typeKind    kind = 300
	stanceKind  kind = 500
	subjectKind kind = 600
	askedKind   kind = 700
	whomKind    kind = 720
	recallsKind kind = 740
)

// passage is a text that is read together, described for the features.
type passage struct {
	said   string
	tokens []token
	lang   hash
	// class is the likeliest class, as its features see it.
	class int
	// clause is for each token the first token of its clause.
	clause []int16
}

var (
	edge     token
	breaks   = hashes("and but because so which who that when while if since although though or cause wenn weil und aber dass pero porque que y mais parce et")
	pronouns = hashes("i im ive id ill my mine me we our us weve were he she they his her their hes shes theyre you your youre it its ich mein meine er sie wir unser yo mi mis el ella nosotros nuestro je mon ma mes il elle nous notre on sa son ses ihr sein seine su sus")
)

func init() {
	edge = token{word: 1, stem: 1, head: 1, tail: 1, shape: mark}
}

func hashes(words string) map[hash]bool {
	set := map[hash]bool{}
	from := 0
	for i := 0; i <= len(words); i++ {
		if i == len(words) || words[i] == ' ' {
			set[hashOf(words[from:i])] = true
			from = i + 1
		}
	}
	return set
}

func (p *passage) at(i int) *token {
	if i < 0 || i >= len(p.tokens) {
		return &edge
	}
	return &p.tokens[i]
}

func newPassage(said string, tokens []token) *passage {
	p := &passage{said: said, tokens: tokens}
	p.lang = hashOf(describe(passageText(said, tokens), said, tokens))
	p.clause = make([]int16, len(tokens))
	start := 0
	for i := range tokens {
		if t := &tokens[i]; t.shape >= mark {
			p.clause[i] = int16(start)
			if t.word != hyphen && t.word != quote {
				start = i + 1
			}
			continue
		}
		if breaks[tokens[i].word] && i > start {
			start = i
		}
		p.clause[i] = int16(start)
	}
	return p
}

var (
	hyphen = hashOf("-")
	quote  = hashOf("\"")
)

// classFeatures appends the features of the passage's class.
func (p *passage) classFeatures(f []hash) []hash { return p.wholeFeatures(classKind, f) }

// wholeFeatures appends the features of the passage as a whole, whose first kind is k.
func (p *passage) wholeFeatures(k kind, f []hash) []hash {
	n := len(p.tokens)
	f = append(f, k.of(0), (k + 1).of(hash(n/4)), (k + 2).of(p.lang))
	for i := range p.tokens {
		t, before, after := p.at(i), p.at(i-1), p.at(i+1)
		f = append(f, (k + 3).of(t.word), (k+4).of2(before.word, t.word), (k+5).of3(before.word, t.word, after.word))
		if t.stem != t.word {
			f = append(f, (k + 6).of(t.stem))
		}
		if i < 4 {
			f = append(f, (k+7).of2(hash(i), t.word), (k+8).of2(hash(i), hash(t.shape)))
		}
		if i < 2 {
			f = append(f, (k+12).of3(p.at(i).word, p.at(i+1).word, p.at(i+2).word))
		}
		for _, c := range t.means {
			if c != 0 {
				f = append(f, (k + 9).of(c), (k+13).of2(before.word, c))
			}
		}
		if t.group != 0 {
			f = append(f, (k + 16).of(t.group), (k + 17).of(t.wide), (k+18).of2(before.word, t.group))
		}
		if t.shape < digits && pronouns[t.word] {
			f = append(f, (k+14).of3(t.word, after.tail, hash(after.shape)), (k+15).of3(t.word, after.word, p.at(i+2).tail))
		}
	}
	last, before := p.at(n-1), p.at(n-2)
	return append(f, (k + 10).of(last.word), (k+11).of2(before.word, last.word))
}

// boundFeatures appends the features that tell whether a value begins at token i, continues or is outside.
func (p *passage) boundFeatures(i int, f []hash) []hash {
	const k = boundKind
	a3, a2, a1, t, b1, b2 := p.at(i-3), p.at(i-2), p.at(i-1), p.at(i), p.at(i+1), p.at(i+2)
	class := hash(p.class)
	f = append(f, k.of(class), (k + 1).of(t.word), (k + 2).of(t.stem), (k + 3).of(hash(t.shape)), (k + 4).of(t.tail), (k + 5).of(t.head),
		(k + 6).of(a1.word), (k + 7).of(b1.word), (k + 8).of(a2.word), (k + 9).of(b2.word), (k + 10).of(a3.word),
		(k+11).of2(a1.word, t.word), (k+12).of2(t.word, b1.word), (k+13).of2(a2.word, a1.word), (k+14).of3(a3.word, a2.word, a1.word),
		(k+15).of2(hash(t.shape), a1.word), (k+16).of3(hash(a1.shape), hash(t.shape), hash(b1.shape)),
		(k+17).of2(class, t.word), (k+18).of2(class, hash(t.shape)), (k+19).of2(class, a1.word),
		(k+21).of3(a2.word, a1.word, hash(t.shape)), (k+22).of2(a1.tail, t.tail), (k+23).of2(t.tail, b1.word),
		(k+25).of2(p.lang, hash(t.shape)))
	if first := int(p.clause[i]); first < i {
		f = append(f, (k+30).of2(p.at(first).word, hash(min(i-first, 4))), (k+31).of3(p.at(first).word, p.at(first+1).word, hash(min(i-first, 4))))
	} else {
		f = append(f, (k+32).of2(hash(t.shape), class))
	}
	for _, c := range t.means {
		if c != 0 {
			f = append(f, (k + 33).of(c), (k+34).of2(c, a1.word), (k+35).of2(c, class), (k+36).of2(c, b1.word))
		}
	}
	if t.group != 0 {
		f = append(f, (k + 40).of(t.group), (k + 41).of(t.wide), (k+42).of2(t.wide, a1.word), (k+43).of2(t.wide, b1.word), (k+44).of2(t.wide, class),
			(k+45).of2(t.wide, hash(t.shape)), (k+46).of3(t.wide, a2.word, a1.word))
	}
	f = append(f, (k+47).of2(a1.wide, t.wide), (k+48).of2(t.wide, b1.wide), (k + 49).of(a1.group), (k + 50).of(b1.group))
	for d := -4; d <= 3; d++ {
		if d == 0 {
			continue
		}
		side := hash(1)
		if d < 0 {
			side = 0
		}
		near := p.at(i + d)
		for _, c := range near.means {
			if c != 0 {
				f = append(f, (k+37).of2(side, c))
				if d == -1 || d == -2 {
					f = append(f, (k+38).of3(hash(d+4), c, hash(t.shape)))
				}
			}
		}
	}
	return f
}

// typeFeatures appends the features of what the tokens [from, to) are the value of.
func (p *passage) typeFeatures(b bracket, f []hash) []hash {
	const k = typeKind
	from, to := b.from, b.to
	f = append(f, (k + 90).of(hash(math.Round(2*logit(b.p)))))
	class := hash(p.class)
	first, last := p.at(from), p.at(to-1)
	a3, a2, a1, b1, b2 := p.at(from-3), p.at(from-2), p.at(from-1), p.at(to), p.at(to+1)
	length := hash(min(to-from, 6))
	f = append(f, k.of(0), (k + 1).of(class), (k + 2).of(length), (k+3).of2(class, length),
		(k + 4).of(first.word), (k + 5).of(last.word), (k + 6).of(last.stem), (k + 7).of(last.tail), (k + 8).of(first.tail), (k+9).of2(hash(first.shape), hash(last.shape)),
		(k + 10).of(a1.word), (k+11).of2(a2.word, a1.word), (k+12).of3(a3.word, a2.word, a1.word), (k + 13).of(a2.word),
		(k + 14).of(b1.word), (k+15).of2(b1.word, b2.word), (k+16).of2(a1.word, b1.word),
		(k+17).of2(a1.word, hash(first.shape)), (k+18).of3(a2.word, a1.word, hash(first.shape)), (k+19).of2(a1.word, last.tail),
		(k+20).of2(a1.word, length), (k+21).of2(a1.stem, first.stem), (k+22).of2(class, last.stem), (k+23).of2(class, a1.word), (k + 24).of(a1.stem), (k + 25).of(a2.stem), (k + 26).of(b1.stem),
		(k+27).of2(last.stem, b1.word), (k+28).of2(hash(first.shape), b1.word), (k+29).of2(p.lang, length), (k + 30).of(a3.word))
	if first.shape == digits {
		f = append(f, (k+31).of2(first.word, a1.word), (k+32).of2(first.word, b1.word))
	}
	if last.group != 0 {
		f = append(f, (k + 62).of(last.group), (k + 63).of(last.wide), (k+64).of2(last.wide, a1.word), (k+65).of2(last.group, a1.word), (k+66).of2(last.wide, class),
			(k+67).of3(last.wide, a2.word, a1.word), (k+68).of2(last.wide, b1.word), (k+69).of2(last.wide, hash(last.shape)), (k+70).of2(first.wide, a1.word))
	}
	f = append(f, (k + 71).of(a1.group), (k + 72).of(b1.group), (k+73).of2(a1.wide, last.wide))
	for i := from; i < to; i++ {
		t := p.at(i)
		f = append(f, (k + 33).of(t.word), (k + 34).of(t.stem))
		for _, c := range t.means {
			if c != 0 {
				f = append(f, (k + 35).of(c), (k+36).of2(c, a1.word), (k+37).of2(c, length))
				if i == to-1 {
					f = append(f, (k + 38).of(c), (k+60).of2(c, class), (k+61).of2(c, b1.word))
				}
			}
		}
	}
	return p.aroundFeatures(from, to, f)
}

// aroundFeatures appends the features of the clause and the passage around the tokens [from, to).
func (p *passage) aroundFeatures(from, to int, f []hash) []hash {
	const k = typeKind + 39
	clause := int(p.clause[from])
	shapes := p.at(from).shape
	if clause < from {
		f = append(f, k.of2(p.at(clause).word, p.at(clause+1).word), (k+1).of2(p.at(clause).word, hash(shapes)))
	} else {
		f = append(f, (k + 2).of(hash(shapes)))
	}
	for i := range p.tokens {
		if i >= from && i < to {
			continue
		}
		t := p.at(i)
		switch {
		case i >= clause && i < from:
			f = append(f, (k + 3).of(t.word), (k + 4).of(t.stem))
			if t.group != 0 {
				f = append(f, (k + 12).of(t.group), (k + 13).of(t.wide))
			}
			if i+1 < from {
				f = append(f, (k+5).of2(t.word, p.at(i+1).word))
			}
			for _, c := range t.means {
				if c != 0 {
					f = append(f, (k + 6).of(c), (k+7).of2(c, hash(shapes)))
				}
			}
		case i >= to && i < to+4:
			f = append(f, (k + 8).of(t.word))
			for _, c := range t.means {
				if c != 0 {
					f = append(f, (k + 9).of(c))
				}
			}
		case i < clause && i >= clause-6:
			f = append(f, (k + 10).of(t.word))
			for _, c := range t.means {
				if c != 0 {
					f = append(f, (k + 11).of(c))
				}
			}
		}
	}
	return f
}
