package plain

import (
	"slices"

	"familiar/memory/belief"
	"familiar/memory/model"
	"familiar/memory/understand"
	"familiar/persona/scene"
	"familiar/persona/words"
)

// mealWords are words about eating and drinking.
var mealWords = words.Of("eat eating ate drink drinking taste order cook bake serve")

// aboutFood answers what someone may eat from their known allergies and diet, so that they need not repeat them.
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

// bodily reports whether a diet is a medical need: a later choice of diet does not replace it.
func bodily(b model.Belief) bool {
	return b.Relation == "diet" && slices.ContainsFunc(words.Tokens(b.Value), ailments.Has)
}

// ailments permanently forbid certain food.
var ailments = words.Of("coeliac celiac diabetic intolerant allergic")

// permissions ask what is allowed or advisable.
var permissions = words.Of("can could may should shall might safe ok okay allowed")
