package jobs_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"familiar/channels"
	"familiar/channels/gate"
	"familiar/internal/llm"
	"familiar/memory"
	"familiar/memory/entry"
	"familiar/memory/erase"
	"familiar/memory/memorytest"
	"familiar/memory/turns"
	"familiar/persona"
	"familiar/persona/card"
	"familiar/persona/jobs"
	"familiar/persona/modelvoice"
	"familiar/persona/plain"
	"familiar/persona/scene"
	"familiar/prompts"
)

// phone is a channel that records what is sent.
type phone struct {
	mu   sync.Mutex
	sent []channels.Outgoing
}

func (*phone) Name() string { return "phone" }

func (*phone) Limits() channels.Limits { return channels.Limits{Idempotent: true} }

func (*phone) Run(ctx context.Context, _ channels.Accept) error {
	<-ctx.Done()
	return nil
}

func (p *phone) Send(_ context.Context, out channels.Outgoing) (channels.Receipt, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sent = append(p.sent, out)
	return channels.Receipt{ID: out.Key}, nil
}

// rung returns what was sent to a person, or to anyone for "".
func (p *phone) rung(who string) (texts []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, out := range p.sent {
		if who == "" || out.Room.ID == who {
			texts = append(texts, out.Text)
		}
	}
	return texts
}

// scripted gives the configured answers and counts the calls.
type scripted struct {
	mu      sync.Mutex
	say     string
	prompts []prompts.Prompt
}

func (m *scripted) Generate(_ context.Context, p prompts.Prompt, _ func(string)) (prompts.Answer, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.prompts = append(m.prompts, p)
	return prompts.Answer{Text: m.say}, nil
}

func (m *scripted) asked() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.prompts)
}

// visit is an engine for tess on a phone channel, and the job.
type visit struct {
	t      testing.TB
	store  *memory.Store
	clock  *memorytest.Clock
	phone  *phone
	engine *persona.Engine
	job    jobs.Proactive
	n      int
	stop   func()
}

// policy lets tess write first once a day, a day after they wrote.
func policy() gate.ProactivePolicy {
	return gate.ProactivePolicy{
		QuietHours: gate.Hours{From: 22 * time.Hour, Until: 8 * time.Hour}, Daily: 1, MinSilence: 24 * time.Hour,
		Channels: map[string]time.Duration{"phone": 0},
	}
}

func newVisit(t testing.TB, tweak func(*persona.Parts)) *visit {
	t.Helper()
	clock := new(memorytest.Clock)
	v := &visit{t: t, store: memorytest.OpenAt(t, clock), clock: clock, phone: &phone{}}
	v.serve(tweak)
	return v
}

// serve starts an engine on the store; it ends with the test, or at stop.
func (v *visit) serve(tweak func(*persona.Parts)) {
	parts := persona.Parts{
		Card: &card.Card{Key: "tess", Name: "Tess", Zone: time.UTC, Language: "en"}, Store: v.store, Voice: plain.New(),
		Channels: []channels.Channel{v.phone}, Now: v.clock.Now, Jitter: func(time.Duration) time.Duration { return 0 },
		Settings: persona.Settings{
			SessionGap: 30 * time.Minute, GreetingGap: 4 * time.Hour, RecallBudget: 1000, RecentMessages: 30, Zone: time.UTC, Proactive: policy(),
		},
		Log: slog.New(slog.DiscardHandler),
	}
	if tweak != nil {
		tweak(&parts)
	}
	v.engine = persona.New(parts)
	v.job = jobs.Proactive{Deps: jobs.Deps{Parts: parts}, Wake: v.engine.Wake}
	ctx, cancel := context.WithCancel(v.t.Context())
	ended := make(chan error, 1)
	go func() { ended <- v.engine.Run(ctx) }()
	v.stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			v.t.Error(err)
		}
	})
	v.t.Cleanup(v.stop)
}

// rest waits until the engine is idle.
func (v *visit) rest() {
	v.t.Helper()
	ctx, cancel := context.WithTimeout(v.t.Context(), time.Minute)
	defer cancel()
	if err := v.engine.Drain(ctx); err != nil {
		v.t.Fatal(err)
	}
}

