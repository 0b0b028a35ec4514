package persona_test

// C1: somebody in danger is recognized, by rules alone or with a model in any language, and is met with care for the rest of
// the session and at the next greeting, whatever is said in between. Only rooms that may hear of it know it, and it goes
// with the message that told it. They are told whom to reach in their country.

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"familiar/channels"
	"familiar/internal/llm/llmtest"
	"familiar/memory/memorytest"
	"familiar/persona"
	"familiar/persona/care"
	"familiar/persona/modelvoice"
	"familiar/persona/plain"
)

// TestCareLastsBeyondTheMessage speaks of the end, then of something else, then returns two days later.
func TestCareLastsBeyondTheMessage(t *testing.T) {
	s := play(t, nil)
	s.say("Ann", "hello")
	s.say("Ann", "My sister is called Greta")
	checkSaid(t, s.say("Ann", "honestly i just want to die"), []string{"crisis line"})
	checkSaid(t, s.say("Ann", "i won a plant at the raffle"), []string{"!plant", "!raffle"})
	checkSaid(t, s.say("Ann", "what's my sister called?"), []string{"Greta"})
	s.clock.Advance(48 * time.Hour)
	back := s.say("Ann", "hi")
	checkSaid(t, back, []string{"How are you", "!die", "!Greta"})
	s.clock.Advance(30 * 24 * time.Hour)
	if later := s.say("Ann", "hi"); strings.Contains(later, "after what you told me") || strings.Contains(later, "die") {
		t.Errorf("a month later: %q", later)
	}
}

// TestC1CareWaitsForTheNextGreeting stays away for longer than care lasts otherwise.
func TestC1CareWaitsForTheNextGreeting(t *testing.T) {
	s := play(t, nil)
	s.say("Ann", "hello")
	s.say("Ann", "my husband beats me every night")
	s.clock.Advance(60 * 24 * time.Hour)
	checkSaid(t, s.arrive("Ann"), []string{"How are you"})
	checkSaid(t, s.say("Ann", "hi, i planted tulips"), []string{"!tulips"})
	s.clock.Advance(60 * 24 * time.Hour)
	checkSaid(t, s.say("Ann", "hi"), []string{"!after what you told me"})
}

// TestC1ContactsOfTheCountry names whom to reach by the country of the home, and by that of the person.
func TestC1ContactsOfTheCountry(t *testing.T) {
	s := play(t, func(p *persona.Parts) { p.Settings.Contacts = care.Contacts{Country: "US"} })
	checkSaid(t, s.say("Ann", "I want to kill myself"), []string{"988", "911", "!211"})
	checkSaid(t, s.say("Ann", "we have not eaten anything for three days"), []string{"211", "!988"})
	s.say("Bea", "I live in Berlin")
	checkSaid(t, s.say("Bea", "ich will nicht mehr leben"), []string{"TelefonSeelsorge: 0800 111 0 111", "!988"})
	checkSaid(t, s.say("Ugo", "non voglio più vivere"), []string{"988", "Non devi"})
}

// TestC1CareStaysWhereItWasHeard speaks of danger in a direct room, then among others.
func TestC1CareStaysWhereItWasHeard(t *testing.T) {
	s := play(t, func(p *persona.Parts) { p.Settings.Contacts = care.Contacts{Country: "US"} })
	s.say("Ann", "hello")
	s.say("Ann", "I want to kill myself")
	checkSaid(t, s.answer(s.group("Ann", "Tess, what a sunny day", true)), []string{"!988", "!crisis", "!alone"})
	checkSaid(t, s.say("Bob", "hello"), []string{"!988", "!crisis", "!alone"})
	checkSaid(t, s.say("Ann", "i have got pills here"), []string{"!pills", "988"})
}

// TestC1ForgottenDangerIsGone deletes the message that spoke of danger.
func TestC1ForgottenDangerIsGone(t *testing.T) {
	s := play(t, nil)
	s.say("Ann", "hello")
	m, _ := s.told("Ann", "I want to kill myself")
	s.hear(s.does("Ann", channels.Delete, m.ID, ""))
	s.rest()
	checkSaid(t, s.say("Ann", "i won a plant at the raffle"), []string{"!listening", "!I hear you", "!Thank you for telling me"})
}

// scenes are what the loopback provider was asked: to judge danger, and to answer.
func asked(w *llmtest.Server) (judged, answered []string) {
	for _, r := range w.Requests() {
		if strings.Contains(r.Prompt(), "Is anybody in danger?") {
			judged = append(judged, r.Prompt())
		} else {
			answered = append(answered, r.Prompt())
		}
	}
	return judged, answered
}

