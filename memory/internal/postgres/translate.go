package postgres

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Kind is what an argument of a statement is.
type Kind byte

// The kinds of arguments.
const (
	Null    Kind = 'n'
	Integer Kind = 'i' // int64, and bool as 0 or 1
	Float   Kind = 'f'
	Text    Kind = 't'
	Bytes   Kind = 'b'
)

// maxParameters is how many arguments PostgreSQL's protocol can send.
const maxParameters = 65535

// Translate turns a statement of the store into one of PostgreSQL. kinds are the kinds of its arguments, one byte each.
// order has the index of the argument for each of the parameters $1, $2, … of the result. What changes:
//
//   - ? and ?N become $n, numbered without gaps. The same ?N is the same parameter. An argument that is Null becomes NULL.
//   - LIKE becomes ILIKE, because SQLite's LIKE ignores the case of ASCII letters. Without ESCAPE it gets an empty one,
//     because SQLite has no escape character then and PostgreSQL has the backslash.
//   - A unary plus before a name keeps SQLite from using an index for it. +a becomes greatest(a, NULL), which is a and does the
//     same. Before a parenthesis, a quotation or a parameter it goes.
//   - CAST(x AS INTEGER) becomes trunc(x)::bigint, because SQLite truncates. It is for numbers below 2^53, since
//     PostgreSQL truncates integers as double precision. CAST(x AS BIGINT) stays and reads a number from text.
//   - CAST(x AS REAL) becomes CAST(x AS double precision).
//   - X'00ff' becomes '\x00ff'::bytea.
//
// A statement with none of these stays as it is, to the byte.
func Translate(query string, kinds []Kind) (sql string, order []int, err error) {
	if strings.IndexByte(query, 0) >= 0 {
		return "", nil, errors.New("translate the statement for PostgreSQL: it contains a zero byte: pass it as an argument")
	}
	t := translator{tokens: lex(query), kinds: kinds}
	for i := range t.tokens {
		if err := t.translate(i); err != nil {
			return "", nil, fmt.Errorf("translate the statement for PostgreSQL: %w", err)
		}
	}
	if t.highest != len(kinds) {
		return "", nil, fmt.Errorf("translate the statement for PostgreSQL: it has %d parameters but %d arguments", t.highest, len(kinds))
	}
	return t.render(len(query)), t.order, nil
}

// translator is a translation in progress.
type translator struct {
	tokens []token
	kinds  []Kind
	// numbers are the numbers in the result by argument, 0 for none yet. order is its inverse.
	numbers []int
	order   []int
	// highest is the highest number of a parameter so far. The next ? has the one after it, as in SQLite.
	highest int
	// open are the open parentheses: the index of CAST for that of a CAST, else -1.
	open []int
}

func (t *translator) translate(i int) error {
	tok := &t.tokens[i]
	switch {
	case tok.kind == parameter:
		return t.parameter(tok)
	case tok.kind == word:
		t.word(i)
	case tok.is('+'):
		t.plus(i)
	case tok.is('('):
		t.open = append(t.open, t.castBefore(i))
	case tok.is(')') && len(t.open) > 0:
		if cast := t.open[len(t.open)-1]; cast >= 0 {
			t.cast(cast, i)
		}
		t.open = t.open[:len(t.open)-1]
	}
	return nil
}

func (t *translator) parameter(tok *token) error {
	n := t.highest + 1
	if len(tok.text) > 1 {
		var err error
		if n, err = strconv.Atoi(tok.text[1:]); err != nil || n < 1 {
			n = maxParameters + 1
		}
	}
	if n > maxParameters {
		return fmt.Errorf("parameters are numbered from ?1 to ?%d, not %.20s", maxParameters, tok.text)
	}
	t.highest = max(t.highest, n)
	if n > len(t.kinds) {
		return fmt.Errorf("%.20s is parameter %d but there are %d arguments", tok.text, n, len(t.kinds))
	}
	if t.kinds[n-1] == Null {
		tok.set("NULL")
		return nil
	}
	if t.numbers == nil {
		t.numbers = make([]int, len(t.kinds))
	}
	if t.numbers[n-1] == 0 {
		t.order = append(t.order, n-1)
		t.numbers[n-1] = len(t.order)
	}
	tok.set("$" + strconv.Itoa(t.numbers[n-1]))
	return nil
}

func (t *translator) word(i int) {
	tok := &t.tokens[i]
	switch {
	case tok.isWord("like"):
		t.like(i)
	case tok.isWord("x") && i+1 < len(t.tokens) && t.tokens[i+1].kind == text:
		literal := &t.tokens[i+1]
		tok.drop()
		literal.set(`'\x` + literal.text[1:])
		literal.after = "::bytea"
	}
}

