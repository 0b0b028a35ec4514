package persona_test

import (
	"strings"
	"testing"

	"familiar/memory/belief"
	"familiar/memory/model"
)

// TestAClosedPlanEndsItsBelief: a canceled or completed plan is no longer believed, and its evidence names the message
// that ended it.
func TestAClosedPlanEndsItsBelief(t *testing.T) {
	tests := []struct {
		plan, closes string
		status       model.BeliefStatus
	}{
		{"I have a dentist appointment tomorrow", "it's cancelled", model.Retracted},
		{"I have a dentist appointment tomorrow", "The dentist thing was called off.", model.Retracted},
		{"I'm flying to Rome in three weeks", "I'm not going any more", model.Retracted},
		{"I'm flying to Rome in three weeks", "I'm not flying to Rome after all", model.Retracted},
		{"My job interview is today", "the interview went great", model.Superseded},
	}
	for _, tt := range tests {
		t.Run(tt.closes, func(t *testing.T) {
			s := play(t, nil)
			s.say("ann", tt.plan)
			answer := s.say("ann", tt.closes)
			if tt.status == model.Retracted && !strings.Contains(answer, "off") && !strings.Contains(answer, "stop asking") {
				t.Errorf("%q is answered with %q", tt.closes, answer)
			}
			plans := s.beliefs("plan")
			if len(plans) != 1 || plans[0].Status != tt.status || plans[0].ValidTo.IsZero() {
				t.Fatalf("the plan is believed as %+v, want it %s", plans, tt.status)
			}
			if last := plans[0].Evidence[len(plans[0].Evidence)-1]; strings.TrimRight(last.Quote, ".") != strings.TrimRight(tt.closes, ".") {
				t.Errorf("it ended by %q, want %q", last.Quote, tt.closes)
			}
			said := strings.ReplaceAll(s.say("ann", "what have I got coming up?"), strings.TrimRight(tt.closes, "."), "")
			if strings.Contains(said, "dentist") || strings.Contains(said, "Rome") {
				t.Errorf("it is still ahead: %q", said)
			}
		})
	}
}

// TestAMovedPlanIsTheSamePlan: people rarely use the same words for a plan twice.
func TestAMovedPlanIsTheSamePlan(t *testing.T) {
	for _, moves := range []string{
		"the dentist thing got moved to Thursday", "dentist is now on Thursday", "they pushed my dentist appointment to Thursday",
		"The appointment at the dentist was moved. The dentist is now Thursday", "I had to move the dentist to Thursday",
	} {
		t.Run(moves, func(t *testing.T) {
			s := play(t, nil)
			s.say("ann", "I have a dentist appointment tomorrow")
			s.say("ann", "I have a chess tournament tomorrow")
			if said := s.say("ann", moves); !strings.Contains(said, "dentist appointment") {
				t.Errorf("%q is answered with %q", moves, said)
			}
			ahead := s.say("ann", "what have I got coming up?")
			if strings.Count(ahead, "dentist") != 1 || !strings.Contains(ahead, "Thursday") || !strings.Contains(ahead, "chess tournament tomorrow") {
				t.Errorf("coming up: %q", ahead)
			}
			if plans := s.beliefs("plan"); len(plans) != 2 {
				t.Errorf("believed: %+v", plans)
			}
		})
	}
}

