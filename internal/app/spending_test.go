package app

// P13: what Anthropic reads from its cache costs a tenth and what it writes there a quarter more, unless a price is configured.

import (
	"testing"

	"familiar/config"
	"familiar/memory/budget"
)

func TestP13PricesOfWhatIsCached(t *testing.T) {
	for name, c := range map[string]struct {
		model config.ModelSettings
		want  budget.Price
	}{
		"anthropic":            {config.ModelSettings{Provider: config.Anthropic, PriceIn: 3, PriceOut: 15}, budget.Price{In: 3000, Out: 15_000, CacheRead: 300, CacheWritten: 3750}},
		"anthropic, by price":  {config.ModelSettings{Provider: config.Anthropic, PriceIn: 3, PriceOut: 15, PriceCached: 0.5}, budget.Price{In: 3000, Out: 15_000, CacheRead: 500, CacheWritten: 3750}},
		"openai":               {config.ModelSettings{Provider: config.OpenAI, PriceIn: 2, PriceOut: 8}, budget.Price{In: 2000, Out: 8000}},
		"openai, by price":     {config.ModelSettings{Provider: config.OpenAI, PriceIn: 2, PriceOut: 8, PriceCached: 0.5}, budget.Price{In: 2000, Out: 8000, CacheRead: 500}},
		"nothing is known":     {config.ModelSettings{Provider: config.Anthropic}, budget.Price{}},
		"a price of the cache": {config.ModelSettings{Provider: config.Ollama, PriceCached: 1}, budget.Price{CacheRead: 1000}},
	} {
		if got := PriceOf(c.model); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}
