package imports

import (
	"regexp"
	"strings"
	"time"
)

// section is a message of a Markdown file that is being read.
type section struct {
	// role is who speaks, as the heading names them.
	role string
	// begun says that a heading was read, at where it is. later says that the message continues one that was passed on, passed
	// that this one was.
	begun, later, passed bool
	at                   int64
	when                 time.Time
	text                 strings.Builder
	// fence is the mark that ends the block of code, "" outside of one.
	fence string
}

// speakerLine matches a line that may name who speaks next: "## User", "**Assistant:** text", "### Human (2026-01-05 10:00)".
var speakerLine = regexp.MustCompile(`^(?:#{1,6}[ \t]+(?:\*\*|__)?([^:*_(\n]{1,40}?)(?:\*\*|__)?[ \t]*(?:\(([^)]*)\))?:?(?:\*\*|__)?[ \t]*|` +
	`(?:\*\*|__)([^:*_(\n]{1,40}?)[ \t]*(?:\(([^)]*)\))?(?::(?:\*\*|__)|(?:\*\*|__):)[ \t]*(.*))$`)

// markdownLine reads a line of a conversation as Markdown.
func (s *Session) markdownLine(raw []byte) error {
	line := string(raw)
	if mark := fenceMark(line); mark != "" {
		switch {
		case s.open.fence == "":
			s.open.fence = mark
		case strings.HasPrefix(mark, s.open.fence):
			s.open.fence = ""
		}
	}
	if s.open.fence == "" {
		if role, when, rest, ok := speaker(line); ok {
			if err := s.closeSection(true); err != nil {
				return err
			}
			s.open = section{role: role, begun: true, at: s.at, when: when}
			line = rest
		}
	}
	if s.open.begun {
		s.open.text.WriteString(line)
		s.open.text.WriteByte('\n')
	} else if strings.TrimSpace(line) != "" {
		return leftOut("lines before the first message")
	}
	return nil
}

// fenceMark returns the marks that begin or end a block of code in a line.
func fenceMark(line string) string {
	line = strings.TrimLeft(line, " ")
	for _, c := range []string{"`", "~"} {
		if n := len(line) - len(strings.TrimLeft(line, c)); n >= 3 {
			return line[:n]
		}
	}
	return ""
}

// speaker returns who speaks next, when, and what they say in the same line.
func speaker(line string) (role string, when time.Time, rest string, ok bool) {
	found := speakerLine.FindStringSubmatch(strings.TrimRight(line, " \t"))
	if found == nil {
		return "", when, "", false
	}
	role = strings.ToLower(strings.TrimSpace(found[1] + found[3]))
	if _, known := speakers[role]; !known && !silent[role] {
		return "", when, "", false
	}
	return role, readTime(strings.TrimSpace(found[2] + found[4])), found[5], true
}

// closeSection passes the open message on. At the end of a file that still grows it may not be complete: it is passed on when it is
// sure, and what is added to it later is a message of its own.
func (s *Session) closeSection(sure bool) error {
	o := &s.open
	if !o.begun || o.passed || !sure {
		return nil
	}
	o.passed = true
	s.p.Role = o.role
	text := strings.TrimSpace(o.text.String())
	own, known := speakers[o.role]
	if !known {
		s.sink.Skip("messages of the program and its tools", 1)
		return nil
	}
	if !own {
		text = unwrapped(text, "")
	}
	if text == "" {
		if !o.later {
			s.sink.Skip("messages without text", 1)
		}
		return nil
	}
	first, _, _ := strings.Cut(text, "\n")
	id := digest(s.p.Chain, o.role, first) // not of all, since it may still grow
	s.p.Chain = digest(id, text)
	at := s.at
	s.at = o.at
	err := s.speak(Line{ID: id, Own: own, Text: text, At: o.when})
	s.at = at
	return err
}
