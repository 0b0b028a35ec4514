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

func boxNames(b *Box) (all []string) {
	for _, s := range b.Specs() {
		all = append(all, s.Name)
	}
	return all
}

func TestToolsOfOtherProgramsComeAndGo(t *testing.T) {
	b, err := NewBox(Rules{}, DefaultLimits, fixed{"calculator", Deny})
	if err != nil {
		t.Fatal(err)
	}
	desk := b.At(Place{})
	if !desk.plain() {
		t.Error("a box whose gates are closed offers something")
	}
	if left := b.Serve("wiki", fixed{"wiki_read", Allow}, fixed{"calculator", Allow}, fixed{"No name", Allow}); !slices.Equal(left, []string{"calculator", "No name"}) {
		t.Errorf("left out: %q", left)
	}
	b.Serve("files", fixed{"files_read", Allow}, fixed{"wiki_read", Allow})
	if got := boxNames(b); !slices.Equal(got, []string{"calculator", "files_read", "wiki_read"}) {
		t.Errorf("tools: %q", got)
	}
	kit := b.At(Place{}).Kit(NewOwn(), nil)
	if done, _ := kit.Round(t.Context(), []prompts.Call{{Name: "wiki_read", Arguments: "{}"}}); done[0].Err != nil {
		t.Errorf("it cannot be called: %v", done[0].Err)
	}
	b.Serve("wiki")
	if got := boxNames(b); !slices.Equal(got, []string{"calculator", "files_read"}) {
		t.Errorf("tools: %q", got)
	}
	var all sync.WaitGroup
	for _, owner := range []string{"a", "b", "c", "d"} {
		all.Go(func() { b.Serve(owner, fixed{owner + "_tool", Allow}) })
		all.Go(func() { _, _ = b.At(Place{}).Offer(NewOwn()) })
	}
	all.Wait()
	if n := len(boxNames(b)); n != 6 {
		t.Errorf("%d tools: %q", n, boxNames(b))
	}
}
