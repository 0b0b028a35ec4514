package when

import (
	"testing"
	"time"
)

func TestReadMoment(t *testing.T) {
	now := time.Date(2026, time.January, 5, 12, 0, 0, 0, time.UTC) // a Monday
	for text, want := range map[string]struct{ at, rest string }{
		"tomorrow at 9 call mum":             {"2026-01-06 09:00", "call mum"},
		"tomorrow at 9 to call mum":          {"2026-01-06 09:00", "call mum"},
		"at 9 tomorrow: call mum":            {"2026-01-06 09:00", "call mum"},
		"tomorrow call 9 people":             {"2026-01-06 09:00", "call 9 people"},
		"tomorrow 18:30 dinner":              {"2026-01-06 18:30", "dinner"},
		"on Friday buy milk":                 {"2026-01-09 09:00", "buy milk"},
		"Friday at 5pm pub":                  {"2026-01-09 17:00", "pub"},
		"in 10 minutes tea":                  {"2026-01-05 12:10", "tea"},
		"in two hours take the pills":        {"2026-01-05 14:00", "take the pills"},
		"in 30 seconds jump":                 {"2026-01-05 12:00", "jump"},
		"5pm call Bob":                       {"2026-01-05 17:00", "call Bob"},
		"at 9 call Bob":                      {"2026-01-06 09:00", "call Bob"},
		"12am sleep":                         {"2026-01-06 00:00", "sleep"},
		"2026-01-09 14:00 dentist":           {"2026-01-09 14:00", "dentist"},
		"2026-01-09T14:00 dentist":           {"2026-01-09 14:00", "dentist"},
		"next week pay the rent":             {"2026-01-12 09:00", "pay the rent"},
		"tonight read":                       {"2026-01-05 18:00", "read"},
		"yesterday cry":                      {"2026-01-04 09:00", "cry"},
		"morgen um 9 Uhr Mama anrufen":       {"2026-01-06 09:00", "Mama anrufen"},
		"mañana a las 9 llamar a mamá":       {"2026-01-06 09:00", "llamar a mamá"},
		"demain à 9h appeler maman":          {"2026-01-06 09:00", "appeler maman"},
		"domani alle 21 chiamare la mamma":   {"2026-01-06 21:00", "chiamare la mamma"},
		"call mum":                           {},
		"99:99 nothing":                      {},
		"at 25 nothing":                      {},
		"":                                   {},
		"I was there yesterday and slept in": {},
	} {
		m, ok := ReadMoment(text, now)
		if ok != (want.at != "") || ok && (m.At.Format("2006-01-02 15:04") != want.at || m.Rest != want.rest) {
			t.Errorf("%q is %v, %q, %v", text, m.At, m.Rest, ok)
		}
	}
}

// TestReadMomentOnTheDayOfAClockChange: the time of day is that of the person's clock on that day.
func TestReadMomentOnTheDayOfAClockChange(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, time.March, 28, 12, 0, 0, 0, zone) // clocks go forward in the night
	m, ok := ReadMoment("tomorrow at 9 call mum", now)
	if want := time.Date(2026, time.March, 29, 7, 0, 0, 0, time.UTC); !ok || !m.At.Equal(want) {
		t.Errorf("it is %v", m.At.UTC())
	}
}

func FuzzReadMoment(f *testing.F) {
	for _, text := range []string{"tomorrow at 9 call mum", "in 10 minutes", "5pm", "2026-01-09 14:00 x", "um 9 Uhr", "99999999999999999999"} {
		f.Add(text)
	}
	now := time.Date(2026, time.January, 5, 12, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, text string) {
		if m, ok := ReadMoment(text, now); ok && (m.At.IsZero() || len(m.Rest) > len(text)) {
			t.Errorf("%q is %+v", text, m)
		}
	})
}
