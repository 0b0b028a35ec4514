package main

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"familiar/channels/telegram/telegramtest"
	"familiar/internal/llm/llmtest"
)

// TestR1AKillNextToAPressLosesNothing kills a process after the button of a question was pressed and the call was made, while the model
// words the answer. The next process makes no call again and answers once; a second press of the same button changes nothing.
func TestR1AKillNextToAPressLosesNothing(t *testing.T) {
	t.Parallel()
	busy := make(chan struct{}, 8)
	var killed atomic.Bool
	model := llmtest.Serve(t, func(w http.ResponseWriter, r *llmtest.Request) {
		prompt := r.Prompt()
		switch {
		case strings.Contains(prompt, "Thank you"), !strings.Contains(prompt, "12 times 12"):
			llmtest.Says("You are welcome.")(w, r)
		case len(r.Messages) > 0 && r.Messages[len(r.Messages)-1].Role != "tool":
			llmtest.Calls("", "calculator", `{"expression":"12*12"}`)(w, r)
		case strings.Contains(prompt, "144") && !killed.Load():
			busy <- struct{}{}
			<-r.Context().Done()
		case strings.Contains(prompt, "144"):
			llmtest.Says("It is 144.")(w, r)
		default:
			llmtest.Says("I can work that out.")(w, r)
		}
	})
	server := telegramtest.Start(telegramtest.Options{Token: telegramToken, Bot: telegramtest.Bot{ID: 4711, Name: "Nell", Username: "nell_bot"}, Now: time.Now})
	t.Cleanup(server.Close)
	home := configHome(t, model, fmt.Sprintf("channels: {telegram: {token: \"env:TELEGRAM\", direct: open, base_url: %q}}\ntools: {gates: {calculator: confirm}}\n", server.URL))
	env := append(slices.Clone(keyed), "TELEGRAM="+telegramToken)
	shown := func(part string) func() bool {
		return func() bool {
			return slices.ContainsFunc(server.Sent(scriptAnn), func(m telegramtest.Sent) bool { return strings.Contains(m.Text, part) })
		}
	}

	serving := start(t, home, env, "run")
	server.Say(scriptAnn, scriptAnn, "What is 12 times 12?")
	eventually(t, "the question is put", shown("May I use calculator for that?"))
	var question telegramtest.Sent
	eventually(t, "it has buttons", func() bool {
		all := server.Sent(scriptAnn)
		question = all[len(all)-1]
		return len(question.Buttons) == 2
	})
	server.Press(scriptAnn, scriptAnn, question.ID, "Yes")
	<-busy
	serving.signal(syscall.SIGKILL)
	serving.exit()
	killed.Store(true)

	server.PressData(scriptAnn, scriptAnn, question.ID, question.Buttons[0].Data)
	serving = start(t, home, env, "run")
	eventually(t, "the press is answered", shown("It is 144."))
	server.Say(scriptAnn, scriptAnn, "Thank you.")
	eventually(t, "the buttons are gone", func() bool {
		i := slices.IndexFunc(server.Sent(scriptAnn), func(m telegramtest.Sent) bool { return m.ID == question.ID })
		return i >= 0 && len(server.Sent(scriptAnn)[i].Buttons) == 0
	})
	serving.signal(syscall.SIGTERM)
	serving.exit()
	answers := 0
	for _, text := range server.Texts(scriptAnn) {
		answers += strings.Count(text, "It is 144.")
	}
	if calls := rowsOf(t, home, "tool", "log"); answers != 1 || len(calls) != 1 || calls[0]["outcome"] != "done" {
		t.Errorf("%d answers, %v", answers, calls)
	}
}
