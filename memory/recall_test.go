package memory_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"familiar/memory/belief"
	"familiar/memory/entry"
	"familiar/memory/memorytest"
	"familiar/memory/model"
	"familiar/memory/recall"
)

// ask recalls for a person in a room.
func (w *town) ask(place, who, text string, tweak ...func(*recall.Query)) recall.Result {
	w.t.Helper()
	h := w.visibility(place, who)
	q := recall.Query{Text: text, Asker: w.person(who), Now: w.clock.Now(), Budget: 600}
	for _, f := range tweak {
		f(&q)
	}
	r, err := w.Recall.Find(w.t.Context(), h, q)
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

// strongTexts returns the texts of the hits that are about the query. In a short talk every line is a hit.
func strongTexts(r recall.Result) (texts []string) {
	for _, h := range r.Hits {
		if !h.Weak {
			texts = append(texts, h.Memory.Text)
		}
	}
	return texts
}

func hitTexts(r recall.Result) []string {
	var all []string
	for _, h := range r.Hits {
		all = append(all, h.Memory.Text)
	}
	return all
}

func packed(r recall.Result) string {
	var b strings.Builder
	for _, it := range r.Items {
		for _, l := range it.Lines {
			b.WriteString(l.String() + "\n")
		}
	}
	return b.String()
}

func (w *town) smallTalk(place, who string) {
	for _, text := range []string{
		"The rain has not stopped since morning", "I made soup with far too much garlic", "My bicycle chain broke again",
		"The neighbours are painting their fence", "I slept badly", "We watched an old film about trains",
	} {
		w.say(place, who, text)
	}
}

func TestRecallFindsWhatWasSaid(t *testing.T) {
	w := newTown(t)
	w.say("", "ann", "My cello teacher is called Ingrid")
	w.smallTalk("", "ann")
	r := w.ask("", "ann", "Who teaches me the cello?")
	if r.Nothing || len(r.Hits) == 0 || r.Hits[0].Memory.Text != "My cello teacher is called Ingrid" {
		t.Fatalf("nothing %v, hits %q", r.Nothing, hitTexts(r))
	}
	if !strings.Contains(packed(r), "ann: My cello teacher is called Ingrid") {
		t.Errorf("packed:\n%s", packed(r))
	}
	for _, h := range r.Hits {
		if h.Memory.Text == "I see." {
			t.Error("the persona's own words were recalled as a memory")
		}
	}
}

func TestRecallReportsNoMatch(t *testing.T) {
	w := newTown(t)
	w.smallTalk("", "ann")
	for text, nothing := range map[string]bool{
		"What is the melting point of tungsten?": true,
		"hi there":                               true,
		"Who won the chess championship in Lima": true,
		"Is your bicycle chain fine?":            false,
		"Tell me about the soup":                 false,
		"painting fence":                         false,
	} {
		r := w.ask("", "ann", text)
		if r.Nothing != nothing {
			t.Errorf("%q: nothing known is %v, want %v (%q)", text, r.Nothing, nothing, hitTexts(r))
		}
		if nothing && len(r.Items) > 0 {
			t.Errorf("%q brought noise:\n%s", text, packed(r))
		}
		if !nothing && len(r.Items) == 0 {
			t.Errorf("%q packed nothing", text)
		}
	}
}

func TestRecallKeepsToTheRoom(t *testing.T) {
	w := newTown(t)
	w.say("", "ann", "My secret canary word is xylograph")
	w.say("", "bo", "My secret canary word is quincunx")
	w.say("garden", "ann", "The garden canary word is marzipan")
	w.say("garden", "bo", "Good to know")
	w.say("cellar", "cas", "The cellar canary word is obsidian")
	for _, c := range []struct {
		place, who string
		hears      []string
	}{
		{"", "ann", []string{"xylograph", "marzipan"}},
		{"", "bo", []string{"quincunx", "marzipan"}},
		{"garden", "ann", []string{"marzipan"}},
		{"cellar", "cas", []string{"obsidian"}},
	} {
		r := w.ask(c.place, c.who, "What is the secret canary word?")
		everything := strings.Join(hitTexts(r), "\n") + packed(r)
		for _, canary := range []string{"xylograph", "quincunx", "marzipan", "obsidian"} {
			if got, want := strings.Contains(everything, canary), slices.Contains(c.hears, canary); got != want {
				t.Errorf("%s in %q hears %s: %v, want %v", c.who, c.place, canary, got, want)
			}
		}
	}
}

func TestRecallSeesWrites(t *testing.T) {
	w := newTown(t)
	w.smallTalk("", "ann")
	before := w.ask("", "ann", "submarine museum")
	if !before.Nothing {
		t.Fatalf("found %q before it was said", hitTexts(before))
	}
	w.say("", "ann", "We visited the submarine museum")
	if r := w.ask("", "ann", "submarine museum"); r.Nothing || !strings.Contains(r.Hits[0].Memory.Text, "submarine") {
		t.Errorf("what was just said is not found: %q", hitTexts(r))
	}
	if _, err := w.Eraser.Forget(t.Context(), w.memoryOf("We visited the submarine museum").ID); err != nil {
		t.Fatal(err)
	}
	if r := w.ask("", "ann", "submarine museum"); !r.Nothing || strings.Contains(packed(r), "submarine") {
		t.Errorf("what was forgotten is found: %q\n%s", hitTexts(r), packed(r))
	}
}

func TestRecallFollowsAnotherProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "familiar.db")
	clock := new(memorytest.Clock)
	here := &town{Store: memorytest.OpenFile(t, path, clock), t: t, clock: clock}
	there := &town{Store: memorytest.OpenFile(t, path, clock), t: t, clock: clock, n: 1000}
	here.smallTalk("", "ann")
	here.ask("", "ann", "walrus")
	there.say("", "ann", "A walrus sat on the pier")
	if r := here.ask("", "ann", "walrus"); len(r.Hits) == 0 || !strings.Contains(r.Hits[0].Memory.Text, "walrus") {
		t.Errorf("not found: %q", hitTexts(r))
	}
}

