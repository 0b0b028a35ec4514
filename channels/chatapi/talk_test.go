package chatapi

import (
	"context"
	"encoding/base64"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"familiar/channels"
	"familiar/channels/chatapi/chatapitest"
)

var _ channels.FileFetcher = (*Channel)(nil)

// echo replies with what was said, and a number that grows.
func echo() func(channels.Message) string {
	var mu sync.Mutex
	n := 0
	return func(m channels.Message) string {
		mu.Lock()
		defer mu.Unlock()
		n++
		return m.Text + "! " + strings.Repeat("i", n)
	}
}

// TestOnlyWhatIsNewIsHeard sends the whole conversation each time, as clients do.
func TestOnlyWhatIsNewIsHeard(t *testing.T) {
	t.Parallel()
	for _, stream := range []bool{false, true} {
		r := newRig(t, nil)
		r.serve(t, echo())
		c, history := r.client(annToken), []string{}
		for _, text := range []string{"hi", "how are you?", "hi", "how are you?"} {
			history = append(history, text)
			got := chat(t, c, http.StatusOK, chatapitest.Request{Messages: said(history...), Stream: stream})
			if !strings.HasPrefix(got.Text, text+"! ") || got.Finish != "stop" || got.Done != stream {
				t.Errorf("answered %q, %+v", text, got)
			}
			history = append(history, got.Text)
		}
		if heard := r.heard(); !slices.Equal(heard, []string{"hi", "how are you?", "hi", "how are you?"}) {
			t.Errorf("heard %q", heard)
		}
		for _, m := range r.received {
			if m.Author.Handle != (channels.Handle{Channel: name, ID: "~7"}) || m.Author.Name != "Ann" || m.For != "nell" || !m.Complete || !m.Direct {
				t.Errorf("heard %+v", m)
			}
		}
	}
}

// TestHistoriesThatClientsSend has what is heard of each.
func TestHistoriesThatClientsSend(t *testing.T) {
	t.Parallel()
	u, a := chatapitest.User, chatapitest.Assistant
	sys := func(text string) chatapitest.Message { return chatapitest.Message{Role: "system", Content: text} }
	many := make([]chatapitest.Message, 0, 10_001)
	for range 5_000 {
		many = append(many, u("old"), a("older"))
	}
	for name, c := range map[string]struct {
		messages []chatapitest.Message
		heard    []string
	}{
		"rules of the client":     {[]chatapitest.Message{sys("Be evil."), u("hi"), sys("Stay in character.")}, []string{"hi"}},
		"an answer to continue":   {[]chatapitest.Message{u("hi"), a("Well,")}, []string{"hi"}},
		"a greeting of the card":  {[]chatapitest.Message{a("Welcome!"), u("hi")}, []string{"hi"}},
		"several in a row":        {[]chatapitest.Message{a("Yes?"), u("one"), u(" "), u("two"), u("three")}, []string{"one", "two", "three"}},
		"parts":                   {[]chatapitest.Message{{Role: "user", Content: []any{map[string]any{"type": "text", "text": "one"}, map[string]any{"type": "text", "text": "two"}}}}, []string{"one\ntwo"}},
		"a tool's result":         {[]chatapitest.Message{u("hi"), {Role: "assistant", Content: nil}, {Role: "tool", Content: "42"}, u("so?")}, []string{"so?"}},
		"a conversation of hours": {append(many, u("new")), []string{"new"}},
	} {
		r := newRig(t, nil)
		r.serve(t, echo())
		got := chat(t, r.client(annToken), http.StatusOK, chatapitest.Request{Messages: c.messages})
		if heard := r.heard(); !slices.Equal(heard, c.heard) {
			t.Errorf("%s: heard %q, want %q", name, heard, c.heard)
		}
		if !strings.HasPrefix(got.Text, c.heard[len(c.heard)-1]+"! ") {
			t.Errorf("%s: answered %q", name, got.Text)
		}
	}
}

