package lexical

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// The authors in these tests.
const (
	ann int64 = iota + 1
	bo
)

const hour = 3_600_000

// talk is an index of one session in which Ann and Bo take turns, Ann first.
func talk(lines ...string) *Index {
	x := New(English)
	x.Name(ann, "Ann")
	x.Name(bo, "Bo Larsen")
	for i, l := range lines {
		x.Add(Document{Text: l, Author: ann + int64(i%2), Thread: 1, At: int64(i+1) * hour})
	}
	return x
}

func ordinals(matches []Match) []int {
	var o []int
	for _, m := range matches {
		o = append(o, m.Ordinal)
	}
	return o
}

func first(t *testing.T, x *Index, q Query) Match {
	t.Helper()
	q.Limit = 20
	found := Search([]*Index{x}, q)
	if len(found) == 0 {
		t.Fatalf("nothing found for %q", q.Text)
	}
	return found[0]
}

func TestSearchPrefers(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string
		query Query
		want  int
	}{
		{
			"the turn that holds the words",
			[]string{"The boat leaks", "I bought a cello", "Rain again"},
			Query{Text: "cello"},
			1,
		},
		{
			"another form of the word",
			[]string{"Rain again", "I have been gardening", "The boat leaks"},
			Query{Text: "Who has gardens?"},
			1,
		},
		{
			"a form that no rule of endings takes to its word",
			[]string{"Rain again", "We all went", "The boat leaks"},
			Query{Text: "Who goes?"},
			1,
		},
		{
			"two words the talk writes as one",
			[]string{"Rain again", "The boat leaks", "Nobody", "We made icecream", "Cream for the boat", "No ice"},
			Query{Text: "Who made ice cream?", Weights: &Weights{Turn: 1}},
			3,
		},
		{
			"the answer over the question",
			[]string{"Which instrument do you play?", "A cello, for years", "Rain again", "The boat leaks"},
			Query{Text: "Bo instrument"},
			1,
		},
		{
			"who is named",
			[]string{"I adore chess", "I adore chess"},
			Query{Text: "What does Bo adore? chess"},
			1,
		},
		{
			"who is named by a short form with a capital",
			[]string{"I adore chess", "I adore chess", "ok"},
			Query{Text: "Does Lars adore chess?"},
			1,
		},
		{
			"who asks, when they say I",
			[]string{"I adore chess", "I adore chess"},
			Query{Text: "Do I adore chess?", Asker: ann},
			0,
		},
		{
			"newer among equals",
			[]string{"I adore chess", "rain", "I adore chess"},
			Query{Text: "chess adored", Weights: &Weights{Turn: 1}},
			2,
		},
		{
			"a time when one is asked for",
			[]string{"We sold the boat quickly", "rain", "We sold the boat yesterday"},
			Query{Text: "When was the boat sold?", Weights: &Weights{Turn: 1, When: 0.4}},
			2,
		},
		{
			"a number when one is asked for",
			[]string{"We keep three hens", "rain", "We keep lovely hens"},
			Query{Text: "How many hens are kept?", Weights: &Weights{Turn: 1, Number: 0.2}},
			0,
		},
		{
			"a name when one is asked for",
			[]string{"We played a game all night", "rain", "We played our game at Lake Orta all night"},
			Query{Text: "Where did you play that game?", Weights: &Weights{Turn: 0.5, Naming: 0.3}},
			2,
		},
		{
			"what opens a session, among equals",
			[]string{"I adore chess", "rain", "I adore chess"},
			Query{Text: "chess adored", Weights: &Weights{Turn: 1, First: 0.1}},
			0,
		},
		{
			"what was said at the time named",
			[]string{"Rain again", "The boat leaks", "Lovely morning"},
			Query{Text: "what about then", Times: []TimeRange{{From: 2 * hour, Until: 3 * hour}}},
			1,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := first(t, talk(c.lines...), c.query); got.Ordinal != c.want {
				t.Errorf("found turn %d first, want %d: %v", got.Ordinal, c.want, got.Values)
			}
		})
	}
}

// fires is a session whose third and last turn mention a fire, the last far from its first.
func fires() *Index {
	lines := slices.Repeat([]string{"Rain"}, farTurns+5)
	lines[0], lines[2], lines[farTurns+4] = "I adore chess by the fire", "The fire", "The fire"
	return talk(lines...)
}

