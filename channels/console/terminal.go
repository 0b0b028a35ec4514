package console

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"syscall"

	tea "github.com/charmbracelet/bubbletea"
	"golang.org/x/term"

	"familiar/channels"
	_ "familiar/channels/console/nocolorquery" // prevents a query for the terminal's background colour
)

// terminal is the frontend for a person at a keyboard. Replies are printed above the line being typed.
type terminal struct {
	in      io.Reader
	out     io.Writer
	arrive  bool
	history string
	redact  func(string) string
	kept    func([]string) (map[string]bool, error)
	asks    func(string) bool
	screen  screen

	mu sync.Mutex
	// program draws the screen, nil before Run. From then on only it may use screen, until over is closed.
	program *tea.Program
	over    chan struct{}
}

func newTerminal(o Options) *terminal {
	look, prompt := newStyles(o.Out, o.Colour), cmp.Or(sanitize(o.Prompt), "> ")
	t := &terminal{
		in: o.In, out: o.Out, arrive: o.Arrive, history: o.History, redact: o.Redact, kept: o.Remembered, asks: o.AsksCommand, over: make(chan struct{}),
		screen: screen{prompt: prompt, persona: sanitize(o.Persona), styles: look, editor: newEditor(prompt, look)},
	}
	t.screen.resize(t.size())
	return t
}

// maxWaiting is how many messages may wait to be stored. Nobody types that many before the first one is stored.
const maxWaiting = 256

var errTooMany = fmt.Errorf("%d messages are waiting to be stored", maxWaiting)

func (t *terminal) run(ctx context.Context, other persona) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	restore, err := raw(t.in)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, restore()) }()
	in, err := newInput(ctx, t.in)
	if err != nil {
		return err
	}
	defer in.stop()

	outgoing := make(chan channels.Message, maxWaiting)
	t.screen.say = func(text string) error {
		m, err := other.message(text)
		if err != nil {
			return err
		}
		select {
		case outgoing <- m:
			return nil
		default: // blocking here could deadlock: the receiver may have to show something first
			return errTooMany
		}
	}
	if t.arrive {
		if err := t.screen.say(""); err != nil {
			return err
		}
	}
	program := t.begin(in)
	// An end that arrives as a message draws the last printed lines; ending the program's own context would not.
	defer context.AfterFunc(ctx, func() { program.Send(endedMsg{ctx.Err()}) })()
	var failed error
	go func() {
		defer close(t.over)
		defer close(outgoing)
		_, failed = program.Run()
	}()
	defer func() { cancel(); <-t.over }() // also after a panic in the persona: restore the terminal first
	unsent := t.hear(ctx, other, outgoing)
	<-t.over
	if failed != nil {
		return fmt.Errorf("draw the terminal: %w", failed)
	}
	return errors.Join(t.screen.err, unsent)
}

// begin creates the program that draws the screen.
func (t *terminal) begin(in *input) *tea.Program {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.screen.resize(t.size())
	var err error
	t.screen.editor.history, err = openHistory(t.history, t.redact, t.asks)
	t.screen.editor.history.remembered = t.kept
	if err = errors.Join(err, t.screen.editor.history.forget(len(t.screen.editor.history.entries))); err != nil {
		t.screen.notice = sanitize(err.Error())
	}
	keys := &keyboard{in: in}
	t.program = tea.NewProgram(&t.screen, tea.WithInput(keys), tea.WithOutput(display(t.out)),
		tea.WithFilter(t.screen.filter), tea.WithoutSignalHandler())
	keys.gone = func(err error) { t.program.Send(endedMsg{err}) }
	return t.program
}

// display wraps out so that its descriptor is available after the file is closed: the library measures the terminal on
// a goroutine it does not wait for.
func display(out io.Writer) io.Writer {
	if file, ok := out.(*os.File); ok {
		return &displayFile{file, file.Fd()}
	}
	return out
}

type displayFile struct {
	*os.File
	descriptor uintptr
}

// Fd returns the descriptor from when the file was open.
func (d *displayFile) Fd() uintptr { return d.descriptor }

func (t *terminal) size() tea.WindowSizeMsg {
	if file, ok := t.out.(*os.File); ok {
		if w, h, err := term.GetSize(int(file.Fd())); err == nil {
			return tea.WindowSizeMsg{Width: w, Height: h}
		}
	}
	return tea.WindowSizeMsg{}
}

// hear passes messages on in order. A message that cannot be stored remains in the history, where the person finds it
// again. The returned error covers those that could not be reported.
func (t *terminal) hear(ctx context.Context, other persona, outgoing <-chan channels.Message) error {
	var unreported []error
	for m := range outgoing {
		err := other.accept(ctx, m)
		if err == nil || ctx.Err() != nil {
			continue
		}
		told := make(chan struct{})
		if !t.sendAndWait(failedMsg{err, told}, told) {
			unreported = append(unreported, err)
		}
	}
	return errors.Join(unreported...)
}

// keyboard is an input that reports its end.
type keyboard struct {
	in   *input
	gone func(err error)
}

// Read reads from the input. Without it the library would treat the end as a pause.
func (k *keyboard) Read(p []byte) (int, error) {
	n, err := k.in.Read(p)
	switch {
	case err == nil:
		return n, nil
	case errors.Is(err, io.EOF), errors.Is(err, syscall.EIO): // the terminal was closed
		k.gone(nil)
	case k.in.ctx.Err() == nil:
		k.gone(fmt.Errorf("read the keyboard: %w", err))
	}
	return 0, io.EOF
}

// raw puts a terminal into raw mode and returns a function that restores it.
func raw(in io.Reader) (restore func() error, err error) {
	file, ok := in.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return func() error { return nil }, nil
	}
	before, err := term.MakeRaw(int(file.Fd()))
	if err != nil {
		return nil, fmt.Errorf("set the terminal to raw mode: %w", err)
	}
	return func() error {
		if err := term.Restore(int(file.Fd()), before); err != nil {
			return fmt.Errorf("restore the terminal's mode (run stty sane): %w", err)
		}
		return nil
	}, nil
}

// running returns the program that draws the screen, nil before Run.
func (t *terminal) running() *tea.Program {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.program
}

// show prints a message, which replaces its preview.
func (t *terminal) show(key, _, text string) error {
	if t.running() == nil {
		return t.print(text)
	}
	done := make(chan struct{})
	if t.sendAndWait(showMsg{key, text, done}, done) {
		return nil
	}
	return t.print(text)
}

// sendAndWait sends msg to the screen and waits until done is closed. It returns false if the program ended first.
func (t *terminal) sendAndWait(msg tea.Msg, done <-chan struct{}) bool {
	t.running().Send(msg)
	select {
	case <-done:
		return true
	case <-t.over:
	}
	select {
	case <-done:
		return true
	default:
		return false
	}
}

// print prints a message when no program draws the screen.
func (t *terminal) print(text string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, err := io.WriteString(t.out, strings.Join(t.screen.replyRows(text), "\r\n")+"\r\n")
	return err
}

func (t *terminal) preview(key, soFar string) error {
	if program := t.running(); program != nil {
		program.Send(previewMsg{key, soFar})
	}
	return nil
}

func (t *terminal) typing(on bool) error {
	if program := t.running(); program != nil {
		program.Send(typingMsg(on))
	}
	return nil
}

// noReply is for scripts: a person needs no notification.
func (t *terminal) noReply(string) {}