// TestAnAppointmentMovesWhenReported: belief, open loop and answers move together, also if the plan
// is only called "it".
func TestAnAppointmentMovesWhenReported(t *testing.T) {
	for _, tt := range []struct{ plan, moves, asked, want, not string }{
		{"I have a dentist appointment on Wednesday at 3pm", "oh wait, they moved it to Thursday at 4", "When is my dentist appointment?", "Thursday", "Wednesday"},
		{"I have a dentist appointment on Wednesday at 3pm", "It's been postponed to Thursday", "When is my dentist appointment?", "Thursday", "Wednesday"},
		{"I have a dentist appointment on Wednesday at 3pm", "It got pushed back to 5 December", "When is my dentist appointment?", "5 December", "Wednesday"},
		{"I have a dentist appointment on Wednesday at 3pm", "actually it's on Thursday", "When is my dentist appointment?", "Thursday", "Wednesday"},
		{"I have a dentist appointment on Wednesday at 3pm", "they changed it to 5pm", "When is my dentist appointment?", "17:00", "15:00"},
		{"I have a dentist appointment on Wednesday", "no wait, Thursday", "When is my dentist appointment?", "Thursday", "Wednesday"},
		{"I have a dentist appointment on Wednesday", "it's Thursday, not Wednesday", "When is my dentist appointment?", "Thursday", "Wednesday"},
		{"I have a dentist appointment on Wednesday", "my boss moved it from Wednesday to Thursday", "When is my dentist appointment?", "Thursday", "Wednesday"},
		{"I have a doctor's appointment on Wednesday", "The doctor's appointment moved to Thursday", "When is my doctor's appointment?", "Thursday", "Wednesday"},
		{"I have a meeting with Paul on the 3rd of December", "the meeting with Paul is now at 4pm on the 6th", "When is the meeting with Paul?", "6", "3 December"},
	} {
		t.Run(tt.moves, func(t *testing.T) {
			s := play(t, nil)
			s.say("ann", "I have an exam in three weeks")
			s.say("ann", tt.plan)
			s.say("ann", tt.moves)
			for _, said := range []string{s.say("ann", tt.asked), s.say("ann", "what have I got coming up?")} {
				if !strings.Contains(said, tt.want) || strings.Contains(said, tt.not) {
					t.Errorf("afterwards: %q", said)
				}
			}
			if plans := s.beliefs("plan"); len(plans) != 2 {
				t.Errorf("believed: %+v", plans)
			}
			if said := s.say("ann", "bye"); strings.Contains(said, tt.not) {
				t.Errorf("at goodbye: %q", said)
			}
		})
	}
}

// TestUnknownPlansAreNotMoved: an "it" that refers to no plan moves none.
func TestUnknownPlansAreNotMoved(t *testing.T) {
	s := play(t, nil)
	s.say("ann", "they moved it to Thursday")
	s.say("ann", "I have a job interview on Thursday")
	s.say("ann", "I have a dentist appointment on Thursday")
	s.say("ann", "I put the sofa back on Friday")
	if plans := s.beliefs("plan"); len(plans) != 2 || !plans[0].ValidFrom.Equal(plans[1].ValidFrom) {
		t.Errorf("believed: %+v", plans)
	}
}

// beliefs returns those stored under a relation, newest first, with their history.
func (s *stage) beliefs(relation string) []model.Belief {
	s.t.Helper()
	found, err := s.store.Beliefs.ListBeliefs(s.t.Context(), belief.Filter{Relations: []string{relation}, IncludeHistory: true})
	if err != nil {
		s.t.Fatal(err)
	}
	return found
}

// TestPlansOfOthersAreUpcoming: plans of others that someone mentioned are upcoming too.
func TestPlansOfOthersAreUpcoming(t *testing.T) {
	s := play(t, nil)
	s.say("ann", "Jo is getting married tomorrow")
	s.say("ann", "My sister's exam is on Friday")
	for _, asked := range []string{"What have I got coming up?", "What is coming up this week?"} {
		if said := s.say("ann", asked); !strings.Contains(said, "Jo: getting married") || !strings.Contains(said, "your sister's exam") {
			t.Errorf("%s %q", asked, said)
		}
	}
}

// TestAnEventNamedWithAnIngFormIsNoActivity checks the answer to a plan, and the answer when it is asked for.
func TestAnEventNamedWithAnIngFormIsNoActivity(t *testing.T) {
	for _, event := range []string{"driving test", "swimming lesson", "wedding rehearsal", "building inspection", "parking meeting", "cooking class"} {
		t.Run(event, func(t *testing.T) {
			s := play(t, nil)
			for _, said := range []string{s.say("ann", "I have a "+event+" on Thursday"), s.say("ann", "what have I got coming up?"), s.say("ann", "when is my "+event+"?")} {
				if !strings.Contains(strings.ToLower(said), event) {
					t.Errorf("answered %q, want it to name the %s", said, event)
				}
			}
		})
	}
}
