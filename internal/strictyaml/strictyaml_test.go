package strictyaml

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

type upper string

func (u *upper) UnmarshalText(b []byte) error {
	if len(b) == 0 || string(b) == "bad" {
		return errors.New("cannot be upper")
	}
	*u = upper(strings.ToUpper(string(b)))
	return nil
}

type inner struct {
	Gap   time.Duration `yaml:"gap"`
	Share float64       `yaml:"share"`
	On    bool          `yaml:"on"`
	Extra *float64      `yaml:"extra"`
}

type outer struct {
	Name    string       `yaml:"name"`
	Count   int          `yaml:"count"`
	Shout   upper        `yaml:"shout"`
	Inner   inner        `yaml:"inner"`
	List    []string     `yaml:"list"`
	Pairs   []inner      `yaml:"pairs"`
	Traits  Map[float64] `yaml:"traits"`
	private string
}

func TestDecode(t *testing.T) {
	const text = `
name: 42
shout: hey
inner:
  gap: 90m
  share: 1
  on: true
  extra: 0.25
list: [a, "b"]
pairs:
  - gap: 1s
traits:
  zeal: 0.9
  calm: 1
`
	got := outer{Count: 7, private: "kept"}
	doc := Decode("f.yaml", []byte(text), &got)
	if err := doc.Err(); err != nil {
		t.Fatal(err)
	}
	if got.Name != "42" || got.Count != 7 || got.Shout != "HEY" || got.private != "kept" {
		t.Errorf("plain values: %+v", got)
	}
	if got.Inner.Gap != 90*time.Minute || got.Inner.Share != 1 || !got.Inner.On || *got.Inner.Extra != 0.25 {
		t.Errorf("inner: %+v", got.Inner)
	}
	if len(got.List) != 2 || got.List[1] != "b" || got.Pairs[0].Gap != time.Second {
		t.Errorf("lists: %+v", got)
	}
	want := Map[float64]{{"zeal", 0.9}, {"calm", 1}}
	if len(got.Traits) != 2 || got.Traits[0] != want[0] || got.Traits[1] != want[1] {
		t.Errorf("traits = %+v, want %+v", got.Traits, want)
	}
	if doc.Given("count") || !doc.Given("inner.gap") {
		t.Error("Given: count is a default, inner.gap is in the file")
	}
	if at := doc.Position("inner.gap"); at != (Position{5, 3}) {
		t.Errorf("inner.gap is at %v", at)
	}
	if at := doc.Position("pairs[0].share"); at.Line != 11 {
		t.Errorf("a missing value is placed at %v, want its list item's line 11", at)
	}
}

