package answer_test

// The requirements that these tests name:
//
//	O1: JSON is found wherever it stands in an answer, and read in the forms that models give it.
//	O2: reasoning is never said and never streamed.
//	O3: names in front, entries, lines for others and quotation marks around an answer are removed; a long answer is cut.
//	O4: refusals, recitals and empty answers are told from words to say.

import (
	"errors"
	"strings"
	"testing"

	"familiar/prompts/answer"
)

// rules are a few rules of a prompt.
const rules = `How to answer
- Write only what Mira says next: no name in front, no date, no marks, no stage directions about these rules.
- Match the length of the talk; this is a chat. Use the language you are spoken to in, English when that is unclear.
- Bring up a memory only where it helps. What is not in front of you, you do not know: say so, and never make up a shared past.`

// mira are the options of the tests' persona.
func mira() answer.Options {
	return answer.Options{Fence: "data-1", Name: "Mira Vale", Others: []string{"Ana Duarte", "Ana", "Rui"}, Rules: rules, MaxTokens: 600}
}

// stream returns everything that is shown while text arrives in pieces of n bytes.
func stream(text string, o answer.Options, n int) (shown []string) {
	r := answer.NewReader(o)
	for rest := text; rest != ""; {
		size := min(n, len(rest))
		r.Write(rest[:size])
		rest = rest[size:]
		if s := r.Shown(); s != "" {
			shown = append(shown, s)
		}
	}
	return shown
}

// check reads text whole and in pieces: the result is the same, and what is shown is a beginning of it.
func check(t *testing.T, text string, o answer.Options, want string, fault error) {
	t.Helper()
	got, err := answer.Clean(text, o)
	if fault == nil && got != want || !errors.Is(err, fault) {
		t.Errorf("Clean(%q) = %q, %v, want %q, %v", text, got, err, want, fault)
	}
	for _, n := range []int{1, 2, 3, 7, 64} {
		r := answer.NewReader(o)
		for rest := text; rest != ""; {
			size := min(n, len(rest))
			r.Write(rest[:size])
			rest = rest[size:]
			if shown := r.Shown(); !r.Withdrawn() && !strings.HasPrefix(got, shown) {
				t.Errorf("%q in pieces of %d: shows %q, which %q does not begin with", text, n, shown, got)
			}
		}
		if again, failed := r.Close(); again != got || !errors.Is(failed, err) {
			t.Errorf("%q in pieces of %d: %q, %v, and whole %q, %v", text, n, again, failed, got, err)
		}
	}
}

func TestSpoken(t *testing.T) {
	for _, c := range []struct{ answer, want string }{
		{"The lamp is lit.", "The lamp is lit."},
		{"Mira: The lamp is lit.", "The lamp is lit."},
		{"MIRA : no label", "MIRA : no label"},
		{"Fri 2026-05-01 18:30 | Mira: Aye.", "Aye."},
		{"<data-1>\nFri 2026-05-01 18:30 | you: Aye.\n</data-1>", "Aye."},
		{"<think>what a question</think>\nAye.", "Aye."},
		{"<think>cut off before the end", ""},
		{"Mira:", ""},
		{"  \n", ""},
		{"Miracles happen: sometimes.", "Miracles happen: sometimes."},
	} {
		if got, _ := answer.Clean(c.answer, answer.Options{Fence: "data-1", Name: "Mira"}); got != c.want {
			t.Errorf("Clean(%q) = %q, want %q", c.answer, got, c.want)
		}
	}
}

func TestPartialTextShowsNothingThatIsWithdrawn(t *testing.T) {
	for _, text := range []string{
		"Mira: Aye, <data-1>the lamp</data-1> is lit.",
		"<think>hm</think>Mira: Aye.",
		"A < b, and a <d is no mark.",
		"Fri 2026-05-01 18:30 | Mira: Aye.",
		"<data-1>\nyou: Fri 2026-05-01 18:30 | Aye.\n</data-1>",
		"Assistant: Mira: Aye.",
		"Frida and Miriam were here, as you know.",
	} {
		whole, _ := answer.Clean(text, answer.Options{Fence: "data-1", Name: "Mira"})
		check(t, text, answer.Options{Fence: "data-1", Name: "Mira"}, whole, nil)
		if !strings.Contains(whole, "Aye") && whole != text {
			t.Errorf("%q is said as %q", text, whole)
		}
	}
}

