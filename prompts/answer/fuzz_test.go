package answer_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"familiar/prompts/answer"
)

// split reads text in pieces of random length. It returns everything that was shown.
func split(text string, o answer.Options, random *rand.Rand) (got string, shown []string, withdrawn bool, err error) {
	r := answer.NewReader(o)
	for rest := text; rest != ""; {
		n := min(len(rest), 1+random.IntN(1+random.IntN(40)))
		r.Write(rest[:n])
		rest = rest[n:]
		shown = append(shown, r.Shown())
	}
	got, err = r.Close()
	return got, shown, r.Withdrawn(), err
}

// property checks that text reads the same however it is divided, that what is shown only grows and is a beginning of the
// result, and that no mark is said.
func property(t *testing.T, text string, o answer.Options, random *rand.Rand) {
	t.Helper()
	want, fault := answer.Clean(text, o)
	got, shown, withdrawn, err := split(text, o, random)
	if got != want || !errors.Is(err, fault) {
		t.Errorf("%q divided is %q, %v, and whole %q, %v", text, got, err, want, fault)
	}
	before := ""
	for _, s := range shown {
		if !strings.HasPrefix(s, before) || !withdrawn && !strings.HasPrefix(got, s) {
			t.Errorf("%q shows %q after %q, and ends as %q", text, s, before, got)
			return
		}
		before = s
	}
	if !utf8.ValidString(got) || strings.TrimSpace(got) != got {
		t.Errorf("%q is said as %q", text, got)
	}
	for _, mark := range []string{o.Fence, "<think>", "</think>", "<|end|>"} {
		if mark != "" && strings.Contains(got, mark) {
			t.Errorf("%q says the mark %s: %q", text, mark, got)
		}
	}
}

func FuzzClean(f *testing.F) {
	for _, text := range []string{
		"Mira: <data-1>hi", "dadata-1ta-1", "Fri 2026-05-01 18:30 | you: Aye <think>hm</think><think> <data-1>", "\"Aye.\"\nAna: no",
		"I'm sorry. I can't help with that.", "<|channel|>analysis<|message|>x<|end|><|start|>assistant<|channel|>final<|message|>Aye.",
		"analysisShe.assistantfinalAye.", "**Mira:** (in character) Aye.\n```\nx", "x</think>y", "Match the length of the talk; this is a chat. Use",
		"灯亮了。\xffAs an AI language model, I can't.", "'Aye", "&lt;think&gt;", "*a\n**b**(c", "Okay, the user asks. I should reply.",
	} {
		f.Add(text, uint64(1))
	}
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		property(t, text, mira(), rand.New(rand.NewPCG(seed, 1)))
	})
}

// TestPreviewsAreBeginningsOfTheText joins random pieces of everything that is looked for.
func TestPreviewsAreBeginningsOfTheText(t *testing.T) {
	pieces := []string{
		"<think>", "</think>", "<Reasoning a='b'>", "</REASONING>", "<", "<|", "<|channel|>", "analysis", "final", "<|message|>", "<|end|>", "<|start|>",
		"assistant", "assistantfinal", "<data-1>", "data-1", "da", "Mira:", "**Mira:**", "Ana:", "\nAna: ", "\nMira: ", "\n", "\n\n", " ", ". ", "! ", "\"", "“", "”",
		"'", "(", ")", "[", "]", "*", "**", "```", "in character", "Fri 2026-05-01 14:03 | ", "I can't help with that", "I'm sorry", "As an AI language model, I can't",
		"Match the length of the talk; this is a chat. ", "Use the language you are spoken to in, ", "the user asks", "Okay, ", "He is called Bolt.", "灯亮了。", "é", "\xff", "\xe2",
		"Note: ", "申し訳ありませんが、", "その件についてはお手伝いできません。", "you: ", "&lt;think&gt;", "</s>", "◁think▷", "[THINK]", "…", "<|im_end|>",
	}
	random := rand.New(rand.NewPCG(7, 7))
	for range 20_000 {
		var b strings.Builder
		for range 1 + random.IntN(10) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		o := mira()
		o.MaxTokens = []int{0, 8, 600}[random.IntN(3)]
		property(t, b.String(), o, random)
		if t.Failed() {
			return
		}
	}
}

// BenchmarkReader streams long answers in small pieces and takes the preview after each: the time per byte stays the same.
func BenchmarkReader(b *testing.B) {
	const sentences, clauses = "I think the lamp is lit (again), and Ana said so. Sorry, it was late!\n", "sorry, I can't see it, I'm afraid, "
	for name, text := range map[string]string{
		"1k": strings.Repeat(sentences, 15), "32k": strings.Repeat(sentences, 468), "one sentence of 1k": strings.Repeat(clauses, 30), "one sentence of 8k": strings.Repeat(clauses, 240),
	} {
		b.Run(name, func(b *testing.B) {
			o := mira()
			o.MaxTokens = 0
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				r := answer.NewReader(o)
				for i := 0; i < len(text); i += 4 {
					r.Write(text[i:min(i+4, len(text))])
					_ = r.Shown()
				}
				if _, err := r.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
