package persona

import (
	"testing"

	"familiar/memory/model"
	"familiar/memory/understand/rel"
)

// TestF3AMisreadNameIsNoFormOfAddress has a name and a form of address that only a first reading of a model found: they
// address nobody before they are confirmed.
func TestF3AMisreadNameIsNoFormOfAddress(t *testing.T) {
	bex := model.Person{ID: 3, Name: "Bex"}
	said := func(relation, value string, byModel bool) model.Belief {
		return model.Belief{Status: model.Active, SubjectPerson: bex.ID, Relation: relation, Value: value, ByModel: byModel}
	}
	for _, c := range []struct {
		name    string
		beliefs []model.Belief
		want    string
	}{
		{"only misread", []model.Belief{said(rel.CallMe, "carly", true), said("name", "saturday", true)}, "Bex"},
		{"beside what was said", []model.Belief{said(rel.CallMe, "carly", true), said(rel.CallMe, "becky", false)}, "Becky"},
		{"confirmed", []model.Belief{said("name", "rebecca", false)}, "Rebecca"},
	} {
		if got := address(c.beliefs, bex); got != c.want {
			t.Errorf("%s: addressed as %q, want %q", c.name, got, c.want)
		}
	}
}
