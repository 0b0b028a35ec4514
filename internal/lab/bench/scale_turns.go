package bench

import (
	"context"
	"fmt"
	"time"

	"familiar/channels"
	"familiar/internal/lab/virtual"
	"familiar/internal/llm"
	"familiar/internal/llm/llmtest"
	"familiar/memory"
	"familiar/persona"
	"familiar/persona/modelvoice"
	"familiar/persona/plain"
	"familiar/prompts"
)

// ModelTurns is what the product adds to a language model's time for an answer.
type ModelTurns struct {
	Turns int `json:"turns"`
	// FirstMS is the time of the first turn, which reads the indexes. OwnMS is that of the later turns, from a message to its
	// answer on the network, and CPUMS the processor time of the whole process for a turn, what it stores after the answer
	// included. All are without the time of the model, a loopback server that answers at once and took ModelMS.
	FirstMS float64    `json:"first_ms"`
	OwnMS   Quantiles3 `json:"own_ms"`
	CPUMS   Quantiles3 `json:"cpu_ms"`
	ModelMS Quantiles3 `json:"model_ms"`
	// PromptTokens is the mean size of a prompt.
	PromptTokens int `json:"prompt_tokens"`
}

const (
	// modelTurns is the maximum number of turns, turnsPerTalk how many a talk has; talks are a day apart.
	modelTurns   = 200
	turnsPerTalk = 20
	turnPace     = 40 * time.Second
	modelSays    = "You told me so a while ago, and I have not forgotten it."
)

// turnsOn opens the store at path and lets one of its people, in their direct room, ask questions of a persona that
// answers through a model.
func turnsOn(ctx context.Context, parts RecallParts, path string, last channels.Message, questions []string) (*ModelTurns, error) {
	server := llmtest.Start(llmtest.Says(modelSays))
	defer server.Close()
	client, err := llm.New(llm.Settings{
		Provider: "openai", Model: "m", BaseURL: server.URL + "/v1", Timeout: answerLimit, MaxTokens: 100, Now: time.Now,
		Rand: func() float64 { return 0.5 },
	})
	if err != nil {
		return nil, err
	}
	clock := virtual.NewClock(last.At)
	store, err := memory.Open(ctx, path, memory.Options{Now: clock.Now})
	if err != nil {
		return nil, err
	}
	defer store.Close() //nolint:errcheck // the store is temporary
	model := &timedModel{Model: client}
	meter := modelvoice.Meter{Store: store, Persona: parts.Card.Key, Now: clock.Now, Zone: time.UTC}
	settings := parts.Settings
	settings.Quiet = 0
	out := &timedNetwork{Network: virtual.NewNetwork(last.Room.Channel)}
	engine := persona.New(persona.Parts{
		Card: parts.Card, Store: store, Voice: modelvoice.Fallback(modelvoice.NewVoice(model, meter, 0, 0), plain.New()), Model: model,
		Channels: []channels.Channel{out}, Settings: settings, Now: clock.Now, Jitter: still, Log: discardLog,
	})
	t := turnTimes{clock: clock, model: model, out: out, engine: engine}
	err = virtual.While(ctx, engine, func() error { return t.ask(ctx, last, questions[:min(modelTurns, len(questions))]) })
	if err != nil {
		return nil, err
	}
	return t.report(), nil
}

// turnTimes are the times of turns, without the model's.
type turnTimes struct {
	clock  *virtual.Clock
	model  *timedModel
	out    *timedNetwork
	engine *persona.Engine

	own, cpu, ofModel []time.Duration
}

// ask sends the questions one by one, each after the answer to the one before.
func (t *turnTimes) ask(ctx context.Context, last channels.Message, questions []string) error {
	for i, text := range questions {
		if i%turnsPerTalk == 0 {
			t.clock.Pass(t.clock.Now().AddDate(0, 0, 1))
		}
		t.clock.Pass(t.clock.Now().Add(turnPace))
		m := last
		m.ID, m.Room.ID, m.RoomTitle, m.Text, m.At = fmt.Sprintf("q%d", i), "direct", "", text, t.clock.Now()
		m.Direct, m.Addressed = true, true
		t.model.reset()
		started, worked := time.Now(), processorTime()
		if err := t.engine.Accept(ctx, m); err != nil {
			return err
		}
		if err := t.engine.Drain(ctx); err != nil {
			return err
		}
		took, worked := t.out.sent.Sub(started), processorTime()-worked
		if said := t.out.Collect(); len(said) != 1 || said[0].Text != modelSays {
			return fmt.Errorf("turn %d: the persona said %+v, not what the model said", i, said)
		}
		t.own, t.cpu = append(t.own, took-t.model.took), append(t.cpu, worked-t.model.worked)
		t.ofModel = append(t.ofModel, t.model.took)
	}
	return nil
}

func (t *turnTimes) report() *ModelTurns {
	n := len(t.own)
	r := &ModelTurns{Turns: n, FirstMS: milliseconds(t.own[0]), PromptTokens: t.model.tokens / n}
	r.OwnMS, r.CPUMS, r.ModelMS = quantiles(t.own[1:]), quantiles(t.cpu[1:]), quantiles(t.ofModel[1:])
	return r
}

// timedNetwork is a network that notes when a message was sent last. Read sent only while nothing is being sent.
type timedNetwork struct {
	*virtual.Network
	sent time.Time
}

// Send implements channels.Channel.
func (n *timedNetwork) Send(ctx context.Context, out channels.Outgoing) (channels.Receipt, error) {
	n.sent = time.Now()
	return n.Network.Send(ctx, out)
}

// timedModel is a model that measures its own time and processor time.
type timedModel struct {
	modelvoice.Model
	took, worked time.Duration
	tokens       int
}

// reset begins a new turn.
func (m *timedModel) reset() { m.took, m.worked = 0, 0 }

// Generate implements modelvoice.Model.
func (m *timedModel) Generate(ctx context.Context, p prompts.Prompt, stream func(string)) (prompts.Answer, error) {
	started, worked := time.Now(), processorTime()
	answer, err := m.Model.Generate(ctx, p, stream)
	m.took += time.Since(started)
	m.worked += processorTime() - worked
	m.tokens += p.Tokens()
	return answer, err
}