func TestTurnsNearTheBestOfTheirSessionLead(t *testing.T) {
	q := Query{Text: "chess fire", Limit: 3, Weights: &Weights{Turn: 1, Distance: -0.2}}
	found := Search([]*Index{fires()}, q)
	if !slices.Equal(ordinals(found), []int{0, 2, farTurns + 4}) {
		t.Fatalf("found %v", ordinals(found))
	}
	for i, want := range []float32{0, 2. / farTurns, 1} {
		if got := found[i].Values[Distance]; got != want {
			t.Errorf("turn %d has distance %v, want %v", found[i].Ordinal, got, want)
		}
	}
}

func TestSkippedMatchesFavourNoNeighbours(t *testing.T) {
	q := Query{Text: "chess fire", Limit: 2, Weights: &Weights{Turn: 1, Distance: -0.2}}
	q.Skip = func(_, ordinal int) bool { return ordinal == 0 }
	found := Search([]*Index{fires()}, q)
	if !slices.Equal(ordinals(found), []int{farTurns + 4, 2}) {
		t.Errorf("found %v, want the newer of two equals first", ordinals(found))
	}
}

// "What is Caroline's status?" matches few words, so that turns by Caroline are the best results.
func TestFewMatchesAreFilledWithTurnsOfNamedPeople(t *testing.T) {
	lines := slices.Repeat([]string{"Rain"}, fewDocuments+1)
	lines[1] = "I adore chess"
	x := []*Index{talk(lines...)}
	found := ordinals(Search(x, Query{Text: "Does Bo play chess?", Limit: 50}))
	slices.Sort(found)
	want := []int{0, 1, 2}
	for i := 3; i <= fewDocuments; i += 2 {
		want = append(want, i)
	}
	if !slices.Equal(found, want) {
		t.Errorf("found %v, want the match, those around it and what else Bo said", found)
	}
	if found := ordinals(Search(x, Query{Text: "Who plays chess?", Limit: 50})); len(found) != 4 {
		t.Errorf("nobody is named, found %v", found)
	}
}

func TestAllOfAShortTalkIsFound(t *testing.T) {
	x := talk("I adore chess", "Rain again")
	if found := Search([]*Index{x}, Query{Text: "submarine", Limit: 5}); len(found) != 2 {
		t.Errorf("found %v, want both lines", ordinals(found))
	}
}

func TestSearchFindsNothing(t *testing.T) {
	x := talk(slices.Repeat([]string{"I adore chess"}, fewDocuments+1)...)
	for _, text := range []string{"", "?!", "and the of", "submarine"} {
		if found := Search([]*Index{x}, Query{Text: text, Limit: 5}); len(found) != 0 {
			t.Errorf("%q found %v", text, found)
		}
	}
	if found := Search(nil, Query{Text: "chess", Limit: 5}); len(found) != 0 {
		t.Errorf("no scopes found %v", found)
	}
}

func TestContextContributesButIsNeverFound(t *testing.T) {
	x := New(English)
	x.Add(Document{Text: "Did the cello arrive?", Thread: 1, At: 1, Context: true})
	x.Add(Document{Text: "Yes, this morning", Author: ann, Thread: 1, At: 2})
	found := Search([]*Index{x}, Query{Text: "cello", Limit: 5})
	if !slices.Equal(ordinals(found), []int{1}) {
		t.Fatalf("found %v, want only the answer", ordinals(found))
	}
	if found[0].Values[Before1] == 0 || found[0].Values[Answers] == 0 {
		t.Errorf("the question lent nothing: %v", found[0].Values)
	}
}

