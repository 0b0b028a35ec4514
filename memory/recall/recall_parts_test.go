package recall

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"familiar/internal/text"
	"familiar/internal/tokens"
	"familiar/memory/belief"
	"familiar/memory/internal/scope"
	"familiar/memory/lexical"
	"familiar/memory/model"
)

func TestDecay(t *testing.T) {
	const day = 24 * time.Hour
	for _, c := range []struct {
		sector   model.Sector
		salience float64
		since    time.Duration
		want     float64
	}{
		{model.Episodic, 0.9, 0, 1},
		{model.Episodic, 0.9, -day, 1},
		{model.Episodic, 0.9, 200 * day, 0.3679},
		{model.Semantic, 0.9, 50 * day, 0.3679},
		{model.Procedural, 0.4, 25 * day, 0.3679},
		{model.Emotional, 0.4, 100 * day, 0.3679},
		{model.Reflective, 0.4, 10 * day, 0.3679},
		{model.Episodic, 0, 20 * day, 0.3679},
	} {
		if got := model.DefaultRates.Decay(c.sector, c.salience, c.since); got < c.want-0.0001 || got > c.want+0.0001 {
			t.Errorf("Decay(%s, %v, %v) = %.4f, want %.4f", c.sector, c.salience, c.since, got, c.want)
		}
	}
}

func TestDecayFallsWithTimeAndRisesWithSalience(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		s, d := rng.Float64()*0.9, time.Duration(rng.IntN(1000))*time.Hour
		for sector := range model.DefaultRates {
			now, later, dearer := model.DefaultRates.Decay(sector, s, d), model.DefaultRates.Decay(sector, s, d+time.Hour), model.DefaultRates.Decay(sector, s+0.1, d)
			if later > now || dearer < now || now < 0 || now > 1 {
				t.Fatalf("%s %v %v: %v, later %v, dearer %v", sector, s, d, now, later, dearer)
			}
		}
	}
}

func TestRecallingKeepsAMemoryFresh(t *testing.T) {
	now := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	m := model.Memory{Sector: model.Semantic, Salience: 0.4, Created: now.AddDate(-1, 0, 0)}
	old := model.DecayModel{}.Retention(m, now)
	m.RecalledAt = now.AddDate(0, 0, -1)
	if fresh := (model.DecayModel{}).Retention(m, now); fresh <= old {
		t.Errorf("recalled yesterday %v, never %v", fresh, old)
	}
	m.Pinned = true
	if (model.DecayModel{}).Retention(m, now) != 1 {
		t.Error("a pinned memory fades")
	}
}

func TestIndexCacheDropsTheLeastUsed(t *testing.T) {
	var c indexCache
	key := func(n int64) scope.Key {
		return scope.Key{Persona: "mira", Audience: model.Audience{Kind: model.InRoom, Ref: n}}
	}
	for n := range int64(4) {
		c.enforceBudget(c.get(key(n)), 100, 1000)
	}
	first := c.get(key(0)) // used again: 1 is the oldest now
	c.enforceBudget(c.get(key(4)), 100, 300)
	for n, kept := range []bool{true, false, false, true, true} {
		if _, found := c.scopes[key(int64(n))]; found != kept {
			t.Errorf("scope %d cached: %v, want %v", n, found, kept)
		}
	}
	if c.get(key(0)) != first {
		t.Error("a cached scope was rebuilt")
	}
	c.enforceBudget(first, 10_000, 300)
	if _, found := c.scopes[key(0)]; !found || len(c.scopes) != 1 {
		t.Errorf("the scope in use must stay, alone when it is too large: %d cached", len(c.scopes))
	}
}

