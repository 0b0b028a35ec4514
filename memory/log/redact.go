package log

import (
	"strings"

	"familiar/internal/lazyregexp"
)

// The replacements for secrets.
const (
	redactedKey      = "[redacted key]"
	redactedPassword = "[redacted password]"
	redactedPIN      = "[redacted PIN]"
	redactedCard     = "[redacted card number]"
	redactedAccount  = "[redacted account number]"
	redactedSocial   = "[redacted social security number]"
)

// rule redacts one kind of secret.
type rule struct {
	// kind names the secret in tests.
	kind string
	// may tells cheaply whether a text can contain one, from its traits: most texts contain none.
	may func(t *traits) bool
	// redact returns the text without secrets of this kind.
	redact func(text string) string
}

// rules lists what is redacted, in order: keys of known shapes first, so that a shorter rule does not cut one in two.
var rules = []rule{
	key("private key", "-----BEGIN", 1, `-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|$)`),
	key("OpenAI, Anthropic", "sk-", 15, `\bsk-[A-Za-z0-9_-]{16,}`),
	key("Stripe", "k_live_", 15, `\b[srp]k_live_[A-Za-z0-9]{16,}`),
	key("Stripe", "k_test_", 15, `\b[srp]k_test_[A-Za-z0-9]{16,}`),
	key("Stripe webhook", "whsec_", 15, `\bwhsec_[A-Za-z0-9]{16,}`),
	key("GitHub", "gh", 15, `\bgh[pousr]_[A-Za-z0-9]{30,}`),
	key("GitHub, fine-grained", "github_pat_", 15, `\bgithub_pat_[A-Za-z0-9_]{30,}`),
	key("GitLab", "glpat-", 15, `\bglpat-[A-Za-z0-9_-]{16,}`),
	{"AWS secret key", func(t *traits) bool { return t.longest >= 15 && t.hasAny("AKIA", "ASIA") }, redactCloudSecret},
	key("AWS", "AKIA", 15, `\bAKIA[0-9A-Z]{16}\b`),
	key("AWS, temporary", "ASIA", 15, `\bASIA[0-9A-Z]{16}\b`),
	key("Google", "AIza", 15, `\bAIza[A-Za-z0-9_-]{35}`),
	key("Google sign-in", "GOCSPX-", 15, `\bGOCSPX-[A-Za-z0-9_-]{20,}`),
	key("Slack", "xox", 15, `\bxox[abeoprs]-[A-Za-z0-9-]{10,}`),
	key("Slack app", "xapp-", 15, `\bxapp-[A-Za-z0-9-]{10,}`),
	key("Slack webhook", "hooks.slack.com/", 15, `\bhooks\.slack\.com/(?:services|workflows)/[\w/]{16,}`),
	key("Hugging Face", "hf_", 15, `\bhf_[A-Za-z0-9]{20,}`),
	key("Familiar", "fam_", 15, `\bfam_[A-Za-z0-9_-]{30,}`),
	key("npm", "npm_", 15, `\bnpm_[A-Za-z0-9]{30,}`),
	key("SendGrid", "SG.", 15, `\bSG\.[\w-]{16,}\.[\w-]{16,}`),
	key("JSON Web Token", "eyJ", 15, `\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*`),
	key("Telegram bot", ":", 40, `\d{6,12}:[A-Za-z0-9_-]{34,}`),
	key("Discord webhook", "/api/webhooks/", 40, `/api/webhooks/\d+/[\w-]{40,}`),
	{"Discord bot", func(t *traits) bool { return t.longest >= 57 && hasBotToken(t.text) }, replaceAll(`\b[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,}`)},
	{"password in a URL", func(t *traits) bool { return t.longest >= 8 && t.hasAny("://") && t.hasAny("@") }, redactURLs},
	{"named key or password", (*traits).names, redactNamed},
	{"named PIN", func(t *traits) bool { return t.digitRun >= 3 && t.namesPIN() }, redactPINs},
	{"IBAN", func(t *traits) bool { return t.digits >= 4 && len(t.text) >= minIBAN }, redactIBANs},
	{"card number", func(t *traits) bool { return t.digits >= minCardDigits }, redactCards},
	{"social security number", func(t *traits) bool { return t.digits >= 9 }, redactSocial},
}

