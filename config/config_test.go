package config

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"familiar/channels/all"
)

// env returns an environment of name, value pairs.
func env(pairs ...string) Env {
	return func(name string) (string, bool) {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1], true
			}
		}
		return "", false
	}
}

// home returns a home directory with the given configuration.
func home(t *testing.T, text string) Home {
	t.Helper()
	h := Home(t.TempDir())
	if err := os.WriteFile(h.File(), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return h
}

func TestMissingFileGivesTheDefaults(t *testing.T) {
	h := Home(t.TempDir())
	c, err := Load(h, nil, all.Sections()...)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range c.Settings() {
		if s.Source != "default" {
			t.Errorf("%s comes from %s", s.Key, s.Source)
		}
	}
	if c.Persona != DefaultPersona || c.Model.Provider != NoModel || c.Session.Gap != 30*time.Minute {
		t.Errorf("defaults: %+v", c)
	}
	if len(c.Warnings) != 0 {
		t.Errorf("warnings: %q", c.Warnings)
	}
}

func TestLoad(t *testing.T) {
	h := home(t, `persona: ambrose
timezone: Europe/Lisbon
model:
  provider: openai
  model: m-1
  base_url: http://127.0.0.1:8080/v1
  timeout: 90s
session: {gap: 45m}
jobs: {session_close: off, timezone: UTC}
log: {level: debug}
`)
	c, err := Load(h, nil, all.Sections()...)
	if err != nil {
		t.Fatal(err)
	}
	if c.Persona != "ambrose" || c.Model.Timeout != 90*time.Second || c.Session.Gap != 45*time.Minute {
		t.Errorf("got %+v", c)
	}
	if c.Timezone.String() != "Europe/Lisbon" || c.Jobs.Timezone.Location != time.UTC || !c.Jobs.SessionClose.Off() {
		t.Errorf("zones and schedules: %+v", c)
	}
	got := map[string]string{}
	for _, s := range c.Settings() {
		got[s.Key] = s.Value + "|" + s.Source
	}
	for key, want := range map[string]string{
		"persona":           "ambrose|line 1",
		"model.timeout":     "1m30s|line 7",
		"model.max_tokens":  "800|default",
		"session.gap":       "45m0s|line 8",
		"model.api_key":     "|default",
		"jobs.timezone":     "UTC|line 9",
		"model.temperature": "0.7|default",
	} {
		if got[key] != want {
			t.Errorf("%s = %q, want %q", key, got[key], want)
		}
	}
}

func TestProblems(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"modell: {}\n", `:1:1: unknown key "modell": did you mean "model"?`},
		{"model:\n  tiemout: 1s\n", `:2:3: unknown key "model.tiemout": did you mean "model.timeout"?`},
		{"persona: \"\"\n", ":1:1: persona: takes the key of a persona"},
		{"database: mysql\n", ":1:11: database: takes sqlite, postgres://USER@HOST/DATABASE"},
		{"database: postgres://a:hidden@h/d\n", ":1:11: database: must not contain the password"},
		{"database: postgres://a@h/d?sslpassword=hidden\n", ":1:11: database: must not contain the password"},
		{"database: {url: \"postgres://a:hidden@h/d\"}\n", ":1:17: database.url: must not contain the password"},
		{"database:\n  url: postgres://a@h/d\n  conections: 3\n", `:3:3: unknown key "database.conections": did you mean "database.connections"?`},
		{"database:\n  url: postgres://a@h/d\n  connections: 1\n", ":3:3: database.connections: is 1: use 2 to 64"},
		{"database:\n  url: postgres://a@h/d\n  connections: many\n", ":3:16: database.connections: takes a whole number"},
		{"database:\n  url: postgres://a@h/d\n  statement_timeout: 1s\n", ":3:3: database.statement_timeout: is 1s: use 5s to 24h0m0s"},
		{"database: {connections: 3}\n", ":1:1: database.url: is missing"},
		{"database: {url: sqlite, connections: 3}\n", ":1:1: database: sets limits, which only a server has"},
		{"timezone: Mars/Olympus\n", `:1:11: timezone: "Mars/Olympus" is not a known timezone`},
		{"model: {provider: opnai}\n", `:1:19: model.provider: "opnai" is not a provider: did you mean "openai"?`},
		{"model: {provider: abacus}\n", `:1:19: model.provider: "abacus" is not a provider: use one of ["none"`},
		{"model:\n  provider: ollama\n", ":1:1: model.model: is required with provider ollama"},
		{"model:\n  provider: openai\n  model: m\n", ":1:1: model.api_key: is required with provider openai"},
		{"model:\n  base_url: 127.0.0.1:80\n", ":2:3: model.base_url: takes an address such as"},
		{"model:\n  base_url: https://x.example/?key=1\n", ":2:3: model.base_url: takes no user, query"},
		{"model:\n  timeout: 10\n", ":2:12: model.timeout: takes a length of time"},
		{"model:\n  timeout: 1ms\n", ":2:3: model.timeout: is 1ms: use 1s to 10m0s"},
		{"model:\n  temperature: 3\n", ":2:3: model.temperature: is 3: use 0 to 2"},
		{"model:\n  context_tokens: 2048\n  max_tokens: 4000\n", ":3:3: model.max_tokens: leaves no room"},
		{"limits:\n  tokens_per_day: -1\n", ":2:3: limits.tokens_per_day: is -1: use 0 to 1000000000"},
		{"debounce:\n  quiet: 9s\n", ":1:1: debounce.cap: is 8s: use 9s to 2m0s"},
		{"debounce:\n  quiet: -1s\n", ":2:3: debounce.quiet: is -1s: use 0s to 30s"},
		{"jobs:\n  session_close: soon\n", ":2:18: jobs.session_close: not a schedule"},
		{"jobs:\n  session_close: TZ=0\n", ":2:18: jobs.session_close: a schedule names no timezone"},
		{"jobs:\n  session_close: CRON_TZ=0 @daily\n", ":2:18: jobs.session_close: a schedule names no timezone"},
		{"jobs:\n  dream: 0 4 * *\n", ":2:10: jobs.dream: not a schedule (expected exactly 5 fields"},
		{"jobs:\n  proactive: \"*/0 * * * *\"\n", ":2:14: jobs.proactive: not a schedule"},
		{"jobs:\n  timezone: Europe/Atlantis\n", `:2:13: jobs.timezone: "Europe/Atlantis" is not a known timezone`},
		{"jobs:\n  tokens_per_run: -1\n", ":2:3: jobs.tokens_per_run: is -1: use 0 to 1000000000"},
		{"log: {level: loud}\n", ":1:14: log.level: takes debug, info, warn or error"},
		{"log: {format: xml}\n", ":1:15: log.format: takes text or json"},
		{"channels: {discord: {token: env:X, groups: {\"*\": open}}}\n", ":1:45: channels.discord.groups.*: is no group: the policy of all other groups stands under default"},
		{"http: {listen: 8484}\n", ":1:8: http.listen: takes an address with a port"},
		{"http: {listen: \"0.0.0.0:8484\"}\n", ":1:8: http.listen: would be reached from other machines"},
		{"http: {hosts: [\"https://a.example\"]}\n", ":1:8: http.hosts: takes host names"},
		{"http: {address: a.example}\n", ":1:8: http.address: takes the address of a proxy"},
		{"http: {address: \"https://a.example/\"}\n", ":1:8: http.address: takes the address of a proxy"},
		{"http: {address: \"https://me@a.example\"}\n", ":1:8: http.address: takes the address of a proxy"},
		{"http: {address: \"ftp://a.example\"}\n", ":1:8: http.address: takes the address of a proxy"},
		{"http: {origins: [\"https://a.example/\"]}\n", ":1:8: http.origins: takes addresses of web pages"},
		{"http: {origins: [a.example]}\n", ":1:8: http.origins: takes addresses of web pages"},
		{"operations: {listen: 9464}\n", ":1:14: operations.listen: takes an address with a port"},
		{"operations: {listen: \"127.0.0.1:99999\"}\n", ":1:14: operations.listen: takes an address with a port"},
		{"operations: {listen: \"0.0.0.0:9464\"}\n", ":1:14: operations.listen: would be reached from other machines"},
		{"operations: {listen: \":9464\"}\n", ":1:14: operations.listen: would be reached from other machines"},
	} {
		h := home(t, c.text)
		_, err := Load(h, nil, all.Sections()...)
		if err == nil || !strings.HasPrefix(err.Error(), h.File()+c.want) {
			t.Errorf("%q:\ngot  %v\nwant …%s", c.text, err, c.want)
		}
	}
}