// said returns the person's next message, in a group if place is not "".
func (v *visit) said(place, who, text string) channels.Message {
	v.n++
	m := channels.Message{
		ID: fmt.Sprintf("m%d", v.n), Room: channels.Room{Channel: "phone", ID: who}, Direct: true, Addressed: true,
		Author: channels.Author{Handle: channels.Handle{Channel: "phone", ID: who}, Name: who}, Text: text, At: v.clock.Now(),
	}
	if place != "" {
		m.Room.ID, m.Direct, m.RoomTitle = place, false, place
	}
	return m
}

// say sends a message to tess in the person's direct room and returns the answer.
func (v *visit) say(who, text string) string {
	v.t.Helper()
	before := len(v.phone.rung(who))
	if err := v.engine.Accept(v.t.Context(), v.said("", who, text)); err != nil {
		v.t.Fatal(err)
	}
	v.rest()
	return strings.Join(v.phone.rung(who)[before:], " ")
}

// run begins a run of the job.
func (v *visit) run() int64 {
	v.t.Helper()
	return memorytest.BeginRun(v.t, v.store, "tess", "proactive")
}

// speakUp runs the job, waits for the engine and returns what was sent to the person.
func (v *visit) speakUp(who string) (jobs.ProactiveResult, string) {
	v.t.Helper()
	before := len(v.phone.rung(who))
	done, err := v.job.ProactiveOnce(v.t.Context(), v.run(), v.clock.Now())
	if err != nil {
		v.t.Fatal(err)
	}
	v.rest()
	return done, strings.Join(v.phone.rung(who)[before:], " ")
}

// reasons returns why tess wrote or did not, latest first.
func (v *visit) reasons() (all []string) {
	v.t.Helper()
	decided, err := v.store.Turns.ProactiveDecisions(v.t.Context(), "tess", 0, 0)
	if err != nil {
		v.t.Fatal(err)
	}
	for _, d := range decided {
		all = append(all, d.Reason)
	}
	return all
}

func (v *visit) person(who string) int64 {
	v.t.Helper()
	p, err := v.store.Log.PersonByHandle(v.t.Context(), channels.Handle{Channel: "phone", ID: who})
	if err != nil {
		v.t.Fatal(err)
	}
	return p.ID
}

// interviewed has ann mention on a Monday an interview on Wednesday and advances the clock to Thursday, ten o'clock.
func (v *visit) interviewed() {
	v.t.Helper()
	v.say("ann", "I have a job interview on Wednesday.")
	v.clock.Set(time.Date(2026, time.January, 8, 10, 0, 0, 0, time.UTC))
}

func TestProactiveAsksOnceHowItWentAndSaysWhy(t *testing.T) {
	v := newVisit(t, nil)
	v.interviewed()
	done, told := v.speakUp("ann")
	if done.Due != 1 || done.Handed != 1 || !strings.Contains(told, "interview") || !strings.Contains(told, "?") {
		t.Fatalf("%s: sent %q", done, told)
	}
	if got := v.reasons(); !slices.Equal(got, []string{"follow-up"}) {
		t.Errorf("stored %v", got)
	}
	for range 3 {
		v.clock.Advance(10 * time.Hour)
		if done, again := v.speakUp("ann"); again != "" || done.Handed != 0 {
			t.Errorf("%s: and again %q", done, again)
		}
	}
	if why := v.say("ann", "/why"); !strings.Contains(why, "wrote first") {
		t.Errorf("/why says %q", why)
	}
	answer := v.say("ann", "it went great, thanks!")
	if strings.Contains(answer, "good to see you") || !strings.Contains(answer, "interview") {
		t.Errorf("the answer is met with %q", answer)
	}
	h, err := v.store.Log.Visibility(t.Context(), "tess", v.room("ann"))
	if err != nil {
		t.Fatal(err)
	}
	if open, err := v.store.Beliefs.Loops(t.Context(), h, v.person("ann")); err != nil || len(open) != 0 {
		t.Errorf("still open: %v, %v", open, err)
	}
}

func (v *visit) room(who string) int64 {
	v.t.Helper()
	r, err := v.store.Log.RoomByAddress(v.t.Context(), channels.Room{Channel: "phone", ID: who})
	if err != nil {
		v.t.Fatal(err)
	}
	return r.ID
}

