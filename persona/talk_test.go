package persona_test

import (
	"strings"
	"testing"
	"time"

	"familiar/memory/entry"
	"familiar/memory/model"
	"familiar/memory/understand"
	"familiar/persona"
)

// talks are conversations with a persona that knows only what Ann says, with the expected parts of the last answer. Parts
// after "!" must be absent.
var talks = []struct {
	name  string
	lines []string
	want  []string
}{
	{"what was told of one who died is not denied", []string{"My cat is called Luna", "Luna died", "What did I tell you about Luna?"}, []string{"Luna died", "!know"}},
	{"what was told of a job that is over is not denied", []string{"I work at Google", "I left Google, I work at Apple now", "What did I say about Google?"}, []string{"Google", "“", "!no longer current"}},
	{"the talk is summed up", []string{"I planted tulips by the door", "How are you?", "what did we talk about today?"}, []string{"tulips by the door"}},
	{"plans by that word", []string{"I have an interview on Friday", "What plans do I have?"}, []string{"interview"}},
	{"a plan is confirmed", []string{"I'm flying to Oslo tomorrow", "Am I flying tomorrow?"}, []string{"flying to Oslo", "tomorrow", "!no"}},
	{"a plan that fell away is said to be off", []string{"I'm flying to Oslo tomorrow", "The flight tomorrow is cancelled, I'm not flying", "Am I flying tomorrow?"}, []string{"off"}},
	{"nor is its time told any more", []string{"My meeting is at 3pm tomorrow", "The meeting was cancelled", "When is my meeting?"}, []string{"off", "!15:00"}},
	{"all that is asked for, also by who writes short", []string{"I like tea", "I like jazz", "Hello", "I have a dog called Rex", "I have a cat called Tom", "What pets do I have?"}, []string{"Rex", "Tom"}},
	{"a plan put right without its name", []string{"My meeting is at 3pm tomorrow", "it's at 4pm actually", "When is my meeting?"}, []string{"16:00", "!15:00"}},
	{"what changes again and again is told once", []string{"My dog is called Rex. My dog is called Milo. My dog is called Bo."}, []string{"Bo", "!Milo"}},
	{"a secret is no part of the wish to keep it", []string{"Please don't tell anyone, but I'm pregnant."}, []string{"don't tell anyone", "!but", "!pregnant"}},
	{"who somebody is by what was told of them", []string{"My brother Sean lives in Cork.", "Mary is a vet.", "Who is Mary?"}, []string{"vet", "!nobody has told"}},
	{"a reminder that is asked for is no question", []string{"Can you remind me to buy milk?"}, []string{"!told me", "!know"}},
	{"thanks in another language", []string{"Danke!"}, []string{"!danke"}},
	{"a goodbye in another language", []string{"Mein Hund heißt Bello", "Tschüss"}, []string{"!tschüss", "!?"}},
	{"what animals one has", []string{"My dog is called Max", "My cat is called Tom", "What animals do I have?"}, []string{"Max", "Tom"}},
	{"who is not known is not guessed", []string{"I baked a plum cake", "Who is Rex?"}, []string{"!cake"}},
	{"an event with somebody", []string{"The trip with Paul is on 3 March", "When is the trip with Paul?"}, []string{"the trip with Paul", "3 March", "!The trip"}},
	{"a request is no source", []string{"Tell me about the harbour", "What do you know about the harbour?"}, []string{"!Tell me about"}},
	{"an allegation is no source", []string{"You said my car was blue", "What colour is my car?"}, []string{"!blue"}},
	{"an allegation is not taken for granted", []string{"You said my car was blue"}, []string{"!good", "!blue", "!yes", "!Yes"}},
	{"what one is allergic to", []string{"I'm allergic to peanuts", "What am I allergic to?"}, []string{"allergic to peanuts"}},
	{"the one memory to be forgotten is offered", []string{"I hate cilantro", "Please forget that I hate cilantro"}, []string{"hate cilantro", "/forget "}},
	{"of several none is picked", []string{"I hate cilantro", "I really hate cilantro in soup", "Please forget that I hate cilantro"}, []string{"/forget hate cilantro"}},
	{"what hurts is left alone", []string{"I don't want to talk about my divorce"}, []string{"!nice", "!good", "!lovely"}},
	{"a name taken back", []string{"call me Captain", "Stop calling me Captain"}, []string{"not Captain", "!once so"}},
	{"two wishes at once", []string{"don't use emojis and keep it short"}, []string{"don't use emojis", "keep it short"}},
	{"an engagement", []string{"My brother Pedro got engaged!"}, []string{"Pedro", "your brother is engaged", "!sorry"}},
	{"a baby", []string{"We're expecting our first baby"}, []string{"!sorry", "!know"}},
	{"somebody's visit", []string{"My mum is visiting next weekend"}, []string{"your mother", "next weekend", "!good luck"}},
	{"a job left is said once", []string{"I work at Apple", "I quit my job last week"}, []string{"Apple", "!Apple. "}},
	{"an apology", []string{"shut up", "sorry, that was rude of me"}, []string{"!with you"}},
	{"another's surgery", []string{"I have surgery on my knee on Friday", "My mother's surgery went fine"}, []string{"!knee"}},
	{"free on a day", []string{"I'm going to a concert on Saturday", "Am I free on Saturday?"}, []string{"on Saturday: the concert", "!you said"}},
	{"told so far", []string{"I work as a carpenter", "What have I told you so far?"}, []string{"carpenter"}},
	{"what was planned", []string{"I have an interview on Friday", "Remind me what I have planned for Friday"}, []string{"interview"}},
	{"a wedding", []string{"My sister is getting married in June", "When is my sister getting married?"}, []string{"your sister", "married", "June"}},
	{"a name that is not wanted", []string{"My name is Tom", "don't call me Tom", "I live in Porto"}, []string{"!, Tom"}},
	{"it denies no promise", []string{"I live in Porto", "You said you'd remember"}, []string{"!don't", "!never"}},
	{"sorry for a deed", []string{"sorry for being so rude"}, []string{"!following", "!with you"}},
	{"a diet chosen does not end an illness", []string{"I'm coeliac", "I'm vegan", "What do you know about me?"}, []string{"coeliac", "vegan"}},
	{"a plan within a month", []string{"I'm going to Rome on 3 March", "Am I going to Rome in March?"}, []string{"Rome", "3 March", "!no"}},
	{"something else", []string{"I hate talking about work", "can we talk about something else"}, []string{"!work"}},
	{"no name at all", []string{"call me Cap", "never use my name", "I like long walks"}, []string{"!Cap"}},
	{"nothing unseen is repeated", []string{"My dog is called R\u200bex", "What is my dog called?"}, []string{"Rex"}},
	{"no colours are repeated", []string{"My cat is called \x1b[31mRed\x1b[0m", "What is my cat called?"}, []string{"Red", "![31m"}},
}

