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

// Voice speaks through a language model.
type Voice struct {
	model Model
	meter Meter
	// budget is the size of a prompt, longest that of an answer, in tokens.
	budget, longest int
}

// NewVoice makes a voice of a model. budget is the size of a prompt in tokens and longest that of an answer; 0
// takes the defaults of package prompts. The meter's caps bound what the voice may use in a day.
func NewVoice(m Model, meter Meter, budget, longest int) *Voice {
	return &Voice{model: m, meter: meter, budget: budget, longest: longest}
}

// Name returns "model".
func (*Voice) Name() string { return "model" }

// ErrEmptyReply says that a model's answer holds nothing that could be said in a room.
var ErrEmptyReply = errors.New("the model's answer holds nothing to say")

// Prompt returns what the voice asks its model about a scene.
func (v *Voice) Prompt(s scene.Scene) prompts.Prompt {
	in := ReplyInput(s, v.budget)
	in.MaxTokens = v.longest
	return prompts.Reply(in)
}

// ReplyPrompt returns what a voice with the defaults of package prompts would ask about a scene.
func ReplyPrompt(s scene.Scene) prompts.Prompt { return prompts.Reply(ReplyInput(s, 0)) }

// Reply words the scene as a prompt and says what the model makes of it, without the prompt's marks and labels. It
// fails with memory.ErrCapReached when the day's tokens are used up, with ErrNothingSaid when nothing is left of the
// answer, and with the model's error; when ctx ends it returns what was said until then with ctx's error. Nothing said is an answer where
// nobody had asked.
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

// preview turns the pieces of an answer into the text so far, for show. What may yet be taken back is not shown. It is
// nil when there is nobody to show it to.
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

// HasContent reports whether a text holds something: a letter, a number or a sign such as an emoji.
func HasContent(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		return r != unicode.ReplacementChar && (unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.Is(unicode.So, r))
	})
}

// wholeSentences leaves out the broken end of an answer that reached its limit, when most of it stays.
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

// usedMemories returns the packed memories an answer was made from: what was recalled shares a word with the answer
// that nobody had just used, and a second one with the answer or the question.
func usedMemories(answer string, s scene.Scene) (used []int64) {
	fresh := words.Content(answer)
	talk := words.Content(answer)
	for _, line := range s.Heard {
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