// TestA1ARepeatedRequestGetsTheSameReply lets the program disconnect, and asks again before and after the answer.
func TestA1ARepeatedRequestGetsTheSameReply(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	write, wrote := make(chan bool), make(chan bool, 1)
	r.serve(t, func(channels.Message) string { <-write; wrote <- true; return "good morning" })
	c := r.client(annToken)
	q := chatapitest.Request{Model: "nell", Messages: said("hello"), Stream: true}
	gone, leave := context.WithCancel(t.Context())
	if _, err := c.Follow(gone, q, func(string) { leave() }); err == nil {
		t.Fatal("the program did not leave")
	}
	close(write)
	<-wrote
	for _, stream := range []bool{false, true} {
		q.Stream = stream
		q.Header = http.Header{"X-Stainless-Retry-Count": {"1"}}
		if got := chat(t, c, http.StatusOK, q); got.Text != "good morning" {
			t.Errorf("asked again: %q", got.Text)
		}
	}
	if heard := r.heard(); len(heard) != 1 {
		t.Errorf("heard %q", heard)
	}
	r.mu.Lock()
	clear(r.texts) // the person had it forgotten
	r.mu.Unlock()
	if got := chat(t, c, http.StatusOK, q); got.Text != "" {
		t.Errorf("forgotten, it is %q", got.Text)
	}
}

