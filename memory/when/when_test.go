package when

import (
	"strings"
	"testing"
	"time"
)

// wednesday is the moment most expressions are said: Wednesday 15 May 2024, 10:30 in Berlin.
func wednesday(t testing.TB) time.Time {
	t.Helper()
	return time.Date(2024, time.May, 15, 10, 30, 0, 0, zone(t, "Europe/Berlin"))
}

func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	loc, err := time.LoadLocation(name)
	if err != nil {
		t.Fatalf("load the timezone %s: %v", name, err)
	}
	return loc
}

func TestFind(t *testing.T) {
	const stamp = "2006-01-02 15:04"
	tests := []struct {
		text string
		// want is "expression|from|until|direction", the times without :00 hours when midnight.
		want []string
	}{
		{"see you tomorrow", []string{"tomorrow|2024-05-16|2024-05-17|future"}},
		{"I saw her yesterday.", []string{"yesterday|2024-05-14|2024-05-15|past"}},
		{"what a day today was", []string{"today|2024-05-15|2024-05-16|"}},
		{"tonight we dance", []string{"tonight|2024-05-15 18:00|2024-05-16 05:00|future"}},
		{"last night was cold", []string{"last night|2024-05-14 18:00|2024-05-15 05:00|past"}},
		{"the day after tomorrow then", []string{"the day after tomorrow|2024-05-17|2024-05-18|future"}},
		{"it was the day before yesterday", []string{"the day before yesterday|2024-05-13|2024-05-14|past"}},
		{"I have an interview on Friday", []string{"on Friday|2024-05-17|2024-05-18|future"}},
		{"on Friday I've got an interview", []string{"on Friday|2024-05-17|2024-05-18|future"}},
		{"I went to the dentist on Friday", []string{"on Friday|2024-05-10|2024-05-11|past"}},
		{"What did I do on Friday?", []string{"on Friday|2024-05-10|2024-05-11|past"}},
		{"last Friday we met", []string{"last Friday|2024-05-10|2024-05-11|past"}},
		{"last Wednesday", []string{"last Wednesday|2024-05-08|2024-05-09|past"}},
		{"next Friday", []string{"next Friday|2024-05-24|2024-05-25|future"}},
		{"this Friday", []string{"this Friday|2024-05-17|2024-05-18|future"}},
		{"see you on fri", []string{"on fri|2024-05-17|2024-05-18|future"}},
		{"every Friday I swim", nil},
		{"on Fridays I swim", nil},
		{"we moved last week", []string{"last week|2024-05-06|2024-05-13|past"}},
		{"next week I fly", []string{"next week|2024-05-20|2024-05-27|future"}},
		{"this weekend", []string{"this weekend|2024-05-18|2024-05-20|future"}},
		{"I painted at the weekend", []string{"the weekend|2024-05-11|2024-05-13|past"}},
		{"last month", []string{"last month|2024-04-01|2024-05-01|past"}},
		{"next year", []string{"next year|2025-01-01|2026-01-01|future"}},
		{"the week before last", []string{"the week before last|2024-04-29|2024-05-06|past"}},
		{"we're going camping in June", []string{"in June|2024-06-01|2024-07-01|future"}},
		{"my brother's getting married in June", []string{"in June|2024-06-01|2024-07-01|future"}},
		{"I went camping in June", []string{"in June|2023-06-01|2023-07-01|past"}},
		{"last May", []string{"last May|2023-05-01|2023-06-01|past"}},
		{"next May", []string{"next May|2025-05-01|2025-06-01|future"}},
		{"this coming Wednesday", []string{"this coming Wednesday|2024-05-22|2024-05-23|future"}},
		{"they moved it to Thursday at 4", []string{"Thursday at 4|2024-05-16 16:00|2024-05-16 17:00|future"}},
		{"it's been moved to 5 March", []string{"5 March|2025-03-05|2025-03-06|future"}},
		{"it was put off until June", []string{"until June|2024-06-01|2024-07-01|future"}},
		{"the wedding was moved to June", []string{"June|2024-06-01|2024-07-01|future"}},
		{"I moved to Oslo on Friday", []string{"on Friday|2024-05-10|2024-05-11|past"}},
		{"I'll be in Rome from Dec 5 to Dec 9", []string{"from Dec 5 to Dec 9|2024-12-05|2024-12-10|future"}},
		{"we'll be away from 5 to 9 December", []string{"from 5 to 9 December|2024-12-05|2024-12-10|future"}},
		{"I'm in Rome from June 5th until the 9th of June", []string{"from June 5th until the 9th of June|2024-06-05|2024-06-10|"}},
		{"I'm there from Friday to Sunday", []string{"from Friday to Sunday|2024-05-17|2024-05-20|future"}},
		{"we'll be camping between the 20th and the 24th", []string{"between the 20th and the 24th|2024-05-20|2024-05-25|future"}},
		{"we will ski from Dec 5 to 9", []string{"from Dec 5 to 9|2024-12-05|2024-12-10|future"}},
		{"we will ski Dec 5-9", []string{"Dec 5-9|2024-12-05|2024-12-10|future"}},
		{"we will ski on 5-9 December", []string{"on 5-9 December|2024-12-05|2024-12-10|future"}},
		{"it goes from 5 to 9", nil},
		{"on 7 May 2023 it rained", []string{"on 7 May 2023|2023-05-07|2023-05-08|"}},
		{"May 7th, 2023", []string{"May 7th, 2023|2023-05-07|2023-05-08|"}},
		{"the 7th of May 2023", []string{"the 7th of May 2023|2023-05-07|2023-05-08|"}},
		{"born 1990-02-28 here", []string{"1990-02-28|1990-02-28|1990-03-01|"}},
		{"in May 2023", []string{"in May 2023|2023-05-01|2023-06-01|"}},
		{"05/07 works", nil},
		{"the 20th is fine", []string{"the 20th|2024-05-20|2024-05-21|future"}},
		{"the 7th floor", nil},
		{"31 February 2023", nil},
		{"may I ask? we march on", nil},
		{"in 3 days", []string{"in 3 days|2024-05-18|2024-05-19|future"}},
		{"in two weeks' time", []string{"in two weeks' time|2024-05-26|2024-06-02|future"}},
		{"3 days ago", []string{"3 days ago|2024-05-12|2024-05-13|past"}},
		{"two weeks ago", []string{"two weeks ago|2024-04-28|2024-05-05|past"}},
		{"three months ago", []string{"three months ago|2024-02-01|2024-03-01|past"}},
		{"a year ago", []string{"a year ago|2023-01-01|2024-01-01|past"}},
		{"a few days ago", []string{"a few days ago|2024-05-11|2024-05-14|past"}},
		{"a couple of weeks ago", []string{"a couple of weeks ago|2024-04-28|2024-05-05|past"}},
		{"in 2022 I moved", []string{"in 2022|2022-01-01|2023-01-01|"}},
		{"I have 2022 apples", nil},
		{"on Friday at 5pm", []string{"on Friday at 5pm|2024-05-17 17:00|2024-05-17 18:00|future"}},
		{"at 17:30 tomorrow", []string{"at 17:30 tomorrow|2024-05-16 17:30|2024-05-16 18:30|future"}},
		{"at 5pm", []string{"at 5pm|2024-05-15 17:00|2024-05-15 18:00|future"}},
		{"at 5", nil},
		{"tomorrow at 9", []string{"tomorrow at 9|2024-05-16 09:00|2024-05-16 10:00|future"}},
		{"on Friday at 5 we eat", []string{"on Friday at 5|2024-05-17 17:00|2024-05-17 18:00|future"}},
		{"yesterday at 3 places", []string{"yesterday|2024-05-14|2024-05-15|past"}},
		{"tomorrow morning", []string{"tomorrow morning|2024-05-16 05:00|2024-05-16 12:00|future"}},
		{"yesterday in the evening", []string{"yesterday in the evening|2024-05-14 17:00|2024-05-14 23:00|past"}},
		{"my birthday is at Christmas", []string{"at Christmas|2024-12-25|2024-12-26|"}},
		{"last Christmas I gave you", []string{"last Christmas|2023-12-25|2023-12-26|past"}},
		{"the Christmas tree", nil},
		{"last summer", []string{"last summer|2023-06-01|2023-09-01|past"}},
		{"in the summer of 2019", []string{"in the summer of 2019|2019-06-01|2019-09-01|"}},
		{"I've lived here since 2016", []string{"since 2016|2016-01-01|2024-05-15 10:30|past"}},
		{"we've been married for 4 years", []string{"for 4 years|2020-05-01|2024-05-15 10:30|past"}},
		{"I'm going away for two weeks", nil},
		{"he is two years old", nil},
		{"last week. Friday is fine", []string{"last week|2024-05-06|2024-05-13|past", "Friday|2024-05-17|2024-05-18|future"}},
		{"on 3 May I ran and tomorrow I rest", []string{"on 3 May|2024-05-03|2024-05-04|past", "tomorrow|2024-05-16|2024-05-17|future"}},
	}
	plain := func(at time.Time) string { return strings.TrimSuffix(at.Format(stamp), " 00:00") }
	for _, tt := range tests {
		var got []string
		for _, s := range Find(tt.text, wednesday(t)) {
			direction := ""
			if s.Past {
				direction = "past"
			}
			if s.Future {
				direction += "future"
			}
			got = append(got, strings.Join([]string{s.Text, plain(s.From), plain(s.Until), direction}, "|"))
		}
		if strings.Join(got, "; ") != strings.Join(tt.want, "; ") {
			t.Errorf("Find(%q)\n got %q\nwant %q", tt.text, got, tt.want)
		}
	}
}