func TestProactiveWishesWellTheDayBefore(t *testing.T) {
	v := newVisit(t, nil)
	v.say("ann", "I have a job interview on Wednesday.")
	v.clock.Set(time.Date(2026, time.January, 6, 9, 30, 0, 0, time.UTC))
	if done, told := v.speakUp("ann"); !strings.Contains(told, "interview") || strings.Contains(told, "?") {
		t.Fatalf("%s: sent %q", done, told)
	}
	if got := v.reasons(); !slices.Equal(got, []string{"good wishes"}) {
		t.Errorf("stored %v", got)
	}
	v.clock.Set(time.Date(2026, time.January, 8, 10, 0, 0, 0, time.UTC))
	if done, told := v.speakUp("ann"); told != "" || done.Withheld[gate.Unanswered] != 1 {
		t.Errorf("unanswered, and %s: %q", done, told)
	}
}

func TestProactiveWithholdsAndKeepsWhy(t *testing.T) {
	for _, c := range []struct {
		name string
		// do runs on the Monday; the check is on the Thursday at ten in the operator's timezone.
		do   func(v *visit)
		want gate.Reason
	}{
		{"at night, by her clock", func(v *visit) { v.say("ann", "/timezone New York") }, gate.InQuietHours},
		{"when she said /quiet", func(v *visit) { v.say("ann", "/quiet") }, gate.OptedOut},
		{"when she said so in words", func(v *visit) { v.say("ann", "Please don't write to me first.") }, gate.OptedOut},
		{"when she shut it out", func(v *visit) {
			if err := v.store.Log.MarkBlocked(v.t.Context(), v.person("ann")); err != nil {
				v.t.Fatal(err)
			}
		}, gate.BlockedPersona},
		{"when she wrote the night before", func(v *visit) { v.clock.Advance(60 * time.Hour); v.say("ann", "My dog is called Rex.") }, gate.TooSoon},
		{"where none is allowed", func(v *visit) { v.job.Settings.Proactive.Channels = nil }, gate.ChannelNotAllowed},
		{"where she would not be heard", func(v *visit) {
			v.job.Hears = func(context.Context, channels.Message) bool { return false }
		}, gate.ChannelNotAllowed},
		{"when the day's are used up", func(v *visit) { v.job.Settings.Proactive.Daily = 0 }, gate.DailyCapReached},
		{"when something waits there", func(v *visit) {
			v.stop()
			if _, err := v.store.Log.Accept(v.t.Context(), "tess", v.said("", "ann", "hello?")); err != nil {
				v.t.Fatal(err)
			}
			v.job.Wake = nil
		}, gate.Busy},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := newVisit(t, nil)
			v.say("ann", "I have a job interview on Wednesday.")
			c.do(v)
			v.clock.Set(time.Date(2026, time.January, 8, 10, 0, 0, 0, time.UTC))
			done, err := v.job.ProactiveOnce(t.Context(), v.run(), v.clock.Now())
			if err != nil || done.Handed != 0 || done.Withheld[c.want] != 1 {
				t.Fatalf("%s, %v, want %q", done, err, c.want)
			}
			if got := v.reasons(); !slices.Equal(got, []string{string(c.want)}) {
				t.Errorf("stored %v", got)
			}
		})
	}
}

func TestProactiveMayAgainAfterQuietOff(t *testing.T) {
	v := newVisit(t, nil)
	v.say("ann", "/quiet")
	v.say("ann", "/quiet off")
	v.interviewed()
	if done, told := v.speakUp("ann"); told == "" {
		t.Errorf("%s", done)
	}
}

