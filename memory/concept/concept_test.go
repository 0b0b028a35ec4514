package concept

import (
	"runtime"
	"slices"
	"strings"
	"testing"
)

// keysIn returns the concepts that a text mentions, kinds marked by ">".
func keysIn(t *testing.T, tag, said string) []string {
	t.Helper()
	l := For(tag)
	var keys []string
	for _, m := range l.In(l.Stems(said)) {
		key := m.Concept.Key()
		if m.Kind != 0 {
			key = ">" + key
		}
		keys = append(keys, key)
	}
	return keys
}

func TestIn(t *testing.T) {
	for _, c := range []struct{ tag, said, want string }{
		{"en", "What frightens me?", "fear"},
		{"en", "I'm TERRIFIED of moths", "fear"},
		{"en", "she has been playing the guitars", ">instrument"},
		{"en", "it gave me a panic attack", "panic"},
		{"en", "he creeps me, they freaked out", "fear"},
		{"en", "they got married in June", "marriage"},
		{"de", "Wovor fürchtest du dich?", "fear"},
		{"de", "ich fuerchte nichts, aber ich habe Ängste", "fear"},
		{"de", "ich spiele zwei Geigen", ">instrument"},
		{"de", "Platzangst im Aufzug", ">fear"},
		{"de", "nicht meine Nichten", "nephew_niece"},
		{"es", "¿Qué te asusta?", "fear"},
		{"es", "me dan miedo las alturas", "fear"},
		{"es", "tengo panico", "panic"},
		{"es", "tocaba dos guitarras", ">instrument"},
		{"fr", "j'ai une crise d’angoisse", "panic"},
		{"fr", "ma soeur", "sister"},
		{"fr", "mes sœurs", "sister"},
		{"fr", "Elle est effrayée", "fear"},
		{"fr", "des violons", ">instrument"},
	} {
		if got := keysIn(t, c.tag, c.said); !slices.Contains(got, c.want) {
			t.Errorf("%s %q mentions %q, want %s", c.tag, c.said, got, c.want)
		}
	}
	for _, c := range [][2]string{
		{"en", ""},
		{"en", "zzz qqq"},
		{"en", "..."},
		{"en", "the of up"},
		{"de", "nicht"},
		{"es", "que"},
		{"fr", "tu"}, // stems of Nichte, queer and tué
	} {
		if got := keysIn(t, c[0], c[1]); got != nil {
			t.Errorf("%q mentions %q", c[1], got)
		}
	}
}

func TestForOtherLanguages(t *testing.T) {
	for _, tag := range []string{"", "ja", "EN", "de-AT"} {
		if For(tag) != nil {
			t.Errorf("%q has a lexicon", tag)
		}
	}
}

// mention returns the first mention of a concept in a text.
func mention(t *testing.T, tag, said, key string) Mention {
	t.Helper()
	l := For(tag)
	found := l.In(l.Stems(said))
	i := slices.IndexFunc(found, func(m Mention) bool { return m.Concept.Key() == key })
	if i < 0 {
		t.Fatalf("%q mentions no %s", said, key)
	}
	return found[i]
}

func TestMatches(t *testing.T) {
	instrument := mention(t, "en", "which instruments does she play", "instrument")
	guitar := mention(t, "en", "my guitar", "instrument")
	for _, c := range []struct {
		a, b Mention
		want bool
	}{
		{instrument, instrument, true},
		{instrument, guitar, true},
		{guitar, instrument, true},
		{guitar, mention(t, "en", "two guitars", "instrument"), true},
		{guitar, mention(t, "en", "a violin", "instrument"), false},
		{guitar, mention(t, "de", "Gitarre", "instrument"), false},
		{guitar, mention(t, "de", "ein Instrument", "instrument"), true},
		{instrument, mention(t, "en", "afraid", "fear"), false},
	} {
		if got := c.a.Matches(c.b); got != c.want {
			t.Errorf("%+v matches %+v: %v", c.a, c.b, got)
		}
	}
}