func TestTalks(t *testing.T) {
	t.Parallel()
	for _, talk := range talks {
		t.Run(talk.name, func(t *testing.T) {
			s := play(t, nil)
			var said string
			for _, line := range append([]string{"hello"}, talk.lines...) {
				s.clock.Advance(time.Minute)
				said = s.say("Ann", line)
			}
			checkSaid(t, said, talk.want)
		})
	}
}

// checkSaid checks, ignoring case, that said contains each string wanted and none that starts with "!".
func checkSaid(t *testing.T, said string, want []string) {
	t.Helper()
	t.Log(said)
	for _, w := range want {
		phrase, absent := strings.CutPrefix(w, "!")
		switch {
		case absent && strings.Contains(said, phrase):
			t.Errorf("%q contains %q", said, phrase)
		case !absent && !strings.Contains(strings.ToLower(said), strings.ToLower(phrase)):
			t.Errorf("%q does not hold %q", said, phrase)
		}
	}
}

// tell has the operator tell the persona something, about Ann if about is set.
func (s *stage) tell(text string, about bool) {
	s.t.Helper()
	n := entry.NewMemory{Persona: "tess", Origin: model.OriginOperator, Sector: model.Semantic, Text: text, Salience: 0.7, Audience: model.Audience{Kind: model.World}}
	if !about {
		if _, err := s.store.Entries.Remember(s.t.Context(), n); err != nil {
			s.t.Fatal(err)
		}
		return
	}
	ann, err := s.store.Log.PersonByHandle(s.t.Context(), s.message("Ann", "").Author.Handle)
	if err != nil {
		s.t.Fatal(err)
	}
	n.Audience = model.Audience{Kind: model.Private, Ref: ann.ID}
	if _, err := s.store.Turns.RecordOperatorNote(s.t.Context(), n, understand.Analyze(understand.Utterance{Text: text, At: s.clock.Now()})); err != nil {
		s.t.Fatal(err)
	}
}