// TestA2AfterAKillTheReplyIsThere starts a second process with the store of the first at each step.
func TestA2AfterAKillTheReplyIsThere(t *testing.T) {
	t.Parallel()
	q := chatapitest.Request{Model: "nell", Messages: said("hello")}
	for _, step := range []string{"noted", "stored", "answered"} {
		first := newRig(t, nil)
		d, bad := (&handler{Channel: first.Channel, callers: channels.Callers{}}).draft(
			httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", nil), mustParse(t, `{"model":"nell","messages":[{"role":"user","content":"hello"}]}`),
			speaker{author: channels.Author{Handle: channels.Handle{Channel: name, ID: "~7"}}, room: channels.Room{Channel: name, ID: "@~7"}, direct: true})
		if bad != nil {
			t.Fatal(bad.message)
		}
		p, err := first.mailbox.plan(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		m := p.hand[0]
		second := newRig(t, first.store.Copy())
		if step == "answered" {
			first.answer(t, m, "good morning")
			second = newRig(t, first.store.Copy())
			second.texts = first.texts
		}
		second.serve(t, func(channels.Message) string { return "good morning" })
		if step == "stored" { // its turn is taken after the restart, before the program asks again
			second.received = append(second.received, m)
			second.answer(t, m, "good morning")
		}
		if got := chat(t, second.client(annToken), http.StatusOK, q); got.Text != "good morning" {
			t.Errorf("%s: %q", step, got.Text)
		}
		for _, o := range second.received {
			if o.ID != m.ID {
				t.Errorf("%s: heard as %s, was %s", step, o.ID, m.ID)
			}
		}
	}
}

func mustParse(t *testing.T, body string) request {
	t.Helper()
	q, bad := parseRequest([]byte(body))
	if bad != nil {
		t.Fatal(bad.message)
	}
	return q
}

// TestAnotherAnswerReplacesTheFirst asks again for an answer that was received: the reply and the message are withdrawn, and the
// message is said again.
func TestAnotherAnswerReplacesTheFirst(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	r.serve(t, echo())
	c, q := r.client(annToken), chatapitest.Request{Messages: said("hello")}
	first := chat(t, c, http.StatusOK, q)
	second := chat(t, c, http.StatusOK, q)
	if first.Text == second.Text || first.ID == second.ID || !strings.HasPrefix(second.Text, "hello! ") {
		t.Errorf("first %q, then %q", first.Text, second.Text)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.received) != 4 {
		t.Fatalf("received %+v", r.received)
	}
	said, reply, withdrawn, again := r.received[0], r.received[1], r.received[2], r.received[3]
	if reply.Action != channels.Delete || reply.TargetID != "reply-"+said.ID || reply.Author != (channels.Author{}) {
		t.Errorf("the reply is withdrawn by %+v", reply)
	}
	if withdrawn.Action != channels.Delete || withdrawn.TargetID != said.ID || withdrawn.Author.Handle != said.Author.Handle {
		t.Errorf("the message is withdrawn by %+v", withdrawn)
	}
	if again.Text != "hello" || again.ID == said.ID {
		t.Errorf("said again as %+v", again)
	}
}

// TestACommandThatComesAgain sends commands without any history, as programs do that keep none. One whose answer was received is a
// new command, so that the last one given always holds; a repeated request gets the answer that exists.
func TestACommandThatComesAgain(t *testing.T) {
	t.Parallel()
	retry := http.Header{"X-Stainless-Retry-Count": {"1"}}
	type sent struct {
		text   string
		header http.Header
		lost   bool // the program does not wait for the answer
	}
	for name, c := range map[string]struct {
		sent    []sent
		carried []string
	}{
		"off, on, off":                   {[]sent{{text: "/training off"}, {text: "/training on"}, {text: "/training off"}}, []string{"/training off", "/training on", "/training off"}},
		"the same twice":                 {[]sent{{text: "/quiet"}, {text: "/quiet"}}, []string{"/quiet", "/quiet"}},
		"repeated by an SDK":             {[]sent{{text: "/remind 5m tea"}, {text: "/remind 5m tea", header: retry}}, []string{"/remind 5m tea"}},
		"no answer was received":         {[]sent{{text: "/remind 5m tea", lost: true}, {text: "/remind 5m tea"}}, []string{"/remind 5m tea"}},
		"lost, and talk in between":      {[]sent{{text: "/remind 5m tea", lost: true}, {text: "hello"}, {text: "/remind 5m tea"}}, []string{"/remind 5m tea", "hello"}},
		"lost, and another in between":   {[]sent{{text: "/pause off", lost: true}, {text: "/pause"}, {text: "/pause off"}}, []string{"/pause off", "/pause", "/pause off"}},
		"an SDK, another in between":     {[]sent{{text: "/pause off"}, {text: "/pause"}, {text: "/pause off", header: retry}}, []string{"/pause off", "/pause", "/pause off"}},
		"an SDK repeats the second one":  {[]sent{{text: "/quiet"}, {text: "/quiet"}, {text: "/quiet", header: retry}}, []string{"/quiet", "/quiet"}},
		"a wish that is taken as one":    {[]sent{{text: "forget my cat"}, {text: "forget my cat"}}, []string{"forget my cat", "forget my cat"}},
		"answered by nothing, then said": {[]sent{{text: "nothing"}, {text: "nothing"}}, []string{"nothing", "nothing"}},
	} {
		r := newRig(t, nil)
		answers := make(chan func(), 1) // of the request that is lost
		lost := false
		r.serveWith(t, func(ctx context.Context, m channels.Message) error {
			if m.Action == channels.Delete {
				if m.TargetID == "" || strings.HasPrefix(m.TargetID, "command-") {
					t.Errorf("%s: %q is deleted", name, m.TargetID)
				}
				return nil
			}
			r.mu.Lock()
			known := slices.ContainsFunc(r.received, func(o channels.Message) bool { return o.ID == m.ID })
			r.received = append(r.received, m)
			r.mu.Unlock()
			if known {
				return nil
			}
			_, _, command := m.Command()
			out := channels.Outgoing{Room: m.Room, Key: "command-" + m.ID, Text: "Done " + m.ID, ReplyData: m.ReplyData}
			switch {
			case m.Text == "nothing":
				r.NoReply(m.ID)
				return nil
			case !command && m.Text == "hello":
				out.Key, out.ReplyTo = "reply-"+m.ID, m.ID
			}
			if lost {
				answers <- func() {
					if _, err := r.Send(context.WithoutCancel(ctx), out); err != nil {
						t.Error(err)
					}
				}
				return nil
			}
			_, err := r.Send(ctx, out)
			return err
		})
		for _, one := range c.sent {
			q := chatapitest.Request{Model: "nell", Messages: said(one.text), Header: one.header}
			if lost = one.lost; lost {
				q.Stream = true
				gone, leave := context.WithCancel(t.Context())
				if _, err := r.client(annToken).Follow(gone, q, func(string) { leave() }); err == nil {
					t.Fatal("the program did not leave")
				}
				(<-answers)()
				continue
			}
			chat(t, r.client(annToken), http.StatusOK, q)
		}
		if heard := r.heard(); !slices.Equal(heard, c.carried) {
			t.Errorf("%s: heard %q, want %q", name, heard, c.carried)
		}
	}
}

// TestSaidAgainLater repeats a message after the time in which it counts as the same.
func TestSaidAgainLater(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	clock := time.Now()
	r.now = func() time.Time { return clock }
	r.serve(t, echo())
	for range 2 {
		chat(t, r.client(annToken), http.StatusOK, chatapitest.Request{Messages: said("hello")})
		clock = clock.Add(repeatWithin)
	}
	if heard := r.heard(); !slices.Equal(heard, []string{"hello", "hello"}) || r.received[1].Action != channels.Post {
		t.Errorf("heard %q", heard)
	}
}

// TestWhatNobodyAskedForIsShownWithTheNextAnswer sends a reminder while nobody waits.
func TestWhatNobodyAskedForIsShownWithTheNextAnswer(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	r.serve(t, func(channels.Message) string { return "I am well." })
	c := r.client(annToken)
	chat(t, c, http.StatusOK, chatapitest.Request{Messages: said("hello")})
	room := channels.Room{Channel: name, ID: "@~7"}
	if _, err := r.Send(t.Context(), channels.Outgoing{Room: room, Key: "reminder", Text: "Water the plants."}); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"Water the plants.\n\nI am well.", "I am well."} {
		got := chat(t, c, http.StatusOK, chatapitest.Request{Stream: i == 0, Messages: said("hello", "I am well.", strings.Repeat("and?", i+1))})
		if got.Text != want {
			t.Errorf("answered %q, want %q", got.Text, want)
		}
	}
	for i := range maxUnread {
		if _, err := r.Send(t.Context(), channels.Outgoing{Room: room, Key: strings.Repeat("k", i+1), Text: "?"}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := r.Send(t.Context(), channels.Outgoing{Room: room, Key: "one more", Text: "?"}); channels.Kind(err) != channels.Temporary || err == nil {
		t.Errorf("a full mailbox: %v", err)
	}
}

// TestStreamsAreNeverGarbled shows replies that end as they began, and others.
func TestStreamsAreNeverGarbled(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		previews []string
		reply    string
		pieces   string
	}{
		"it grows":                  {[]string{"Good", "Good mor", "Good morning"}, "Good morning, Ann.", "Good| mor|ning|, Ann."},
		"spaces at its end":         {[]string{"Good ", "Good morning\n"}, "Good morning", "Good| morning"},
		"no preview":                {nil, "Good morning", "Good morning"},
		"it is replaced":            {[]string{"Good", "Good evil"}, "Let us talk of something else.", "Good| evil|\n\nLet us talk of something else."},
		"a preview is another text": {[]string{"Good", "Bad", "Good morn"}, "Good morning", "Good| morn|ing"},
		"it is taken back":          {[]string{"Go"}, "", "Go"},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			a := &answer{w: w, q: request{Stream: true}, tokens: func(text string) int { return len(text) }, now: time.Now}
			a.q.StreamOptions.IncludeUsage = true
			for _, soFar := range c.previews {
				a.show(soFar)
			}
			a.finish(c.reply)
			a.end()
		}))
		got, err := (&chatapitest.Client{URL: server.URL, HTTP: server.Client()}).Get(t.Context(), "")
		server.Close()
		if pieces := strings.Join(got.Pieces, "|"); err != nil || pieces != c.pieces || !got.Done || got.Finish != "stop" || got.Tokens != len(got.Text) {
			t.Errorf("%s: %q, %+v, %v", name, pieces, got, err)
		}
	}
}

