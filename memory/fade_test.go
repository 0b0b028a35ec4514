package memory_test

import (
	"errors"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"familiar/memory"
	"familiar/memory/entry"
	"familiar/memory/lifecycle"
	"familiar/memory/memorytest"
	"familiar/memory/model"
	"familiar/memory/recall"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
)

const day = 24 * time.Hour

// lasting is how long a memory lasts in the tests' town: episodic, with salience 0.5.
var lasting = time.Duration(math.Log(100) * 0.6 / 0.005 * float64(day))

func (w *town) decay() lifecycle.DecayResult {
	w.t.Helper()
	f, err := w.Lifecycle.Decay(w.t.Context(), w.clock.Now())
	if err != nil {
		w.t.Fatal(err)
	}
	return f
}

// recallFor records a turn whose reply was made from memories.
func (w *town) recallFor(who, text string, used ...int64) {
	w.t.Helper()
	turn := w.turn("mira", w.message("", who, text))
	turn.Used = used
	w.record(turn)
}

func TestDecayedMemoriesGoDormantAndThenExpire(t *testing.T) {
	w := newTown(t)
	said := w.say("", "ann", "The old lighthouse keeper plays the accordion")
	id := w.memoryOf("accordion").ID
	w.clock.Advance(lasting - time.Hour)
	if f := w.decay(); f != (lifecycle.DecayResult{}) {
		t.Errorf("before its time: %s", f)
	}
	w.clock.Advance(2 * time.Hour)
	if f := w.decay(); f != (lifecycle.DecayResult{Dormant: 1}) || w.memoryOf("accordion").Tier != model.Dormant {
		t.Errorf("at its time: %s", f)
	}
	for text, want := range map[string]bool{
		"who plays the accordion, the lighthouse keeper?": true,
		"which keeper of goats, bees and horses sings?":   false,
	} {
		if got := hitTexts(w.ask("", "ann", text)); (len(got) > 0) != want {
			t.Errorf("%q finds %q", text, got)
		}
	}
	w.clock.Advance(lasting + time.Hour)
	if f := w.decay(); f.Gone != 1 {
		t.Errorf("after as long again: %s", f)
	}
	if _, err := w.Entries.Memory(t.Context(), id); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("still there: %v", err)
	}
	if m, err := w.Message(t.Context(), said.MessageIDs[0]); err != nil || m.Text == "" {
		t.Errorf("its message went, too: %+v, %v", m, err)
	}
}

// TestPersonasDecayAtTheirOwnRates says the same to a persona with its own rate and to one without.
func TestPersonasDecayAtTheirOwnRates(t *testing.T) {
	clock, path := new(memorytest.Clock), memorytest.Address(t, filepath.Join(t.TempDir(), "familiar.db"))
	open := func(r model.Rates) (*memory.Store, error) {
		return memory.Open(t.Context(), path, memory.Options{Now: clock.Now, DecayRates: map[string]model.Rates{"swift": r}})
	}
	for _, bad := range []model.Rates{{model.Episodic: 0}, {model.Episodic: 2}, {"hearsay": 0.1}, {model.Semantic: math.NaN()}} {
		if s, err := open(bad); err == nil || !strings.Contains(err.Error(), "rates of swift") {
			t.Errorf("%v: %v, %v", bad, s, err)
		}
	}
	s, err := open(model.Rates{model.Episodic: 0.05})
	if err != nil {
		t.Fatal(err)
	}
	w := &town{Store: s, t: t, clock: clock}
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	for persona, want := range map[string]time.Duration{"mira": lasting, "swift": lasting / 10} {
		w.record(w.turn(persona, w.message("", "ann", "The keeper plays the accordion")))
		m := w.memoryOf("accordion")
		if got := m.ForgetAt.Sub(m.Created); (got - want).Abs() > time.Second {
			t.Errorf("%s remembers it for %v, want %v", m.Persona, got, want)
		}
	}
	if err := s.Lifecycle.SetRates("swift", model.Rates{model.Episodic: 2}); err == nil {
		t.Error("a rate of 2 was taken")
	}
	if err := s.Lifecycle.SetRates("swift", model.Rates{model.Episodic: 0.0005}); err != nil {
		t.Fatal(err)
	}
	w.record(w.turn("swift", w.message("", "ann", "The captain plays the fiddle")))
	m := w.memoryOf("fiddle")
	if got := m.ForgetAt.Sub(m.Created); (got - 10*lasting).Abs() > time.Second {
		t.Errorf("at its new rate it remembers for %v, want %v", got, 10*lasting)
	}
}

