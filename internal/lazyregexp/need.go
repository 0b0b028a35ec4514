package lazyregexp

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"
)

// need is a test that a text must pass to match an expression: it contains one of a few strings. It is many times
// cheaper than matching, and most texts fail it.
type need struct {
	// parts are ASCII strings of two bytes or more in lower case, of which each match contains one in any case; empty
	// if no such strings are known.
	parts []string
	// starts has a bit for the first two bytes of each part.
	starts [1 << pairBits / 64]uint64
}

const (
	// pairBits is the size of a hash of two bytes. Pairs of letters do not collide.
	pairBits = 10
	// maxParts bounds the strings of a test, maxProduct those that a sequence is multiplied out to.
	maxParts, maxProduct = 80, 24
	// partBytes is the fewest bytes of a part.
	partBytes = 2
)

func pair(a, b byte) uint { return (uint(a)<<5 ^ uint(b)) % (1 << pairBits) }

// needOf returns the test for an expression, the empty one if it does not compile.
func needOf(expression string) (n need) {
	tree, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return n
	}
	f := read(tree.Simplify())
	f.settle()
	if len(f.parts) > maxParts {
		return n
	}
	n.parts = f.parts
	for _, p := range n.parts {
		h := pair(p[0], p[1])
		n.starts[h/64] |= 1 << (h % 64)
	}
	return n
}

// metBy reports whether a text may match. It always does if it has a character that a letter of ASCII stands for when
// case is ignored.
func (n *need) metBy(s string) bool {
	if len(n.parts) == 0 {
		return true
	}
	var before byte
	for i := range len(s) {
		b := s[i]
		if 'A' <= b && b <= 'Z' {
			b += 'a' - 'A'
		}
		if h := pair(before, b); n.starts[h/64]&(1<<(h%64)) != 0 && i > 0 && n.partAt(before, b, s[i+1:]) {
			return true
		}
		if b >= utf8.RuneSelf && (strings.HasPrefix(s[i:], longS) || strings.HasPrefix(s[i:], kelvin)) {
			return true
		}
		before = b
	}
	return false
}

// The letters beyond ASCII that match an s or a k when case is ignored.
const longS, kelvin = "ſ", "\u212a"

// partAt reports whether a part begins with the bytes a and b, in lower case, and goes on like rest.
func (n *need) partAt(a, b byte, rest string) bool {
	return slices.ContainsFunc(n.parts, func(p string) bool {
		return p[0] == a && p[1] == b && len(p)-partBytes <= len(rest) && strings.EqualFold(rest[:len(p)-partBytes], p[partBytes:])
	})
}

// facts are what is known about the texts that an expression matches, in lower case.
type facts struct {
	// all are the only texts that match, if whole says so.
	all   []string
	whole bool
	// parts are strings of which each match contains one; none are known if it is empty.
	parts []string
}

// read returns the facts about a simplified expression.
func read(tree *syntax.Regexp) facts {
	switch tree.Op {
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText, syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return facts{all: []string{""}, whole: true}
	case syntax.OpLiteral:
		return readLiteral(string(tree.Rune))
	case syntax.OpCapture:
		return read(tree.Sub[0])
	case syntax.OpQuest:
		if f := read(tree.Sub[0]); f.whole {
			return facts{all: append(f.all, ""), whole: true}
		}
	case syntax.OpPlus:
		f := read(tree.Sub[0])
		f.settle()
		return facts{parts: f.parts}
	case syntax.OpConcat:
		return readSequence(tree.Sub)
	case syntax.OpAlternate:
		return readChoice(tree.Sub)
	}
	return facts{}
}

// readLiteral returns the facts about a literal: beyond ASCII, case is not so simple.
func readLiteral(literal string) facts {
	if !strings.ContainsFunc(literal, beyondASCII) {
		return facts{all: []string{strings.ToLower(literal)}, whole: true}
	}
	var f facts
	for part := range strings.FieldsFuncSeq(literal, beyondASCII) {
		f.prefer([]string{strings.ToLower(part)})
	}
	return f
}

func beyondASCII(r rune) bool { return r >= utf8.RuneSelf }

// readSequence multiplies out what follows each other, as long as the texts are known and few.
func readSequence(trees []*syntax.Regexp) facts {
	known := facts{all: []string{""}, whole: true}
	var f facts
	whole := true
	for _, tree := range trees {
		next := read(tree)
		if next.whole && len(known.all)*len(next.all) <= maxProduct {
			known.all = product(known.all, next.all)
			continue
		}
		whole = false
		f.prefer(known.all)
		known.all = []string{""}
		if next.whole {
			known.all = next.all
			continue
		}
		f.prefer(next.parts)
	}
	if whole {
		return known
	}
	f.prefer(known.all)
	return f
}

func product(befores, afters []string) []string {
	all := make([]string, 0, len(befores)*len(afters))
	for _, before := range befores {
		for _, after := range afters {
			all = append(all, before+after)
		}
	}
	return all
}

// readChoice joins the facts about alternatives.
func readChoice(trees []*syntax.Regexp) facts {
	choice := facts{whole: true}
	partial := true
	for _, tree := range trees {
		f := read(tree)
		choice.whole = choice.whole && f.whole
		choice.all = append(choice.all, f.all...)
		f.settle()
		partial = partial && len(f.parts) > 0
		choice.parts = append(choice.parts, f.parts...)
	}
	switch {
	case choice.whole:
		return facts{all: choice.all, whole: true}
	case partial:
		return facts{parts: choice.parts}
	}
	return facts{}
}

// settle makes the texts parts if they are all there is.
func (f *facts) settle() {
	if f.whole {
		f.prefer(f.all)
	}
}

// prefer takes other parts if they tell more: of two sets the one whose shortest part is longer, else the smaller one.
func (f *facts) prefer(parts []string) {
	length := shortest(parts)
	if length < partBytes {
		return
	}
	if was := shortest(f.parts); length > was || length == was && len(parts) < len(f.parts) {
		f.parts = parts
	}
}

// shortest returns the length of the shortest string, 0 for none.
func shortest(parts []string) int {
	if len(parts) == 0 {
		return 0
	}
	n := len(parts[0])
	for _, p := range parts {
		n = min(n, len(p))
	}
	return n
}
