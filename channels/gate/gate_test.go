package gate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"familiar/channels"
)

// lookupRecorder is a Lookup that finds nothing by default and records its calls.
type lookupRecorder struct {
	calls    []string
	notice   string
	approved bool
	err      error
	noReply  []string
	ignored  []string
}

func (a *lookupRecorder) book() Lookup {
	note := func(what string) { a.calls = append(a.calls, what) }
	return Lookup{
		Approved: func(context.Context, channels.Handle) (bool, error) { note("approved"); return a.approved, a.err },
		Known:    func(context.Context, channels.Room) (bool, error) { note("known"); return true, a.err },
		Answered: func(_ context.Context, _ channels.Room, _ channels.Handle, since time.Time) (int, int, error) {
			note("answered since " + since.Format(time.RFC3339))
			return 0, 0, a.err
		},
		Pair: func(_ context.Context, _ channels.Message, code, text string) error {
			note("pair")
			a.notice = text
			return a.err
		},
		IgnoredGroup: func(_ context.Context, group channels.Room, title string, times int) error {
			a.ignored = append(a.ignored, fmt.Sprintf("%s %s %d", group.ID, title, times))
			return a.err
		},
	}
}

// runGate passes messages through a gate and returns those it let through.
func runGate(t *testing.T, p Policy, a *lookupRecorder, messages ...channels.Message) (out []channels.Message, err error) {
	t.Helper()
	g := &Gate{
		Policies: map[string]Policy{"net": p}, Lookup: a.book(), Random: bytes.NewReader(bytes.Repeat([]byte{1, 255, 40}, 30)),
		Now: func() time.Time { return noon }, Zone: time.FixedZone("east", 3600), Log: slog.New(slog.NewTextHandler(t.Output(), nil)),
		NoReply: func(m channels.Message) { a.noReply = append(a.noReply, m.ID) },
	}
	accept := g.Around(func(_ context.Context, m channels.Message) error {
		out = append(out, m)
		return nil
	})
	for _, m := range messages {
		if err := accept(t.Context(), m); err != nil {
			return out, err
		}
	}
	return out, nil
}

func TestTheGateAsksNoMoreThanItNeeds(t *testing.T) {
	for _, c := range []struct {
		name string
		p    Policy
		m    channels.Message
		want string
	}{
		{"open to anyone", Policy{Direct: Anyone}, heard(), ""},
		{"listed", Policy{Direct: Pairing, Allow: []string{"a1"}}, heard(), ""},
		{"a stranger", Policy{Direct: Pairing}, heard(), "approved pair"},
		{"a stranger with two ids", Policy{Direct: AllowList}, heard(func(m *channels.Message) { m.Author.Alias = "4711" }), "approved approved"},
		{"a group without caps", Policy{Default: Group{Mode: Open}}, heard(mention), ""},
		{"a group with caps", Policy{Default: Group{Mode: Open, Daily: 9}}, heard(mention), "answered since 2026-03-02T00:00:00+01:00"},
		{"talk in it that expects no answer", Policy{Default: Group{Mode: Open, Daily: 9}}, heard(inGroup), ""},
		{"what is taken back", Policy{}, heard(acts(channels.Delete)), "known"},
	} {
		a := &lookupRecorder{}
		if _, err := runGate(t, c.p, a, c.m); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if got := strings.Join(a.calls, " "); got != c.want {
			t.Errorf("%s: asked for %q, want %q", c.name, got, c.want)
		}
	}
}

func TestUnaddressedMessages(t *testing.T) {
	out, err := runGate(t, Policy{Default: Group{Mode: Listen}}, &lookupRecorder{}, heard(mention))
	if err != nil || len(out) != 1 || out[0].Addressed || out[0].Text != "hello" {
		t.Errorf("%+v, %v", out, err)
	}
}

func TestAChannelWithoutAPolicyIsOpen(t *testing.T) {
	m := heard(bot)
	m.Room.Channel = "console"
	if out, err := runGate(t, Policy{}, &lookupRecorder{}, m); err != nil || len(out) != 1 {
		t.Errorf("%+v, %v", out, err)
	}
}

// TestNothingIsLostWhenTheAddressBookIsUnreadable wants an error, so that the network delivers the message again.
func TestNothingIsLostWhenTheAddressBookIsUnreadable(t *testing.T) {
	locked := errors.New("locked")
	for _, m := range []channels.Message{heard(), heard(mention), heard(acts(channels.Delete))} {
		a := &lookupRecorder{err: locked}
		out, err := runGate(t, Policy{Direct: Pairing, Default: Group{Mode: Open, Daily: 1}}, a, m)
		if !errors.Is(err, locked) || len(out) != 0 {
			t.Errorf("%+v, %v", out, err)
		}
	}
}

