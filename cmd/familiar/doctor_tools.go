package main

import (
	"bytes"
	"context"
	"encoding/json"
	"image"
	"image/color"
	"image/jpeg"
	"strings"

	"familiar/internal/llm"
	"familiar/internal/picture"
	"familiar/prompts"
)

// beyondWords asks a model to use a tool and to look at a picture, as far as it may be asked, and says what it can.
func beyondWords(ctx context.Context, client *llm.Client) (can []string) {
	may := client.Can()
	if may.Tools {
		can = append(can, toolUse(ctx, client))
	}
	if may.Images {
		can = append(can, sight(ctx, client))
	}
	return can
}

// toolUse says whether a model uses tools.
func toolUse(ctx context.Context, client *llm.Client) string {
	answer, err := client.Generate(ctx, prompts.Prompt{
		Name: "check", System: "You check whether tools work.", MaxTokens: modelTokens,
		Messages: []prompts.Message{{Role: prompts.User, Text: `Call the tool "ready" with the state "yes".`}},
	}.WithTools([]prompts.Tool{{
		Name: "ready", Description: "Says that tools work.",
		Parameters: json.RawMessage(`{"type":"object","properties":{"state":{"type":"string"}},"required":["state"]}`),
	}}), nil)
	if err != nil || answer.Asked == nil || answer.Asked.Calls[0].Name != "ready" {
		return "uses no tools"
	}
	return "uses tools"
}

// sight says whether a model sees: it is shown a red square.
func sight(ctx context.Context, client *llm.Client) string {
	const side = 64
	red := image.NewRGBA(image.Rect(0, 0, side, side))
	for i := range side * side {
		red.Set(i%side, i/side, color.RGBA{R: 230, A: 255})
	}
	var file bytes.Buffer
	if err := jpeg.Encode(&file, red, nil); err != nil {
		return "sees no pictures"
	}
	answer, err := client.Generate(ctx, prompts.Prompt{
		Name: "check", System: "You check whether pictures arrive.", MaxTokens: modelTokens,
		Messages: []prompts.Message{{Role: prompts.User, Text: "Which color is this square? Answer with one word."}},
	}.WithImages([]prompts.Image{{MIME: picture.MIME, Data: file.Bytes()}}), nil)
	if err != nil || answer.Blind || !strings.Contains(strings.ToLower(answer.Text), "red") {
		return "sees no pictures"
	}
	return "sees pictures"
}
