package persona_test

// R1, S16: a process that is killed around a call that somebody agreed to makes it once at most, and tells once what is known of it.

import (
	"context"
	"io"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"familiar/channels"
	"familiar/internal/llm"
	"familiar/memory"
	"familiar/memory/toolcall"
	"familiar/persona"
	"familiar/persona/modelvoice"
	"familiar/persona/tool"
	"familiar/prompts"
)

const (
	toldBooked  = "Table 7 is booked."
	toldUnsure  = "I am not sure whether it was booked."
	bookingsLog = "bookings"
)

// TestR1KillAroundAConfirmedCall kills the process at each named step between a yes and its answer.
func TestR1KillAroundAConfirmedCall(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		step, told string
		made       int
		outcome    toolcall.Outcome
	}{
		{"yes-accepted", toldBooked, 1, toolcall.Done},   // before anything is recorded of the yes
		{"before-call", toldUnsure, 0, toolcall.Unknown}, // the yes is recorded, the call was not made: nobody can know
		{"after-call", toldUnsure, 1, toolcall.Unknown},  // it was made, its result is not recorded
		{"before-answer", toldBooked, 1, toolcall.Done},  // its result is recorded, the answer is not
		{"before-send", toldBooked, 1, toolcall.Done},    // the answer is recorded, and was not sent
		{"after-send", toldBooked, 1, toolcall.Done},     // it was sent, and that is not recorded
	} {
		t.Run(tt.step, func(t *testing.T) {
			t.Parallel()
			town, home := newTown(1, 2), t.TempDir()
			town.child = "TestBookingProcess"
			town.serve(t, home, tt.step).await(t)
			town.finish(t, home)
			if made := strings.Count(readFile(t, filepath.Join(home, bookingsLog)), "\n"); made != tt.made {
				t.Errorf("%d calls were made, want %d", made, tt.made)
			}
			if len(town.texts) != 2 || !strings.Contains(town.texts[0], "May I use book for that?") || town.texts[1] != tt.told {
				t.Errorf("they were told %q, want the question and %q", town.texts, tt.told)
			}
			store, err := memory.Open(t.Context(), filepath.Join(home, "familiar.db"), memory.Options{Now: time.Now})
			if err != nil {
				t.Fatal(err)
			}
			defer store.Close()
			calls, err := store.ToolCalls.List(t.Context(), toolcall.Filter{})
			if err != nil || len(calls) != 1 || calls[0].Outcome != tt.outcome {
				t.Errorf("recorded %+v, %v, want one call that is %s", calls, err, tt.outcome)
			}
			if used := requestsOfAnswers(t, store); !slices.Equal(used, []int{2, 1}) { // the question took two, the result one
				t.Errorf("the answers took %v requests, want what the attempts took that were recorded", used)
			}
		})
	}
}

// requestsOfAnswers returns how many requests of models each answer of the first session took.
func requestsOfAnswers(t *testing.T, store *memory.Store) (all []int) {
	t.Helper()
	used, err := store.Turns.SessionUsage(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, answer := range slices.Sorted(maps.Keys(used)) {
		for _, u := range used[answer] {
			all = append(all, u.Requests)
		}
	}
	return all
}

// readFile returns a file's text, "" if there is none.
func readFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(text)
}

// TestBookingProcess is the child of the test above, not a test of its own.
func TestBookingProcess(t *testing.T) {
	url := os.Getenv("FAMILIAR_TEST_TOWN")
	if url == "" {
		return
	}
	home, step := os.Getenv("FAMILIAR_TEST_HOME"), os.Getenv("FAMILIAR_TEST_DIE")
	store, err := memory.Open(t.Context(), filepath.Join(home, "familiar.db"), memory.Options{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	book := changing{tallied{returning{"book", "", tool.Deny}, new(int)}}
	registry, err := tool.NewRegistry(tool.Rules{Everywhere: []tool.Rule{{Tool: "book", Gate: tool.Confirm}}}, tool.DefaultLimits, doing{book, books(home, step)})
	if err != nil {
		t.Fatal(err)
	}
	registry.Log, registry.Clock = store.ToolCalls, time.Now
	meter := modelvoice.Meter{Store: store, Persona: "tess", Now: time.Now}
	network := bookingChannel{&townChannel{url: url, text: func(id string) string { return map[string]string{"0-1": "Book me a table.", "0-2": "yes"}[id] }}, step}
	engine := persona.New(persona.Parts{
		Card: testCard(), Store: store, Voice: modelvoice.NewVoice(modelvoice.Chain{{Model: bookingModel{step}}}, meter, 0, 0),
		Model: llm.Answering(func(prompts.Prompt) string { return `{"claims": []}` }), Tools: registry,
		Channels: []channels.Channel{network}, Settings: testSettings(), Now: time.Now,
		Jitter: func(time.Duration) time.Duration { return 0 },
		Log:    slog.New(slog.NewTextHandler(io.Discard, nil)),
	})
	go func() {
		if err := engine.Run(t.Context()); err != nil {
			panic(err)
		}
	}()
	panic(network.Run(t.Context(), engine.Accept))
}

// books returns a call that adds a line to a file.
func books(home, step string) func(context.Context, tool.Use) (tool.Result, error) {
	return func(context.Context, tool.Use) (tool.Result, error) {
		die(step, "before-call")
		f, err := os.OpenFile(filepath.Join(home, bookingsLog), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			panic(err)
		}
		if _, err := f.WriteString("table 7\n"); err != nil {
			panic(err)
		}
		f.Close()
		die(step, "after-call")
		return tool.Result{Text: toldBooked}, nil
	}
}

// bookingModel calls book, and then says what came of it.
type bookingModel struct{ step string }

func (bookingModel) Can() prompts.Abilities { return prompts.Abilities{Tools: true} }

func (m bookingModel) Generate(_ context.Context, p prompts.Prompt, _ func(string)) (prompts.Answer, error) {
	told := ""
	if len(p.Rounds) > 0 {
		told = strings.Join(p.Rounds[len(p.Rounds)-1].Results, "\n")
	}
	switch {
	case told == "":
		return prompts.Answer{Requests: 1, Asked: &prompts.Round{Calls: []prompts.Call{{Name: "book", Arguments: `{"query":"a table"}`}}}}, nil
	case strings.Contains(told, "Not done yet"):
		return prompts.Answer{Requests: 1, Text: "I can book that."}, nil
	case strings.Contains(told, "it is not known whether it was done"):
		return prompts.Answer{Requests: 1, Text: toldUnsure}, nil
	case strings.Contains(told, toldBooked):
		die(m.step, "before-answer")
		return prompts.Answer{Requests: 1, Text: toldBooked}, nil
	}
	return prompts.Answer{Requests: 1, Text: "I was told something else: " + told}, nil
}

// bookingChannel dies around what follows the yes.
type bookingChannel struct {
	*townChannel
	step string
}

func (c bookingChannel) Run(ctx context.Context, accept channels.Accept) error {
	return c.townChannel.Run(ctx, func(ctx context.Context, m channels.Message) error {
		err := accept(ctx, m)
		if m.Text == "yes" {
			die(c.step, "yes-accepted")
		}
		return err
	})
}

func (c bookingChannel) Send(ctx context.Context, out channels.Outgoing) (channels.Receipt, error) {
	asks := strings.Contains(out.Text, "May I use")
	if !asks {
		die(c.step, "before-send")
	}
	receipt, err := c.townChannel.Send(ctx, out)
	if !asks {
		die(c.step, "after-send")
	}
	return receipt, err
}
