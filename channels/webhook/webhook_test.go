package webhook

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"familiar/channels"
	"familiar/channels/channeltest"
	"familiar/channels/webhook/webhooktest"
)

const testSecret = "canary-of-the-webhook-0123456789"

// rig is a channel with the program on its other side.
type rig struct {
	*Channel
	peer *webhooktest.Peer
	// listening is closed when the channel first listens.
	listening chan struct{}

	mu     sync.Mutex
	states []channels.State
	log    strings.Builder
}

// Write keeps what is logged.
func (r *rig) Write(line []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.log.Write(line)
}

func (r *rig) logged() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.log.String()
}

func (r *rig) report(s channels.State) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.states = append(r.states, s)
	if s.Phase == channels.Connected && len(r.states) == 2 {
		close(r.listening)
	}
}

func (r *rig) reported() []channels.State {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.states)
}

// address returns the channel's address, empty before it listens.
func (r *rig) address() string {
	for _, s := range slices.Backward(r.reported()) {
		if s.Phase == channels.Connected {
			return s.Account
		}
	}
	return ""
}

func newRig(t *testing.T) *rig {
	t.Helper()
	r := &rig{peer: webhooktest.Start(testSecret, time.Now, "pond"), listening: make(chan struct{})}
	t.Cleanup(r.peer.Close)
	c, err := New(Options{
		Secret: testSecret, Listen: "127.0.0.1:0", URL: r.peer.URL, Host: channels.Host{Report: r.report, Now: time.Now},
		Log: slog.New(slog.NewTextHandler(r, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
	if err != nil {
		t.Fatal(err)
	}
	r.Channel = c
	t.Cleanup(c.http.CloseIdleConnections)
	return r
}

// serve runs the channel until the test ends.
func (r *rig) serve(t *testing.T, accept channels.Accept) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- r.Run(ctx, accept) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("Run ended with %v", err)
		}
	})
	<-r.listening
}

// event returns a message of Ann in the room pond.
func event(id, text string) map[string]any {
	return map[string]any{"id": id, "room": "pond", "author": map[string]any{"id": "7", "name": "Ann"}, "text": text}
}

func TestWebhookConforms(t *testing.T) {
	channeltest.Run(t, func(t *testing.T) channeltest.Network {
		r := newRig(t)
		edits := 0
		return channeltest.Network{
			Channel: r, Room: channels.Room{Channel: "webhook", ID: "pond"}, Redelivers: true,
			Say: func(id, text string) { r.peer.Deliver(r.address, event(id, text)) },
			Shown: func() (texts []string) {
				for _, reply := range r.peer.Shown() {
					texts = append(texts, reply.Text)
				}
				return texts
			},
			Edit: func(id, text string) {
				edits++
				e := event(id+"-edit-"+strconv.Itoa(edits), text)
				e["edits"] = id
				r.peer.Deliver(r.address, e)
			},
			Delete: func(id string) {
				e := event(id+"-delete", "")
				e["deletes"] = id
				r.peer.Deliver(r.address, e)
			},
			States: r.reported, Logs: r.logged, Secrets: []string{testSecret},
		}
	})
}

// TestEventIsAcknowledgedOnceStored lets the store fail first.
func TestEventIsAcknowledgedOnceStored(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	full := true
	var kept []channels.Message
	r.serve(t, func(_ context.Context, m channels.Message) error {
		if full {
			return errors.New("the disk is full")
		}
		kept = append(kept, m)
		return nil
	})
	if status := r.peer.Post(r.address(), event("1", "hi")); status != http.StatusServiceUnavailable {
		t.Errorf("not stored, it is answered with %d", status)
	}
	full = false
	if status := r.peer.Post(r.address(), event("1", "hi")); status != http.StatusNoContent || len(kept) != 1 || kept[0].ID != "1" {
		t.Errorf("answered with %d, stored %+v", status, kept)
	}
}

