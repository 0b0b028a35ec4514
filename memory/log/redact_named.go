package log

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"familiar/internal/lazyregexp"
)

// namedKeys introduce keys, in the words of configuration files.
var namedKeys = []string{
	`api[ _-]?key`, `access[ _-]?token`, `access[ _-]?key`, `secret[ _-]?access[ _-]?key`, `secret[ _-]?key`, `private[ _-]?key`,
	`client[ _-]?secret`, `auth[ _-]?token`, `bot[ _-]?token`, `bearer`, `token`,
}

// namedPasswords introduce passwords, in every supported language.
var namedPasswords = []string{
	`password`, `passwd`, `passphrase`, `passcode`, `pwd`, `pw`, // English, and Italian has the first
	`passwort`, `kennwort`, `zugangscode`, // German
	`mot de passe`, `mdp`, // French
	`contraseña`, `contrasena`, // Spanish
	`senha`, `palavra[- ]passe`, // Portuguese
	`parola d['’]ordine`, `parola d['’]accesso`, // Italian
	`wachtwoord`, `toegangscode`, // Dutch
	`пароль`, `пароля`, `паролем`, // Russian
	`パスワード`, `合言葉`, // Japanese
}

// namedPINs introduce short numbers that are secret. A number follows at once in capital letters alone ("PIN 1234").
var namedPINs = []string{
	`pin(?:[ -]?(?:code|number|nummer|kode))?`, `(?:code|codice|código|codigo) pin`, `puk`, `cvv2?`, `cvc2?`, // wherever cards are
	`geheimzahl`,                         // German
	`code (?:secret|confidentiel)`,       //nolint:misspell // French
	`(?:clave|código|codigo) secret[ao]`, // Spanish, Portuguese
	`codice segreto`,                     // Italian
	`пин(?:[ -]?код)?`,                   // Russian
	`暗証番号`,                               // Japanese
}

// The parts of words with which the names begin or continue, in lower case, for a cheap look at a text: each name of its
// kind has one at the beginning of a word.
var (
	keyStems      = []string{"api", "access", "secret", "private", "client", "auth", "bot", "bearer", "token"}
	passwordStems = []string{
		"passw", "passphr", "passco", "pw", "kennwort", "zugangsc", "de passe", "mdp", "contrase", "senha", "palavra", "parola d", "wachtw",
		"toegangsc", "парол", "パスワード", "合言葉",
	}
	pinStems = []string{"pin", "puk", "cvv", "cvc", "geheimzahl", "code ", "clave", "codice", "código", "codigo", "пин", "暗証番号"}
)

// names reports whether the text may name a key or a password, namesPIN whether it may name a PIN.
func (t *traits) names() bool {
	return t.longest >= namedKeyLength && t.hasWord(keyStems) || t.hasWord(passwordStems)
}

func (t *traits) namesPIN() bool { return t.hasWord(pinStems) }

// hasWord reports whether a word of the text may begin with one of the stems.
func (t *traits) hasWord(stems []string) bool {
	low := t.lower()
	for _, stem := range stems {
		for from := 0; ; {
			i := strings.Index(low[from:], stem)
			if i < 0 {
				break
			}
			if from += i; from == 0 || low[from-1] < 'a' || low[from-1] > 'z' {
				return true
			}
			from++
		}
	}
	return false
}

// The words and signs between a name and its value. A sign introduces a value, a word may also begin a sentence about it
// ("the password is too weak").
const (
	signs = `[:=：＝]|:=|=>|→`
	words = `is|are|was|ist|lautet|war|est|c['’]est|es|era|é|è|is het|это|был|は|が|—|–|-`
)

// namedSecret matches a secret that is introduced by name: "api key: …", "token=…", "mon mot de passe est …". The groups are
// what stands before, the name, the link with its quotes, and the value.
var namedSecret = lazyregexp.New(`(?i)(^|[^\pL\pN])((?:` + strings.Join(namedKeys, "|") + `)|(?:` + strings.Join(namedPasswords, "|") +
	`))(["'` + "`" + `]?\s*(?:` + signs + `|(?:` + words + `)\s)\s*|\s+|[はが]\s*)(["'` + "`" + `“”„«「]?)([^\s"'` + "`" + `“”„»«「」。、]{4,})`)

// isKeyName recognizes the names of keys among those of namedSecret.
var isKeyName = lazyregexp.New(`(?i)^(?:` + strings.Join(namedKeys, "|") + `)$`)

