package simulate

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"familiar/memory/understand"
	"familiar/scheduler"
	"familiar/web/simulate/report"
)

// testScript writes a script with the embedded wordings.
func testScript(t *testing.T, s Settings, cast []*Person) []Line {
	t.Helper()
	return newScript(s, cast, embedded(t))
}

func TestAScriptIsMadeFromItsSeedAlone(t *testing.T) {
	write := func(seed uint64, people int) []Line {
		s := Settings{Days: 60, People: people, Seed: seed, Start: Start}
		return testScript(t, s, newCast(s))
	}
	lines := write(1, 6)
	if !reflect.DeepEqual(lines, write(1, 6)) {
		t.Error("one seed gives two scripts")
	}
	if reflect.DeepEqual(lines, write(2, 6)) {
		t.Error("two seeds give one script")
	}
	if !slices.IsSortedFunc(lines, func(a, b Line) int { return a.At.Compare(b.At) }) {
		t.Error("the lines are not in the order of time")
	}
	if last := lines[len(lines)-1].At; !last.Before(Start.AddDate(0, 0, 60)) {
		t.Errorf("the last line is said on %s", last)
	}
}

func TestPeopleTalkAsOftenAsPeopleDo(t *testing.T) {
	s := Settings{Days: 364, People: 10, Seed: 3, Start: Start}
	cast := newCast(s)
	talks := map[int]map[string]int{}
	for _, l := range testScript(t, s, cast) {
		if !l.Club && !l.Exam {
			if talks[l.Who] == nil {
				talks[l.Who] = map[string]int{}
			}
			talks[l.Who][l.At.Format(time.DateOnly)]++
		}
	}
	for who, days := range talks {
		if week := float64(len(days)) / 52; week < 0.5 || week > 1.8 {
			t.Errorf("%s talks on %.1f days a week", cast[who].Name, week)
		}
		if len(cast[who].away) == 0 {
			t.Errorf("%s never stays away", cast[who].Name)
		}
		for day, n := range days {
			at, _ := time.Parse(time.DateOnly, day)
			if cast[who].isAway(int(at.Sub(Start).Hours() / 24)) {
				t.Errorf("%s writes on %s, while away", cast[who].Name, day)
			}
			if n < 4 || n > 14 {
				t.Errorf("%s writes %d messages on %s", cast[who].Name, n, day)
			}
		}
	}
}

// TestNamesAreUnique checks that a name in the room of a person who never told it came from another person.
func TestNamesAreUnique(t *testing.T) {
	s := Settings{Days: 365, People: 40, Seed: 1, Start: Start}
	truth, told := newTruth(s.People), map[string]int{}
	for _, l := range testScript(t, s, newCast(s)) {
		truth.hear(l)
		for _, c := range l.Tells {
			if who, known := told[c.Value]; known && who != l.Who && topics[c.About].proper && c.Value != "" {
				t.Errorf("both %d and %d tell of %s", who, l.Who, c.Value)
			}
			told[c.Value] = l.Who
		}
		if name := truth.foreign(l.Who, false, l.Text); name != "" {
			t.Errorf("%q names %s, who is somebody else's", l.Text, name)
		}
	}
}

func TestSentencesHaveNoGaps(t *testing.T) {
	rng := random(1, 1)
	for _, sentence := range chatter {
		for range 20 {
			if said := filled(rng, sentence); strings.ContainsAny(said, "{}") || said == "" {
				t.Errorf("%q becomes %q", sentence, said)
			}
		}
	}
}

func TestChatterTellsNothingTheScriptAsksFor(t *testing.T) {
	rng := random(1, 2)
	asked := []string{"name", "lives_in", "works_at", "works_as", "birthday", "diet", "drives", "plays", "allergic_to"}
	// One claim in 200 remarks: somebody who writes ten a day then gets less than twenty claims a year that they never made.
	const remarks, most = 3000, 3000 / 200
	told := 0
	for range remarks {
		said := filled(rng, pick(rng, chatter...))
		for _, c := range understand.Analyze(understand.Utterance{Text: said, At: Start}).Claims {
			if c.Subject == "" && slices.Contains(asked, c.Relation) {
				t.Logf("%q tells %s %s", said, c.Relation, c.Value)
				told++
			}
		}
	}
	if told > most {
		t.Errorf("%d of %d remarks tell what the script asks for, want at most %d", told, remarks, most)
	}
}