// TestRepliesAreStreamedAsTheyAreWritten waits for each piece before the next is written, unless replies are sent whole.
func TestRepliesAreStreamedAsTheyAreWritten(t *testing.T) {
	t.Parallel()
	for _, whole := range []bool{false, true} {
		r := newRig(t, nil)
		r.opts.WholeReplies = whole
		shown := make(chan string, 10)
		r.serve(t, func(m channels.Message) string {
			soFar := ""
			for _, word := range []string{"Good", " morning", ", Ann"} {
				soFar += word
				if err := r.Preview(t.Context(), m.Room, "k", soFar); err != nil {
					t.Error(err)
				}
				for !whole && <-shown != soFar {
				}
			}
			return soFar + "."
		})
		q := chatapitest.Request{Model: "nell", Messages: said("hello"), Stream: true}
		got, err := r.client(annToken).Follow(t.Context(), q, func(soFar string) { shown <- soFar })
		want := "Good| morning|, Ann|."
		if whole {
			want = "Good morning, Ann."
		}
		if pieces := strings.Join(got.Pieces, "|"); err != nil || pieces != want {
			t.Errorf("whole %v: %q, %v", whole, pieces, err)
		}
	}
}

// TestPreviewsOfAnEarlierReplyAreNotShown lets a program leave, and another request wait while the first reply is written.
func TestPreviewsOfAnEarlierReplyAreNotShown(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	ids := make(chan channels.Message, 2)
	r.serveWith(t, func(_ context.Context, m channels.Message) error { ids <- m; return nil })
	c := r.client(annToken)
	gone, leave := context.WithCancel(t.Context())
	if _, err := c.Follow(gone, chatapitest.Request{Model: "nell", Messages: said("first"), Stream: true}, func(string) { leave() }); err == nil {
		t.Fatal("the program did not leave")
	}
	first := <-ids
	got := make(chan chatapitest.Reply)
	go func() {
		reply, _ := c.Chat(t.Context(), chatapitest.Request{Model: "nell", Messages: said("first", "?", "second"), Stream: true})
		got <- reply
	}()
	second := <-ids
	if err := r.Preview(t.Context(), first.Room, "k1", "One"); err != nil {
		t.Fatal(err)
	}
	r.answer(t, first, "One.")
	if err := r.Preview(t.Context(), first.Room, "k2", "Two"); err != nil {
		t.Fatal(err)
	}
	r.answer(t, second, "Two.")
	if reply := <-got; reply.Text != "Two." {
		t.Errorf("the second request got %q", reply.Text)
	}
}

