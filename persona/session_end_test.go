package persona_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"familiar/channels"
	"familiar/memory/belief"
	"familiar/memory/entry"
	"familiar/memory/model"
	"familiar/memory/turns"
	"familiar/persona"
	"familiar/persona/mind"
	"familiar/persona/session"
)

// close lets the session gap pass and ends idle sessions.
func (s *stage) close(run int64) session.CloseResult {
	s.t.Helper()
	s.clock.Advance(31 * time.Minute)
	done, err := s.engine.Sessions().CloseIdleOnce(s.t.Context(), run, s.clock.Now())
	if err != nil {
		s.t.Fatal(err)
	}
	return done
}

// left returns what a session left behind.
func (s *stage) left(session int64) turns.SessionTrace {
	s.t.Helper()
	left, err := s.store.Turns.SessionTrace(s.t.Context(), session)
	if err != nil {
		s.t.Fatal(err)
	}
	return left
}

// kindsOf returns the kinds of memories that a session left, with their texts by kind.
func kindsOf(words []model.Memory) (kinds []model.Kind, texts map[model.Kind]string) {
	texts = map[model.Kind]string{}
	for _, w := range words {
		kinds, texts[w.Kind] = append(kinds, w.Kind), w.Text
	}
	return kinds, texts
}

func TestSessionEndStoresWhatItMeant(t *testing.T) {
	s := play(t, nil)
	for _, text := range []string{
		"My grandfather kept the lamp at Kiipsaare for forty years.", "I feel so sad since he died.", "Please always call me Captain.",
		"I love storms, and I live in Tartu.", "I will visit the lighthouse on Friday.", "Thank you, you are wonderful!",
	} {
		s.say("ann", text)
	}
	if done := s.close(7); done.Sessions != 1 || done.Words.Memories < 2 {
		t.Fatalf("closed %+v, want one session with words", done)
	}
	left := s.left(1)
	kinds, texts := kindsOf(left.Words)
	if !slices.Contains(kinds, model.Summary) || !slices.Contains(kinds, model.DefiningMoment) {
		t.Errorf("left %v", kinds)
	}
	if texts[model.DefiningMoment] != "I met ann." || !strings.Contains(texts[model.Summary], "ann: “I love storms, and I live in Tartu”") {
		t.Errorf("left %q", texts)
	}
	for _, w := range left.Words {
		m, err := s.store.Entries.Memory(t.Context(), w.ID)
		if err != nil || len(m.Sources) == 0 || m.JobRun != 7 || m.Origin != model.OriginJob || m.Audience.Kind != model.Private {
			t.Errorf("%s: %+v, %v: want an inference of run 7 with its sources, for ann alone", w.Kind, m, err)
		}
	}
	if left.Mood.Valence <= 0 || len(left.Milestones) == 0 || left.Milestones[0].Kind != string(mind.Met) {
		t.Errorf("mood %+v, milestones %+v", left.Mood, left.Milestones)
	}
	practised, err := s.store.Turns.Practice(t.Context(), "tess", time.Time{})
	if err != nil || !slices.ContainsFunc(practised, func(p turns.Practice) bool { return p.Skill == string(mind.Listening) && p.Successes > 0 }) {
		t.Errorf("practice %+v, %v", practised, err)
	}
	if again := s.close(8); again.Sessions != 0 || len(s.left(1).Words) != len(left.Words) {
		t.Errorf("ended twice: %+v", again)
	}
}

// TestASessionThatCannotEndBlocksNoEarlierOne: sessions end together, and one by one where that fails.
func TestASessionThatCannotEndBlocksNoEarlierOne(t *testing.T) {
	s := play(t, nil)
	for _, who := range []string{"ann", "bob", "cleo"} {
		s.say(who, "I love storms, and I live in Tartu.")
	}
	free := s.stuck("BEFORE UPDATE OF ended_at ON sessions WHEN new.id = 2")
	s.clock.Advance(31 * time.Minute)
	done, err := s.engine.Sessions().CloseIdleOnce(t.Context(), 1, s.clock.Now())
	if err == nil || !strings.Contains(err.Error(), "session 2: ") || !strings.Contains(err.Error(), "stuck") || done.Sessions != 1 {
		t.Errorf("closed %+v, %v: want the one before session 2, and why that did not end", done, err)
	}
	if one, err := s.store.Turns.Session(t.Context(), 1); err != nil || one.Ended.IsZero() {
		t.Errorf("session 1 is open: %+v, %v", one, err)
	}
	free()
	if done := s.close(2); done.Sessions != 2 {
		t.Errorf("then closed %+v, want the other two", done)
	}
}

func TestARoutineSessionLeavesLittle(t *testing.T) {
	s := play(t, nil)
	s.say("ann", "hello")
	s.say("ann", "bye")
	s.close(0)
	if left := s.left(1); len(left.Words) != 0 {
		t.Errorf("left %+v", left.Words)
	}
}