// TestRunWaitsForAnEventThatIsBeingStored stops the channel while the store takes longer than requests in flight may.
func TestRunWaitsForAnEventThatIsBeingStored(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	ctx, cancel := context.WithCancel(t.Context())
	var storing atomic.Bool
	ended := make(chan error, 1)
	go func() {
		ended <- r.Run(ctx, func(ctx context.Context, _ channels.Message) error {
			storing.Store(true)
			defer storing.Store(false)
			cancel()
			<-ctx.Done()
			<-time.After(100 * time.Millisecond) // the write under way
			return ctx.Err()
		})
	}()
	<-r.listening
	if status := r.peer.Post(r.address(), event("1", "hi")); status == http.StatusNoContent {
		t.Errorf("answered with %d", status)
	}
	if err := <-ended; !errors.Is(err, context.Canceled) || storing.Load() {
		t.Errorf("Run ended with %v, still storing: %v", err, storing.Load())
	}
}

// TestInvalidRequestsAreRejected posts requests that must not be accepted.
func TestInvalidRequestsAreRejected(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.serve(t, func(_ context.Context, m channels.Message) error {
		t.Errorf("received %+v", m)
		return nil
	})
	const good = `{"id":"1","room":"pond","author":{"id":"7"},"text":"hi"}`
	with := func(attachments string) string {
		return strings.Replace(good, `"text"`, `"attachments":[`+attachments+`],"text"`, 1)
	}
	at := func(d time.Duration) string { return strconv.FormatInt(time.Now().Add(d).Unix(), 10) }
	now := at(0)
	for name, c := range map[string]struct {
		id, timestamp, signed, body string
		want                        int
	}{
		"no signature":        {"1", now, " ", good, 401},
		"another key":         {"1", now, "v1,AAAA", good, 401},
		"another body":        {"1", now, r.peer.Sign("1", now, []byte(good+" ")), good, 401},
		"another id":          {"2", now, r.peer.Sign("1", now, []byte(good)), good, 401},
		"another time":        {"1", at(-time.Minute), r.peer.Sign("1", now, []byte(good)), good, 401},
		"no time":             {"1", "now", "", good, 401},
		"replayed too late":   {"1", at(-replayWindow - 2*time.Second), "", good, 401},
		"from the future":     {"1", at(replayWindow + time.Hour), "", good, 401}, // an hour, since the requests before it take time
		"no JSON":             {"1", now, "", "hi", 400},
		"the id of another":   {"2", now, "", good, 400},
		"two events":          {"1", now, "", good + good, 400},
		"an unknown key":      {"1", now, "", strings.Replace(good, "text", "texts", 1), 400},
		"no room":             {"1", now, "", strings.Replace(good, `"room":"pond",`, "", 1), 400},
		"no author":           {"1", now, "", strings.Replace(good, `"author":{"id":"7"},`, "", 1), 400},
		"no text":             {"1", now, "", strings.Replace(good, "hi", " ", 1), 400},
		"edits and deletes":   {"1", now, "", strings.Replace(good, `"text"`, `"edits":"0","deletes":"0","text"`, 1), 400},
		"deletes with text":   {"1", now, "", strings.Replace(good, `"text"`, `"deletes":"0","text"`, 1), 400},
		"a room far too long": {"1", now, "", strings.Replace(good, "pond", strings.Repeat("p", 300), 1), 400},
		"a text too long":     {"1", now, "", strings.Replace(good, "hi", strings.Repeat("hi", 40_000), 1), 400},
		"a body too long":     {"1", now, "", strings.Replace(good, "hi", strings.Repeat("hi", 3<<20), 1), 413},
		"a page as a picture": {"1", now, "", with(`{"kind":"image","data":"PGh0bWw+"}`), 400},
		"a picture of none":   {"1", now, "", with(`{"kind":"image"}`), 400},
		"no base64":           {"1", now, "", with(`{"kind":"image","data":"%%%"}`), 400},
		"a file with data":    {"1", now, "", with(`{"kind":"file","data":"PGh0bWw+"}`), 400},
		"no kind":             {"1", now, "", with(`{"name":"a"}`), 400},
		"nine files":          {"1", now, "", with(strings.Repeat(`{"kind":"file"},`, 8) + `{"kind":"file"}`), 400},
		"an edit with a file": {"1", now, "", strings.Replace(with(`{"kind":"file"}`), `"text"`, `"edits":"0","text"`, 1), 400},
		"a large picture":     {"1", now, "", with(`{"kind":"image","data":"iVBORw0KGgo` + strings.Repeat("AAAA", 900_000) + `="}`), 400},
	} {
		if c.signed == "" {
			c.signed = r.peer.Sign(c.id, c.timestamp, []byte(c.body))
		}
		if got := r.peer.PostRaw(r.address(), c.id, c.timestamp, c.signed, []byte(c.body)); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
	if got := r.peer.PostRaw(strings.TrimSuffix(r.address(), path), "1", now, "", nil); got != http.StatusNotFound {
		t.Errorf("elsewhere: %d", got)
	}
	if r.peer.Sign("1", now, nil) == "" || strings.Contains(r.logged(), testSecret) {
		t.Error("the log contains the secret")
	}
}

// TestTruncatedRequestIsRejected sends less than it announces.
func TestTruncatedRequestIsRejected(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.serve(t, func(context.Context, channels.Message) error { return nil })
	c, err := net.Dial("tcp", strings.TrimSuffix(strings.TrimPrefix(r.address(), "http://"), path))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := io.WriteString(c, "POST "+path+" HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\n"); err != nil {
		t.Fatal(err)
	}
	if answer, err := bufio.NewReader(c).ReadString('\n'); err != nil || !strings.Contains(answer, " 400 ") {
		t.Errorf("answered %q, %v", answer, err)
	}
}

// TestSignatureFollowsTheSpecification signs the example of Standard Webhooks, and accepts one of two signatures during
// a key change.
func TestSignatureFollowsTheSpecification(t *testing.T) {
	key, err := parseKey("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
	if err != nil {
		t.Fatal(err)
	}
	const id, timestamp, want = "msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
	body := []byte(`{"test": 2432232314}`)
	if got := sign(key, id, timestamp, body); got != want {
		t.Errorf("signed %s, want %s", got, want)
	}
	h := http.Header{}
	h.Set(headerID, id)
	h.Set(headerTimestamp, timestamp)
	h.Set(headerSignature, "v1,AAAA "+want+" v2,BBBB")
	signed := time.Unix(1614265330, 0)
	if at, err := verify(h, key, body, signed.Add(replayWindow)); err != nil || !at.Equal(signed) {
		t.Errorf("verified as of %v, %v", at, err)
	}
	if _, err := verify(h, key, body, signed.Add(replayWindow+time.Second)); !errors.Is(err, errStale) {
		t.Errorf("after the window: %v", err)
	}
}

func TestInvalidSecretIsRejectedWithoutShowingIt(t *testing.T) {
	for _, secret := range []string{"", "canary", "whsec_canary!", "whsec_Y2FuYXJ5"} {
		_, err := New(Options{Secret: secret})
		refused, ok := errors.AsType[*channels.StateError](err)
		if !ok || !refused.State.Fatal() || refused.State.NextStep == "" || strings.Contains(err.Error(), "canary") {
			t.Errorf("%q: %v", secret, err)
		}
	}
}

// TestParseGroupEvent parses the optional keys.
func TestParseGroupEvent(t *testing.T) {
	at := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	signed := at.Add(time.Minute)
	m, err := parse([]byte(`{"id":"2","room":"pond","thread":"t","group":true,"title":"The pond","author":{"id":"7","name":"Ann","bot":true},
		"text":"hi","addressed":true,"reply_to":"1","at":"2026-01-05T10:00:00+01:00"}`), "2", signed)
	want := channels.Message{
		ID: "2", Room: channels.Room{Channel: "webhook", ID: "pond", Thread: "t"}, RoomTitle: "The pond", Addressed: true, ReplyTo: "1",
		Author: channels.Author{Handle: channels.Handle{Channel: "webhook", ID: "7"}, Name: "Ann", Bot: true}, Text: "hi", At: m.At,
	}
	if err != nil || !m.At.Equal(at) || m.Direct || m.Room != want.Room || m.RoomTitle != want.RoomTitle || m.Author != want.Author || !m.Addressed || m.ReplyTo != "1" {
		t.Errorf("received %+v, %v", m, err)
	}
	for _, text := range []string{"", `,"at":"2027-01-05T10:00:00Z"`} { // missing, or in the future
		m, err = parse([]byte(`{"id":"2","room":"pond","group":true,"author":{"id":"7"},"text":"hi"`+text+`}`), "2", signed)
		if err != nil || !m.At.Equal(signed) || m.Addressed {
			t.Errorf("received %+v, %v", m, err)
		}
	}
}

// TestSendErrorKinds checks the error kind for each answer of a receiver.
func TestSendErrorKinds(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for _, c := range []struct {
		status int
		after  string
		kind   channels.SendKind
		wait   time.Duration
	}{
		{400, "", channels.Permanent, 0},
		{401, "", channels.Permanent, 0},
		{302, "", channels.Permanent, 0},
		{410, "", channels.Blocked, 0},
		{408, "", channels.Temporary, 0},
		{429, "7", channels.RateLimited, 7 * time.Second},
		{429, "", channels.RateLimited, 0},
		{429, "-7", channels.RateLimited, 0},
		{503, "", channels.Temporary, 0},
		{503, "3", channels.RateLimited, 3 * time.Second},
		{500, "", channels.Ambiguous, 0},
		{504, "", channels.Ambiguous, 0},
	} {
		fault := webhooktest.Fault{Status: c.status, Header: http.Header{}}
		if c.after != "" {
			fault.Header.Set("Retry-After", c.after)
		}
		r.peer.Break(fault)
		_, err := r.Send(t.Context(), channels.Outgoing{Room: channels.Room{Channel: name, ID: "pond"}, Key: "k", Text: "hi"})
		if e, ok := errors.AsType[*channels.SendError](err); !ok || e.Kind != c.kind || e.RetryAfter != c.wait {
			t.Errorf("%d %s: %v, want %v after %v", c.status, c.after, err, c.kind, c.wait)
		}
	}
	if len(r.peer.Shown()) != 0 {
		t.Errorf("shown %+v", r.peer.Shown())
	}
}

func TestRetryAfterDate(t *testing.T) {
	now := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	for header, want := range map[string]time.Duration{
		"Mon, 05 Jan 2026 09:01:00 GMT": time.Minute, "Mon, 05 Jan 2026 08:00:00 GMT": 0, "soon": 0, "999999999999": 0,
	} {
		if got := retryAfter(header, now); got != want {
			t.Errorf("%q: %v, want %v", header, got, want)
		}
	}
}

// TestReplyWithALostAnswerIsShownOnce sends a chunk with an unknown outcome again.
func TestReplyWithALostAnswerIsShownOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	out := channels.Outgoing{Room: channels.Room{Channel: name, ID: "pond", Thread: "t"}, Key: "k", Text: "hi", ReplyTo: "1"}
	ctx, cancel := context.WithCancel(t.Context()) // the request continues for sendGrace
	hold := make(chan struct{})
	r.peer.Break(webhooktest.Fault{After: true, Status: http.StatusOK, Hold: hold, Struck: cancel})
	if _, err := r.Send(ctx, out); channels.Kind(err) != channels.Ambiguous {
		t.Fatalf("an answer that does not come is %v", err)
	}
	close(hold)
	receipt, err := r.Send(t.Context(), out)
	want := webhooktest.Reply{ID: "k", Room: "pond", Thread: "t", ReplyTo: "1", Text: "hi"}
	if err != nil || receipt.ID != "shown-k" || !slices.Equal(r.peer.Shown(), []webhooktest.Reply{want}) || len(r.peer.Taken()) != 2 {
		t.Errorf("%+v, %v, shown %+v", receipt, err, r.peer.Shown())
	}
	if !r.Limits().Idempotent {
		t.Error("it may not be sent again")
	}
}

// TestUnreachableReceiverIsATemporaryError posts to a closed receiver.
func TestUnreachableReceiverIsATemporaryError(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.peer.Close()
	_, err := r.Send(t.Context(), channels.Outgoing{Room: channels.Room{Channel: name, ID: "pond"}, Key: "k", Text: "hi"})
	if e, ok := errors.AsType[*channels.SendError](err); !ok || e.Kind != channels.Temporary {
		t.Errorf("nobody there: %v", err)
	}
}

// TestRequestTimeouts waits for a receiver that never answers, in virtual time.
func TestRequestTimeouts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := graceful(t.Context())
		defer cancel()
		began := time.Now()
		<-ctx.Done()
		if waited := time.Since(began); waited != answerTimeout {
			t.Errorf("given up after %v", waited)
		}
		ended, end := context.WithCancel(t.Context())
		ctx, cancel = graceful(ended)
		defer cancel()
		end()
		began = time.Now()
		<-ctx.Done()
		if waited := time.Since(began); waited != sendGrace {
			t.Errorf("broken off after %v", waited)
		}
	})
}

