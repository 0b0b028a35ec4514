package config

// B1: limits are numbers of tokens or dollars, 0 for none, or never.
// B2: a model section is both roles; work, fallbacks and single personas change what they name.

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"familiar/channels/all"
)

const roles = `model:
  provider: openai
  model: big
  api_key: env:KEY
  temperature: 0.9
  price_in: 2
  extra_body: {top_k: 40, deep: {list: [1, a, true, null, 2.50]}}
  headers: {X-Title: Familiar, X-Api-Key: "env:GATE"}
  fallbacks:
    - {provider: ollama, model: small, max_tokens: 300}
    - {model: middle}
  work:
    model: cheap
    effort: high
    timeout: 3m
personas:
  nell:
    model: {temperature: 1.2}
  ambrose:
    model:
      provider: anthropic
      model: other
      api_key: env:OTHER
      fallbacks: []
      work: {temperature: 0}
`

// describe returns what matters of a role's models, one word each.
func describe(models []ModelSettings) string {
	var all []string
	for _, m := range models {
		all = append(all, fmt.Sprintf("%s|%s|%s|%v|%d|%v|%s|%s|%s", m.Name(), m.APIKey, m.Timeout, m.Temperature, m.MaxTokens, m.PriceIn, m.Effort, m.ExtraBody, m.Headers))
	}
	return strings.Join(all, "\n")
}

func TestB2RolesInherit(t *testing.T) {
	c, err := Load(home(t, roles), env("KEY", "k", "GATE", "g", "OTHER", "o"), all.Sections()...)
	if err != nil {
		t.Fatal(err)
	}
	const (
		extras    = `{"deep": {"list": [1, "a", true, null, 2.50]}, "top_k": 40}|{X-Title: "Familiar", X-Api-Key: "env:GATE"}`
		big       = "openai/big|env:KEY|1m0s|0.9|800|2||" + extras
		small     = "ollama/small||1m0s|0.9|300|0||{}|{}"
		middle    = "openai/middle|env:KEY|1m0s|0.9|800|0||" + extras
		cheap     = "openai/cheap|env:KEY|3m0s|0.9|800|0|high|" + extras
		fallbacks = "\n" + small + "\n" + middle
	)
	for name, w := range map[string]struct{ talk, work string }{
		"tess":    {big + fallbacks, cheap + fallbacks},
		"nell":    {strings.Replace(big, "0.9", "1.2", 1) + fallbacks, cheap + fallbacks},
		"ambrose": {"anthropic/other|env:OTHER|1m0s|0.9|800|0||{}|{}", strings.Replace(cheap, "0.9", "0", 1) + fallbacks},
	} {
		m := c.Models(name)
		if got := describe(m.Talk()); got != w.talk {
			t.Errorf("%s talks with\n%s\nwant\n%s", name, got, w.talk)
		}
		if got := describe(m.ForWork()); got != w.work {
			t.Errorf("%s works with\n%s\nwant\n%s", name, got, w.work)
		}
	}
	if key, err := c.Models("nell").ForWork()[2].APIKey.Reveal(); key != "k" || err != nil {
		t.Errorf("the inherited key is %q, %v", key, err)
	}
	if got, err := c.Models("nell").ForWork()[0].Headers.Map[1].Value.Reveal(); got != "g" || err != nil {
		t.Errorf("the inherited header is %q, %v", got, err)
	}
	shown := map[string]string{}
	for _, s := range c.Settings() {
		shown[s.Key] = s.Value + "|" + s.Source
	}
	for key, want := range map[string]string{
		"model.fallbacks[0].max_tokens": "300|line 10", "model.work.timeout": "3m0s|line 15", "personas.nell.model.temperature": "1.2|line 18",
		"personas.ambrose.model.work.temperature": "0|line 25", "model.work.retries": "", "model.headers": `{X-Title: "Familiar", X-Api-Key: "env:GATE"}|line 8`,
	} {
		if shown[key] != want {
			t.Errorf("%s is shown as %q, want %q", key, shown[key], want)
		}
	}
}

func TestB2OneModelIsBothRoles(t *testing.T) {
	c, err := Load(home(t, "model: {provider: ollama, model: m}\n"), nil, all.Sections()...)
	if err != nil {
		t.Fatal(err)
	}
	if talk, work := describe(c.Models("nell").Talk()), describe(c.Models("nell").ForWork()); talk != work || !strings.HasPrefix(talk, "ollama/m|") {
		t.Errorf("talk %q, work %q", talk, work)
	}
	c, err = Load(home(t, "model: {work: {provider: ollama, model: m}}\n"), nil, all.Sections()...)
	if err != nil || len(c.Models("nell").Talk()) != 0 || len(c.Models("nell").ForWork()) != 1 {
		t.Errorf("only work has a model: %v", err)
	}
	c, err = Load(home(t, "model: {provider: ollama, model: m, work: {provider: none}}\npersonas: {otto: {model: {model: n}}}\n"), nil, all.Sections()...)
	if err != nil || len(c.Models("otto").Talk()) != 1 || len(c.Models("otto").ForWork()) != 0 {
		t.Errorf("only talk has a model: %v", err)
	}
}

