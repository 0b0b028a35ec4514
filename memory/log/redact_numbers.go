package log

import (
	"strings"

	"familiar/internal/lazyregexp"
)

// cardShape matches a run of digits that may contain a card number, with single spaces or dashes between the digits.
var cardShape = lazyregexp.New(`\d(?:[ \x{a0}\x{202f}-]?\d){12,}`)

// minCardDigits and maxCardDigits are the lengths of card numbers.
const minCardDigits, maxCardDigits = 13, 19

// redactCards redacts payment card numbers.
func redactCards(text string) string {
	return replaceSpans(text, redactedCard, func(yield func(from, to int)) {
		for _, at := range cardShape.FindAllStringIndex(text, -1) {
			if !adjoins(text, at[0]-1) {
				findCards(text, at[0], at[1], yield)
			}
		}
	})
}

// replaceSpans replaces the spans that find yields, which are in order and do not overlap.
func replaceSpans(text, with string, find func(yield func(from, to int))) string {
	var b strings.Builder
	done := 0
	find(func(from, to int) {
		b.WriteString(text[done:from])
		b.WriteString(with)
		done = to
	})
	if done == 0 {
		return text
	}
	b.WriteString(text[done:])
	return b.String()
}

// findCards yields the card numbers in a run of digits: the whole run, or the groups of one as cards show them, because
// the date and the code on the card may follow.
func findCards(text string, from, to int, yield func(from, to int)) {
	if !adjoins(text, to) && isCard(text[from:to]) {
		yield(from, to)
		return
	}
	groups := digitGroups(text, from, to)
	for i := 0; i < len(groups); {
		n := cardGroups(text, groups[i:])
		if n == 0 {
			i++
			continue
		}
		yield(groups[i][0], groups[i+n-1][1])
		i += n
	}
}

// digitGroups returns the runs of digits between from and to.
func digitGroups(text string, from, to int) (groups [][2]int) {
	for i := from; i < to; i++ {
		if text[i]-'0' > 9 {
			continue
		}
		start := i
		for i < to && text[i]-'0' <= 9 {
			i++
		}
		groups = append(groups, [2]int{start, i})
	}
	return groups
}

// cardLayouts are the groups of digits in which cards show their numbers, the longest first.
var cardLayouts = [][]int{{4, 4, 4, 4, 3}, {4, 4, 4, 4}, {4, 6, 5}, {4, 6, 4}}

// cardGroups returns how many groups at the beginning are one card number, 0 if they are none.
func cardGroups(text string, groups [][2]int) int {
	card := func(n int) bool {
		from, to := groups[0][0], groups[n-1][1]
		return !adjoins(text, to) && isCard(text[from:to])
	}
	for _, layout := range cardLayouts {
		fits := len(groups) >= len(layout)
		for i := 0; fits && i < len(layout); i++ {
			fits = groups[i][1]-groups[i][0] == layout[i]
		}
		if fits && card(len(layout)) {
			return len(layout)
		}
	}
	if card(1) {
		return 1
	}
	return 0
}

// adjoins reports whether the byte at i continues the number next to it, which then is not a card number.
func adjoins(text string, i int) bool {
	if i < 0 || i >= len(text) {
		return false
	}
	c := text[i]
	return c == '+' || c == '/' || c == '_' || isAlphanumeric(c)
}

func isAlphanumeric(c byte) bool { return c-'0' <= 9 || c|0x20 >= 'a' && c|0x20 <= 'z' }

// onlyDigits returns the digits of s.
func onlyDigits(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, s)
}

// isCard reports whether the digits are a card number that some issuer could have assigned.
func isCard(s string) bool {
	digits := onlyDigits(s)
	return len(digits) >= minCardDigits && len(digits) <= maxCardDigits && hasIssuer(digits) && luhn(digits)
}

// issuers are the card number prefixes of each issuer, as ranges of the first digits, with the valid lengths.
var issuers = []struct {
	from, to string
	lengths  []int
}{
	{"4", "4", []int{13, 16, 19}},           // Visa
	{"51", "55", []int{16}},                 // Mastercard
	{"2221", "2720", []int{16}},             // Mastercard
	{"34", "34", []int{15}},                 // American Express
	{"37", "37", []int{15}},                 // American Express
	{"300", "305", []int{14}},               // Diners Club
	{"36", "36", []int{14}},                 // Diners Club
	{"38", "39", []int{14}},                 // Diners Club
	{"6011", "6011", []int{16, 17, 18, 19}}, // Discover
	{"644", "659", []int{16, 17, 18, 19}},   // Discover
	{"3528", "3589", []int{16, 17, 18, 19}}, // JCB
	{"62", "62", []int{16, 17, 18, 19}},     // UnionPay
	{"5018", "5018", []int{16, 17, 18, 19}}, // Maestro
	{"6304", "6304", []int{16, 17, 18, 19}}, // Maestro
	{"6759", "6763", []int{16, 17, 18, 19}}, // Maestro
}

func hasIssuer(digits string) bool {
	for _, i := range issuers {
		head := digits[:len(i.from)]
		if head < i.from || head > i.to {
			continue
		}
		for _, n := range i.lengths {
			if len(digits) == n {
				return true
			}
		}
	}
	return false
}

