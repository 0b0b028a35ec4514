package lazyregexp_test

import (
	"reflect"
	"strings"
	"sync"
	"testing"

	"familiar/internal/lazyregexp"
)

var word = lazyregexp.New(`(\w)\w+`)

func TestARegexpIsCompiledWhenItIsUsed(t *testing.T) {
	const text = "so it is"
	for name, found := range map[string]struct{ got, want any }{
		"MatchString":                {word.MatchString(text), true},
		"FindStringSubmatch":         {word.FindStringSubmatch(text), []string{"so", "s"}},
		"FindAllStringIndex":         {word.FindAllStringIndex(text, 2), [][]int{{0, 2}, {3, 5}}},
		"FindAllStringSubmatchIndex": {word.FindAllStringSubmatchIndex(text, 1), [][]int{{0, 2, 0, 1}}},
		"ReplaceAllString":           {word.ReplaceAllString(text, "$1"), "s i i"},
		"ReplaceAllLiteralString":    {word.ReplaceAllLiteralString(text, "$1"), "$1 $1 $1"},
		"ReplaceAllStringFunc":       {word.ReplaceAllStringFunc(text, strings.ToUpper), "SO IT IS"},
	} {
		if !reflect.DeepEqual(found.got, found.want) {
			t.Errorf("%s: got %v, want %v", name, found.got, found.want)
		}
	}
}

func TestCheckFindsWhatDoesNotCompile(t *testing.T) {
	before, _ := lazyregexp.Check()
	wrong := lazyregexp.New(`(never closed`)
	if n, err := lazyregexp.Check(); n != before+1 || err == nil || !strings.Contains(err.Error(), "never closed") {
		t.Errorf("of %d expressions: %v", n, err)
	}
	defer func() {
		if recover() == nil {
			t.Error("it matched with an expression that does not compile")
		}
	}()
	wrong.MatchString("")
}

// Tables that are made on first use may hold expressions.
func TestExpressionsAreMadeAtOnce(t *testing.T) {
	before, _ := lazyregexp.Check()
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() { lazyregexp.New(`late`) })
		all.Go(func() { lazyregexp.Check() }) //nolint:errcheck // another test's expression is wrong
	}
	all.Wait()
	if n, _ := lazyregexp.Check(); n != before+20 {
		t.Errorf("of 20 expressions %d are known", n-before)
	}
}
