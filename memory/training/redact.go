package training

import (
	"strings"
	"unicode"

	"familiar/internal/lazyregexp"
	"familiar/memory/log"
)

// What stands for what is taken out.
const (
	anEmail   = "[email]"
	aLink     = "[link]"
	anAccount = "[account]"
	aNumber   = "[number]"
	aDate     = "[date]"
	anAddress = "[address]"
)

var (
	email = lazyregexp.New(`[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+`)
	// link matches addresses on the web, which may name people or hold tokens in any part: with a scheme, or a domain with a path.
	link = lazyregexp.New(`(?i)\b(?:[a-z][a-z0-9+.-]*://|www\.)[^\s<>"']+|\b(?:[\p{L}\p{Nd}-]+\.)+\p{L}{2,}/[^\s<>"']*`)
	// account matches mentions of accounts, as networks write them.
	account = lazyregexp.New(`<@[!&]?\d+>|@[\p{L}\p{N}_][\p{L}\p{N}_.-]*[\p{L}\p{N}_]`)
	// ip matches addresses of computers.
	ip = lazyregexp.New(`\b\d{1,3}(?:\.\d{1,3}){3}\b|(?i)\b(?:[0-9a-f]{1,4}:){3,7}[0-9a-f]{1,4}\b|\b[0-9a-f]{1,4}(?::[0-9a-f]{1,4})*::(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4})*)?`)
	// date matches days with their year, which may be days of birth: in digits, and with the name of the month.
	// What is part of a longer number is none.
	date = lazyregexp.New(`(^|[^\p{Nd}\p{Zs}/.(+-]\p{Zs}*)(?:\p{Nd}{4}[-/.]\p{Nd}{1,2}[-/.]\p{Nd}{1,2}|\p{Nd}{1,2}[-/.] ?\p{Nd}{1,2}[-/.] ?\p{Nd}{2}(?:\p{Nd}{2})?` +
		`|\p{Nd}{1,2}(?:st|nd|rd|th|er|\.)? (?:(?:of|de) )?\p{L}{3,10}\.?,? (?:(?:de|del) )?(?:19|20)\p{Nd}{2}|\p{L}{3,10}\.? \p{Nd}{1,2}(?:st|nd|rd|th)?,? (?:19|20)\p{Nd}{2})($|[^\p{Nd}/-])`)
	// digits matches what may be a phone number, or the number of an account or a document, however it is grouped.
	digits = lazyregexp.New(`\+?\(?\p{Nd}(?:[\p{Zs}\t.,/()_\p{Pd}·]{0,3}\p{Nd}){6,}`)
	// mixed matches words of letters and digits, which may be accounts, or the numbers of documents; unit is an amount or an ordinal.
	mixed = lazyregexp.New(`[\p{Latin}\p{Cyrillic}\p{Greek}\p{Nd}_]*(?:[\p{Latin}\p{Cyrillic}\p{Greek}]_?\p{Nd}|\p{Nd}_?[\p{Latin}\p{Cyrillic}\p{Greek}])[\p{Latin}\p{Cyrillic}\p{Greek}\p{Nd}_]*`)
	unit  = lazyregexp.New(`^\p{Nd}{1,4}\p{L}{1,4}$`)
)

// shortestMixed is how long a word of letters and digits is at least that is taken out.
const shortestMixed = 5

// addresses match the name of a street with a number before or behind it, in English, German, Spanish and French, and postal codes
// with a place. The last joins the parts of one address.
var addresses = []*lazyregexp.Regexp{
	lazyregexp.New(`\b\d{1,5}[a-zA-Z]?,? (?:\p{Lu}[\p{L}'’.-]* ){1,4}(?i:street|st|road|rd|avenue|ave|lane|ln|drive|dr|boulevard|blvd|court|ct|square|sq|terrace|way|close)\b` +
		`|\p{Lu}[\p{L}-]*(?i:stra(?:ß|ss)e|str\.|gasse|weg|allee|platz|ufer|damm|ring) \d{1,4} ?[a-z]?\b` +
		`|\p{Lu}[\p{L}-]* (?i:straße|strasse|str\.|gasse|weg|allee|platz) \d{1,4} ?[a-z]?\b` +
		`|\b(?:Am|An|Auf|Im|In|Unter|Zum|Zur|Hinter|Vor|Bei) (?:(?i:der|den|dem|die|das) )?(?:\p{Lu}[\p{L}-]+ )+\d{1,3} ?[a-z]?\b` +
		`|(?i:calle|avenida|avda\.|plaza|paseo|camino|carrer) (?:(?i:de|del|la|las|los|el|d['’]) ?)*\p{Lu}[\p{L}'’.-]*(?: (?:(?i:de|del|la|las|los|y) )*\p{Lu}[\p{L}'’.-]*)*,? (?:n[º°.] ?)?\d{1,4}\b` +
		`|\b\d{1,4}(?: ?(?:bis|ter))?,? (?i:rue|avenue|boulevard|bd|place|chemin|impasse|quai|allée|cours) (?:(?i:de|du|des|la|le|les|l['’]|d['’]) ?)*\p{Lu}[\p{L}'’.-]*(?: (?:(?i:de|du|des|la|le|les) )*\p{Lu}[\p{L}'’.-]*)*`),
	lazyregexp.New(`\b(?:\p{Lu}[\p{L}-]+,? )?[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}\b` + // the United Kingdom
		`|\b(?:[A-Z]{1,2}-)?\d{4,5} \p{Lu}[\p{L}-]+|\p{Lu}[\p{L}-]+,?(?: [A-Z]{2})? \d{5}\b(?:-\d{4}\b)?`),
	lazyregexp.New(`\[address\](?:,? (?:\[address\]|\d{4,6}\b)|, \p{Lu}[\p{L}-]+)+`),
}

// maxPasses bounds how often a text is redacted: what is taken out can uncover a name beside it.
const maxPasses = 8

// redact returns a text without what tells who somebody is: secrets, addresses, numbers, and the names of people.
func (e *exporter) redact(said string) string {
	for range maxPasses {
		clean := e.redactOnce(said)
		if clean == said {
			break
		}
		said = clean
	}
	return said
}

func (e *exporter) redactOnce(said string) string {
	said = log.Redact(said)
	mentions, numbers := strings.Contains(said, "@"), strings.ContainsFunc(said, unicode.IsDigit)
	if mentions {
		said = email.ReplaceAllString(said, anEmail)
	}
	if strings.ContainsAny(said, "/.") {
		said = link.ReplaceAllString(said, aLink)
	}
	if numbers {
		said = ip.ReplaceAllString(said, aNumber)
		said = date.ReplaceAllString(said, "${1}"+aDate+"${2}")
		for _, expression := range addresses {
			said = expression.ReplaceAllString(said, anAddress)
		}
	}
	said = e.names.replace(said)
	if mentions {
		said = account.ReplaceAllStringFunc(said, func(found string) string {
			if e.names.Kept(found[1:]) {
				return found
			}
			return anAccount
		})
	}
	if !numbers {
		return said
	}
	said = digits.ReplaceAllString(said, aNumber)
	return mixed.ReplaceAllStringFunc(said, func(found string) string {
		if len([]rune(found)) < shortestMixed || unit.MatchString(found) {
			return found
		}
		return anAccount
	})
}
