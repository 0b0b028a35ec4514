package answer_test

// B4: a call of a tool that a model writes as text is found, whatever its form, and is neither said nor shown.

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"familiar/prompts/answer"
)

// TestB4CallsInWordsAreNotSaid reads answers in which a model wrote its calls as text, whole and byte by byte.
func TestB4CallsInWordsAreNotSaid(t *testing.T) {
	recall := func(arguments string) answer.Call { return answer.Call{Name: "recall", Arguments: arguments} }
	for _, tt := range []struct {
		name, text, said string
		calls            []answer.Call
	}{
		{"hermes", "Let me think.\n<tool_call>\n{\"name\": \"recall\", \"arguments\": {\"query\": \"the cat\"}}\n</tool_call>", "Let me think.", []answer.Call{recall(`{"query":"the cat"}`)}},
		{
			"upper case, two of them", `<TOOL_CALL>{"name":"recall","arguments":{"query":"a"}}</TOOL_CALL><tool_call>{"name":"note","arguments":{"text":"b"}}</tool_call>`, "",
			[]answer.Call{recall(`{"query":"a"}`), {Name: "note", Arguments: `{"text":"b"}`}},
		},
		{"not closed", `<tool_call>{"name":"recall","arguments":{"query":"a"}}`, "", []answer.Call{recall(`{"query":"a"}`)}},
		{"closed twice", `<tool_call>{"name":"recall","arguments":{"query":"a"}}</tool_call></tool_call> Hello.`, "Hello.", []answer.Call{recall(`{"query":"a"}`)}},
		{"mistral", `[TOOL_CALLS][{"name": "recall", "arguments": {"query": "a"}}]`, "", []answer.Call{recall(`{"query":"a"}`)}},
		{"bare", `{"name": "recall", "parameters": {"query": "a"}}`, "", []answer.Call{recall(`{"query":"a"}`)}},
		{"bare in a line", `One moment: {"name": "recall", "arguments": "{\"query\": \"a\"}"}`, "One moment:", []answer.Call{recall(`{"query": "a"}`)}},
		{"openai's form", `{"function": {"name": "recall", "arguments": {"query": "a"}}}`, "", []answer.Call{recall(`{"query":"a"}`)}},
		{"block", "```json\n{\"tool\": \"recall\", \"args\": {\"query\": \"a\"}}\n```\nSo.", "So.", []answer.Call{recall(`{"query":"a"}`)}},
		{"block for tools", "```tool_code\nprint(recall(query=\"a\"))\n```", "", []answer.Call{recall(`{"query":"a"}`)}},
		{"two arguments", "```tool_code\nremind(text=\"dentist\", when='tomorrow')\n```", "", []answer.Call{{Name: "remind", Arguments: `{"text":"dentist","when":"tomorrow"}`}}},
		{"tags", "<function=recall>\n<parameter=query>\na b\n</parameter>\n</function>", "", []answer.Call{recall(`{"query":"a b"}`)}},
		{"invoke", `<function_calls><invoke name="recall"><parameter name="query">a</parameter></invoke></function_calls>`, "", []answer.Call{recall(`{"query":"a"}`)}},
		{
			"broken", "Wait. <tool_call>{\"name\": \"recall\", \"arguments\": {\"query\": </tool_call> Hello.", "Wait. Hello.",
			[]answer.Call{{Arguments: `<tool_call>{"name": "recall", "arguments": {"query": </tool_call>`}},
		},
		{"unknown", "<tool_call>{\"name\": \"search\", \"arguments\": {}}</tool_call>", "", []answer.Call{{Name: "search", Arguments: "{}"}}},
		{"unknown without tags", "{\"name\": \"search\", \"arguments\": {}}", "", nil},
		{"other JSON", "Put this into the file:\n{\"name\": \"Ada\", \"age\": 3}", "Put this into the file:\n{\"name\": \"Ada\", \"age\": 3}", nil},
		{"other block", "```json\n{\"name\": \"Ada\"}\n```", "```json\n{\"name\": \"Ada\"}\n```", nil},
		{"brackets", "[laughs] Yes {really}, <b>so</b> `it` is.", "[laughs] Yes {really}, <b>so</b> `it` is.", nil},
		{"open bracket", "A bracket [ stays", "A bracket [ stays", nil},
		{"reasoned", `<think>{"name":"recall","arguments":{"query":"a"}}</think>Hello.`, "Hello.", nil},
	} {
		for _, size := range []int{len(tt.text), 1, 3} {
			r := answer.NewReader(answer.Options{Name: "Ines", Tools: []string{"recall", "note", "remind"}})
			for piece := range slices.Chunk([]byte(tt.text), size) {
				r.Write(string(piece))
			}
			shown := r.Shown()
			said, _ := r.Close()
			if strings.Join(strings.Fields(said), " ") != strings.Join(strings.Fields(tt.said), " ") || !slices.Equal(r.Calls(), tt.calls) {
				t.Errorf("%s by %d bytes: said %q, calls %q", tt.name, size, said, r.Calls())
			}
			if strings.Contains(shown, "recall") {
				t.Errorf("%s by %d bytes: showed %q", tt.name, size, shown)
			}
		}
	}
	if said, err := answer.Clean(`{"name": "recall", "arguments": {}}`, answer.Options{Name: "Ines"}); err == nil || said != "" {
		t.Errorf("a call that a model makes up without tools is said: %q, %v", said, err)
	}
}

func FuzzCalls(f *testing.F) {
	for _, text := range []string{
		`a <tool_call>{"name":"recall","arguments":{"query":"a"}}</tool_call> b`, "```json\n{\"name\":\"recall\"}\n```", `[TOOL_CALLS][{"name":"recall"}] x`,
		`{"a":[{"name":"recall"}`, "<function=recall><parameter=query>x</parameter></function>", "```tool_code\nrecall('x')\n```", "[<[`{```[tool", "</tool_call",
	} {
		f.Add(text, uint64(1))
	}
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		property(t, text, answer.Options{Name: "Ines", Tools: []string{"recall", "note"}}, rand.New(rand.NewPCG(seed, 1)))
	})
}
