package lore_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"familiar/persona/lore"
)

// book reads a book with these entries.
func book(t *testing.T, head, entries string) *lore.Book {
	t.Helper()
	b, err := lore.Read([]byte(`{` + head + `"entries":[` + entries + `]}`))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// says are messages, those that the persona wrote marked with ">".
func says(lines ...string) (all []lore.Message) {
	for _, l := range lines {
		text, self := strings.CutPrefix(l, ">")
		all = append(all, lore.Message{Text: text, Self: self})
	}
	return all
}

// texts are what fires.
func texts(r lore.Result) (all []string) {
	for _, f := range r.Fired {
		all = append(all, f.Text)
	}
	return all
}

func TestWhichEntriesFire(t *testing.T) {
	const bar = `{"keys":["bar","pub"],"content":"The bar.","insertion_order":1`
	for name, c := range map[string]struct {
		entries string
		talk    []string
		want    []string
	}{
		"a key":                      {bar + `}`, []string{"Which BAR?"}, []string{"The bar."}},
		"a whole word":               {bar + `}`, []string{"a barrel"}, nil},
		"a part of a word":           {bar + `,"extensions":{"match_whole_words":false}}`, []string{"a barrel"}, []string{"The bar."}},
		"case":                       {bar + `,"case_sensitive":true}`, []string{"Which BAR?"}, nil},
		"Han has no spaces":          {`{"keys":["酒吧"],"content":"x"}`, []string{"那个酒吧叫什么"}, []string{"x"}},
		"disabled":                   {bar + `,"enabled":false,"constant":true}`, []string{"bar"}, nil},
		"constant":                   {bar + `,"constant":true}`, []string{"hello"}, []string{"The bar."}},
		"no content":                 {`{"keys":["bar"],"content":""}`, []string{"bar"}, nil},
		"far back":                   {bar + `}`, []string{"bar", "1", "2", "3", "4"}, nil},
		"secondary":                  {bar + `,"selective":true,"secondary_keys":["old","new"]}`, []string{"the old bar"}, []string{"The bar."}},
		"secondary missing":          {bar + `,"selective":true,"secondary_keys":["old"]}`, []string{"the bar"}, nil},
		"secondary not selective":    {bar + `,"secondary_keys":["old"]}`, []string{"the bar"}, []string{"The bar."}},
		"and all":                    {bar + `,"selective":true,"secondary_keys":["old","new"],"extensions":{"selectiveLogic":3}}`, []string{"the old bar"}, nil},
		"not any":                    {bar + `,"selective":true,"secondary_keys":["old"],"extensions":{"selectiveLogic":2}}`, []string{"the old bar"}, nil},
		"not any holds":              {bar + `,"selective":true,"secondary_keys":["old"],"extensions":{"selectiveLogic":2}}`, []string{"the bar"}, []string{"The bar."}},
		"not all":                    {bar + `,"selective":true,"secondary_keys":["old","new"],"extensions":{"selectiveLogic":1}}`, []string{"old bar"}, []string{"The bar."}},
		"not all fails":              {bar + `,"selective":true,"secondary_keys":["old","new"],"extensions":{"selectiveLogic":1}}`, []string{"old new bar"}, nil},
		"regex":                      {`{"keys":["b[ae]r+"],"use_regex":true,"content":"x"}`, []string{"a BERR"}, []string{"x"}},
		"regex of SillyTavern":       {`{"keys":["/^b.r/im"],"content":"x"}`, []string{"one", "Bor"}, []string{"x"}},
		"invalid regex":              {`{"keys":["b("],"use_regex":true,"content":"x"}`, []string{"b("}, nil},
		"never":                      {bar + `,"extensions":{"probability":0,"useProbability":true}}`, []string{"bar"}, nil},
		"@@activate":                 {`{"keys":[],"content":"@@dont_activate\n@@activate\n\nx"}`, []string{"hi"}, []string{"x"}},
		"@@dont_activate":            {`{"keys":["bar"],"content":"@@dont_activate\nx"}`, []string{"bar"}, nil},
		"@@constant":                 {`{"keys":["bar"],"content":"@@constant\nx"}`, []string{"hi"}, []string{"x"}},
		"@@scan_depth":               {`{"keys":["bar"],"content":"@@scan_depth 1\nx"}`, []string{"bar", "hi"}, nil},
		"@@activate_only_after":      {`{"keys":["bar"],"content":"@@activate_only_after 2\nx"}`, []string{">one", "bar"}, nil},
		"@@activate_only_after met":  {`{"keys":["bar"],"content":"@@activate_only_after 2\nx"}`, []string{">one", ">two", "bar"}, []string{"x"}},
		"@@activate_only_every":      {`{"keys":["bar"],"content":"@@activate_only_every 2\nx"}`, []string{">one", "bar"}, nil},
		"@@keep_activate":            {`{"keys":["bar"],"content":"@@keep_activate_after_match\nx"}`, []string{"bar", "1", "2", "3", "4", "5"}, []string{"x"}},
		"@@dont_activate_after":      {`{"keys":["bar"],"content":"@@dont_activate_after_match\nx"}`, []string{"bar", "bar"}, nil},
		"@@additional_keys":          {`{"keys":["bar"],"content":"@@additional_keys old, new\nx"}`, []string{"bar"}, nil},
		"@@additional_keys met":      {`{"keys":["bar"],"content":"@@additional_keys old, new\nx"}`, []string{"new bar"}, []string{"x"}},
		"@@exclude_keys":             {`{"keys":["bar"],"content":"@@exclude_keys soap\nx"}`, []string{"a bar of soap"}, nil},
		"unknown decorator":          {`{"keys":["bar"],"content":"@@shine 4\nx"}`, []string{"bar"}, []string{"x"}},
		"fallback":                   {`{"keys":["bar"],"content":"@@shine 4\n@@@glow\n@@@dont_activate\nx"}`, []string{"bar"}, nil},
		"fallback that is not asked": {`{"keys":["bar"],"content":"@@depth 4\n@@@dont_activate\nx"}`, []string{"bar"}, []string{"x"}},
		"value that does not fit":    {`{"keys":["bar"],"content":"@@scan_depth many\n@@@dont_activate\nx"}`, []string{"bar"}, nil},
		"@@is_greeting":              {`{"keys":["bar"],"content":"@@is_greeting 1\nx"}`, []string{"bar"}, nil},
		"values of another type":     {`{"keys":["bar"],"content":"x","insertion_order":"ten","enabled":"yes","priority":{}}`, []string{"bar"}, []string{"x"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := texts(lore.Compile(book(t, "", c.entries)).Fire(lore.Input{Messages: says(c.talk...), New: 1}))
			if !slices.Equal(got, c.want) {
				t.Errorf("%v fires, want %v", got, c.want)
			}
		})
	}
}

func TestAnInvalidExpressionIsReported(t *testing.T) {
	r := lore.Compile(book(t, "", `{"keys":["(?=x)"],"use_regex":true,"content":"x","name":"Look"}`))
	if len(r.Problems) != 1 || !strings.Contains(r.Problems[0], "Look") {
		t.Errorf("problems: %q", r.Problems)
	}
}

func TestRecursion(t *testing.T) {
	entries := `{"keys":["bar"],"content":"Owned by Mo.","insertion_order":1},{"keys":["mo"],"content":"Mo has a dog.","insertion_order":2},
		{"keys":["dog"],"content":"Bolt.","insertion_order":3},{"keys":["dog"],"content":"Not this.","extensions":{"exclude_recursion":true}}`
	in := lore.Input{Messages: says("the bar"), New: 1}
	if got := texts(lore.Compile(book(t, `"recursive_scanning":true,`, entries)).Fire(in)); !slices.Equal(got, []string{"Owned by Mo.", "Mo has a dog.", "Bolt."}) {
		t.Errorf("%q fire", got)
	}
	if got := texts(lore.Compile(book(t, "", entries)).Fire(in)); len(got) != 1 {
		t.Errorf("without recursion %q fire", got)
	}
}

func TestABudgetLeavesOutTheLowestPriority(t *testing.T) {
	word := strings.Repeat("word ", 30)
	entries := `{"keys":["a"],"content":"low ` + word + `","priority":1},{"keys":["a"],"content":"high ` + word + `","priority":9,"insertion_order":7},
		{"keys":["a"],"content":"@@ignore_on_max_context\nfirst out ` + word + `","priority":99},{"keys":["a"],"content":"short","priority":0,"insertion_order":2}`
	r := lore.Compile(book(t, `"token_budget":50,`, entries)).Fire(lore.Input{Messages: says("a"), New: 1})
	if got := texts(r); len(got) != 2 || got[0] != "short" || !strings.HasPrefix(got[1], "high") || len(r.LeftOut) != 2 {
		t.Errorf("%q fire, %d are left out", got, len(r.LeftOut))
	}
}

func TestWhereEntriesGo(t *testing.T) {
	entries := `{"content":"@@position personality\na"},{"content":"@@depth 2\n@@role assistant\nb"},{"content":"c","position":"before_char"},
		{"content":"d","extensions":{"position":4,"depth":1,"role":1}},{"content":"e"},{"content":"@@position scenario\nf"}`
	b := book(t, "", entries)
	for i := range b.Entries {
		b.Entries[i].Constant = true
	}
	var got []string
	for _, f := range lore.Compile(b).Fire(lore.Input{}).Fired {
		got = append(got, f.Text+" "+string(f.Place)+" "+f.Role)
	}
	want := []string{"a personality ", "b in the talk assistant", "c before the character ", "d in the talk user", "e after the character ", "f scenario "}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestBooksSurviveARoundTrip(t *testing.T) {
	const text = `{"name":"N","token_budget":1e3,"novel":[1,2.50],"extensions":{"x":{"y":null}},"entries":[
		{"keys":["a"],"content":"@@depth 1\nx","enabled":true,"insertion_order":"12","id":9007199254740993,"extensions":{"depth":4,"z":[]},"own":true},
		{"keys":"not a list","content":7}]}`
	b, err := lore.Read([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	sameJSON(t, b, text)
	b.Entries[1].Content = "new"
	sameJSON(t, b, strings.Replace(text, `"content":7`, `"content":"new"`, 1))
	file, err := b.Write()
	if err != nil {
		t.Fatal(err)
	}
	again, err := lore.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	sameJSON(t, again, strings.Replace(text, `"content":7`, `"content":"new"`, 1))
}

func sameJSON(t *testing.T, value any, want string) {
	t.Helper()
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := generic(t, data), generic(t, []byte(want)); !reflect.DeepEqual(got, want) {
		t.Errorf("got %s\nwant %s", data, want)
	}
}

// generic decodes JSON with the digits of its numbers.
func generic(t *testing.T, data []byte) (v any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(string(data)))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestWorldInfo(t *testing.T) {
	b, err := lore.Read([]byte(`{"entries":{"10":{"uid":10,"key":["mo"],"content":"Second."},"2":{"uid":2,"key":["bar"],"keysecondary":["old"],"comment":"The bar",
		"content":"First.","constant":false,"selective":true,"selectiveLogic":2,"order":100,"position":4,"depth":3,"role":2,"disable":false,"matchWholeWords":false,
		"caseSensitive":null,"sticky":3},"3":{"key":["x"],"content":"Off.","disable":true,"constant":true}}}`))
	if err != nil {
		t.Fatal(err)
	}
	r := lore.Compile(b).Fire(lore.Input{Messages: says("barrels of mo"), New: 1})
	if got := texts(r); !slices.Equal(got, []string{"Second.", "First."}) {
		t.Fatalf("%q fire", got)
	}
	if f := r.Fired[1]; f.Place != lore.AtDepth || f.Depth != 3 || f.Role != lore.RoleAssistant || f.Entry.Title() != "The bar" {
		t.Errorf("%+v", f)
	}
	if string(b.Entries[0].Extensions["sticky"]) != "3" {
		t.Error("what is not known of an entry is lost")
	}
}

func TestMalformedBooks(t *testing.T) {
	for _, text := range []string{
		"", "[]", "null", `{"entries":7}`, `{"entries":[7]}`, `{"name":"x"}`, `{"entries":{"1":[]}}`, `{"entries":[`,
		`{"entries":` + strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000) + `}`,
		`{"entries":[` + strings.Repeat("{},", 300_000) + `{}]}`,
	} {
		if _, err := lore.Read([]byte(text)); err == nil {
			t.Errorf("%.40q is read", text)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"entries":[{"keys":["/a/i"],"content":"@@depth 1\n@@@x\nb","secondary_keys":["c"],"selective":true}]}`), "a")
	f.Add([]byte(`{"entries":{"1":{"key":["x"],"content":"y"}}}`), "x")
	f.Fuzz(func(t *testing.T, data []byte, said string) {
		b, err := lore.Read(data)
		if err != nil {
			return
		}
		lore.Compile(b).Fire(lore.Input{Messages: says(said), New: 1, Budget: 100})
		if _, err := b.Write(); err != nil {
			t.Fatalf("write what was read: %v", err)
		}
	})
}
