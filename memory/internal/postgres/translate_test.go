package postgres

import (
	"slices"
	"strings"
	"testing"
)

func TestTranslateRewritesForms(t *testing.T) {
	tests := []struct {
		name, query, kinds, want string
		order                    []int
	}{
		{"ordinal parameters", "a = ? AND b = ?", "it", "a = $1 AND b = $2", []int{0, 1}},
		{"a numbered parameter used twice is one", "a = ?1 OR b = ?2 OR c = ?1", "it", "a = $1 OR b = $2 OR c = $1", []int{0, 1}},
		{"numbers in another order", "a = ?2 AND b = ?1", "it", "a = $1 AND b = $2", []int{1, 0}},
		{"an ordinal after a number", "a = ?2 AND b = ?", "itf", "a = $1 AND b = $2", []int{1, 2}},
		{"a number that is not mentioned", "a = ?1 AND b = ?3", "itf", "a = $1 AND b = $2", []int{0, 2}},
		{"nil is NULL", "VALUES (?, ?, ?)", "ini", "VALUES ($1, NULL, $2)", []int{0, 2}},
		{"a parameter next to names", "x IN?AND b", "n", "x IN NULL AND b", nil},
		{"no parameters in strings, names and comments", "'?''?' \"?\"\"\" -- ?\n/* ? */ ?", "i", "'?''?' \"?\"\"\" -- ?\n/* ? */ $1", []int{0}},
		{"LIKE ignores case and has no escape", "a LIKE ? AND b", "t", "a ILIKE $1 ESCAPE '' AND b", []int{0}},
		{"LIKE keeps its escape", `a like ? ESCAPE '\' AND b`, "t", `a ILIKE $1 ESCAPE '\' AND b`, []int{0}},
		{"NOT LIKE", "a NOT LIKE 'x%'", "", "a NOT ILIKE 'x%' ESCAPE ''", nil},
		{"LIKE with an expression", "(a LIKE '%' || lower(?) || b.c OR d)", "t", "(a ILIKE '%' || lower($1) || b.c ESCAPE '' OR d)", []int{0}},
		{"LIKE with parentheses", "a LIKE (SELECT b) ORDER BY c", "", "a ILIKE (SELECT b) ESCAPE '' ORDER BY c", nil},
		{"LIKE with CASE", "a LIKE CASE WHEN b THEN 'c' END LIMIT 1", "", "a ILIKE CASE WHEN b THEN 'c' END ESCAPE '' LIMIT 1", nil},
		{"LIKE with CAST", "a LIKE CAST(b AS REAL) ESCAPE 'x'", "", "a ILIKE CAST(b AS double precision) ESCAPE 'x'", nil},
		{"LIKE with a truncated number", "a LIKE CAST(b AS INTEGER) OR c", "", "a ILIKE trunc(b)::bigint ESCAPE '' OR c", nil},
		{"a column and a string named LIKE", "SELECT x.like, 'LIKE', \"LIKE\"", "", "SELECT x.like, 'LIKE', \"LIKE\"", nil},
		{"a unary plus before a name keeps indexes out", "WHERE +x.kind = ? ORDER BY +id", "i", "WHERE greatest(x.kind, NULL) = $1 ORDER BY greatest(id, NULL)", []int{0}},
		{"a unary plus before anything else goes", "WHERE +(a) = +? ORDER BY +\"b\"", "i", "WHERE (a) = $1 ORDER BY \"b\"", []int{0}},
		{"a unary plus without space", "WHERE a=+b AND+c", "", "WHERE a=greatest(b, NULL) AND greatest(c, NULL)", nil},
		{"a binary plus stays", "LIMIT ? + 0", "i", "LIMIT $1 + 0", []int{0}},
		{"a binary plus without spaces stays", "a+b, (c)+d, ?+e, 'f'+g, 1+h, END+i, \"j\"+k", "i", "a+b, (c)+d, $1+e, 'f'+g, 1+h, END+i, \"j\"+k", []int{0}},
		{"a unary plus after a binary one goes", "a + +b", "", "a + greatest(b, NULL)", nil},
		{"a sign of a number stays", "SELECT +1, 2e+3", "", "SELECT +1, 2e+3", nil},
		{"integers are truncated", "CAST(a AS INTEGER)", "", "trunc(a)::bigint", nil},
		{"truncation with parentheses and casts inside", "1 + cast((a * (b + CAST(c AS INT))) AS integer) * 2", "", "1 + trunc((a * (b + trunc(c)::bigint)))::bigint * 2", nil},
		{"a subquery is truncated", "CAST((SELECT e.was AS x FROM e) AS INTEGER)", "", "trunc((SELECT e.was AS x FROM e))::bigint", nil},
		{"other casts stay", "CAST(a AS BIGINT), CAST(a AS TEXT), CAST(a AS INTEGER[])", "", "CAST(a AS BIGINT), CAST(a AS TEXT), CAST(a AS INTEGER[])", nil},
		{"a column type stays", "CREATE TABLE a (b INTEGER, c REAL)", "", "CREATE TABLE a (b INTEGER, c REAL)", nil},
		{"a blob", "a = x'00fF' OR ax = 'b'", "", `a = '\x00fF'::bytea OR ax = 'b'`, nil},
		{"what is not closed", "SELECT 'a ?", "", "SELECT 'a ?", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, order, err := Translate(tt.query, []Kind(tt.kinds))
			if err != nil {
				t.Fatal(err)
			}
			if got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if !slices.Equal(order, tt.order) {
				t.Errorf("order %v, want %v", order, tt.order)
			}
		})
	}
}

func TestTranslateRefusesWrongParameters(t *testing.T) {
	for query, kinds := range map[string]string{
		"?": "", "1": "i", "? ?": "i", "?0": "i", "?65536": "i", "?99999999999999999999999999": "i", "?2": "i", "?1": "ii", "a\x00": "",
	} {
		if got, _, err := Translate(query, []Kind(kinds)); err == nil {
			t.Errorf("%q with arguments %q became %q", query, kinds, got)
		}
	}
}

func TestTheWordsBeforeAnOperandAreSorted(t *testing.T) {
	if !slices.IsSorted(beforeOperand) {
		t.Error("beforeOperand is not sorted")
	}
}

func FuzzTranslate(f *testing.F) {
	for _, seed := range []string{
		"SELECT a FROM b WHERE c = ?1 AND d LIKE ? ESCAPE '\\' ORDER BY +e LIMIT ? + 0",
		"CAST(CAST(a AS REAL) AS INTEGER)", "a LIKE ((b", "LIKE", "CAST(", "cast(as integer)", "x'", "x''", "'", "\"", "/*", "--", "?", "??", "+(",
		"a LIKE -", "a LIKE b.", "a LIKE case", "a LIKE x'00'", ")()", "a NOT LIKE ?65535", "é+é", "+LIKE", "+(LIKE+x'0'AS INT)", "cast(x''as int)",
	} {
		f.Add(seed, "itfbn")
	}
	f.Fuzz(func(t *testing.T, query, kinds string) {
		got, order, err := Translate(query, []Kind(kinds))
		if err != nil {
			return
		}
		for _, argument := range order {
			if argument < 0 || argument >= len(kinds) || kinds[argument] == 'n' {
				t.Fatalf("order %v for %d arguments", order, len(kinds))
			}
		}
		if lower := strings.ToLower(query); !strings.ContainsAny(lower, "?+x") && !strings.Contains(lower, "like") && !strings.Contains(lower, "cast") && got != query {
			t.Fatalf("%q became %q", query, got)
		}
	})
}
