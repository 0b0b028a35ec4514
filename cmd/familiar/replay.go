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

// replayResult is what became of one transcript.
type replayResult struct {
	File     string `json:"file"`
	Name     string `json:"name"`
	Messages int    `json:"messages"`
	New      int    `json:"new"`
}

func newReplay(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "replay FILE…", Short: "Hear transcripts as if they had been spoken here",
		Long: "Hear transcripts as if they had been spoken in a room here: the persona listens and remembers, at the times the\n" +
			"transcript gives. Playing one again adds nothing. A file is a conversation in LoCoMo format, or a list of them, or JSON Lines with\n" +
			"one message a line:\n\n" +
			`  {"room": "book club", "from": "Ann", "text": "I finished it!", "at": "2026-01-05T18:30:00Z"}` + "\n\n" +
			"with an optional \"id\" and, for talk between one person and the persona, \"direct\": true.",
		Example: "  familiar replay talks.jsonl conv-26.json",
		Args:    cobra.MinimumNArgs(1),
		RunE:    func(cmd *cobra.Command, files []string) error { return replay(cmd.Context(), inv, files) },
	}
}

// replay reads every file before it plays the first, so that a mistake in the last loses nothing.
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
				return fmt.Errorf("play %s: %w", file, err)
			}
			rows = append(rows, row)
		}
	}
	return cli.Render(inv, rows)
}

// playTranscript lets the engine hear one transcript and ends the sessions in it.
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

// roomsOf are the rooms of a transcript.
func roomsOf(script transcript.Transcript) map[channels.Room]bool {
	rooms := make(map[channels.Room]bool)
	for _, m := range script.Messages {
		rooms[m.Room] = true
	}
	return rooms
}

// transcriptChannel is the console with nobody at it: what was said in its rooms is heard, and nothing can be said.
type transcriptChannel map[channels.Room]bool

// Name is the console's: transcripts are played into its rooms.
func (transcriptChannel) Name() string { return transcript.Channel }

// Reaches says that only the transcript's rooms are within hearing.
func (e transcriptChannel) Reaches(room channels.Room) bool { return e[room] }

// Run hears nothing new.
func (transcriptChannel) Run(ctx context.Context, _ channels.Accept) error {
	<-ctx.Done()
	return nil
}

// Send refuses: nobody is there.
func (transcriptChannel) Send(context.Context, channels.Outgoing) (channels.Receipt, error) {
	return channels.Receipt{}, &channels.SendError{Kind: channels.Temporary, Err: errors.New("nobody is listening to a transcript")}
}
