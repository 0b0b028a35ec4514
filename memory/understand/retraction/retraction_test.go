package retraction_test

import (
	"testing"

	"familiar/memory/understand/retraction"
)

func anybody(int) bool { return true }

func TestRetraction(t *testing.T) {
	for _, c := range []struct{ earlier, later, marked string }{
		{"My left ankle hurts.", "It is the right ankle, not the left.", "My left* ankle hurts."},
		{"I train on Mondays and Fridays.", "I train on Wednesdays and Fridays instead of Mondays.", "I train on Mondays* and Fridays."},
		{"I take 40 drops of the tonic.", "I'm down to 20 drops of tonic.", "I take 40 drops* of the tonic."},
		{"We live on Rose Lane, near the mill.", "We live on Fern Road now.", "We live on Rose Lane*, near the mill."},
		{"The house has a red door.", "We have sold the house with the door.", "The house* has a red door."},
		{"We practise on Mondays and Fridays.", "I can't do Mondays any more, it's Fridays only.", "We practise on Mondays* and Fridays."},
		{"He married a girl from Riga.", "His wife is from Tartu, not from Riga.", "He married a girl from Riga*."},
		// Nothing is retracted.
		{"My left ankle hurts.", "I wrote with my left hand, the ankle is fine.", ""},
		{"I take 40 drops of the tonic.", "I take 40 drops of tonic now.", ""},
		{"I slept 4 hours.", "I slept 6 hours.", ""},
		{"We live on Rose Lane.", "We live on Rose Lane now.", ""},
		{"We live on Rose Lane.", "We met on Fern Road now and then.", ""},
		{"I love the sea.", "It was not the sea.", ""},
		{"", "not the left", ""},
		{"My left ankle hurts.", "", ""},
	} {
		got := ""
		var w retraction.List
		w.Add(c.later)
		if at, ok := w.Of(retraction.Parse(c.earlier), anybody); ok {
			got = c.earlier[:at] + "*" + c.earlier[at:]
		}
		if got != c.marked {
			t.Errorf("%q after %q: %q, want %q", c.later, c.earlier, got, c.marked)
		}
	}
}

func FuzzWithdrawal(f *testing.F) {
	f.Add("We live on Rose Lane", "We live on Fern Road now, not in the ’left")
	f.Fuzz(func(t *testing.T, earlier, later string) {
		var w retraction.List
		w.Add(later)
		if at, ok := w.Of(retraction.Parse(earlier), anybody); ok && (at < 1 || at > len(earlier)) {
			t.Errorf("%d is no place in %q", at, earlier)
		}
	})
}