// TestAddressInUseIsReported runs two channels at one address.
func TestAddressInUseIsReported(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.serve(t, func(context.Context, channels.Message) error { return nil })
	second := newRig(t)
	second.opts.Listen = strings.TrimSuffix(strings.TrimPrefix(r.address(), "http://"), path)
	err := second.Run(t.Context(), nil)
	if refused, ok := errors.AsType[*channels.StateError](err); !ok || !refused.State.Fatal() || !strings.Contains(refused.State.NextStep, "channels.webhook.listen") {
		t.Errorf("%v", err)
	}
}

// TestShutdownAnswersRequestsInFlight ends the channel while an event is being stored.
func TestShutdownAnswersRequestsInFlight(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan error, 1)
	go func() {
		done <- r.Run(ctx, func(ctx context.Context, _ channels.Message) error {
			cancel()
			for { // until the server shuts down
				c, err := net.Dial("tcp", strings.TrimSuffix(strings.TrimPrefix(r.address(), "http://"), path))
				if err != nil {
					return ctx.Err()
				}
				_ = c.Close()
			}
		})
	}()
	if status := r.peer.Deliver(r.address, event("1", "hi")); status != http.StatusNoContent {
		t.Errorf("answered with %d", status)
	}
	<-done
}

// FuzzRequest verifies requests from anybody and parses signed events.
func FuzzRequest(f *testing.F) {
	f.Add("1", "1614265330", "v1,AAAA", []byte(`{"id":"1","room":"pond","author":{"id":"7","name":"Ann"},"text":"hi"}`))
	f.Add("1", "1614265330", "v1,AAAA v1,BBBB", []byte(`{"id":"1","room":"p","group":true,"author":{"id":"7"},"edits":"0","text":"x","at":"2026-01-05T09:00:00Z"}`))
	f.Add("1", "-9223372036854775808", "", []byte(`{"id":"1","room":"p","author":{"id":"7"},"deletes":"0"}`))
	f.Add("1", "1614265330", "", []byte(`{"id":"1","room":"p","author":{"id":"7"},"attachments":[{"kind":"image","data":"iVBORw0KGgo="},{"kind":"file","name":"a"}]}`))
	f.Add("", "", "", []byte(`[[[[{"id":`))
	key := []byte(testSecret)
	now := time.Unix(1614265330, 0)
	f.Fuzz(func(t *testing.T, id, timestamp, signature string, body []byte) {
		h := http.Header{headerID: {id}, headerTimestamp: {timestamp}, headerSignature: {signature}}
		if _, err := verify(h, key, body, now); err == nil && !strings.Contains(signature, sign(key, id, timestamp, body)) {
			t.Errorf("verified without a signature: %q", signature)
		}
		m, err := parse(body, id, now)
		if err != nil {
			return
		}
		switch {
		case m.ID != id || m.ID == "" || m.Room.ID == "" || m.Room.Channel != name || m.Author.Handle.ID == "":
			t.Errorf("received without an id: %+v", m)
		case m.At.IsZero() || m.At.After(now):
			t.Errorf("received at %v", m.At)
		case m.Direct && !m.Addressed, m.Action != channels.Post && m.TargetID == "", m.Action != channels.Delete && strings.TrimSpace(m.Text) == "" && len(m.Attachments) == 0:
			t.Errorf("received %+v", m)
		}
	})
}
