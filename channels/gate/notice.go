package gate

import (
	"cmp"
	"strconv"
	"strings"
)

// The places in a notice.
const (
	CodePlace    = "{code}"
	MinutesPlace = "{minutes}"
)

// DefaultNotice is what somebody is told who is not known. It says nothing of the persona.
const DefaultNotice = "We have not met, so I have not kept what you wrote. To talk with me, give this code to whoever runs me: " +
	CodePlace + "\nIt is good for " + MinutesPlace + " minutes: familiar channel pair approve " + CodePlace

// notice is what a stranger is told with their code.
func (p Policy) notice(code string) string {
	minutes := strconv.Itoa(int(CodeLife.Minutes()))
	return strings.NewReplacer(CodePlace, code, MinutesPlace, minutes).Replace(cmp.Or(p.Notice, DefaultNotice))
}
