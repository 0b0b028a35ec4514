package llm

// B7: Anthropic's thoughts that are encrypted are passed over like the others.

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestB7RedactedThoughtsAreRenamed(t *testing.T) {
	const renamed = `"thinking"         `
	for in, want := range map[string]string{
		"":                                       "",
		"hello":                                  "hello",
		`{"type":"redacted_thinking"}`:           `{"type":` + renamed + `}`,
		`"redacted_thinking""redacted_thinking"`: renamed + renamed,
		`"redacted_think`:                        `"redacted_think`,
		`"text":"\"redacted_thinking\""`:         `"text":"\"redacted_thinking\""`,
		`""redacted_thinking"`:                   `"` + renamed,
	} {
		for name, reader := range map[string]io.Reader{
			"at once": strings.NewReader(in), "byte by byte": iotest.OneByteReader(strings.NewReader(in)), "with the end": iotest.DataErrReader(strings.NewReader(in)),
		} {
			got, err := io.ReadAll(&unredacted{ReadCloser: io.NopCloser(reader)})
			if err != nil || !bytes.Equal(got, []byte(want)) {
				t.Errorf("%s, %s: %s, %v, want %s", in, name, got, err, want)
			}
		}
	}
}
