package postgres

import "strings"

// operandEnd returns the index of the last token of the operand after the operator at i, -1 if there is none. Operators
// that bind closer than LIKE are part of the operand.
func (t *translator) operandEnd(i int) int {
	end := -1
	for {
		last := t.primaryEnd(i)
		if last < 0 {
			return end
		}
		end = last
		if i = t.operator(end); i < 0 {
			return end
		}
	}
}

// operator returns the index of the last byte of the arithmetic operator, || or -> after i, -1 if none follows.
func (t *translator) operator(i int) int {
	last := -1
	for i = t.after(i); i >= 0; i = t.after(i) {
		tok := &t.tokens[i]
		if tok.kind != symbol || !strings.Contains("|+-*/%&#", tok.text) && (!tok.is('>') || last < 0) {
			break
		}
		last = i
	}
	return last
}

// primaryEnd returns the index of the last token of the operand without operators after i, -1 if there is none.
func (t *translator) primaryEnd(i int) int {
	i = t.after(i)
	for i >= 0 && (t.tokens[i].is('-') || t.tokens[i].is('+') || t.tokens[i].is('~')) {
		i = t.after(i)
	}
	if i < 0 {
		return -1
	}
	switch tok := &t.tokens[i]; {
	case tok.is('('):
		return t.matching(i)
	case tok.isWord("case"):
		return t.caseEnd(i)
	case tok.kind == word, tok.kind == quoted:
		return t.nameEnd(i)
	case tok.kind == symbol:
		return -1
	case tok.kind == text, tok.kind == number, tok.kind == parameter:
		return i
	}
	return -1
}

// nameEnd returns the end of the name at i: of a.b, or of the arguments if it is a function.
func (t *translator) nameEnd(i int) int {
	for {
		after := t.after(i)
		switch {
		case after < 0:
			return i
		case t.tokens[after].is('('):
			return t.matching(after)
		case t.tokens[i].isWord("x") && after == i+1 && t.tokens[after].kind == text:
			return after
		case !t.tokens[after].is('.'):
			return i
		}
		if i = t.after(after); i < 0 {
			return after
		}
	}
}

// matching returns the index of the parenthesis that closes the one at i, -1 if none does.
func (t *translator) matching(i int) int {
	depth := 0
	for ; i < len(t.tokens); i++ {
		switch tok := &t.tokens[i]; {
		case tok.is('('):
			depth++
		case tok.is(')'):
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// caseEnd returns the index of the END of the CASE at i, -1 if it has none.
func (t *translator) caseEnd(i int) int {
	depth := 0
	for ; i < len(t.tokens); i++ {
		switch tok := &t.tokens[i]; {
		case tok.isWord("case"):
			depth++
		case tok.isWord("end"):
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}
