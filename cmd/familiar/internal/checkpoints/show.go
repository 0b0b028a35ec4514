package checkpoints

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"familiar/internal/cli"
	"familiar/memory/checkpoint"
	"familiar/memory/model"
	"familiar/memory/turns"
	"familiar/persona/mind"
)

// shown is a checkpoint with all that it holds.
type shown struct {
	checkpointRow
	Card     string          `json:"card"`
	Lorebook string          `json:"lorebook,omitempty"`
	Growth   json.RawMessage `json:"growth,omitempty"`
	Mood     string          `json:"mood,omitempty"`
	Moods    int             `json:"moods"`
	Practice int             `json:"practice"`
	Rules    []string        `json:"rules"`
	Items    []memoryRow     `json:"items"`
}

// memoryRow is a memory in a checkpoint.
type memoryRow struct {
	Kind    string    `json:"kind"`
	At      time.Time `json:"at"`
	Sources []int64   `json:"sources,omitempty"`
	Text    string    `json:"text"`
}

// kindOf names the kind of a memory; what the operator told has none.
func kindOf(m model.Memory) string {
	if m.Origin == model.OriginOperator {
		return "told"
	}
	return string(m.Kind)
}

// itemRow is one thing that a checkpoint holds.
type itemRow struct {
	Part string `json:"part"`
	Name string `json:"name"`
	Text string `json:"text"`
}

func newShow(inv *cli.Invocation) *cobra.Command {
	var key string
	cmd := &cobra.Command{
		Use: "show NAME", Short: "Show what a checkpoint holds", Args: cobra.ExactArgs(1),
		Long: "Show what a checkpoint holds: figures of growth beside the file's, the last mood, rules and memories; with --json also the text of\n" +
			"the file and of the lorebook, and the messages that memories rest on.",
		ValidArgsFunction: complete(inv, &key),
		RunE: onPersona(inv, inv.OnStore, &key, func(cmd *cobra.Command, args []string, of chosen) error {
			c, state, err := of.Store.Read(cmd.Context(), of.Key, args[0])
			if err != nil {
				return of.explained(cmd.Context(), args[0], err)
			}
			if inv.JSON {
				return cli.WriteJSON(inv.Out, of.shown(c, state))
			}
			rows, err := of.items(c, state)
			if err != nil {
				return err
			}
			return cli.Render(inv, rows)
		}),
	}
	cli.PersonaFlag(cmd, inv, &key, "the `KEY` of another persona")
	return cmd
}

func (of chosen) shown(c checkpoint.Checkpoint, state checkpoint.State) shown {
	all := shown{
		checkpointRow: newRow(c, of.cfg), Card: state.Card, Lorebook: state.Lorebook, Growth: state.Growth, Mood: lastMood(state.Moods),
		Moods: len(state.Moods), Practice: len(state.Practice), Rules: []string{}, Items: []memoryRow{},
	}
	for _, r := range state.Rules {
		all.Rules = append(all.Rules, r.Text)
	}
	for _, m := range state.Memories {
		all.Items = append(all.Items, memoryRow{kindOf(m.Memory), cli.InZone(m.Created, of.cfg), m.Sources, m.Text})
	}
	return all
}

// items returns a row for each thing that a checkpoint holds.
func (of chosen) items(c checkpoint.Checkpoint, state checkpoint.State) ([]itemRow, error) {
	head := newRow(c, of.cfg)
	rows := []itemRow{{"checkpoint", head.Name, strings.TrimSpace(head.At.Format(time.DateTime) + " " + head.Note)}}
	for _, file := range []struct{ part, text string }{{"file", state.Card}, {"lorebook", state.Lorebook}} {
		if file.text != "" {
			rows = append(rows, itemRow{file.part, of.Key, fmt.Sprintf("%d lines, %s", strings.Count(file.text, "\n"), cli.FileSize(len(file.text)))})
		}
	}
	grown, err := mind.ReadGrown(state.Growth)
	if err != nil {
		return nil, fmt.Errorf("the growth in %s: %w", c.Name, err)
	}
	for _, change := range mind.Diff(mind.Grown{}, grown) {
		rows = append(rows, itemRow{change.Part, change.Name, fmt.Sprintf("%+.2f", change.To)})
	}
	if mood := lastMood(state.Moods); mood != "" {
		rows = append(rows, itemRow{"mood", "last", mood})
	}
	for _, r := range state.Rules {
		rows = append(rows, itemRow{"rule", "", r.Text})
	}
	for _, m := range state.Memories {
		rows = append(rows, itemRow{"memory", kindOf(m.Memory), m.Text})
	}
	return rows, nil
}

// lastMood describes the latest of moods, "" if there is none.
func lastMood(moods []turns.Mood) string {
	if len(moods) == 0 {
		return ""
	}
	last := moods[len(moods)-1]
	return fmt.Sprintf("valence %+.2f, energy %.2f", last.Valence, last.Energy)
}
