package tool

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"testing"

	"familiar/prompts"
)

// fixed is a tool of another program.
type fixed struct {
	name string
	gate Gate
}

func (f fixed) Spec() Spec {
	return Spec{Name: f.name, Default: f.gate, Parameters: json.RawMessage(`{"type":"object","properties":{}}`)}
}

func (f fixed) Call(context.Context, Use) (Result, error) { return Result{Text: f.name}, nil }

func toolNames(r *Registry) (all []string) {
	for _, s := range r.Specs() {
		all = append(all, s.Name)
	}
	return all
}

func TestToolsOfOtherProgramsComeAndGo(t *testing.T) {
	r, err := NewRegistry(Rules{}, DefaultLimits, fixed{"calculator", Deny})
	if err != nil {
		t.Fatal(err)
	}
	offer := r.At(Place{})
	if !offer.plain() {
		t.Error("a registry whose gates are closed offers something")
	}
	if skipped := r.Serve("wiki", fixed{"wiki_read", Allow}, fixed{"calculator", Allow}, fixed{"No name", Allow}); !slices.Equal(skipped, []string{"calculator", "No name"}) {
		t.Errorf("skipped: %q", skipped)
	}
	r.Serve("files", fixed{"files_read", Allow}, fixed{"wiki_read", Allow})
	if got := toolNames(r); !slices.Equal(got, []string{"calculator", "files_read", "wiki_read"}) {
		t.Errorf("tools: %q", got)
	}
	runner := r.At(Place{}).Runner(NewVoiceTools(), nil)
	if done, _ := runner.Round(t.Context(), []prompts.Call{{Name: "wiki_read", Arguments: "{}"}}); done[0].Err != nil {
		t.Errorf("it cannot be called: %v", done[0].Err)
	}
	r.Serve("wiki")
	if got := toolNames(r); !slices.Equal(got, []string{"calculator", "files_read"}) {
		t.Errorf("tools: %q", got)
	}
	var all sync.WaitGroup
	for _, owner := range []string{"a", "b", "c", "d"} {
		all.Go(func() { r.Serve(owner, fixed{owner + "_tool", Allow}) })
		all.Go(func() { _, _ = r.At(Place{}).Tools(NewVoiceTools()) })
	}
	all.Wait()
	if n := len(toolNames(r)); n != 6 {
		t.Errorf("%d tools: %q", n, toolNames(r))
	}
}
