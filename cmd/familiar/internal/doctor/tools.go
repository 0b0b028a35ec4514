package doctor

import (
	"bytes"
	"context"
	"encoding/json"
	"image"
	"image/color"
	"image/jpeg"
	"strings"

	"familiar/config"
	"familiar/internal/llm"
	"familiar/internal/picture"
	"familiar/prompts"
)

// toolUse asks a model to use a tool, as far as it may be asked.
func toolUse(ctx context.Context, client *llm.Client, _ config.ModelSettings) ability {
	if !client.Can().Tools {
		return ability{}
	}
	answer, err := client.Generate(ctx, prompts.Prompt{
		Name: "check", System: "You check whether tools work.", MaxTokens: modelTokens,
		Messages: []prompts.Message{{Role: prompts.User, Text: `Call the tool "ready" with the state "yes".`}},
	}.WithTools([]prompts.Tool{{
		Name: "ready", Description: "Says that tools work.",
		Parameters: json.RawMessage(`{"type":"object","properties":{"state":{"type":"string"}},"required":["state"]}`),
	}}), nil)
	if err != nil || answer.Asked == nil || answer.Asked.Calls[0].Name != "ready" {
		return ability{can: "uses no tools"}
	}
	return ability{can: "uses tools"}
}

// sight shows a model a red square, as far as it may be shown pictures.
func sight(ctx context.Context, client *llm.Client, _ config.ModelSettings) ability {
	if !client.Can().Images {
		return ability{}
	}
	const side = 64
	red := image.NewRGBA(image.Rect(0, 0, side, side))
	for i := range side * side {
		red.Set(i%side, i/side, color.RGBA{R: 230, A: 255})
	}
	var file bytes.Buffer
	if err := jpeg.Encode(&file, red, nil); err != nil {
		return ability{can: "sees no pictures"}
	}
	answer, err := client.Generate(ctx, prompts.Prompt{
		Name: "check", System: "You check whether pictures arrive.", MaxTokens: modelTokens,
		Messages: []prompts.Message{{Role: prompts.User, Text: "Which color is this square? Answer with one word."}},
	}.WithImages([]prompts.Image{{MIME: picture.MIME, Data: file.Bytes()}}), nil)
	if err != nil || answer.Blind || !strings.Contains(strings.ToLower(answer.Text), "red") {
		return ability{can: "sees no pictures"}
	}
	return ability{can: "sees pictures"}
}
