package log

import (
	"strings"
	"testing"
)

func TestRedact(t *testing.T) {
	letters := "abcdefghijklmnopqrstuvwxyz0123456789"
	for text, want := range map[string]string{
		"use sk-" + letters[:24] + " for it":                          "use [redacted key] for it",
		"ghp_" + letters[:36]:                                         "[redacted key]",
		"AKIA" + "ABCDEFGHIJKLMNOP":                                   "[redacted key]",
		"123456789:" + letters[:35]:                                   "[redacted key]",
		"eyJhbGciOiJIUzI1.eyJzdWIiOiIxMj.c2lnbmF0dXJl":                "[redacted key]",
		"my api key is " + letters + ".":                              "my api key is [redacted key].",
		"token=" + letters:                                            "token=[redacted key]",
		"my password is hunter2!":                                     "my password is [redacted password]!",
		"password: tr0ub4dor":                                         "password: [redacted password]",
		"card 4111 1111 1111 1111 please":                             "card [redacted card number] please",
		"5555-5555-5555-4444":                                         "[redacted card number]",
		"378282246310005":                                             "[redacted card number]",
		"-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----": "[redacted key]",
	} {
		if got := Redact(text); got != want {
			t.Errorf("Redact(%q) = %q, want %q", text, got, want)
		}
		if again := Redact(want); again != want {
			t.Errorf("redacting %q twice makes %q", want, again)
		}
	}
}

func TestRedactLeavesOrdinaryTextAlone(t *testing.T) {
	for _, text := range []string{
		"", "call +49 151 2345 6789 01", "+1 (555) 123-4567", "0044 20 7946 0958 112", "born on 2024-05-15 at 10:30",
		"ISBN 978-3-16-148410-0", "ISBN 9780306406157", "4111 1111 1111 1112 fails the check", "order 1234567890123456",
		"it happened at 1715769000123", "my password is too weak", "the password is a secret", "the token is on the table",
		"task-management and ask-me-anything", "see https://example.org/a/4111111111111111x", "IBAN DE89 3704 0044 0532 0130 01",
		"2024 2025 2026 2027 2028", "a sk-eleton key",
	} {
		if got := Redact(text); got != text {
			t.Errorf("Redact(%q) = %q", text, got)
		}
	}
}

func FuzzRedact(f *testing.F) {
	f.Add("4111 1111 1111 1111")
	f.Add("password: tr0ub4dor token=\xff")
	f.Fuzz(func(t *testing.T, text string) {
		once := Redact(text)
		if twice := Redact(once); twice != once {
			t.Fatalf("redacting %q twice differs: %q, %q", text, once, twice)
		}
		if strings.Contains(once, "4111111111111111 ") && !strings.ContainsAny(text, "+/_") && strings.HasPrefix(text, "4111111111111111 ") {
			t.Fatalf("the card number stays in %q", once)
		}
	})
}

func BenchmarkRedact(b *testing.B) {
	text := strings.Repeat("I paid 12.50 on 2024-05-15: it is fine, call +49 151 23456789. ", 200)
	for b.Loop() {
		Redact(text)
	}
}