func TestLoreAnswersPlainly(t *testing.T) {
	s := play(t, nil)
	s.tell("The bar closes at eleven on Sundays.", false)
	s.say("Ann", "hello")
	for _, question := range []string{"When does the bar close?", "What time does the bar close on Sundays?", "Tell me about the bar"} {
		said := s.say("Ann", question)
		checkSaid(t, said, []string{"The bar closes at eleven on Sundays", "!said", "!told"})
	}
}

func TestOperatorNotesBecomeBeliefs(t *testing.T) {
	s := play(t, nil)
	s.say("Ann", "hello")
	s.tell("Ann collects lighthouse postcards.", true)
	s.tell("Ann's sister is called Greta", true)
	s.tell("Ann lives in Leeds", true)
	checkSaid(t, s.say("Ann", "What is my sister called?"), []string{"Greta", "operator"})
	checkSaid(t, s.say("Ann", "Who is Greta?"), []string{"Greta", "operator", "!you told"})
	checkSaid(t, s.say("Ann", "What kind of postcards do I collect?"), []string{"lighthouse postcards"})
	checkSaid(t, s.say("Ann", "What do you know about me?"), []string{"operator", "Greta", "Leeds"})
	checkSaid(t, s.say("Bob", "What do you know about Ann?"), []string{"!Greta", "!Leeds", "!postcards"})
	s.say("Ann", "I live in Bristol")
	checkSaid(t, s.say("Ann", "Where do I live?"), []string{"Bristol", "!Leeds"})
}

func TestForgettingAnOperatorNoteForgetsItsBeliefs(t *testing.T) {
	s := play(t, nil)
	s.say("Ann", "hello")
	s.tell("Ann lives in Leeds", true)
	told, err := s.store.Entries.ListMemories(t.Context(), entry.MemoryFilter{Text: "Leeds"})
	if err != nil || len(told) != 1 {
		t.Fatalf("%d memories, %v", len(told), err)
	}
	if gone, err := s.store.Eraser.Forget(t.Context(), told[0].ID); err != nil || gone.Beliefs != 1 || gone.Messages != 1 {
		t.Errorf("forgot %+v, %v", gone, err)
	}
	checkSaid(t, s.say("Ann", "Where do I live?"), []string{"!Leeds"})
}

func TestUnansweredDirectMessagesMakePeopleKnown(t *testing.T) {
	s := play(t, nil)
	for _, text := range []string{"Hi there", "I have an interview on Wednesday"} {
		m := s.message("Ann", text)
		m.Addressed = false
		s.hear(m)
		s.rest()
	}
	s.clock.Advance(10 * 24 * time.Hour)
	checkSaid(t, s.say("Ann", "hello"), []string{"interview", "!first talk", "!met yet", "!talked before"})
}

func TestAGreetingGapShorterThanASessionIsHonoured(t *testing.T) {
	s := play(t, func(p *persona.Parts) { p.Settings.GreetingGap = 5 * time.Minute })
	s.say("Ann", "hello")
	s.say("Ann", "I live in Lisbon")
	s.clock.Advance(10 * time.Minute)
	checkSaid(t, s.arrive("Ann"), []string{"Good to see you, Ann"})
	checkSaid(t, s.say("Ann", "hello"), []string{"!Good to see you, Ann"})
	s.clock.Advance(4 * time.Minute)
	checkSaid(t, s.say("Ann", "hello"), []string{"!Good to see you, Ann"})
}

func TestWhyShowsTheSourcesOfALoopAndAName(t *testing.T) {
	s := play(t, nil)
	s.say("Ann", "please call me Captain")
	s.say("Ann", "I have an interview on Friday")
	s.say("Ann", "When is the interview?")
	why := s.say("Ann", "/why")
	for _, line := range []string{"I have an interview on Friday", "call me Captain"} {
		if !strings.Contains(why, line) {
			t.Errorf("/why does not show %q:\n%s", line, why)
		}
	}
}

func TestGreetingTopicsAreWordedDifferently(t *testing.T) {
	s := play(t, nil)
	for _, text := range []string{"hello", "I live in Lisbon", "I've been learning the cello"} {
		s.say("Ann", text)
	}
	s.clock.Advance(24 * time.Hour)
	said := s.arrive("Ann")
	t.Log(said)
	if strings.Count(said, "I remember that") > 1 || strings.Count(said, "I was thinking of what") > 1 || !strings.Contains(said, "Lisbon") {
		t.Errorf("worded alike: %q", said)
	}
}
