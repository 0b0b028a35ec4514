package mind_test

import (
	"strings"
	"testing"
	"time"

	"familiar/memory/model"
	"familiar/memory/understand"
	"familiar/persona/mind"
)

func TestReceivedCounts(t *testing.T) {
	zone := time.FixedZone("UTC+9", 9*3600)
	evening := time.Date(2026, 5, 20, 23, 0, 0, 0, zone)
	asked := understand.Analysis{Question: &understand.Question{}}

	rel := mind.Heard(model.Relationship{}, "hello there", understand.Analysis{}, evening)
	rel = mind.Heard(rel, "what's my name ?", asked, evening.Add(2*time.Hour))    // past midnight
	rel = mind.Heard(rel, "late", understand.Analysis{}, evening.Add(-time.Hour)) // delivered out of order

	want := model.Relationship{
		FirstMet: evening.Add(-time.Hour), LastSeen: evening.Add(2 * time.Hour),
		Messages: 3, Days: 2, LastDay: "2026-05-21", Words: 6, Questions: 1, Nights: 3,
	}
	if rel != want {
		t.Errorf("got  %+v\nwant %+v", rel, want)
	}
}

func TestReceivedCountsThePartOfTheDay(t *testing.T) {
	var rel model.Relationship
	for hour := range 24 {
		rel = mind.Heard(rel, "hi", understand.Analysis{}, time.Date(2026, 5, 20, hour, 0, 0, 0, time.FixedZone("", 9*3600)))
	}
	if rel.Mornings != 7 || rel.Afternoons != 5 || rel.Evenings != 5 || rel.Nights != 7 {
		t.Errorf("a day has %d, %d, %d and %d hours", rel.Mornings, rel.Afternoons, rel.Evenings, rel.Nights)
	}
}

func TestChangingTheZoneBackAndForthWinsNoDays(t *testing.T) {
	west, east := time.FixedZone("", -11*3600), time.FixedZone("", 13*3600)
	var rel model.Relationship
	for range 10 {
		rel = mind.Heard(rel, "hi", understand.Analysis{}, now.In(west))
		rel = mind.Heard(rel, "hi", understand.Analysis{}, now.In(east))
	}
	if rel.Days > 2 {
		t.Errorf("%d days out of one moment", rel.Days)
	}
}

func TestEndedMovesTrust(t *testing.T) {
	tests := []struct {
		name  string
		facts mind.SessionFacts
		from  float64
		want  float64
	}{
		{"nothing happened", mind.SessionFacts{Messages: 30}, 0.5, 0.5},
		{"corrected us", mind.SessionFacts{Corrections: 4}, 0, 0.02},
		{"warm", mind.SessionFacts{Warm: 1}, 0, 0.03},
		{"achieved together", mind.SessionFacts{Achieved: 1}, 0, 0.02},
		{"hostile", mind.SessionFacts{Hostile: 2}, 0.5, 0.46},
		{"hostile towards nothing", mind.SessionFacts{Hostile: 1}, 0, 0},
		{"gains shrink near the top", mind.SessionFacts{Warm: 1}, 0.9, 0.903},
		{"all at once", mind.SessionFacts{Corrections: 1, Warm: 1, Achieved: 1}, 0, 0.02 + 0.03*0.98 + 0.02*(1-0.0494)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rel := mind.Ended(model.Relationship{Trust: tt.from}, tt.facts, now)
			if diff := rel.Trust - tt.want; diff > 1e-9 || diff < -1e-9 {
				t.Errorf("trust = %v, want %v", rel.Trust, tt.want)
			}
			if rel.Sessions != 1 {
				t.Errorf("sessions = %d", rel.Sessions)
			}
		})
	}
}

func TestS6TenThousandComplimentsInADay(t *testing.T) {
	var rel model.Relationship
	praise := mind.SessionFacts{}
	for range 10_000 {
		praise = praise.With("you are wonderful", understand.Analysis{Warmth: 1})
	}
	for range 10_000 {
		rel = mind.Ended(rel, praise, now)
	}
	if rel.Trust > mind.TrustPerDay {
		t.Errorf("one day moved trust to %v, more than %v", rel.Trust, mind.TrustPerDay)
	}
	for day := range 10_000 {
		rel = mind.Ended(rel, praise, now.AddDate(0, 0, day))
	}
	if rel.Trust > 1 {
		t.Errorf("trust %v does not saturate", rel.Trust)
	}
}

