package gate

import (
	"cmp"
	"strconv"
	"strings"
)

// The placeholders in a notice.
const (
	CodePlaceholder    = "{code}"
	MinutesPlaceholder = "{minutes}"
)

// DefaultNotice is the reply to strangers. It reveals nothing about the persona.
const DefaultNotice = "We have not met, so I have not kept your message. To talk with me, give this code to the person who runs me: " +
	CodePlaceholder + "\nIt is valid for " + MinutesPlaceholder + " minutes: familiar channel pair approve " + CodePlaceholder

// notice returns the text that gives a stranger their code.
func (p Policy) notice(code string) string {
	minutes := strconv.Itoa(int(CodeLifetime.Minutes()))
	return strings.NewReplacer(CodePlaceholder, code, MinutesPlaceholder, minutes).Replace(cmp.Or(p.Notice, DefaultNotice))
}
