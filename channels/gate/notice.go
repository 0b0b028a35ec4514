package gate

import (
	"cmp"
	"strconv"
	"strings"
)

// The places in a notice.
const (
	CodePlaceholder    = "{code}"
	MinutesPlaceholder = "{minutes}"
)

// DefaultNotice is what somebody is told who is not known. It says nothing of the persona.
const DefaultNotice = "We have not met, so I have not kept what you wrote. To talk with me, give this code to whoever runs me: " +
	CodePlaceholder + "\nIt is good for " + MinutesPlaceholder + " minutes: familiar channel pair approve " + CodePlaceholder

// notice is what a stranger is told with their code.
func (p Policy) notice(code string) string {
	minutes := strconv.Itoa(int(CodeLifetime.Minutes()))
	return strings.NewReplacer(CodePlaceholder, code, MinutesPlaceholder, minutes).Replace(cmp.Or(p.Notice, DefaultNotice))
}