// TestInlineKeysCombineWithOthers reads a struct whose keys are partly known at run time only.
func TestInlineKeysCombineWithOthers(t *testing.T) {
	type section struct {
		Own    any   `yaml:",inline"`
		Common inner `yaml:",inline"`
	}
	type file struct {
		Name     string       `yaml:"name"`
		Sections Map[section] `yaml:",inline"`
	}
	fresh := func() file {
		return file{Sections: Map[section]{{"first", section{Own: &struct {
			Token string `yaml:"token"`
		}{"kept"}}}, {"second", section{Own: &inner{}}}}}
	}
	got := fresh()
	doc := Decode("f", []byte("name: a\nfirst:\n  gap: 1s\n  token: given\n"), &got)
	if err := doc.Err(); err != nil {
		t.Fatal(err)
	}
	var keys []string
	for _, f := range Fields(reflect.ValueOf(&got).Elem()) {
		keys = append(keys, f.Name)
	}
	if !slices.Equal(keys, []string{"name", "first", "second"}) {
		t.Errorf("keys %q", keys)
	}
	own := Fields(reflect.ValueOf(got.Sections[0].Value.Own).Elem())
	if got.Sections[0].Value.Common.Gap != time.Second || own[0].Value.String() != "given" || !doc.Given("first.token") {
		t.Errorf("read %+v", got)
	}
	for text, want := range map[string]string{
		"frist: {}\n":          `f:1:1: unknown key "frist": did you mean "first"?`,
		"first: {tokken: a}\n": `f:1:9: unknown key "first.tokken": did you mean "first.token"?`,
		"first: {zz: a}\n":     `f:1:9: unknown key "first.zz": the keys here are token, gap, share, on, extra`,
	} {
		got := fresh()
		if err := Decode("f", []byte(text), &got).Err(); err == nil || err.Error() != want {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

func TestMapAsList(t *testing.T) {
	var got outer
	if err := Decode("f", []byte("traits:\n  - zeal: 0.9\n  - calm: 0.1\n"), &got).Err(); err != nil {
		t.Fatal(err)
	}
	if len(got.Traits) != 2 || got.Traits[1].Name != "calm" {
		t.Errorf("traits = %+v", got.Traits)
	}
}

func TestEmptyFilesKeepTheDefaults(t *testing.T) {
	for _, text := range []string{"", "\n", "# only words\n", "---\n", "inner:\nname:\n"} {
		got := outer{Name: "kept", Inner: inner{Gap: time.Hour}}
		doc := Decode("f", []byte(text), &got)
		if err := doc.Err(); err != nil {
			t.Errorf("%q: %v", text, err)
		}
		if got.Name != "kept" || got.Inner.Gap != time.Hour || doc.Given("name") {
			t.Errorf("%q changed the defaults: %+v", text, got)
		}
	}
}

func TestProblems(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"unknown", "namee: x\n", `f:1:1: unknown key "namee": did you mean "name"?`},
		{"unknown inside", "inner:\n  gpa: 1s\n", `f:2:3: unknown key "inner.gpa": did you mean "inner.gap"?`},
		{"far off", "inner:\n  weather: 1\n", `f:2:3: unknown key "inner.weather": the keys here are gap, share, on, extra`},
		{"int", "count: many\n", "f:1:8: count: takes a whole number, not this text"},
		{"int as float", "count: 1.5\n", "f:1:8: count: takes a whole number, not this number"},
		{"quoted int", "count: \"3\"\n", "f:1:8: count: takes a whole number, not this text"},
		{"bool", "inner: {on: yes}\n", "f:1:13: inner.on: takes true or false, not this text"},
		{"duration", "inner:\n  gap: 30\n", "f:2:8: inner.gap: takes a length of time such as 30s, 1.5s, 20m or 4h, not this number"},
		{"float", "inner:\n  share: .inf\n", "f:2:10: inner.share: takes a number, not this number"},
		{"struct", "inner: 3\n", "f:1:8: inner: takes keys with values (key: value), not this number"},
		{"list", "list: a\n", "f:1:7: list: takes a list (one “- item” per line), not this text"},
		{"scalar", "name: [a]\n", "f:1:7: name: takes one value, not a list"},
		{"text", "shout: bad\n", "f:1:8: shout: cannot be upper"},
		{"empty item", "list:\n  - a\n  -\n", "f:3:5: list[1]: is empty: fill it in or remove the line"},
		{"root", "- a\n", "f:1:1: takes keys with values (key: value), not a list"},
		{"alias", "name: &x a\n", "f:1:7: name: anchors, aliases and tags are not supported: write the value itself"},
		{"pair twice", "traits:\n  - a: 1\n  - a: 2\n", "f:3:5: traits.a: is given twice: keep one"},
		{"no strength", "traits:\n  - a\n", "f:2:5: traits: takes “name: value” entries, not this text"},
		{"documents", "name: a\n---\nname: b\n", "f: holds more than one YAML document (a line of ---): keep one"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got outer
			err := Decode("f", []byte(c.text), &got).Err()
			if err == nil || err.Error() != c.want {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
}

func TestAllProblemsAtOnceInLineOrder(t *testing.T) {
	var got outer
	doc := Decode("f", []byte("count: x\nzzz: 1\ninner:\n  gap: z\n"), &got)
	doc.Problemf("inner.gap", "is too short")
	doc.Problemf("count", "is too small")
	var all *Problems
	if !errors.As(doc.Err(), &all) || len(all.List) != 5 {
		t.Fatalf("got %v", doc.Err())
	}
	for i := 1; i < len(all.List); i++ {
		if all.List[i].Line < all.List[i-1].Line {
			t.Errorf("out of order:\n%v", all)
		}
	}
}

func TestSyntaxErrorsDoNotQuoteTheFile(t *testing.T) {
	var got outer
	for _, text := range []string{"name: \"sk-canary\ncount: 1\n", "name: sk-canary: [\n", "\tname: sk-canary\n", "a: b\n sk-canary\n: {"} {
		err := Decode("f", []byte(text), &got).Err()
		if err == nil || strings.Contains(err.Error(), "canary") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestTooLarge(t *testing.T) {
	var got outer
	err := Decode("f", []byte("# "+strings.Repeat("x", MaxSize)), &got).Err()
	if err == nil || !strings.Contains(err.Error(), "the maximum is 65536") {
		t.Errorf("got %v", err)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add("name: a\ninner: {gap: 1s}\ntraits: [a: 1]\n")
	f.Add("? a\n: b\n")
	f.Add("<<: *x\n")
	f.Add("list: [a, [b], {c: d}]\npairs: [{gap: 1}]\n")
	f.Fuzz(func(t *testing.T, text string) {
		var got outer
		doc := Decode("f", []byte(text), &got)
		var all *Problems
		if err := doc.Err(); err != nil && !errors.As(err, &all) {
			t.Errorf("Err is %T", err)
		}
	})
}

func TestDeeplyNestedFileIsAProblemNotACrash(t *testing.T) {
	const deep = 4000
	for _, open := range []string{"[", "{a: ", "- "} {
		var got outer
		if err := Decode("f", []byte(strings.Repeat(open, deep)), &got).Err(); err == nil {
			t.Errorf("%d × %q was read", deep, open)
		}
	}
}

// level may be written as its name, or as keys.
type level struct {
	Name  string `yaml:"name"`
	Above int    `yaml:"above"`
}

func (l *level) UnmarshalText(text []byte) error {
	l.Name = string(text)
	return nil
}

func TestAStructWithUnmarshalTextHasTwoForms(t *testing.T) {
	var got struct {
		Levels Map[level] `yaml:"levels"`
	}
	if err := Decode("f.yaml", []byte("levels:\n  a: low\n  b: {name: high, above: 3}\n  c: {}\n"), &got).Err(); err != nil {
		t.Fatal(err)
	}
	want := Map[level]{{"a", level{Name: "low"}}, {"b", level{"high", 3}}, {"c", level{}}}
	if !slices.Equal(got.Levels, want) {
		t.Errorf("got %+v", got.Levels)
	}
	err := Decode("f.yaml", []byte("levels:\n  a: {nam: low}\n  b: [low]\n"), &got).Err()
	if err == nil || !strings.Contains(err.Error(), `f.yaml:2:7: unknown key "levels.a.nam"`) || !strings.Contains(err.Error(), "f.yaml:3:6: levels.b: takes one value, not a list") {
		t.Errorf("got %v", err)
	}
}

func TestObject(t *testing.T) {
	var got struct {
		Free Object `yaml:"free"`
	}
	doc := Decode("f.yaml", []byte("free:\n  a: 1\n  b: {c: [x, 2.50, true, null, {}], d: '7'}\n  e: 12345678901234567890\n"), &got)
	const want = `{"a": 1, "b": {"c": ["x", 2.50, true, null, {}], "d": "7"}, "e": 12345678901234567890}`
	if err := doc.Err(); err != nil || got.Free.String() != want {
		t.Errorf("read %s, %v, want %s", got.Free, err, want)
	}
	if !doc.Given("free.b.c") || doc.Position("free.b.c") != (Position{3, 7}) {
		t.Errorf("free.b.c is at %v", doc.Position("free.b.c"))
	}
	for text, want := range map[string]string{
		"free: 1":             "takes keys with values",
		"free: {a: .inf}":     "free.a: takes texts, numbers",
		"free: {a: 0x1f}":     "free.a: takes a number as JSON writes it",
		"free: {a: &x 1}":     "free.a: takes texts, numbers",
		"free: {a: 1, a: 2}":  "already defined",
		"free: {a: {b: *x}}":  "free.a.b: takes texts, numbers",
		"free: {a: !!str 12}": "free.a: takes texts, numbers",
	} {
		if err := Decode("f.yaml", []byte(text), &got).Err(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
