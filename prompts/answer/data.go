package answer

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// data drops what is meant for a program: JSON in place of an answer, and calls that the model makes up, in tags, in code
// blocks, as JSON, or as a whole answer. Other JSON and code is part of what is said.
type data struct {
	next stage
	// pending is the beginning of a line that is not decided yet, within reports that the running line is passed on.
	pending string
	within  bool
	// started reports that something visible was passed on, long that everything is: what may be data grew too long.
	started, long bool
}

// longestData is the longest text that may be data, in bytes.
const longestData = 8 << 10

func (d *data) write(text string) {
	d.pending += text
	d.scan(false)
}

func (d *data) close() {
	d.scan(true)
	d.next.close()
}

func (d *data) reset() {
	*d = data{next: d.next}
	d.next.reset()
}

// scan passes on what is decided of the pending text.
func (d *data) scan(complete bool) {
	for d.pending != "" {
		if d.long {
			d.pass(len(d.pending))
			return
		}
		if d.within {
			n := strings.IndexByte(d.pending, '\n') + 1
			d.within = n == 0
			if n == 0 {
				n = len(d.pending)
			}
			d.pass(n)
			continue
		}
		text := strings.TrimLeftFunc(d.pending, unicode.IsSpace)
		space := len(d.pending) - len(text)
		n, drop, more := d.first(text[:min(len(text), longestData)])
		switch {
		case more && len(text) >= longestData:
			d.long = true
		case more && !complete:
			return
		case drop:
			d.pending = d.pending[space+n:]
		default:
			d.within = true
			d.pass(space + n)
		}
	}
}

// pass passes on the first n bytes of the pending text.
func (d *data) pass(n int) {
	if n == 0 {
		return
	}
	text := d.pending[:n]
	d.pending = d.pending[n:]
	d.started = d.started || strings.TrimSpace(text) != ""
	d.next.write(text)
}

// first decides on the beginning of a line: whether its first n bytes are dropped, or passed on unread. more reports that
// what follows decides; if nothing follows, the rest of the answer counts.
func (d *data) first(text string) (n int, drop, more bool) {
	if text == "" {
		return 0, false, true
	}
	switch {
	case text[0] == '{' || text[0] == '[':
		if inner := strings.TrimLeftFunc(text[1:], unicode.IsSpace); text[0] == '[' && (inner == "" || inner[0] != '{') {
			n, drop, more = tagged(text)
			return n, drop, more || inner == ""
		}
		return d.json(text)
	case text[0] == '<':
		return tagged(text)
	case text[0] == '`':
		return block(text)
	case !d.started:
		if begins, unsure := callBegins(text); !begins {
			return 0, false, unsure
		}
		line := strings.TrimSpace(text)
		return len(text), callLine.MatchString(line), !strings.Contains(line, "\n")
	}
	return 0, false, false
}

var (
	// jsonBegins matches the beginning of a JSON object, or of a list of such.
	jsonBegins = regexp.MustCompile(`^(?:\[\s*)?\{\s*["“']`)
	// callLine matches a call as programs write it that is a whole answer: recall(query="the cat").
	callLine = regexp.MustCompile(`^[A-Za-z_]\w*\(\s*\w+\s*=\s*["'].*["']\s*\)$`)
)

// callBegins reports whether a text begins like a call. unsure reports that it may.
func callBegins(text string) (begins, unsure bool) {
	for i := range len(text) {
		if b := text[i]; b != '_' && !isLetter(b) && !isDigit(b) {
			return i > 0 && b == '(', false
		}
	}
	return false, true
}

// json decides on a text that begins with a brace: it is data if it is JSON in place of an answer, or a call.
func (d *data) json(text string) (n int, drop, more bool) {
	if !jsonBegins.MatchString(text) {
		return 0, false, strings.Trim(text, "[{ \t\r\n") == ""
	}
	value, end, err := parseValue(text, 0)
	if errors.Is(err, errTruncated) {
		return len(text), !d.started, true
	}
	if err != nil {
		return 0, false, false
	}
	fields, _ := value.(map[string]any)
	return end, !d.started || isCall(fields), false
}

// block decides on a text that begins with a mark of code: a block is data if it holds a call.
func block(text string) (n int, drop, more bool) {
	if !strings.HasPrefix(text, codeFence) {
		return 0, false, strings.HasPrefix(codeFence, text)
	}
	head, body, found := strings.Cut(text, "\n")
	end := strings.Index(body, codeFence)
	if !found || end < 0 {
		return 0, false, true
	}
	language := strings.ToLower(strings.TrimLeft(head, "`"))
	value, _, err := parseValue(body[:end], 0)
	fields, _ := value.(map[string]any)
	calls := strings.HasPrefix(language, "tool") || strings.HasPrefix(language, "function") || err == nil && isCall(fields)
	return len(head) + 1 + end + len(codeFence), calls, false
}

// callTags are the names of tags around calls.
var callTags = []string{"tool_calls", "tool_call", "toolcall", "function_calls", "function_call", "function", "tool_use", "invoke"}

// tagged decides on a text that begins with a bracket: it is data from a tag around a call to its end. An end without a
// beginning is data too.
func tagged(text string) (n int, drop, more bool) {
	name, closes := strings.CutPrefix(text[1:], "/")
	name = strings.ToLower(name)
	at := strings.IndexFunc(name, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) })
	if at < 0 {
		begins := slices.ContainsFunc(callTags, func(tag string) bool { return strings.HasPrefix(tag, name) })
		return 0, false, begins
	}
	if !slices.Contains(callTags, name[:at]) || !strings.ContainsRune(">] =\n", rune(name[at])) {
		return 0, false, false
	}
	open := strings.IndexAny(text, ">]") + 1
	if open == 0 || closes {
		return open, open > 0, open == 0
	}
	for _, end := range []string{"</" + name[:at] + ">", "[/" + name[:at] + "]"} {
		if i := strings.Index(lowered(text), end); i > 0 {
			return i + len(end), true, false
		}
	}
	return len(text), true, true
}

// lowered returns a text with its ASCII letters in lower case, so that offsets stay.
func lowered(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, text)
}

// isCall reports whether a JSON object has the fields of a call.
func isCall(fields map[string]any) bool {
	has := func(names ...string) bool {
		for _, name := range names {
			if fields[name] != nil {
				return true
			}
		}
		return false
	}
	return has("tool_calls", "tool_call", "function_call") || has("name", "tool", "tool_name", "function", "action") && has("arguments", "parameters", "args", "input", "action_input", "params")
}
