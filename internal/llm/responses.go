package llm

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/tmc/langchaingo/llms"
)

// responses is a model behind OpenAI's Responses interface, which some models have alone. It makes its own requests:
// langchaingo knows only chat completions, and OpenAI's library adds 18 MB to the binary and 7 MB to the memory of every
// process for this one call.
type responses struct {
	url, key, model string
	client          *http.Client
}

// newResponses returns the provider for the settings' model by this interface.
func newResponses(s Settings, client *http.Client) provider {
	return provider{
		model: responses{strings.TrimSuffix(s.url(openaiURL), "/") + "/responses", s.APIKey, s.Model, client},
		end:   []byte(`"response.completed"`), mark: []byte(`"output`), options: s.callOptions,
	}
}

// responsesRequest is the body of a request. What the model takes in its own form, manners adds.
type responsesRequest struct {
	Model        string           `json:"model"`
	Instructions string           `json:"instructions,omitempty"`
	Input        []map[string]any `json:"input"`
	MaxTokens    int              `json:"max_output_tokens"`
	Temperature  float64          `json:"temperature"`
	Stream       bool             `json:"stream,omitempty"`
	Tools        []map[string]any `json:"tools,omitempty"`
	// Store would have OpenAI keep the conversation.
	Store bool `json:"store"`
}

// response is an answer, or the last event of a streamed one.
type response struct {
	Status string         `json:"status"`
	Error  *responseFault `json:"error"`
	Why    struct {
		Reason string `json:"reason"`
	} `json:"incomplete_details"`
	Output []struct {
		Type      string `json:"type"`
		CallID    string `json:"call_id"`
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
		Content   []struct {
			Type string `json:"type"`
			Text string `json:"text"`
		} `json:"content"`
	} `json:"output"`
	Usage struct {
		In  int `json:"input_tokens"`
		Out int `json:"output_tokens"`
		Of  struct {
			Cached int `json:"cached_tokens"`
		} `json:"input_tokens_details"`
		OfOut struct {
			Thought int `json:"reasoning_tokens"`
		} `json:"output_tokens_details"`
	} `json:"usage"`
}

type responseFault struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// GenerateContent implements llms.Model. Stop sequences are not sent: the interface has none.
func (r responses) GenerateContent(ctx context.Context, messages []llms.MessageContent, options ...llms.CallOption) (*llms.ContentResponse, error) {
	var o llms.CallOptions
	for _, option := range options {
		option(&o)
	}
	request := responsesRequest{Model: r.model, MaxTokens: o.MaxTokens, Temperature: o.Temperature, Stream: o.StreamingFunc != nil}
	for _, m := range messages {
		request.add(m)
	}
	for _, t := range o.Tools {
		if f := t.Function; f != nil {
			request.Tools = append(request.Tools, map[string]any{"type": "function", "name": f.Name, "description": f.Description, "parameters": f.Parameters})
		}
	}
	body, err := r.post(ctx, request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = body.Close() }() // read only
	if o.StreamingFunc != nil {
		return readResponseStream(ctx, body, o.StreamingFunc)
	}
	var got response
	if err := json.NewDecoder(body).Decode(&got); err != nil {
		return nil, fmt.Errorf("parse the response: %w", err)
	}
	return got.content()
}

// Call implements llms.Model.
func (r responses) Call(ctx context.Context, prompt string, options ...llms.CallOption) (string, error) {
	return llms.GenerateFromSinglePrompt(ctx, r, prompt, options...)
}

