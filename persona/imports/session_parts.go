package imports

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
)

// said is the content of a message: a text, or a list of parts of which some are texts. Calls of tools, their results, pictures
// and thoughts are other kinds of parts.
type said struct{ text string }

// UnmarshalJSON implements json.Unmarshaler. Content of another form is "".
func (t *said) UnmarshalJSON(data []byte) error {
	t.text = ""
	if len(data) > 0 && data[0] == '"' {
		return json.Unmarshal(data, &t.text)
	}
	if len(data) == 0 || data[0] != '[' || !bytes.Contains(data, []byte(`text"`)) {
		return nil
	}
	var parts []saidPart
	if json.Unmarshal(data, &parts) != nil {
		return nil //nolint:nilerr // a list of something else says nothing
	}
	var texts []string
	for _, p := range parts {
		switch p.kind {
		case "", "text", "input_text", "output_text":
			if p.text != "" {
				texts = append(texts, p.text)
			}
		}
	}
	t.text = strings.Join(texts, "\n\n")
	return nil
}

// saidPart is one part: an object, or a plain text.
type saidPart struct{ kind, text string }

// UnmarshalJSON implements json.Unmarshaler.
func (p *saidPart) UnmarshalJSON(data []byte) error {
	if data[0] == '"' {
		return json.Unmarshal(data, &p.text)
	}
	if data[0] != '{' {
		p.kind = "none"
		return nil
	}
	var o struct {
		Type loose `json:"type"`
		Text loose `json:"text"`
	}
	if err := json.Unmarshal(data, &o); err != nil {
		return err
	}
	p.kind, p.text = string(o.Type), string(o.Text)
	return nil
}

// elementBegin matches the beginning of an element that a program adds to what a person wrote. Its name has several parts, or only
// capitals: <system-reminder>, <environment_context>, <INSTRUCTIONS>.
var elementBegin = regexp.MustCompile(`^<([A-Za-z][A-Za-z0-9]*(?:[_-][A-Za-z0-9]+)+|[A-Z]{4,})(?: [^<>\n]*)?>`)

// elementEnd matches such an element's end.
var elementEnd = regexp.MustCompile(`</([A-Za-z][A-Za-z0-9]*(?:[_-][A-Za-z0-9]+)+|[A-Z]{4,})>$`)

// unwrapped returns a text without the elements at its beginning and its end that a program added. Of one called keep, the content
// stays. A heading that only such an element follows goes with it.
func unwrapped(text, keep string) string {
	var kept []string
	for text = strings.TrimSpace(text); ; {
		found := elementBegin.FindStringSubmatch(text)
		if found == nil {
			break
		}
		end := "</" + found[1] + ">"
		content, rest, closed := strings.Cut(text[len(found[0]):], end)
		if !closed {
			break
		}
		if found[1] == keep {
			kept = append(kept, strings.TrimSpace(content))
		}
		text = strings.TrimSpace(rest)
	}
	text = withoutEnd(text)
	return strings.TrimSpace(strings.Join(append(kept, text), "\n"))
}

// withoutEnd removes the elements at the end of a text.
func withoutEnd(text string) string {
	cut := false
	for strings.HasSuffix(text, ">") {
		found := elementEnd.FindStringSubmatch(text)
		if found == nil {
			break
		}
		i := strings.LastIndex(text, "<"+found[1]+">")
		if i < 0 || i > 0 && text[i-1] != '\n' {
			break
		}
		text, cut = strings.TrimSpace(text[:i]), true
	}
	if cut && strings.HasPrefix(text, "# ") && !strings.Contains(text, "\n") {
		return ""
	}
	return text
}
