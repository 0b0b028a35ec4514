package postgres

import (
	"bytes"
	"context"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestArgumentsComeBackAsTheyWere(t *testing.T) {
	c := open(t)
	for _, v := range []any{
		int64(0), int64(math.MinInt64), int64(math.MaxInt64), 0.1, math.Inf(1), math.Copysign(0, -1), "", "naïve 猫 '?'", "\uFFFD",
		[]byte{},
		[]byte{0, 1, 255},
		nil, strings.Repeat("x", 1<<20), bytes.Repeat([]byte{0}, 1<<20),
	} {
		if got := value(t, c, "SELECT ?", v); !reflect.DeepEqual(got, v) {
			t.Errorf("%.40v came back as %.40v (%T)", v, got, got)
		}
	}
	if got := value(t, c, "SELECT ?", math.NaN()); !math.IsNaN(got.(float64)) {
		t.Errorf("NaN came back as %v", got)
	}
	if got := value(t, c, "SELECT ? + ?", true, false); got != int64(1) {
		t.Errorf("true + false is %v, want 1", got)
	}
	if got := value(t, c, "SELECT ?", []byte(nil)); got != nil {
		t.Errorf("nil bytes came back as %v", got)
	}
}

func TestTextHasNoZeroBytesAndIsUTF8(t *testing.T) {
	c := open(t)
	for arg, want := range map[string]string{"a\x00b": "a\uFFFDb", "a\xffb": "a\uFFFDb", "\xff\x00": "\uFFFD\uFFFD"} {
		if got := value(t, c, "SELECT ?", arg); got != want {
			t.Errorf("%q came back as %q, want %q", arg, got, want)
		}
	}
}

func TestColumnsHaveTheTypesOfTheStore(t *testing.T) {
	c := open(t)
	for expression, want := range map[string]any{
		"true": int64(1), "false": int64(0), "1 = 2": int64(0), "-7::int2": int64(-7), "-7::int4": int64(-7), "-7::int8": int64(-7),
		"4294967295::oid": int64(4294967295), "0.5::float4": 0.5, "0.1::float8": 0.1, "sum(7::bigint)": int64(7), "round(2.5)": int64(3),
		"avg(2)": int64(2), "1.5::numeric": 1.5, "1e30::numeric": 1e30, "'NaN'::numeric = 'NaN'": int64(1), "-0.25::numeric": -0.25, "'a'::text": "a",
		"'a'::varchar(3)": "a", "'a'::name": "a", "'a'": "a", `'{"a":1}'::json`: `{"a":1}`, `'\x00ff'::bytea`: []byte{0, 255}, "NULL::bigint": nil,
		"NULL": nil, "trunc(-2.7)::bigint": int64(-2), "9223372036854775808::numeric": 9223372036854775808.0, "date '2026-01-02'": "2026-01-02",
	} {
		if got := value(t, c, "SELECT "+expression); !reflect.DeepEqual(got, want) {
			t.Errorf("%s is %v (%T), want %v (%T)", expression, got, got, want, want)
		}
	}
}

func TestArgumentsOfOtherTypesAreRefused(t *testing.T) {
	c := open(t)
	if _, err := c.ExecContext(context.Background(), "SELECT ?", time.Now()); err == nil || !strings.Contains(err.Error(), "argument 1") {
		t.Errorf("a time.Time: %v", err)
	}
	if _, err := kindOf(struct{}{}); err == nil {
		t.Error("a struct is accepted")
	}
}

func TestTranslatedStatementsMeanWhatSQLiteMeans(t *testing.T) {
	c := open(t)
	for query, want := range map[string]any{
		`SELECT 'ABC' LIKE 'a_c'`: int64(1), `SELECT 'a\c' LIKE 'A\c'`: int64(1), `SELECT 'abc' LIKE 'abc\'`: int64(0),
		`SELECT 'a%c' LIKE 'a\%c' ESCAPE '\'`: int64(1), `SELECT 'abc' NOT LIKE '%' || 'B' || '%'`: int64(0), `SELECT 'É' LIKE 'é'`: int64(0),
		`SELECT CAST(-2.7 AS INTEGER)`: int64(-2), `SELECT CAST(2.5 * 3 AS INTEGER) + 1`: int64(8), `SELECT CAST('12' AS BIGINT)`: int64(12),
		`SELECT CAST(1 AS REAL) / 2`: 0.5, `SELECT +a FROM (SELECT 5 AS a) s WHERE +s.a = 5 ORDER BY +a LIMIT 1 + 0`: int64(5),
		`SELECT x'6162'`: []byte("ab"), `SELECT CASE WHEN 'B' LIKE CASE WHEN true THEN 'b' END THEN 1 END + 1`: int64(2),
	} {
		if got := value(t, c, query); !reflect.DeepEqual(got, want) {
			t.Errorf("%s is %v, want %v", query, got, want)
		}
	}
	if got := value(t, c, "SELECT coalesce(?2, ?1) || ?1", "a", nil); got != "aa" {
		t.Errorf("numbered parameters give %v", got)
	}
	if got := value(t, c, "SELECT coalesce(?2, ?1) || ?1", "a", "b"); got != "ba" {
		t.Errorf("the same statement with other kinds gives %v", got)
	}
}
