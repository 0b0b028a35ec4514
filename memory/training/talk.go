package training

import (
	"strings"

	"familiar/channels"
	"familiar/internal/lazyregexp"
)

// talk is the session that the export walks through.
type talk struct {
	session, room, first int64
	// pending are the messages since the last reply.
	pending []message
	bar
}

// bar is the last message of a room that no reply may have had in front of it, with the reason: 0 and "" for none.
type bar struct {
	barred int64
	why    Reason
}

// The messages before a reply that are kept, in number and bytes: a group may talk for long before it speaks to the persona.
const (
	maxPending      = 40
	maxPendingBytes = 64 << 10
)

// hear takes what somebody said.
func (t *talk) hear(l message, agreed bool) {
	switch {
	case !agreed:
		t.bar = bar{l.id, Others}
	case l.danger:
		t.bar = bar{l.id, Care}
	case l.text != "" && passesOn(l.text):
		t.bar = bar{l.id, Quotes}
	}
	t.pending = append(t.pending, l)
	size := 0
	for i := len(t.pending) - 1; i >= 0; i-- {
		if size += len(t.pending[i].text); size > maxPendingBytes || len(t.pending)-i > maxPending {
			t.pending = append([]message(nil), t.pending[i+1:]...)
			return
		}
	}
}

// note notes what was judged of a reply: later replies may have had it in front of them.
func (e *exporter) note(id int64, why Reason) {
	clean := why == "" || why == Unprompted || why == Files || why == Forgotten // nothing of anybody else is in it
	e.judge.exported.note(id, clean)
	if !clean {
		e.talk.bar = bar{id, why}
	}
}

// passesOn reports whether a text has words that its author only passes on.
func passesOn(text string) bool { return channels.OwnWords(text) != text }

// attached matches the note of an attachment, which ends a text. The mark of a secret is none.
var attached = lazyregexp.New(`(?:^|\s)\[([^\[\]]*)\]$`)

// hasFile reports whether a message has a picture, a recording or another file.
func hasFile(text string) bool {
	found := attached.FindStringSubmatch(strings.TrimSpace(text))
	return found != nil && !strings.HasPrefix(found[1], "redacted ")
}

// unfit returns why messages cannot be in an export, "" if they can.
func unfit(pending []message) Reason {
	for _, l := range pending {
		switch {
		case l.vanishes:
			return Vanishing
		case hasFile(l.text):
			return Files
		}
	}
	return ""
}

// joined returns messages as one, each with who said it if it was in a group.
func (e *exporter) joined(said []message, direct bool) string {
	var b strings.Builder
	for _, l := range said {
		if l.text == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		if !direct {
			b.WriteString(e.names.of(l.person) + ": ")
		}
		b.WriteString(e.redact(l.text))
	}
	return b.String()
}

// reason returns why a reply is left out, "" if it is not.
func (e *exporter) reason(l message) (Reason, error) {
	t := &e.talk
	answers, err := e.judge.countAnswered(l.turn)
	if err != nil {
		return "", err
	}
	switch {
	case l.text == "" || answers.forgotten > 0:
		return Forgotten, nil
	case l.turn == 0 || l.record.thinned && !l.record.exact:
		return Unknown, nil
	case t.barred != 0 && t.barred >= l.record.window(t.first):
		return t.why, nil
	}
	l.record.turn = l.turn
	if why, err := e.judge.reasonOnRecord(l, t.first); why != "" || err != nil {
		return why, err
	}
	for _, m := range t.pending {
		if danger, err := e.judge.spokeOfDanger(m.person, l.at); danger || err != nil {
			return Care, err
		}
	}
	if why := unfit(t.pending); why != "" {
		return why, nil
	}
	if e.namesForeign(l) {
		return Named, nil
	}
	prompted := false
	for _, m := range t.pending {
		if e.namesForeign(m) {
			return Named, nil
		}
		prompted = prompted || m.text != ""
	}
	if !prompted || answers.people == 0 {
		return Unprompted, nil
	}
	return "", nil
}

// namesForeign reports whether a message names somebody who did not agree, or who was erased.
func (e *exporter) namesForeign(l message) bool { return l.namesErased || e.names.foreign(l.text) }
