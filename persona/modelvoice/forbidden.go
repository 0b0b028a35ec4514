package modelvoice

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"familiar/internal/text"
	"familiar/persona/scene"
	"familiar/prompts"
)

// ErrForbidden reports that nothing is left of an answer without what the person or the operator asked not to speak of.
var ErrForbidden = errors.New("the answer speaks only of what is to be left alone")

// Reply asks the model as answer does, and sees that the reply does not speak of what the person or the operator asked to
// leave alone. If it does, the model is asked once more; if the second answer does too, the sentences that do are left
// out. Nothing of that is shown meanwhile. If nothing is left, it fails with ErrForbidden.
func (v *Voice) Reply(ctx context.Context, s scene.Scene, show func(soFar string)) (scene.Reply, error) {
	topics, e := s.Forbidden(), newErrands(s)
	if len(topics) == 0 {
		return v.answer(ctx, e, asIs, show)
	}
	guard := forbidden(topics)
	first, err := v.answer(ctx, e, asIs, guard.preview(show))
	wishes := guard.brokenBy(first.Text)
	if len(wishes) == 0 {
		return first, err
	}
	if err != nil || ctx.Err() != nil {
		return v.worded(first, guard.without(first.Text), s), err
	}
	second, err := v.answer(ctx, e, func(p prompts.Prompt) prompts.Prompt { return p.LeavingOut(wishes) }, nil)
	if err == nil && len(guard.brokenBy(second.Text)) == 0 {
		return second, nil
	}
	if ctx.Err() != nil {
		return v.worded(first, guard.without(first.Text), s), ctx.Err()
	}
	for _, r := range []scene.Reply{second, first} {
		if left := guard.without(r.Text); useful(left) {
			return v.worded(r, left, s), nil
		}
	}
	if isProactive(s) {
		return scene.Reply{Voice: v.Name()}, nil
	}
	return scene.Reply{Voice: v.Name()}, fmt.Errorf("speak through the model: %w", errors.Join(ErrForbidden, err))
}

// asIs returns a prompt as it is.
func asIs(p prompts.Prompt) prompts.Prompt { return p }

// forbidden are the topics that an answer must not speak of.
type forbidden []scene.Topic

// breaks reports whether a text speaks of one of them.
func (f forbidden) breaks(said string) bool {
	return slices.ContainsFunc(f, func(t scene.Topic) bool { return t.In(said) })
}

// brokenBy returns the wishes that a text does not follow.
func (f forbidden) brokenBy(said string) (wishes []string) {
	for _, sentence := range sentences(said) {
		for i := range f {
			if f[i].In(sentence) && !slices.Contains(wishes, f[i].Wish) {
				wishes = append(wishes, f[i].Wish)
			}
		}
	}
	return wishes
}

// without returns a text without the sentences that speak of one of the topics.
func (f forbidden) without(said string) string {
	return strings.TrimSpace(strings.Join(slices.DeleteFunc(sentences(said), f.breaks), ""))
}

// preview returns show for the whole sentences up to the first that speaks of a topic. A sentence that still grows may
// yet come to it.
func (f forbidden) preview(show func(soFar string)) func(soFar string) {
	if show == nil {
		return nil
	}
	shown := ""
	return func(soFar string) {
		safe := ""
		for _, sentence := range sentences(soFar) {
			if f.breaks(sentence) || !isWhole(sentence) {
				break
			}
			safe += sentence
		}
		if safe = strings.TrimSpace(safe); len(safe) > len(shown) && strings.HasPrefix(safe, shown) {
			shown = safe
			show(shown)
		}
	}
}

// isWhole reports whether a sentence is complete: it ends, and what follows has begun.
func isWhole(sentence string) bool {
	return strings.HasSuffix(sentence, "\n") || strings.ContainsAny(strings.TrimRight(sentence, " \"'”’»)"), "。！？") ||
		strings.TrimRight(sentence, ".!?…") != sentence
}

// sentences returns the sentences of a text with what stands between them: joined they are the text.
func sentences(said string) (all []string) {
	for line := range strings.Lines(said) {
		for _, part := range text.Sentences(line) {
			for part != "" {
				end := len(part)
				if i := strings.IndexAny(part, "。！？"); i >= 0 {
					end = i + len("。")
				}
				all, part = append(all, part[:end]), part[end:]
			}
		}
	}
	return all
}