// TestWeekdayNamedOnThatDay: people who mean today say "today", except early in the day.
func TestWeekdayNamedOnThatDay(t *testing.T) {
	for _, tt := range []struct {
		text string
		hour int
		want int // day of May 2024; the 17th is a Friday
	}{
		{"I have an interview on Friday", 9, 17},
		{"I have an interview on Friday", 20, 24},
		{"I'm flying to Rome on Friday", 9, 24},
		{"I'll see her on Friday", 9, 24},
		{"the interview is this coming Friday", 9, 24},
		{"I had an interview on Friday", 20, 10},
		{"I have an interview on Saturday", 20, 18},
	} {
		at := time.Date(2024, time.May, 17, tt.hour, 55, 0, 0, zone(t, "Europe/Berlin"))
		spans := Find(tt.text, at)
		if len(spans) != 1 || spans[0].From.Day() != tt.want {
			t.Errorf("%q at %d o'clock: got %+v, want day %d", tt.text, tt.hour, spans, tt.want)
		}
	}
}

func TestFindOverClockChanges(t *testing.T) {
	for _, tt := range []struct {
		zone string
		at   string
		text string
		want string
	}{
		{"Europe/Berlin", "2024-03-30T12:00:00", "tomorrow", "23h0m0s"},
		{"Europe/Berlin", "2024-10-26T12:00:00", "tomorrow", "25h0m0s"},
		{"America/Sao_Paulo", "2018-11-03T12:00:00", "tomorrow", "23h0m0s"}, // midnight is skipped
	} {
		at, err := time.ParseInLocation("2006-01-02T15:04:05", tt.at, zone(t, tt.zone))
		if err != nil {
			t.Fatal(err)
		}
		spans := Find(tt.text, at)
		if len(spans) != 1 {
			t.Fatalf("Find(%q) in %s: got %d spans, want 1", tt.text, tt.zone, len(spans))
		}
		s := spans[0]
		if got := s.Until.Sub(s.From).String(); got != tt.want || s.From.Day() != at.Day()+1 && s.From.Day() != 1 {
			t.Errorf("%q in %s: %v to %v lasts %s, want %s", tt.text, tt.zone, s.From, s.Until, got, tt.want)
		}
		if got := Format(s.From, s.Until, at); got != "tomorrow" {
			t.Errorf("Format of tomorrow in %s: got %q", tt.zone, got)
		}
	}
}

