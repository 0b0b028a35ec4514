package main

// B4, B5: the doctor says whether a model uses tools and sees pictures, and does not ask where that is switched off.

import (
	"net/http"
	"strings"
	"testing"

	"familiar/internal/llm/llmtest"
)

func TestB4DoctorSaysWhatAModelCan(t *testing.T) {
	t.Parallel()
	answers := func(w http.ResponseWriter, r *llmtest.Request) {
		switch {
		case r.Has("tools"):
			llmtest.Calls("", "ready", `{"state":"yes"}`)(w, r)
		case strings.Contains(r.Prompt(), "image_url"):
			llmtest.Says("Red.")(w, r)
		default:
			able(llmtest.Says(`{"ready": true}`))(w, r)
		}
	}
	for _, c := range []struct {
		settings string
		answer   llmtest.Answer
		want     string
		not      []string
	}{
		{"", answers, "uses tools, sees pictures", nil},
		{"", llmtest.Rejects("tools", llmtest.Says400(`{"error":{"message":"no support for tools"}}`), able(llmtest.Says(`{"ready": true}`))), "uses no tools, sees no pictures", nil},
		{"  tools: off\n  vision: off\n", answers, "streams", []string{"tools", "pictures"}},
	} {
		p := llmtest.Serve(t, c.answer)
		r := familiar(t, configHome(t, p, c.settings), keyed, "", "doctor")
		line := ""
		for l := range strings.Lines(r.out) {
			if strings.HasPrefix(l, "model for talk") {
				line = l
			}
		}
		if r.code != 0 || !strings.Contains(line, c.want) {
			t.Errorf("%d: nothing of %q in\n%s", r.code, c.want, r.out)
		}
		for _, word := range c.not {
			if strings.Contains(line, word) {
				t.Errorf("%q speaks of %q", line, word)
			}
		}
	}
}
