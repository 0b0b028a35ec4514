package log

import (
	"slices"
	"strings"

	"familiar/internal/lazyregexp"
)

// The replacements for secrets.
const (
	redactedKey      = "[redacted key]"
	redactedCard     = "[redacted card number]"
	redactedPassword = "[redacted password]"
)

// githubToken matches the tokens of GitHub, whose kind is the third letter.
var githubToken = lazyregexp.New(`\bgh[pousr]_[A-Za-z0-9]{30,}`)

// secretForms are the shapes of credentials, by the prefixes that their issuers document. A form is tried only on texts
// that contain its marker and a word of at least minWord bytes.
var secretForms = []struct {
	marker  string
	minWord int
	form    *lazyregexp.Regexp
}{
	{"-----BEGIN", 1, lazyregexp.New(`-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)`)},
	{"sk-", 15, lazyregexp.New(`\bsk-[A-Za-z0-9_-]{16,}`)},           // OpenAI, Anthropic and compatible providers
	{"_live_", 15, lazyregexp.New(`\b[srp]k_live_[A-Za-z0-9]{16,}`)}, // Stripe
	{"_test_", 15, lazyregexp.New(`\b[srp]k_test_[A-Za-z0-9]{16,}`)}, // Stripe
	{"ghp_", 15, githubToken},
	{"gho_", 15, githubToken},
	{"ghu_", 15, githubToken},
	{"ghs_", 15, githubToken},
	{"ghr_", 15, githubToken},
	{"github_pat_", 15, lazyregexp.New(`\bgithub_pat_[A-Za-z0-9_]{30,}`)},  // GitHub, fine-grained
	{"glpat-", 15, lazyregexp.New(`\bglpat-[A-Za-z0-9_-]{16,}`)},           // GitLab
	{"AKIA", 15, lazyregexp.New(`\bAKIA[0-9A-Z]{16}\b`)},                   // AWS access key
	{"ASIA", 15, lazyregexp.New(`\bASIA[0-9A-Z]{16}\b`)},                   // AWS, temporary
	{"AIza", 15, lazyregexp.New(`\bAIza[A-Za-z0-9_-]{35}`)},                // Google
	{"xox", 15, lazyregexp.New(`\bxox[abeoprs]-[A-Za-z0-9-]{10,}`)},        // Slack
	{"hf_", 15, lazyregexp.New(`\bhf_[A-Za-z0-9]{20,}`)},                   // Hugging Face
	{"npm_", 15, lazyregexp.New(`\bnpm_[A-Za-z0-9]{30,}`)},                 // npm
	{"eyJ", 15, lazyregexp.New(`\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*`)},       // JSON Web Token
	{":", 44, lazyregexp.New(`\b\d{8,10}:[A-Za-z0-9_-]{35}\b`)},            // Telegram bot
	{".", 58, lazyregexp.New(`\b[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,}`)}, // Discord bot
}

// namedSecret matches a secret that is introduced by name: "api key: …", "token=…". The name decides on the
// replacement.
var namedSecret = lazyregexp.New(`(?i)\b(api[ _-]?key|access[ _-]?token|secret[ _-]?key|client[ _-]?secret|auth[ _-]?token|token|password|passwd|passphrase|passcode)(\s*(?:is|are|=|:)\s*["'` + "`" + `]?)([^\s"'` + "`" + `]{4,})`)

// namedKeyLength is the minimum length of a key, in bytes. Secrets introduced by a name must look like one: a key is long, a password mixes letters with other characters.
const namedKeyLength = 16

// Redact removes pasted secrets from a text, so that they are never stored, recalled or shown to a model. The store
// applies it to every message it accepts and to every reply before recording it. Secrets are API keys and tokens of
// known shapes, values introduced as a key or password, and payment card numbers (by issuer prefix, length and the Luhn
// check of ISO/IEC 7812). Phone numbers, dates and ISBNs stay. Redacting twice changes nothing.
func Redact(text string) string {
	longest := longestRun(text)
	for _, s := range secretForms {
		if longest >= s.minWord && strings.Contains(text, s.marker) && (s.marker != "." || hasBotToken(text)) {
			text = s.form.ReplaceAllLiteralString(text, redactedKey)
		}
	}
	text = redactNamed(text)
	return redactCards(text)
}