func TestAsked(t *testing.T) {
	yes := []string{
		"When did I move?", "when's my interview", "What day is my exam?", "which year was it", "do you know when Ann comes",
		"How long ago did we meet?", "how long have I lived here", "what time is the meeting", "when?", "what's the date of the party", "since when do you paint",
	}
	no := []string{"", "When I was young I sang", "tell me about Rex", "how long is the bridge", "I like it when it rains", "what a time", "what do I like"}
	for _, text := range yes {
		if !Asked(text) {
			t.Errorf("Asked(%q) is false", text)
		}
	}
	for _, text := range no {
		if Asked(text) {
			t.Errorf("Asked(%q) is true", text)
		}
	}
}

func TestFormat(t *testing.T) {
	at := wednesday(t)
	for text, want := range map[string]string{
		"today": "today", "tomorrow": "tomorrow", "yesterday": "yesterday", "on Friday": "on Friday", "last Friday": "last Friday",
		"tonight": "tonight", "last night": "last night", "tomorrow morning": "tomorrow morning", "on Friday at 5:30pm": "on Friday at 17:30",
		"last week": "last week", "next week": "next week", "the week before last": "in the week of 29 April 2024",
		"this weekend": "this weekend", "in May 2023": "in May 2023", "in 2022": "in 2022", "7 May 2023": "7 May 2023",
		"last summer": "in the summer of 2023", "since 2016": "since 2016", "since May 2020": "since May 2020",
		"a few days ago": "between 11 May 2024 and 13 May 2024", "next Friday": "24 May 2024",
	} {
		spans := Find(text, at)
		if len(spans) != 1 {
			t.Errorf("Find(%q): got %d spans, want 1", text, len(spans))
			continue
		}
		if got := Format(spans[0].From, spans[0].Until, at); got != want {
			t.Errorf("Format(%q) = %q, want %q", text, got, want)
		}
	}
	if got := Format(at, at, at); got != "today" {
		t.Errorf("Format of an empty interval = %q, want the day it is in", got)
	}
}

