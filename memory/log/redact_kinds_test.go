package log

import (
	"strings"
	"testing"
)

// Requirement S15: a pasted key, password, PIN, card, account or social security number is redacted before it is stored,
// and ordinary talk stays as it was said.

// Parts of made-up keys. They are put together here, so that no file of the repository looks like a leaked key.
const (
	small = "abcdefghijklmnopqrstuvwxyz0123456789abcdefgh"
	mixed = "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hI6kL9n"
	upper = "ABCDEFGHIJKLMNOP"
)

// secretCases has messages per kind of secret: redacted maps a message to what is stored, and kept stay unchanged.
var secretCases = []struct {
	kind     string
	redacted map[string]string
	kept     []string
}{
	{
		kind: "Telegram bot",
		redacted: map[string]string{
			"123456:AA" + mixed[:33]:                                           "[redacted key]",
			"the bot is 7123456789:AA" + small[:33] + ".":                      "the bot is [redacted key].",
			"https://api.telegram.org/bot123456789:AA" + mixed[:33] + "/getMe": "https://api.telegram.org/bot[redacted key]/getMe",
			"123456789:AA" + mixed[:32] + "-":                                  "[redacted key]",
		},
		kept: []string{"see you at 10:30", "score 123456:7", "ratio 1234567:89 and rising", "2024-05-15T10:30:00.000000000Z", "id 1234567890:abc"},
	},
	{
		kind: "Discord",
		redacted: map[string]string{
			"token M" + mixed[:23] + "." + small[:6] + "." + mixed[:30]:                     "token [redacted key]",
			"https://discord.com/api/webhooks/1234567890/" + mixed + small + " posts there": "https://discord.com[redacted key] posts there",
		},
		kept: []string{"Mmm... really... no.", "My.favourite.site.example.org", "https://discord.com/channels/1234567890/0987654321", "https://discord.com/api/webhooks/ is the path"},
	},
	{
		kind: "cloud keys",
		redacted: map[string]string{
			"AKIA" + upper + " and " + mixed[:40]: "[redacted key] and [redacted key]",
			"ASIA" + upper:                        "[redacted key]",
			"aws_secret_access_key = " + mixed[:20] + "/" + mixed[21:40]: "aws_secret_access_key = [redacted key]",
			"AIza" + mixed[:35]:                   "[redacted key]",
			"GOCSPX-" + mixed[:28]:                "[redacted key]",
			"SG." + mixed[:22] + "." + mixed[:30]: "[redacted key]",
		},
		kept: []string{"AKIA is the prefix", "ASIA 2024 tour", "the hash is " + small[:40], "AIzasomething short", "SG.1 is a bus stop"},
	},
	{
		kind: "code hosts and chat",
		redacted: map[string]string{
			"ghp_" + small[:36]:          "[redacted key]",
			"gho_" + mixed[:36]:          "[redacted key]",
			"github_pat_" + mixed:        "[redacted key]",
			"glpat-" + mixed[:20]:        "[redacted key]",
			"xoxb-123456789012-" + upper: "[redacted key]",
			"xapp-1-A0123-" + mixed:      "[redacted key]",
			"hooks.slack.com/services/T0" + upper[:8] + "/B0" + upper[:8] + "/" + mixed[:24]: "[redacted key]",
			"npm_" + mixed[:36]:    "[redacted key]",
			"fam_" + mixed + "-_1": "[redacted key]",
			"hf_" + mixed[:30]:     "[redacted key]",
		},
		kept: []string{"ghp_ begins such a key", "a ghost_writer", "xoxo, see you", "hooks.slack.com is their host", "npm_config_cache", "github_pattern"},
	},
	{
		kind: "models and payments",
		redacted: map[string]string{
			"sk-" + small[:24]:                "[redacted key]",
			"sk-ant-api03-" + mixed + "-AA":   "[redacted key]",
			"sk-proj-" + mixed:                "[redacted key]",
			"sk_live_" + mixed[:24]:           "[redacted key]",
			"rk_test_" + mixed[:24] + ", see": "[redacted key], see",
			"whsec_" + mixed[:32]:             "[redacted key]",
		},
		kept: []string{"a sk-eleton key", "ask-me-anything-you-want", "task-management-software", "sk_live_", "risk-free-for-everybody-here"},
	},
	{
		kind: "private keys and web tokens",
		redacted: map[string]string{
			"-----BEGIN OPENSSH PRIVATE KEY-----\n" + mixed + "\n-----END OPENSSH PRIVATE KEY-----\nthanks": "[redacted key]\nthanks",
			"-----BEGIN RSA PRIVATE KEY-----\n" + mixed:                                                     "[redacted key]",
			"-----BEGIN PGP PRIVATE KEY BLOCK-----\n" + mixed + "\n-----END PGP PRIVATE KEY BLOCK-----":     "[redacted key]",
			"eyJhbGciOiJIUzI1.eyJzdWIiOiIxMj.c2lnbmF0dXJl":                                                  "[redacted key]",
		},
		kept: []string{"-----BEGIN PUBLIC KEY-----\nabc\n-----END PUBLIC KEY-----", "-----BEGIN CERTIFICATE-----", "eyJ is base64 of {\"", "eyJust.kidding.you"},
	},
	{
		kind: "passwords in URLs",
		redacted: map[string]string{
			"https://ann:hunter2@example.org/x":      "https://ann:[redacted password]@example.org/x",
			"postgres://app:s3cr3t@db:5432/main?x=1": "postgres://app:[redacted password]@db:5432/main?x=1",
			"see ftp://me:p@ss@host.example now":     "see ftp://me:[redacted password]@host.example now",
			"redis://:secret@cache:6379":             "redis://:[redacted password]@cache:6379",
		},
		kept: []string{
			"https://example.org:8080/@ann", "https://ann@example.org/", "mail me: ann@example.org", "https://example.org/a:b@c",
			"http://example.org/?q=a:b@c", "ssh://git@example.org:22/repo",
		},
	},
	{
		kind: "passwords in nine languages",
		redacted: map[string]string{
			"password: swordfish":                      "password: [redacted password]",
			"my password is hunter2!":                  "my password is [redacted password]!",
			"the wifi password is 12345678":            "the wifi password is [redacted password]",
			"my password is 'swordfish'":               "my password is '[redacted password]'",
			"my password hunter2000":                   "my password [redacted password]",
			`{"user": "ann", "password": "swordfish"}`: `{"user": "ann", "password": "[redacted password]"}`,
			"DB_PASSWORD=swordfish":                    "DB_PASSWORD=[redacted password]",
			"pw: abcd\nuser: ann":                      "pw: [redacted password]\nuser: ann",
			"Passwort: geheim":                         "Passwort: [redacted password]",
			"mein Kennwort ist Rex2019":                "mein Kennwort ist [redacted password]",
			"mot de passe : soleil":                    "mot de passe : [redacted password]",
			"mon mot de passe est soleil75":            "mon mot de passe est [redacted password]",
			"mdp: soleil":                              "mdp: [redacted password]",
			"contraseña: tortuga":                      "contraseña: [redacted password]",
			"mi contraseña es tortuga9":                "mi contraseña es [redacted password]",
			"senha: girassol":                          "senha: [redacted password]",
			"minha senha é girassol7":                  "minha senha é [redacted password]",
			"la mia password è girasole7":              "la mia password è [redacted password]",
			"parola d'ordine: girasole":                "parola d'ordine: [redacted password]",
			"wachtwoord: zonnebloem":                   "wachtwoord: [redacted password]",
			"mijn wachtwoord is zon42":                 "mijn wachtwoord is [redacted password]",
			"пароль: подсолнух":                        "пароль: [redacted password]",
			"мой пароль — sun2020":                     "мой пароль — [redacted password]",
			"パスワードは himawari7 です":                      "パスワードは [redacted password] です",
			"パスワード：himawari":                           "パスワード：[redacted password]",
			"パスワードはhimawari7です":                        "パスワードは[redacted password]です",
		},
		kept: []string{
			"the password is a secret", "my password is too weak", "password: must have eight letters", "I forgot my password again",
			"the password is wrong", "passwords are annoying", "Passwort vergessen", "das Passwort ist falsch", "mein Kennwort ist schon wieder abgelaufen",
			"mon mot de passe est oublié", "j'ai perdu mon mot de passe hier", "olvidé mi contraseña", "mi contraseña es muy larga",
			"esqueci a senha", "minha senha é fraca", "ho dimenticato la password", "la parola d'ordine è pazienza", "wachtwoord vergeten",
			"mijn wachtwoord is te kort", "я забыл пароль", "пароль неверный", "パスワードを忘れた", "パスワードは長すぎる", "my passport: see attached",
			"the key is under the mat", "token of my love", "the secret: patience", "the password is 8 to 12 letters",
		},
	},
	{
		kind: "named keys",
		redacted: map[string]string{
			"my api key is " + small[:36] + ".":     "my api key is [redacted key].",
			"OPENAI_API_KEY=" + mixed:               "OPENAI_API_KEY=[redacted key]",
			"Authorization: Bearer " + mixed:        "Authorization: Bearer [redacted key]",
			`"client_secret": "` + mixed[:24] + `"`: `"client_secret": "[redacted key]"`,
		},
		kept: []string{"the token is on the table", "bearer of bad news", "my api key is missing somewhere", "the access key is under the doormat"},
	},
	{
		kind: "PINs",
		redacted: map[string]string{
			"PIN: 1234":                  "PIN: [redacted PIN]",
			"my pin is 1234, ok?":        "my pin is [redacted PIN], ok?",
			"PIN 1234":                   "PIN [redacted PIN]",
			"the pin code is 123456":     "the pin code is [redacted PIN]",
			"meine Geheimzahl ist 4711.": "meine Geheimzahl ist [redacted PIN].",
			"mon code secret est 4711":   "mon code secret est [redacted PIN]",
			"mi clave secreta es 4711":   "mi clave secreta es [redacted PIN]",
			"il codice segreto è 4711":   "il codice segreto è [redacted PIN]",
			"mijn pincode is 4711":       "mijn pincode is [redacted PIN]",
			"пин-код: 4711":              "пин-код: [redacted PIN]",
			"暗証番号は4711です":                "暗証番号は[redacted PIN]です",
			"CVV 123":                    "CVV [redacted PIN]",
			"cvc: 987":                   "cvc: [redacted PIN]",
		},
		kept: []string{
			"spin 1234 times", "the pin is 30 mm long", "a pin is 1234mm long", "pins: 1200 pieces", "I was shopping: 1234 people", "bowling pin 2024 edition",
			"the pin is 12.50", "opinion: 2024 was good", "my pin is somewhere", "the pin was 1,200 euros", "code secret de 1984",
		},
	},
	{
		kind: "cards",
		redacted: map[string]string{
			"4111 1111 1111 1111":                      "[redacted card number]",
			"card 4111 1111 1111 1111 12/27 123":       "card [redacted card number] 12/27 123",
			"4111-1111-1111-1111 exp 12 27":            "[redacted card number] exp 12 27",
			"5555555555554444 1227":                    "[redacted card number] 1227",
			"3782 822463 10005":                        "[redacted card number]",
			"my number 4242 4242 4242 4242 2027 works": "my number [redacted card number] 2027 works",
			"4242\u00a04242\u00a04242\u00a04242":       "[redacted card number]",
		},
		kept: []string{
			"order 4111 1111 1111 1112", "order 1234567890123456", "call +49 151 2345 6789 01", "0044 20 7946 0958 112", "ISBN 978-3-16-148410-0",
			"2024 2025 2026 2027 2028", "at 1715769000123", "tracking 00340434161094042557", "1 2 3 4 5 6 7 8 9 10 11 12 13 14",
		},
	},
	{
		kind: "accounts",
		redacted: map[string]string{
			"IBAN DE89 3704 0044 0532 0130 00":       "IBAN [redacted account number]",
			"DE89370400440532013000 danke":           "[redacted account number] danke",
			"pay GB82 WEST 1234 5698 7654 32 please": "pay [redacted account number] please",
			"de89 3704 0044 0532 0130 00, merci":     "[redacted account number], merci",
			"NO93 8601 1117 947":                     "[redacted account number]",
			"FR14 2004 1010 0505 0001 3M02 606":      "[redacted account number]",
			"MT84MALT011000012345MTLCAST001S":        "[redacted account number]",
		},
		kept: []string{
			"DE89 3704 0044 0532 0130 01", "DE89 is my seat", "AB12 3456 7890 1234 5678", "flight LH 1234 on 2024-05-15", "XDE89370400440532013000",
			"DE89 3704 0044 0532 0130", "part number NO93 8601 1117 948",
		},
	},
	{
		kind: "US social security numbers",
		redacted: map[string]string{
			"123-45-6789":         "[redacted social security number]",
			"my ssn is 123456789": "my ssn is [redacted social security number]",

			"Social Security number: 123 45 6789, ok": "Social Security number: [redacted social security number], ok",
		},
		kept: []string{
			"000-45-6789", "666-45-6789", "912-45-6789", "123-00-6789", "123-45-0000", "call 555-123-4567", "2024-05-15", "123-45-67890", "1123-45-6789",
			"part 9-123-45-6789-1", "123456789 people",
		},
	},
}

