package prompts

import (
	"fmt"
	"slices"
	"strings"

	"familiar/internal/tokens"
)

// The shares of a reply's budget, in percent, in the order they are spent. What a share leaves unused passes to the
// following ones, so the conversation, which comes last, gets all that is left.
const (
	shareSafety  = 5
	sharePersona = 15
	shareState   = 20
	shareRecall  = 10
	shareTalk    = 50
)

// The names of the slices.
const (
	SliceSafety  = "safety"
	SlicePersona = "persona"
	SliceState   = "state"
	SliceRecall  = "recall"
	SliceTalk    = "talk"
)

// ledger spends a budget share by share.
type ledger struct {
	total  int
	unused int
	slices []Slice
}

// open returns what the next share may spend.
func (l *ledger) open(percent int) int { return max(0, l.total*percent/100+l.unused) }

// spent returns what all shares so far have spent.
func (l *ledger) spent() (sum int) {
	for _, s := range l.slices {
		sum += s.Tokens
	}
	return sum
}

// close records what a share spent and passes the rest on; an overdraft is passed on too.
func (l *ledger) close(name string, percent, spent, leftOut int) {
	granted := l.open(percent)
	l.slices = append(l.slices, Slice{Name: name, Budget: granted, Tokens: spent, LeftOut: leftOut})
	l.unused += l.total*percent/100 - spent
}

// lineCost returns the cost of a line, including its line break.
func lineCost(line string) int { return tokens.Estimate(line) + 1 }

func linesCost(lines []string) int {
	var sum int
	for _, l := range lines {
		sum += lineCost(l)
	}
	return sum
}

// fitFirst keeps the first lines that fit. If some do not fit, a last line says how many.
func fitFirst(lines []string, budget int) (kept []string, leftOut int) {
	var spent int
	for i, l := range lines {
		if spent += lineCost(l); spent > budget {
			leftOut = len(lines) - i
			return append(kept, fmt.Sprintf("(%d more left out)", leftOut)), leftOut
		}
		kept = append(kept, l)
	}
	return kept, 0
}

// fitNotes is fitFirst for notes, none of which may take more than most tokens.
func fitNotes(notes []Note, budget, most int) (kept []Note, leftOut int) {
	lines := make([]string, len(notes))
	for i, n := range notes {
		lines[i] = cutMiddle(n.Text, most)
	}
	lines, leftOut = fitFirst(lines, budget)
	kept = make([]Note, len(lines))
	for i, line := range lines {
		kept[i] = Note{Text: line, Why: "there is no room for more", place: changing}
		if i < len(notes)-leftOut {
			kept[i] = notes[i]
			kept[i].Text = line
		}
	}
	return kept, leftOut
}

// textsOf returns the notes as the prompt shows them.
func textsOf(notes []Note) []string {
	lines := make([]string, len(notes))
	for i, n := range notes {
		lines[i] = n.Text
	}
	return lines
}

// fitLast keeps the last lines that fit. If some do not fit, a first line says how many.
func fitLast(lines []string, budget int) (kept []string, leftOut int) {
	slices.Reverse(lines)
	kept, leftOut = fitFirst(lines, budget)
	slices.Reverse(kept)
	return kept, leftOut
}

// cutMiddle shortens text to a number of tokens: it keeps the beginning and the end, with a note of how much is missing
// between them. The text must be a single line.
func cutMiddle(text string, budget int) string {
	if tokens.Estimate(text) <= budget {
		return text
	}
	runes := []rune(text)
	for keep := min(len(runes), 4*max(budget, 0)); ; {
		cut := cutRunes(runes, keep)
		spent := tokens.Estimate(cut)
		if spent <= budget || keep == 0 {
			return cut
		}
		keep = min(keep-1, keep*max(budget, 0)/spent)
	}
}

// cutRunes keeps two thirds at the beginning and one third at the end of a text.
func cutRunes(runes []rune, keep int) string {
	head := keep * 2 / 3
	tail := keep - head
	return strings.TrimSpace(string(runes[:head])) +
		fmt.Sprintf(" [… %d characters left out …] ", len(runes)-keep) +
		strings.TrimSpace(string(runes[len(runes)-tail:]))
}

// fitToAnswer fits the entries of the current turn: every entry stays, but the longest are cut in the middle until all
// fit. Only if there are more entries than the budget has room for lines, those in the middle become one line with
// their number.
func fitToAnswer(entries []Entry, self string, budget int) (lines []string, leftOut int) {
	if room := max(2, budget/minEntry); len(entries) > room {
		head, tail := room/2, room-room/2
		leftOut = len(entries) - head - tail
		lines, _ = fitToAnswer(entries[:head], self, budget*head/room)
		rest, _ := fitToAnswer(entries[len(entries)-tail:], self, budget*tail/room)
		lines = append(lines, fmt.Sprintf("(%d entries left out here)", leftOut))
		return append(lines, rest...), leftOut
	}
	heads, texts, costs := make([]string, len(entries)), make([]string, len(entries)), make([]int, len(entries))
	for i, e := range entries {
		heads[i], texts[i] = e.head(self), oneLine(e.Text)
		costs[i] = tokens.Estimate(texts[i])
		budget -= lineCost(heads[i])
	}
	most := capFor(costs, budget)
	for i := range entries {
		lines = append(lines, heads[i]+cutMiddle(texts[i], most))
	}
	return lines, 0
}

// minEntry is the smallest useful size of an entry in the current turn, in tokens: its head and a few words.
const minEntry = 30

// capFor returns the highest cap on each cost at which the sum is at most budget.
func capFor(costs []int, budget int) int {
	lo, hi := 0, 0
	for _, c := range costs {
		hi = max(hi, c)
	}
	for lo < hi {
		mid := (lo + hi + 1) / 2
		var sum int
		for _, c := range costs {
			sum += min(c, mid)
		}
		if sum <= budget {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	return lo
}
