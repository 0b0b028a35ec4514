package plain

import (
	"slices"

	"familiar/memory/belief"
	"familiar/memory/model"
	"familiar/memory/understand"
	"familiar/persona/scene"
	"familiar/persona/words"
)

// mealWords are what is done with food and drink.
var mealWords = words.Of("eat eating ate drink drinking taste order cook bake serve")

// aboutFood answers someone who asks what they may eat with what they told of their allergies and their diet: nobody
// who told of them should have to tell again.
func (ft factTeller) aboutFood(line scene.Line, q understand.Question) string {
	said := words.Tokens(line.Text)
	asks := q.YesNo || slices.ContainsFunc(said, permissions.Has)
	if !asks || !ft.scene.Direct || !slices.ContainsFunc(said, words.OwnWords.Has) || !slices.ContainsFunc(said, mealWords.Has) {
		return ""
	}
	var limits []model.Belief
	for _, b := range ft.scene.Beliefs {
		held := b.Status == model.Active || b.Status == model.Superseded && b.ReplacedWhy == belief.ChangeChanged && bodily(b)
		if held && ft.ownBelief(b) && (b.Relation == "allergic_to" || b.Relation == "diet") {
			limits = append(limits, b)
		}
	}
	if len(limits) == 0 {
		return ""
	}
	for _, b := range limits {
		if b.Relation == "allergic_to" && words.SharedWith(words.Content(b.Value), line.Text) > 0 {
			ft.useBeliefs([]model.Belief{b})
			return ft.put("food.no", "fact", ft.describe(b))
		}
	}
	ft.useBeliefs(limits)
	key := "food.mind"
	if !q.YesNo {
		key = "food.keep"
	}
	return ft.put(key, "fact", joined(ft.facts(limits)))
}

// bodily reports whether a diet is no choice: another one, chosen later, does not end it.
func bodily(b model.Belief) bool {
	return b.Relation == "diet" && slices.ContainsFunc(words.Tokens(b.Value), ailments.Has)
}

// ailments forbid food for good.
var ailments = words.Of("coeliac celiac diabetic intolerant allergic")

// permissions ask what may or should be done.
var permissions = words.Of("can could may should shall might safe ok okay allowed")