// TestRemovedDocumentsLeaveNoTrace adds documents, removes some, and compares with an index that never had them.
func TestRemovedDocumentsLeaveNoTrace(t *testing.T) {
	lines := []string{"The ferry leaves at noon", "Is the ferry late?", "Rex barks at the ferry", "The harbour is closed"}
	with, without := talk(lines...), talk(lines...)
	for _, o := range []int{1, 2} {
		with.Surface(o, 5*hour, 6*hour, []string{"ferry"})
		with.Conceal(o)
	}
	alone := []int{
		with.Add(Document{Text: "A ferry, a harbour and a dog called Rex", At: hour, From: hour, Until: 2 * hour, Links: []string{"rex"}}),
		with.Add(Document{Text: "Nothing but ferries", At: 2 * hour}),
	}
	for _, x := range []*Index{with, without} {
		x.rows[1].flags |= isContext
		x.rows[2].flags |= isContext
	}
	with.Remove(alone)
	q := Query{Text: "when does the ferry leave the harbour with Rex?", Times: []TimeRange{{hour, 7 * hour}}, Limit: 10}
	got, want := Search([]*Index{with}, q), Search([]*Index{without}, q)
	if !slices.Equal(got, want) || len(want) == 0 {
		t.Errorf("found %v, want %v", got, want)
	}
	if linked := Linked([]*Index{with}, got); len(linked) > 0 {
		t.Errorf("still linked: %v", linked)
	}
	if with.Bytes() < without.Bytes() {
		t.Errorf("takes %d bytes, and %d without what was taken out", with.Bytes(), without.Bytes())
	}
}

func TestThreadsAreNotEachOthersContext(t *testing.T) {
	x := New(English)
	x.Add(Document{Text: "The cello arrived", Author: ann, Thread: 1, At: 1})
	x.Add(Document{Text: "Rain again", Author: bo, Thread: 2, At: 2})
	x.Add(Document{Text: "Lovely", Author: bo, Thread: 1, At: 3})
	for range fewDocuments {
		x.Add(Document{Text: "Nothing new", Author: bo, Thread: 3, At: 4})
	}
	if x.After(0) != 2 || x.Before(2) != 0 || x.Before(1) != -1 || x.After(1) != -1 {
		t.Errorf("neighbours: %d %d %d %d", x.After(0), x.Before(2), x.Before(1), x.After(1))
	}
	if found := Search([]*Index{x}, Query{Text: "cello", Limit: 5}); !slices.Equal(ordinals(found), []int{0, 2}) {
		t.Errorf("found %v, want the turn and its neighbour in the thread", ordinals(found))
	}
}

func TestInterleavedThreadsCountLikeSeparateOnes(t *testing.T) {
	separate, mixed := New(English), New(English)
	lines := map[int64][]string{1: {"cello here", "cello again", "rain"}, 2: {"a boat", "cello", "a boat"}}
	for _, id := range []int64{1, 2} {
		for _, l := range lines[id] {
			separate.Add(Document{Text: l, Thread: id})
		}
	}
	for i := range 3 {
		for _, id := range []int64{1, 2} {
			mixed.Add(Document{Text: lines[id][i], Thread: id})
		}
	}
	for term := range separate.words.terms {
		_, one, _ := separate.lists(term)
		_, two, _ := mixed.lists(term)
		if !slices.Equal(one, two) {
			t.Errorf("%s: %v separate, %v mixed", term, one, two)
		}
	}
}

func TestScopesShareTermRarity(t *testing.T) {
	one, two := talk("a cello", "a boat"), talk("a boat", "a boat")
	found := Search([]*Index{one, two}, Query{Text: "cello boat", Limit: 4, Weights: &Weights{Turn: 1}})
	if found[0].Scope != 0 || found[0].Ordinal != 0 {
		t.Errorf("the rarer word over both scopes must lead, got %+v", found[0])
	}
	if len(found) != 4 {
		t.Errorf("found %d, want the turns of both scopes", len(found))
	}
}

func TestSkip(t *testing.T) {
	x := talk("cello one", "cello two")
	found := Search([]*Index{x}, Query{Text: "cello", Limit: 5, Skip: func(_, o int) bool { return o == 0 }})
	if !slices.Equal(ordinals(found), []int{1}) {
		t.Errorf("found %v", ordinals(found))
	}
}

func TestLinked(t *testing.T) {
	x := New(English)
	x.Add(Document{Text: "Rex barked", At: 1, Links: []string{"rex"}})
	x.Add(Document{Text: "The vet was kind", At: 2, Links: []string{"rex", "vet"}})
	x.Add(Document{Text: "Rain", At: 3})
	for range commonLink + 1 {
		x.Add(Document{Text: "town", Links: []string{"town"}})
	}
	x.Add(Document{Text: "The mayor", Links: []string{"town", "mayor"}})
	got := Linked([]*Index{x}, Search([]*Index{x}, Query{Text: "barked", Limit: 1}))
	if len(got) != 1 || got[0].Ordinal != 1 || got[0].Via != "rex" {
		t.Errorf("from Rex: %+v", got)
	}
	if got := Linked([]*Index{x}, Search([]*Index{x}, Query{Text: "mayor", Limit: 1})); len(got) != 0 {
		t.Errorf("a name everything shares must lead nowhere, got %+v", got)
	}
}