func TestS15SecretsOfEveryKindAreRedacted(t *testing.T) {
	for _, c := range secretCases {
		t.Run(c.kind, func(t *testing.T) {
			if len(c.kept) < min(len(c.redacted), 4) {
				t.Errorf("%d messages that stay for %d secrets", len(c.kept), len(c.redacted))
			}
			for text, want := range c.redacted {
				if got := Redact(text); got != want {
					t.Errorf("Redact(%q) = %q, want %q", text, got, want)
				}
				if again := Redact(want); again != want {
					t.Errorf("redacting %q twice makes %q", want, again)
				}
				wrapped := "Hi Tess, " + text + "\nthat is all."
				if got := Redact(wrapped); !strings.Contains(got, "[redacted") {
					t.Errorf("in a message, %q stays: %q", text, got)
				}
			}
			for _, text := range c.kept {
				if got := Redact(text); got != text {
					t.Errorf("Redact(%q) = %q", text, got)
				}
			}
		})
	}
}

// FuzzRedactMixed puts secrets of several kinds next to each other: what one rule leaves, another must not find later.
func FuzzRedactMixed(f *testing.F) {
	var all []string
	for _, c := range secretCases {
		for text := range c.redacted {
			all = append(all, text)
		}
		all = append(all, c.kept...)
	}
	for i := range all {
		f.Add(i, i*7, i*13, " ")
	}
	f.Fuzz(func(t *testing.T, a, b, c int, between string) {
		text := all[uint(a)%uint(len(all))] + between + all[uint(b)%uint(len(all))] + between + all[uint(c)%uint(len(all))]
		once := Redact(text)
		if twice := Redact(once); twice != once {
			t.Fatalf("redacting %q twice differs: %q, %q", text, once, twice)
		}
	})
}
