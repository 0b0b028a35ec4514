package companion_test

import (
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"familiar/memory/entry"
	"familiar/memory/jobrun"
	"familiar/persona/card"
	"familiar/persona/companion"
)

var monday = time.Date(2026, time.January, 5, 18, 0, 0, 0, time.UTC)

func bartender() *card.Card {
	return &card.Card{Key: "lily", Name: "Lily", Description: "Lily keeps the bar at the harbour.", Language: "en"}
}

func open(t *testing.T, change func(*companion.Options)) *companion.Companion {
	t.Helper()
	o := companion.Options{Path: filepath.Join(t.TempDir(), "bar.db"), Card: bartender(), Start: monday}
	if change != nil {
		change(&o)
	}
	c, err := companion.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

func say(t *testing.T, c *companion.Companion, who, text string) string {
	t.Helper()
	r, err := c.Say(t.Context(), who, text)
	if err != nil {
		t.Fatal(err)
	}
	return r.Text
}

func advance(t *testing.T, c *companion.Companion, d time.Duration) {
	t.Helper()
	if err := c.Advance(t.Context(), d); err != nil {
		t.Fatal(err)
	}
}

// evening plays two players' evenings in a bar and returns all that was said.
func evening(t *testing.T, seed uint64) []string {
	var all []string
	c := open(t, func(o *companion.Options) {
		o.Seed, o.Deliver = seed, func(d companion.Delivery) { all = append(all, d.To+"> "+d.Text) }
	})
	c.Introduce("ann", "Ann")
	for day := range 3 {
		for _, who := range []string{"ann", "bob"} {
			greeting, err := c.Greet(t.Context(), who)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, greeting.Text)
		}
		lines := [][2]string{
			{"ann", "My dog is called Rex."},
			{"bob", "What do you know about Ann?"},
			{"ann", "I have an interview tomorrow at 9."},
			{"ann", "What is my dog called?"},
		}
		for _, l := range lines {
			all = append(all, say(t, c, l[0], l[1]))
		}
		bar := c.Room("bar")
		if err := bar.Hear(t.Context(), "bob", "The lighthouse burnt down."); err != nil {
			t.Fatal(err)
		}
		answer, err := bar.Say(t.Context(), "ann", "What burnt down?")
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, answer.Text)
		advance(t, c, time.Duration(20+day)*time.Hour)
	}
	return all
}

func TestTheSameSeedGivesTheSameReplies(t *testing.T) {
	first, second := evening(t, 7), evening(t, 7)
	if !slices.Equal(first, second) {
		t.Errorf("first\n%s\nthen\n%s", strings.Join(first, "\n"), strings.Join(second, "\n"))
	}
	if text := strings.Join(first, "\n"); !strings.Contains(text, "Rex") || !strings.Contains(text, "lighthouse") {
		t.Errorf("remembered nothing:\n%s", text)
	}
}

// TestS1PlayersDoNotHearOfEachOther tells the persona a secret alone and asks for it as somebody else and in a room.
func TestS1PlayersDoNotHearOfEachOther(t *testing.T) {
	c := open(t, nil)
	say(t, c, "ann", "The treasure is under the lighthouse.")
	room, err := c.Room("bar").Say(t.Context(), "ann", "Where is the treasure?")
	if err != nil {
		t.Fatal(err)
	}
	for _, answer := range []string{say(t, c, "bob", "Where is the treasure?"), room.Text} {
		if strings.Contains(answer, "lighthouse") {
			t.Errorf("told %q", answer)
		}
	}
	if answer := say(t, c, "ann", "Where is the treasure?"); !strings.Contains(answer, "lighthouse") {
		t.Errorf("told its owner %q", answer)
	}
}

