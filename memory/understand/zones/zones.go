// Package zones reads the timezone that people say they are in.
package zones

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"familiar/internal/lazyregexp"
	"familiar/memory/understand/english"
	"familiar/memory/when"
)

// zonesList holds the names of the IANA time zone database that begin with a region, one per line. A question mark
// after a name marks an ambiguous place: most people would think of another place first, or of none.
//
//go:embed zones.txt
var zonesList string

// Names returns the IANA names of the timezones that are named after places, in their order.
var Names = sync.OnceValue(func() []string { return strings.Fields(strings.ReplaceAll(zonesList, "?", "")) })

// zones maps places, in lower case, to the timezones named after them. The place is the last part of a timezone's
// name.
var zones = sync.OnceValue(func() map[string]string {
	all := make(map[string]string)
	for name := range strings.FieldsSeq(zonesList) {
		if !strings.HasSuffix(name, "?") {
			place := name[strings.LastIndexByte(name, '/')+1:]
			all[strings.ToLower(strings.ReplaceAll(place, "_", " "))] = name
		}
	}
	return all
})

var (
	// standsIn matches a statement of where the speaker is, at the beginning of a clause. What follows "if" or "when"
	// is not where they are.
	standsIn = lazyregexp.New(`(?:^|[.,;!\n]\s*|\b(?i:and|but|so|well|hi|hello|hey|because|since)\s+)` +
		`(?i:i['’]?m|i am|we['’]?re|we are|i live|we live|i(?:['’]ve| have)? (?:just )?moved|i(?:['’]ve| have)? relocated|greetings)` +
		`(?i:\s+(?:now|currently|back|living|based|still|staying|at home|home|here|over))*` +
		`\s+(?i:in|to|from)\s+((?:\p{Lu}[\p{L}'’-]* *){1,3})`)
	// comesFrom matches where somebody comes from, which is not where they are. Only greetings come from where the
	// speaker is.
	comesFrom = lazyregexp.New(`(?i)\bfrom\s+\S+$`)
	// zoneNamed matches a timezone given by its name.
	zoneNamed = lazyregexp.New(`(?i)\bmy time ?zone is ([a-z]+(?:/[a-z_]+)+)`)
	// clocked matches a statement of the time where the speaker is.
	clocked = lazyregexp.New(`(?i)\bit(?:['’]?s| is)(?: (?:just|only|already|now|currently))* (\d{1,2})(?:[:.](\d\d))? ?(am|pm|a\.m\.|p\.m\.)?(?: in the morning| at night)? (?:over )?here\b([^.!?]*\??)`)
)

// Of returns the IANA name of the timezone that a text puts its speaker in, "" when the text gives no certain answer.
// at is when it was said, in the speaker's timezone. A text tells a timezone when the speaker is in a place that one
// is named after ("I'm in Berlin"), names a timezone, or tells a local time that differs from at ("it's 3am here").
// What somebody says of others, asks or plans tells nothing. named reports whether the speaker named the timezone as
// theirs; otherwise it may be where they are for a while.
func Of(text string, at time.Time) (zone string, named bool) {
	if len(text) > english.ReadLimit {
		text = strings.ToValidUTF8(text[:english.ReadLimit], "")
	}
	if m := zoneNamed.FindStringSubmatch(text); m != nil {
		if zone := properZone(m[1]); zone != "" {
			return zone, true
		}
	}
	if !mayStand(text) {
		return zoneByClock(text, at), false
	}
	for _, m := range standsIn.FindAllStringSubmatchIndex(text, -1) {
		said, place := text[m[0]:m[1]], text[m[2]:m[3]]
		rest, _, _ := strings.Cut(text[m[3]:], "\n")
		if end := strings.IndexAny(rest, ".!?;,"); end >= 0 {
			rest = rest[:end+1]
		}
		greets := strings.Contains(strings.ToLower(said), "greetings")
		if comesFrom.MatchString(strings.TrimSpace(said[:len(said)-len(place)]+firstOf(place))) != greets ||
			strings.HasSuffix(rest, "?") || ahead(rest, at) {
			continue
		}
		if zone := zoneOfPlace(place); zone != "" {
			return zone, false
		}
	}
	return zoneByClock(text, at), false
}

// mayStand reports whether a text names a place as standsIn reads it, with a capital after a preposition. Most texts
// do not.
func mayStand(text string) bool {
	before := ""
	for word := range strings.FieldsSeq(text) {
		if strings.EqualFold(before, "in") || strings.EqualFold(before, "to") || strings.EqualFold(before, "from") {
			if first, _ := utf8.DecodeRuneInString(word); unicode.IsUpper(first) {
				return true
			}
		}
		before = word
	}
	return false
}

// firstOf returns the first word of a text.
func firstOf(text string) string {
	word, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	return word
}

// ahead reports whether a text names a time in the future.
func ahead(text string, at time.Time) bool {
	for _, span := range when.Find(text, at) {
		if span.From.After(at) {
			return true
		}
	}
	return false
}

// zoneOfPlace returns the timezone named after the longest prefix of a place: "New York City".
func zoneOfPlace(place string) string {
	words := strings.Fields(strings.ToLower(place))
	for n := len(words); n > 0; n-- {
		if zone := zones()[strings.TrimRight(strings.Join(words[:n], " "), "'’-")]; zone != "" {
			return zone
		}
	}
	return ""
}

// properZone returns a timezone's name in its official spelling, for a name in any case.
func properZone(name string) string {
	for _, zone := range Names() {
		if strings.EqualFold(zone, name) {
			return zone
		}
	}
	return ""
}

// sameTime is how far a told time may be from the speaker's own and count as the same, because people round.
const sameTime = 45 * time.Minute

// zoneByClock returns the fixed timezone that has the time told in a text at the moment, "" when that is the
// speaker's own time.
func zoneByClock(text string, at time.Time) string {
	m := clocked.FindStringSubmatch(text)
	if m == nil || m[2] == "" && m[3] == "" || strings.HasSuffix(m[4], "?") {
		return "" // "it's 3 here" may be morning or afternoon
	}
	hour, _ := strconv.Atoi(m[1]) // the pattern matches only digits
	minute, _ := strconv.Atoi(m[2])
	half := strings.ToLower(strings.ReplaceAll(m[3], ".", ""))
	if hour > 23 || minute > 59 || half != "" && (hour < 1 || hour > 12) {
		return ""
	}
	if half != "" {
		hour %= 12
	}
	if half == "pm" {
		hour += 12
	}
	told := time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute
	if around(told-clock(at)).Abs() <= sameTime {
		return ""
	}
	offset := int(around(told - clock(at.UTC())).Round(time.Hour).Hours())
	switch {
	case offset == 0:
		return "Etc/UTC"
	case offset > 0:
		return fmt.Sprintf("Etc/GMT-%d", offset) // the sign in these names is reversed
	}
	return fmt.Sprintf("Etc/GMT+%d", -offset)
}

// clock returns the time elapsed since midnight.
func clock(at time.Time) time.Duration {
	return time.Duration(at.Hour())*time.Hour + time.Duration(at.Minute())*time.Minute
}

// around returns a difference of clocks as −12 to 12 hours.
func around(d time.Duration) time.Duration {
	const day = 24 * time.Hour
	d = ((d % day) + day) % day
	if d > day/2 {
		d -= day
	}
	return d
}
