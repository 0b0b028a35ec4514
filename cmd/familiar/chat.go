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
	"familiar/config"
	"familiar/memory/log"
)

func newChat(a *app) *cobra.Command {
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
			if a.json && a.asks {
				return usage(cmd, errors.New("--json is for scripts: give the messages on standard input, one a line"))
			}
			return a.chat(cmd.Context(), as)
		},
	}
	cmd.Flags().StringVar(&as, "as", "", "the `NAME` of who is talking (default: you)")
	return cmd
}

// chat serves the console until whoever sits there leaves.
func (a *app) chat(ctx context.Context, as string) (err error) {
	logger, closeLog, err := a.fileLog()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeLog()) }()
	h, err := a.openHouse(ctx, "chat", logger)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.close()) }()

	// At a terminal the line is for the person; in a script only answers go to standard output.
	greeted := a.errs
	if a.asks {
		greeted = a.out
	}
	if !a.json {
		fmt.Fprintln(greeted, h.voiceLine())
	}
	sitting := console.New(console.Options{
		In: a.in, Out: a.out, As: as, Persona: h.card.Name, Now: a.now, NewID: sittingIDs(a), Arrive: a.asks,
		History: h.cfg.Home.History(), Redact: log.Redact, Colour: !a.env.NoColor(), JSON: a.json,
	})
	settings := h.settings()
	settings.Quiet = 0 // whoever presses Enter has finished the thought
	engine := h.engine(settings, sitting)
	// A sitting may be shorter than the pause between two runs of session-close: what fell silent since the last one
	// ends now.
	if _, err := engine.Sessions().CloseIdleOnce(ctx, 0, h.now()); err != nil {
		return err
	}
	return h.serve(ctx, engine, here(sitting))
}

// sittingIDs numbers the messages of one sitting. The moment it began and the process keep them apart from those of any
// other: a message that bears the id of another was heard already and is not answered.
func sittingIDs(a *app) func() string {
	sitting := strconv.FormatInt(a.now().UnixNano(), 36) + "-" + strconv.Itoa(os.Getpid())
	n := 0
	return func() string {
		n++
		return sitting + "-" + strconv.Itoa(n)
	}
}

// fileLog is the log of a verb whose terminal belongs to somebody who is talking: a file in the home directory.
func (a *app) fileLog() (log *slog.Logger, closeLog func() error, err error) {
	cfg, err := a.config()
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
	if a.asks {
		return newLog(logFile{file, a.errs}, cfg, false), file.Close, nil
	}
	// Nobody sees a script wait: why it does is also said on standard error.
	failing := logHandler(a.errs, slog.LevelError, a.json)
	return slog.New(slog.NewMultiHandler(newLog(file, cfg, false).Handler(), failing)), file.Close, nil
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

// newLog writes to w what the configuration asks for, as JSON one line an event when asJSON says so.
func newLog(w io.Writer, cfg *config.Config, asJSON bool) *slog.Logger {
	return slog.New(logHandler(w, cfg.Log.Level.Slog(), asJSON))
}

func logHandler(w io.Writer, level slog.Level, asJSON bool) slog.Handler {
	options := &slog.HandlerOptions{Level: level}
	if asJSON {
		return slog.NewJSONHandler(w, options)
	}
	return slog.NewTextHandler(w, options)
}
