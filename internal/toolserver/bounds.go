package toolserver

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"familiar/internal/web/readable"
)

const (
	maxFrame       = 4 << 20  // bytes of one message
	maxPerMinute   = 32 << 20 // bytes of all messages
	maxPages       = 16       // of a list of tools
	maxName        = 48       // bytes of a tool's name
	maxDescription = 300      // runes of a tool's description
	maxNote        = 160      // runes of a text within a schema
	maxSchema      = 8 << 10  // bytes of a schema
	maxDepth       = 12       // of a schema
)

// bounded returns a tool as it can be offered to a model. The error says why it cannot.
func bounded(t *mcp.Tool) (Tool, error) {
	if t == nil || t.Name == "" || len(t.Name) > maxName {
		return Tool{}, fmt.Errorf("one has no name of 1 to %d bytes", maxName)
	}
	name := readable.Line(t.Name, maxName)
	schema, ok := t.InputSchema.(map[string]any)
	if !ok || schema["type"] != "object" {
		return Tool{}, fmt.Errorf("%s takes no object", name)
	}
	if !shorten(schema, 0) {
		return Tool{}, fmt.Errorf("%s has a schema that is nested too deep", name)
	}
	encoded, err := json.Marshal(schema)
	if err != nil || len(encoded) > maxSchema {
		return Tool{}, fmt.Errorf("%s has a schema of more than %d KB", name, maxSchema>>10)
	}
	return Tool{Name: t.Name, Description: readable.Line(t.Description, maxDescription), Schema: encoded}, nil
}

// shorten cuts the texts within a schema and removes what describes nothing. It reports whether the schema is not nested
// too deep.
func shorten(value any, depth int) bool {
	if depth > maxDepth {
		return false
	}
	switch v := value.(type) {
	case map[string]any:
		if depth == 0 {
			delete(v, "$schema")
		}
		delete(v, "examples")
		for key, inner := range v {
			if text, ok := inner.(string); ok {
				v[key] = readable.Line(text, maxNote)
			} else if !shorten(inner, depth+1) {
				return false
			}
		}
	case []any:
		for i, inner := range v {
			if text, ok := inner.(string); ok {
				v[i] = readable.Line(text, maxNote)
			} else if !shorten(inner, depth+1) {
				return false
			}
		}
	}
	return true
}

// textOf returns what a result says, at most MaxText bytes of it. Pictures and sounds are named only.
func textOf(r *mcp.CallToolResult) string {
	var b strings.Builder
	for _, content := range r.Content {
		switch c := content.(type) {
		case *mcp.TextContent:
			b.WriteString(c.Text)
		case *mcp.ImageContent:
			fmt.Fprintf(&b, "[a picture of %d KB, not shown]", len(c.Data)>>10)
		case *mcp.AudioContent:
			fmt.Fprintf(&b, "[a sound of %d KB, not shown]", len(c.Data)>>10)
		case *mcp.ResourceLink:
			fmt.Fprintf(&b, "[see %s]", readable.Line(c.URI, maxDescription))
		case *mcp.EmbeddedResource:
			if c.Resource != nil {
				b.WriteString(c.Resource.Text)
			}
		}
		b.WriteByte('\n')
		if b.Len() > MaxText {
			break
		}
	}
	if strings.TrimSpace(b.String()) == "" && r.StructuredContent != nil {
		encoded, _ := json.Marshal(r.StructuredContent) // it came as JSON
		b.Write(encoded)
	}
	return cut(strings.TrimSpace(strings.ToValidUTF8(b.String(), "\uFFFD")))
}

func cut(text string) string {
	if len(text) <= MaxText {
		return text
	}
	end := MaxText
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "\n[the rest is left out]"
}

// conceal replaces secrets in a text. Very short ones would destroy it, and are none.
func conceal(text string, secrets []string) string {
	const shortest = 6
	for _, secret := range secrets {
		if len(secret) >= shortest {
			text = strings.ReplaceAll(text, secret, "[secret]")
		}
	}
	return text
}

// errFlood reports a server that sends more than anybody reads.
var errFlood = errors.New("it floods: it sent more than 32 MB in a minute")

// meter counts what one server sends, over all its streams.
type meter struct {
	now      func() time.Time
	exceeded func(error)

	mu    sync.Mutex
	since time.Time
	bytes int
}

// read returns r, counted.
func (m *meter) read(r io.ReadCloser) io.ReadCloser { return metered{r, m} }

type metered struct {
	io.ReadCloser
	meter *meter
}

func (r metered) Read(p []byte) (int, error) {
	n, err := r.ReadCloser.Read(p)
	if r.meter.count(n) {
		return 0, errFlood
	}
	return n, err
}

// count adds to what was sent and reports whether it is too much.
func (m *meter) count(n int) bool {
	m.mu.Lock()
	if now := m.now(); now.Sub(m.since) > time.Minute {
		m.since, m.bytes = now, 0
	}
	m.bytes += n
	flood := m.bytes > maxPerMinute
	m.mu.Unlock()
	if flood {
		m.exceeded(errFlood)
	}
	return flood
}