// TestASilentStreamIsAlive waits in virtual time.
func TestASilentStreamIsAlive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		r.server.Close()
		ctx, end := context.WithCancel(t.Context())
		done := make(chan error)
		go func() {
			done <- r.Run(ctx, func(context.Context, channels.Message) error { return nil })
		}()
		synctest.Wait()
		w := httptest.NewRecorder()
		q := httptest.NewRequestWithContext(ctx, http.MethodPost, completionsPath, strings.NewReader(`{"model":"nell","stream":true,"messages":[{"role":"user","content":"hi"}]}`))
		q.Header.Set("Authorization", "Bearer "+annToken)
		began := time.Now()
		r.Handler(channels.Callers{
			Authenticate: authenticate, PersonaName: func(string) string { return "Nell" }, Tokens: func(string) int { return 1 },
		}).ServeHTTP(w, q)
		if waited := time.Since(began); waited != answerTimeout || strings.Count(w.Body.String(), ": waiting\n\n") < 59 {
			t.Errorf("waited %v, got %q", waited, w.Body)
		}
		if !strings.Contains(w.Body.String(), `"code":"timeout"`) || strings.Contains(w.Body.String(), "[DONE]") {
			t.Errorf("ended with %q", w.Body)
		}
		end()
		<-done
	})
}