func TestMarker(t *testing.T) {
	told := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	m := belief.NewMarker([]belief.Replacement{
		{Value: "Rex", Current: "Milo", Why: belief.ChangeCorrected, SubjectPerson: 1, At: told},
		{Value: "New York", Current: "Oslo", Why: belief.ChangeChanged, SubjectPerson: 1, At: told},
		{Value: "York", Current: "Oslo", Why: belief.ChangeCorrected, SubjectPerson: 1, At: told},
		{Value: "?!", Why: belief.ChangeCorrected, At: told},
	})
	for _, c := range []struct {
		name, text, want string
		person           int64
		after            time.Duration
	}{
		{"corrected", "rex and REX, not T-rexes", "[corrected] and [corrected], not T-rexes", 1, 0},
		{"changed, longest first", "I live in New  York!", "I live in New  York [no longer current]!", 1, 0},
		{"hearsay too", "Her dog is Rex", "Her dog is [corrected]", 2, 0},
		{"said anew", "I met another Rex", "I met another Rex", 1, time.Hour},
		{"repeated by the persona", "How is Rex?", "How is [corrected]?", 0, time.Hour},
		{"nothing to mark", "All quiet", "All quiet", 1, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := m.Mark(model.SnippetLine{PersonID: c.person, Text: c.text, At: told.Add(c.after)})
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// A cut line may have lost the name whose value is marked.
func TestASplitLineKeepsItsFormatting(t *testing.T) {
	told := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	m := belief.NewMarker([]belief.Replacement{{Value: "Rome", Why: belief.ChangeChanged, Subject: "Vera Stone", At: told}})
	part := model.SnippetLine{PersonID: 1, Text: "…has been living for many years in Rome.", At: told}
	if got := m.MarkPart(part, "Vera Stone Jr. has been living for many years in Rome."); got != "…has been living for many years in Rome [no longer current]." {
		t.Errorf("got %q", got)
	}
}

func FuzzMarker(f *testing.F) {
	f.Add("My dog Rex", "rex")
	f.Add("\u202eRex\u200b", "Rex")
	f.Add("a b a b a", "a b")
	f.Add("\xffİ", "i̇")
	f.Fuzz(func(t *testing.T, said, value string) {
		m := belief.NewMarker([]belief.Replacement{{Value: value, Why: belief.ChangeCorrected}})
		got := m.Mark(belief.CleanLine(model.SnippetLine{PersonID: 1, Text: said}))
		if !utf8.ValidString(got) {
			t.Fatalf("%q is not valid", got)
		}
		for _, r := range got {
			if unicode.IsControl(r) {
				t.Fatalf("%q contains a control character", got)
			}
		}
		left, stale := strings.ReplaceAll(got, belief.MarkCorrected, "|"), belief.NormalizedWords(value)
		if len(stale) == 0 {
			return
		}
		for i := range text.Words(left, nil) {
			if _, holds := belief.StartsWith(left[i:], stale); holds && !crosses(got, stale) {
				t.Fatalf("%q still contains %q", got, value)
			}
		}
	})
}

// crosses reports whether the value only appears where words were cut out between its words, or whether the mark's own
// words are the value's.
func crosses(marked string, stale []string) bool {
	return len(stale) > 1 && strings.Contains(marked, belief.MarkCorrected) || strings.Contains(belief.MarkCorrected, stale[0])
}

func TestNoFormattingMarkIsSplit(t *testing.T) {
	long := strings.Repeat("We walked on and on by the river. ", 20) + "Then we came to Old Berlin " + strings.Repeat("and rested ", 60)
	f := &rankState{lines: map[int64]*model.SnippetLine{1: {MessageID: 1, PersonID: 1, Text: long}}, gist: lexical.GistOf("berlin")}
	mark := belief.NewMarker([]belief.Replacement{{Value: "Old Berlin", Why: belief.ChangeChanged}})
	shown := 0
	for budget := minExcerptTokens; budget <= lineCap; budget++ {
		p := packer{found: f, mark: mark, budget: budget, lines: map[int64]*packedLine{}}
		if !p.addLine(1, true) {
			continue
		}
		text := p.lines[1].Text
		if strings.Contains(text, belief.MarkChanged) {
			shown++
		}
		if strings.Contains(text, "Old Berlin") && !strings.Contains(text, "Old Berlin "+belief.MarkChanged) || p.used > budget {
			t.Fatalf("budget %d, used %d: %q", budget, p.used, text)
		}
	}
	if shown == 0 {
		t.Error("the value was never shown: the test proves nothing")
	}
}

func TestExcerpt(t *testing.T) {
	text := "We left early. The ferry was late because of the fog. Then we had lunch. Nobody minded."
	got := excerpt(text, 16, lexical.GistOf("ferry fog"))
	if !strings.HasPrefix(got, "…The ferry was late because of the fog.") {
		t.Errorf("got %q", got)
	}
	if got := excerpt("short", 10, lexical.GistOf("ferry")); got != "short" {
		t.Errorf("got %q", got)
	}
}

func FuzzShorten(f *testing.F) {
	f.Add("We left early. The ferry was late.", 5)
	f.Add("昨日は寿司を食べました", 3)
	f.Add("\xff\xfe", 1)
	f.Fuzz(func(t *testing.T, text string, limit int) {
		limit = 1 + limit&0xff
		text = belief.CleanText(text)
		for _, got := range []string{shorten(text, limit), excerpt(text, limit, lexical.GistOf("ferry"))} {
			if tokens.Estimate(got) > limit {
				t.Fatalf("%q takes %d tokens, %d allowed", got, tokens.Estimate(got), limit)
			}
			if !utf8.ValidString(got) {
				t.Fatalf("%q is not valid", got)
			}
		}
	})
}