func TestSomeMemoriesNeverDecay(t *testing.T) {
	w := newTown(t)
	w.say("", "ann", "This one is pinned")
	if _, err := w.Lifecycle.Pin(t.Context(), w.memoryOf("pinned").ID, true); err != nil {
		t.Fatal(err)
	}
	w.wish("", "ann", "always greet me in Latin", 0.8)
	w.say("", "ann", "I will paint the fence", understand.Claim{Kind: rel.Promise, Relation: "promise", Value: "paint the fence", Many: true, Quote: "paint the fence"})
	if _, err := w.Entries.Remember(t.Context(), entry.NewMemory{
		Persona: "mira", Origin: model.OriginOperator, Audience: model.Audience{Kind: model.World}, Sector: model.Semantic, Text: "The bar closes at eleven", Salience: 0.1,
	}); err != nil {
		t.Fatal(err)
	}
	w.clock.Advance(20 * 365 * day)
	if f := w.decay(); f != (lifecycle.DecayResult{}) {
		t.Errorf("faded: %s", f)
	}
	if _, err := w.Lifecycle.Pin(t.Context(), w.memoryOf("pinned").ID, false); err != nil {
		t.Fatal(err)
	}
	if f := w.decay(); f != (lifecycle.DecayResult{}) {
		t.Errorf("unpinned, it should begin to fade only now: %s", f)
	}
	w.clock.Advance(lasting + time.Hour)
	if f := w.decay(); f.Dormant != 1 {
		t.Errorf("unpinned long ago: %s", f)
	}
}

// TestUseStrengthens compares the stored strength with the formula.
func TestUseStrengthens(t *testing.T) {
	w := newTown(t)
	w.say("", "ann", "The keeper plays the accordion")
	before := w.memoryOf("accordion")
	if want := before.Created.Add(lasting); before.ForgetAt.Sub(want).Abs() > time.Second {
		t.Errorf("new, it lasts until %v, want %v", before.ForgetAt, want)
	}
	strength, last := 1.0, before.Created
	for n, gap := range []time.Duration{0, time.Hour, 3 * day, 11 * time.Hour, 40 * day} {
		w.clock.Advance(gap)
		w.recallFor("ann", "and the keeper?", before.ID)
		m := w.memoryOf("accordion")
		strength = model.Strengthen(strength, n+1, m.RecalledAt.Sub(last))
		if math.Abs(m.Strength-strength) > 1e-9 || m.Uses != n+1 {
			t.Errorf("after recall %d its strength is %v, want %v", n+1, m.Strength, strength)
		}
		if want := m.RecalledAt.Add(time.Duration(strength * float64(lasting))); m.ForgetAt.Sub(want).Abs() > time.Second {
			t.Errorf("after recall %d it lasts until %v, want %v", n+1, m.ForgetAt, want)
		}
		last = m.RecalledAt
	}
}

func TestUsedDormantMemoriesWake(t *testing.T) {
	w := newTown(t)
	w.say("", "ann", "The keeper plays the accordion")
	id := w.memoryOf("accordion").ID
	if _, err := w.Lifecycle.MoveTier(t.Context(), id, func(model.Tier) model.Tier { return model.Dormant }); err != nil {
		t.Fatal(err)
	}
	w.recallFor("ann", "and the keeper?", id)
	if l, err := w.Lifecycle.Link(t.Context(), "mira", 1); err != nil || l.Woken != 1 || w.memoryOf("accordion").Tier != model.Short {
		t.Errorf("%s, %v", l, err)
	}
}

// TestDemotedAfterItsUseStaysDormant makes memories dormant after a reply was made from them and before link reads of
// it.
func TestDemotedAfterItsUseStaysDormant(t *testing.T) {
	w := newTown(t)
	asleep := func(model.Tier) model.Tier { return model.Dormant }
	w.say("", "ann", "The keeper plays the accordion")
	told, err := w.Entries.Remember(t.Context(), entry.NewMemory{
		Persona: "mira", Origin: model.OriginOperator, Audience: model.Audience{Kind: model.World}, Sector: model.Semantic, Text: "The bar closes at eleven",
	})
	if err != nil {
		t.Fatal(err)
	}
	said := w.memoryOf("accordion").ID
	w.recallFor("ann", "and the keeper?", said, told.ID)
	w.clock.Advance(time.Minute)
	for _, id := range []int64{said, told.ID} {
		if _, err := w.Lifecycle.MoveTier(t.Context(), id, asleep); err != nil {
			t.Fatal(err)
		}
	}
	if l := w.link(); l.Turns == 0 || l.Woken != 0 || w.memoryOf("accordion").Tier != model.Dormant || w.memoryOf("bar").Tier != model.Dormant {
		t.Errorf("against the operator's word: %s", l)
	}
	w.recallFor("ann", "and the keeper?", said)
	if l := w.link(); l.Woken != 1 || w.memoryOf("accordion").Tier != model.Short {
		t.Errorf("used again: %s", l)
	}
}

