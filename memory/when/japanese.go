package when

import (
	"strconv"
	"strings"
	"time"

	"familiar/internal/lazyregexp"
)

// japaneseTimes matches Japanese expressions, longer ones first. Japanese does not separate words.
var japaneseTimes = lazyregexp.New(`(?:([0-9]{4})年)?([0-9]{1,2})月([0-9]{1,2})日` +
	`|([0-9]{4})年(?:([0-9]{1,2})月)?` +
	`|([0-9]{1,3})(日|週間|か月|ヶ月|カ月|年)(前|後)` +
	`|(先週|今週|来週)の([月火水木金土日])曜` +
	`|([0-9]{1,2})月` +
	`|一昨日|おととい|昨日|昨夜|きのう|今日|今朝|今夜|きょう|明日|あした|明後日|あさって` +
	`|先週|今週|来週|先月|今月|来月|去年|昨年|今年|来年`)

var japaneseDays = map[string]int{
	"一昨日": -2, "おととい": -2, "昨日": -1, "昨夜": -1, "きのう": -1, "今日": 0, "今朝": 0, "今夜": 0, "きょう": 0, "明日": 1, "あした": 1,
	"明後日": 2, "あさって": 2,
}

var japanesePeriods = map[string]struct {
	unit  unit
	shift int
}{
	"先週": {week, -1}, "今週": {week, 0}, "来週": {week, 1}, "先月": {month, -1}, "今月": {month, 0}, "来月": {month, 1},
	"去年": {year, -1}, "昨年": {year, -1}, "今年": {year, 0}, "来年": {year, 1},
}

// findJapanese returns the times a Japanese text names.
func findJapanese(text string, at time.Time) (spans []Span) {
	if len(text) > readLimit {
		text = text[:readLimit]
	}
	for _, m := range japaneseTimes.FindAllStringSubmatchIndex(text, -1) {
		part := func(n int) string {
			if m[2*n] < 0 {
				return ""
			}
			return text[m[2*n]:m[2*n+1]]
		}
		r := readJapanese(part, at, strings.Contains(text, "ました") || strings.Contains(text, "った"))
		if !r.from.Before(r.until) {
			continue
		}
		spans = append(spans, r.span(text, m[0], m[1]))
	}
	return spans
}

// readJapanese converts the groups of a match to an interval. isPast reports that the text is in the past tense.
func readJapanese(part func(int) string, at time.Time, isPast bool) interval {
	loc := at.Location()
	direction := unknown
	if isPast {
		direction = past
	}
	switch {
	case part(2) != "":
		return japaneseDate(number(part(1)), time.Month(number(part(2))), number(part(3)), at, direction)
	case part(4) != "" && isMonth(number(part(5))):
		return monthSpan(number(part(4)), time.Month(number(part(5))), 1, loc)
	case part(4) != "":
		return yearSpan(number(part(4)), loc)
	case part(6) != "":
		s := scan{at: at}
		u := map[string]unit{"日": day, "週間": week, "年": year, "か月": month, "ヶ月": month, "カ月": month}[part(7)]
		if part(8) == "前" {
			return asPast(s.offset(-number(part(6)), u, false))
		}
		return asFuture(s.offset(number(part(6)), u, false))
	case part(9) != "":
		shift := japanesePeriods[part(9)].shift
		return directed(days(at, monday(at)+7*shift+strings.Index("月火水木金土日", part(10))/len("月"), 1), shift)
	case part(11) != "":
		if m := number(part(11)); isMonth(m) {
			return nearestYear(at, direction, func(y int) interval { return monthSpan(y, time.Month(m), 1, loc) })
		}
		return interval{}
	}
	if n, isDay := japaneseDays[part(0)]; isDay {
		return directed(days(at, n, 1), n)
	}
	s := japanesePeriods[part(0)]
	switch s.unit {
	case week:
		return directed(weekOf(at, s.shift), s.shift)
	case month:
		return directed(monthSpan(at.Year(), at.Month()+time.Month(s.shift), 1, loc), s.shift)
	}
	return directed(yearSpan(at.Year()+s.shift, loc), s.shift)
}

// japaneseDate returns a calendar date. y is 0 if the text gives no year.
func japaneseDate(y int, m time.Month, d int, at time.Time, direction tense) interval {
	loc := at.Location()
	in := func(y int) interval { return interval{from: midnight(y, m, d, loc), until: midnight(y, m, d+1, loc)} }
	switch {
	case y != 0 && validDate(y, m, d):
		return in(y)
	case y == 0 && validDate(2024, m, d):
		return nearestYear(at, direction, in)
	}
	return interval{}
}

func isMonth(m int) bool { return m >= 1 && m <= 12 }

// number parses a short decimal number, 0 for "".
func number(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}
