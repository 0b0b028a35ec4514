package modelvoice

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"familiar/memory/model"
	"familiar/persona/scene"
	"familiar/persona/words"
	"familiar/prompts"
)

// Voice writes replies with a language model.
type Voice struct {
	model Model
	meter Meter
	// budget is the size of a prompt, longest that of an answer, in tokens.
	budget, longest int
}

// NewVoice returns a voice that uses m. budget is the size of a prompt in tokens and longest that of an answer; 0 takes
// the defaults of package prompts. The meter's caps bound what the voice uses in a day.
func NewVoice(m Model, meter Meter, budget, longest int) *Voice {
	return &Voice{model: m, meter: meter, budget: budget, longest: longest}
}

// Name returns "model".
func (*Voice) Name() string { return "model" }

// ErrEmptyReply reports that a model's answer contains nothing that could be sent.
var ErrEmptyReply = errors.New("the model's answer holds nothing to say")

// Prompt returns the voice's prompt for a scene.
func (v *Voice) Prompt(s scene.Scene) prompts.Prompt {
	in := ReplyInput(s, v.budget)
	in.MaxTokens = v.longest
	return prompts.Reply(in)
}

// ReplyPrompt returns the prompt for a scene with the defaults of package prompts.
func ReplyPrompt(s scene.Scene) prompts.Prompt { return prompts.Reply(ReplyInput(s, 0)) }

// Reply asks the model with the scene as a prompt and removes the prompt's marks and labels from its answer. It fails
// with memory.ErrCapReached if the day's tokens are used up, with ErrEmptyReply if nothing is left of the answer, and
// with the model's error. If ctx ends, it returns the text so far with ctx's error. For a proactive message an empty
// reply is valid.
func (v *Voice) Reply(ctx context.Context, s scene.Scene, show func(soFar string)) (scene.Reply, error) {
	prompt := v.Prompt(s)
	answer, err := v.meter.For(s.Person.ID, v.model).Generate(ctx, prompt, preview(prompt.Fence, s.Card.Name, show))
	speech := scene.Reply{Voice: v.Name(), Text: prompts.CleanReply(answer.Text, prompt.Fence, s.Card.Name)}
	switch {
	case err != nil && ctx.Err() != nil:
		speech.Text = prompts.CleanPartialReply(answer.Text, prompt.Fence, s.Card.Name)
		speech.Used, speech.Beliefs = usedMemories(speech.Text, s), usedBeliefs(speech.Text, s.Beliefs)
		return speech, ctx.Err()
	case err != nil:
		return scene.Reply{Voice: v.Name()}, fmt.Errorf("speak through the model: %w", err)
	}
	if answer.Stop == prompts.StopLength {
		speech.Text = wholeSentences(speech.Text)
	}
	if s.Greeting != nil && s.Greeting.Proactive && (prompts.Silent(speech.Text) || !HasContent(speech.Text)) {
		return scene.Reply{Voice: v.Name()}, nil
	}
	if !HasContent(speech.Text) {
		return scene.Reply{Voice: v.Name()}, fmt.Errorf("speak through the model: %w", ErrEmptyReply)
	}
	speech.Used, speech.Beliefs = usedMemories(speech.Text, s), usedBeliefs(speech.Text, s.Beliefs)
	return speech, nil
}

// preview returns a function that collects the pieces of an answer and passes the text so far to show. It holds back
// text that may still be removed. It is nil if show is nil.
func preview(fence, name string, show func(soFar string)) func(delta string) {
	if show == nil {
		return nil
	}
	var heard strings.Builder
	var shown string
	return func(delta string) {
		heard.WriteString(delta)
		if soFar := prompts.CleanPartialReply(heard.String(), fence, name); soFar != shown {
			shown = soFar
			show(soFar)
		}
	}
}

// HasContent reports whether a text contains a letter, a number or a symbol such as an emoji.
func HasContent(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		return r != unicode.ReplacementChar && (unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.Is(unicode.So, r))
	})
}

// wholeSentences removes the broken end of an answer that reached its limit, if most of it stays.
func wholeSentences(text string) string {
	end := strings.LastIndexFunc(text, func(r rune) bool { return strings.ContainsRune(".!?…。！？\n", r) })
	if end < len(text)/2 {
		return text
	}
	for i := range text[end:] {
		if i > 0 {
			return strings.TrimSpace(text[:end+i])
		}
	}
	return text
}

// usedBeliefs returns the beliefs whose value an answer repeats.
func usedBeliefs(answer string, beliefs []model.Belief) (used []int64) {
	for _, b := range beliefs {
		if b.Status == model.Active && b.ID > 0 && words.Holds(answer, b.Value) {
			used = append(used, b.ID)
		}
	}
	return used
}

// usedMemories returns the packed memories that an answer was made from: they share a word with the answer that the
// question does not contain, and a second word with the answer or the question.
func usedMemories(answer string, s scene.Scene) (used []int64) {
	fresh := words.Content(answer)
	talk := words.Content(answer)
	for _, line := range s.Incoming {
		for word := range words.Content(line.Text) {
			delete(fresh, word)
			talk[word] = true
		}
	}
	for _, item := range slices.Concat(s.Earlier, s.Recall.Items) {
		recalled := make(words.Set)
		for _, line := range item.Lines {
			if line.Hit || len(item.Lines) == 1 {
				maps.Copy(recalled, words.Content(line.Text))
			}
		}
		if item.MemoryID != 0 && words.Shared(recalled, fresh) > 0 && words.Shared(recalled, talk) >= min(2, len(recalled)) {
			used = append(used, item.MemoryID)
		}
	}
	return used
}