func TestJudge(t *testing.T) {
	truth := newTruth(2)
	say := func(who int, about topic, value string) {
		truth.hear(Line{Who: who, Tells: []Change{{About: about, Value: value, Over: value == ""}}})
	}
	say(0, home, "Leeds")
	say(0, home, "Oslo")
	say(0, partner, "Jonas")
	say(0, partner, "")
	say(0, therapist, "Dr. Szabo")
	say(1, home, "Porto")
	for _, tc := range []struct {
		probe  Probe
		answer string
		want   Verdict
	}{
		{Probe{About: home}, "You live in Oslo.", Right},
		{Probe{About: home}, "You live in Leeds.", Stale},
		{Probe{About: home}, "You live in Leeds and in Oslo.", Stale},
		{Probe{About: home}, "It used to be Leeds. Now you live in Oslo.", Right},
		{Probe{About: home}, "I don't know that yet.", Unknown},
		{Probe{About: home}, "You like rain.", Wrong},
		{Probe{About: home}, "You live in Oslo, like somebody from Porto.", Foreign},
		{Probe{About: home, Former: true}, "It used to be Leeds.", Right},
		{Probe{About: home, Former: true}, "You live in Oslo.", Wrong},
		{Probe{About: partner}, "Your boyfriend is called Jonas.", Stale},
		{Probe{About: partner}, "Jonas was your boyfriend until March.", Right},
		{Probe{About: partner}, "I don't know that.", Right},
		{Probe{Never: true}, "I don't know that.", Right},
		{Probe{Never: true}, "Your shoe size is 42.", Wrong},
		{Probe{Words: []string{"Friday", "tomorrow"}}, "That is on Friday.", Right},
		{Probe{Words: []string{"Friday"}}, "That is on Monday.", Wrong},
	} {
		if got := truth.judge(Line{Who: 0, Asks: &tc.probe}, tc.answer); got != tc.want {
			t.Errorf("%+v answered with %q is %s, want %s", tc.probe, tc.answer, got, tc.want)
		}
	}
	for answer, want := range map[string]Verdict{"Nobody has told me that here.": Right, "You live in Oslo.": Foreign, "It's Dr. Szabo.": Foreign} {
		if got := truth.judge(Line{Who: 0, Club: true, Asks: &Probe{About: home, Hidden: true}}, answer); got != want {
			t.Errorf("in the group %q is %s, want %s", answer, got, want)
		}
	}
}

func TestStaleCountsOutdatedAnswers(t *testing.T) {
	truth := newTruth(1)
	for _, city := range []string{"Leeds", "Oslo"} {
		truth.hear(Line{Tells: []Change{{About: home, Value: city}}})
	}
	for _, tc := range []struct{ heard, said, want string }{
		{"hi", "How is Leeds?", "Leeds"},
		{"hi", "How is Oslo?", ""},
		{"I miss Leeds", "What do you miss of Leeds?", ""},
		{"hi", "On 3 May you said: “I live in Leeds”.", ""},
		{"hi", "You used to live in Leeds.", ""},
		{"hi", "You walk slowly in Leedsham.", ""},
	} {
		if got := truth.stale(0, tc.heard, tc.said); got != tc.want {
			t.Errorf("%q after %q is stale for %q, want %q", tc.said, tc.heard, got, tc.want)
		}
	}
}

