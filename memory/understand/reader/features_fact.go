package reader

// Features of a value that has been found: how it is meant, and whom it is about.

// stanceFeatures appends the features of whether the value is asserted, denied or replaced.
func (p *passage) stanceFeatures(b bracket, relation int, f []hash) []hash {
	const k = stanceKind
	class, rel := hash(p.class), hash(relation)
	a2, a1, b1, b2 := p.at(b.from-2), p.at(b.from-1), p.at(b.to), p.at(b.to+1)
	f = append(f, k.of(class), (k+1).of2(class, rel), (k + 2).of(a1.word), (k+3).of2(a2.word, a1.word), (k + 4).of(b1.word), (k+5).of2(b1.word, b2.word),
		(k+6).of2(class, a1.word), (k+7).of2(class, b1.word), (k+8).of2(a1.word, b1.word), (k+9).of3(p.at(b.from-3).word, a2.word, a1.word),
		(k+10).of2(class, hash(min(b.from/3, 5))), (k+11).of2(class, a2.word), (k+20).of3(class, a2.word, a1.word))
	clause := int(p.clause[b.from])
	for i := max(0, b.from-10); i < b.from; i++ {
		t := p.at(i)
		if i >= clause {
			f = append(f, (k + 12).of(t.word), (k+13).of2(class, t.word), (k+14).of2(t.word, p.at(i+1).word))
		} else {
			f = append(f, (k+15).of2(class, t.word))
		}
	}
	for i := range p.tokens {
		f = append(f, (k + 18).of(p.at(i).stem), (k+19).of2(rel, p.at(i).stem))
	}
	for i := b.to; i < min(len(p.tokens), b.to+6); i++ {
		f = append(f, (k+16).of2(class, p.at(i).word), (k+17).of2(p.at(i).word, p.at(i+1).word))
	}
	return f
}

// mayBeSubject reports whether token i can name what the bracket is about.
func (p *passage) mayBeSubject(i int, b bracket) bool {
	t := p.at(i)
	if t.shape >= digits || i >= b.from && i < b.to || i <= b.from-24 || i >= b.to+16 {
		return false
	}
	return t.means[0] != 0 || t.shape != small || others[t.word] || owners[p.at(i-1).word]
}

var (
	others = hashes("he she they it him her them hes shes theyre its er sie ihm él ella il elle lui")
	owners = hashes("my our his her their your the a an this that mein meine meinen meinem meiner unser unsere der die das ein eine den dem mi mis su sus tu nuestro nuestra el la los las un una mon ma mes son sa ses notre nos le les une")
)

// subjectFeatures appends the features of whether the bracket is about token i, or the author if i is -1.
func (p *passage) subjectFeatures(i int, b bracket, relation int, f []hash) []hash {
	const k = subjectKind
	rel, class := hash(relation), hash(p.class)
	clause := int(p.clause[b.from])
	pronoun := hash(0)
	for j := b.from - 1; j >= clause; j-- {
		if pronouns[p.at(j).word] {
			pronoun = p.at(j).word
			break
		}
	}
	if i < 0 {
		a1, b1 := p.at(b.from-1), p.at(b.to)
		f = append(f, k.of(0), (k + 1).of(rel), (k+2).of2(rel, pronoun), (k + 3).of(pronoun), (k+4).of2(class, rel), (k + 5).of(a1.word), (k+6).of2(rel, a1.word),
			(k + 7).of(b1.word), (k+8).of2(p.at(clause).word, p.at(clause+1).word), (k + 9).of(p.at(clause).word))
		for j := max(0, b.from-8); j < b.from; j++ {
			f = append(f, (k + 10).of(p.at(j).word))
		}
		return f
	}
	t, a1, b1 := p.at(i), p.at(i-1), p.at(i+1)
	distance := hash(min(max(i-b.from, -8), 8) + 8)
	same := hash(0)
	if i >= clause && i < b.from {
		same = 1
	} else if i >= b.to && p.clause[i] == p.clause[b.to-1] {
		same = 2
	}
	nearest := hash(1)
	for j := i + 1; j < b.from; j++ {
		if len(p.at(j).means) > 0 && p.at(j).means[0] != 0 {
			nearest = 0
		}
	}
	f = append(f, (k + 20).of(t.word), (k + 21).of(t.stem), (k+22).of2(distance, same), (k+23).of2(distance, rel), (k+24).of2(a1.word, same), (k+25).of2(b1.word, same),
		(k+26).of2(hash(t.shape), same), (k+27).of3(hash(t.shape), same, rel), (k+28).of2(t.word, rel), (k+29).of2(same, pronoun), (k+30).of3(same, rel, pronoun),
		(k+31).of2(a1.word, t.tail), (k+32).of2(hash(t.shape), b1.word), (k+33).of2(same, rel), (k+34).of2(t.tail, same), (k+35).of2(a1.word, rel))
	if t.group != 0 {
		f = append(f, (k + 43).of(t.group), (k + 44).of(t.wide), (k+45).of2(t.wide, rel), (k+46).of2(t.wide, same))
	}
	if i+1 == b.from || i == b.to {
		f = append(f, (k+36).of2(distance, t.word), (k+37).of3(distance, rel, hash(t.shape)))
	}
	for _, c := range t.means {
		if c != 0 {
			f = append(f, (k + 38).of(c), (k+39).of2(c, rel), (k+40).of2(c, same), (k+41).of3(c, a1.word, nearest), (k+42).of2(c, pronoun))
		}
	}
	return f
}
