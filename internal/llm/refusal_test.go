package llm

// O5: what servers say about a request that they reject is read whatever its form.

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzRefusal reads any body as a refusal of a request. Nothing that it says may leave out what makes the request, or
// make it larger.
func FuzzRefusal(f *testing.F) {
	for _, seed := range []string{
		``, `{}`, `[]`, `null`, `"max_tokens"`, `{"error":"temperature"}`, `{"error":{"message":"at most 12","param":"max_tokens"}}`,
		`{"detail":[{"loc":["body","stop",0],"msg":"no"}]}`, `{"error":{"metadata":{"raw":"{\"error\":{\"metadata\":{\"raw\":\"x\"}}}"}}}`,
		`{"error":{"n_ctx":1e300}}`, `{"error":{"code":429.5}}`, `<html>`, "data: {\"error\":1}\n", `{"error":{"message":"context length 999999999999999999999"}}`,
		`{"error":"options.num_ctx 'model' 'messages' 'options'"}`, strings.Repeat(`{"error":`, 200), strings.Repeat(`[`, 20000),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r := readRefusal(data)
		if len(r.text) > refusalText+4 || !utf8.ValidString(r.text) || r.limit() < 0 || r.window < 0 {
			t.Fatalf("read %d bytes of text, limit %d", len(r.text), r.limit())
		}
		w := &watch{status: 200, head: data}
		w.refusal()
		w.status = 400
		for _, provider := range []string{"openai", "anthropic", "ollama"} {
			s := Settings{Provider: provider, Effort: "low"}
			e := &Error{Provider: provider, Status: 400}
			e.refused(r, isPage(data))
			if e.Kind == "" || e.Limit < 0 {
				t.Fatalf("%s: %+v", provider, e)
			}
			m := &manners{dropped: make(map[string]bool)}
			for range maxForms {
				body := request()
				m.apply(s, question, body)
				if !m.learn(provider, r, body) {
					break
				}
			}
			body := request()
			m.apply(s, question, body)
			var limit int
			for _, name := range kept {
				if _, ok := request()[name]; ok && body[name] == nil {
					t.Fatalf("%s: %s is left out after %q", provider, name, data)
				}
			}
			if json.Unmarshal(body[maxTokens], &limit) == nil && limit > 800 {
				t.Fatalf("%s: the limit is now %d after %q", provider, limit, data)
			}
		}
	})
}

// request returns the body of a request with every parameter.
func request() fields {
	return fields{
		"model": []byte(`"m"`), "messages": []byte(`[]`), "stream": []byte(`true`), "temperature": []byte(`0.7`), maxTokens: []byte(`800`),
		"stop": []byte(`["\nAna:"]`), "options": []byte(`{"num_ctx":4096,"num_predict":800}`), "stream_options": []byte(`{"include_usage":true}`),
	}
}
