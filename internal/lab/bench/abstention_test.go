package bench

import (
	"math"
	"testing"
)

func TestAbstention(t *testing.T) {
	if got := (bearings{known: []float64{1}}).abstention(); got != nil {
		t.Errorf("without questions about what was never said: %+v", got)
	}
	for _, c := range []struct {
		known, unknown []float64
		want           Abstention
	}{
		{[]float64{0.9, 0.7}, []float64{0.2, 0.1, 0.3}, Abstention{Questions: 3, AUC: 1, Threshold: 0.7}},
		{[]float64{0.5, 0.5}, []float64{0.5}, Abstention{Questions: 1, AUC: 0.5, Threshold: 0.5, FalseKnown: 1}},
		{[]float64{0.1}, []float64{0.9}, Abstention{Questions: 1, AUC: 0, Threshold: 0.1, FalseKnown: 1}},
		{[]float64{0.2, 0.6, 0.8, 0.8}, []float64{0.1, 0.6}, Abstention{Questions: 2, AUC: 6.5 / 8, Threshold: 0.2, FalseKnown: 0.5}},
	} {
		got := bearings{c.known, c.unknown}.abstention()
		if math.Abs(got.AUC-c.want.AUC) > 1e-9 || got.Threshold != c.want.Threshold || got.FalseKnown != c.want.FalseKnown ||
			got.FalseUnknown != c.want.FalseUnknown || got.Questions != c.want.Questions {
			t.Errorf("known %v, unknown %v: %+v, want %+v", c.known, c.unknown, *got, c.want)
		}
	}
}
