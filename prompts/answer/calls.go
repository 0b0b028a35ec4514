package answer

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// Call is the use of a tool that a model wrote into its answer in place of calling it.
type Call struct {
	// Name is empty if the text that stands for a call could not be read; Arguments is then that text.
	Name, Arguments string
}

// calls takes calls of tools out of a text, where tools were offered: between tags or in a code block of their own, after
// a mark, and as JSON. JSON that calls no tool is passed on.
type calls struct {
	next stage
	// names are the offered tools.
	names []string
	// pending may become a call, or is one that is not complete.
	pending string
	// lost reports that a call did not end: nothing more is passed on.
	lost  bool
	found []Call
}

func newCalls(names []string, next stage) *calls { return &calls{next: next, names: names} }

func (c *calls) write(text string) {
	if len(c.names) == 0 {
		c.emit(text)
		return
	}
	c.pending += text
	c.scan(false)
}

func (c *calls) close() {
	c.scan(true)
	c.next.close()
}

func (c *calls) reset() {
	*c = calls{next: c.next, names: c.names}
	c.next.reset()
}

// opener is how a call may begin in a text.
type opener struct {
	begin, end string
	// bare reports that what follows is the call itself, so that it is one only if it can be read.
	bare bool
}

var openers = []opener{
	{"<tool_call>", "</tool_call>", false},
	{"<tool_calls>", "</tool_calls>", false},
	{"<toolcall>", "</toolcall>", false},
	{"<function_call>", "</function_call>", false},
	{"<function_calls>", "</function_calls>", false},
	{"<tool_use>", "</tool_use>", false},
	{"<function=", "</function>", false},
	{"<invoke ", "</invoke>", false},
	{"[tool_calls]", "", false},
	{"[tool_call]", "[/tool_call]", false},
	{"```tool", "```", false},
	{"```function", "```", false},
	{"```json", "```", true},
	{"```\n", "```", true},
	{"{", "", true},
	{"[", "", true},
}

// closers are ends of calls that nothing began: a call that was taken out may be followed by one.
var closers = []string{"</tool_call>", "</tool_calls>", "</function_calls>", "</tool_use>", "[/tool_call]"}

const (
	// longestCall is how long a call may be, in bytes. What follows the beginning of a longer one is dropped.
	longestCall = 8 << 10
	// longestBare is the longest JSON that is taken for a call: what is longer is not held back.
	longestBare = 2 << 10
)

// scan passes on what is no call; complete means that nothing follows.
func (c *calls) scan(complete bool) {
	if c.lost {
		c.pending = ""
	}
	for c.pending != "" {
		at, o, more := c.find(complete)
		c.emit(c.pending[:at])
		c.pending = c.pending[at:]
		if more || c.pending == "" {
			return
		}
		if o.begin == "" { // an end without a beginning
			c.pending = c.pending[len(o.end):]
			continue
		}
		most := longestCall
		if o.bare {
			most = longestBare + 1
		}
		length, ended := o.length(c.pending[:min(len(c.pending), most)])
		switch {
		case o.bare && length > longestBare:
			c.emit(c.pending[:1])
			c.pending = c.pending[1:]
			continue
		case !ended && length == longestCall:
			c.lost = true
			c.pending = c.pending[:length]
		case !ended && !complete:
			return
		}
		read := readCalls(c.pending[:length])
		if o.bare {
			read = known(read, c.names) // else whoever makes the calls tells the model of a wrong name
		}
		switch {
		case len(read) > 0:
			c.found = append(c.found, read...)
		case o.bare:
			c.emit(c.pending[:length])
		default:
			c.found = append(c.found, Call{Arguments: strings.TrimSpace(c.pending[:length])})
		}
		c.pending = c.pending[length:]
	}
}

// find returns where the first call may begin, the length of the text if nowhere. more reports that what follows decides.
func (c *calls) find(complete bool) (at int, o opener, more bool) {
	for i, r := range c.pending {
		if r == '<' || r == '[' || r == '`' || r == '{' {
			rest := lower(c.pending[i:min(len(c.pending), i+longestOpening)])
			for _, o := range openers {
				if strings.HasPrefix(rest, o.begin) {
					return i, o, false
				}
				if strings.HasPrefix(o.begin, rest) && !complete {
					return i, opener{}, true
				}
			}
			for _, end := range closers {
				if strings.HasPrefix(rest, end) {
					return i, opener{end: end}, false
				}
				if strings.HasPrefix(end, rest) && !complete {
					return i, opener{}, true
				}
			}
		}
	}
	return len(c.pending), opener{}, false
}

// longestOpening is the length of the longest opener or closer.
const longestOpening = 20

// length returns how much of a text belongs to the call that it begins with, all of it unless it has ended.
func (o opener) length(text string) (length int, ended bool) {
	if o.end != "" {
		at := strings.Index(lower(text[len(o.begin):]), o.end)
		if at < 0 {
			return len(text), false
		}
		return len(o.begin) + at + len(o.end), true
	}
	from := strings.IndexAny(text, "{[")
	if o.begin == "[tool_calls]" {
		from = len(o.begin) + strings.IndexAny(text[len(o.begin):], "{[")
		if from < len(o.begin) {
			return len(text), false
		}
	}
	if end := balanced(text, from); end > 0 {
		return end, true
	}
	return len(text), false
}

