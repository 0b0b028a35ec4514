package checkpoints

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"familiar/internal/cli"
	"familiar/memory/checkpoint"
	"familiar/memory/turns"
	"familiar/persona/mind"
)

// The kinds of changes.
const (
	added   = "added"
	removed = "removed"
	changed = "changed"
)

// diffRow is one difference between two states.
type diffRow struct {
	// Part is file, lorebook, trait, skill, mood, practice, rule or memory.
	Part   string `json:"part"`
	Change string `json:"change"`
	Name   string `json:"name,omitempty"`
	Was    string `json:"was,omitempty"`
	Now    string `json:"now,omitempty"`
}

func newDiff(inv *cli.Invocation) *cobra.Command {
	var key string
	cmd := &cobra.Command{
		Use: "diff NAME [OTHER]", Short: "Show what has changed since a checkpoint, or between two",
		Long: "Show what has changed since a checkpoint, or from one to another: lines of the file and the lorebook, figures of growth, the\n" +
			"last mood, practice by skill, rules, and memories. What has faded away shows as removed, like what was erased.",
		Example: "  familiar checkpoint diff calm\n  familiar checkpoint diff calm before-the-holidays",
		Args:    cobra.RangeArgs(1, 2), ValidArgsFunction: complete(inv, &key),
		RunE: onPersona(inv, inv.OnStore, &key, func(cmd *cobra.Command, args []string, of chosen) error {
			var states [2]checkpoint.State
			var err error
			for i, name := range args {
				if _, states[i], err = of.Store.Read(cmd.Context(), of.Key, name); err != nil {
					return of.explained(cmd.Context(), name, err)
				}
			}
			if len(args) == 1 {
				if states[1], err = of.Present(cmd.Context()); err != nil {
					return err
				}
			}
			rows, err := differences(states[0], states[1])
			if err != nil {
				return err
			}
			if len(rows) == 0 {
				inv.Say("no difference")
			}
			return cli.Render(inv, rows)
		}),
	}
	cli.PersonaFlag(cmd, inv, &key, "the `KEY` of another persona")
	return cmd
}

// differences returns what changed from one state to another.
func differences(from, to checkpoint.State) (rows []diffRow, err error) {
	rows = append(lineDifferences("file", from.Card, to.Card), lineDifferences("lorebook", from.Lorebook, to.Lorebook)...)
	before, err := mind.ReadGrown(from.Growth)
	if err != nil {
		return nil, fmt.Errorf("read the growth before: %w", err)
	}
	after, err := mind.ReadGrown(to.Growth)
	if err != nil {
		return nil, fmt.Errorf("read the growth after: %w", err)
	}
	for _, c := range mind.Diff(before, after) {
		rows = append(rows, diffRow{c.Part, changed, c.Name, fmt.Sprintf("%+.2f", c.From), fmt.Sprintf("%+.2f", c.To)})
	}
	if was, now := lastMood(from.Moods), lastMood(to.Moods); was != now {
		rows = append(rows, diffRow{"mood", changed, "last", was, now})
	}
	rows = append(rows, practiceDifferences(from.Practice, to.Practice)...)
	rows = append(rows, difference("rule", from.Rules, to.Rules, func(r checkpoint.Rule) string { return r.Text },
		func(r checkpoint.Rule) (string, string) { return "", r.Text })...)
	return append(rows, difference("memory", from.Memories, to.Memories, func(m checkpoint.Memory) int64 { return m.ID },
		func(m checkpoint.Memory) (string, string) { return kindOf(m.Memory), m.Text })...), nil
}

// difference returns the elements that are in one list and not in the other, told apart by key.
func difference[T any, K comparable](part string, from, to []T, key func(T) K, describe func(T) (name, text string)) (rows []diffRow) {
	keys := func(all []T) map[K]bool {
		set := make(map[K]bool, len(all))
		for _, one := range all {
			set[key(one)] = true
		}
		return set
	}
	before, after := keys(from), keys(to)
	for _, one := range from {
		if !after[key(one)] {
			name, text := describe(one)
			rows = append(rows, diffRow{Part: part, Change: removed, Name: name, Was: text})
		}
	}
	for _, one := range to {
		if !before[key(one)] {
			name, text := describe(one)
			rows = append(rows, diffRow{Part: part, Change: added, Name: name, Now: text})
		}
	}
	return rows
}

// lineDifferences returns the lines of a text that went and came.
func lineDifferences(part, from, to string) (rows []diffRow) {
	lines := strings.Split(string(diff.Diff("before", []byte(from), "after", []byte(to))), "\n")
	for _, line := range lines[min(3, len(lines)):] { // after the heading
		switch {
		case strings.HasPrefix(line, "-"):
			rows = append(rows, diffRow{Part: part, Change: removed, Was: line[1:]})
		case strings.HasPrefix(line, "+"):
			rows = append(rows, diffRow{Part: part, Change: added, Now: line[1:]})
		}
	}
	return rows
}

// practiceDifferences compares how often each skill was practised, as far back as both states reach.
func practiceDifferences(from, to []turns.Practice) (rows []diffRow) {
	if len(to) > 0 {
		from = slices.DeleteFunc(slices.Clone(from), func(p turns.Practice) bool { return p.At.Before(to[0].At) })
	}
	count := func(all []turns.Practice) map[string]int {
		times := map[string]int{}
		for _, p := range all {
			times[p.Skill] += p.Successes + p.Failures
		}
		return times
	}
	before, after := count(from), count(to)
	skills := maps.Clone(before)
	maps.Copy(skills, after)
	for _, skill := range slices.Sorted(maps.Keys(skills)) {
		if before[skill] != after[skill] {
			rows = append(rows, diffRow{"practice", changed, skill, fmt.Sprint(before[skill]), fmt.Sprint(after[skill])})
		}
	}
	return rows
}