func FuzzFind(f *testing.F) {
	for _, seed := range []string{
		"on Friday at 5pm", "the 31st of May", "29 Feb", "in 200 years", "since yesterday", "last \xff week", "İ on Friday",
		"at 17:30 the 7th", "Das war am 31. Mai bei mir", "hace dos semanas en la playa con él", "в прошлую пятницу я был",
		"2024年13月40日でした", "先週の金曜です", "明日 tomorrow 🍕 next 五", "1/1/1 2024-13-45 99:99pm",
		"in 999999999999999999999 days", "the 0th of the 32nd month", "29 Feb 2100 - 30 Feb",
	} {
		f.Add(seed, int64(1715769000))
	}
	loc := zone(f, "America/New_York")
	f.Fuzz(func(t *testing.T, text string, unix int64) {
		at := time.Unix(unix%(1<<33), 0).In(loc)
		end := 0
		for _, s := range Find(text, at) {
			if s.Start < end || s.End <= s.Start || s.End > len(text) || text[s.Start:s.End] != s.Text {
				t.Fatalf("span %+v is not in its place in %q", s, text)
			}
			if !s.From.Before(s.Until) || s.Future && s.Past {
				t.Fatalf("span %+v of %q is empty or is both past and future", s, text)
			}
			if Format(s.From, s.Until, at) == "" {
				t.Fatalf("span %+v of %q cannot be formatted", s, text)
			}
			end = s.End
		}
		Asked(text)
	})
}

func TestFindReadsABoundedPrefix(t *testing.T) {
	text := strings.Repeat("word ", readLimit/5) + " tomorrow"
	if got := Find(text, wednesday(t)); len(got) != 0 {
		t.Errorf("read past the limit: %+v", got)
	}
}

func BenchmarkFind(b *testing.B) {
	at := wednesday(b)
	for b.Loop() {
		Find("Hey Ann, I went to the support group yesterday and it was powerful, so next Friday I'll go again at 5pm.", at)
	}
}

func BenchmarkFindHuge(b *testing.B) {
	at, text := wednesday(b), strings.Repeat("friday the 7th in may ", 1<<16)
	for b.Loop() {
		Find(text, at)
	}
}
