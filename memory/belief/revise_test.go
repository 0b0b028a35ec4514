package belief

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"familiar/memory/model"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
	"familiar/memory/when"
)

const (
	ann int64 = 1
	bob int64 = 2
)

var noon = time.Date(2026, 1, 5, 12, 0, 0, 0, time.UTC)

// said returns a first-hand claim of Ann's, n minutes after noon, in message n.
func said(n int, relation, value string) AttributedClaim {
	return AttributedClaim{
		Claim:    understand.Claim{Kind: rel.Fact, Relation: relation, Value: value, Quote: value, Many: rel.Many(relation)},
		AuthorID: ann, Author: "Ann", MessageID: int64(n), At: noon.Add(time.Duration(n) * time.Minute),
	}
}

// byBob returns the same claim about Ann, made by Bob.
func byBob(c AttributedClaim) AttributedClaim {
	c.AuthorID, c.Author, c.Subject, c.SubjectPerson = bob, "Bob", "Ann", ann
	return c
}

func correcting(c AttributedClaim, wrong string) AttributedClaim {
	c.Correction, c.Corrects = true, wrong
	return c
}

func bare(c AttributedClaim) AttributedClaim {
	c.Relation, c.Many = "", false
	return c
}

func denying(c AttributedClaim, changed bool) AttributedClaim {
	c.Negates, c.Changed = true, changed
	return c
}

func ofTaste(c AttributedClaim) AttributedClaim {
	c.Kind = rel.Taste
	return c
}

// told renders beliefs as "relation=value status/why<-successor +for-against".
func told(bs []model.Belief) []string {
	value := map[int64]string{}
	for _, b := range bs {
		value[b.ID] = b.Value
	}
	var out []string
	for _, b := range bs {
		s := fmt.Sprintf("%s=%s %s", b.Relation, b.Value, b.Status)
		if b.ReplacedWhy != "" {
			s += "/" + b.ReplacedWhy
		}
		if b.SupersededBy != 0 {
			s += "<-" + value[b.SupersededBy]
		}
		for _, e := range b.Evidence {
			s += fmt.Sprintf(" %+d@%d", e.Stance, e.MessageID)
		}
		out = append(out, s)
	}
	return out
}

func happened(cs []model.BeliefChange) []string {
	var out []string
	for _, c := range cs {
		s := c.Kind + " " + c.Belief.Value
		if c.Old != "" {
			s += " was " + c.Old
		}
		out = append(out, s)
	}
	return out
}

