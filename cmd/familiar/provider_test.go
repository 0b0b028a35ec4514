package main

import (
	"fmt"
	"testing"
	"time"

	"familiar/internal/llm/llmtest"
)

// modelKey is the secret that must show nowhere but in the request.
const modelKey = "sk-canary-7f3a+9/Zq"

// keyed is the environment that holds the key.
var keyed = []string{"MODEL_KEY=" + modelKey}

// chargedTokens is what an answer of the provider costs.
const chargedTokens = llmtest.TokensIn + llmtest.TokensOut

// configHome is a home whose persona speaks through the provider p; more is added to the configuration.
func configHome(t *testing.T, p *llmtest.Server, more string) string {
	t.Helper()
	return configure(t, modelConfig(p, time.Minute, more))
}

// modelConfig is a configuration with the provider p, which may take timeout to answer.
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
