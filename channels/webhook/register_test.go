package webhook

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"familiar/channels"
	"familiar/channels/registry"
	"familiar/channels/webhook/webhooktest"
	"familiar/internal/settings"
)

// configured returns settings with this secret.
func configured(t *testing.T, secret, listen, url string) Settings {
	t.Helper()
	var ref settings.Secret
	if err := ref.UnmarshalText([]byte("env:WEBHOOK_SECRET")); err != nil {
		t.Fatal(err)
	}
	env := func(string) (string, bool) { return secret, secret != "" }
	return Settings{Secret: ref.Within(t.TempDir(), env), Listen: listen, URL: url}
}

func TestInvalidSettings(t *testing.T) {
	for _, c := range []struct{ listen, url, want string }{
		{"127.0.0.1:8787", "", ""},
		{":8787", "https://bot.example/replies", ""},
		{"127.0.0.1", "", "listen: takes an address with a port"},
		{"127.0.0.1:0", "", "listen: takes an address with a port"},
		{"127.0.0.1:99999", "", "listen: takes an address with a port"},
		{"127.0.0.1:1", "bot.example", "url: takes an address such as"},
		{"127.0.0.1:1", "ftp://bot.example", "url: takes an address such as"},
		{"127.0.0.1:1", "https://u:canary@bot.example", "url: takes no user, query or fragment"},
		{"127.0.0.1:1", "https://bot.example?key=canary", "url: takes no user, query or fragment"},
	} {
		got := ""
		validate(configured(t, testSecret, c.listen, c.url), func(key, format string, args ...any) {
			got += key + ": " + fmt.Sprintf(format, args...)
		})
		if !strings.HasPrefix(got, c.want) || (c.want == "") != (got == "") || strings.Contains(got, "canary") {
			t.Errorf("%s %s: %q, want %q", c.listen, c.url, got, c.want)
		}
	}
}

func TestReviewWarnsAboutUnencryptedConnections(t *testing.T) {
	for _, c := range []struct{ listen, url, want string }{
		{"127.0.0.1:1", "http://127.0.0.1:2", ""},
		{"[::1]:1", "http://localhost:2/replies", ""},
		{"localhost:1", "https://bot.example", ""},
		{":1", "https://bot.example", "other machines"},
		{"0.0.0.0:1", "https://bot.example", "other machines"},
		{"127.0.0.1:1", "http://bot.example/replies", "replies are sent to bot.example unencrypted"},
		{"127.0.0.1:1", "", "the persona cannot reply"},
	} {
		found := review(configured(t, testSecret, c.listen, c.url), registry.Setup{})
		if (c.want == "") != (len(found) == 0) || len(found) > 0 && (!strings.Contains(found[0].Text, c.want) || found[0].NextStep == "") {
			t.Errorf("%s %s: %+v, want %q", c.listen, c.url, found, c.want)
		}
	}
}

// TestCheckFindsReceiverProblems checks a receiver, one with another secret, and one that is down.
func TestCheckFindsReceiverProblems(t *testing.T) {
	peer := webhooktest.Start(testSecret, time.Now, "pond")
	defer peer.Close()
	in := registry.Setup{Host: channels.Host{Now: time.Now}}
	ask := func(secret, url string) (registry.Finding, error) {
		s := configured(t, secret, "127.0.0.1:8787", url)
		found, err := Registration.Check(t.Context(), &s, in)
		if len(found) != 1 {
			return registry.Finding{}, err
		}
		return found[0], err
	}
	if f, err := ask(testSecret, peer.URL); err != nil || f.Severity != registry.OK || !strings.Contains(f.Text, "answers") {
		t.Errorf("all is well: %+v, %v", f, err)
	}
	if f, err := ask(testSecret, ""); err != nil || f.Severity != registry.OK {
		t.Errorf("there is no url: %+v, %v", f, err)
	}
	if f, err := ask("another secret of enough bytes", peer.URL); err != nil || f.Severity != registry.Problem || !strings.Contains(f.NextStep, "same secret") {
		t.Errorf("another secret: %+v, %v", f, err)
	}
	if f, err := ask(testSecret, peer.URL+"/elsewhere"); err != nil || f.Severity != registry.Problem {
		t.Errorf("another path: %+v, %v", f, err)
	}
	if _, err := ask("short", peer.URL); err == nil {
		t.Error("a short secret is taken")
	} else if _, ok := errors.AsType[*channels.StateError](err); !ok {
		t.Errorf("a short secret: %v", err)
	}
	peer.Close()
	if _, err := ask(testSecret, peer.URL); err == nil || strings.Contains(err.Error(), "/replies") {
		t.Errorf("not reachable: %v", err)
	}
	if len(peer.Taken()) != 0 {
		t.Errorf("the doctor said something")
	}
}