// TestProactiveChecksTheGateAgainBeforeSending queues a message that then becomes obsolete.
func TestProactiveChecksTheGateAgainBeforeSending(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(v *visit)
		want gate.Reason
	}{
		{"she wants quiet", func(v *visit) {
			v.clock.Advance(time.Hour) // a send that failed is tried again by then
			if err := v.store.Turns.SetQuiet(v.t.Context(), "tess", v.person("ann"), true); err != nil {
				v.t.Fatal(err)
			}
		}, gate.OptedOut},
		{"night has come", func(v *visit) { v.clock.Advance(13 * time.Hour) }, gate.InQuietHours},
		{"another day has come", func(v *visit) { v.clock.Advance(24 * time.Hour) }, gate.Outdated},
		{"she has written", func(v *visit) {
			if _, err := v.store.Log.Accept(v.t.Context(), "tess", v.said("", "ann", "hello?")); err != nil {
				v.t.Fatal(err)
			}
		}, gate.Busy},
		{"what it was about is forgotten", func(v *visit) { v.forget("interview") }, gate.Outdated},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := newVisit(t, nil)
			v.interviewed()
			v.stop()
			v.job.Wake = nil
			before := len(v.phone.rung("ann"))
			done, err := v.job.ProactiveOnce(t.Context(), v.run(), v.clock.Now())
			if err != nil || done.Handed != 1 {
				t.Fatal(done, err)
			}
			c.do(v)
			v.serve(nil)
			v.rest()
			for _, text := range v.phone.rung("ann")[before:] {
				if strings.Contains(text, "interview") && c.want != gate.Busy {
					t.Errorf("sent %q", text)
				}
			}
			if got := v.reasons(); !slices.Equal(got, []string{string(c.want)}) {
				t.Errorf("stored %v", got)
			}
		})
	}
}

// forget forgets every memory that contains a word.
func (v *visit) forget(word string) {
	v.t.Helper()
	all, err := v.store.Entries.ListMemories(v.t.Context(), entry.MemoryFilter{Limit: 1000})
	if err != nil {
		v.t.Fatal(err)
	}
	for _, m := range all {
		if strings.Contains(m.Text, word) {
			if _, err := v.store.Eraser.Forget(v.t.Context(), m.ID); err != nil {
				v.t.Fatal(err)
			}
		}
	}
}

// TestProactiveForgottenBeforeItIsSentIsNotSent forgets the sources of a message while it waits for the network.
func TestProactiveForgottenBeforeItIsSentIsNotSent(t *testing.T) {
	v, before := unsent(t)
	v.forget("interview")
	v.serve(nil)
	v.rest()
	if rung := v.phone.rung("ann"); len(rung) != before {
		t.Errorf("sent %q", rung[before:])
	}
	if got := v.reasons(); !slices.Equal(got, []string{"follow-up"}) {
		t.Errorf("stored %v", got)
	}
}

// unsent queues a message to ann that the network does not accept yet, and stops.
func unsent(t *testing.T) (v *visit, told int) {
	t.Helper()
	offline := func(p *persona.Parts) { p.Channels = []channels.Channel{&away{}} }
	v = newVisit(t, nil)
	v.interviewed()
	told = len(v.phone.rung("ann"))
	v.stop()
	v.serve(offline)
	if done, err := v.job.ProactiveOnce(t.Context(), v.run(), v.clock.Now()); err != nil || done.Handed != 1 {
		t.Fatal(done, err)
	}
	for len(v.reasons()) == 0 {
		time.Sleep(time.Millisecond) //nolint:forbidigo // the lane works in real time
	}
	v.stop()
	return v, told
}

// TestLateProactiveMessagesAreCheckedAtTheGate sends hours after the message was composed.
func TestLateProactiveMessagesAreCheckedAtTheGate(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(v *visit)
		want gate.Reason
	}{
		{"soon", func(v *visit) { v.clock.Advance(time.Hour) }, gate.FollowUp},
		{"night has come", func(v *visit) { v.clock.Advance(13 * time.Hour) }, gate.InQuietHours},
		{"another day has come", func(v *visit) { v.clock.Advance(24 * time.Hour) }, gate.Outdated},
		{"she wants quiet", func(v *visit) {
			v.clock.Advance(time.Hour) // a send that failed is tried again by then
			if err := v.store.Turns.SetQuiet(v.t.Context(), "tess", v.person("ann"), true); err != nil {
				v.t.Fatal(err)
			}
		}, gate.OptedOut},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, before := unsent(t)
			c.do(v)
			v.serve(nil)
			v.rest()
			if told := v.phone.rung("ann")[before:]; (len(told) == 1) != (c.want == gate.FollowUp) {
				t.Errorf("sent %q", told)
			}
			if got := v.reasons(); !slices.Equal(got, []string{string(c.want)}) {
				t.Errorf("stored %v", got)
			}
		})
	}
	v, _ := unsent(t)
	v.clock.Advance(13 * time.Hour)
	v.serve(nil)
	v.rest()
	v.clock.Advance(11 * time.Hour)
	if _, told := v.speakUp("ann"); !strings.Contains(told, "interview") {
		t.Errorf("in the morning she is told %q", told)
	}
}

