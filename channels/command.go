package channels

import "strings"

// Command is a command people can give the persona, such as "memory" for "/memory".
type Command struct {
	// Name consists of 1 to 32 lower-case letters.
	Name string
	// Args describes what follows the name in one line, such as "NUMBER TEXT"; it is empty for nothing. Help says in at most
	// 100 characters what the command does.
	Args, Help Localized
	// Options are what follows the name, for networks that ask for each part on its own. Their values, in this order and
	// with spaces between them, are the rest of the command as it would be typed. Required ones come first.
	Options []Option
	// Where is where the command is of use.
	Where Place
	// PrivateReply reports that only the person who asked sees the reply.
	PrivateReply bool
}

// Option is one part of what follows a command's name.
type Option struct {
	// Name consists of lower-case letters. It is unique in the command.
	Name string
	// Help says in at most 100 characters what to fill in.
	Help     Localized
	Required bool
	// Choices are the values that can be chosen, at most 25; any text is valid if there are none.
	Choices []string
	// Suggestions are values to offer while somebody types. Any other is valid as well.
	Suggestions []string
}

// Place is where a command is of use. Each place includes those before it.
type Place int

// The places.
const (
	// InDirect is a direct chat.
	InDirect Place = iota
	// InDiscreetGroup is a group of a network that shows the reply to the person who asked alone.
	InDiscreetGroup
	// InGroup is a group where everybody reads the reply.
	InGroup
)

// Localized is a text by language, a BCP 47 primary subtag. The one in English, "en", stands in for any that is missing.
type Localized map[string]string

// In returns the text in a language, else in English.
func (l Localized) In(language string) string {
	if text := l[language]; text != "" {
		return text
	}
	return l["en"]
}

// Shorten cuts a text for a list of commands to at most limit runes.
func Shorten(text string, limit int) string {
	if runes := []rune(text); len(runes) > limit {
		return string(runes[:limit-1]) + "…"
	}
	return text
}

// Command splits a command such as "/why" or "/forget 12" into its lower-case name and the rest. Only messages
// addressed to the persona count. Text of several lines is never a command, so that a pasted path or script stays plain
// text, and neither is what was spoken.
func (m Message) Command() (name, rest string, ok bool) {
	text := strings.TrimSpace(m.Text)
	if m.Action != Post || !m.Addressed || !strings.HasPrefix(text, "/") || strings.Contains(text, "\n") || m.Spoken() {
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
