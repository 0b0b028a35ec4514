package mind_test

import (
	"testing"
	"time"

	"familiar/memory/model"
	"familiar/persona/mind"
)

func TestTimeline(t *testing.T) {
	known := func(days, talked int) model.Relationship {
		return model.Relationship{FirstMet: now.AddDate(0, 0, -days), LastSeen: now, Days: talked, Messages: 10 * talked}
	}
	with := func(rel model.Relationship, change func(*model.Relationship)) model.Relationship {
		change(&rel)
		return rel
	}
	evenings := func(r *model.Relationship) { r.Evenings, r.Mornings = 30, 5 }
	nights := func(r *model.Relationship) { r.Nights = 10 }
	for _, tt := range []struct {
		rel  model.Relationship
		want string
	}{
		{model.Relationship{}, ""},
		{known(0, 1), "met today"},
		{known(1, 2), "met yesterday"},
		{known(13, 13), "met 13 days ago"},
		{known(21, 21), "met 3 weeks ago, talks every day"},
		{with(known(95, 60), evenings), "met 3 months ago, talks most evenings"},
		{with(known(95, 60), func(r *model.Relationship) { r.Evenings, r.Mornings, r.Nights = 30, 25, 25 }), "met 3 months ago, talks most days"},
		{with(known(40, 15), evenings), "met a month ago, talks a few evenings a week"},
		{with(known(70, 10), nights), "met 2 months ago, talks about once a week, mostly at night"},
		{with(known(400, 20), evenings), "met a year ago, talks now and then, mostly in the evening"},
		{known(800, 3), "met 2 years ago, talks rarely"},
		{
			with(known(400, 150), func(r *model.Relationship) { evenings(r); r.LastSeen = now.AddDate(0, 0, -65) }),
			"met a year ago, talked a few evenings a week, last seen 2 months ago",
		},
	} {
		if got := mind.Timeline(tt.rel, now); got != tt.want {
			t.Errorf("got  %q\nwant %q", got, tt.want)
		}
	}
}

func TestMeetingDaysUseThePersonsTimezone(t *testing.T) {
	tokyo := time.FixedZone("UTC+9", 9*3600)
	late := time.Date(2026, 5, 20, 14, 30, 0, 0, time.UTC) // 23:30 in Tokyo
	if got := mind.Timeline(model.Relationship{FirstMet: late, LastSeen: late}, late.Add(time.Hour).In(tokyo)); got != "met yesterday" {
		t.Errorf("an hour later, past midnight: %q", got)
	}
}

func TestAbsenceDoesNotChangeTalkFrequency(t *testing.T) {
	rel := model.Relationship{FirstMet: now.AddDate(0, 0, -60), LastSeen: now, Days: 45}
	if mind.Often(rel) != mind.MostDays {
		t.Fatalf("45 days of 60: %q", mind.Often(rel))
	}
	if a, b := mind.Timeline(rel, now), mind.Timeline(rel, now.AddDate(2, 0, 0)); a == b {
		t.Errorf("two years away leave %q as it was", a)
	}
}

func TestUsualPart(t *testing.T) {
	for _, tt := range []struct {
		mornings, afternoons, evenings, nights int
		want                                   mind.DayPart
	}{
		{9, 0, 0, 0, ""},
		{10, 0, 0, 0, mind.Morning},
		{4, 4, 4, 3, ""},
		{2, 10, 8, 0, mind.Afternoon},
		{0, 0, 5, 20, mind.Night},
	} {
		rel := model.Relationship{Mornings: tt.mornings, Afternoons: tt.afternoons, Evenings: tt.evenings, Nights: tt.nights}
		if got := mind.UsualPart(rel); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt, got, tt.want)
		}
	}
}