// withModel plays a stage whose model gives a verdict and answers.
func withModel(t *testing.T, verdict, text string) (*stage, *llmtest.Server) {
	t.Helper()
	w := llmtest.Serve(t, func(rw http.ResponseWriter, r *llmtest.Request) {
		if strings.Contains(r.Prompt(), "Is anybody in danger?") {
			llmtest.Says(verdict)(rw, r)
			return
		}
		llmtest.Says(text)(rw, r)
	})
	s := play(t, func(p *persona.Parts) {
		client := providerClient(t, w, new(memorytest.Clock))
		p.Model = client
		p.Voice = modelvoice.Fallback(modelvoice.NewVoice(client, meter(p.Store), 0, 200), plain.New())
		p.Settings.Contacts = care.Contacts{Country: "US"}
	})
	return s, w
}

// TestC1AModelIsAskedWhereRulesCannotTell tells of danger in a language that the rules do not know.
func TestC1AModelIsAskedWhereRulesCannotTell(t *testing.T) {
	s, w := withModel(t, `{"danger":"self","sure":true}`, "Jestem przy tobie.")
	said := s.say("Ola", "nie chcę już żyć, mam dość wszystkiego")
	checkSaid(t, said, []string{"Jestem przy tobie.", "988"})
	judged, answered := asked(w)
	if len(judged) != 1 || len(answered) != 1 || !strings.Contains(answered[0], "They may harm themselves") || !strings.Contains(answered[0], "988") {
		t.Fatalf("judged %d times, answered from %q", len(judged), answered)
	}
	s.say("Ola", "kupiłam dziś chleb")
	_, answered = asked(w)
	if last := answered[len(answered)-1]; !strings.Contains(last, "They may harm themselves") && !strings.Contains(last, "Lately they spoke of") {
		t.Errorf("care did not last: %s", last)
	}
}

// TestC1OrdinaryTalkIsNotJudged asks no second question about everyday messages.
func TestC1OrdinaryTalkIsNotJudged(t *testing.T) {
	s, w := withModel(t, `{"danger":"none","sure":true}`, "How nice.")
	for _, text := range []string{"hello there", "I bought new shoes for the wedding", "heute war es sehr schön im Garten", "what is the weather like?"} {
		s.say("Ann", text)
	}
	if judged, _ := asked(w); len(judged) > 0 {
		t.Errorf("judged %q", judged)
	}
}

// TestC1ModelClearsWeakSignsOnly has a model that sees no danger anywhere.
func TestC1ModelClearsWeakSignsOnly(t *testing.T) {
	s, w := withModel(t, `{"danger":"none","sure":true}`, "I see.")
	if said := s.say("Ann", "this spreadsheet makes me want to kill myself over the formatting of it"); strings.Contains(said, "988") {
		t.Errorf("an idiom: %q", said)
	}
	judged, answered := asked(w)
	if len(judged) != 1 || strings.Contains(answered[0], "They may harm themselves") {
		t.Errorf("judged %d times, answered from %q", len(judged), answered)
	}
	checkSaid(t, s.say("Ann", "I want to end my life"), []string{"988"})
}

// TestC1RulesStandWithoutAVerdict has a model that gives no verdict.
func TestC1RulesStandWithoutAVerdict(t *testing.T) {
	s, _ := withModel(t, `I cannot say.`, "I'm with you.")
	checkSaid(t, s.say("Ann", "the stove and the pills are on the table"), []string{"I'm with you.", "!988"})
	checkSaid(t, s.say("Ann", "he threatened to kill me"), []string{"I'm with you.", "1-800-799-7233"})
	checkSaid(t, s.say("Ann", "i have got pills"), []string{"I'm with you."})
}

// TestC1PromptsLeaveOutWhatIsNotForNow has a goal and a milestone at hand.
func TestC1PromptsLeaveOutWhatIsNotForNow(t *testing.T) {
	s, w := withModel(t, `{"danger":"none","sure":true}`, "I'm with you.")
	s.say("Ann", "I want to learn the cello")
	s.say("Ann", "my father hits me when he is drunk")
	s.say("Ann", "anyway, what shall i eat today")
	_, answered := asked(w)
	last := answered[len(answered)-1]
	if !strings.Contains(last, "Lately they told of somebody who harms them.") || strings.Contains(last, "Point them to") {
		t.Errorf("the prompt does not say to be careful:\n%s", last)
	}
	if n := slices.IndexFunc(answered, func(p string) bool { return strings.Contains(p, "Somebody harms them, or may.") }); n < 0 {
		t.Error("no prompt says that somebody harms them")
	}
}

// TestC2ThePlainVoiceQuotesNothingForbidden asks in Spanish that something is left alone: C2.
func TestC2ThePlainVoiceQuotesNothingForbidden(t *testing.T) {
	s := play(t, nil)
	s.say("Ann", "hola")
	s.say("Ann", "mi hermano Pablo tuvo un accidente en Sevilla")
	s.say("Ann", "no menciones a mi hermano Pablo")
	s.say("Ann", "compré un coche azul en Sevilla")
	checkSaid(t, s.say("Ann", "¿qué te conté de Sevilla?"), []string{"!Pablo", "!hermano"})
	checkSaid(t, s.say("Ann", "¿qué te conté de mi hermano Pablo?"), []string{"accidente"})
}
