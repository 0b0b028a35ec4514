package jobs_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"familiar/internal/llm"
	"familiar/memory/jobrun"
	"familiar/memory/memorytest"
	"familiar/memory/model"
	"familiar/persona"
	"familiar/persona/jobs"
	"familiar/prompts"
)

// beside returns the job dependencies of another process on the same file.
func (w *world) beside() jobs.Deps {
	w.t.Helper()
	night := w.night
	night.Store = memorytest.OpenFile(w.t, w.Path(), w.clock)
	return night
}

// TestTwoProcessesDreamOnce has two processes run the same jobs repeatedly at the same time: the result is that of one
// process.
func TestTwoProcessesDreamOnce(t *testing.T) {
	nights := func(t *testing.T, processes int) string {
		w := newWorld(t)
		all := []jobs.Deps{w.night}
		for len(all) < processes {
			all = append(all, w.beside())
		}
		for day := range 5 {
			for i := range 8 {
				who := fmt.Sprintf("person %d", i)
				w.say("", who, fmt.Sprintf("I want to learn the violin %d times over", i))
				w.say("", who, "I had coffee with Milo again, and spent an hour in my garden")
				w.say([]string{"club", "choir"}[i%2], who, "I showed Zelda my accordion")
			}
			w.rest(25 * time.Hour)
			both := sync.WaitGroup{}
			for _, night := range all {
				both.Go(func() { w.jobsOf(night, day) })
			}
			both.Wait()
			w.jobsOf(w.night, day) // the remaining people
		}
		made := w.query(`SELECT kind || '|' || count(*) || '|' || count(DISTINCT text) FROM memories WHERE origin = 'inferred' GROUP BY kind ORDER BY kind`)
		return made + w.query(`SELECT kind || '|' || text || '|' || status || '|' || count(*) || '|' || sum((SELECT count(*) FROM open_loop_sources s WHERE s.loop_id = l.id))
			FROM open_loops l GROUP BY kind, text, status ORDER BY 1`) + w.strengths()
	}
	alone := nights(t, 1)
	if got := nights(t, 2); got != alone {
		t.Errorf("two processes made\n%s\none\n%s", got, alone)
	}
}

// jobsOf returns one run of each job that reads new messages.
func (w *world) jobsOf(night jobs.Deps, day int) {
	now := w.clock.Now()
	run := func(job string) int64 { return memorytest.BeginRun(w.t, night.Store, "tess", job) }
	_, dreaming := night.DreamOnce(w.t.Context(), run("dream"), now)
	_, reflecting := night.ReflectOnce(w.t.Context(), run("reflect"), now)
	_, wondering := night.CuriosityOnce(w.t.Context(), run("curiosity"), now)
	_, pursuing := night.GoalsOnce(w.t.Context(), run("goals"), now)
	for _, err := range []error{dreaming, reflecting, wondering, pursuing} {
		if err != nil {
			w.t.Errorf("day %d: %v", day, err)
		}
	}
}

// TestPeopleClaimedByAnotherRunAreSkipped checks that every job respects the claims of an active run, and continues when
// that run is presumed dead.
func TestPeopleClaimedByAnotherRunAreSkipped(t *testing.T) {
	w := newWorld(t)
	w.weeks(8)
	w.say("", "ann", "I want to learn the violin. I had coffee with Milo again.")
	w.say("", "bob", "I want to learn the violin. I had coffee with Milo again.")
	w.rest(time.Hour)
	other := w.run("other")
	if _, err := w.Jobs.TryClaim(t.Context(), "tess", other, w.person("ann")); err != nil {
		t.Fatal(err)
	}
	made := func() (scopes, seen, goals, terms int) {
		dreamt, reflected := w.sleep()
		return dreamt.Scopes, reflected.People, w.pursue().Set, w.ponder().Terms
	}
	if scopes, seen, goals, terms := made(); scopes != 2 || seen != 2 || goals != 1 || terms != 1 {
		t.Errorf("without ann: dreamt of %d, reflected on %d, %d goals, %d terms", scopes, seen, goals, terms)
	}
	if scopes, seen, goals, terms := made(); scopes+seen+goals+terms != 0 {
		t.Errorf("again without ann: dreamt of %d, reflected on %d, %d goals, %d terms", scopes, seen, goals, terms)
	}
	w.clock.Advance(jobrun.Lease + time.Second)
	if scopes, seen, goals, terms := made(); scopes != 1 || seen != 1 || goals != 1 || terms != 1 {
		t.Errorf("ann: dreamt of %d, reflected on %d, %d goals, %d terms", scopes, seen, goals, terms)
	}
	if left := w.query(`SELECT count(*) FROM job_claims WHERE job_run_id <> ?`, other); left != "0\n" {
		t.Errorf("%s people are still claimed", left)
	}
}

// TestRefinedSessionsAreNotRefinedAgain has another process dream during a model call of the first one.
func TestRefinedSessionsAreNotRefinedAgain(t *testing.T) {
	w := newWorld(t)
	for _, who := range []string{"ann", "bob", "cho"} {
		w.say("", who, "I spent an hour in my garden")
	}
	w.rest(time.Hour)
	beside := w.beside()
	var others int
	w.night.Model = llm.Answering(func(prompts.Prompt) string {
		done, err := beside.DreamOnce(t.Context(), memorytest.BeginRun(t, beside.Store, "tess", "dream"), w.clock.Now())
		if err != nil {
			t.Error(err)
		}
		others += done.Scopes
		return `{"dream": {"text": "There was a garden.", "from": [1]}}`
	})
	done, err := w.night.DreamOnce(t.Context(), w.run("dream"), w.clock.Now())
	if err != nil || done.Scopes != 1 || others != 2 || len(w.texts(model.Dream)) != 3 {
		t.Errorf("dreamt of %d and %d places, %v: %q", done.Scopes, others, err, w.texts(model.Dream))
	}
}

// TestProactiveSkipsPeopleClaimedByAnotherRun claims a person with a due open loop.
func TestProactiveSkipsPeopleClaimedByAnotherRun(t *testing.T) {
	v := newVisit(t, func(*persona.Parts) {})
	v.interviewed()
	ann, err := v.store.Log.PersonByHandle(t.Context(), v.said("", "ann", "").Author.Handle)
	if err != nil {
		t.Fatal(err)
	}
	other := memorytest.BeginRun(t, v.store, "tess", "dream")
	if _, err := v.store.Jobs.TryClaim(t.Context(), "tess", other, ann.ID); err != nil {
		t.Fatal(err)
	}
	if done, told := v.speakUp("ann"); done.Due != 0 || told != "" {
		t.Errorf("%s: sent %q", done, told)
	}
	if err := v.store.Jobs.FinishRun(t.Context(), other, jobrun.StatusOK, ""); err != nil {
		t.Fatal(err)
	}
	if done, told := v.speakUp("ann"); done.Handed != 1 || told == "" {
		t.Errorf("let go of, %s: sent %q", done, told)
	}
}
