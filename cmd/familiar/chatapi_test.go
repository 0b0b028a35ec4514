package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"familiar/channels/chatapi/chatapitest"
	"familiar/internal/llm/llmtest"
	"familiar/internal/npmtest"
	"familiar/internal/torture"
)

// chatHome is a home that serves chat completions, with a token of the operator.
func chatHome(t testing.TB, p *llmtest.Server) (home string, c *chatapitest.Client) {
	t.Helper()
	address := freeAddress(t)
	home = configHome(t, p, fmt.Sprintf("http: {listen: %q}\nchannels: {chatapi: {serve: true}}\n", address))
	token := strings.Fields(familiar(t, home, keyed, "", "token", "create", "--client", "test", "--operator").must(t).out)[0]
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return home, &chatapitest.Client{URL: "http://" + address + "/v1", Token: token, HTTP: &http.Client{Transport: transport}}
}

// ask sends a request until it is answered, as a program does that tries again.
func ask(t *testing.T, c *chatapitest.Client, q chatapitest.Request) chatapitest.Reply {
	t.Helper()
	for deadline := time.Now().Add(testTimeout); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		got, err := c.Chat(t.Context(), q)
		switch {
		case err != nil, got.Status == http.StatusServiceUnavailable, got.Error.Code == "stopping":
		case got.Status != http.StatusOK:
			t.Fatalf("answered with %d %s", got.Status, got.Body)
		default:
			return got
		}
	}
	t.Fatal("not answered in time")
	return chatapitest.Reply{}
}

func talk(text string) []chatapitest.Message { return []chatapitest.Message{chatapitest.User(text)} }

// TestA2ChatAPIKill kills the process while requests are answered. Each gets its own reply in the end, and what was said is
// remembered once.
func TestA2ChatAPIKill(t *testing.T) {
	t.Parallel()
	p := llmtest.Serve(t, func(w http.ResponseWriter, r *llmtest.Request) {
		_, note, _ := strings.Cut(r.Prompt()[strings.LastIndex(r.Prompt(), "Note "):], " ")
		number, _, _ := strings.Cut(note, ":")
		llmtest.After(10*time.Millisecond, llmtest.Says("I wrote down number "+number+" for you."))(w, r)
	})
	home, c := chatHome(t, p)
	kills := torture.Rounds(8, 100)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	for i := range kills {
		first := start(t, home, keyed, "run")
		q := chatapitest.Request{Model: "nell", User: "ann", Stream: i%2 == 0, Messages: talk(fmt.Sprintf("Note %d: I saw a heron.", i))}
		q.Header = http.Header{"X-Stainless-Retry-Count": {"1"}}
		ask(t, c, chatapitest.Request{Model: "nell", User: "bob", Messages: talk(fmt.Sprintf("Note %d: it is up.", 1000+i))})
		var asking sync.WaitGroup
		asking.Go(func() { _, _ = c.Chat(t.Context(), q) })
		time.Sleep(time.Duration(rng.IntN(60)) * time.Millisecond)
		first.signal(syscall.SIGKILL)
		first.exit()
		asking.Wait()
		second := start(t, home, keyed, "run")
		if got := ask(t, c, q); !strings.Contains(got.Text, fmt.Sprintf("number %d for", i)) {
			t.Errorf("note %d is answered with %q", i, got.Text)
		}
		second.signal(syscall.SIGTERM)
		second.exit()
	}
	listed := familiar(t, home, nil, "", "memory", "list", "--limit", "100000", "--json").must(t).out
	for i := range kills {
		if n := strings.Count(listed, fmt.Sprintf("\"Note %d: I saw a heron.", i)); n != 1 {
			t.Errorf("note %d is remembered %d times", i, n)
		}
	}
}

// TestAnotherAnswerLearnsNothingTwice asks three times for an answer to the same message.
func TestAnotherAnswerLearnsNothingTwice(t *testing.T) {
	t.Parallel()
	n := 0
	p := llmtest.Serve(t, func(w http.ResponseWriter, r *llmtest.Request) {
		n++
		if strings.Contains(r.Prompt(), fmt.Sprintf("Lovely, version %d", n-1)) {
			t.Errorf("the answer that was replaced is in the prompt of version %d", n)
		}
		llmtest.Says(fmt.Sprintf("Lovely, version %d of my answer.", n))(w, r)
	})
	home, c := chatHome(t, p)
	serving := start(t, home, keyed, "run")
	q := chatapitest.Request{Model: "nell", User: "ann", Messages: talk("My cat is called Tom.")}
	for i := range 3 {
		if got, want := ask(t, c, q), fmt.Sprintf("version %d", i+1); !strings.Contains(got.Text, want) {
			t.Errorf("answered %q, want %s", got.Text, want)
		}
	}
	if got := ask(t, c, chatapitest.Request{Model: "nell", User: "ann", Messages: talk("/memory")}); strings.Count(got.Text, "My cat is called Tom.") != 1 {
		t.Errorf("remembered %q", got.Text)
	}
	if got := ask(t, c, chatapitest.Request{Model: "nell", User: "bob", Messages: talk("/memory")}); strings.Contains(got.Text, "Tom") {
		t.Errorf("bob is told %q", got.Text)
	}
	serving.signal(syscall.SIGTERM)
	serving.exit()
}

