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

// screen is what a terminal shows and what its keys do: a Bubble Tea model. Finished lines are printed and scroll
// away above; View is what stands below them.
type screen struct {
	prompt, persona string
	look            look
	// say hands over what the person said, later and in order.
	say func(text string) error

	size tea.WindowSizeMsg
	// width is the columns that are used. The last one is left free: printing there leaves terminals of different
	// opinions about which row the cursor is in.
	width    int
	editor   editor
	thinking bool
	notice   string
	live     *reply
	// leaving says that Ctrl-C was pressed last, stopping that the persona was asked to stop what it says.
	leaving, stopping bool
	// left says that the sitting is over, err why, nil when the person left.
	left bool
	err  error
}

// reply is what the persona is writing.
type reply struct{ key, text string }

// What happens to a screen, other than keys and new sizes.
type (
	// shown is a message to print; done is closed once it is certain to be.
	shown struct {
		key, text string
		done      chan struct{}
	}
	previewed reply
	typing    bool
	// unheard is a message that could not be handed over; told is closed once the person can see it.
	unheard struct {
		err  error
		told chan struct{}
	}
	ended struct{ err error }
)

// look is the styles a screen has. Its colours are of the sixteen every terminal has, so that they follow the
// person's own theme.
type look struct{ label, faint, cursor lipgloss.Style }

func newLook(out io.Writer, colour bool) look {
	styled, plain := lipgloss.NewRenderer(out), lipgloss.NewRenderer(out)
	styled.SetColorProfile(termenv.ANSI)
	plain.SetColorProfile(termenv.Ascii)
	l := look{label: plain.NewStyle(), faint: plain.NewStyle(), cursor: styled.NewStyle()}
	if colour {
		l.label, l.faint = styled.NewStyle().Foreground(lipgloss.Color("6")), styled.NewStyle().Faint(true)
	}
	return l
}

// Init tells the library the size, which it only asks of terminals.
func (s *screen) Init() tea.Cmd {
	size := s.size
	return func() tea.Msg { return size }
}

// filter applies what happens before the library sees it, and returns the lines to print in its place. Printing is a
// message of the library's own, which as a command would arrive at any later time and in any order.
func (s *screen) filter(_ tea.Model, msg tea.Msg) tea.Msg {
	if size, ok := msg.(tea.WindowSizeMsg); ok {
		msg = known(size)
	}
	if rows := s.apply(msg); len(rows) > 0 {
		return tea.Println(strings.Join(rows, "\n"))()
	}
	return msg
}

// Update leaves what happened to filter and only gives the library its orders.
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

// apply takes in what happened and returns the rows to print.
func (s *screen) apply(msg tea.Msg) []string {
	if s.left {
		if m, ok := msg.(shown); ok {
			close(m.done)
			return s.said(m.text)
		}
		return nil
	}
	switch m := msg.(type) {
	case tea.KeyMsg:
		return s.press(m)
	case tea.WindowSizeMsg:
		s.resize(m)
	case shown:
		return s.show(m)
	case previewed:
		s.live = &reply{m.key, m.text}
	case typing:
		if s.thinking = bool(m); !s.thinking {
			s.calm()
		}
	case unheard:
		close(m.told)
		s.excuse(m.err)
	case ended:
		s.err = m.err
		return s.leave()
	}
	return nil
}

// The size to assume where the terminal does not tell its own: the VT100's.
const (
	assumedColumns = 80
	assumedRows    = 24
)

// resize takes the terminal's size.
func (s *screen) resize(size tea.WindowSizeMsg) {
	s.size = known(size)
	s.width = max(s.size.Width-1, 8)
	s.editor.resize(s.width, s.size.Height-2) // leaves a row for the persona's and one for a notice
}

// known is size, or the one to assume.
func known(size tea.WindowSizeMsg) tea.WindowSizeMsg {
	if size.Width <= 0 || size.Height <= 0 {
		return tea.WindowSizeMsg{Width: assumedColumns, Height: assumedRows}
	}
	return size
}

// show prints a message, whose preview is no longer needed.
func (s *screen) show(m shown) []string {
	close(m.done)
	s.calm()
	if s.live != nil && s.live.key == m.key {
		s.live = nil
	}
	return s.said(m.text)
}

// calm ends what belongs to a persona that speaks.
func (s *screen) calm() {
	s.thinking = false
	if s.stopping {
		s.stopping, s.notice = false, ""
	}
}

// said lays out what the persona said.
func (s *screen) said(text string) []string {
	text = strings.TrimRight(harmless(text), "\n")
	if s.persona == "" {
		return wrap(text, s.width)
	}
	label := s.persona + ":"
	rows := wrap(label+" "+text, s.width)
	if rest, ok := strings.CutPrefix(rows[0], label); ok {
		rows[0] = s.look.label.Render(label) + rest
	}
	return rows
}

// leave ends the sitting. What the persona was writing stays.
func (s *screen) leave() []string {
	s.left = true
	if s.live == nil {
		return nil
	}
	return s.said(s.live.text)
}

// press applies one key.
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

// interrupt is Ctrl-C: it stops the persona once, else clears the line, else leaves at the second press.
func (s *screen) interrupt() []string {
	switch {
	case (s.thinking || s.live != nil) && !s.stopping:
		s.stopping, s.notice = true, "Stopping…"
		s.excuse(s.say("stop"))
	case s.leaving && s.editor.empty():
		return s.leave()
	default:
		s.editor.clear()
		s.leaving, s.notice = true, leaveNotice
	}
	return nil
}

// enter says the typed text and leaves it on the screen.
func (s *screen) enter() []string {
	if strings.TrimSpace(s.editor.area.Value()) == "" {
		s.editor.clear()
		return nil
	}
	text, shown, err := s.editor.take()
	s.notice = ""
	if err != nil {
		s.notice = harmless(err.Error())
	}
	rows := hang(s.prompt, shown, s.width)
	if text = strings.TrimSpace(text); leaves(text) {
		return append(s.leave(), rows...)
	}
	s.excuse(s.say(text))
	return rows
}

// excuse tells that something was not heard, if so.
func (s *screen) excuse(err error) {
	if err != nil {
		s.notice = harmless(fmt.Sprintf("Not heard, press Up and Enter to say it again: %v", err))
	}
}

// View is what stands below the printed lines: the reply that grows, of which the end is seen when it is taller than
// the screen, or the indicator; a notice; and the text being typed.
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
		above = s.said(s.live.text)
	case s.thinking:
		above = s.faint(cmp.Or(s.persona, "The persona") + " is thinking…")
	}
	room := max(s.size.Height-len(rows), 0)
	return strings.Join(append(above[max(len(above)-room, 0):], rows...), "\n")
}

func (s *screen) faint(text string) []string {
	rows := wrap(text, s.width)
	for i, row := range rows {
		rows[i] = s.look.faint.Render(row)
	}
	return rows
}
