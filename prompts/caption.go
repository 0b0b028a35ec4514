package prompts

import (
	"strings"

	"familiar/internal/tokens"
	"familiar/prompts/answer"
)

const (
	// captionMaxTokens is the longest answer to Caption, longestCaption how many characters of it are kept.
	captionMaxTokens, longestCaption = 120, 240
	// captionWords is how much of what was written with a picture is shown, in tokens.
	captionWords = 200
)

// CaptionInput is a picture that somebody sent.
type CaptionInput struct {
	// Name is the persona's name, Language the name of its language, "" for that of the message.
	Name, Language string
	Image          Image
	// With is the message that the picture came with.
	With Entry
	// Room is where somebody waits.
	Room int64
}

// Caption asks for one sentence about a picture. ReadCaption reads the answer.
func Caption(in CaptionInput) Prompt {
	system := render("caption", fields{"Name": oneLine(in.Name), "Language": oneLine(in.Language), "Fence": fenceMark})
	words := ""
	if in.With.text() != "" {
		words = quoted([]string{cutMiddle(in.With.said(in.Name), captionWords)})
	}
	task := render("caption-task", words)
	return Prompt{
		Name: "caption", System: system, Messages: []Message{{User, task}}, Fence: fenceMark, Work: true, Room: in.Room, MaxTokens: captionMaxTokens,
		Slices: []Slice{{Name: SliceSafety, Tokens: tokens.Estimate(system) + tokens.Estimate(task)}},
	}.WithImages([]Image{in.Image})
}

// ReadCaption returns the caption in an answer, on one line. It fails with an error of package answer if the answer is none.
func ReadCaption(text string, p Prompt, name string) (string, error) {
	said, err := answer.Clean(text, p.Reading(name, false))
	if err != nil {
		return "", err
	}
	said = strings.Join(strings.Fields(plain(said)), " ")
	if runes := []rune(said); len(runes) > longestCaption {
		if said = answer.Sentences(string(runes[:longestCaption])); said == "" {
			said = string(runes[:longestCaption]) + "…"
		}
	}
	return said, nil
}
