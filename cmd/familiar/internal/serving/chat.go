package serving

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"familiar/channels"
	"familiar/channels/console"
	"familiar/cmd/familiar/internal/find"
	"familiar/internal/app"
	"familiar/internal/cli"
	"familiar/memory/log"
	"familiar/persona"
	"familiar/persona/card"
	"familiar/persona/request"
)

// NewChat returns the verb `familiar chat`.
func NewChat(inv *cli.Invocation) *cobra.Command {
	var as, key string
	cmd := &cobra.Command{
		Use: "chat", Short: "Chat with the persona in this terminal",
		Long: "Chat with the persona in this terminal. If the input is not a terminal, each line is one message and only the replies\n" +
			"are printed, for scripts; with --json each reply is one line of JSON. Before the first line, the jobs that are due run.\n\n" +
			"Ctrl-D or /quit leaves, Ctrl-C interrupts a reply, /help lists the commands.",
		Example: "  familiar chat --as Ann\n" +
			"  printf 'My name is Ann\\nWhat is my name?\\n' | familiar chat\n" +
			"  familiar chat --as Ann --json < questions.txt",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return chatWith(cmd, inv, key, as) },
	}
	asFlag(cmd, &as)
	cli.PersonaFlag(cmd, inv, &key, "the `KEY` of the persona to chat with (default: the one that familiar.yaml routes the terminal to)")
	return cmd
}

// NewPersonaChat returns the verb `familiar persona chat`.
func NewPersonaChat(inv *cli.Invocation) *cobra.Command {
	var as string
	cmd := &cobra.Command{
		Use: "chat KEY", Short: "Chat with one persona in this terminal",
		Long: "Chat with one persona in this terminal, whichever familiar.yaml routes the terminal to: `familiar chat --persona KEY`.",
		Args: cobra.ExactArgs(1), ValidArgsFunction: cli.CompleteKeys(inv),
		RunE: func(cmd *cobra.Command, args []string) error { return chatWith(cmd, inv, args[0], as) },
	}
	asFlag(cmd, &as)
	return cmd
}

func asFlag(cmd *cobra.Command, as *string) {
	cmd.Flags().StringVar(as, "as", "", "your `NAME` in the chat (default: you)")
}

// chatWith chats with the persona key, or with the configured one if it is empty.
func chatWith(cmd *cobra.Command, inv *cli.Invocation, key, as string) error {
	if inv.JSON && inv.Interactive {
		return cli.Usage(cmd, errors.New("--json is for scripts: pass the messages on standard input, one per line"))
	}
	if key != "" {
		c, err := inv.Config()
		if err != nil {
			return err
		}
		if _, err := card.LoadCard(c.Home.Personas(), key); err != nil {
			return err
		}
		c.Persona, c.OnlyPersona = key, true
	}
	return chat(cmd.Context(), inv, as)
}

// chat serves the console until the user leaves.
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

	speaking, err := terminalPersona(a)
	if err != nil {
		return err
	}
	// At a terminal the line is for the user; in a script standard output holds only replies.
	banner := inv.Errs
	if inv.Interactive {
		banner = inv.Out
	}
	if !inv.JSON {
		fmt.Fprintln(banner, a.VoiceLine())
	}
	terminal := console.New(console.Options{
		In: inv.In, Out: inv.Out, As: as, Persona: speaking, Now: inv.Now, NewID: consoleIDs(inv), Arrive: inv.Interactive,
		History: a.Config.Home.History(), Redact: log.Redact, Remembered: find.Typed(ctx, a.Store), AsksCommand: request.Asks,
		Colour: !inv.Env.NoColor(), JSON: inv.JSON,
	})
	personas, err := a.Personas(func(s *persona.Settings) { s.Quiet = 0 }, terminal) // a line is a complete message
	if err != nil {
		return err
	}
	// One chat may be shorter than the interval of session-close, so sessions that became silent since its last run end
	// now.
	for _, engine := range personas.Engines() {
		if _, err := engine.Sessions().CloseIdleOnce(ctx, 0, a.Now()); err != nil {
			return err
		}
	}
	return a.Alone(ctx, "network "+console.Name, "chats in a terminal", func() error {
		return Serve(ctx, a, personas, terminalListener(terminal, !inv.Interactive))
	})
}

// terminalPersona returns the name of the persona that the terminal's messages are for.
func terminalPersona(a *app.App) (string, error) {
	cards, err := app.ServedCards(a.Config)
	if err != nil {
		return "", err
	}
	key := app.Router(a.Config, cards).Owner(channels.Message{Room: channels.Room{Channel: console.Name}, Direct: true})
	return cards[slices.IndexFunc(cards, func(c *card.Card) bool { return c.Key == key })].Name, nil
}

// consoleIDs numbers the messages of one chat. The start time and the process id make the ids unique: a message with a
// known id counts as received and gets no reply.
func consoleIDs(inv *cli.Invocation) func() string {
	sitting := strconv.FormatInt(inv.Now().UnixNano(), 36) + "-" + strconv.Itoa(os.Getpid())
	n := 0
	return func() string {
		n++
		return sitting + "-" + strconv.Itoa(n)
	}
}

// fileLog returns a log for a verb that uses the terminal for a conversation: a file in the home directory.
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
	// Errors also go to standard error, because nobody watches the log of a script.
	failing := cli.LogHandler(inv.Errs, slog.LevelError, inv.JSON)
	return slog.New(slog.NewMultiHandler(cli.NewLog(file, cfg, false).Handler(), failing)), file.Close, nil
}

// logFile writes to a file. What cannot be written there goes to standard error: a full disk must not silence the log
// that reports it.
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