// TestS12CommandsHoldWithoutAHistory gives commands one by one, as a program does that keeps no history: what the last one says is
// so, and who paused the persona can end that and still be forgotten.
func TestS12CommandsHoldWithoutAHistory(t *testing.T) {
	t.Parallel()
	home, c := chatHome(t, llmtest.Serve(t, llmtest.Says("A fine day to you.")))
	serving := start(t, home, keyed, "run")
	tell := func(text, want string) {
		t.Helper()
		if got := ask(t, c, chatapitest.Request{Model: "nell", User: "ann", Messages: talk(text)}); !strings.Contains(got.Text, want) {
			t.Errorf("%s is answered with %q, want %q", text, got.Text, want)
		}
	}
	for _, last := range []string{"off", "on"} { // both were given before
		for _, state := range []string{"on", "off", "on", "off", last} {
			tell("/training "+state, "training")
		}
		if got := ask(t, c, chatapitest.Request{Model: "nell", User: "ann", Messages: talk("/training")}); strings.Contains(got.Text, "You agreed") != (last == "on") {
			t.Errorf("after %s: %q", last, got.Text)
		}
	}
	tell("My cat is called Tom.", "fine day")
	tell("/pause", "no longer listen")
	refused, err := c.Chat(t.Context(), chatapitest.Request{Model: "nell", User: "ann", Messages: talk("hello")})
	if err != nil || refused.Status != http.StatusForbidden || !strings.Contains(refused.Error.Message, "/pause off") {
		t.Errorf("paused, hello gets %d %s, %v", refused.Status, refused.Body, err)
	}
	tell("/memory", "Tom")
	tell("/pause off", "listen to you again")
	tell("hello", "fine day")
	tell("/pause", "no longer listen")
	tell("/forget me", "/forget yes")
	serving.signal(syscall.SIGTERM)
	serving.exit()
}

// TestSDKOfOpenAI talks with OpenAI's own package for Node.
func TestSDKOfOpenAI(t *testing.T) {
	t.Parallel()
	run, dir := npmtest.Need(t, "openai"), t.TempDir()
	if out, err := run("npm", "install", "--no-audit", "--no-fund", "--prefix", dir, "openai"); err != nil {
		t.Fatalf("install the package: %v: %s", err, out)
	}
	home, c := chatHome(t, llmtest.Serve(t, llmtest.Says("Good morning to you, Ann, and a fine day.")))
	serving := start(t, home, keyed, "run")
	ask(t, c, chatapitest.Request{Model: "nell", User: "bob", Messages: talk("Are you there?")})
	const program = `
const OpenAI = require("openai");
const client = new OpenAI({ baseURL: process.argv[2], apiKey: process.argv[3] });
const messages = [{ role: "user", content: "Good morning!" }];
(async () => {
  for await (const m of await client.models.list()) console.log("model", m.id);
  const whole = await client.chat.completions.create({ model: "nell", user: "ann", messages });
  console.log("whole", whole.choices[0].message.content, whole.usage.total_tokens > 0);
  messages.push(whole.choices[0].message, { role: "user", content: "And now?" });
  const stream = await client.chat.completions.create({ model: "nell", user: "ann", messages, stream: true, stream_options: { include_usage: true } });
  let text = "", tokens = 0;
  for await (const piece of stream) { text += piece.choices[0]?.delta?.content ?? ""; tokens = piece.usage?.total_tokens ?? tokens; }
  console.log("stream", text, tokens > 0);
  try { await client.chat.completions.create({ model: "mira", user: "ann", messages }); } catch (e) { console.log("error", e.status, e.code); }
})();`
	file := filepath.Join(dir, "talk.js")
	write(t, file, []byte(program))
	out, err := run("node", file, c.URL, c.Token)
	for _, want := range []string{
		"model nell\n", "whole Good morning to you, Ann, and a fine day. true\n", "stream Good morning to you, Ann, and a fine day. true\n", "error 404 model_not_found\n",
	} {
		if err != nil || !strings.Contains(string(out), want) {
			t.Errorf("it said %q, %v, want %q", out, err, want)
		}
	}
	serving.signal(syscall.SIGTERM)
	serving.exit()
}

// BenchmarkChatAPIFirstToken asks the program itself with a model that answers at once. before-ms is the time from the request of
// the client until the model is asked, after-ms that from the model's first token until the client has it: together what the
// memory adds, as medians. 32 people ask in turn, so that none is slowed down.
func BenchmarkChatAPIFirstToken(b *testing.B) {
	var asked, wrote time.Time
	p := llmtest.Serve(b, func(w http.ResponseWriter, r *llmtest.Request) {
		asked = time.Now()
		wrote = asked
		llmtest.Streams("data: {\"choices\":[{\"delta\":{\"content\":\"Good morning to you, and \"}}]}\n\n",
			"data: {\"choices\":[{\"delta\":{\"content\":\"tell me of the heron.\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")(w, r)
	})
	home, c := chatHome(b, p)
	serving := start(b, home, keyed, "run")
	serving.reports("serving")
	var before, after []time.Duration
	for i := 0; b.Loop(); i++ {
		var first time.Time
		began := time.Now()
		q := chatapitest.Request{Model: "nell", User: fmt.Sprint("user", i%32), Stream: true, Messages: talk(fmt.Sprintf("I saw heron number %d by the river.", i))}
		got, err := c.Follow(b.Context(), q, func(soFar string) {
			if first.IsZero() && soFar != "" {
				first = time.Now()
			}
		})
		if err != nil || got.Status != http.StatusOK || first.IsZero() {
			b.Fatalf("%v: %d %s", err, got.Status, got.Body)
		}
		before, after = append(before, asked.Sub(began)), append(after, first.Sub(wrote))
	}
	slices.Sort(before)
	slices.Sort(after)
	b.ReportMetric(float64(before[len(before)/2].Microseconds())/1000, "before-ms")
	b.ReportMetric(float64(after[len(after)/2].Microseconds())/1000, "after-ms")
}