// TestS1RequestsSpeakOnlyAsTheirTokenMay names people and rooms.
func TestS1RequestsSpeakOnlyAsTheirTokenMay(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	r.serve(t, echo())
	header := func(pairs ...string) http.Header {
		h := http.Header{}
		for i := 0; i < len(pairs); i += 2 {
			h.Set(pairs[i], pairs[i+1])
		}
		return h
	}
	for name, c := range map[string]struct {
		token, user string
		header      http.Header
		status      int
		as, room    string
	}{
		"a person as somebody else": {annToken, "bob", nil, 200, "~7", "@~7"},
		"a person as forwarded":     {annToken, "", header("X-OpenWebUI-User-Id", "bob"), 200, "~7", "@~7"},
		"a person in a room":        {annToken, "", header("X-Familiar-Room", "chess"), 403, "", ""},
		"the operator as anybody":   {operatorToken, "bob", nil, 200, "bob", "@bob"},
		"the operator as forwarded": {operatorToken, "", header("X-OpenWebUI-User-Id", "u1", "X-OpenWebUI-User-Name", "Bj%C3%B6rn"), 200, "u1", "@u1"},
		"the operator as nobody":    {operatorToken, "", nil, 400, "", ""},
		"as a token's person":       {operatorToken, "~7", nil, 400, "", ""},
		"as a room":                 {operatorToken, "@bob", nil, 400, "", ""},
		"two lines":                 {operatorToken, "b\nob", nil, 400, "", ""},
		"far too long":              {operatorToken, strings.Repeat("b", 257), nil, 400, "", ""},
		"the operator in a room":    {operatorToken, "bob", header("X-Familiar-Room", "chess"), 200, "bob", "chess"},
		"a group as somebody":       {groupToken, "bob", nil, 200, "~r3/bob", "chess"},
		"a group elsewhere":         {groupToken, "bob", header("X-Familiar-Room", "go"), 403, "", ""},
		"a group as nobody":         {groupToken, "", nil, 400, "", ""},
		"reading only":              {readToken, "", nil, 403, "", ""},
		"another token":             {"fam_unknown", "bob", nil, 401, "", ""},
		"no store":                  {"broken", "bob", nil, 503, "", ""},
	} {
		text := "from " + name
		got := chat(t, r.client(c.token), c.status, chatapitest.Request{User: c.user, Header: c.header, Messages: said(text)})
		if c.status != 200 {
			if got.Error.Message == "" || got.Error.Type == "" {
				t.Errorf("%s: %s", name, got.Body)
			}
			continue
		}
		i := slices.IndexFunc(r.received, func(m channels.Message) bool { return m.Text == text })
		if m := r.received[i]; m.Author.Handle.ID != c.as || m.Room.ID != c.room || m.Direct != strings.HasPrefix(c.room, "@") {
			t.Errorf("%s: heard %+v", name, m)
		}
	}
	if i := slices.IndexFunc(r.received, func(m channels.Message) bool { return m.Author.Name == "Björn" }); i < 0 {
		t.Error("the forwarded name is not shown")
	}
}

// TestPicturesReachThePersona sends one within the request, and an address.
func TestPicturesReachThePersona(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	r.serve(t, echo())
	picture := func(url string) chatapitest.Request {
		return chatapitest.Request{Messages: []chatapitest.Message{{Role: "user", Content: []any{
			map[string]any{"type": "text", "text": "look"}, map[string]any{"type": "image_url", "image_url": map[string]any{"url": url}},
		}}}}
	}
	c := r.client(annToken)
	chat(t, c, http.StatusOK, picture("data:image/png;base64,"+base64.StdEncoding.EncodeToString([]byte("a frog"))))
	chat(t, c, http.StatusOK, picture("https://pond.example/frog.png"))
	inline, linked := r.received[0].Attachments[0], r.received[1].Attachments[0]
	if file, err := r.FetchFile(t.Context(), inline, 10); err != nil || string(file) != "a frog" || inline.Kind != "image" {
		t.Errorf("fetched %q, %v", file, err)
	}
	if _, err := r.FetchFile(t.Context(), inline, 5); err == nil {
		t.Error("a picture that is too large is fetched")
	}
	if linked.Ref != "" || linked.Caption != "https://pond.example/frog.png" {
		t.Errorf("linked %+v", linked)
	}
	for _, bad := range []string{"data:image/png;base64,%", "data:text/html,<p>", "data:image/png"} {
		chat(t, c, http.StatusBadRequest, picture(bad))
	}
}

