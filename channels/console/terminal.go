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
	_ "familiar/channels/console/unasked" // the terminal's background colour
)

// terminal is the face for a person at a keyboard. Replies are printed above the line being typed.
type terminal struct {
	in      io.Reader
	out     io.Writer
	arrive  bool
	history string
	redact  func(string) string
	screen  screen

	mu sync.Mutex
	// program draws the screen, nil before Run. It alone touches screen from then until over is closed.
	program *tea.Program
	over    chan struct{}
}

func newTerminal(o Options) *terminal {
	look, prompt := newLook(o.Out, o.Colour), cmp.Or(harmless(o.Prompt), "> ")
	t := &terminal{
		in: o.In, out: o.Out, arrive: o.Arrive, history: o.History, redact: o.Redact, over: make(chan struct{}),
		screen: screen{prompt: prompt, persona: harmless(o.Persona), look: look, editor: newEditor(prompt, look)},
	}
	t.screen.resize(t.size())
	return t
}

// waitingTexts is how many texts may wait to be heard. Nobody types that many before the first is kept.
const waitingTexts = 256

var errTooMany = fmt.Errorf("%d messages are waiting to be kept", waitingTexts)

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

	said := make(chan channels.Message, waitingTexts)
	t.screen.say = func(text string) error {
		select {
		case said <- other.message(text):
			return nil
		default: // waiting here could wait for ever: whoever hears may have something to show first
			return errTooMany
		}
	}
	if t.arrive {
		said <- other.message("")
	}
	program := t.begin(in)
	// An end that comes as a message draws what was printed last, one by the program's own context would not.
	defer context.AfterFunc(ctx, func() { program.Send(ended{ctx.Err()}) })()
	var failed error
	go func() {
		defer close(t.over)
		defer close(said)
		_, failed = program.Run()
	}()
	defer func() { cancel(); <-t.over }() // also when the persona panics: the terminal is given back first
	unheard := t.hear(ctx, other, said)
	<-t.over
	if failed != nil {
		return fmt.Errorf("draw the terminal: %w", failed)
	}
	return errors.Join(t.screen.err, unheard)
}

// begin makes the program that draws the screen.
func (t *terminal) begin(in *input) *tea.Program {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.screen.resize(t.size())
	var err error
	if t.screen.editor.history, err = openHistory(t.history, t.redact); err != nil {
		t.screen.notice = harmless(err.Error())
	}
	keys := &keyboard{in: in}
	t.program = tea.NewProgram(&t.screen, tea.WithInput(keys), tea.WithOutput(display(t.out)),
		tea.WithFilter(t.screen.filter), tea.WithoutSignalHandler())
	keys.gone = func(err error) { t.program.Send(ended{err}) }
	return t.program
}

// display is out, made so that its descriptor can be asked for when the file is closed already: the library measures
// the terminal on a goroutine that it does not wait for.
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

// Fd is the descriptor as it was when the file was open.
func (d *displayFile) Fd() uintptr { return d.descriptor }

func (t *terminal) size() tea.WindowSizeMsg {
	if file, ok := t.out.(*os.File); ok {
		if w, h, err := term.GetSize(int(file.Fd())); err == nil {
			return tea.WindowSizeMsg{Width: w, Height: h}
		}
	}
	return tea.WindowSizeMsg{}
}

// hear hands over what is said, one text after the other. One that is not kept stays in the history, where the
// person finds it again; the error is of those that nobody could be told about any more.
func (t *terminal) hear(ctx context.Context, other persona, said <-chan channels.Message) error {
	var untold []error
	for m := range said {
		err := other.hear(ctx, m)
		if err == nil || ctx.Err() != nil {
			continue
		}
		told := make(chan struct{})
		if !t.happens(unheard{err, told}, told) {
			untold = append(untold, err)
		}
	}
	return errors.Join(untold...)
}

// keyboard is an input whose end is told.
type keyboard struct {
	in   *input
	gone func(err error)
}

// Read is the input's. The library takes its end for a pause.
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

// raw puts a terminal into raw mode; what it returns puts it back.
func raw(in io.Reader) (restore func() error, err error) {
	file, ok := in.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return func() error { return nil }, nil
	}
	before, err := term.MakeRaw(int(file.Fd()))
	if err != nil {
		return nil, fmt.Errorf("take over the terminal's keyboard: %w", err)
	}
	return func() error {
		if err := term.Restore(int(file.Fd()), before); err != nil {
			return fmt.Errorf("give the terminal's keyboard back (run stty sane): %w", err)
		}
		return nil
	}, nil
}

// running is the program that draws the screen, nil before Run.
func (t *terminal) running() *tea.Program {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.program
}

// show prints a message, which takes the place of its preview.
func (t *terminal) show(key, _, text string) error {
	if t.running() == nil {
		return t.print(text)
	}
	done := make(chan struct{})
	if t.happens(shown{key, text, done}, done) {
		return nil
	}
	return t.print(text)
}

// happens brings msg to the screen and waits until it closes done, false when the program ended before.
func (t *terminal) happens(msg tea.Msg, done <-chan struct{}) bool {
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

// print prints a message where no program draws the screen.
func (t *terminal) print(text string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, err := io.WriteString(t.out, strings.Join(t.screen.said(text), "\r\n")+"\r\n")
	return err
}

func (t *terminal) preview(key, soFar string) error {
	if program := t.running(); program != nil {
		program.Send(previewed{key, soFar})
	}
	return nil
}

func (t *terminal) typing(on bool) error {
	if program := t.running(); program != nil {
		program.Send(typing(on))
	}
	return nil
}

// settled is for scripts: a person sees for themselves.
func (t *terminal) settled(string) {}