// maxPasses bounds how often the rules are applied: what one replaces can uncover what another finds.
const maxPasses = 8

// Redact removes pasted secrets from a text, so that they are never stored, recalled or shown to a model. The store
// applies it to every message it accepts and to every reply before recording it. Secrets are API keys and tokens of
// known shapes, passwords in URLs, values introduced as a key, password or PIN in each supported language, payment card
// numbers (by issuer prefix, length and the Luhn check of ISO/IEC 7812), bank accounts (IBANs, by country, length and
// the check of ISO 7064) and US social security numbers. Phone numbers, dates and ISBNs stay. Redacting twice changes
// nothing.
func Redact(text string) string {
	for range maxPasses {
		clean := redactOnce(text)
		if clean == text {
			break
		}
		text = clean
	}
	return text
}

// redactOnce applies every rule.
func redactOnce(text string) string {
	t := traitsOf(text)
	for _, r := range rules {
		if r.may(&t) {
			t.text = r.redact(t.text)
		}
	}
	return t.text
}

// key is the rule for keys of a shape, by the prefix that their issuer documents. It is tried only on texts that contain
// marker and a word of at least minWord bytes.
func key(kind, marker string, minWord int, form string) rule {
	return rule{kind, func(t *traits) bool { return t.longest >= minWord && strings.Contains(t.text, marker) }, replaceAll(form)}
}

// replaceAll replaces what an expression finds with the mark of a key.
func replaceAll(form string) func(string) string {
	found := lazyregexp.New(form)
	return func(text string) string { return found.ReplaceAllLiteralString(text, redactedKey) }
}

// traits are cheap facts about a text.
type traits struct {
	text string
	// longest is the length in bytes of the longest run without white space, digitRun of the longest run of digits.
	longest, digitRun int
	// digits is the number of digits.
	digits int
	// low is the text in lower case, once it was needed.
	low string
}

func traitsOf(text string) traits {
	t := traits{text: text}
	word, run := 0, 0
	for i := range len(text) {
		c := text[i]
		if word++; c <= ' ' {
			t.longest, word = max(t.longest, word-1), 0
		}
		if c-'0' <= 9 {
			t.digits++
			run++
		} else if run > 0 {
			t.digitRun, run = max(t.digitRun, run), 0
		}
	}
	t.longest, t.digitRun = max(t.longest, word), max(t.digitRun, run)
	return t
}

// hasAny reports whether the text contains one of the parts.
func (t *traits) hasAny(parts ...string) bool { return containsAny(t.text, parts) }

// lower returns the text in lower case.
func (t *traits) lower() string {
	if t.low == "" {
		t.low = strings.ToLower(t.text)
	}
	return t.low
}

func containsAny(text string, parts []string) bool {
	for _, part := range parts {
		if strings.Contains(text, part) {
			return true
		}
	}
	return false
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

// cloudSecret matches what may be the secret key that belongs to an access key of AWS.
var cloudSecret = lazyregexp.New(`[A-Za-z0-9/+]{40,}`)

// redactCloudSecret redacts the secret keys of AWS, which have no mark of their own, next to their access key.
func redactCloudSecret(text string) string {
	return cloudSecret.ReplaceAllStringFunc(text, func(found string) string {
		if len(found) != 40 || !strings.ContainsAny(found, "0123456789") || strings.ToLower(found) == found || strings.ToUpper(found) == found {
			return found
		}
		return redactedKey
	})
}

// urlPassword matches the user and password of a URL.
var urlPassword = lazyregexp.New(`(://[^\s/?#@:]*:)[^\s/?#]+@`)

// redactURLs redacts passwords in URLs: the host and the user stay.
func redactURLs(text string) string {
	return urlPassword.ReplaceAllString(text, "${1}"+redactedPassword+"@")
}