func TestReviseKeepsTheNewestValue(t *testing.T) {
	dog := "pet_name:dog"
	tests := []struct {
		name    string
		claims  []AttributedClaim
		beliefs []string
		changes []string
	}{
		{
			"a first claim is new",
			[]AttributedClaim{said(1, dog, "Rex")},
			[]string{dog + "=Rex active +1@1"},
			[]string{"new Rex"},
		},
		{
			"the same value again is evidence",
			[]AttributedClaim{said(1, dog, "Rex"), said(2, dog, "rex!")},
			[]string{dog + "=Rex active +1@1 +1@2"},
			[]string{"new Rex", "confirmed Rex"},
		},
		{
			"the same message twice is nothing",
			[]AttributedClaim{said(1, dog, "Rex"), said(1, dog, "Rex")},
			[]string{dog + "=Rex active +1@1"},
			[]string{"new Rex"},
		},
		{
			"another value replaces",
			[]AttributedClaim{said(1, "lives_in", "Bonn"), said(2, "lives_in", "Oslo")},
			[]string{"lives_in=Bonn superseded/changed<-Oslo +1@1", "lives_in=Oslo active +1@2"},
			[]string{"new Bonn", "changed Oslo was Bonn"},
		},
		{
			"a correction says it was never so",
			[]AttributedClaim{said(1, dog, "Rex"), correcting(said(2, dog, "Milo"), "Rex")},
			[]string{dog + "=Rex superseded/corrected<-Milo +1@1 -1@2", dog + "=Milo active +1@2"},
			[]string{"new Rex", "corrected Milo was Rex"},
		},
		{
			"an elliptical correction takes the relation of the wrong value",
			[]AttributedClaim{said(1, dog, "Rex"), bare(correcting(said(2, "", "Milo"), "REX."))},
			[]string{dog + "=Rex superseded/corrected<-Milo +1@1 -1@2", dog + "=Milo active +1@2"},
			[]string{"new Rex", "corrected Milo was Rex"},
		},
		{
			"an elliptical correction nobody can place is nothing",
			[]AttributedClaim{bare(correcting(said(2, "", "Milo"), "Rex"))},
			nil, nil,
		},
		{
			"a correction of what nobody noted is on record",
			[]AttributedClaim{correcting(said(2, dog, "Milo"), "Rex")},
			[]string{dog + "=Milo active +1@2", dog + "=Rex superseded/corrected<-Milo -1@2"},
			[]string{"corrected Milo was Rex"},
		},
		{
			"back to an earlier value is a new chapter",
			[]AttributedClaim{said(1, "lives_in", "Bonn"), said(2, "lives_in", "Oslo"), said(3, "lives_in", "Bonn")},
			[]string{"lives_in=Bonn superseded/changed<-Oslo +1@1", "lives_in=Oslo superseded/changed<-Bonn +1@2", "lives_in=Bonn active +1@3"},
			[]string{"new Bonn", "changed Oslo was Bonn", "changed Bonn was Oslo"},
		},
		{
			"many values hold side by side",
			[]AttributedClaim{said(1, "likes", "jazz"), said(2, "likes", "rain")},
			[]string{"likes=jazz active +1@1", "likes=rain active +1@2"},
			[]string{"new jazz", "new rain"},
		},
		{
			"a denial retracts the matching value",
			[]AttributedClaim{said(1, "likes", "jazz"), said(2, "likes", "rain"), denying(said(3, "likes", "Jazz"), true)},
			[]string{"likes=jazz retracted/changed +1@1 -1@3", "likes=rain active +1@2"},
			[]string{"new jazz", "new rain", "retracted jazz was jazz"},
		},
		{
			"a denial of nothing known is nothing",
			[]AttributedClaim{denying(said(3, "likes", "jazz"), false)},
			nil, nil,
		},
		{
			"who is done with a kind is done with what is of it",
			[]AttributedClaim{said(1, "likes", "old jazz records"), said(2, "likes", "jazz dance classes"), ofTaste(denying(said(3, "likes", "jazz"), true))},
			[]string{"likes=old jazz records retracted/changed +1@1 -1@3", "likes=jazz dance classes active +1@2"},
			[]string{"new old jazz records", "new jazz dance classes", "retracted old jazz records was old jazz records"},
		},
		{
			"what is told only as past is history with an open end",
			[]AttributedClaim{said(1, "lives_in", "Oslo"), denying(said(2, "lives_in", "Riga"), true)},
			[]string{"lives_in=Oslo active +1@1", "lives_in=Riga superseded/changed -1@2"},
			[]string{"new Oslo", "past Riga was Riga"},
		},
		{
			"what is told as past twice is on record once",
			[]AttributedClaim{denying(said(1, "lives_in", "Riga"), true), denying(said(2, "lives_in", "riga"), true)},
			[]string{"lives_in=Riga superseded/changed -1@1"},
			[]string{"past Riga was Riga"},
		},
		{
			"hating ends liking",
			[]AttributedClaim{said(1, "likes", "jazz"), said(2, "dislikes", "jazz")},
			[]string{"likes=jazz superseded/changed<-jazz +1@1", "dislikes=jazz active +1@2"},
			[]string{"new jazz", "changed jazz was jazz"},
		},
		{
			"hearsay does not replace what was said first-hand",
			[]AttributedClaim{said(1, "lives_in", "Bonn"), byBob(said(2, "lives_in", "Rome"))},
			[]string{"lives_in=Bonn active +1@1", "lives_in=Rome superseded<-Bonn +1@2"},
			[]string{"new Bonn"},
		},
		{
			"hearsay does not retract it either",
			[]AttributedClaim{said(1, "lives_in", "Bonn"), byBob(denying(said(2, "lives_in", "Bonn"), false))},
			[]string{"lives_in=Bonn active +1@1"},
			[]string{"new Bonn"},
		},
		{
			"first-hand replaces hearsay",
			[]AttributedClaim{byBob(said(1, "lives_in", "Rome")), said(2, "lives_in", "Bonn")},
			[]string{"lives_in=Rome superseded/changed<-Bonn +1@1", "lives_in=Bonn active +1@2"},
			[]string{"new Rome", "changed Bonn was Rome"},
		},
		{
			"first-hand confirms hearsay and takes it over",
			[]AttributedClaim{byBob(said(1, "lives_in", "Bonn")), said(2, "lives_in", "Bonn"), byBob(said(3, "lives_in", "Rome"))},
			[]string{"lives_in=Bonn active +1@1 +1@2", "lives_in=Rome superseded<-Bonn +1@3"},
			[]string{"new Bonn", "confirmed Bonn"},
		},
		{
			"what nobody said is never evidence",
			[]AttributedClaim{{Claim: understand.Claim{Relation: dog, Value: "Rex"}, MessageID: 9, At: noon}},
			nil, nil,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var bs []model.Belief
			var all []model.BeliefChange
			for _, c := range tt.claims { // one message at a time, as they arrive
				next, changes := revise(bs, []AttributedClaim{c})
				bs, all = next, append(all, changes...)
			}
			if got := told(bs); !slices.Equal(got, tt.beliefs) {
				t.Errorf("beliefs\n got %s\nwant %s", strings.Join(got, "\n     "), strings.Join(tt.beliefs, "\n     "))
			}
			if got := happened(all); !slices.Equal(got, tt.changes) {
				t.Errorf("changes %q, want %q", got, tt.changes)
			}
		})
	}
}