// TestRevertedProactiveRunSendsNothing reverts a run before its message is composed, before it is sent, and after.
func TestRevertedProactiveRunSendsNothing(t *testing.T) {
	noWords := func(t *testing.T) (*visit, int) {
		v := newVisit(t, nil)
		v.interviewed()
		v.stop()
		v.job.Wake = nil
		if done, err := v.job.ProactiveOnce(t.Context(), v.run(), v.clock.Now()); err != nil || done.Handed != 1 {
			t.Fatal(done, err)
		}
		return v, len(v.phone.rung("ann"))
	}
	for name, until := range map[string]func(*testing.T) (*visit, int){"no words": noWords, "not sent": unsent} {
		t.Run(name, func(t *testing.T) {
			v, before := until(t)
			if done, err := v.store.Eraser.Revert(t.Context(), "tess", 1); err != nil || done != (erase.RevertResult{Unsent: 1}) {
				t.Errorf("took back %+v, %v", done, err)
			}
			v.serve(nil)
			v.rest()
			v.clock.Advance(24 * time.Hour)
			v.speakUp("ann")
			if told := v.phone.rung("ann")[before:]; len(told) != 0 {
				t.Errorf("sent %q", told)
			}
			if got := v.reasons(); !slices.Equal(got, []string{turns.ReasonReverted}) {
				t.Errorf("stored %v", got)
			}
		})
	}
	v := newVisit(t, nil)
	v.interviewed()
	v.speakUp("ann")
	made, err := v.store.Eraser.RunOutput(t.Context(), "tess", 1)
	if err != nil || len(made.Proactive) != 1 || !made.Proactive[0].Sent || made.Proactive[0].Reason != string(gate.FollowUp) {
		t.Errorf("the run made %+v, %v", made, err)
	}
	if _, err := v.store.Eraser.Revert(t.Context(), "tess", 1); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("what was sent is reverted: %v", err)
	}
}

// away takes the phone off the network.
type away struct{ phone }

func (*away) Send(context.Context, channels.Outgoing) (channels.Receipt, error) {
	return channels.Receipt{}, &channels.SendError{Kind: channels.Temporary, Err: errors.New("no network")}
}

// TestProactiveSurvivesRestartsAndIsSaidOnce ends the process between each of the hops.
func TestProactiveSurvivesRestartsAndIsSaidOnce(t *testing.T) {
	v := newVisit(t, nil)
	v.interviewed()
	v.stop()
	v.job.Wake = nil
	before := len(v.phone.rung("ann"))
	for range 3 { // another process runs the job, again and again
		if _, err := v.job.ProactiveOnce(t.Context(), v.run(), v.clock.Now()); err != nil {
			t.Fatal(err)
		}
	}
	for range 3 {
		v.serve(nil)
		v.rest()
		v.stop()
	}
	if rung := v.phone.rung("ann")[before:]; len(rung) != 1 {
		t.Errorf("sent %q", rung)
	}
}

// TestProactiveLeftByAnotherProcessIsFoundByTheNextRun runs the job outside the serving process, which gets no wake-up.
func TestProactiveLeftByAnotherProcessIsFoundByTheNextRun(t *testing.T) {
	v := newVisit(t, nil)
	v.interviewed()
	beside := v.job
	beside.Wake = nil
	if done, err := beside.ProactiveOnce(t.Context(), v.run(), v.clock.Now()); err != nil || done.Handed != 1 {
		t.Fatal(done, err)
	}
	if done, told := v.speakUp("ann"); !strings.Contains(told, "interview") || done.Handed != 0 {
		t.Errorf("%s: sent %q", done, told)
	}
}

