package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"familiar/channels/console"
	"familiar/internal/cli"
	"familiar/memory/log"
)

func newChat(inv *cli.Invocation) *cobra.Command {
	var as string
	cmd := &cobra.Command{
		Use: "chat", Short: "Talk with the persona here",
		Long: "Talk with the persona in this terminal. When input is not a terminal, each of its lines is one message and\n" +
			"only the answers are printed, so that a talk can be scripted; with --json each answer is one line of JSON.\n\n" +
			"Ctrl-D or /quit leaves, Ctrl-C cuts an answer short, /help lists what can be asked of the memory.",
		Example: "  familiar chat --as Ann\n" +
			"  printf 'My name is Ann\\nWhat is my name?\\n' | familiar chat\n" +
			"  familiar chat --as Ann --json < questions.txt",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if inv.JSON && inv.Interactive {
				return cli.Usage(cmd, errors.New("--json is for scripts: give the messages on standard input, one a line"))
			}
			return chat(cmd.Context(), inv, as)
		},
	}
	cmd.Flags().StringVar(&as, "as", "", "the `NAME` of who is talking (default: you)")
	return cmd
}

// chat serves the console until whoever sits there leaves.
func chat(ctx context.Context, inv *cli.Invocation, as string) (err error) {
	logger, closeLog, err := fileLog(inv)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeLog()) }()
	a, err := inv.OpenApp(ctx, "chat", logger)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close()) }()

	// At a terminal the line is for the person; in a script only answers go to standard output.
	banner := inv.Errs
	if inv.Interactive {
		banner = inv.Out
	}
	if !inv.JSON {
		fmt.Fprintln(banner, a.VoiceLine())
	}
	terminal := console.New(console.Options{
		In: inv.In, Out: inv.Out, As: as, Persona: a.Card.Name, Now: inv.Now, NewID: consoleIDs(inv), Arrive: inv.Interactive,
		History: a.Config.Home.History(), Redact: log.Redact, Colour: !inv.Env.NoColor(), JSON: inv.JSON,
	})
	settings := a.Settings()
	settings.Quiet = 0 // whoever presses Enter has finished the thought
	engine := a.Engine(settings, terminal)
	// A sitting may be shorter than the pause between two runs of session-close: what fell silent since the last one
	// ends now.
	if _, err := engine.Sessions().CloseIdleOnce(ctx, 0, a.Now()); err != nil {
		return err
	}
	return serve(ctx, a, engine, terminalListener(terminal))
}

// consoleIDs numbers the messages of one sitting. The moment it began and the process keep them apart from those of any
// other: a message that bears the id of another was heard already and is not answered.
func consoleIDs(inv *cli.Invocation) func() string {
	sitting := strconv.FormatInt(inv.Now().UnixNano(), 36) + "-" + strconv.Itoa(os.Getpid())
	n := 0
	return func() string {
		n++
		return sitting + "-" + strconv.Itoa(n)
	}
}

// fileLog is the log of a verb whose terminal belongs to somebody who is talking: a file in the home directory.
func fileLog(inv *cli.Invocation) (log *slog.Logger, closeLog func() error, err error) {
	cfg, err := inv.Config()
	if err != nil {
		return nil, nil, err
	}
	if err := cfg.Home.Create(); err != nil {
		return nil, nil, err
	}
	file, err := os.OpenFile(cfg.Home.Log(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, nil, fmt.Errorf("open the log: %w", err)
	}
	if inv.Interactive {
		return cli.NewLog(logFile{file, inv.Errs}, cfg, false), file.Close, nil
	}
	// Nobody sees a script wait: why it does is also said on standard error.
	failing := cli.LogHandler(inv.Errs, slog.LevelError, inv.JSON)
	return slog.New(slog.NewMultiHandler(cli.NewLog(file, cfg, false).Handler(), failing)), file.Close, nil
}

// logFile writes to a file, and to standard error what the file does not take: a full disk must not silence the log
// that tells of it.
type logFile struct {
	file *os.File
	errs io.Writer
}

// Write implements io.Writer.
func (l logFile) Write(p []byte) (int, error) {
	if n, err := l.file.Write(p); err == nil {
		return n, nil
	}
	return l.errs.Write(p)
}