// TestTheModelAloneRemembersNothing asks without the persona, in both ways.
func TestTheModelAloneRemembersNothing(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	r.serve(t, echo())
	messages := []chatapitest.Message{{Role: "system", Content: "Make a title."}, chatapitest.User("We talked of frogs.")}
	for _, q := range []chatapitest.Request{
		{Model: "nell-raw", Messages: messages},
		{Model: "nell", Messages: messages, Header: http.Header{"X-Familiar-Remember": {"false"}}, Stream: true},
	} {
		if got := chat(t, r.client(annToken), http.StatusOK, q); got.Text != "A title" {
			t.Errorf("%s: %q", q.Model, got.Text)
		}
	}
	if len(r.heard()) != 0 || !slices.Equal(r.raw, []string{"Make a title.|We talked of frogs.", "Make a title.|We talked of frogs."}) {
		t.Errorf("heard %q, asked %q", r.heard(), r.raw)
	}
	list, err := r.client(annToken).Get(t.Context(), "/models")
	if err != nil || list.Status != http.StatusOK || !strings.Contains(list.Body, `"id":"nell"`) || !strings.Contains(list.Body, `"id":"nell-raw"`) {
		t.Errorf("listed %s, %v", list.Body, err)
	}
	if one, err := r.client(annToken).Get(t.Context(), "/models/nell"); err != nil || one.ID != "nell" {
		t.Errorf("found %s, %v", one.Body, err)
	}
	if other, err := r.client(annToken).Get(t.Context(), "/models/mira"); err != nil || other.Error.Code != "model_not_found" || other.Status != http.StatusNotFound {
		t.Errorf("found %s, %v", other.Body, err)
	}
}

// TestRequestsThatAreRefused has the status and the code of each.
func TestRequestsThatAreRefused(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	full := false
	r.serveWith(t, func(context.Context, channels.Message) error {
		if full {
			return errors.New("the disk is full")
		}
		t.Error("something was heard")
		return nil
	})
	const hi = `"messages":[{"role":"user","content":"hi"}]`
	for name, c := range map[string]struct {
		body   string
		status int
		code   string
	}{
		"no JSON":             {`hi`, 400, ""},
		"no object":           {`[]`, 400, ""},
		"no model":            {`{` + hi + `}`, 400, ""},
		"another model":       {`{"model":"mira",` + hi + `}`, 404, "model_not_found"},
		"no messages":         {`{"model":"nell"}`, 400, ""},
		"an unknown role":     {`{"model":"nell","messages":[{"role":"wizard","content":"hi"}]}`, 400, ""},
		"an odd content":      {`{"model":"nell","messages":[{"role":"user","content":7}]}`, 400, ""},
		"an empty message":    {`{"model":"nell","messages":[{"role":"user","content":" "}]}`, 400, ""},
		"no user":             {`{"model":"nell","messages":[{"role":"system","content":"x"}]}`, 400, ""},
		"two answers":         {`{"model":"nell","n":2,` + hi + `}`, 400, ""},
		"not UTF-8":           {`{"model":"nell","messages":[{"role":"user","content":"` + "\xff" + `"}]}`, 400, ""},
		"very deep":           {`{"model":"nell","tools":` + strings.Repeat("[", 1<<20), 400, ""},
		"a very long message": {`{"model":"nell","messages":[{"role":"user","content":"` + strings.Repeat("a", maxText+1) + `"}]}`, 400, "string_above_max_length"},
		"a hundred at once":   {`{"model":"nell","messages":[` + strings.TrimSuffix(strings.Repeat(`{"role":"user","content":"hi"},`, 100), ",") + `]}`, 400, ""},
		"longer than allowed": {`{"model":"` + strings.Repeat("n", maxBody) + `"}`, 413, "request_too_large"},
	} {
		got, err := r.client(annToken).Post(t.Context(), []byte(c.body))
		if err != nil || got.Status != c.status || got.Error.Code != c.code || got.Error.Message == "" || len(got.Body) > 1000 {
			t.Errorf("%s: %d %.500s, %v", name, got.Status, got.Body, err)
		}
	}
	full = true
	if got := chat(t, r.client(annToken), 503, chatapitest.Request{Messages: said("hi")}); got.Error.Code != "not_stored" || got.Header.Get("Retry-After") == "" {
		t.Errorf("not stored: %s", got.Body)
	}
	r.gate = func(channels.Message) bool { return false }
	if got := chat(t, r.client(annToken), 403, chatapitest.Request{Messages: said("hi")}); got.Error.Code != "not_admitted" {
		t.Errorf("not admitted: %s", got.Body)
	}
	if got, err := r.client(annToken).Get(t.Context(), "/embeddings"); err != nil || got.Status != 404 || got.Error.Code != "unknown_url" {
		t.Errorf("another path: %s, %v", got.Body, err)
	}
}