func TestRecallDuringWrites(t *testing.T) {
	w := newTown(t)
	w.smallTalk("", "ann")
	h := w.visibility("", "ann")
	q := recall.Query{Text: "harpoon and soup", Now: w.clock.Now(), Budget: 500}
	var readers sync.WaitGroup
	done := make(chan struct{})
	for range 3 {
		readers.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				if r, err := w.Recall.Find(t.Context(), h, q); err != nil || r.Nothing {
					t.Errorf("nothing %v, %v", r.Nothing, err)
					return
				}
			}
		})
	}
	for i := range 40 {
		w.say("", "ann", fmt.Sprintf("The harpoon number %d hangs on the wall", i))
	}
	close(done)
	readers.Wait()
	q.Text = "harpoon number 39 on the wall"
	r, err := w.Recall.Find(t.Context(), h, q)
	if err != nil || len(r.Hits) == 0 || !strings.Contains(r.Hits[0].Memory.Text, "39") {
		t.Errorf("hits %q, %v", hitTexts(r), err)
	}
}

func TestRecallOmitsWhatIsInThePrompt(t *testing.T) {
	w := newTown(t)
	said := w.say("", "ann", "The lighthouse keeper waved")
	w.smallTalk("", "ann")
	r := w.ask("", "ann", "lighthouse keeper", func(q *recall.Query) { q.Recent = said.MessageIDs })
	if strings.Contains(strings.Join(hitTexts(r), "\n")+packed(r), "lighthouse") {
		t.Errorf("a message in front of the voice was recalled:\n%s", packed(r))
	}
}

func (w *town) wish(place, who, text string, salience float64) {
	turn := w.turn("mira", w.message(place, who, text))
	turn.Heard[0].Annotation.Instruction = true
	turn.Heard[0].Annotation.Salience = salience
	w.record(turn)
}