func TestForgettingDeletesTheSummary(t *testing.T) {
	s := play(t, nil)
	s.say("ann", "I live in Tartu and my sister Berit lives in Riga.")
	s.say("ann", "Please always call me Captain.")
	s.close(1)
	before, _ := kindsOf(s.left(1).Words)
	if !slices.Contains(before, model.Summary) {
		t.Fatalf("left %v", before)
	}
	said, err := s.store.Entries.ListMemories(t.Context(), entry.MemoryFilter{Persona: "tess", Text: "Berit"})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range said {
		if m.Origin == model.OriginMessage {
			if _, err := s.store.Eraser.Forget(t.Context(), m.ID); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, w := range s.left(1).Words {
		if strings.Contains(w.Text, "Berit") {
			t.Errorf("still told: %q", w.Text)
		}
	}
}

// TestPrivateSummariesStayPrivate checks what each room sees of the last conversation.
func TestPrivateSummariesStayPrivate(t *testing.T) {
	s := play(t, nil)
	group := func(text string) channels.Message {
		m := s.message("ann", text)
		m.Room, m.Direct, m.RoomTitle = channels.Room{Channel: "desk", ID: "club"}, false, "The club"
		return m
	}
	s.answer(group("I play the cello in the club, and I love it."))
	s.say("ann", "I am afraid of the surgery on my knee, please call me Captain.")
	s.close(1)
	ann, err := s.store.Log.PersonByHandle(t.Context(), channels.Handle{Channel: "desk", ID: "ann"})
	if err != nil {
		t.Fatal(err)
	}
	rooms, err := s.store.Log.Rooms(t.Context())
	if err != nil || len(rooms) != 2 {
		t.Fatalf("rooms %+v, %v", rooms, err)
	}
	for _, room := range rooms {
		h, err := s.store.Log.Visibility(t.Context(), "tess", room.ID)
		if err != nil {
			t.Fatal(err)
		}
		last, err := s.store.Turns.LastSummary(t.Context(), h, ann.ID)
		if err != nil || strings.Contains(last.Text, "knee") != room.Direct {
			t.Errorf("in %s: %q, %v", room.Room, last.Text, err)
		}
	}
}

func TestAnOpenQuestionStaysUntilAnswered(t *testing.T) {
	s := play(t, nil)
	s.say("ann", "What's my sister's birthday?")
	s.close(1)
	open := func() (texts []string) {
		t.Helper()
		h, err := s.store.Log.Visibility(t.Context(), "tess", 1)
		if err != nil {
			t.Fatal(err)
		}
		loops, err := s.store.Beliefs.Loops(t.Context(), h, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range loops {
			if l.Kind == belief.LoopQuestion {
				texts = append(texts, l.Text)
			}
		}
		return texts
	}
	if got := open(); !slices.Equal(got, []string{"What's my sister's birthday?"}) {
		t.Fatalf("left open %q", got)
	}
	s.say("ann", "My sister's birthday is on 3 May.")
	if got := open(); len(got) != 0 {
		t.Errorf("still open: %q", got)
	}
}

func TestTimezonesAreLearnedOnlyFromThePerson(t *testing.T) {
	s := play(t, nil)
	zone := func() string {
		t.Helper()
		p, err := s.store.Log.PersonByHandle(t.Context(), channels.Handle{Channel: "desk", ID: "ann"})
		if err != nil {
			t.Fatal(err)
		}
		return p.Timezone
	}
	s.say("ann", "And an optician appointment tomorrow at 8 am.") // on her clock, wherever that is
	s.say("ann", "My brother is in Tokyo and lives in Tokyo.")
	if got := zone(); got != "" {
		t.Errorf("hearsay made it %q", got)
	}
	s.say("ann", "I'm in Berlin. I have an interview on Friday at 3 pm.")
	s.say("ann", "And a dentist appointment tomorrow at 9 am.")
	if got := zone(); got != "Europe/Berlin" {
		t.Errorf("zone %q", got)
	}
	h, err := s.store.Log.Visibility(t.Context(), "tess", 1)
	if err != nil {
		t.Fatal(err)
	}
	loops, err := s.store.Beliefs.Loops(t.Context(), h, 1)
	if err != nil || len(loops) != 3 {
		t.Fatalf("due %+v, %v", loops, err)
	}
	for i, hour := range []int{8, 9, 15} {
		if at := loops[i].DueFrom.UTC(); at.Hour() != hour-offsetAt("Europe/Berlin", at) {
			t.Errorf("%q is due at %s, want %d o'clock in Berlin", loops[i].Text, at, hour)
		}
	}
}

// TestTravelKeepsAConfiguredTimezone has ann set hers and travel.
func TestTravelKeepsAConfiguredTimezone(t *testing.T) {
	s := play(t, nil)
	for _, step := range []struct{ says, want string }{
		{"I'm in Berlin.", "Europe/Berlin"},
		{"/timezone lisbon", "Europe/Lisbon"},
		{"I'm in Tokyo, and it's 3am here.", "Europe/Lisbon"},
		{"My timezone is Europe/Oslo.", "Europe/Oslo"},
	} {
		s.say("ann", step.says)
		p, err := s.store.Log.PersonByHandle(t.Context(), channels.Handle{Channel: "desk", ID: "ann"})
		if err != nil || p.Timezone != step.want {
			t.Errorf("after %q it is %q, %v, want %q", step.says, p.Timezone, err, step.want)
		}
	}
}

// offsetAt returns how many hours a zone is ahead of UTC at a time.
func offsetAt(zone string, at time.Time) int {
	loc, err := time.LoadLocation(zone)
	if err != nil {
		panic(err)
	}
	_, seconds := at.In(loc).Zone()
	return seconds / 3600
}

// TestPraiseBuysNoTrust has someone praise the persona ten thousand times in one day, in many sessions.
func TestPraiseBuysNoTrust(t *testing.T) {
	t.Parallel()
	const sessions, each = 25, 400
	s := play(t, nil)
	s.clock.Set(time.Date(2026, 3, 2, 0, 1, 0, 0, time.UTC))
	trust := func() float64 {
		t.Helper()
		r, err := s.store.Turns.Relationship(t.Context(), "tess", 1)
		if err != nil {
			t.Fatal(err)
		}
		return r.Trust
	}
	for range sessions {
		praise := make([]channels.Message, each-1)
		for i := range praise {
			praise[i] = s.message("ann", "Thank you, you are wonderful!")
		}
		if _, err := s.store.Log.AcceptAll(t.Context(), "tess", praise); err != nil {
			t.Fatal(err)
		}
		s.say("ann", "Thank you, you are wonderful!")
		s.close(1)
		if got := trust(); got > mind.TrustPerDay {
			t.Fatalf("trust is %v, past the bound of a day", got)
		}
	}
	day := trust()
	if day == 0 {
		t.Error("praise moved nothing at all")
	}
	s.clock.Advance(400 * 24 * time.Hour)
	s.close(1)
	if got := trust(); got != day {
		t.Errorf("absence moved trust from %v to %v", day, got)
	}
}

func TestOnlyTheMoodCrossesRooms(t *testing.T) {
	voice := &echo{}
	s := play(t, func(p *persona.Parts) { p.Voice = voice })
	for range 6 {
		s.say("ann", "I hate you, you are useless.")
	}
	s.close(1)
	s.say("bob", "hello")
	if got := voice.scenes[len(voice.scenes)-1]; got.Mood == "" || got.LastTalk.ID != 0 {
		t.Errorf("in bob's room: mood %q, last talk %v", got.Mood, got.LastTalk)
	}
}

// TestLoreIgnoresTalkBetweenOthers has a group talk among themselves, and then with the persona.
func TestLoreIgnoresTalkBetweenOthers(t *testing.T) {
	s := play(t, nil)
	talk := func(addressed bool) turns.SessionTrace {
		for _, text := range []string{"Bob is an idiot and I hate you all!", "My grandfather kept the lamp at Kiipsaare.", "I live in Tartu.", "Who knows when the bus leaves?"} {
			s.answer(s.group("ann", text, addressed))
		}
		s.close(1)
		sessions, err := s.store.Turns.Sessions(t.Context(), turns.SessionFilter{Persona: "tess", Limit: 1})
		if err != nil || len(sessions) != 1 || sessions[0].Ended.IsZero() {
			t.Fatalf("sessions %+v, %v", sessions, err)
		}
		return s.left(sessions[0].ID)
	}
	ann := func() model.Relationship {
		p, err := s.store.Log.PersonByHandle(t.Context(), channels.Handle{Channel: "desk", ID: "ann"})
		if err != nil {
			t.Fatal(err)
		}
		rel, err := s.store.Turns.Relationship(t.Context(), "tess", p.ID)
		if err != nil {
			t.Fatal(err)
		}
		return rel
	}
	overheard := talk(false)
	kinds, _ := kindsOf(overheard.Words)
	if !slices.Equal(kinds, []model.Kind{model.Summary}) || !overheard.Mood.At.IsZero() || len(overheard.Milestones) > 0 {
		t.Errorf("talk of others leaves %v, mood %+v, milestones %+v", kinds, overheard.Mood, overheard.Milestones)
	}
	practised, err := s.store.Turns.Practice(t.Context(), "tess", time.Time{})
	if rel := ann(); err != nil || len(practised) > 0 || rel.Sessions != 0 || rel.TrustMoved != 0 {
		t.Errorf("it practised %+v, and ann is %+v, %v", practised, rel, err)
	}
	if with := talk(true); len(with.Milestones) == 0 || ann().Sessions != 1 {
		t.Errorf("talk with the persona leaves %+v, and ann is %+v", with, ann())
	}
}
