package care

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

//go:embed contacts.txt
var contactsFile string

// Contacts says whom people in danger can reach.
type Contacts struct {
	// Country is the country (ISO 3166, such as "DE") of people whose own is unknown, "" for none.
	Country string
	// Lines are the lines for a country that replace the built-in ones.
	Lines map[string][]string
}

// For returns whom somebody in a danger can reach, one line each, by the IANA name of their timezone, "" if unknown.
// Where neither the timezone nor the settings tell the country, there are none.
func (c Contacts) For(d Danger, zone string) []string {
	country := contacts().byZone[zone]
	if country == "" {
		country = strings.ToUpper(c.Country)
	}
	if own, set := c.Lines[country]; set {
		return own
	}
	var lines []string
	for _, l := range contacts().lines[country] {
		if l.danger == None || l.danger == d || d == Other && l.danger == Self {
			lines = append(lines, l.text)
		}
	}
	return lines
}

// Countries returns the countries with built-in contacts, sorted.
func Countries() (all []string) {
	for country := range contacts().lines {
		all = append(all, country)
	}
	slices.Sort(all)
	return all
}

type contact struct {
	danger Danger
	text   string
}

type contactTable struct {
	lines  map[string][]contact
	byZone map[string]string
}

var contacts = sync.OnceValue(func() contactTable {
	t := contactTable{map[string][]contact{}, map[string]string{}}
	for line := range strings.Lines(contactsFile) {
		country, rest, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		kind, text, _ := strings.Cut(rest, "\t")
		if kind == "zones" {
			for zone := range strings.FieldsSeq(text) {
				t.byZone[zone] = country
			}
			continue
		}
		t.lines[country] = append(t.lines[country], contact{Danger(kind), text})
	}
	return t
})

// Reply returns the fixed reply to somebody in danger, in the language of a tag, English if it has none, with whom they
// can reach below it.
func Reply(d Danger, tag string, reach []string) string {
	t := readers().byTag[tag]
	if t == nil {
		t = readers().byTag["en"]
	}
	if len(reach) == 0 {
		return t.replies[d]
	}
	return t.replies[d] + "\n\n" + t.contacts + "\n" + strings.Join(reach, "\n")
}

// Listing returns whom somebody can reach with the words that introduce it, in the language of a tag, English if it has
// none, "" for nobody.
func Listing(tag string, reach []string) string {
	t := readers().byTag[tag]
	if t == nil {
		t = readers().byTag["en"]
	}
	if len(reach) == 0 {
		return ""
	}
	return t.contacts + "\n" + strings.Join(reach, "\n")
}