// TestExpiryErasesDerivedMemories checks everything that refers to a memory.
func TestExpiryErasesDerivedMemories(t *testing.T) {
	w := newTown(t)
	first := w.lighthouses()
	sum := w.summarize()[0].Summary
	turn := w.turn("mira", w.message("", "ann", "what of it?"))
	turn.Exact, turn.Used = true, []int64{first}
	turn.Context = []recall.Item{{MemoryID: first, Why: "matches", Used: true, Lines: []model.SnippetLine{{MessageID: 1}}}}
	turn.Reply.Text = "You went to the lighthouse."
	w.record(turn)
	if _, err := w.Entries.Tag(t.Context(), first, "sea"); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Lifecycle.MoveTier(t.Context(), first, func(model.Tier) model.Tier { return model.Dormant }); err != nil {
		t.Fatal(err)
	}
	w.clock.Advance(2 * lasting)
	if f := w.decay(); f.Gone != 2 {
		t.Errorf("%s", f)
	}
	for _, id := range []int64{first, sum.ID} {
		if _, err := w.Entries.Memory(t.Context(), id); !errors.Is(err, memory.ErrNotFound) {
			t.Errorf("memory %d: %v", id, err)
		}
	}
	left := contents(t, w)
	for _, gone := range []string{"sea", "Summed up", "contains"} {
		if strings.Contains(left, gone) {
			t.Errorf("%q is left:\n%s", gone, left)
		}
	}
	// The answer made from it still refers to the message, so forgetting the message removes it.
	var lines int
	if err := w.db().QueryRow(`SELECT count(*) FROM turn_item_lines WHERE message_id = 1`).Scan(&lines); err != nil || lines != 1 {
		t.Errorf("%d lines lead to the message, %v", lines, err)
	}
}

func TestExpiredMemoriesAreNotRecalled(t *testing.T) {
	w := newTown(t)
	w.say("", "ann", "The keeper plays the accordion")
	m, err := w.Lifecycle.Expire(t.Context(), w.memoryOf("accordion").ID, w.clock.Now().Add(day))
	if err != nil || m.Expires.IsZero() {
		t.Fatal(m, err)
	}
	if got := hitTexts(w.ask("", "ann", "accordion")); len(got) != 1 {
		t.Errorf("before: %q", got)
	}
	w.clock.Advance(2 * day)
	if got := hitTexts(w.ask("", "ann", "accordion")); len(got) != 0 {
		t.Errorf("after: %q", got)
	}
	dead, gone, err := w.Lifecycle.Collect(t.Context(), "mira", w.clock.Now())
	if err != nil || gone != 1 || len(dead) != 1 || dead[0].Rule != "expired" {
		t.Errorf("collected %+v, %d, %v", dead, gone, err)
	}
}

// TestExpiredMessagesAreNoNeighbours asks for what was said around an expired memory, before and after it is removed.
func TestExpiredMessagesAreNoNeighbours(t *testing.T) {
	w := newTown(t)
	w.say("", "ann", "The regatta starts in Porto")
	w.say("", "ann", "The locker code is zqcanaryqz")
	id := w.memoryOf("zqcanaryqz").ID
	turn := w.turn("mira", w.message("", "ann", "Which locker at the regatta?"))
	turn.Exact, turn.Used, turn.Reply.Text = true, []int64{id}, "You said: the code is zqcanaryqz."
	w.record(turn)
	w.smallTalk("", "ann")
	shown := func() string {
		return packed(w.ask("", "ann", "when does the regatta start?")) + packed(w.ask("", "ann", "which locker at the regatta?"))
	}
	if got := shown(); strings.Count(got, "zqcanaryqz") < 2 {
		t.Fatalf("before:\n%s", got)
	}
	if _, err := w.Lifecycle.Expire(t.Context(), id, w.clock.Now().Add(day)); err != nil {
		t.Fatal(err)
	}
	if got := shown(); !strings.Contains(got, "zqcanaryqz") {
		t.Errorf("on the day before:\n%s", got)
	}
	w.clock.Advance(2 * day)
	if got := shown(); strings.Contains(got, "zqcanaryqz") || !strings.Contains(got, "regatta starts") {
		t.Errorf("expired:\n%s", got)
	}
	if f := w.decay(); f.Expired != 1 {
		t.Errorf("%s", f)
	}
	if got := shown(); strings.Contains(got, "zqcanaryqz") || !strings.Contains(got, "regatta starts") {
		t.Errorf("removed:\n%s", got)
	}
}

