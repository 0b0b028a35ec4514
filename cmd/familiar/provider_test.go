package main

import (
	"fmt"
	"testing"
	"time"

	"familiar/internal/llm/llmtest"
)

// modelKey is the secret that must appear nowhere but in the request.
const modelKey = "sk-canary-7f3a+9/Zq"

// keyed is the environment that contains the key.
var keyed = []string{"MODEL_KEY=" + modelKey}

// chargedTokens is the cost of one answer of the provider.
const chargedTokens = llmtest.TokensIn + llmtest.TokensOut

// configHome returns a home whose persona uses the provider p; more is added to the configuration.
func configHome(t testing.TB, p *llmtest.Server, more string) string {
	t.Helper()
	return configure(t, modelConfig(p, time.Minute, more))
}

// modelConfig returns a configuration with the provider p and this timeout.
func modelConfig(p *llmtest.Server, timeout time.Duration, more string) string {
	return fmt.Sprintf(`model:
  provider: openai
  model: test-1
  base_url: %s/v1
  api_key: env:MODEL_KEY
  retries: 1
  timeout: %s
%s`, p.URL, timeout, more)
}