// like makes the operator LIKE ignore case. LIKE in another place, such as a column of that name, has no operand before it.
func (t *translator) like(i int) {
	before := t.before(i)
	if before < 0 || !t.endsOperand(before) && !t.tokens[before].isWord("not") {
		return
	}
	t.tokens[i].set("ILIKE")
	last := t.operandEnd(i)
	if last < 0 {
		return
	}
	if after := t.after(last); after < 0 || !t.tokens[after].isWord("escape") {
		t.tokens[last].after += " ESCAPE ''"
	}
}

// plus translates a unary plus.
func (t *translator) plus(i int) {
	if i+1 == len(t.tokens) {
		return
	}
	following := &t.tokens[i+1]
	switch {
	case following.kind == space || following.kind == number:
		return
	case following.kind == symbol && !following.is('('):
		return
	}
	if before := t.before(i); before >= 0 && t.endsOperand(before) {
		return
	}
	if end := t.primaryEnd(i); end > i && following.kind == word {
		t.tokens[i].set("greatest(")
		t.tokens[end].after = ", NULL)" + t.tokens[end].after
		return
	}
	t.tokens[i].drop()
}

// castBefore returns the index of CAST if it is right before the parenthesis at i, else -1.
func (t *translator) castBefore(i int) int {
	if before := t.before(i); before >= 0 && t.tokens[before].isWord("cast") {
		return before
	}
	return -1
}

// cast translates CAST(x AS TYPE), whose parenthesis closes at i.
func (t *translator) cast(cast, i int) {
	kind := t.before(i)
	as := t.before(kind)
	if as < 0 || !t.tokens[as].isWord("as") {
		return
	}
	switch to := &t.tokens[kind]; {
	case to.isWord("integer"), to.isWord("int"):
		t.tokens[cast].set("trunc")
		t.remove(as)
		t.remove(kind)
		t.tokens[i].after = "::bigint" + t.tokens[i].after
	case to.isWord("real"):
		to.set("double precision")
	}
}

// remove removes a token and the white space before it.
func (t *translator) remove(i int) {
	t.tokens[i].drop()
	if before := &t.tokens[i-1]; before.kind == space && before.text != "" && isSpace(before.text[0]) {
		before.drop()
	}
}

// before returns the index of the last token before i that is not white space, -1 if there is none.
func (t *translator) before(i int) int {
	for i--; i >= 0; i-- {
		if t.tokens[i].kind != space {
			return i
		}
	}
	return -1
}

// after returns the index of the first token after i that is not white space, -1 if there is none.
func (t *translator) after(i int) int {
	for i++; i < len(t.tokens); i++ {
		if t.tokens[i].kind != space {
			return i
		}
	}
	return -1
}

// render returns the statement with its changes. Next to a change it separates what would become one name.
func (t *translator) render(size int) string {
	var out strings.Builder
	out.Grow(size + 16)
	var last byte
	changed := false
	for i := range t.tokens {
		tok := &t.tokens[i]
		changed = changed || tok.changed
		if s := tok.text; s != "" {
			if changed && joins(last) && joins(s[0]) {
				out.WriteByte(' ')
			}
			out.WriteString(s)
			last, changed = s[len(s)-1], tok.changed
		}
		if s := tok.after; s != "" {
			out.WriteString(s)
			last, changed = s[len(s)-1], true
		}
	}
	return out.String()
}

// joins reports whether a byte is part of a name or a quotation.
func joins(c byte) bool { return isNameByte(c) || c == '\'' || c == '"' }

// beforeOperand are the words that an operand follows, so a plus after them is unary.
var beforeOperand = []string{
	"ALL", "AND", "ANY", "AS", "BETWEEN", "BY", "CASE", "DEFAULT", "DISTINCT", "ELSE", "ESCAPE", "EXCEPT", "FROM", "GLOB",
	"HAVING", "ILIKE", "IN", "INTERSECT", "INTO", "IS", "LIKE", "LIMIT", "NOT", "OFFSET", "ON", "OR", "RETURNING", "SELECT", "SET",
	"THEN", "UNION", "USING", "VALUES", "WHEN", "WHERE",
}

// endsOperand reports whether the token at i can end an operand, so that an operator follows.
func (t *translator) endsOperand(i int) bool {
	switch tok := &t.tokens[i]; tok.kind {
	case symbol:
		return tok.is(')') || tok.is(']')
	case word:
		_, found := slices.BinarySearchFunc(beforeOperand, tok.text, compareFold)
		return !found || t.isColumn(i)
	default:
		return true
	}
}

// isColumn reports whether the word at i follows a dot.
func (t *translator) isColumn(i int) bool { return i > 0 && t.tokens[i-1].is('.') }

// compareFold compares an upper-case word with another in any case.
func compareFold(upper, w string) int { return strings.Compare(upper, strings.ToUpper(w)) }