// vocabulary is enough words for generated talk to be varied.
var vocabulary = func() []string {
	var words []string
	for _, a := range strings.Fields("bar dol fen gim hul jor kel mav nop pir quas rul sib tev vok wex yam zor") {
		for _, b := range strings.Fields("ado ebi iku olo upa ana ere ini") {
			for _, c := range strings.Fields("k m n r t x") {
				words = append(words, a+b+c)
			}
		}
	}
	return words
}()

// babble returns a sentence whose words follow a power law, as in real text.
func babble(rng *rand.Rand, words int) string {
	var b strings.Builder
	for range words {
		r := rng.Float64()
		b.WriteString(vocabulary[int(r*r*r*float64(len(vocabulary)))])
		b.WriteByte(' ')
	}
	return b.String()
}

func babbled(n int, seed uint64) *Index {
	rng := rand.New(rand.NewPCG(seed, 1))
	x := New(English)
	for i := range n {
		x.Add(Document{Text: babble(rng, 4+rng.IntN(20)), Author: 1 + rng.Int64N(2), Thread: int64(1 + i/20), At: int64(i)})
	}
	return x
}

func TestSearchIsDeterministicAndOrdered(t *testing.T) {
	x := babbled(800, 7)
	rng := rand.New(rand.NewPCG(8, 1))
	for range 50 {
		q := Query{Text: babble(rng, 5), Limit: 30}
		found := Search([]*Index{x}, q)
		if again := Search([]*Index{x}, q); !slices.Equal(found, again) {
			t.Fatalf("%q found different things twice", q.Text)
		}
		for i := 1; i < len(found); i++ {
			if !worse(&found[i], &found[i-1]) {
				t.Fatalf("place %d is not after place %d: %+v, %+v", i, i-1, found[i], found[i-1])
			}
		}
	}
}

// Scoring only the best of many in detail does not change the top results.
func TestManySeedsKeepTheBest(t *testing.T) {
	x := babbled(20_000, 3)
	rng := rand.New(rand.NewPCG(4, 1))
	b := prepare([]*Index{x}, &Query{Text: babble(rng, 6)})
	s := x.scoreTerms(&b)
	defer s.release()
	if len(s.touched) <= maxSeeds {
		t.Fatalf("only %d documents contain a term: the test proves nothing", len(s.touched))
	}
	seeds := slices.Clone(s.seeds())
	if len(seeds) > maxSeeds || len(seeds) < maxSeeds*9/10 {
		t.Fatalf("%d seeds, want about %d", len(seeds), maxSeeds)
	}
	byScore := slices.Clone(s.touched)
	slices.SortFunc(byScore, func(p, q uint32) int {
		return int(1e6 * (s.turn[q].hint() - s.turn[p].hint()))
	})
	for _, d := range byScore[:100] {
		if !slices.Contains(seeds, d) {
			t.Fatalf("document %d scores %v and is no seed", d, s.turn[d].hint())
		}
	}
}

func TestSearchesAreIndependent(t *testing.T) {
	x, small := babbled(500, 1), talk("cello", "boat")
	want := Search([]*Index{small}, Query{Text: "cello", Limit: 5})
	for range 20 {
		Search([]*Index{x, small}, Query{Text: babble(rand.New(rand.NewPCG(2, 2)), 9) + " cello", Limit: 5})
	}
	if got := Search([]*Index{small}, Query{Text: "cello", Limit: 5}); !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func FuzzSearch(f *testing.F) {
	f.Add("I adore chess", "who adores chess?")
	f.Add("寿司が好き", "寿司")
	f.Add("\xff", "?")
	f.Add("NEAR the bridge*", `NEAR( "bridge" OR '`)
	f.Add("我喜欢 jazz 🍕", "🍕 喜欢 yesterday?")
	f.Fuzz(func(t *testing.T, said, query string) {
		x := talk("Rain again", said, "Lovely")
		for _, m := range Search([]*Index{x}, Query{Text: query, Asker: ann, Limit: 10, Times: []TimeRange{{From: 0, Until: hour}}}) {
			if m.Score != m.Score {
				t.Fatalf("%q among %q scores %v", query, said, m.Values)
			}
		}
	})
}

func BenchmarkSearch(b *testing.B) {
	for _, n := range []int{1_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			x := babbled(n, 1)
			rng := rand.New(rand.NewPCG(2, 1))
			b.ReportMetric(float64(x.Bytes())/(1<<20), "MB")
			b.ResetTimer()
			for b.Loop() {
				Search([]*Index{x}, Query{Text: babble(rng, 6), Limit: 40})
			}
		})
	}
}