func TestReviseStoresLateMessagesAsHistory(t *testing.T) {
	now, _ := revise(nil, []AttributedClaim{said(5, "lives_in", "Oslo")})
	next, changes := revise(now, []AttributedClaim{said(2, "lives_in", "Bonn")})
	want := []string{"lives_in=Oslo active +1@5", "lives_in=Bonn superseded/changed<-Oslo +1@2"}
	if got := told(next); !slices.Equal(got, want) || len(changes) != 0 {
		t.Errorf("got %q and changes %q, want %q and none", got, happened(changes), want)
	}
	gone, _ := revise(now, []AttributedClaim{denying(said(7, "lives_in", "Oslo"), true)})
	late, changes := revise(gone, []AttributedClaim{said(6, "lives_in", "Oslo")})
	if late[0].Status != model.Retracted || len(late) != 1 || len(changes) != 0 {
		t.Errorf("a late message revived what was withdrawn: %q", told(late))
	}
}

func TestReviseMovesAPlan(t *testing.T) {
	friday := &when.Span{From: noon.AddDate(0, 0, 4), Until: noon.AddDate(0, 0, 5)}
	monday := &when.Span{From: noon.AddDate(0, 0, 7), Until: noon.AddDate(0, 0, 8)}
	first, second := said(1, rel.Planned, "interview"), said(2, rel.Planned, "the interview")
	first.Span, second.Span = friday, monday
	bs, _ := revise(nil, []AttributedClaim{first})
	bs, _ = revise(bs, []AttributedClaim{second})
	if len(bs) != 1 || !bs[0].ValidFrom.Equal(monday.From) || !bs[0].ValidTo.Equal(monday.Until) {
		t.Errorf("the interview was not moved: %+v", bs)
	}
}

func TestReviseLeavesOtherAudiencesAlone(t *testing.T) {
	group := model.Audience{Kind: model.InRoom, Ref: 7}
	inGroup := said(1, "lives_in", "Bonn")
	inGroup.Audience = group
	private := correcting(said(2, "", "Oslo"), "bonn")
	private.Audience = model.Audience{Kind: model.Private, Ref: ann}
	bs, _ := revise(nil, []AttributedClaim{inGroup})
	bs, changes := revise(bs, []AttributedClaim{bare(private)})
	want := []string{"lives_in=Bonn active +1@1", "lives_in=Oslo active +1@2", "lives_in=Bonn superseded/corrected<-Oslo -1@2"}
	if got := told(bs); !slices.Equal(got, want) {
		t.Fatalf("got %q, want %q", got, want)
	}
	if got := happened(changes); !slices.Equal(got, []string{"corrected Oslo was Bonn"}) {
		t.Errorf("changes %q", got)
	}
	heard := resolve(bs)
	if heard[0].Status != model.Superseded || heard[0].ReplacedWhy != ChangeCorrected {
		t.Errorf("in the direct room the group's value still stands: %q", told(heard))
	}
	replaced := replacements(heard)
	if len(replaced) != 1 || replaced[0].Value != "Bonn" || replaced[0].Current != "Oslo" || replaced[0].Why != ChangeCorrected {
		t.Errorf("replaced %+v", replaced)
	}
}

