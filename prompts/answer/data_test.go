package answer_test

// These tests belong to O3 and O4: what a program would read is not said.

import (
	"testing"

	"familiar/prompts/answer"
)

func TestO4DataIsNotSaid(t *testing.T) {
	const said = "He is called Bolt."
	const call = `{"name": "recall", "arguments": {"query": "the dog"}}`
	for _, text := range []string{
		`{"mood":"warm"} ` + said, call + "\n" + said, said + "\n" + call, said + "\n\n```json\n" + call + "\n```", said + "\n```tool_code\nrecall('x')\n```",
		"<tool_call>\n" + call + "\n</tool_call>\n" + said, said + "\n<tool_call>" + call, "[TOOL_CALL]" + call + "[/TOOL_CALL] " + said,
		"<function_calls><invoke name=\"recall\"><parameter name=\"query\">x</parameter></invoke></function_calls>\n" + said,
		"<function=recall><parameter=query>x</parameter></function></tool_call>\n" + said, `[{"role":"assistant"}] ` + said,
	} {
		check(t, text, mira(), said, nil)
	}
	for _, text := range []string{
		`{"mood":"warm","reply":"` + said + `"}`, " \n{\n  \"reply\": \"" + said + "\"\n}\n", `{"reply": "He is cal`, call, "[" + call + "]", `recall(query="the dog")`,
		"<tool_call>" + call + "</tool_call>", "<TOOL_CALL>" + call, "Mira: " + call, "```json\n" + call + "\n```", "note(text='a', when=\"tomorrow\")\n",
	} {
		check(t, text, mira(), "", answer.ErrEmpty)
	}
	for _, text := range []string{
		"{hugs} Sit down.", "{ and } frame it.", "[laughs] Sit down.", "[ ] tea\n[x] milk", "<3 you", "<b>so</b>", "<tools are here>", "Put this into the file:\n{\"name\": \"Ada\", \"age\": 3}",
		"```json\n{\"name\": \"Ada\"}\n```", "So:\n```\nprint(recall(query=\"a\"))\n```\nThat is it.", "haha(really)", "f(x)=\"y\" is a function", "Look:\n[1] one\n[2] two", "{", "[", "<", "`so` it is",
	} {
		want, fault := text, error(nil)
		if !answer.HasContent(text) {
			fault = answer.ErrEmpty
		}
		check(t, text, mira(), want, fault)
	}
}

func TestO2NothingOfReasoningIsLeftToSay(t *testing.T) {
	for text, want := range map[string]string{
		"The user is asking about the dog. I should respond in character and keep it brief.\n\nBolt.":           "",
		"He is called Bolt. The user is asking about the dog. I should respond in character and keep it brief.": "He is called Bolt.",
	} {
		check(t, text, mira(), "", answer.ErrReasoning)
		if left, _ := answer.Clean(text, mira()); left != want {
			t.Errorf("of %q %q is left, want %q", text, left, want)
		}
	}
}

func TestO4AnAnnouncementIsNoSentence(t *testing.T) {
	for text, want := range map[string]string{"My instructions:\n": "", "Sit down.\nHere they are:\n- one": "Sit down.", "Two things:\n- tea.\n- mil": "Two things:\n- tea."} {
		if got := answer.Sentences(text); got != want {
			t.Errorf("Sentences(%q) = %q, want %q", text, got, want)
		}
	}
}