// TestTimePassesOnlyWhenAdvanced lets the nights pass and looks at what ran when.
func TestTimePassesOnlyWhenAdvanced(t *testing.T) {
	c := open(t, nil)
	say(t, c, "ann", "I could not sleep before the concert.")
	if !c.Now().Equal(monday) {
		t.Errorf("it is %v", c.Now())
	}
	advance(t, c, 36*time.Hour)
	if want := monday.Add(36 * time.Hour); !c.Now().Equal(want) {
		t.Errorf("it is %v, want %v", c.Now(), want)
	}
	runs, err := c.Store().Jobs.Runs(t.Context(), jobrun.Filter{Persona: "lily", Job: "dream"})
	if err != nil || len(runs) != 2 || runs[1].Status != jobrun.StatusOK || !runs[1].Started.Equal(time.Date(2026, 1, 6, 3, 40, 0, 0, time.UTC)) {
		t.Errorf("dreamt %+v, %v", runs, err)
	}
	if err := c.Advance(t.Context(), -time.Hour); err == nil {
		t.Error("time went back")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.Advance(ctx, 24*time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if say(t, c, "ann", "What was before the concert?") == "" {
		t.Error("silent after a cancelled advance")
	}
}

func TestRemindersComeAtTheirTime(t *testing.T) {
	var got []companion.Delivery
	c := open(t, func(o *companion.Options) { o.Deliver = func(d companion.Delivery) { got = append(got, d) } })
	say(t, c, "ann", "/remind in 2 hours feed the dragon")
	advance(t, c, time.Hour)
	if len(got) != 0 {
		t.Errorf("early: %+v", got)
	}
	advance(t, c, 3*time.Hour)
	if len(got) != 1 || got[0].To != "ann" || !strings.Contains(got[0].Text, "feed the dragon") || !got[0].At.Equal(monday.Add(2*time.Hour)) {
		t.Errorf("delivered %+v", got)
	}
}

// TestProactiveMessagesFollowPlans: the persona asks about a plan once it is over, and never without Deliver.
func TestProactiveMessagesFollowPlans(t *testing.T) {
	var got []companion.Delivery
	c := open(t, func(o *companion.Options) { o.Deliver = func(d companion.Delivery) { got = append(got, d) } })
	say(t, c, "ann", "I have an interview at Acme tomorrow at 10.")
	advance(t, c, 72*time.Hour)
	if len(got) == 0 || got[0].To != "ann" || !strings.Contains(got[0].Text, "interview") {
		t.Errorf("wrote %+v", got)
	}
	quiet := open(t, nil)
	say(t, quiet, "ann", "I have an interview at Acme tomorrow at 10.")
	advance(t, quiet, 72*time.Hour)
	if n, err := quiet.Store().Log.CountOutbox(t.Context(), "lily"); err != nil || len(n) != 0 {
		t.Errorf("outbox %+v, %v", n, err)
	}
}

// parrot is a model that answers with what it was asked last, or fails.
type parrot struct {
	fail  bool
	asked []companion.Request
}

func (p *parrot) Chat(_ context.Context, r companion.Request, stream func(string)) (string, error) {
	p.asked = append(p.asked, r)
	if p.fail {
		return "", errors.New("out of order")
	}
	if stream != nil {
		stream("Squawk, ")
		stream("a boat!")
	}
	return "Squawk, a boat!", nil
}

func TestAModelAnswersAndThePlainVoiceStepsIn(t *testing.T) {
	m := &parrot{}
	c := open(t, func(o *companion.Options) { o.Model = m })
	var shown []string
	r, err := c.SayStreaming(t.Context(), "ann", "I saw a boat.", func(soFar string) { shown = append(shown, soFar) })
	if err != nil || r.Text != "Squawk, a boat!" {
		t.Errorf("answered %q, %v", r.Text, err)
	}
	if len(m.asked) == 0 || !strings.Contains(m.asked[0].System, "Lily") || m.asked[0].Messages[len(m.asked[0].Messages)-1].Role != "user" {
		t.Errorf("asked %+v", m.asked)
	}
	m.fail = true
	if answer := say(t, c, "ann", "My dog is called Rex."); answer == "" || strings.Contains(answer, "Squawk") {
		t.Errorf("without the model: %q", answer)
	}
}

// TestWhatWasSaidSurvivesTheProgram closes the file and opens it again at the same time.
func TestWhatWasSaidSurvivesTheProgram(t *testing.T) {
	o := companion.Options{Path: filepath.Join(t.TempDir(), "bar.db"), Card: bartender(), Start: monday}
	for range 2 {
		c, err := companion.Open(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		if say(t, c, "ann", "My dog is called Rex.") == "" {
			t.Error("no answer")
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	c, err := companion.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if answer := say(t, c, "ann", "What is my dog called?"); !strings.Contains(answer, "Rex") {
		t.Errorf("answered %q", answer)
	}
	kept, err := c.Store().Entries.ListMemories(t.Context(), entry.MemoryFilter{Text: "called Rex"})
	if err != nil || len(kept) != 2 {
		t.Errorf("kept %d memories, %v", len(kept), err)
	}
}

func TestOpenNamesWhatIsMissing(t *testing.T) {
	for want, o := range map[string]companion.Options{
		"Path":  {Card: bartender(), Start: monday},
		"Card":  {Path: "x", Start: monday},
		"Start": {Path: "x", Card: bartender()},
		"key":   {Path: "x", Card: &card.Card{Key: "No Key"}, Start: monday},
	} {
		if _, err := companion.Open(t.Context(), o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("without %s: %v", want, err)
		}
	}
}

func TestCardsAreReadFromFiles(t *testing.T) {
	c, err := companion.LoadCard("otto.yaml", strings.NewReader("name: Otto\ndescription: Otto mends boats.\n"))
	if err != nil || c.Key != "otto" || c.Name != "Otto" {
		t.Errorf("%+v, %v", c, err)
	}
	if _, err := companion.LoadCard("otto.yaml", strings.NewReader("nonsense: 1\n")); err == nil {
		t.Error("accepted an unknown field")
	}
}

// TestNoNetworkIsLinked: a program that embeds a persona has no code of a chat network, nor of the command.
func TestNoNetworkIsLinked(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "familiar/persona/companion").Output()
	if err != nil {
		t.Fatal(err)
	}
	for pkg := range strings.Lines(string(out)) {
		for _, banned := range []string{"discordgo", "whatsmeow", "telegram", "familiar/cmd", "internal/app", "channels/all", "cobra", "bubbletea"} {
			if strings.Contains(pkg, banned) {
				t.Errorf("links %s", pkg)
			}
		}
	}
}

func TestBecomeCountsFromTheNextMessage(t *testing.T) {
	c := open(t, func(o *companion.Options) { o.Scratch = true })
	say(t, c, "ann", "My dog is called Rex.")
	as := *bartender()
	as.Name = "Lola"
	if err := c.Become(&as); err != nil {
		t.Fatal(err)
	}
	if got := say(t, c, "ann", "What's your name?"); !strings.Contains(got, "Lola") {
		t.Errorf("it says %q", got)
	}
	if got := say(t, c, "ann", "What's my dog called?"); !strings.Contains(got, "Rex") {
		t.Errorf("it forgot: %q", got)
	}
	other := as
	other.Key = "other"
	if err := c.Become(&other); err == nil {
		t.Error("another persona took its place")
	}
}