// namedKeyLength is the minimum length of a key, in bytes. Secrets introduced by a name must look like one: a key is
// long, a password mixes letters with other characters, is a number, is quoted, or is all that follows a colon.
const namedKeyLength = 16

// redactNamed redacts secrets that are introduced by name.
func redactNamed(text string) string {
	var b strings.Builder
	done := 0
	for _, at := range namedSecret.FindAllStringSubmatchIndex(text, -1) {
		group := func(n int) string { return text[at[2*n]:at[2*n+1]] }
		v := namedValue{link: strings.TrimSpace(group(3)), quote: group(4), value: group(5), rest: text[at[1]:]}
		with := redactedPassword
		secret := v.isPassword()
		if isKeyName.MatchString(group(2)) {
			with, secret = redactedKey, v.isKey()
		}
		if secret {
			b.WriteString(text[done:at[10]])
			b.WriteString(with)
			done = at[10] + len(v.bare())
		}
	}
	return b.String() + text[done:]
}

// namedValue is a value after a name.
type namedValue struct {
	// link is what stands between them, quote the quotation mark before the value, rest what follows it.
	link, quote, value, rest string
}

// bare returns the value without the punctuation of its sentence and what Japanese appends to a noun.
func (v namedValue) bare() string {
	bare := strings.TrimRight(v.value, ".,;!?)…")
	if i := strings.IndexFunc(bare, isKana); i > 0 && bare[0] < utf8.RuneSelf {
		bare = bare[:i]
	}
	return bare
}

func isKana(r rune) bool { return r >= 0x3040 && r <= 0x30ff }

func (v namedValue) isRedacted() bool { return strings.HasPrefix(v.value, "[redacted") }

// isKey reports whether the value looks like a key.
func (v namedValue) isKey() bool {
	bare := v.bare()
	return !v.isRedacted() && len(bare) >= namedKeyLength && looksSecret(bare)
}

// isPassword reports whether the value looks like a password, or is written like one.
func (v namedValue) isPassword() bool {
	bare := v.bare()
	switch {
	case v.isRedacted() || len(bare) < 4:
		return false
	case v.link == "": // "my password hunter2"
		return looksSecret(bare) && strings.ContainsAny(bare, "0123456789") && !strings.Contains(bare, "://")
	case looksSecret(bare) || isNumber(bare):
		return true
	case strings.ContainsAny(v.link, ":=：＝→"):
		return v.isAlone()
	}
	return v.quote != "" && v.isQuoted()
}

// isQuoted reports whether the quotation ends with the value.
func (v namedValue) isQuoted() bool {
	r, _ := utf8.DecodeRuneInString(v.rest)
	return strings.ContainsRune("\"'`“”„»«」", r) && len(v.rest) > 0
}

// isAlone reports whether nothing of its sentence follows the value.
func (v namedValue) isAlone() bool {
	if len(v.bare()) < len(v.value) || v.quote != "" && v.isQuoted() {
		return true
	}
	rest := strings.TrimLeft(v.rest, " \t")
	return rest == "" || rest[0] == '\n' || rest[0] == '\r'
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

// isNumber reports whether a word has only digits.
func isNumber(word string) bool { return strings.Trim(word, "0123456789") == "" }

// namedPIN matches a PIN that is introduced by name. The groups are the introduction and the number.
var (
	namedPIN = lazyregexp.New(`(?i)((?:^|[^\pL\pN])(?:` + strings.Join(namedPINs, "|") + `)\s*(?:(?:` + signs + `)|\s(?:` + words + `)\s|[はが])\s*["'「]?)(\d{3,8})`)
	shortPIN = lazyregexp.New(`(\b(?:PIN|PUK|CVV|CVC) )(\d{3,8})`)
)

// redactPINs redacts PINs that are introduced by name.
func redactPINs(text string) string {
	for _, form := range []*lazyregexp.Regexp{namedPIN, shortPIN} {
		var b strings.Builder
		done := 0
		for _, at := range form.FindAllStringSubmatchIndex(text, -1) {
			if !continues(text, at[1]) {
				b.WriteString(text[done:at[4]] + redactedPIN)
				done = at[1]
			}
		}
		text = b.String() + text[done:]
	}
	return text
}

// amount matches what makes a number before it an amount, a time or a part of a longer number.
var amount = regexp.MustCompile(`^(?:[\p{L}\p{N}_%€$/]|[.,:-]\d)`)

// continues reports whether the number that ends at i goes on there, so that it is no PIN.
func continues(text string, i int) bool {
	return amount.MatchString(text[i:]) && !startsWithKana(text[i:])
}

func startsWithKana(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return isKana(r)
}