// TestA4AccessIsCheckedBeforeAnythingIsSpent asks like a channel that is about to download a file.
func TestA4AccessIsCheckedBeforeAnythingIsSpent(t *testing.T) {
	for _, c := range []struct {
		name string
		p    Policy
		a    lookupRecorder
		m    channels.Message
		want bool
	}{
		{"a stranger", Policy{Direct: Pairing}, lookupRecorder{}, heard(), false},
		{"a friend", Policy{Direct: Pairing}, lookupRecorder{approved: true}, heard(), true},
		{"a group that is off", Policy{Direct: Anyone}, lookupRecorder{}, heard(mention), false},
		{"a group that is listened to", Policy{Default: Group{Mode: Listen}}, lookupRecorder{}, heard(mention), true},
		{"nobody knows", Policy{Direct: Pairing}, lookupRecorder{approved: true, err: errors.New("locked")}, heard(), false},
	} {
		g := &Gate{
			Policies: map[string]Policy{"net": c.p}, Lookup: c.a.book(), Now: func() time.Time { return noon }, Zone: time.UTC,
			Log: slog.New(slog.NewTextHandler(t.Output(), nil)),
		}
		if got := g.Allows(t.Context(), c.m); got != c.want || c.a.notice != "" {
			t.Errorf("%s: received %v, want %v; sent %q", c.name, got, c.want, c.a.notice)
		}
	}
}

func TestA4TheCodeIsSentInUnambiguousLetters(t *testing.T) {
	a := &lookupRecorder{}
	out, err := runGate(t, Policy{Direct: Pairing}, a, heard())
	if err != nil || len(out) != 0 {
		t.Fatalf("%+v, %v", out, err)
	}
	code := regexp.MustCompile(`approve ([A-HJKMNP-Z2-9]{8})$`).FindStringSubmatch(a.notice)
	if code == nil || strings.Count(a.notice, code[1]) != 2 || !strings.Contains(a.notice, "10 minutes") {
		t.Errorf("sent %q", a.notice)
	}
	if _, err := NewCode(iotest.ErrReader(errors.New("dry"))); err == nil {
		t.Error("a code was made of nothing")
	}
}

// TestAnIgnoredGroupIsRecorded counts messages in ignored groups, and nothing else.
func TestAnIgnoredGroupIsRecorded(t *testing.T) {
	thread := func(m *channels.Message) { inGroup(m); m.Room.Thread = "7" }
	elsewhere := func(id string) func(*channels.Message) {
		return func(m *channels.Message) { mention(m); m.Room.ID = id }
	}
	a := &lookupRecorder{err: errors.New("locked")}
	p := Policy{Direct: Nobody, Groups: map[string]Group{
		"mention": {Mode: Mention}, "strangers": {Mode: Open, Members: []string{"b2"}},
	}}
	_, err := runGate(t, p, a,
		heard(mention), heard(inGroup), heard(thread), // one group, counted once per interval
		heard(), heard(inGroup, bot), heard(inGroup, acts(channels.React)), heard(inGroup, arrives),
		heard(elsewhere("mention"), func(m *channels.Message) { m.Addressed = false }), heard(elsewhere("strangers")),
		heard(elsewhere("attic")))
	if got, want := strings.Join(a.ignored, ", "), "club The club 1, attic The club 1"; got != want || err != nil {
		t.Errorf("noted %s, want %s; %v", got, want, err)
	}
	if len(a.noReply) != 10 {
		t.Errorf("%d messages are settled", len(a.noReply))
	}
	var counts ignoredCounts
	var noted []int
	for i := range 121 {
		if n := counts.count(channels.Room{ID: "club"}, noon.Add(time.Duration(i)*time.Second)); n > 0 {
			noted = append(noted, n)
		}
	}
	if !slices.Equal(noted, []int{1, 60, 60}) {
		t.Errorf("in two minutes noted %v", noted)
	}
}

func TestTheCodeIsSentWithTheOperatorsText(t *testing.T) {
	a := &lookupRecorder{}
	p := Policy{Direct: Pairing, Notice: "Код {code}, {minutes} минут. {code}!"}
	if _, err := runGate(t, p, a, heard()); err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`^Код ([A-Z2-9]{8}), 10 минут\. ([A-Z2-9]{8})!$`).MatchString(a.notice) {
		t.Errorf("sent %q", a.notice)
	}
}

// TestNewCodeFavoursNoLetter makes codes from every possible byte: each letter must occur equally often.
func TestNewCodeFavoursNoLetter(t *testing.T) {
	random := make([]byte, 256)
	for i := range random {
		random[i] = byte(i)
	}
	r, letters := bytes.NewReader(random), map[rune]int{}
	for range 8 * len(codeLetters) / CodeLength {
		code, err := NewCode(r)
		if err != nil {
			t.Fatal(err)
		}
		for _, letter := range code {
			letters[letter]++
		}
	}
	if len(letters) != len(codeLetters) {
		t.Errorf("%d letters came up", len(letters))
	}
	for letter, n := range letters {
		if n != 8 {
			t.Errorf("%c came up %d times", letter, n)
		}
	}
}

