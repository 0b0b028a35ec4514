package console

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// screen is the terminal's display and key handling: a Bubble Tea model. Finished lines are printed and scroll up; View
// is the part below them.
type screen struct {
	prompt, persona string
	styles          styles
	// say queues the person's messages in order.
	say func(text string) error

	size tea.WindowSizeMsg
	// width is the number of columns used. The last column stays free, because terminals disagree about the cursor's
	// row after printing there.
	width    int
	editor   editor
	thinking bool
	notice   string
	live     *reply
	// leaving reports that the last key was Ctrl-C, stopping that the persona was asked to stop.
	leaving, stopping bool
	// left reports that the session is over; err is the reason, nil if the person left.
	left bool
	err  error
}

// reply is the reply being written.
type reply struct{ key, text string }

// Events of a screen, other than keys and resizes.
type (
	// showMsg is a message to print; done is closed once it is sure to be printed.
	showMsg struct {
		key, text string
		done      chan struct{}
	}
	previewMsg reply
	typingMsg  bool
	// failedMsg is a message that could not be stored; shown is closed once the person can see that.
	failedMsg struct {
		err   error
		shown chan struct{}
	}
	endedMsg struct{ err error }
)

// styles uses only the sixteen standard colours, so that they follow the person's theme.
type styles struct{ label, faint, cursor lipgloss.Style }

func newStyles(out io.Writer, colour bool) styles {
	styled, plain := lipgloss.NewRenderer(out), lipgloss.NewRenderer(out)
	styled.SetColorProfile(termenv.ANSI)
	plain.SetColorProfile(termenv.Ascii)
	l := styles{label: plain.NewStyle(), faint: plain.NewStyle(), cursor: styled.NewStyle()}
	if colour {
		l.label, l.faint = styled.NewStyle().Foreground(lipgloss.Color("6")), styled.NewStyle().Faint(true)
	}
	return l
}

// Init sets the size, which the library queries only on terminals.
func (s *screen) Init() tea.Cmd {
	size := s.size
	return func() tea.Msg { return size }
}

// filter handles events before the library does, and returns the lines to print in their place. Printing is a library
// message; returned as a command it would arrive at any later time and in any order.
func (s *screen) filter(_ tea.Model, msg tea.Msg) tea.Msg {
	if size, ok := msg.(tea.WindowSizeMsg); ok {
		msg = sizeOrDefault(size)
	}
	if rows := s.apply(msg); len(rows) > 0 {
		return tea.Println(strings.Join(rows, "\n"))()
	}
	return msg
}

// Update only returns the library's commands; filter has handled the event.
func (s *screen) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	key, _ := msg.(tea.KeyMsg)
	switch {
	case s.left:
		return s, tea.Quit
	case key.Type == tea.KeyCtrlL:
		return s, tea.ClearScreen
	}
	return s, nil
}

// apply handles an event and returns the rows to print.
func (s *screen) apply(msg tea.Msg) []string {
	if s.left {
		if m, ok := msg.(showMsg); ok {
			s.forget()
			close(m.done)
			return s.replyRows(m.text)
		}
		return nil
	}
	switch m := msg.(type) {
	case tea.KeyMsg:
		return s.press(m)
	case tea.WindowSizeMsg:
		s.resize(m)
	case showMsg:
		return s.show(m)
	case previewMsg:
		s.live = &reply{m.key, m.text}
	case typingMsg:
		if s.thinking = bool(m); !s.thinking {
			s.endReply()
		}
	case failedMsg:
		close(m.shown)
		s.reportFailure(m.err)
	case endedMsg:
		s.err = m.err
		return s.leave()
	}
	return nil
}

// The size to assume if the terminal does not report one: the VT100's.
const (
	defaultColumns = 80
	defaultRows    = 24
)

// resize sets the terminal's size.
func (s *screen) resize(size tea.WindowSizeMsg) {
	s.size = sizeOrDefault(size)
	s.width = max(s.size.Width-1, 8)
	s.editor.resize(s.width, s.size.Height-2) // leaves a row for the reply and one for a notice
}