func TestO2ReasoningIsNeverSaid(t *testing.T) {
	const said = "He is called Bolt."
	for _, c := range []string{
		"<think>She asks.</think>" + said,
		"<THINK>\nShe asks.\n</Think>\n\n" + said,
		"<thinking type=\"inner\" depth='3'>She asks.</thinking>" + said,
		"<reasoning>a <b> c</reasoning>\n" + said,
		"<thought>one</thought><thoughts>two</thoughts>" + said,
		"<think>outer <think>inner</think> still</think>" + said,
		"She asks for the dog.</think>" + said,
		"< think >x</ think >" + said,
		"&lt;think&gt;x&lt;/think&gt;" + said,
		"[THINK]x[/THINK]" + said,
		"◁think▷x◁/think▷" + said,
		"<seed:think>x</seed:think>" + said,
		"<|begin_of_thought|>x<|end_of_thought|><|begin_of_solution|>" + said + "<|end_of_solution|>",
		"<think>x</think><answer>" + said + "</answer>",
		"<|channel|>analysis<|message|>She asks.<|end|><|start|>assistant<|channel|>final<|message|>" + said + "<|return|>",
		"<|channel|>analysis<|message|>She asks.<|end|><|start|>assistant<|channel|>commentary<|message|>x<|end|><|start|>assistant<|channel|>final <|constrain|>text<|message|>" + said,
		"<|channel|>final<|message|>" + said,
		"<|start|>assistant<|message|>" + said + "<|end|>",
		"analysisThe user asks for the dog.assistantfinal" + said,
		"analysis\nWe need to answer.assistantfinal" + said,
		"analysisUser asks.assistantcommentaryLook.assistantfinal" + said,
		"assistantfinal" + said,
		"final" + said,
		"<|im_start|>assistant\n" + said + "<|im_end|>\n<|im_start|>user\nand?",
		said + "<|eot_id|><|start_header_id|>user<|end_header_id|>and?",
		said + "</s>[INST] and? [/INST]",
		said + "<end_of_turn>\n<start_of_turn>user\nand?",
		said + "\n<think>was that right?",
	} {
		check(t, c, mira(), said, nil)
	}
	for _, c := range []string{
		"<think>never closed " + said, "<think>outer <think>inner</think> still " + said, "analysisThe user asks.",
		"<|channel|>analysis<|message|>She asks.", "<think>x</think>", "<reasoning>" + strings.Repeat("x ", 500),
	} {
		check(t, c, mira(), "", answer.ErrEmpty)
	}
	for _, c := range []string{
		"Okay, the user is asking for the dog's name. I should respond briefly. It is Bolt.",
		"The user wants to know the dog's name. We need to reply as Mira, short.\n\n" + said,
	} {
		check(t, c, mira(), "", answer.ErrReasoning)
	}
	for _, c := range []string{
		"I think <3 you think too.", "analysis of the sea is what I do.", "finally some rain", "a <b>bold</b> word", "1 < 2 && 3 > 2",
		"the assistant finally came", "call me [thinking]", "commentary is cheap",
	} {
		check(t, c, mira(), c, nil)
	}
}

// TestO2UnannouncedReasoningIsNotStreamed has reasoning without a mark at its start: where it sounds like reasoning nothing
// of it is shown; where the model is known for it, nothing at all.
func TestO2UnannouncedReasoningIsNotStreamed(t *testing.T) {
	const said = "He is called Bolt."
	for _, c := range []string{
		"Okay, so Ana is asking about her dog. Notes say Bolt. Keep it short.</think>" + said,
		"The user asks about the dog. That is Bolt.\n</think>\n\n" + said,
		"Hmm, let me think. The dog.</think>" + said,
		"Ana wants to know the dog's name. Bolt, by the notes.</think>" + said,
		"We need to answer. Bolt.</think>" + said,
	} {
		for _, shown := range stream(c, mira(), 1) {
			if !strings.HasPrefix(said, shown) {
				t.Errorf("%q is shown as %q", c, shown)
				break
			}
		}
	}
	o := mira()
	o.Unannounced = true
	for _, c := range []string{"Dog is Bolt.</think>" + said, "Bolt it is, says the note."} {
		for _, shown := range stream(c, o, 1) {
			if !strings.HasPrefix(said, shown) {
				t.Errorf("%q is shown as %q", c, shown)
				break
			}
		}
	}
	for _, c := range []string{"Dog. </THINK >" + said, "a</think>b</think>" + said} {
		if text, err := answer.Clean(c, mira()); text != said || err != nil {
			t.Errorf("%q is said as %q, %v", c, text, err)
		}
	}
	r := answer.NewReader(mira())
	r.Write("Dog is Bolt.")
	_ = r.Shown()
	r.Write("</think>" + said)
	if text, err := r.Close(); text != said || err != nil || !r.Withdrawn() || !r.Unannounced() {
		t.Errorf("%q, %v, withdrawn %v", text, err, r.Withdrawn())
	}
}

