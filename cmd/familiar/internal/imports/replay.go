package imports

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"familiar/channels"
	"familiar/channels/transcript"
	"familiar/internal/app"
	"familiar/internal/cli"
	"familiar/persona"
)

// replayResult is the result for one transcript.
type replayResult struct {
	File     string `json:"file"`
	Name     string `json:"name"`
	Messages int    `json:"messages"`
	New      int    `json:"new"`
}

// NewReplay returns the verb `familiar replay`.
func NewReplay(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "replay FILE…", Short: "Replay transcripts into the memory",
		Long: "Replay transcripts as if they had been said in a room here: the persona listens and remembers, at the times in the\n" +
			"transcript. Replaying a transcript again adds nothing. A file holds a conversation in LoCoMo format, a list of them, or\n" +
			"JSON Lines with one message per line:\n\n" +
			`  {"room": "book club", "from": "Ann", "text": "I finished it!", "at": "2026-01-05T18:30:00Z"}` + "\n\n" +
			"with an optional \"id\" and, for a conversation between one person and the persona, \"direct\": true.",
		Example: "  familiar replay talks.jsonl conv-26.json",
		Args:    cobra.MinimumNArgs(1),
		RunE:    func(cmd *cobra.Command, files []string) error { return replay(cmd.Context(), inv, files) },
	}
}

// replay reads all files before it plays the first, so that a mistake in the last one changes nothing.
func replay(ctx context.Context, inv *cli.Invocation, files []string) (err error) {
	scripts := make(map[string][]transcript.Transcript, len(files))
	for _, file := range files {
		if scripts[file], err = transcript.Read(file); err != nil {
			return err
		}
	}
	cfg, err := inv.Config()
	if err != nil {
		return err
	}
	a, err := inv.OpenApp(ctx, "replay", cli.NewLog(inv.Errs, cfg, inv.JSON))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close()) }()

	var rows []replayResult
	for _, file := range files {
		for _, script := range scripts[file] {
			row, err := playTranscript(ctx, a, file, script)
			if err != nil {
				return fmt.Errorf("replay %s: %w", file, err)
			}
			rows = append(rows, row)
		}
	}
	return cli.Render(inv, rows)
}

// playTranscript records one transcript and ends the sessions in it.
func playTranscript(ctx context.Context, a *app.App, file string, script transcript.Transcript) (row replayResult, err error) {
	row = replayResult{File: file, Name: script.Name, Messages: len(script.Messages)}
	engine := a.Engine(a.Settings())
	for _, room := range roomsOf(script.Messages) {
		fresh, err := engine.RecordConversation(ctx, room)
		row.New += fresh
		if err != nil {
			return row, err
		}
	}
	_, err = engine.Sessions().CloseIdleOnce(ctx, 0, a.Now())
	return row, err
}

// roomsOf groups messages by room, in the order of the first message of each.
func roomsOf(messages []channels.Message) (rooms [][]persona.Recorded) {
	at := make(map[channels.Room]int)
	for _, m := range messages {
		i, known := at[m.Room]
		if !known {
			i = len(rooms)
			at[m.Room], rooms = i, append(rooms, nil)
		}
		rooms[i] = append(rooms[i], persona.Recorded{Message: m})
	}
	return rooms
}
