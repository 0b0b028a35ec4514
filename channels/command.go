package channels

import "strings"

// Command splits a command such as "/why" or "/forget 12" into its lower-case name and the rest. Only messages
// addressed to the persona count. Text of several lines is never a command, so that a pasted path or script stays plain
// text.
func (m Message) Command() (name, rest string, ok bool) {
	text := strings.TrimSpace(m.Text)
	if m.Action != Post || !m.Addressed || !strings.HasPrefix(text, "/") || strings.Contains(text, "\n") {
		return "", "", false
	}
	name, rest, _ = strings.Cut(text[1:], " ")
	name = strings.ToLower(name)
	for _, r := range name {
		if r < 'a' || r > 'z' {
			return "", "", false
		}
	}
	return name, strings.TrimSpace(rest), name != ""
}