func TestO3OnlyThePersonasWordsAreSaid(t *testing.T) {
	const said = "He is called Bolt."
	for _, c := range []string{
		"Mira: " + said, "Mira Vale: " + said, "**Mira:** " + said, "**Mira**: " + said, "*Mira Vale:* " + said, "\"Mira\": " + said,
		"Mira — " + said, "mira: Mira: " + said, "[Mira]: " + said, "# Mira: " + said, "Mira： " + said,
		"Fri 2026-05-01 14:03 | Mira: " + said, "Fri 2026-05-01 14:03 | " + said, "Fri 2026-05-01 14:03 | you: " + said,
		said + "\nAna: thanks!\nMira: you're welcome", said + "\n**Ana Duarte:** thanks!", said + "\n\nFri 2026-05-01 14:04 | Ana: thanks!",
		said + "\nUser: thanks", said + "\n\nHuman: thanks", said + "\nRui: and mine?",
		"Ana: what is my dog called?\nMira: " + said, "Fri 2026-05-01 14:03 | Ana: what?\nFri 2026-05-01 14:03 | Mira: " + said,
		"\"" + said + "\"", "“" + said + "”", "«" + said + "»", "„" + said + "“", "'" + said + "'", "Mira: \"" + said + "\"", "\"Mira: " + said + "\"",
		"(staying in character)\n" + said, said + " (kept short, as instructed)", "[Out of character: none]\n" + said,
		said + "\n\n*follows the rules: no name in front*", said + "\nNote: I matched the length, as per the instructions.",
	} {
		check(t, c, mira(), said, nil)
	}
	for _, c := range []string{
		"\"Yes\" is what she said.", "*smiles* He is called Bolt.", "He is called Bolt (the dog, I mean).", "\"A.\" \"B.\"",
		"Bring:\n- Ana: bread\n- Rui: wine", "Note to self: buy oil.", "Mira is my name.", "'Tis the season", "Anastasia: a good name", "```\nUser: root\n```",
		"One.\n\nTwo.", ":( that is sad", "Mira-style: short.",
	} {
		check(t, c, mira(), c, nil)
	}
	check(t, said+"\nMira: And he is well.", mira(), said+"\nAnd he is well.", nil)
	check(t, "Ana: he is called Bolt", mira(), "", answer.ErrEmpty)
}

func TestO3ALongAnswerEndsWithASentence(t *testing.T) {
	o := mira()
	o.MaxTokens = 100
	for sentence, end := range map[string]string{"The lamp is lit and the sea is calm. ": "calm.", "灯亮了，海很平静。": "。", "Die See ist ruhig! ": "ruhig!"} {
		text := strings.Repeat(sentence, 100)
		got, err := answer.Clean(text, o)
		if err != nil || len(got) > len(text)/2 || !strings.HasSuffix(got, end) || !strings.HasPrefix(text, got) {
			t.Errorf("%q… = %q, %v", sentence, got, err)
		}
		check(t, text, o, got, nil)
	}
	text := strings.Repeat("word ", 500)
	got, _ := answer.Clean(text, o)
	if len(got) > 700 || !strings.HasSuffix(got, "word…") {
		t.Errorf("an answer without a sentence ends as %q", got)
	}
	check(t, text, o, got, nil)
	check(t, "Look:\n```go\nx := 1", mira(), "Look:\n```go\nx := 1\n```", nil)
	for text, want := range map[string]string{
		"The lamp is lit. The sea is calm. I wou": "The lamp is lit. The sea is calm.", "灯亮了。海很平静。我": "灯亮了。海很平静。",
		"no end": "", "He said \"yes.\" And th": "He said \"yes.\"", "It costs 3.14 eu": "", "One!\nTwo": "One!", "All.": "All.",
	} {
		if got := answer.Sentences(text); got != want {
			t.Errorf("Sentences(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestO4InstructionsAreNotReadOut(t *testing.T) {
	for _, c := range []string{
		"My rules: Write only what Mira says next: no name in front, no date, no marks.",
		"Sure! Match the length of the talk; this is a chat. Use the language you are spoken to in.",
		"**Bring up a memory only where it helps. What is not in front of you, you do not know**",
		"My instructions say that I must be brief.",
	} {
		check(t, c, mira(), "", answer.ErrRecited)
		for _, shown := range stream(c, mira(), 1) {
			if len(strings.Fields(shown)) > 6 {
				t.Errorf("%q shows %q", c, shown)
				break
			}
		}
	}
	for _, c := range []string{
		"This is a chat, not a sermon.", "What is not in front of you cannot bite.", "I bring up a memory only now and then.",
	} {
		check(t, c, mira(), c, nil)
	}
}

func TestO4AnEmptyAnswerSaysSo(t *testing.T) {
	for _, c := range []string{"", " \n", "...", "\ufffd\ufffd!", "<data-1></data-1>", "Mira:", "\"\"", "\xff\xfe"} {
		check(t, c, mira(), "", answer.ErrEmpty)
	}
	for _, c := range []string{"👍", "42", "Да."} {
		check(t, c, mira(), c, nil)
	}
}