// luhn checks the check digit: from the right, every second digit counts twice, and the sum must end in zero.
func luhn(digits string) bool {
	sum := 0
	for i := range len(digits) {
		d := int(digits[len(digits)-1-i] - '0')
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}

// social matches the form of a US social security number, and namedSocial one without dashes after its name.
var (
	social      = lazyregexp.New(`\d{3}-\d{2}-\d{4}`)
	namedSocial = lazyregexp.New(`(?i)\b(?:ssn|social security(?: number| no\.?)?)\s*(?:[:=#]|is)?\s*(\d{3} ?\d{2} ?\d{4})\b`)
)

// redactSocial redacts US social security numbers: those with dashes that can have been assigned, and those that are named.
func redactSocial(text string) string {
	text = replaceSpans(text, redactedSocial, func(yield func(from, to int)) {
		for _, at := range social.FindAllStringIndex(text, -1) {
			alone := !adjoins(text, at[0]-1) && !adjoins(text, at[1]) && !dashed(text, at[0]-1) && !dashed(text, at[1])
			if alone && isSocial(text[at[0]:at[1]]) {
				yield(at[0], at[1])
			}
		}
	})
	return replaceSpans(text, redactedSocial, func(yield func(from, to int)) {
		for _, at := range namedSocial.FindAllStringSubmatchIndex(text, -1) {
			yield(at[2], at[3])
		}
	})
}

// dashed reports whether the byte at i is a dash, which makes the number next to it a part of a longer one.
func dashed(text string, i int) bool { return i >= 0 && i < len(text) && text[i] == '-' }

// isSocial reports whether a number can have been assigned: no part is zero, and the first is neither 666 nor above 899.
func isSocial(s string) bool {
	return s[:3] != "000" && s[:3] != "666" && s[0] != '9' && s[4:6] != "00" && s[7:] != "0000"
}

// ibanLengths are the lengths of account numbers by country, as the registry of ISO 13616 lists them.
var ibanLengths = map[string]int{
	"AD": 24, "AE": 23, "AL": 28, "AT": 20, "AZ": 28, "BA": 20, "BE": 16, "BG": 22, "BH": 22, "BR": 29, "BY": 28, "CH": 21, "CR": 22,
	"CY": 28, "CZ": 24, "DE": 22, "DK": 18, "DO": 28, "EE": 20, "EG": 29, "ES": 24, "FI": 18, "FO": 18, "FR": 27, "GB": 22, "GE": 22,
	"GI": 23, "GL": 18, "GR": 27, "GT": 28, "HR": 21, "HU": 28, "IE": 22, "IL": 23, "IQ": 23, "IS": 26, "IT": 27, "JO": 30, "KW": 30,
	"KZ": 20, "LB": 28, "LC": 32, "LI": 21, "LT": 20, "LU": 20, "LV": 21, "LY": 25, "MC": 27, "MD": 24, "ME": 22, "MK": 19, "MR": 27,
	"MT": 31, "MU": 30, "NL": 18, "NO": 15, "PK": 24, "PL": 28, "PS": 29, "PT": 25, "QA": 29, "RO": 24, "RS": 22, "SA": 24, "SC": 31,
	"SE": 24, "SI": 19, "SK": 24, "SM": 27, "ST": 25, "SV": 28, "TL": 23, "TN": 24, "TR": 26, "UA": 29, "VA": 22, "VG": 24, "XK": 20,
}

// minIBAN is the length of the shortest account number.
const minIBAN = 15

// redactIBANs redacts bank account numbers, also in groups with single spaces or dashes between them.
func redactIBANs(text string) string {
	return replaceSpans(text, redactedAccount, func(yield func(from, to int)) {
		for i := 0; i+minIBAN <= len(text); i++ {
			if text[i+2]-'0' > 9 || text[i+3]-'0' > 9 || i > 0 && isAlphanumeric(text[i-1]) {
				continue
			}
			if n := ibanAt(text[i:]); n > 0 {
				yield(i, i+n)
				i += n - 1
			}
		}
	})
}

// ibanAt returns the length in bytes of the account number at the beginning of a text, 0 if there is none.
func ibanAt(text string) int {
	want := ibanLengths[strings.ToUpper(text[:2])]
	if want == 0 {
		return 0
	}
	account := make([]byte, 0, want)
	i := 0
	for ; i < len(text) && len(account) < want; i++ {
		switch c := text[i]; {
		case isAlphanumeric(c):
			account = append(account, c)
		case c != ' ' && c != '-' || !isAlphanumeric(text[i-1]):
			return 0
		}
	}
	if len(account) < want || i < len(text) && isAlphanumeric(text[i]) || !checksIBAN(strings.ToUpper(string(account))) {
		return 0
	}
	return i
}

// checksIBAN verifies the check digits: the number with its first four characters at the end, and letters as 10 to 35, is
// 1 modulo 97.
func checksIBAN(account string) bool {
	rest := 0
	for _, c := range []byte(account[4:] + account[:4]) {
		if c >= 'A' {
			rest = (rest*100 + int(c-'A') + 10) % 97
		} else {
			rest = (rest*10 + int(c-'0')) % 97
		}
	}
	return rest == 1
}