// balanced returns where the JSON value that begins at from ends, 0 if it does not.
func balanced(text string, from int) int {
	depth, quoted := 0, false
	for i := from; i < len(text); i++ {
		switch b := text[i]; {
		case quoted && b == '\\':
			i++
		case b == '"':
			quoted = !quoted
		case quoted:
		case b == '{' || b == '[':
			depth++
		case b == '}' || b == ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

func (c *calls) emit(text string) {
	if text != "" {
		c.next.write(text)
	}
}

// lower returns a text in lower case as far as it is ASCII, so that offsets stay.
func lower(text string) string {
	plain := []byte(text)
	for i, b := range plain {
		if b >= 'A' && b <= 'Z' {
			plain[i] = b + 'a' - 'A'
		}
	}
	return string(plain)
}

var (
	// taggedCall is a call in tags of its own: <function=recall><parameter=query>…, <invoke name="recall"><parameter
	// name="query">…
	taggedCall  = regexp.MustCompile(`(?is)<(?:function\s*=\s*|invoke\s+name\s*=\s*)["']?([\w.-]+)["']?\s*>(.*?)(?:</(?:function|invoke)>|$)`)
	taggedValue = regexp.MustCompile(`(?is)<parameter\s*(?:=\s*|name\s*=\s*)["']?([\w.-]+)["']?\s*>(.*?)</parameter>`)
	// writtenCall is a call as programs write it: recall("the cat"), recall(query="the cat").
	writtenCall = regexp.MustCompile(`(?s)([A-Za-z_]\w*)\s*\(\s*(?:(\w+)\s*=\s*)?("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')((?:\s*,\s*\w+\s*=\s*(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'))*)\s*,?\s*\)`)
	writtenMore = regexp.MustCompile(`(?s)(\w+)\s*=\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')`)
)

// readCalls returns the calls in a text that may be meant as such.
func readCalls(text string) (found []Call) {
	for _, m := range taggedCall.FindAllStringSubmatch(text, -1) {
		values := make(map[string]any)
		for _, v := range taggedValue.FindAllStringSubmatch(m[2], -1) {
			values[v[1]] = strings.TrimSpace(v[2])
		}
		found = append(found, Call{m[1], jsonOf(values)})
	}
	if len(found) > 0 {
		return found
	}
	for at, tried := 0, 0; at < len(text) && tried < maxCandidates; at++ {
		if text[at] != '{' && text[at] != '[' {
			continue
		}
		tried++
		value, end, err := parseValue(text, at)
		if err != nil {
			continue
		}
		if some := CallsIn(value); len(some) > 0 {
			found = append(found, some...)
			at = end - 1
		}
	}
	if len(found) > 0 {
		return found
	}
	if text[0] == '{' {
		return nil
	}
	for _, m := range writtenCall.FindAllStringSubmatch(text, -1) {
		values := map[string]any{m[2]: unquoted(m[3])}
		for _, v := range writtenMore.FindAllStringSubmatch(m[4], -1) {
			values[v[1]] = unquoted(v[2])
		}
		found = append(found, Call{m[1], jsonOf(values)})
	}
	return found
}

// known returns calls if one of them names an offered tool: the others are mistakes to tell the model of.
func known(found []Call, names []string) []Call {
	if !slices.ContainsFunc(found, func(c Call) bool { return slices.Contains(names, c.Name) }) {
		return nil
	}
	return found
}

// CallsIn returns the calls that a JSON value holds: an object with a name and arguments, or a list of such.
func CallsIn(value any) (found []Call) {
	switch v := value.(type) {
	case []any:
		for _, each := range v {
			found = append(found, CallsIn(each)...)
		}
	case map[string]any:
		for _, key := range []string{"name", "tool", "tool_name", "function", "action"} {
			switch name := v[key].(type) {
			case string:
				return []Call{{name, argumentsIn(v)}}
			case map[string]any:
				return CallsIn(name)
			}
		}
		for _, key := range []string{"tool_calls", "function_call", "tool_call", "calls"} {
			if inner, ok := v[key]; ok {
				return CallsIn(inner)
			}
		}
	}
	return found
}

// argumentsIn returns the arguments of a call as JSON.
func argumentsIn(call map[string]any) string {
	for _, key := range []string{"arguments", "parameters", "args", "input", "action_input", "params"} {
		switch v := call[key].(type) {
		case nil:
		case string:
			return v
		default:
			return jsonOf(v)
		}
	}
	return "{}"
}

func jsonOf(v any) string {
	plain, err := json.Marshal(v)
	if err != nil {
		return "{}"
	}
	return string(plain)
}

// unquoted returns the text between quotation marks.
func unquoted(text string) string {
	return strings.NewReplacer(`\"`, `"`, `\'`, `'`, `\n`, "\n").Replace(text[1 : len(text)-1])
}
