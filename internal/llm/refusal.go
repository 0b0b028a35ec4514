package llm

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"familiar/internal/lazyregexp"
)

const (
	// maxRefusal is how many bytes of a refusal are read, refusalText how many of its message are looked at.
	maxRefusal  = 64 << 10
	refusalText = 4096
	// refusalDepth is how deep a refusal may be nested: aggregators quote the refusal of the provider behind them.
	refusalDepth = 8
)

// refusal is what a provider says about a request that it rejects. Every server has its own form; it holds what they
// have in common.
type refusal struct {
	// text is everything said in words. code holds the codes and types.
	text string
	code []string
	// params are the parameters named as such.
	params []string
	// window is the size of the context window, status the HTTP status named in the body; 0 if there is none.
	window, status int
}

// readRefusal reads the body of a response that holds no answer. What is no JSON is taken as text, unless it is a page.
func readRefusal(body []byte) refusal {
	var r refusal
	body = body[:min(len(body), maxRefusal)]
	var parsed any
	switch err := json.Unmarshal(body, &parsed); {
	case err == nil:
		r.walk("", parsed, 0)
	case !isPage(body):
		r.say(string(body))
	}
	return r
}

// walk collects what a value of a refusal says. key is its name.
func (r *refusal) walk(key string, value any, depth int) {
	if depth > refusalDepth {
		return
	}
	switch v := value.(type) {
	case map[string]any:
		// Sorted, so that the same refusal always reads the same; the request that some servers repeat is left out.
		names := make([]string, 0, len(v))
		for name := range v {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			r.walk(name, v[name], depth+1)
		}
	case []any:
		if key == "loc" {
			r.param(v)
			return
		}
		for _, item := range v {
			r.walk(key, item, depth+1)
		}
	case string:
		r.word(key, v, depth)
	case float64:
		r.number(key, v)
	}
}

// word reads a text.
func (r *refusal) word(key, v string, depth int) {
	switch key {
	case "", "error", "message", "msg", "detail", "reason", "description", "error_description":
		r.say(v)
	case "raw":
		var inner any
		if json.Unmarshal([]byte(v), &inner) == nil {
			r.walk("error", inner, depth+1)
			return
		}
		r.say(v)
	case "param":
		r.params = append(r.params, v)
	case "code", "type", "status":
		r.code = append(r.code, strings.ToLower(v))
	}
}

// number reads a number.
func (r *refusal) number(key string, v float64) {
	switch {
	case key == "n_ctx" && v >= 1 && v < 1e9:
		r.window = int(v)
	case (key == "code" || key == "status") && v >= 400 && v < 600 && r.status == 0:
		r.status = int(v)
	}
}

// param reads the place of a wrong field, such as ["body", "temperature"].
func (r *refusal) param(place []any) {
	for _, step := range place {
		if name, ok := step.(string); ok && name != "body" {
			r.params = append(r.params, name)
		}
	}
}

func (r *refusal) say(text string) {
	if room := refusalText - len(r.text); room > 0 && strings.TrimSpace(text) != "" {
		if r.text != "" {
			r.text += " "
		}
		r.text += strings.ToValidUTF8(text[:min(len(text), room)], "")
	}
}

// isPage reports whether a body is a web page.
func isPage(body []byte) bool {
	text := strings.ToLower(strings.TrimSpace(string(body[:min(len(body), 512)])))
	return strings.HasPrefix(text, "<!doctype html") || strings.HasPrefix(text, "<html") || strings.HasPrefix(text, "<?xml") ||
		strings.HasPrefix(text, "<head") || strings.HasPrefix(text, "<body")
}

// The words that servers use. They are looked for in any order and in any sentence.
var (
	contextOver = lazyregexp.New(`(?i)context[ _-]?(length|window|size|limit)[^.]{0,60}\b(exceed|only|not enough|overflow)|` +
		`(exceed|larger than|longer than|greater than|beyond|overflow)[^.]{0,60}\b(context|n_ctx)|maximum context|max_model_len|` +
		`(prompt|input|request|messages)( is| are)? too (long|large)|too many (input |prompt )?tokens|input (tokens?|length)[^.]{0,60}exceed|` +
		`reduce the length of the (messages|prompt|input)|tokens.{0,40}must be <= ?\d|context the overflows`)
	contextCodes = []string{"context_length_exceeded", "exceed_context_size_error", "context_window_exceeded", "request_too_large", "string_above_max_length"}

	digitGroup = lazyregexp.New(`(\d)[,_](\d{3})\b`)
	// limits find the number that is the limit, the surest form first.
	limits = []*lazyregexp.Regexp{
		lazyregexp.New(`> ?(\d{2,9})\b`),
		lazyregexp.New(`(?i)context[ _-]?(?:length|window|size|limit)s?\b\D{0,30}(\d{2,9})\b`),
		lazyregexp.New(`(?i)(?:\b(?:maximum|max|limit|only|allowed|up to|at most|less than or equal to)\b|<=)\D{0,50}?(\d{2,9})\b`),
	}

	modelUnknown = lazyregexp.New(`(?i)\bmodels?\b.{0,120}?(not found|not exist|not a valid|unknown|unavailable|no longer|decommissioned)|` +
		`(invalid|unknown|unsupported|no such) model|^model: \S+$|(not|no) .{0,20}model (named|called|found)|not a valid model|deployment .{0,60}not exist`)
	creditGone = lazyregexp.New(`(?i)credit balance|(insufficient|not enough) (credits?|balance|funds)|\binsufficient_quota\b|payment required`)

	modelCodes = []string{"model_not_found", "deploymentnotfound", "invalid_model", "model_not_exist", "unknown_model"}
)