func TestADayOfHostilityIsBounded(t *testing.T) {
	rel := model.Relationship{Trust: 0.8}
	for range 100 {
		rel = mind.Ended(rel, mind.SessionFacts{Hostile: 1}, now)
	}
	if rel.Trust < 0.8-mind.TrustPerDay-1e-9 {
		t.Errorf("one day took trust to %v", rel.Trust)
	}
	after := mind.Ended(rel, mind.SessionFacts{Hostile: 1}, now.AddDate(0, 0, 1))
	if after.Trust >= rel.Trust {
		t.Error("the next day's hostility went unnoticed")
	}
}

func TestHostilityCountsAfterPraise(t *testing.T) {
	rel := model.Relationship{}
	for range 50 {
		rel = mind.Ended(rel, mind.SessionFacts{Warm: 1}, now)
	}
	if after := mind.Ended(rel, mind.SessionFacts{Hostile: 1}, now); after.Trust >= rel.Trust {
		t.Error("praise bought the right to be hostile")
	}
}

func TestAbsenceNeverLowersTrust(t *testing.T) {
	rel := model.Relationship{Trust: 0.4, Messages: 300, Sessions: 20, History: 15, FirstMet: now, LastSeen: now}
	back := mind.Heard(rel, "hello again", understand.Analysis{}, now.AddDate(3, 0, 0))
	if back.Trust != rel.Trust || mind.Bond(back) < mind.Bond(rel) {
		t.Errorf("three years away: trust %v, bond %v", back.Trust, mind.Bond(back))
	}
}

func TestBondSaturates(t *testing.T) {
	if b := mind.Bond(model.Relationship{}); b != 0 {
		t.Errorf("bond of strangers = %v", b)
	}
	last := 0.0
	for n := range 5000 {
		b := mind.Bond(model.Relationship{Messages: n, History: n, Notes: n, Trust: min(float64(n)/1000, 1)})
		if b < last || b > 1 {
			t.Fatalf("bond %v after %v at %d", b, last, n)
		}
		last = b
	}
	if only := mind.Bond(model.Relationship{Messages: 1 << 30}); only > 0.30 {
		t.Errorf("messages alone give a bond of %v", only)
	}
}

func TestStage(t *testing.T) {
	warm := model.Relationship{Sessions: 40, Messages: 400, History: 30, Notes: 40, Trust: 0.6, FirstMet: now.AddDate(0, -2, 0)}
	some := model.Relationship{Sessions: 12, Messages: 120, History: 10, Notes: 8, Trust: 0.3, FirstMet: now.AddDate(0, 0, -14)}
	rushed := warm
	rushed.FirstMet = now.Add(-6 * time.Hour)
	tests := []struct {
		name string
		rel  model.Relationship
		want string
	}{
		{"never met", model.Relationship{}, mind.Stranger},
		{"first session", model.Relationship{Messages: 40, FirstMet: now}, mind.Stranger},
		{"came back", model.Relationship{Sessions: 1, Messages: 4, FirstMet: now}, mind.Acquaintance},
		{"two good weeks", some, mind.Friend},
		{"two good months", warm, mind.Close},
		{"the same in an afternoon", rushed, mind.Acquaintance},
	}
	for _, tt := range tests {
		if got := mind.Stage(tt.rel, now); got != tt.want {
			t.Errorf("%s: %s, want %s (bond %.2f)", tt.name, got, tt.want, mind.Bond(tt.rel))
		}
	}
}

func TestStyle(t *testing.T) {
	tests := []struct {
		name                       string
		messages, words, questions int
		want                       string
	}{
		{"too few to say", 4, 4, 4, mind.Balanced},
		{"short", 10, 30, 1, mind.Direct},
		{"long", 10, 400, 1, mind.Detailed},
		{"asks", 10, 80, 6, mind.Exploratory},
		{"ordinary", 10, 100, 2, mind.Balanced},
	}
	for _, tt := range tests {
		rel := model.Relationship{Messages: tt.messages, Words: tt.words, Questions: tt.questions}
		if got := mind.Style(rel); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestWords(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "  hi \n you ": 2, "well — yes!": 2, "3 dogs": 2, "…": 0, strings.Repeat("a ", 500): 500,
	} {
		if got := mind.Words(text); got != want {
			t.Errorf("Words(%.20q) = %d, want %d", text, got, want)
		}
	}
}

func TestPresenceAloneDoesNotChangeCloseness(t *testing.T) {
	rel := mind.Seen(model.Relationship{}, now)
	if rel != (model.Relationship{FirstMet: now, LastSeen: now}) || mind.Bond(rel) != 0 {
		t.Errorf("%+v", rel)
	}
	if earlier := mind.Seen(rel, now.Add(-time.Hour)); !earlier.LastSeen.Equal(now) {
		t.Errorf("last seen moved back to %v", earlier.LastSeen)
	}
}