// post sends a request and returns the body of an answer.
func (r responses) post(ctx context.Context, body responsesRequest) (io.ReadCloser, error) {
	raw, err := json.Marshal(body)
	if err != nil {
		return nil, fmt.Errorf("encode the request: %w", err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, r.url, bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("make the request: %w", err)
	}
	request.Header.Set("Content-Type", "application/json")
	if r.key != "" {
		request.Header.Set("Authorization", "Bearer "+r.key)
	}
	got, err := r.client.Do(request)
	if err != nil {
		return nil, fmt.Errorf("send the request: %w", err)
	}
	if got.StatusCode != http.StatusOK {
		_ = got.Body.Close() // the watch has read it
		return nil, fmt.Errorf("status %d", got.StatusCode)
	}
	return got.Body, nil
}

// add adds a message in the interface's form.
func (q *responsesRequest) add(m llms.MessageContent) {
	role := map[llms.ChatMessageType]string{llms.ChatMessageTypeAI: "assistant"}[m.Role]
	role = cmp.Or(role, "user")
	var content []map[string]any
	flush := func() {
		if len(content) > 0 {
			q.Input = append(q.Input, map[string]any{"role": role, "content": content})
		}
		content = nil
	}
	for _, part := range m.Parts {
		switch p := part.(type) {
		case llms.TextContent:
			if m.Role == llms.ChatMessageTypeSystem {
				q.Instructions = strings.TrimSpace(q.Instructions + "\n\n" + p.Text)
				continue
			}
			kind := map[string]string{"assistant": "output_text", "user": "input_text"}[role]
			content = append(content, map[string]any{"type": kind, "text": p.Text})
		case llms.ImageURLContent:
			content = append(content, map[string]any{"type": "input_image", "image_url": p.URL})
		case llms.BinaryContent:
			url := "data:" + p.MIMEType + ";base64," + base64.StdEncoding.EncodeToString(p.Data)
			content = append(content, map[string]any{"type": "input_image", "image_url": url})
		case llms.ToolCall:
			flush()
			q.Input = append(q.Input, map[string]any{"type": "function_call", "call_id": p.ID, "name": p.FunctionCall.Name, "arguments": p.FunctionCall.Arguments})
		case llms.ToolCallResponse:
			flush()
			q.Input = append(q.Input, map[string]any{"type": "function_call_output", "call_id": p.ToolCallID, "output": p.Content})
		}
	}
	flush()
}

// content converts an answer. What the model thought is not in it.
func (r response) content() (*llms.ContentResponse, error) {
	if r.Error != nil {
		return nil, fmt.Errorf("the provider reports: %s", cmp.Or(r.Error.Message, r.Error.Code))
	}
	choice := &llms.ContentChoice{
		StopReason: map[string]string{"max_output_tokens": "length", "content_filter": "content_filter"}[r.Why.Reason],
		GenerationInfo: map[string]any{
			"PromptTokens": r.Usage.In, "CompletionTokens": r.Usage.Out, "PromptCachedTokens": r.Usage.Of.Cached, "ThinkingTokens": r.Usage.OfOut.Thought,
		},
	}
	refused := false
	for _, item := range r.Output {
		if item.Type == "function_call" {
			choice.ToolCalls = append(choice.ToolCalls, llms.ToolCall{ID: item.CallID, Type: "function", FunctionCall: &llms.FunctionCall{Name: item.Name, Arguments: item.Arguments}})
		}
		for _, c := range item.Content {
			switch {
			case item.Type == "message" && c.Type == "output_text":
				choice.Content += c.Text
			case c.Type == "refusal":
				refused = true
			}
		}
	}
	switch {
	case refused:
		choice.StopReason = "refusal"
	case r.Status == "completed":
		choice.StopReason = cmp.Or(choice.StopReason, "stop")
	case r.Status == "incomplete":
		choice.StopReason = cmp.Or(choice.StopReason, "length")
	}
	return &llms.ContentResponse{Choices: []*llms.ContentChoice{choice}}, nil
}

// readResponseStream passes on the pieces of an answer as they arrive. The last event holds the whole answer; without it
// the result is what came, without a reason to stop.
func readResponseStream(ctx context.Context, body io.Reader, say func(ctx context.Context, piece []byte) error) (*llms.ContentResponse, error) {
	scanner := bufio.NewScanner(body)
	scanner.Buffer(nil, maxResponse)
	var said strings.Builder
	for scanner.Scan() {
		data, ok := bytes.CutPrefix(scanner.Bytes(), []byte("data:"))
		if !ok {
			continue
		}
		var event struct {
			responseFault
			Type     string   `json:"type"`
			Delta    string   `json:"delta"`
			Response response `json:"response"`
		}
		if json.Unmarshal(data, &event) != nil {
			continue // an event of another kind: some have a delta that is no text
		}
		switch event.Type {
		case "response.output_text.delta":
			said.WriteString(event.Delta)
			if err := say(ctx, []byte(event.Delta)); err != nil {
				return nil, err
			}
		case "response.completed", "response.incomplete", "response.failed":
			return event.Response.content()
		case "error":
			return nil, fmt.Errorf("the provider reports: %s", cmp.Or(event.Message, event.Code))
		}
	}
	if err := scanner.Err(); err != nil {
		return nil, fmt.Errorf("read the stream: %w", err)
	}
	if said.Len() == 0 {
		return nil, errors.New("the stream holds no answer")
	}
	return &llms.ContentResponse{Choices: []*llms.ContentChoice{{Content: said.String()}}}, nil
}