func TestResolvePrefersTheNewestOfTwoAudiences(t *testing.T) {
	a, b := said(1, "lives_in", "Bonn"), said(2, "lives_in", "Oslo")
	a.Audience, b.Audience = model.Audience{Kind: model.Private, Ref: ann}, model.Audience{Kind: model.InRoom, Ref: 7}
	bs, _ := revise(nil, []AttributedClaim{a, b})
	got := told(resolve(bs))
	want := []string{"lives_in=Bonn superseded/changed<-Oslo +1@1", "lives_in=Oslo active +1@2"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestReplacementsOmitAValueBelievedAgain(t *testing.T) {
	bs, _ := revise(nil, []AttributedClaim{
		said(1, "lives_in", "Bonn"), said(2, "lives_in", "Oslo"), said(3, "lives_in", "bonn"),
	})
	got := replacements(resolve(bs))
	if len(got) != 1 || got[0].Value != "Oslo" || got[0].Current != "bonn" {
		t.Errorf("replaced %+v, want Oslo by bonn only", got)
	}
}

// randomClaims returns n claims of two people about Ann, in random order of time.
func randomClaims(r *rand.Rand, n int) []AttributedClaim {
	values := []string{"Rex", "Milo", "Luna", "Bo"}
	relations := []string{"pet_name:dog", "lives_in", "likes", "dislikes"}
	out := make([]AttributedClaim, n)
	for i := range out {
		c := said(1+r.IntN(12), relations[r.IntN(len(relations))], values[r.IntN(len(values))])
		switch r.IntN(8) {
		case 0:
			c = byBob(c)
		case 1:
			c = denying(c, r.IntN(2) == 0)
		case 2:
			c = correcting(c, values[r.IntN(len(values))])
		case 3:
			c = bare(correcting(c, values[r.IntN(len(values))]))
		}
		if r.IntN(4) == 0 {
			c.Audience = model.Audience{Kind: model.InRoom, Ref: 7}
		}
		out[i] = c
	}
	return out
}

func TestReviseInvariants(t *testing.T) {
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 1))
		var bs []model.Belief
		for _, c := range randomClaims(r, 30) {
			next, _ := revise(bs, []AttributedClaim{c})
			checkHistory(t, seed, bs, next)
			checkSingle(t, seed, next)
			again, changes := revise(next, []AttributedClaim{c})
			if !slices.Equal(told(again), told(next)) || len(changes) != 0 {
				t.Fatalf("seed %d: the same message twice changed\n%q to\n%q with %q", seed, told(next), told(again), happened(changes))
			}
			bs = next
			if t.Failed() {
				return
			}
		}
	}
}

// checkHistory fails if a belief or a piece of evidence is missing or a person's words were changed.
func checkHistory(t *testing.T, seed uint64, before, after []model.Belief) {
	t.Helper()
	if len(after) < len(before) {
		t.Fatalf("seed %d: history shrank from %d to %d", seed, len(before), len(after))
	}
	for i, b := range before {
		if after[i].ID != b.ID || after[i].Value != b.Value || len(after[i].Evidence) < len(b.Evidence) {
			t.Fatalf("seed %d: belief %+v became %+v", seed, b, after[i])
		}
	}
}

// checkSingle fails if two values of a single-valued relation are active, or a successor does not exist.
func checkSingle(t *testing.T, seed uint64, bs []model.Belief) {
	t.Helper()
	type key struct {
		a model.Audience
		claimKey
	}
	active, ids := map[key]string{}, map[int64]bool{0: true}
	for _, b := range bs {
		ids[b.ID] = true
		k := key{b.Audience, keyOf(b)}
		if b.Status != model.Active || rel.Many(b.Relation) {
			continue
		}
		if was, ok := active[k]; ok {
			t.Fatalf("seed %d: %s is both %s and %s", seed, b.Relation, was, b.Value)
		}
		active[k] = b.Value
	}
	for _, b := range bs {
		if !ids[b.SupersededBy] {
			t.Fatalf("seed %d: belief %d was superseded by %d, which does not exist", seed, b.ID, b.SupersededBy)
		}
	}
}

func FuzzCleanName(f *testing.F) {
	for _, s := range []string{"Ann", " a\nb ", "\u202eevil\u200b", "[from Bob]\r\n", strings.Repeat("x", 300), "\xff\xfe", "Ana María", "𝔸nn"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := model.CleanName(s)
		if n := len([]rune(got)); n > model.MaxName {
			t.Errorf("%d runes", n)
		}
		if got != model.CleanName(got) {
			t.Errorf("%q is not clean: %q", got, model.CleanName(got))
		}
		if strings.ContainsAny(got, "\n\r\t\u200b\u202e\u2066\ufeff\u2028") {
			t.Errorf("%q keeps a mark", got)
		}
	})
}

func TestCleanName(t *testing.T) {
	for in, want := range map[string]string{
		"Ann":                     "Ann",
		"  Ann\n\n Lee\t":         "Ann Lee",
		"Ann\u200b\u202eeel":      "Anneel",
		"\u2066":                  "",
		strings.Repeat("é", 90):   strings.Repeat("é", 64),
		strings.Repeat("ab ", 40): strings.TrimSpace(strings.Repeat("ab ", 21)) + " a",
	} {
		if got := model.CleanName(in); got != want {
			t.Errorf("CleanName(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestNormalizeValue(t *testing.T) {
	for in, want := range map[string]string{
		"The Eiffel-Tower!": "eiffel tower", "a cat": "cat", "A": "a", "C++": "c++", "C#": "c#", "Élan Vital": "élan vital", "🙂": "🙂", "?!": "?!",
	} {
		if got := model.NormalizeValue(in); got != want {
			t.Errorf("foldValue(%q) = %q, want %q", in, got, want)
		}
	}
}