// overContext reports that the prompt does not fit into the model's context window.
func (r refusal) overContext() bool {
	return r.window > 0 || r.has(contextCodes) || contextOver.MatchString(r.text)
}

// modelMissing reports that the provider has no such model.
func (r refusal) modelMissing() bool { return r.has(modelCodes) || modelUnknown.MatchString(r.text) }

// unpaid reports that nothing is left of what the account has paid.
func (r refusal) unpaid() bool {
	return r.has([]string{"insufficient_quota", "billing_error"}) || creditGone.MatchString(r.text)
}

func (r refusal) has(codes []string) bool {
	return slices.ContainsFunc(r.code, func(code string) bool { return slices.Contains(codes, code) })
}

// limit returns the limit that the refusal names, 0 if it names none.
func (r refusal) limit() int {
	if r.window > 0 {
		return r.window
	}
	text := digitGroup.ReplaceAllString(digitGroup.ReplaceAllString(r.text, "$1$2"), "$1$2")
	for _, form := range limits {
		if m := form.FindStringSubmatch(text); m != nil {
			if n, err := strconv.Atoi(m[1]); err == nil {
				return n
			}
		}
	}
	return 0
}

// named are the words for parameters that are also called by other names.
var named = map[string]*lazyregexp.Regexp{
	"temperature":      lazyregexp.New(`(?i)\btemperature\b`),
	"response_format":  lazyregexp.New(`(?i)response_format|json_schema|json_object|json mode|structured outputs?|\bgrammar\b`),
	"text":             lazyregexp.New(`(?i)\btext\.format|json_schema|json_object|structured outputs?`),
	"reasoning":        lazyregexp.New(`(?i)\breasoning`),
	"format":           lazyregexp.New("(?i)['\"`]format['\"`]|(invalid|unsupported) format|json schema|\\bgrammar\\b"),
	"reasoning_effort": lazyregexp.New(`(?i)\breasoning|\bthink(ing)?\b`),
	"think":            lazyregexp.New(`(?i)\bthink(ing)?\b`),
	"thinking":         lazyregexp.New(`(?i)\bthinking\b`),
	"stop":             lazyregexp.New("(?i)['\"`]stop['\"`]|\\bstop[ _](words|sequences?|tokens)|(parameter|argument|supplied|field)s?:? stop\\b"),
	toolsField:         lazyregexp.New(`(?i)\btools?\b|\bfunctions?[ _-]call`),
	"stop_sequences":   lazyregexp.New(`(?i)\bstop[ _](words|sequences?)`),
}

// schemaRefused is said of a schema without naming the parameter that holds it.
var schemaRefused = lazyregexp.New(`(?i)\bschemas?\b|\b(output|response) format|structured output|\badditionalProperties\b|\b(minimum|maximum|minItems|maxItems|minLength|maxLength|anyOf|oneOf)\b`)

// of returns which of the sent parameters the refusal is about, "" if none: one that it names as such, else the one
// mentioned first.
func (r refusal) of(sent []string) string {
	for _, name := range r.params {
		name, _, _ = strings.Cut(name, "[")
		for _, known := range sent {
			if name == known || strings.HasPrefix(name, known+".") || strings.HasSuffix(known, "."+name) {
				return known
			}
		}
	}
	first, found := len(r.text), ""
	for _, name := range sent {
		if at := mention(r.text, name); at >= 0 && (at < first || at == first && len(name) > len(found)) {
			first, found = at, name
		}
	}
	return found
}

// mention returns where a text names a parameter, -1 if it does not. A name that is also a common word counts in
// quotation marks only.
func mention(text, name string) int {
	if words := named[name]; words != nil {
		if at := words.FindAllStringIndex(text, 1); at != nil {
			return at[0][0]
		}
		return -1
	}
	_, last, nested := strings.Cut(name, ".")
	if !nested {
		last = name
	}
	for from := 0; ; {
		i := strings.Index(text[from:], last)
		if i < 0 {
			return -1
		}
		at := from + i
		before, after := around(text, at, at+len(last))
		if strings.ContainsAny(last, "_") && !isNameByte(before) && !isNameByte(after) || isQuote(before) && isQuote(after) {
			return at
		}
		from = at + 1
	}
}

// around returns the bytes before and after a part of a text, 0 at its ends.
func around(text string, start, end int) (before, after byte) {
	if start > 0 {
		before = text[start-1]
	}
	if end < len(text) {
		after = text[end]
	}
	return before, after
}

func isNameByte(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}

func isQuote(b byte) bool { return b == '\'' || b == '"' || b == '`' }
