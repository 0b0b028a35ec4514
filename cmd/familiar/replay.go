package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"familiar/channels"
	"familiar/channels/transcript"
	"familiar/internal/app"
	"familiar/internal/cli"
)

// replayResult is the result for one transcript.
type replayResult struct {
	File     string `json:"file"`
	Name     string `json:"name"`
	Messages int    `json:"messages"`
	New      int    `json:"new"`
}

func newReplay(inv *cli.Invocation) *cobra.Command {
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

// playTranscript feeds one transcript to the engine and ends the sessions in it.
func playTranscript(ctx context.Context, a *app.App, file string, script transcript.Transcript) (replayResult, error) {
	row := replayResult{File: file, Name: script.Name, Messages: len(script.Messages)}
	fresh, err := a.Store.Log.AcceptAll(ctx, a.Card.Key, script.Messages)
	if err != nil {
		return row, err
	}
	row.New = fresh
	engine := a.Engine(a.Settings(), transcriptChannel(roomsOf(script)))
	if err := engine.CatchUp(ctx); err != nil {
		return row, err
	}
	_, err = engine.Sessions().CloseIdleOnce(ctx, 0, a.Now())
	return row, err
}

// roomsOf returns the rooms of a transcript.
func roomsOf(script transcript.Transcript) map[channels.Room]bool {
	rooms := make(map[channels.Room]bool)
	for _, m := range script.Messages {
		rooms[m.Room] = true
	}
	return rooms
}

// transcriptChannel is a console without a user: messages in its rooms are received, and nothing can be sent.
type transcriptChannel map[channels.Room]bool

// Name returns the console's name: transcripts are played into its rooms.
func (transcriptChannel) Name() string { return transcript.Channel }

// Reaches reports whether room belongs to the transcript.
func (e transcriptChannel) Reaches(room channels.Room) bool { return e[room] }

// Run receives nothing.
func (transcriptChannel) Run(ctx context.Context, _ channels.Accept) error {
	<-ctx.Done()
	return nil
}

// Send returns a temporary error: nobody is there.
func (transcriptChannel) Send(context.Context, channels.Outgoing) (channels.Receipt, error) {
	return channels.Receipt{}, &channels.SendError{Kind: channels.Temporary, Err: errors.New("a transcript has no recipient")}
}