// TestExpiringMemoriesAreInNoSummary sets the expiry of one of four summarized memories.
func TestExpiringMemoriesAreInNoSummary(t *testing.T) {
	w := newTown(t)
	first := w.lighthouses()
	before := w.summarize()[0].Summary
	if _, err := w.Lifecycle.Expire(t.Context(), first, w.clock.Now().Add(day)); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Entries.Memory(t.Context(), before.ID); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("the summary: %v", err)
	}
	if again := w.summarize()[0]; len(again.Members) != 3 || strings.Contains(again.Summary.Text, "walked") {
		t.Errorf("summed up %d: %s", len(again.Members), again.Summary.Text)
	}
}

func TestDecayRunsInBatches(t *testing.T) {
	w := newTown(t)
	w.say("", "ann", "hello")
	now := w.clock.Now().UnixMilli()
	if _, err := w.db().Exec(manyMemories, 60_300, "short", now-1, now+1000, now-10_000); err != nil {
		t.Fatal(err)
	}
	if f := w.decay(); f.Dormant != 603 {
		t.Errorf("%s", f)
	}
}

// promises is a claim about a promise, off one about a promise that no longer holds.
func promises(what string) understand.Claim {
	return understand.Claim{Kind: rel.Promise, Relation: "promise", Value: what, Many: true, Quote: what}
}

func off(c understand.Claim) understand.Claim {
	c.Negates = true
	return c
}

// TestOpenLoopsStayUntilClosed lets a memory that left two items open fall due, and closes one after the other.
// Decay runs in between change nothing.
func TestOpenLoopsStayUntilClosed(t *testing.T) {
	w := newTown(t)
	w.say("", "ann", "I will paint the fence and mow the lawn", promises("paint the fence"), promises("mow the lawn"))
	w.clock.Advance(lasting + day)
	for _, step := range []struct {
		words string
		said  []understand.Claim
		want  lifecycle.DecayResult
	}{
		{words: "the weather is fine"},
		{words: "no fence for me", said: []understand.Claim{off(promises("paint the fence"))}},
		{words: "I will mow the lawn on Sunday", said: []understand.Claim{promises("mow the lawn")}},
		{words: "nor a lawn", said: []understand.Claim{off(promises("mow the lawn"))}, want: lifecycle.DecayResult{Dormant: 1}},
	} {
		w.say("", "ann", step.words, step.said...)
		for night, want := range []lifecycle.DecayResult{step.want, {}} {
			if r, err := w.Lifecycle.PlanConsolidation(t.Context(), "mira", w.clock.Now()); err != nil || len(r.Moves) != want.Dormant {
				t.Errorf("after %q the rules would move %+v, %v", step.words, r.Moves, err)
			}
			if f := w.decay(); f != want {
				t.Errorf("night %d after %q: %s, want %s", night, step.words, f, want)
			}
		}
	}
}

// TestForgottenMessagesKeepNothing forgets the message whose open item kept the memory of a later one.
func TestForgottenMessagesKeepNothing(t *testing.T) {
	w := newTown(t)
	w.say("", "ann", "I will paint the fence", promises("paint the fence"))
	first := w.memoryOf("fence").ID
	w.say("", "ann", "As I said: the fence, I will paint it", promises("paint the fence"))
	w.clock.Advance(lasting + day)
	if f := w.decay(); f != (lifecycle.DecayResult{}) {
		t.Errorf("what is open fades: %s", f)
	}
	if _, err := w.Eraser.Forget(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	if f := w.decay(); f != (lifecycle.DecayResult{}) {
		t.Errorf("what was promised again fades: %s", f)
	}
	w.say("", "ann", "no fence", off(promises("paint the fence")))
	if f := w.decay(); f.Dormant != 1 {
		t.Errorf("what is off stays: %s", f)
	}
}
