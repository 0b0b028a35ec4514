package bench

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"familiar/internal/llm"
	"familiar/internal/llm/llmtest"
	"familiar/prompts"
)

// ModelParts sets what `bench model` measures.
type ModelParts struct {
	Rooms, Messages int
	// Serves is how many requests the provider serves at a time, each in the time Takes.
	Serves int
	Takes  time.Duration
	// InFlight is how many requests the client makes at a time.
	InFlight int
}

// ModelReport is what `bench model` prints.
type ModelReport struct {
	Rooms    int `json:"rooms"`
	Messages int `json:"messages"`
	Serves   int `json:"serves"`
	// Answered counts the messages that got an answer, Failed the others, TurnedAway the requests for which the provider had no place, and
	// AtATime the most that came at a time.
	Answered   int `json:"answered"`
	Failed     int `json:"failed"`
	TurnedAway int `json:"turned_away"`
	AtATime    int `json:"at_a_time"`
	// WaitMS is the time from a message to its answer, less the time that the model takes.
	WaitMS Quantiles3 `json:"wait_ms"`
	// JobRequests counts the requests of a job that asked all the time, and JobWaitMS is how long each of them waited.
	JobRequests int        `json:"job_requests"`
	JobWaitMS   Quantiles3 `json:"job_wait_ms"`
	Seconds     float64    `json:"seconds"`
}

// Model lets many rooms ask a loopback provider that serves few of them at a time. Each room asks again as soon as it was
// answered.
func Model(ctx context.Context, parts ModelParts) (ModelReport, error) {
	if parts.Rooms < 1 || parts.Messages < 1 || parts.Serves < 1 || parts.InFlight < 1 || parts.Takes <= 0 {
		return ModelReport{}, fmt.Errorf("bench model: the numbers and takes must be above 0: %+v", parts)
	}
	slots := llmtest.NewSlots(parts.Serves, parts.Takes, "I am well.")
	server := llmtest.Start(slots.Answer)
	defer server.Close()
	client, err := llm.New(llm.Settings{
		Provider: "openai", Model: "m", BaseURL: server.URL + "/v1", Timeout: 10*parts.Takes + time.Second, MaxTokens: 100,
		InFlight: parts.InFlight, Retries: 2, Now: time.Now, Rand: func() float64 { return 0.5 },
	})
	if err != nil {
		return ModelReport{}, fmt.Errorf("bench model: %w", err)
	}
	m := modelRun{ModelParts: parts, client: client, waits: make([][]time.Duration, parts.Rooms)}
	report, err := m.report(ctx)
	if err != nil {
		return ModelReport{}, fmt.Errorf("bench model: %w", err)
	}
	report.AtATime, report.TurnedAway = slots.Served()
	return report, nil
}

type modelRun struct {
	ModelParts
	client *llm.Client
	// waits are those of each room, job those of the job.
	waits    [][]time.Duration
	job      []time.Duration
	answered atomic.Int64
	failed   atomic.Int64
}

func (m *modelRun) report(ctx context.Context) (ModelReport, error) {
	working, stop := context.WithCancel(ctx)
	defer stop()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for working.Err() == nil {
			if wait, err := m.ask(working, 0); err == nil {
				m.job = append(m.job, wait)
			}
		}
	}()
	started := time.Now()
	rooms, ctx := errgroup.WithContext(ctx)
	for room := range m.Rooms {
		rooms.Go(func() error { return m.room(ctx, room) })
	}
	err := rooms.Wait()
	took := time.Since(started)
	stop()
	<-ended
	return ModelReport{
		Rooms: m.Rooms, Messages: m.Messages, Serves: m.Serves, Answered: int(m.answered.Load()), Failed: int(m.failed.Load()),
		WaitMS: quantiles(slices.Concat(m.waits...)), JobRequests: len(m.job), JobWaitMS: quantiles(m.job), Seconds: took.Seconds(),
	}, err
}

func (m *modelRun) room(ctx context.Context, room int) error {
	for range m.Messages {
		wait, err := m.ask(ctx, int64(room)+1)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			m.failed.Add(1)
			continue
		}
		m.waits[room] = append(m.waits[room], wait)
		m.answered.Add(1)
	}
	return nil
}

// ask asks for a room, or with 0 for work, and returns how long the request waited.
func (m *modelRun) ask(ctx context.Context, room int64) (time.Duration, error) {
	asked := time.Now()
	_, err := m.client.Generate(ctx, prompts.Prompt{
		Name: "reply", System: "Be brief.", Room: room, MaxTokens: 50,
		Messages: []prompts.Message{{Role: prompts.User, Text: "How are you?"}},
	}, nil)
	return max(0, time.Since(asked)-m.Takes), err
}