// TestJobsRunWhenTheSchedulerRunsThem runs the same specs on the scheduler and on the agenda.
func TestJobsRunWhenTheSchedulerRunsThem(t *testing.T) {
	specs := map[string]string{"nightly": "10 3 * * *", "weekly": "0 4 * * 1", "every three hours": "0 */3 * * *"}
	const days = 15
	synctest.Test(t, func(t *testing.T) {
		start := time.Now().UTC()
		var jobs []Job
		real, simulated := map[string][]time.Time{}, map[string][]time.Time{}
		for name, spec := range specs {
			schedule, err := scheduler.Parse(spec, time.UTC)
			if err != nil {
				t.Fatal(err)
			}
			for due := schedule.Next(start); !due.After(start.AddDate(0, 0, days)); due = schedule.Next(due) {
				real[name] = append(real[name], due)
			}
			jobs = append(jobs, Job{Name: name, Next: schedule.Next})
		}
		a := newAgenda(jobs, start)
		for now := start; ; {
			i, due := a.next(time.Time{}, now)
			if due.After(start.AddDate(0, 0, days)) {
				break
			}
			now = due
			a.done(i, due)
			simulated[jobs[i].Name] = append(simulated[jobs[i].Name], due)
		}
		if !reflect.DeepEqual(real, simulated) {
			t.Errorf("the agenda ran\n%v\nthe schedules say\n%v", simulated, real)
		}
	})
}

// TestFrequentJobsRunWhenConversationsAreIdle checks that a job due every few minutes runs when it has something to do.
func TestFrequentJobsRunWhenConversationsAreIdle(t *testing.T) {
	schedule, err := scheduler.Parse("*/5 * * * *", time.UTC)
	if err != nil {
		t.Fatal(err)
	}
	a := newAgenda([]Job{{Name: "close", Next: schedule.Next}}, Start)
	at := func(hour, minute int) time.Time {
		return Start.Add(time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute)
	}
	for _, tc := range []struct{ last, talked, now, want time.Time }{
		{at(0, 0), time.Time{}, at(0, 0), at(6, 0)},   // nobody talks
		{at(6, 0), at(6, 12), at(6, 12), at(6, 50)},   // somebody did
		{at(6, 0), at(8, 40), at(8, 40), at(9, 0)},    // and goes on
		{at(6, 0), at(20, 58), at(20, 58), at(21, 0)}, // after a long silence
	} {
		a.done(0, tc.last)
		if _, due := a.next(tc.talked, tc.now); !due.Equal(tc.want) {
			t.Errorf("last run %s, last word %s: due %s, want %s", tc.last.Format("15:04"), tc.talked.Format("15:04"), due.Format("15:04"), tc.want.Format("15:04"))
		}
	}
}

func TestCharts(t *testing.T) {
	var r Report
	r.Months = map[string]Answers{"2026-01": {Right: 9, Unknown: 1}, "2026-02": {Right: 8}}
	for week := range 6 {
		r.Samples = append(r.Samples, Sample{
			At: Start.AddDate(0, 0, 7*week), Tiers: map[string]int{"short": 10 * week}, Sectors: map[string]int{"episodic": 9 * week},
			People: []Standing{{Person: "Tove", Trust: .1 * float64(week)}}, Mood: &Mood{.2, .5},
		})
	}
	draw := func() []byte {
		var b bytes.Buffer
		if err := r.Chart(&b); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	svg := draw()
	for d := xml.NewDecoder(bytes.NewReader(svg)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("the SVG is none: %v", err)
		}
	}
	for _, title := range []string{"Memories by tier", "Memories by sector", "Trust and bond", "What is known", "Mood of the persona"} {
		if !bytes.Contains(svg, []byte(title)) {
			t.Errorf("the chart lacks %q", title)
		}
	}
	if !bytes.Equal(svg, draw()) {
		t.Error("one report gives two charts")
	}
	if err := CheckChart("year.png"); err == nil || !strings.Contains(err.Error(), ".svg") {
		t.Errorf("a PNG is drawn: %v", err)
	}
	r.Failures = []Failure{{Verdict: Unknown, At: Start, Person: "Tove", Said: "Where do I live?", Answer: "You never said.", Now: "Oslo"}}
	r.Topics = map[string]Answers{"home": {Right: 3, Unknown: 1}}
	var file bytes.Buffer
	if err := r.File().Write(&file); err != nil {
		t.Fatal(err)
	}
	kept, err := report.Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	if len(kept.Charts) != 2 || len(kept.Charts[0].Timeline.Panels) != 5 || len(kept.Tables) != 1 || len(kept.Summary) != len(r.Summary()) {
		t.Errorf("the file holds %+v", kept)
	}
	var nothing Report
	if err := nothing.Chart(io.Discard); err != nil {
		t.Errorf("a life without a week: %v", err)
	}
}
