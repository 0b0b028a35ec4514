package answer

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// wire removes what belongs to the transport: invalid bytes, reasoning between marks, channels, chat marks and the
// prompt's fence.
type wire struct {
	next  stage
	fence []string
	// pending may become a mark with the next piece. It is never longer than the longest mark.
	pending string
	// bad reports that invalid bytes came that a replacement character will stand for.
	bad bool
	// depth counts the marks of reasoning that are open.
	depth int
	// place is where in a chat format the text stands; header is the text of a header or a channel's name.
	place  place
	header strings.Builder
	// began reports that something visible came, ended that the turn is over, struck that <s> came.
	began, ended, struck bool
	// announced reports that reasoning ended that no mark had begun.
	announced bool
	onReset   func()
}

// place is a place in a chat format.
type place int

const (
	inAnswer  place = iota
	inHeader        // the role of a message, up to its channel, its text or the end of the line
	inChannel       // the name of a channel, up to its text
	inHidden        // the text of a channel that is not the answer's
	between         // after a message
)

func newWire(fence string, next stage) *wire {
	w := &wire{next: next}
	if fence != "" {
		w.fence = []string{"<" + fence + ">", "</" + fence + ">", fence}
	}
	return w
}

func (w *wire) write(piece string) {
	w.pending += piece
	w.scan(false)
}

func (w *wire) close() {
	w.scan(true)
	if w.bad {
		w.bad = false
		w.emit("\uFFFD")
	}
	w.next.close()
}

func (w *wire) reset() {}

// scan passes on what is decided of the pending text; complete means that nothing follows.
func (w *wire) scan(complete bool) {
	text := w.pending
	w.pending = ""
	from := 0
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && size == 1 {
			w.emit(text[from:i])
			if !complete && !utf8.FullRuneInString(text[i:]) {
				w.pending = text[i:]
				return
			}
			w.bad = true
			i++
			from = i
			continue
		}
		if w.bad {
			w.bad = false
			w.emit("\uFFFD")
		}
		if !w.mayStart(text[i]) {
			i += size
			continue
		}
		if !w.began {
			w.emit(text[from:i]) // what the text at i means depends on whether something came before it
			from = i
		}
		m, more := w.match(text[i:], complete)
		if more && !complete {
			w.emit(text[from:i])
			w.pending = text[i:]
			return
		}
		if m.length == 0 {
			i += size
			continue
		}
		w.emit(text[from:i])
		w.apply(m)
		i += m.length
		from = i
	}
	w.emit(text[from:])
}

// mayStart reports whether a mark may start with a byte.
func (w *wire) mayStart(b byte) bool {
	switch b {
	case '<', '&', '[', kimiOpen[0], 'a':
		return true
	case 'f', 'c':
		return !w.began
	}
	return len(w.fence) > 0 && b == w.fence[2][0]
}

// emit passes text on, if it is visible where it stands.
func (w *wire) emit(text string) {
	if text == "" || w.depth > 0 || w.ended {
		return
	}
	switch w.place {
	case inHeader:
		role, rest, found := strings.Cut(text, "\n")
		w.header.WriteString(role)
		if !found {
			return
		}
		w.enter(w.visibleRole())
		w.emit(rest)
	case inChannel:
		w.header.WriteString(text)
	case inAnswer:
		w.began = w.began || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsSpace(r) })
		w.next.write(text)
	case inHidden, between:
	}
}

// enter continues in the answer if visible, otherwise in hidden text.
func (w *wire) enter(visible bool) {
	w.place = inHidden
	if visible {
		w.place = inAnswer
	}
	w.header.Reset()
}

// visibleRole reports whether the header names the role of the answer.
func (w *wire) visibleRole() bool {
	switch strings.ToLower(strings.TrimSpace(w.header.String())) {
	case "user", "human", "system", "developer", "tool":
		return false
	}
	return true
}

// apply acts on a mark.
func (w *wire) apply(m mark) {
	switch m.kind {
	case opensReasoning:
		w.depth++
	case closesReasoning:
		if w.depth > 0 {
			w.depth--
			return
		}
		w.announced = true
		w.restart()
	case fenceMark:
		w.emit(" ") // so that the text around a mark does not form a new one
	case dropped:
	case strikes:
		w.struck = true
	case finalChannel:
		w.depth = 0
		w.restart()
	case otherChannel:
		w.enter(false)
	case startsTurn:
		if w.place == inAnswer && w.began {
			w.ended = true
			return
		}
		w.place = inHeader
		w.header.Reset()
	case namesChannel:
		w.place = inChannel
		w.header.Reset()
	case startsMessage:
		if w.place == inChannel {
			w.enter(strings.HasPrefix(strings.TrimSpace(w.header.String()), "final"))
			return
		}
		w.enter(w.visibleRole())
	case endsTurn:
		w.endTurn()
	case otherTurn:
		w.endTurn()
		w.place = inHidden
	case strikeEnd:
		if !w.struck {
			w.endTurn()
		}
	}
}

// endTurn ends the answer, or the hidden text before it.
func (w *wire) endTurn() {
	w.ended = w.ended || w.place == inAnswer && w.began
	if w.place != inAnswer {
		w.place = between
	}
}

// restart drops everything so far.
func (w *wire) restart() {
	if w.onReset != nil {
		w.onReset()
	}
	w.began, w.ended, w.place = false, false, inAnswer
	w.next.reset()
}