// hasBotToken reports whether two dots in text are as far apart as in a token of a Discord bot: expressions are slow on a
// long text, and most texts have dots.
func hasBotToken(text string) bool {
	const apart = 7
	for i := strings.IndexByte(text, '.'); i >= 0 && i+apart < len(text); {
		if text[i+apart] == '.' {
			return true
		}
		next := strings.IndexByte(text[i+1:], '.')
		if next < 0 {
			return false
		}
		i += 1 + next
	}
	return false
}

// longestRun returns the length in bytes of the longest run without white space.
func longestRun(text string) int {
	longest, run := 0, 0
	for i := range len(text) {
		if run++; text[i] <= ' ' {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}

// secretNames are parts of the names that introduce secrets, in lower case. Each such name contains one.
var secretNames = []string{"key", "token", "secret", "pass"}

// redactNamed redacts secrets that are introduced by name.
func redactNamed(text string) string {
	low := strings.ToLower(text)
	if !slices.ContainsFunc(secretNames, func(name string) bool { return strings.Contains(low, name) }) {
		return text
	}
	return namedSecret.ReplaceAllStringFunc(text, func(found string) string {
		part := namedSecret.FindStringSubmatch(found)
		name, link, value := strings.ToLower(part[1]), part[2], part[3]
		if strings.HasPrefix(value, "[redacted") {
			return found
		}
		bare := strings.TrimRight(value, ".,;!?)")
		tail := value[len(bare):]
		switch {
		case strings.HasPrefix(name, "pass"):
			if !looksSecret(bare) {
				return found
			}
			return part[1] + link + redactedPassword + tail
		case len(bare) >= namedKeyLength && looksSecret(bare):
			return part[1] + link + redactedKey + tail
		}
		return found
	})
}

// looksSecret reports whether a word contains letters and characters that ordinary words do not.
func looksSecret(word string) bool {
	letters, others := false, false
	for _, r := range word {
		switch {
		case r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z':
			letters = true
		case r == '-' || r == '\'' || r == '/' || r > 127:
		default:
			others = true
		}
	}
	return letters && others
}

// cardShape matches a run of digits that may be a card number, with single spaces or dashes between the digits.
var cardShape = lazyregexp.New(`\d(?:[ -]?\d){12,18}`)

// minCardDigits is the length of the shortest card number.
const minCardDigits = 13

// redactCards redacts payment card numbers.
func redactCards(text string) string {
	if !hasDigits(text, minCardDigits) { // most texts return here; searching long ones would be slow
		return text
	}
	var b strings.Builder
	rest := 0
	for _, at := range cardShape.FindAllStringIndex(text, -1) {
		if adjoins(text, at[0]-1) || adjoins(text, at[1]) || !isCard(text[at[0]:at[1]]) {
			continue
		}
		b.WriteString(text[rest:at[0]])
		b.WriteString(redactedCard)
		rest = at[1]
	}
	if rest == 0 {
		return text
	}
	b.WriteString(text[rest:])
	return b.String()
}

// hasDigits reports whether a text contains at least that many digits.
func hasDigits(text string, least int) bool {
	for i := 0; i < len(text) && least > 0; i++ {
		if text[i] >= '0' && text[i] <= '9' {
			least--
		}
	}
	return least <= 0
}

// adjoins reports whether the byte at i continues the number next to it, which then is not a card number.
func adjoins(text string, i int) bool {
	if i < 0 || i >= len(text) {
		return false
	}
	c := text[i]
	return c >= '0' && c <= '9' || c == '+' || c == '/' || c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// isCard reports whether the digits are a card number that some issuer could have assigned.
func isCard(s string) bool {
	digits := strings.NewReplacer(" ", "", "-", "").Replace(s)
	return hasIssuer(digits) && luhn(digits)
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