// TestManyRequestsAtOnce has more requests of one person than may wait.
func TestManyRequestsAtOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	heard := make(chan channels.Message, 100)
	r.serveWith(t, func(_ context.Context, m channels.Message) error { heard <- m; return nil })
	statuses := make(chan int)
	const all = maxQueued + 3
	for i := range all {
		go func() {
			got, _ := r.client(annToken).Chat(t.Context(), chatapitest.Request{Model: "nell", Messages: said(strings.Repeat("a", i+1))})
			statuses <- got.Status
		}()
	}
	refused := 0
	for range all - maxQueued {
		if status := <-statuses; status == http.StatusTooManyRequests {
			refused++
		}
	}
	for range maxQueued {
		r.answer(t, <-heard, "yes")
		if status := <-statuses; status != http.StatusOK {
			t.Errorf("answered with %d", status)
		}
	}
	if refused != all-maxQueued {
		t.Errorf("%d were refused", refused)
	}
	if r.desk.waiting != 0 || len(r.desk.rooms) != 0 || len(r.desk.byID) != 0 {
		t.Errorf("left behind: %d waiting, %d rooms, %d ids", r.desk.waiting, len(r.desk.rooms), len(r.desk.byID))
	}
}

// FuzzRequest reads bodies from anybody.
func FuzzRequest(f *testing.F) {
	f.Add([]byte(`{"model":"nell","messages":[{"role":"system","content":"x"},{"role":"user","content":[{"type":"text","text":"hi"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}}]}]}`))
	f.Add([]byte(`{"model":"nell","n":1,"messages":[{"role":"assistant","content":null},{"role":"user","content":"hi"}],"stream":true}`))
	r := &Channel{pictures: new(pictures)}
	f.Fuzz(func(t *testing.T, body []byte) {
		q, bad := parseRequest(body)
		if bad != nil {
			return
		}
		from, to := q.fresh()
		if from < 0 || from > to || to > len(q.Messages) {
			t.Fatalf("fresh are %d to %d of %d", from, to, len(q.Messages))
		}
		for i := from; i < to; i++ {
			c, bad := q.read(i)
			if bad == nil {
				_ = r.attach(t.Context(), new(channels.Message), c.parts)
			}
			if q.Messages[i].Role == assistant {
				t.Errorf("an answer is fresh")
			}
			_, _ = q.before(i), q.nth(i)
		}
	})
}