func TestStandingInstructionsSurfaceForAnyQuery(t *testing.T) {
	w := newTown(t)
	w.wish("garden", "ann", "Always greet me with a riddle", 0.8)
	w.wish("garden", "ann", "Never use emojis with me", 0.9)
	w.wish("garden", "ann", "Sign with a star", 0.7)
	w.wish("garden", "ann", "Whisper if you like", 0.5)
	w.wish("garden", "bo", "Call me Captain", 0.95)
	r := w.ask("garden", "ann", "What is the melting point of tungsten?")
	if !r.Nothing {
		t.Error("a wish is no knowledge about the question")
	}
	var got []string
	for _, it := range r.Items {
		if it.Why != "standing instruction" {
			t.Errorf("item %+v", it)
		}
		got = append(got, it.Lines[0].Text)
	}
	if want := []string{"Never use emojis with me", "Always greet me with a riddle"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestPinnedTakeAThirdAtMost(t *testing.T) {
	w := newTown(t)
	w.say("", "ann", "The ferry to the island leaves at nine")
	for i := range 40 {
		_, err := w.Entries.Remember(t.Context(), entry.NewMemory{
			Persona: "mira", Audience: model.Audience{Kind: model.World}, Origin: model.OriginOperator, Sector: model.Semantic,
			Text: fmt.Sprintf("House rule number %d is to be kind to whoever comes to the door", i), Salience: 0.9, Pinned: true,
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	r := w.ask("", "ann", "When does the ferry leave?", func(q *recall.Query) { q.Budget = 300 })
	pinned := 0
	for _, it := range r.Items {
		if it.Why == "pinned" {
			pinned += it.Tokens
		}
	}
	if pinned == 0 || pinned > 100 {
		t.Errorf("pinned memories take %d of 300 tokens", pinned)
	}
	if !strings.Contains(packed(r), "ferry") {
		t.Errorf("the pinned left no room for the answer:\n%s", packed(r))
	}
}

func TestReplacedValuesAreNeverPackedUnmarked(t *testing.T) {
	w := newTown(t)
	w.say("", "ann", "My dog is called Rex", fact("pet_name:dog", "Rex"))
	w.say("", "ann", "I live in Old Berlin and love the parks", fact("lives_in", "Old Berlin"))
	w.smallTalk("", "ann")
	corrected := fact("pet_name:dog", "Milo")
	corrected.Corrects, corrected.Correction = "Rex", true
	w.say("", "ann", "My dog is not Rex, he is called Milo", corrected)
	moved := fact("lives_in", "Oslo")
	moved.Changed = true
	w.say("", "ann", "I moved to Oslo", moved)
	dog := packed(w.ask("", "ann", "What is my dog called?"))
	if strings.Contains(dog, "Rex") || !strings.Contains(dog, "Milo") || !strings.Contains(dog, belief.MarkCorrected) {
		t.Errorf("a corrected value must be absent:\n%s", dog)
	}
	home := packed(w.ask("", "ann", "Where do I live? Berlin or Oslo, and the parks?"))
	if !strings.Contains(home, "Old Berlin "+belief.MarkChanged) || !strings.Contains(home, "Oslo") {
		t.Errorf("a changed value must be marked:\n%s", home)
	}
}

func TestRecallFitsItsBudget(t *testing.T) {
	w := newTown(t)
	for range 5 {
		w.smallTalk("", "ann")
	}
	w.say("", "ann", "A long story. "+strings.Repeat("It rained on the soup and on the fence. ", 200)+"The end was garlic.")
	for _, budget := range []int{1, 10, 30, 60, 200, 1000} {
		set := func(q *recall.Query) { q.Budget = budget }
		r := w.ask("", "ann", "rain soup garlic fence bicycle", set)
		sum := 0
		for _, it := range r.Items {
			sum += it.Tokens
		}
		if sum != r.Tokens || sum > budget {
			t.Errorf("budget %d: items take %d, %d said", budget, sum, r.Tokens)
		}
		seen := map[int64]bool{}
		for _, it := range r.Items {
			for _, l := range it.Lines {
				if seen[l.MessageID] {
					t.Errorf("budget %d: message %d is packed twice", budget, l.MessageID)
				}
				seen[l.MessageID] = true
			}
		}
		if again := w.ask("", "ann", "rain soup garlic fence bicycle", set); packed(r) != packed(again) {
			t.Errorf("budget %d: packed differently twice", budget)
		}
	}
}

func TestSnippetsJoinNeighbouringTurns(t *testing.T) {
	w := newTown(t)
	w.say("garden", "ann", "Which instrument did you learn?")
	w.say("garden", "bo", "The bassoon, as a boy")
	w.say("garden", "ann", "How lovely")
	r := w.ask("garden", "ann", "bassoon boy")
	if len(r.Items) == 0 || len(r.Items[0].Lines) < 2 {
		t.Fatalf("items %+v", r.Items)
	}
	lines := r.Items[0].Lines
	if !slices.IsSortedFunc(lines, func(a, b model.SnippetLine) int { return a.At.Compare(b.At) }) {
		t.Errorf("lines are out of order: %+v", lines)
	}
	hits := 0
	for _, l := range lines {
		if l.Hit && strings.Contains(l.Text, "bassoon") {
			hits++
		}
	}
	if hits != 1 || r.Items[0].Room != "garden" {
		t.Errorf("item %+v", r.Items[0])
	}
}

func TestRecallByTime(t *testing.T) {
	w := newTown(t)
	w.say("", "ann", "We went rowing on the lake")
	w.clock.Advance(21 * 24 * time.Hour)
	w.say("", "ann", "We built a kite from paper")
	w.clock.Advance(7 * 24 * time.Hour)
	w.say("", "ann", "Just tired")
	r := w.ask("", "ann", "What did we do last week?")
	if r.Nothing || len(r.Hits) == 0 || r.Hits[0].Memory.Text != "We built a kite from paper" {
		t.Errorf("hits %q", hitTexts(r))
	}
}

func TestRecallGoesOneHopOverSharedNames(t *testing.T) {
	w := newTown(t)
	with := func(text string, entities ...string) {
		turn := w.turn("mira", w.message("", "ann", text))
		turn.Heard[0].Annotation.Analysis.Entities = entities
		w.record(turn)
	}
	with("Bruno broke the blue vase", "Bruno")
	for range 3 {
		w.smallTalk("", "ann")
	}
	w.clock.Advance(24 * time.Hour)
	with("Bruno sells insurance", "Bruno")
	w.clock.Advance(24 * time.Hour)
	w.smallTalk("", "ann")
	r := w.ask("", "ann", "the blue vase")
	for _, it := range r.Items {
		if it.Why == "linked by bruno" {
			return
		}
	}
	t.Errorf("what else is known of Bruno did not come along:\n%s", packed(r))
}

func TestSectorWeightsMultiply(t *testing.T) {
	w := newTown(t)
	for _, sector := range []model.Sector{model.Semantic, model.Emotional} {
		turn := w.turn("mira", w.message("", "ann", "The harbour at night, "+string(sector)))
		turn.Heard[0].Annotation.Sector = sector
		w.record(turn)
	}
	for _, favoured := range []model.Sector{model.Semantic, model.Emotional} {
		r := w.ask("", "ann", "harbour night", func(q *recall.Query) { q.Weights = map[model.Sector]float64{favoured: 2} })
		if r.Hits[0].Memory.Sector != favoured {
			t.Errorf("%s doubled, but %s leads", favoured, r.Hits[0].Memory.Sector)
		}
	}
}

func TestNewestOfAlikeStatementsLeads(t *testing.T) {
	w := newTown(t)
	w.say("", "ann", "The capital city of Zubrowka is Lutz")
	w.smallTalk("", "ann")
	w.say("", "ann", "The capital city of Zubrowka is Nebelsbad")
	w.smallTalk("", "ann")
	r := w.ask("", "ann", "What is the capital of Zubrowka?")
	if !strings.Contains(r.Hits[0].Memory.Text, "Nebelsbad") || !strings.Contains(r.Hits[1].Memory.Text, "Lutz") {
		t.Errorf("hits %q", hitTexts(r))
	}
	if got := packed(r); !strings.Contains(got, "Lutz "+belief.MarkRetold) || strings.Contains(got, "Nebelsbad [") {
		t.Errorf("the older statement, and it alone, must say that there is a newer one:\n%s", got)
	}
}

func TestOperatorLoreIsVisibleEverywhere(t *testing.T) {
	w := newTown(t)
	w.smallTalk("garden", "bo")
	_, err := w.Entries.Remember(t.Context(), entry.NewMemory{
		Persona: "mira", Audience: model.Audience{Kind: model.World}, Origin: model.OriginOperator, Sector: model.Semantic,
		Text: "Mira grew up in a lighthouse", Salience: 0.6,
	})
	if err != nil {
		t.Fatal(err)
	}
	r := w.ask("garden", "bo", "Did you grow up in a lighthouse?")
	if len(r.Items) == 0 || r.Items[0].Room != "" || r.Items[0].Lines[0].Text != "Mira grew up in a lighthouse" {
		t.Errorf("items %+v", r.Items)
	}
}

func TestExplainGivesReasons(t *testing.T) {
	w := newTown(t)
	w.smallTalk("", "ann")
	r := w.ask("", "ann", "soup with garlic", func(q *recall.Query) { q.Explain = true })
	reasons := r.Hits[0].Reasons
	if len(reasons) < 4 || !slices.ContainsFunc(reasons, func(r recall.Reason) bool { return r.Feature == "words" && r.Value > 0 }) {
		t.Errorf("reasons %+v", reasons)
	}
	if plain := w.ask("", "ann", "soup with garlic"); plain.Hits[0].Reasons != nil {
		t.Error("reasons that nobody asked for")
	}
}

func TestRecallInvisibleCharactersAreNotShown(t *testing.T) {
	w := newTown(t)
	w.say("", "ann", "The pass\u200bword\u202e is\n[from admin] swordfish\x07")
	got := packed(w.ask("", "ann", "swordfish"))
	if !strings.Contains(got, "The password is [from admin] swordfish\n") {
		t.Errorf("packed %q", got)
	}
}

func BenchmarkRecall(b *testing.B) {
	for _, n := range []int{1_000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			w := talkative(b, n)
			for b.Loop() {
				w.askAboutTheCastle(b)
			}
		})
	}
}

// talkative is a town in which ann has said n things.
func talkative(b *testing.B, n int) *town {
	b.Helper()
	w := newTown(b)
	words := strings.Fields("lake boat garden storm violin baker lantern harbour orchard ferry tunnel castle meadow")
	for i := range n / 50 {
		turn := w.turn("mira", w.message("", "ann", "first"))
		for j := range 49 {
			m := w.message("", "ann", fmt.Sprintf("%s by the %s near %s number %d",
				words[i%13], words[(i+j)%13], words[(i*j)%13], j))
			turn.Heard = append(turn.Heard, model.AnnotatedMessage{
				Message: m, PersonID: turn.Heard[0].PersonID, Annotation: turn.Heard[0].Annotation,
			})
		}
		w.record(turn)
	}
	return w
}

// askAboutTheCastle recalls for a prompt what ann said.
func (w *town) askAboutTheCastle(b *testing.B) {
	b.Helper()
	q := recall.Query{Text: "Which castle was by the lake in the storm?", Now: w.clock.Now(), Budget: 1000}
	if _, err := w.Recall.Find(b.Context(), w.visibility("", "ann"), q); err != nil {
		b.Fatal(err)
	}
}
