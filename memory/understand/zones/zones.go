// Package zones reads the timezone that people say they are in.
package zones

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"familiar/internal/lazyregexp"
	"familiar/memory/understand/english"
	"familiar/memory/when"
)

// zonesList are the names of the IANA time zone database that begin with a part of the world, one a line. A question mark
// follows where the name says too little of a place: most people would think of another one first, or of none.
//
//go:embed zones.txt
var zonesList string

// Names are the timezones that are named after places, IANA names in their order.
var Names = sync.OnceValue(func() []string { return strings.Fields(strings.ReplaceAll(zonesList, "?", "")) })

// zones are the timezones by the places they are named after, in lower case: the last part of each name.
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
	// standsIn says where the speaker is, at the beginning of a clause: what follows "if" or "when" is not where they are.
	standsIn = lazyregexp.New(`(?:^|[.,;!\n]\s*|\b(?i:and|but|so|well|hi|hello|hey|because|since)\s+)` +
		`(?i:i['’]?m|i am|we['’]?re|we are|i live|we live|i(?:['’]ve| have)? (?:just )?moved|i(?:['’]ve| have)? relocated|greetings)` +
		`(?i:\s+(?:now|currently|back|living|based|still|staying|at home|home|here|over))*` +
		`\s+(?i:in|to|from)\s+((?:\p{Lu}[\p{L}'’-]* *){1,3})`)
	// comesFrom is where somebody comes from, not where they are; only greetings come from there.
	comesFrom = lazyregexp.New(`(?i)\bfrom\s+\S+$`)
	// zoneNamed tells the timezone by its name.
	zoneNamed = lazyregexp.New(`(?i)\bmy time ?zone is ([a-z]+(?:/[a-z_]+)+)`)
	// clocked tells the time where the speaker is.
	clocked = lazyregexp.New(`(?i)\bit(?:['’]?s| is)(?: (?:just|only|already|now|currently))* (\d{1,2})(?:[:.](\d\d))? ?(am|pm|a\.m\.|p\.m\.)?(?: in the morning| at night)? (?:over )?here\b([^.!?]*\??)`)
)

// Of is the timezone that a text, said at the time at, puts its speaker in, an IANA name, "" when it tells none for
// certain: they are in a place that a timezone is named after ("I'm in Berlin"), they name it, or they tell the time where they are ("it's 3am
// here"), as far as that is another than at has. What somebody says of others, asks, or plans tells nothing. named says
// that they named it as theirs; else it may be where they are for a while.
func Of(text string, at time.Time) (zone string, named bool) {
	if len(text) > english.ReadLimit {
		text = strings.ToValidUTF8(text[:english.ReadLimit], "")
	}
	if !mayTell(strings.ToLower(text)) {
		return "", false
	}
	if m := zoneNamed.FindStringSubmatch(text); m != nil {
		if zone := properZone(m[1]); zone != "" {
			return zone, true
		}
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

// mayTell says whether a text in small letters may tell a timezone: most do not, and matching the expressions costs more
// than all other reading.
func mayTell(low string) bool {
	for _, sign := range [...]string{" in", " to", " from", "zone is ", "here"} {
		if strings.Contains(low, sign) {
			return true
		}
	}
	return false
}

// firstOf is the first word of a text.
func firstOf(text string) string {
	word, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	return word
}

// ahead says that a text names a time that is still to come.
func ahead(text string, at time.Time) bool {
	for _, span := range when.Find(text, at) {
		if span.From.After(at) {
			return true
		}
	}
	return false
}

// zoneOfPlace is the timezone named after the longest beginning of a place: "New York City".
func zoneOfPlace(place string) string {
	words := strings.Fields(strings.ToLower(place))
	for n := len(words); n > 0; n-- {
		if zone := zones()[strings.TrimRight(strings.Join(words[:n], " "), "'’-")]; zone != "" {
			return zone
		}
	}
	return ""
}

// properZone is a timezone's name as it is written, whatever case somebody gave it in.
func properZone(name string) string {
	for _, zone := range Names() {
		if strings.EqualFold(zone, name) {
			return zone
		}
	}
	return ""
}

// sameTime is how far the time somebody tells may be from theirs to be the same: people round.
const sameTime = 45 * time.Minute

// zoneByClock is the fixed timezone in which it is the time that a text tells at the moment, "" when that is the time in
// the speaker's own.
func zoneByClock(text string, at time.Time) string {
	m := clocked.FindStringSubmatch(text)
	if m == nil || m[2] == "" && m[3] == "" || strings.HasSuffix(m[4], "?") {
		return "" // "it's 3 here" may be either
	}
	hour, _ := strconv.Atoi(m[1]) // digits by the pattern
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
		return fmt.Sprintf("Etc/GMT-%d", offset) // the sign of these names is the other way round
	}
	return fmt.Sprintf("Etc/GMT+%d", -offset)
}

// clock is how long after midnight a time is.
func clock(at time.Time) time.Duration {
	return time.Duration(at.Hour())*time.Hour + time.Duration(at.Minute())*time.Minute
}

// around is a difference of clocks, from −12 hours to 12.
func around(d time.Duration) time.Duration {
	const day = 24 * time.Hour
	d = ((d % day) + day) % day
	if d > day/2 {
		d -= day
	}
	return d
}
