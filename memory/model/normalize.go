package model

import (
	"strconv"
	"strings"
)

// maxName is how long a stored name may be, in runes: longer ones only serve to push other people's words aside.
const MaxName = 64

// subjectKey is what beliefs about the same subject share: a person we know by id, anything else by its folded name.
func SubjectKey(person int64, subject string) string {
	if person != 0 {
		return "#" + strconv.FormatInt(person, 10)
	}
	return NormalizeValue(strings.TrimPrefix(subject, "#"))
}