func BenchmarkAdd(b *testing.B) {
	rng := rand.New(rand.NewPCG(2, 1))
	x := New(English)
	for i := 0; b.Loop(); i++ {
		x.Add(Document{Text: babble(rng, 14), Thread: int64(1 + i/20)})
	}
}

func TestNames(t *testing.T) {
	for text, want := range map[string]uint8{
		"We met Ann at the lake":             1,
		"I went to Lake Orta with Bo":        2,
		"Reading \"the long way\" again":     1,
		"Thanks, Melanie! You rock. The end": 0, // spoken to, and starts of sentences
		"then I said I would":                0,
		"from Ann to Bo to Cy to Di":         manyNames,
		"":                                   0,
		"Раньше была Москва, а теперь Казань ок": 2,
	} {
		if got := English.names(text); got != want {
			t.Errorf("names(%q) = %d, want %d", text, got, want)
		}
	}
}

func TestAsksName(t *testing.T) {
	for question, want := range map[string]bool{
		"Who wrote it?":                 true,
		"In which city was it?":         true,
		"What book did she read?":       true,
		"What is the name of her dog?":  true,
		"What did she say?":             false,
		"What kind of music is it?":     false,
		"How was it where you grew up?": false,
		"what":                          false,
	} {
		if got := English.asksName(slices.Collect(words(question))); got != want {
			t.Errorf("asksName(%q) = %v", question, got)
		}
	}
}

// A long line counts as long for its author over all parts of a talk.
func TestPartsOfATalkShareWhatAuthorsSaid(t *testing.T) {
	older, newest := talk(slices.Repeat([]string{"I adore cello music by the silent evening harbour"}, 9)...), talk("chess", "chess")
	parts := []*Index{newest, older}
	length := func(talks []int) float32 {
		return Search(parts, Query{Text: "chess", Limit: 1, Talks: talks})[0].Values[LengthOfSpeaker]
	}
	alone, together := length([]int{0, 1}), length([]int{0, 0})
	if alone != length(nil) || together >= alone {
		t.Errorf("length for the speaker: %v as a talk of its own, %v as a part", alone, together)
	}
}

// TestMeaningOfNeighbors: a turn counts what the turns around it mean, and the persona's turn, which has no vector, what the
// turn it answers means.
func TestMeaningOfNeighbors(t *testing.T) {
	x := New(English)
	x.Name(ann, "Ann")
	for i, l := range []string{"Which pet gnaws?", "That will be the hound", "He chews on slippers", "Rain again"} {
		x.Add(Document{Text: l, Author: ann, Thread: 1, At: int64(i+1) * hour, Own: i == 1, Context: i == 1})
	}
	q := Query{Text: "teeth of the hound", Own: true, Limit: 9, Similarity: []map[uint32]float32{{0: 0.5, 2: 0.8}}}
	values := map[int][3]float32{}
	for _, m := range Search([]*Index{x}, q) {
		values[m.Ordinal] = [3]float32{m.Values[Meaning], m.Values[MeaningBefore], m.Values[MeaningAfter]}
	}
	if got, want := values[2], [3]float32{0.8, 0, 0}; got != want {
		t.Errorf("after a turn without a vector %v, want %v", got, want)
	}
	if got, want := values[0], [3]float32{0.5, 0, 0}; got != want {
		t.Errorf("before a turn without a vector %v, want %v", got, want)
	}
	if got := values[1]; got != [3]float32{0.5, 0.5, 0.8} {
		t.Errorf("the persona's turn %v", got)
	}
}
