package modelvoice

import (
	"slices"
	"strings"

	"familiar/memory/model"
	"familiar/memory/understand/rel"
	"familiar/persona/words"
	"familiar/prompts"
)

// addPortrait adds the sentences of the person's portrait that still hold. What a wish, an open item or an uncertain fact says
// is left to them, and of the certain facts those are left out that the portrait says. In a group all facts stay, because the
// portrait changes with the person who is answered.
func (k *knowledge) addPortrait(in *prompts.ReplyInput, once *shownOnce) {
	drawn := k.scene.Portrait
	if drawn.Text == "" {
		return
	}
	var elsewhere []words.Set
	for _, e := range in.Preferences {
		elsewhere = append(elsewhere, content(e.Text))
	}
	for _, l := range in.Loops {
		elsewhere = append(elsewhere, content(l.Text))
	}
	for _, f := range in.Facts {
		if !isCertain(f) || !k.scene.Direct {
			elsewhere = append(elsewhere, content(f.Text))
		}
	}
	var kept []string
	var said []words.Set
	for _, sentence := range words.Sentences(drawn.Text) {
		terms := content(sentence)
		if !once.isOutdated(terms, drawn.Created) && !within(elsewhere, terms) {
			kept, said = append(kept, strings.TrimSpace(sentence)), append(said, terms)
		}
	}
	in.Portrait = strings.Join(kept, " ")
	if !k.scene.Direct {
		return
	}
	said = append(said, content(in.Portrait))
	in.Facts = slices.DeleteFunc(in.Facts, func(f prompts.Fact) bool { return isCertain(f) && within(said, content(f.Text)) })
}

// isCertain reports whether a fact holds, is certain, and was told by whom it is about.
func isCertain(f prompts.Fact) bool { return !f.Unsure && f.Says == "" && f.Until.IsZero() }

// drawnShare is the share of the content words of a sentence that another must have to say it too.
const drawnShare = 0.9

// within reports whether one of several sentences says what another does.
func within(said []words.Set, terms words.Set) bool {
	return slices.ContainsFunc(said, func(s words.Set) bool { return float64(words.Shared(s, terms)) >= drawnShare*float64(len(terms)) })
}

// toConfirm returns what the person may be asked to confirm and what stands against it, both "" for nothing.
func (k *knowledge) toConfirm() (c prompts.Confirm) {
	ask := k.scene.ToConfirm
	if ask == nil {
		return c
	}
	c.Text = sentence(&ask.Belief, k.scene)
	if ask.Instead.Status == model.Active && ask.Instead.Relation != rel.Wish {
		c.Instead = sentence(&ask.Instead, k.scene)
	}
	return c
}
