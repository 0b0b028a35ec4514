package doctor

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"familiar/config"
	"familiar/internal/llm"
	"familiar/prompts"
)

// ability is what the doctor found out about one thing that a model may be able to do.
type ability struct {
	// can says it in a few words, "" for nothing.
	can string
	// wrong says what does not work, "" for nothing, and next what the operator can do about it.
	wrong, next string
}

// abilities lists what a model that answers is asked for, in order.
var abilities = []func(ctx context.Context, client *llm.Client, m config.ModelSettings) ability{
	writesJSON,
	thinks,
	window,
	toolUse,
	sight,
}

// readySchema is the schema of the object that the doctor asks for.
var readySchema = json.RawMessage(`{"type":"object","properties":{"ready":{"type":"boolean"}},"required":["ready"],"additionalProperties":false}`)

// writesJSON asks for a JSON object, in the strictest form that the model takes.
func writesJSON(ctx context.Context, client *llm.Client, m config.ModelSettings) ability {
	answer, err := client.Generate(ctx, prompts.Prompt{
		Name: "check", System: "You check whether a connection works. You answer with one JSON object.", MaxTokens: modelTokens,
		JSON: true, Schema: readySchema,
		Messages: []prompts.Message{{Role: prompts.User, Text: `Answer with this JSON object and nothing else: {"ready": true}`}},
	}, nil)
	fails := func(wrong string) ability {
		return ability{"", "no JSON when asked for it: " + wrong, "jobs that read its answers find less; set another model in " + m.Section() + " or model.work"}
	}
	if err != nil {
		return fails(err.Error())
	}
	var object struct {
		Ready *bool `json:"ready"`
	}
	text := answer.Text
	if from, to := strings.Index(text, "{"), strings.LastIndex(text, "}"); from >= 0 && to > from {
		text = text[from : to+1]
	}
	if json.Unmarshal([]byte(text), &object) != nil || object.Ready == nil {
		return fails("it answered with something else")
	}
	return ability{can: "writes JSON " + string(client.JSONForm())}
}

// thinks says whether the model thought before its answers.
func thinks(_ context.Context, client *llm.Client, m config.ModelSettings) ability {
	switch {
	case client.Thinks():
		return ability{can: "thinks before it answers"}
	case m.Effort != "":
		return ability{can: "was not seen to think"}
	}
	return ability{}
}

// window says how much fits into a prompt and its answer, and how that is known.
func window(ctx context.Context, client *llm.Client, _ config.ModelSettings) ability {
	w := client.AskWindow(ctx)
	return ability{can: fmt.Sprintf("takes %d tokens (%s)", w.Tokens, w.Source)}
}