// Of phrases, the longest counts; the words inside count as well.
func TestPhrases(t *testing.T) {
	l := For("en")
	stems := l.Stems("I had a panic attack, then I pinky promised")
	spans := map[[2]int]bool{}
	for _, m := range l.In(stems) {
		spans[[2]int{m.From, m.To}] = true
		if m.To-m.From > 1 && !slices.Contains(l.itemsOf(m.Concept), strings.Join(stems[m.From:m.To], " ")) {
			t.Errorf("%q does not mean %s", stems[m.From:m.To], m.Concept.Key())
		}
	}
	for _, want := range [][2]int{{3, 5}, {3, 4}} {
		if !spans[want] {
			t.Errorf("nothing found at %v: %v", want, spans)
		}
	}
	for a := range spans {
		for b := range spans {
			if a != b && a[1]-a[0] > 1 && b[0] <= a[0] && a[1] <= b[1] {
				t.Errorf("%v is within %v", a, b)
			}
		}
	}
}

// itemsOf returns the stems of the words and phrases that mean a concept.
func (l *Lexicon) itemsOf(c Concept) (phrases []string) {
	n := -1
	for line := range lines() {
		if line.key != "" {
			n++
		} else if n == int(c) && line.name == l.lang.Tag() {
			for item := range items(line.items) {
				phrases = append(phrases, strings.Join(l.Stems(item), " "))
			}
		}
	}
	return phrases
}

func TestNear(t *testing.T) {
	fear := mention(t, "en", "fear", "fear").Concept
	var keys []string
	for _, c := range fear.Near() {
		keys = append(keys, c.Key())
	}
	if !slices.Contains(keys, "worry") {
		t.Errorf("fear is near %q", keys)
	}
}

func FuzzIn(f *testing.F) {
	f.Add("I'm terrified of moths")
	f.Add("crise d’angoisse, sœur, ŒUVRE, petit-déj")
	f.Add("panic panic attack attack creep out\xff\u0301ß")
	f.Fuzz(func(t *testing.T, said string) {
		for _, l := range lexicons {
			l := l.get()
			stems := l.Stems(said)
			from := 0
			for _, m := range l.In(stems) {
				if m.From < from || m.To <= m.From || m.To > len(stems) || int(m.Concept) >= len(named().keys) {
					t.Fatalf("%q: %+v of %d stems after %d", said, m, len(stems), from)
				}
				if !m.Matches(m) {
					t.Fatalf("%+v does not match itself", m)
				}
				from = m.From
			}
		}
	})
}

// A text without a concept costs no allocation, another one only its result.
func TestInAllocatesOnlyTheResult(t *testing.T) {
	l := For("en")
	for said, want := range map[string]float64{"zzz qqq of the": 0, message: 1} {
		stems := l.Stems(said)
		if got := testing.AllocsPerRun(100, func() { l.In(stems) }); got > want {
			t.Errorf("%q: %v allocations, want %v", said, got, want)
		}
	}
}

const message = "They put me on nights again at the hospital and my sister is terrified that I forget her wedding in June"

func BenchmarkIn(b *testing.B) {
	l := For("en")
	stems := l.Stems(message)
	b.ReportAllocs()
	for b.Loop() {
		l.In(stems)
	}
}

func BenchmarkLoad(b *testing.B) {
	for nth, l := range lexicons {
		b.Run(l.tag, func(b *testing.B) {
			load(l.tag, 0) // recall's own tables are loaded once
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			kept := load(l.tag, uint32(nth))
			runtime.GC()
			runtime.ReadMemStats(&after)
			heap := int64(after.HeapAlloc) - int64(before.HeapAlloc)
			for b.Loop() {
				load(l.tag, uint32(nth))
			}
			b.ReportMetric(float64(heap), "heap-B")
			b.ReportMetric(float64(len(kept.nodes)), "nodes")
		})
	}
}