func TestA3BotPairBudget(t *testing.T) {
	var b Budget
	other := heard(mention, bot)
	say := func(m channels.Message, n int, at time.Duration) bool {
		m.ID = fmt.Sprint(n)
		return b.Spend(m, noon.Add(at))
	}
	for i := range 20 {
		if !say(other, i, time.Duration(i)*time.Second) {
			t.Fatalf("message %d is not answered", i+1)
		}
	}
	if !say(other, 19, 20*time.Second) {
		t.Error("the same message counts twice")
	}
	if say(other, 20, 21*time.Second) {
		t.Error("the 21st in a minute is answered")
	}
	if say(other, 21, 80*time.Second) {
		t.Error("it is answered before its minute of silence is over")
	}
	elsewhere, third := other, other
	elsewhere.Room.ID, third.Author.Handle.ID = "attic", "b9"
	if !say(elsewhere, 22, 22*time.Second) || !say(third, 23, 22*time.Second) {
		t.Error("another room, or another bot, is not answered")
	}
	if !say(other, 24, 81*time.Second) {
		t.Error("it is not answered after its minute of silence")
	}
	for i := range 100 {
		if !say(third, 100+i, 2*time.Minute+time.Duration(i)*4*time.Second) {
			t.Fatalf("one that speaks 15 times a minute is not answered at message %d", i+1)
		}
	}
	if b.forget(noon.Add(time.Hour)); len(b.pairs) != 0 {
		t.Errorf("%d pairs are remembered forever", len(b.pairs))
	}
}

func TestA3ABotOverItsBudgetIsReceivedAndNotAnswered(t *testing.T) {
	var talk []channels.Message
	for i := range 25 {
		m := heard(mention, bot)
		m.ID = fmt.Sprint(i)
		talk = append(talk, m)
	}
	out, err := runGate(t, Policy{Bots: true, Default: Group{Mode: Open}}, &lookupRecorder{}, talk...)
	answered := 0
	for _, m := range out {
		if m.Addressed {
			answered++
		}
	}
	if err != nil || len(out) != 25 || answered != 20 {
		t.Errorf("%d received, %d answered, %v", len(out), answered, err)
	}
}

// TestIgnoredMessagesAreConfirmed: a channel that shows a thinking indicator until the reply must be notified that there is
// none.
// TestS16AnIgnoredMessageInAGroupBurnsCodes: who is not heard is read by everybody in the group all the same.
func TestS16AnIgnoredMessageInAGroupBurnsCodes(t *testing.T) {
	var shown []string
	failure := error(nil)
	g := &Gate{
		Policies: map[string]Policy{"net": {Direct: Nobody, Default: Group{Mode: Mention}}}, Lookup: new(lookupRecorder).book(),
		Now: func() time.Time { return noon }, Zone: time.UTC, Log: slog.New(slog.DiscardHandler), NoReply: func(channels.Message) {},
		BurnCodes: func(_ context.Context, m channels.Message) error {
			shown = append(shown, m.Text)
			return failure
		},
	}
	accept := g.Around(func(context.Context, channels.Message) error { return nil })
	say := func(text string, direct, addressed bool) error {
		return accept(t.Context(), heard(func(m *channels.Message) { m.Text, m.Direct, m.Addressed = text, direct, addressed }))
	}
	for _, err := range []error{say("in the group", false, false), say("to the persona", false, true), say("directly", true, true)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(shown, []string{"in the group"}) {
		t.Errorf("codes are looked for in %q", shown)
	}
	if failure = errors.New("disk full"); !errors.Is(say("again", false, false), failure) {
		t.Error("a message whose codes could not be burnt counts as handled")
	}
}

func TestIgnoredMessagesAreConfirmed(t *testing.T) {
	a := &lookupRecorder{}
	if out, err := runGate(t, Policy{Direct: AllowList}, a, heard()); err != nil || len(out) > 0 || len(a.noReply) != 1 || a.noReply[0] != heard().ID {
		t.Errorf("let through %v (%v), settled %q", out, err, a.noReply)
	}
}

// TestA11NoOneIsNamedInTheLog judges a message with all log levels enabled.
func TestA11NoOneIsNamedInTheLog(t *testing.T) {
	var log bytes.Buffer
	g := &Gate{
		Policies: map[string]Policy{"net": {Direct: Pairing}}, Lookup: (&lookupRecorder{}).book(), Random: bytes.NewReader(make([]byte, 99)),
		Now: func() time.Time { return noon }, Zone: time.UTC,
		Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	m := heard(says("word"))
	m.Author.Handle.ID, m.Room.ID = "351912345678@s.net", "351912345678@s.net"
	if err := g.Around(func(context.Context, channels.Message) error { return nil })(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	if log.Len() == 0 || strings.Contains(log.String(), "912345678") || strings.Contains(log.String(), "word") || strings.Contains(log.String(), "AAAA") {
		t.Errorf("logged %q", log.String())
	}
}
