package app

import (
	"context"
	"sync"
	"time"

	"familiar/config"
	"familiar/internal/llm"
	"familiar/prompts"
)

// MostPrompt is the longest prompt for a reply to a model whose window was not configured, in tokens. A larger window is no
// reason to pay for more: what matters for an answer fits.
const MostPrompt = 16_384

// sized is a model with its context window. The client is nil where nobody is asked.
type sized struct {
	settings config.ModelSettings
	client   *llm.Client
}

// window returns what is known of the model's context window.
func (m sized) window() llm.Window {
	switch {
	case m.client != nil:
		return m.client.Window()
	case m.settings.ContextTokens > 0:
		return llm.Window{Tokens: m.settings.ContextTokens, Source: llm.WindowConfigured}
	}
	return llm.Window{Tokens: llm.DefaultWindow, Source: llm.WindowAssumed}
}

// usable returns how much of the window prompts and answers may take together, in tokens as they are estimated here: of a
// window that the provider told a tenth less, since providers count in their own way.
func (m sized) usable() int {
	w := m.window()
	if w.Source == llm.WindowTold {
		return w.Tokens * 9 / 10
	}
	return w.Tokens
}

// room returns the size of a prompt for a reply that fits into the window beside the answer.
func (m sized) room() int {
	room := m.usable() - m.settings.MaxTokens
	if m.window().Source != llm.WindowConfigured {
		room = min(MostPrompt, max(room-llm.Thoughts(string(m.settings.Effort)), m.usable()/2))
	}
	if most := m.settings.PromptTokens; most > 0 {
		room = min(room, most)
	}
	return room
}

// unsized returns models of which only the settings are known.
func unsized(models []config.ModelSettings) (all []sized) {
	for _, m := range models {
		all = append(all, sized{settings: m})
	}
	return all
}

// promptRoom returns the size of a prompt that fits into every one of the models, 0 without any.
func promptRoom(models []sized) (room int) {
	for i, m := range models {
		if most := m.room(); i == 0 || most < room {
			room = most
		}
	}
	return room
}

// filingRoom returns the size of a prompt about an ended session that fits into every one of the models.
func filingRoom(models []sized) int {
	smallest := 0
	for i, m := range models {
		if n := m.usable(); i == 0 || n < smallest {
			smallest = n
		}
	}
	return prompts.ExtractBudget(smallest)
}

// windows are the models of both roles.
type windows struct{ talk, work []sized }

// room returns the sizes of prompts as the windows are known now, those of settings without a model.
func (w windows) room(otherwise func() (prompt, filing int)) (prompt, filing int) {
	prompt, filing = otherwise()
	if len(w.talk) > 0 {
		prompt = promptRoom(w.talk)
	}
	if len(w.work) > 0 {
		filing = filingRoom(w.work)
	}
	return prompt, filing
}

// askAgain is the pause before providers that did not tell a window are asked again, most how often they are asked: one that
// is down comes back, others never tell.
const (
	askAgain = 5 * time.Minute
	askMost  = 3
)

// LearnWindows asks the providers for the context windows that are not configured. Nothing waits for it: until a window is
// known, prompts have a size that suits all current models.
func (a *App) LearnWindows(ctx context.Context) {
	for range askMost {
		if a.askWindows(ctx) {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(askAgain):
		}
	}
}

// AwaitWindows asks for the context windows and waits a moment for them, for a process that only runs a job.
func (a *App) AwaitWindows(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, awaitWindows)
	defer cancel()
	a.askWindows(ctx)
}

// awaitWindows is how long a job waits for the windows.
const awaitWindows = 3 * time.Second

// askWindows asks all providers at a time, and reports whether all windows are known.
func (a *App) askWindows(ctx context.Context) (known bool) {
	asked := append(append([]sized(nil), a.windows.talk...), a.windows.work...)
	told := make([]llm.Window, len(asked))
	var wg sync.WaitGroup
	for i, m := range asked {
		if before := m.window(); before.Source != llm.WindowAssumed {
			told[i] = before
			continue
		}
		wg.Go(func() { told[i] = m.client.AskWindow(ctx) })
	}
	wg.Wait()
	known = true
	for i, w := range told {
		if known = known && w.Source != llm.WindowAssumed; w.Source == llm.WindowTold {
			a.Log.Debug("context window", "model", asked[i].settings.Name(), "tokens", w.Tokens)
		}
	}
	return known
}