// TestB2NoKeyIsSentToAnotherServer names another server in each place, without a key.
func TestB2NoKeyIsSentToAnotherServer(t *testing.T) {
	const main = "model:\n  provider: openai\n  model: m\n  api_key: env:KEY\n  headers: {Authorization: env:GATE}\n"
	for _, more := range []string{
		"  work: {base_url: 'http://127.0.0.1:1/v1'}\n", "  fallbacks: [{base_url: 'http://127.0.0.1:1/v1'}]\n", "  work: {provider: ollama, model: n}\n",
		"personas: {nell: {model: {base_url: 'http://127.0.0.1:1/v1', work: {temperature: 1}}}}\n",
	} {
		c, err := Load(home(t, main+more), env("KEY", "k", "GATE", "g"), all.Sections()...)
		if err != nil {
			t.Fatalf("%s: %v", more, err)
		}
		m := c.Models("nell")
		for _, one := range append(m.Talk(), m.ForWork()...) {
			if elsewhere := one.Provider == Ollama || one.BaseURL != ""; elsewhere && (one.APIKey.Set() || len(one.Headers.Map) > 0) {
				t.Errorf("%s: %s at %q gets the key", more, one.Name(), one.BaseURL)
			}
		}
	}
}

func TestB2Problems(t *testing.T) {
	const main = "model: {provider: ollama, model: m}\n"
	for _, c := range []struct{ text, want string }{
		{"model: {provider: ollama, model: m, work: {provider: openai, model: n}}\n", "model.work.api_key: is required with provider openai"},
		{"model: {provider: ollama, model: m, fallbacks: [{provider: openai, api_key: env:K}]}\n", "model.fallbacks[0].model: is required with provider openai"},
		{"model: {provider: ollama, model: m, work: {temperature: 3}}\n", "model.work.temperature: is 3: use 0 to 2"},
		{"model: {provider: ollama, model: m, work: {work: {}}}\n", `unknown key "model.work.work"`},
		{"model: {provider: ollama, model: m, effort: hihg}\n", `model.effort: takes low, medium or high: did you mean "high"?`},
		{"model: {provider: ollama, model: m, extra_body: {messages: []}}\n", "model.extra_body.messages: is set by the program"},
		{"model: {provider: ollama, model: m, extra_body: [1]}\n", "model.extra_body: takes keys with values"},
		{"model: {provider: ollama, model: m, extra_body: {a: {b: .nan}}}\n", "model.extra_body.a.b: takes texts, numbers"},
		{"model: {provider: ollama, model: m, headers: {X-Api-Key: sk-canary}}\n", "model.headers.X-Api-Key: takes a reference to the secret"},
		{"model: {provider: ollama, model: m, headers: {Authorization: Bearer sk-canary}}\n", "model.headers.Authorization: takes a reference to the secret"},
		{"model: {provider: ollama, model: m, headers: {X Title: a}}\n", "model.headers.X Title: is not the name of a header"},
		{"model: {provider: ollama, model: m, headers: {Content-Type: a}}\n", "model.headers.Content-Type: is set by the program"},
		{main + "personas: {nell: {modl: {}}}\n", `unknown key "personas.nell.modl": did you mean "personas.nell.model"?`},
		{"model: {provider: ollama, model: m, context_tokens: 8192}\npersonas: {nell: {model: {max_tokens: 9000}}}\n", "personas.nell.model.max_tokens: leaves no room"},
		{"model: {provider: ollama, model: m, context_tokens: 1000}\n", "model.context_tokens: is 1000: use 2048 to 2000000"},
		{"model: {provider: ollama, model: m, prompt_tokens: -1}\n", "model.prompt_tokens: is -1: use 1024 to 2000000"},
		{"model: {provider: ollama, model: m, context_tokens: 4096, prompt_tokens: 4000}\n", "model.prompt_tokens: is more than context_tokens (4096) leaves beside max_tokens (800)"},
		{"model: {provider: ollama, model: m, api: responses}\n", "model.api: is for provider openai: remove it"},
		{"model: {provider: openai, model: m, api_key: env:K, api: response}\n", `model.api: takes auto, chat or responses: did you mean "responses"?`},
		{"limits: {tokens_per_month: nevr}\n", "limits.tokens_per_month: takes a whole number, 0 for no limit, or never"},
		{"limits: {tokens_per_day: 1.5}\n", "limits.tokens_per_day: takes a whole number"},
		{"limits: {dollars_per_day: -0.5}\n", "limits.dollars_per_day: is -0.5: use 0 to 1000000, or never"},
	} {
		_, err := Load(home(t, c.text), nil, all.Sections()...)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "canary") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got  %v\nwant %s", c.text, err, c.want)
		}
	}
}

func TestB1Limits(t *testing.T) {
	c, err := Load(home(t, "limits: {tokens_per_day: never, dollars_per_month: 12.5, dollars_per_day: never, tokens_per_person_per_day: 0}\nmodel: {provider: openai, model: m, api_key: env:K, timeout: 2s}\n"), nil, all.Sections()...)
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]string{}
	for _, s := range c.Settings() {
		shown[s.Key] = s.Value
	}
	for key, want := range map[string]string{
		"limits.tokens_per_day": "never", "limits.dollars_per_month": "12.5", "limits.dollars_per_day": "never", "limits.tokens_per_person_per_day": "0",
		"limits.tokens_per_month": "0",
	} {
		if shown[key] != want {
			t.Errorf("%s is shown as %q, want %q", key, shown[key], want)
		}
	}
	if c.Limits.TokensPerDay != NeverTokens || c.Limits.DollarsPerDay != NeverDollars || c.Model.Timeout != 2*time.Second {
		t.Errorf("read %+v", c.Limits)
	}
	if len(c.Warnings) != 1 || !strings.Contains(c.Warnings[0], "limits in dollars do not count what m uses") {
		t.Errorf("warnings %q", c.Warnings)
	}
}
