package doctor

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"familiar/config"
	"familiar/internal/app"
	"familiar/internal/cli"
	"familiar/internal/llm"
	"familiar/prompts"
)

// modelTimeout is how long the doctor waits for one answer of a model. One that is loaded first takes its time.
const modelTimeout = 60 * time.Second

// modelTokens is the longest answer that the doctor asks for: one word, after what a model that thinks needs for it.
const modelTokens = 512

// checkModels asks each configured model for one word, streamed, for one JSON object, to use a tool and to look at a picture,
// one after the other.
func checkModels(ctx context.Context, inv *cli.Invocation) (told []Finding, _ error) {
	models := inv.Loaded.Models(inv.Loaded.Persona)
	asked := map[string]bool{}
	for _, role := range []struct {
		name   string
		models []config.ModelSettings
	}{{"talk", models.Talk()}, {"work", models.ForWork()}} {
		for i, m := range role.models {
			same := fmt.Sprint(m.Name(), m.BaseURL, m.APIKey, m.Effort, m.ExtraBody, m.Headers)
			if asked[same] {
				continue
			}
			asked[same] = true
			name := "model for " + role.name
			if i > 0 {
				name = fmt.Sprintf("fallback %d for %s", i, role.name)
			}
			told = append(told, askModel(ctx, inv, name, m))
		}
	}
	if len(told) == 0 {
		return []Finding{{"model", stateOK, "no model is configured", "`familiar init` explains how to set one"}}, nil
	}
	return told, nil
}

// askModel asks one model and says what it can do. It does not ask if a secret cannot be read: the configuration check
// reports that.
func askModel(ctx context.Context, inv *cli.Invocation, name string, m config.ModelSettings) Finding {
	m.Retries, m.Timeout = 0, min(m.Timeout, modelTimeout)
	client, err := app.NewModel(inv.Loaded, m, llm.Settings{Now: inv.Now, Rand: rand.Float64})
	if err != nil {
		return Finding{name, stateWarning, m.Name() + " was not asked: " + err.Error(), ""}
	}
	started := inv.Now()
	pieces := 0
	word := prompts.Prompt{
		Name: "check", System: "You check whether a connection works.", MaxTokens: modelTokens,
		Messages: []prompts.Message{{Role: prompts.User, Text: "Answer with the single word: ready"}},
	}
	if _, err := client.Generate(ctx, word, func(string) { pieces++ }); err != nil {
		text, next := modelFault(m, err)
		return Finding{name, stateProblem, m.Name() + " gives no answer: " + text, next}
	}
	can := []string{fmt.Sprintf("answers in %s", inv.Now().Sub(started).Round(10*time.Millisecond))}
	if pieces > 0 {
		can = append(can, "streams")
	}
	var wrong, next string
	for _, find := range abilities {
		a := find(ctx, client, m)
		if a.can != "" {
			can = append(can, a.can)
		}
		if wrong == "" {
			wrong, next = a.wrong, a.next
		}
	}
	says := m.Name() + " " + strings.Join(can, ", ")
	if wrong != "" {
		return Finding{name, stateWarning, says + ", but " + wrong, next}
	}
	return Finding{name, stateOK, says, ""}
}

// modelFault says in one sentence why a model gave no answer, and what to do.
func modelFault(m config.ModelSettings, err error) (text, next string) {
	section := m.Section()
	var fault *llm.Error
	if !errors.As(err, &fault) {
		return err.Error(), ""
	}
	switch {
	case fault.Reason == llm.NoCredit:
		return "nothing is left of the account's credit", "pay in at the provider, or set another model in " + section + ".fallbacks"
	case fault.Reason == llm.WebPage:
		return "a web page came in place of an answer", "check " + section + ".base_url: most servers want /v1 at its end"
	case fault.Reason == llm.OtherFormat:
		return "what came back is not in this provider's format", "check " + section + ".provider and " + section + ".base_url"
	case fault.Kind == llm.TooLong:
		return "the answer was larger than 1 MB and was not read", "check the server at " + section + ".base_url"
	case fault.Kind == llm.Auth:
		return "the provider rejects the key", "check " + section + ".api_key and what the key may be used for"
	case fault.Status == 404:
		return fmt.Sprintf("the provider knows no model %q at this address", m.Model), "check " + section + ".model and " + section + ".base_url"
	case fault.Kind == llm.Bad:
		return "the provider rejects the request: " + fault.Detail, "check " + section + ".model and the keys below it, and with googleai the key"
	case fault.Kind == llm.RateLimited:
		return "the provider accepts no more requests for now", "wait, or raise the account's limits or its balance"
	case fault.Kind == llm.Timeout:
		return fmt.Sprintf("no answer within %s", m.Timeout), "raise " + section + ".timeout, or choose a faster model"
	case fault.Kind == llm.Empty:
		return "the answer was empty", "raise " + section + ".max_tokens, or choose another model"
	case fault.Status == 0:
		return "the provider cannot be reached: " + fault.Detail, "check " + section + ".base_url and the connection"
	case fault.Kind == llm.Server && fault.Status < 300:
		return "what came back is no answer of a model: " + fault.Detail, "check " + section + ".base_url: it may need /v1 at its end"
	}
	return fmt.Sprintf("the provider fails (status %d): %s", fault.Status, fault.Detail), "try again later; the provider's status page may say more"
}