// TestProactiveCapHoldsUnderConcurrency runs the job many times at once.
func TestProactiveCapHoldsUnderConcurrency(t *testing.T) {
	v := newVisit(t, nil)
	v.say("ann", "I have a dentist appointment on Wednesday.")
	v.interviewed()
	before := len(v.phone.rung("ann"))
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			if _, err := v.job.ProactiveOnce(t.Context(), v.run(), v.clock.Now()); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	v.rest()
	if rung := v.phone.rung("ann")[before:]; len(rung) != 1 {
		t.Errorf("sent %q", rung)
	}
}

// TestProactiveModelSeesTheLastThreeLinesAndMayStaySilent has a model choose to say nothing. It is not asked again.
func TestProactiveModelSeesTheLastThreeLinesAndMayStaySilent(t *testing.T) {
	m := &scripted{say: "Silence."}
	v := newVisit(t, nil)
	for _, text := range []string{"My dog is called Rex.", "I planted roses.", "I have a job interview on Wednesday."} {
		v.say("ann", text)
	}
	v.stop()
	v.serve(func(p *persona.Parts) {
		meter := modelvoice.Meter{Store: p.Store, Persona: "tess", Now: p.Now, Zone: time.UTC}
		p.Voice = modelvoice.Fallback(modelvoice.NewVoice(m, meter, 0, 0), plain.New())
	})
	v.clock.Set(time.Date(2026, time.January, 8, 10, 0, 0, 0, time.UTC))
	for range 5 {
		if done, told := v.speakUp("ann"); told != "" {
			t.Errorf("%s: sent %q", done, told)
		}
	}
	if got := v.reasons(); !slices.Equal(got, []string{"nothing to say"}) || m.asked() != 1 {
		t.Fatalf("stored %v after %d calls", got, m.asked())
	}
	shown := fmt.Sprint(m.prompts[0])
	if strings.Count(shown, "job interview on Wednesday") < 2 || strings.Contains(shown, "planted roses") || !strings.Contains(shown, prompts.Silence) {
		t.Errorf("the model sees\n%s", shown)
	}
	v.clock.Advance(24 * time.Hour)
	if _, told := v.speakUp("ann"); told != "" || m.asked() != 1 {
		t.Errorf("the day after it is asked again: %d calls, %q", m.asked(), told)
	}
}

func TestProactiveModelWordsAreSent(t *testing.T) {
	m := &scripted{say: "How did the interview go, ann?"}
	v := newVisit(t, nil)
	v.interviewed()
	v.stop()
	v.serve(func(p *persona.Parts) {
		meter := modelvoice.Meter{Store: p.Store, Persona: "tess", Now: p.Now, Zone: time.UTC}
		p.Voice = modelvoice.Fallback(modelvoice.NewVoice(m, meter, 0, 0), plain.New())
	})
	if _, told := v.speakUp("ann"); told != m.say || m.asked() != 1 {
		t.Errorf("sent %q after %d calls", told, m.asked())
	}
}

// TestProactiveIdleNightAsksNoModel runs the job every ten minutes of a night with a due topic that may not be said now,
// and one that may never be said.
func TestProactiveIdleNightAsksNoModel(t *testing.T) {
	m := &scripted{say: "How did it go?"}
	v := newVisit(t, nil)
	v.say("ann", "I have a job interview on Wednesday.")
	v.say("bob", "I have a job interview on Wednesday.")
	v.say("bob", "/quiet")
	v.stop()
	v.serve(func(p *persona.Parts) {
		meter := modelvoice.Meter{Store: p.Store, Persona: "tess", Now: p.Now, Zone: time.UTC}
		p.Voice = modelvoice.Fallback(modelvoice.NewVoice(m, meter, 0, 0), plain.New())
	})
	v.clock.Set(time.Date(2026, time.January, 7, 22, 0, 0, 0, time.UTC))
	for range 10 * 6 {
		v.speakUp("ann")
		v.clock.Advance(10 * time.Minute)
	}
	if m.asked() != 0 {
		t.Errorf("%d calls in a night", m.asked())
	}
}