// sizeOrDefault returns size, or the default.
func sizeOrDefault(size tea.WindowSizeMsg) tea.WindowSizeMsg {
	if size.Width <= 0 || size.Height <= 0 {
		return tea.WindowSizeMsg{Width: defaultColumns, Height: defaultRows}
	}
	return size
}

// show prints a message, which replaces its preview.
func (s *screen) show(m showMsg) []string {
	s.forget()
	close(m.done)
	s.endReply()
	if s.live != nil && s.live.key == m.key {
		s.live = nil
	}
	return s.replyRows(m.text)
}

// forget removes from the history what a command may have forgotten.
func (s *screen) forget() {
	if err := s.editor.history.forgetBeforeCommand(); err != nil {
		s.notice = sanitize(err.Error())
	}
}

// endReply clears the state of a reply in progress.
func (s *screen) endReply() {
	s.thinking = false
	if s.stopping {
		s.stopping, s.notice = false, ""
	}
}

// replyRows lays out a message from the persona.
func (s *screen) replyRows(text string) []string {
	text = strings.TrimRight(sanitize(text), "\n")
	if s.persona == "" {
		return wrap(text, s.width)
	}
	label := s.persona + ":"
	rows := wrap(label+" "+text, s.width)
	if rest, ok := strings.CutPrefix(rows[0], label); ok {
		rows[0] = s.styles.label.Render(label) + rest
	}
	return rows
}

// leave ends the session. An unfinished reply stays visible.
func (s *screen) leave() []string {
	s.left = true
	if s.live == nil {
		return nil
	}
	return s.replyRows(s.live.text)
}

// press handles one key.
func (s *screen) press(k tea.KeyMsg) []string {
	if s.leaving && k.Type != tea.KeyCtrlC {
		s.leaving, s.notice = false, ""
	}
	switch {
	case k.Type == tea.KeyCtrlC:
		return s.interrupt()
	case k.Type == tea.KeyCtrlD && s.editor.empty():
		return s.leave()
	case k.Type == tea.KeyEnter && !k.Alt:
		return s.enter()
	}
	s.editor.press(k)
	return nil
}

const leaveNotice = "Press Ctrl-C again to leave."

// interrupt handles Ctrl-C: it first stops the persona, otherwise clears the line, otherwise leaves at the second
// press.
func (s *screen) interrupt() []string {
	switch {
	case (s.thinking || s.live != nil) && !s.stopping:
		s.stopping, s.notice = true, "Stopping…"
		s.reportFailure(s.say("stop"))
	case s.leaving && s.editor.empty():
		return s.leave()
	default:
		s.editor.clear()
		s.leaving, s.notice = true, leaveNotice
	}
	return nil
}

// enter sends the typed text and leaves it on the screen.
func (s *screen) enter() []string {
	if strings.TrimSpace(s.editor.area.Value()) == "" {
		s.editor.clear()
		return nil
	}
	text, shown, err := s.editor.take()
	s.notice = ""
	if err != nil {
		s.notice = sanitize(err.Error())
	}
	rows := hangingIndent(s.prompt, shown, s.width)
	if text = strings.TrimSpace(text); isQuit(text) {
		return append(s.leave(), rows...)
	}
	s.reportFailure(s.say(text))
	return rows
}

// reportFailure shows that a message was not stored, if so.
func (s *screen) reportFailure(err error) {
	if err != nil {
		s.notice = sanitize(fmt.Sprintf("Not received; press Up and Enter to resend: %v", err))
	}
}

// View returns what is below the printed lines: the end of an unfinished reply, or the thinking indicator; a notice;
// and the text being typed.
func (s *screen) View() string {
	if s.left {
		return ""
	}
	rows := s.editor.rows()
	if s.notice != "" {
		rows = append(s.faint(s.notice), rows...)
	}
	var above []string
	switch {
	case s.live != nil:
		above = s.replyRows(s.live.text)
	case s.thinking:
		above = s.faint(cmp.Or(s.persona, "The persona") + " is thinking…")
	}
	room := max(s.size.Height-len(rows), 0)
	return strings.Join(append(above[max(len(above)-room, 0):], rows...), "\n")
}

func (s *screen) faint(text string) []string {
	rows := wrap(text, s.width)
	for i, row := range rows {
		rows[i] = s.styles.faint.Render(row)
	}
	return rows
}
