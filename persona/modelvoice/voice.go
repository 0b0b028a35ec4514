package modelvoice

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync/atomic"

	"familiar/memory/model"
	"familiar/persona/scene"
	"familiar/persona/words"
	"familiar/prompts"
	"familiar/prompts/answer"
)

// Voice writes replies with a language model.
type Voice struct {
	model Model
	meter Meter
	// budget is the size of a prompt, longest that of an answer, in tokens.
	budget, longest int
	// room, if set, returns the budget as it is now.
	room func() int
	// unannounced reports that the model was seen to reason without a mark at the start: its answers are not shown before
	// they are complete.
	unannounced atomic.Bool
	// fits is the size of a prompt that the model turned out to have room for, 0 if budget fits.
	fits atomic.Int64
}

// NewVoice returns a voice that uses m. budget is the size of a prompt in tokens and longest that of an answer; 0 takes
// the defaults of package prompts. The meter's caps bound what the voice uses in a day.
func NewVoice(m Model, meter Meter, budget, longest int) *Voice {
	return &Voice{model: m, meter: meter, budget: budget, longest: longest}
}

// Within returns v with prompts of the size that room returns at the time, in tokens, in place of a fixed one.
func (v *Voice) Within(room func() int) *Voice {
	v.room = room
	return v
}

// Name returns "model".
func (*Voice) Name() string { return "model" }

// ErrEmptyReply reports that a model's answer contains nothing that could be sent.
var ErrEmptyReply = answer.ErrEmpty

// Prompt returns the voice's prompt for a scene.
func (v *Voice) Prompt(s scene.Scene) prompts.Prompt {
	budget := v.budget
	if v.room != nil {
		budget = v.room()
	}
	return v.promptWithin(s, budget)
}

// ReplyPrompt returns the prompt for a scene with the defaults of package prompts.
func ReplyPrompt(s scene.Scene) prompts.Prompt { return prompts.Reply(ReplyInput(s, 0)) }

// answer asks the model with the scene of e as a prompt, changed by change, and reads its answer with package answer. An
// answer that cannot be said is asked for once more, in character; of one that broke off, or whose end cannot be said, the
// whole sentences stand if they were shown, or if the second answer is no better. It fails with memory.ErrCapReached if
// the day's tokens are used up, with an error of package answer if neither answer can be said, and with the model's error.
// If ctx ends, it returns the text so far with ctx's error. For a proactive message an empty reply is valid.
func (v *Voice) answer(ctx context.Context, e *errands, change func(prompts.Prompt) prompts.Prompt, show func(soFar string)) (scene.Reply, error) {
	s := e.scene
	prompt := answeredCall(change(v.Prompt(s)), s)
	first := v.try(ctx, &prompt, e, show)
	if size := v.smaller(prompt, first.failed); size > 0 && !first.shown {
		prompt = resumed(change(v.promptWithin(s, size)), prompt)
		first = v.try(ctx, &prompt, e, show)
	}
	switch {
	case ctx.Err() != nil && first.failed != nil:
		return v.speech(first.text, s, e.interrupted()), ctx.Err()
	case first.failed == nil:
		return v.speech(first.text, s, e), nil
	case first.silent(s):
		return v.speech("", s, e), nil
	case first.shown && useful(first.text):
		return v.speech(first.text, s, e), nil
	case !answer.IsUnusable(first.failed):
		return v.speech("", s, e), fmt.Errorf("speak through the model: %w", first.failed)
	case first.shown:
		show = func(string) {} // what is shown stays until the answer is complete
	}
	again := prompt.InCharacter(s.Card.Name)
	second := v.try(ctx, &again, e, show)
	switch {
	case ctx.Err() != nil && second.failed != nil:
		return v.speech(second.text, s, e.interrupted()), ctx.Err()
	case second.failed == nil, second.silent(s):
		return v.speech(second.text, s, e), nil
	}
	for _, t := range []try{second, first} {
		if useful(t.text) {
			return v.speech(t.text, s, e), nil
		}
	}
	return v.speech("", s, e), fmt.Errorf("speak through the model: %w; asked again: %w", first.failed, second.failed)
}

// speech returns a reply with what it was made from, and with what the model looked up and filed on the way.
func (v *Voice) speech(text string, s scene.Scene, e *errands) scene.Reply {
	if text == "" {
		return scene.Reply{Voice: v.Name(), Called: e.runner.Called()}
	}
	reply := e.done
	reply.Called, reply.Question = e.runner.Called(), e.runner.Question()
	return v.worded(reply, text, s)
}

// worded returns a reply with a text, and with what that was made from.
func (v *Voice) worded(reply scene.Reply, text string, s scene.Scene) scene.Reply {
	s.Recall.Items = slices.Concat(s.Recall.Items, reply.LookedUp)
	reply.Voice, reply.Text, reply.Used, reply.Beliefs = v.Name(), text, usedMemories(text, s), usedBeliefs(text, s)
	reply.ToldUndelivered = s.Undelivered > 0
	return reply
}

// usedBeliefs returns the beliefs that an answer was made from: it has a word of them that the question does not have, or two
// words of them. The names of people do not count: most answers have one.
func usedBeliefs(answer string, s scene.Scene) (used []int64) {
	said, asked := content(answer), content(s.Question())
	for _, all := range [][]model.Belief{s.Beliefs, s.Around} {
		for i := range all { // by index, since beliefs are large
			b := &all[i]
			if b.Status != model.Active || b.ID <= 0 {
				continue
			}
			repeats := func(text string) bool { return repeatsWords(said, asked, content(text), b) }
			if repeats(b.Value) || repeats(b.Sentence) || slices.ContainsFunc(b.Evidence, func(e model.Evidence) bool { return repeats(e.Quote) }) {
				used = append(used, b.ID)
			}
		}
	}
	return used
}

// repeatsWords reports whether an answer repeats what one text of a belief says.
func repeatsWords(said, asked, text words.Set, b *model.Belief) bool {
	repeated := 0
	for w := range said {
		if !text.Has(w) || content(b.Subject).Has(w) || content(b.Author).Has(w) {
			continue
		}
		if repeated++; repeated > 1 || !asked.Has(w) {
			return true
		}
	}
	return false
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