// TestUnansweredProactiveMessagesAreNotRefined ends the session of a proactive message and refines it with the
// model.
func TestUnansweredProactiveMessagesAreNotRefined(t *testing.T) {
	model := llm.Answering(func(p prompts.Prompt) string {
		return map[string]string{"extract": `{"claims": []}`, "summary": "They talked.", "check": `{"said": ["A"]}`}[p.Name]
	})
	v := newVisit(t, func(p *persona.Parts) { p.Model = model })
	v.interviewed()
	tend := func() int {
		t.Helper()
		v.clock.Advance(time.Hour)
		if _, err := v.engine.Sessions().CloseIdleOnce(t.Context(), 1, v.clock.Now()); err != nil {
			t.Fatal(err)
		}
		if _, err := v.engine.Sessions().RefineOnce(t.Context(), 1, v.clock.Now()); err != nil {
			t.Fatal(err)
		}
		return len(model.Prompts())
	}
	before := tend()
	if _, told := v.speakUp("ann"); told == "" {
		t.Fatal("nothing was said")
	}
	if after := tend(); after != before {
		t.Errorf("the model is asked %d times about the persona's own words", after-before)
	}
	if open, err := v.store.Turns.UnreadSessions(t.Context(), "tess", v.clock.Now(), 0); err != nil || len(open) != 0 {
		t.Errorf("left to be read: %v, %v", open, err)
	}
}

// TestS2ProactiveNeverTellsAGroup has a person who wrote only in a group, and one whose secrets a group must not see.
func TestS2ProactiveNeverTellsAGroup(t *testing.T) {
	v := newVisit(t, nil)
	v.say("ann", "I have a secret surgery on Wednesday.")
	for _, who := range []string{"ann", "bob"} {
		if err := v.engine.Accept(t.Context(), v.said("club", who, "I have a concert on Wednesday.")); err != nil {
			t.Fatal(err)
		}
	}
	v.rest()
	before := len(v.phone.rung("club"))
	for range 6 * 24 * 6 {
		v.speakUp("ann")
		v.clock.Advance(10 * time.Minute)
	}
	if rung := v.phone.rung("club"); len(rung) != before {
		t.Errorf("the group is told %q", rung[before:])
	}
	if rung := v.phone.rung("bob"); len(rung) != 0 {
		t.Errorf("who never wrote alone is told %q", rung)
	}
}

// TestProactiveThirtyDaysStayUnderTheCaps plays a month of twenty people with many plans who answer some messages.
func TestProactiveThirtyDaysStayUnderTheCaps(t *testing.T) {
	const people, days = 20, 30
	v := newVisit(t, func(p *persona.Parts) { p.Settings.Proactive.Daily, p.Settings.Proactive.MinSilence = 3, time.Hour })
	whos := make([]string, people)
	for i := range whos {
		whos[i] = fmt.Sprintf("p%02d", i)
	}
	spoken := 0
	answered := map[string]bool{}
	for day := range days {
		today := memorytest.Start.AddDate(0, 0, day)
		for i, who := range whos {
			if (day+i)%3 == 0 {
				v.clock.Set(today.Add(time.Duration(i) * time.Minute))
				v.say(who, fmt.Sprintf("I have a dentist appointment tomorrow and a concert on %s.", today.AddDate(0, 0, 2).Weekday()))
				answered[who] = true
			}
		}
		perDay := map[string]int{}
		for hour := range 24 {
			v.clock.Set(today.Add(time.Duration(hour) * time.Hour))
			now := v.clock.Now()
			before := map[string]int{}
			for _, who := range whos {
				before[who] = len(v.phone.rung(who))
			}
			v.speakUp("")
			for _, who := range whos {
				n := len(v.phone.rung(who)) - before[who]
				if n == 0 {
					continue
				}
				spoken += n
				perDay[who+scene.Day(now)] += n
				if perDay[who+scene.Day(now)] > 3 || n > 1 || now.Hour() >= 22 || now.Hour() < 8 {
					t.Errorf("%s is told %d at %s, %d that day", who, n, now, perDay[who+scene.Day(now)])
				}
				if !answered[who] {
					t.Errorf("%s never answered the last and is told another at %s", who, now)
				}
				answered[who] = false
			}
		}
	}
	if spoken < people {
		t.Errorf("only %d things were said in a month", spoken)
	}
}