// TestOperationsListen: only who asks for it is reached from other machines.
func TestOperationsListen(t *testing.T) {
	for _, text := range []string{
		"http: {listen: \"127.0.0.1:8484\", origins: [\"https://a.example:8080\"]}\n", "http: {listen: \"0.0.0.0:8484\", hosts: [\"*\"]}\n",
		"operations: {listen: \"127.0.0.1:9464\"}\n", "operations: {listen: \"[::1]:9464\"}\n", "operations: {listen: \"localhost:9464\"}\n",
		"operations: {listen: \"0.0.0.0:9464\", remote: true}\n",
	} {
		if _, err := Load(home(t, text), nil, all.Sections()...); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// The host of the public address may ask, and an address without encryption is warned of.
func TestThePublicAddress(t *testing.T) {
	for text, warned := range map[string]bool{
		"http: {address: \"https://familiar.example.org\", listen: \"0.0.0.0:8484\"}\n":        false,
		"http: {address: \"https://familiar.example.org:8443\", listen: \"127.0.0.1:8484\"}\n": false,
		"http: {address: \"http://127.0.0.1:8080\"}\n":                                         false,
		"http: {address: \"http://familiar.example.org\", hosts: [box]}\n":                     true,
	} {
		c, err := Load(home(t, text), nil, all.Sections()...)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if got := len(c.Warnings) > 0; got != warned {
			t.Errorf("%q: warnings %q", text, c.Warnings)
		}
		if hosts := c.HTTP.AllHosts(); !strings.Contains(text, "//"+hosts[0]) || len(hosts) != len(c.HTTP.Hosts)+1 {
			t.Errorf("%q: hosts %q", text, hosts)
		}
	}
}

func TestWarnsAboutAReadableFile(t *testing.T) {
	h := home(t, "persona: nell\n")
	if err := os.Chmod(h.File(), 0o644); err != nil {
		t.Fatal(err)
	}
	c, err := Load(h, nil, all.Sections()...)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Warnings) != 1 || !strings.Contains(c.Warnings[0], "chmod 600 "+h.File()) {
		t.Errorf("warnings: %q", c.Warnings)
	}
}

func TestHomeOrder(t *testing.T) {
	for _, c := range []struct {
		flag string
		env  Env
		want Home
	}{
		{"/flag", env("FAMILIAR_HOME", "/fh", "HOME", "/me"), "/flag"},
		{"", env("FAMILIAR_HOME", "/fh", "XDG_DATA_HOME", "/xdg", "HOME", "/me"), "/fh"},
		{"", env("XDG_DATA_HOME", "/xdg", "HOME", "/me"), "/xdg/familiar"},
		{"", env("XDG_DATA_HOME", "relative", "HOME", "/me"), "/me/.local/share/familiar"},
	} {
		if got, err := c.env.Home(c.flag); err != nil || got != c.want {
			t.Errorf("got %q, %v, want %q", got, err, c.want)
		}
	}
	if _, err := Env(nil).Home(""); err == nil || !strings.Contains(err.Error(), "--home") {
		t.Errorf("nowhere to live: %v", err)
	}
}

func TestHomeIsPrivate(t *testing.T) {
	h := Home(filepath.Join(t.TempDir(), "a", "b"))
	if err := h.Create(); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{string(h), h.Personas()} {
		if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("%s: %v, %v", dir, info, err)
		}
	}
	left, err := os.ReadDir(string(h))
	if err != nil || len(left) != 1 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	blocked := Home(filepath.Join(h.File(), "inside"))
	if err := os.WriteFile(h.File(), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := blocked.Create(); err == nil || !strings.Contains(err.Error(), "--home") {
		t.Errorf("a home inside a file: %v", err)
	}
}

func TestTemplateListsEverySettingAtItsDefault(t *testing.T) {
	uncommented := ""
	for line := range strings.Lines(withSections(all.Sections())) {
		indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
		if body, ok := strings.CutPrefix(line[len(indent):], "#"); ok && !strings.HasPrefix(body, " ") {
			line = indent + body
		}
		uncommented += line
	}
	h := home(t, uncommented)
	c, err := Load(h, nil, all.Sections()...)
	if err != nil {
		t.Fatalf("%v\n%s", err, uncommented)
	}
	byKey := map[string]string{}
	for _, s := range Default(all.Sections()...).Settings() {
		byKey[s.Key] = s.Value
	}
	// These have no default; the template shows an example.
	byKey["web.search.key"] = "env:SEARCH_KEY"
	byKey["backup.passphrase"] = "env:FAMILIAR_BACKUP_PASSPHRASE"
	byKey["speech.transcribe.api_key"], byKey["speech.speak.api_key"] = "env:OPENAI_API_KEY", "env:OPENAI_API_KEY"
	byKey["model.api_key"], byKey["embedder.api_key"], byKey["jobs.timezone"] = "env:OPENAI_API_KEY", "env:OPENAI_API_KEY", "UTC"
	for _, n := range c.Channels.Networks {
		for key, secret := range n.Value.Secrets() {
			if !strings.HasPrefix(secret.String(), "env:") {
				t.Errorf("the template shows %q for %s, want a variable of the environment", secret, key)
			}
			byKey[key] = secret.String()
		}
	}
	for _, s := range c.Settings() {
		if s.Source == "default" {
			t.Errorf("the template does not list %s", s.Key)
		}
		if s.Value != byKey[s.Key] {
			t.Errorf("the template says %s: %s, the default is %s", s.Key, s.Value, byKey[s.Key])
		}
	}
	bare, err := Load(home(t, withSections(all.Sections())), nil, all.Sections()...)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(bare.Settings(), Default(all.Sections()...).Settings()) {
		t.Error("the unchanged template changes something")
	}
}

func TestRenderedChoicesReadBack(t *testing.T) {
	for _, ch := range []Choices{
		{},
		{Persona: "ambrose", Provider: Ollama, Model: "llama3.2:1b"},
		{Persona: "null", Provider: Ollama, Model: "True"},
		{Persona: "7", Provider: OpenAI, Model: `odd "name" # with: all`, BaseURL: "http://127.0.0.1:1/v1", APIKey: "file:/a b/key"},
	} {
		h := home(t, string(ch.Render(all.Sections()...)))
		c, err := Load(h, nil, all.Sections()...)
		if err != nil {
			t.Fatalf("%+v: %v", ch, err)
		}
		if ch == (Choices{}) {
			continue
		}
		got := Choices{c.Persona, c.Model.Provider, c.Model.Model, c.Model.BaseURL, c.Model.APIKey.String()}
		if got != ch {
			t.Errorf("got %+v, want %+v", got, ch)
		}
	}
}

func TestOllamaURL(t *testing.T) {
	for host, want := range map[string]string{
		"":                       "http://127.0.0.1:11434",
		"0.0.0.0":                "http://127.0.0.1:11434",
		"box:99":                 "http://box:99",
		":99":                    "http://127.0.0.1:99",
		"https://box.example/":   "https://box.example:11434",
		"http://box.example:80/": "http://box.example:80",
		"[::1]:99":               "http://[::1]:99",
		"::":                     "http://127.0.0.1:11434",
	} {
		if got := env("OLLAMA_HOST", host).OllamaURL(); got != want {
			t.Errorf("OLLAMA_HOST=%q: %s, want %s", host, got, want)
		}
	}
}

func TestEditor(t *testing.T) {
	for want, e := range map[string]Env{
		"vi":          nil,
		"nano":        env("EDITOR", "nano"),
		"code --wait": env("EDITOR", "nano", "VISUAL", " code  --wait "),
	} {
		if got := strings.Join(e.Editor(), " "); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func FuzzSchedule(f *testing.F) {
	f.Add("TZ=0")
	f.Add("@every 1h")
	f.Add("*/5 * * * *")
	f.Fuzz(func(t *testing.T, text string) {
		var s Schedule
		if s.UnmarshalText([]byte(text)) == nil && string(s) != text {
			t.Errorf("%q became %q", text, s)
		}
	})
}

// TestDatabase reads both forms: the address alone, and with limits.
func TestDatabase(t *testing.T) {
	env := func(name string) (string, bool) { return "postgres://a:hidden@h/d", name == "ADDRESS" }
	for text, want := range map[string][]string{
		"":                             {"database = sqlite, default"},
		"database: postgres://a@h/d\n": {"database = postgres://a@h/d, line 1"},
		"database:\n  url: env:ADDRESS\n  connections: 6\n": {
			"database.url = env:ADDRESS, line 2", "database.connections = 6, line 3", "database.statement_timeout = 0s, default",
		},
		"database: {url: \"postgres://a@h/d\", statement_timeout: 30s}\n": {
			"database.url = postgres://a@h/d, line 1", "database.connections = 4, default", "database.statement_timeout = 30s, line 1",
		},
	} {
		c, err := Load(home(t, text), env, all.Sections()...)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		var got []string
		for _, s := range c.Settings() {
			if strings.HasPrefix(s.Key, "database") {
				got = append(got, s.Key+" = "+s.Value+", "+s.Source)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
		address, err := c.MemoryAddress()
		if err != nil || c.Database.OnServer() != strings.HasPrefix(address, "postgres://") {
			t.Errorf("%q: %v, %v", text, c.Database.OnServer(), err)
		}
	}
}
