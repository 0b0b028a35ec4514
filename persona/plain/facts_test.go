package plain

import (
	"slices"
	"strings"
	"testing"
	"time"

	"familiar/memory/model"
	"familiar/memory/recall"
	"familiar/memory/understand"
	"familiar/memory/when"
	"familiar/persona/scene"
)

func TestPlainAnswersFromBeliefs(t *testing.T) {
	fourMonths := May.AddDate(0, -4, 0)
	doubtful := told("lives_in", "Oslo")
	doubtful.Evidence = []model.Evidence{
		{AuthorID: annID, Stance: 1, At: fourMonths}, {AuthorID: annID, Stance: -1, At: May},
	}
	hearsay := told("works_as", "nurse")
	hearsay.AuthorID, hearsay.Author = melanieID, "Melanie"
	hearsay.Evidence = []model.Evidence{{AuthorID: melanieID, Author: "Melanie", Stance: 1, Hearsay: true, At: May}}
	old := told("pet_name:dog", "Rex")
	old.Status, old.ReplacedWhy = model.Superseded, "corrected"
	moved := told("lives_in", "Bergen")
	moved.Status, moved.ReplacedWhy = model.Superseded, "changed"
	melanies := model.Belief{
		AuthorID: annID, Author: "Ann", Subject: "Melanie", Relation: "pet_name:dog", Value: "Oscar", Status: model.Active,
		Evidence: []model.Evidence{{AuthorID: annID, Stance: 1, Hearsay: true, At: May}},
	}
	dog := understand.Question{Relations: []string{"pet_name:dog"}, About: "dog called"}
	tests := []struct {
		name    string
		line    scene.Line
		beliefs []model.Belief
		want    []string
	}{
		{
			"the current value", asking("what's my dog called?", dog),
			[]model.Belief{old, told("pet_name:dog", "Milo")},
			[]string{"Milo", "!Rex", "dog"},
		},
		{
			"any pet", asking("what's my pet's name?", understand.Question{Relations: []string{"pet_name"}}),
			[]model.Belief{told("pet_name:cat", "Tom")},
			[]string{"Tom"},
		},
		{
			"several values", asking("what do I like?", understand.Question{Relations: []string{"likes"}}),
			[]model.Belief{told("likes", "jazz"), told("likes", "rainy days")},
			[]string{"you like jazz and rainy days"},
		},
		{
			"the uncertain as uncertain", asking("where do I live?", understand.Question{Relations: []string{"lives_in"}, Where: true}),
			[]model.Belief{doubtful},
			[]string{"Oslo", "sure|certain"},
		},
		{
			"hearsay as hearsay", asking("what do I do?", understand.Question{Relations: []string{"works_as"}}),
			[]model.Belief{hearsay},
			[]string{"Melanie told me", "nurse", "from you"},
		},
		{
			"what was before", asking("where did I live before?", understand.Question{Relations: []string{"lives_in"}, Before: true}),
			[]model.Belief{moved, told("lives_in", "Oslo")},
			[]string{"Bergen", "Oslo"},
		},
		{
			"yes", asking("do I like jazz?", understand.Question{Relations: []string{"likes"}, Value: "jazz", YesNo: true}),
			[]model.Belief{told("likes", "jazz")},
			[]string{"jazz", "!no "},
		},
		{
			"no", asking("is my dog called Rex?", understand.Question{Relations: []string{"pet_name:dog"}, Value: "Rex", YesNo: true}),
			[]model.Belief{old, told("pet_name:dog", "Milo")},
			[]string{"Milo", "!Rex", "!yes"},
		},
		{
			"who somebody is", asking("who is Milo?", understand.Question{Subject: "Milo", Value: "Milo", Who: true}),
			[]model.Belief{told("pet_name:dog", "Milo")},
			[]string{"dog", "Milo"},
		},
		{
			"somebody else's", asking("what's Melanie's dog called?", understand.Question{Subject: "Melanie", Relations: []string{"pet_name:dog"}}),
			[]model.Belief{told("pet_name:dog", "Milo"), melanies},
			[]string{"Melanie's dog", "Oscar", "!Milo"},
		},
		{"not somebody else's as one's own", asking("what's my dog called?", dog), []model.Belief{melanies}, []string{"!Oscar", "know", "tell|told"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := annScene(tt.line)
			s.Beliefs = tt.beliefs
			expectAny(t, s, tt.want...)
		})
	}
}

func TestPlainSaysWhen(t *testing.T) {
	t.Run("by the line that tells of it", func(t *testing.T) {
		s := annScene(asking("When did I fall?", understand.Question{When: true, About: "fall"}))
		s.Recall.Items = []recall.Item{said(40, annID, "Ann", "I fell on the ice yesterday, wrist in a cast for six weeks, the good hand of course.", time.Date(2023, 5, 8, 13, 0, 0, 0, time.UTC))}
		speech := expect(t, s, "on 8 May 2023", "you told me", "“I fell on the ice yesterday, wrist in a cast for six weeks, the good hand of course”", "on 7 May 2023")
		if !slices.Equal(speech.Used, []int64{40}) {
			t.Errorf("used %v", speech.Used)
		}
	})
	t.Run("by the sentence that tells of it", func(t *testing.T) {
		s := annScene(asking("When did I fall?", understand.Question{When: true, About: "fall"}))
		s.Recall.Items = []recall.Item{said(43, annID, "Ann", "Hey! I'm off to work tomorrow. I fell on the ice last Friday, wrist in a cast for six weeks.", time.Date(2025, 11, 12, 13, 0, 0, 0, time.UTC))}
		expect(t, s, "I fell on the ice last Friday", "on 7 November 2025", "on 12 November 2025", "!on 13 November")
	})
	t.Run("by somebody else's line", func(t *testing.T) {
		s := annScene(asking("When did Melanie fall on the ice?", understand.Question{Subject: "Melanie", When: true, About: "Melanie fall ice"}))
		s.Recall.Items = []recall.Item{said(41, melanieID, "Melanie", "I fell on the ice last year, wrist in a cast for six weeks!", time.Date(2023, 5, 8, 13, 0, 0, 0, time.UTC))}
		expect(t, s, "Melanie", "8 May 2023", "in 2022", "!you said", "!you told")
	})
	t.Run("a line without a time", func(t *testing.T) {
		s := annScene(asking("When did I run the charity race?", understand.Question{When: true, About: "run charity race"}))
		s.Recall.Items = []recall.Item{said(42, annID, "Ann", "The charity race was a joy", May.AddDate(0, 0, -1))}
		expectAny(t, s, "know|yesterday", "!on 20 May", "!today")
	})
	t.Run("an open loop", func(t *testing.T) {
		s := annScene(asking("when's my interview?", understand.Question{When: true, Relations: []string{"plan"}, About: "interview"}))
		s.Loops = []model.Loop{{
			ID: 1, Kind: "plan", Text: "an interview", Status: "open", Created: May.AddDate(0, 0, -1),
			DueFrom: time.Date(2026, 5, 22, 0, 0, 0, 0, time.UTC), DueUntil: time.Date(2026, 5, 23, 0, 0, 0, 0, time.UTC),
		}}
		expect(t, s, "the interview", "on Friday")
	})
	t.Run("a day", func(t *testing.T) {
		friday := when.Span{From: time.Date(2026, 5, 22, 0, 0, 0, 0, time.UTC), Until: time.Date(2026, 5, 23, 0, 0, 0, 0, time.UTC)}
		s := annScene(asking("what am I doing on Friday?", understand.Question{Relations: []string{"plan"}, Span: &friday, About: "doing Friday"}))
		expectAny(t, s, "nothing|haven't", "on Friday")
		s.Loops = []model.Loop{{ID: 1, Kind: "plan", Text: "fly to Oslo", Status: "open", DueFrom: friday.From, DueUntil: friday.Until}}
		expect(t, s, "fly to Oslo", "Friday")
	})
}

func TestPlainQuotesTheRightPerson(t *testing.T) {
	fiddle := said(50, annID, "Ann", "Jacked in the guitar, on the fiddle now, neighbours delighted I'm sure", time.Date(2026, 5, 18, 10, 0, 0, 0, time.UTC))
	hers := said(51, melanieID, "Melanie", "Jacked in the guitar, on the banjo now, neighbours delighted I'm sure", time.Date(2026, 5, 17, 10, 0, 0, 0, time.UTC))
	mine := understand.Question{About: "instrument learning"}
	t.Run("the asker's own comes first", func(t *testing.T) {
		s := annScene(asking("What instrument am I learning?", mine))
		s.Recall.Items = []recall.Item{hers, fiddle}
		speech := expect(t, s, "on 18 May", "fiddle", "you", "!Melanie", "!banjo")
		if !slices.Equal(speech.Used, []int64{50}) {
			t.Errorf("used %v", speech.Used)
		}
	})
	t.Run("somebody else's is not made the asker's", func(t *testing.T) {
		s := annScene(asking("What instrument am I learning?", mine))
		s.Recall.Items = []recall.Item{hers}
		expectAny(t, s, "Melanie|know", "!you said", "!you told")
	})
	t.Run("asked about somebody", func(t *testing.T) {
		s := annScene(asking("What instrument is Melanie learning now?", understand.Question{Subject: "Melanie", About: "Melanie instrument learning"}))
		s.Recall.Items = []recall.Item{fiddle, hers}
		expect(t, s, "Melanie", "banjo", "!fiddle", "!you said")
	})
	t.Run("a chance word is no answer", func(t *testing.T) {
		s := annScene(asking("Which museum did I visit with my sister in Lisbon?", understand.Question{About: "museum visit sister Lisbon"}))
		s.Recall.Items = []recall.Item{said(52, annID, "Ann", "my sister called", May.AddDate(0, 0, -9))}
		expect(t, s, "know", "!called")
	})
	t.Run("the persona's own words are no source", func(t *testing.T) {
		s := annScene(asking("Where did I put my keys?", understand.Question{About: "put keys"}))
		s.Recall.Items = []recall.Item{said(53, 0, "Nova", "You put your keys in the drawer", May.AddDate(0, 0, -1))}
		expect(t, s, "!drawer")
	})
	t.Run("a question is no answer", func(t *testing.T) {
		s := annScene(asking("What did I name the boat?", understand.Question{About: "name boat"}))
		s.Recall.Items = []recall.Item{{MemoryID: 54, Lines: []model.SnippetLine{
			{PersonID: melanieID, Author: "Melanie", At: May.AddDate(0, 0, -2), Text: "What did you name your boat?", Hit: true},
			{PersonID: annID, Author: "Ann", At: May.AddDate(0, 0, -2), Text: "Seagull, after my aunt"},
		}}}
		expect(t, s, "!“What did you name")
	})
}

func TestM6PlainDoesNotKnow(t *testing.T) {
	for _, tt := range []struct {
		text string
		q    understand.Question
	}{
		{"What's my cat called?", understand.Question{Relations: []string{"pet_name:cat"}, About: "cat called"}},
		{"What did I have for breakfast?", understand.Question{About: "breakfast"}},
		{"Where does Bob live?", understand.Question{Subject: "Bob", Relations: []string{"lives_in"}, Where: true, About: "Bob live"}},
		{"When did I see the sea?", understand.Question{When: true, About: "see sea"}},
	} {
		s := annScene(asking(tt.text, tt.q))
		s.Recall.Nothing = true
		speech := speakPlainly(t, s)
		low := strings.ToLower(speech.Text)
		if !strings.Contains(low, "know") && !strings.Contains(low, "told") && !strings.Contains(low, "nothing on that") {
			t.Errorf("%s → %q does not own up", tt.text, speech.Text)
		}
		if len(speech.Used) > 0 {
			t.Errorf("%s used %v", tt.text, speech.Used)
		}
	}
}

func TestPlainSpeaksOfItself(t *testing.T) {
	you := understand.Question{Subject: "you"}
	expect(t, annScene(asking("who are you?", you)), "I'm Nova", "lighthouse keeper")
	expect(t, annScene(asking("what do you do?", you)), "remember")
	expect(t, annScene(asking("how are you?", you)), "you?")
	expect(t, annScene(asking("what's your name?", you)), "Nova")
	expect(t, annScene(asking("are you a human?", you)), "program")
	expect(t, annScene(asking("what do you care about?", you)), "honesty and attention")
}

func TestPlainListsWhatItKnows(t *testing.T) {
	s := annScene(asking("What do you know about me?", understand.Question{}))
	expectAny(t, s, "not much yet|nothing yet")
	rex := told("pet_name:dog", "Rex")
	rex.Status = model.Superseded
	s.Beliefs = []model.Belief{told("lives_in", "Oslo"), told("likes", "jazz"), told("likes", "rain"), told("pet_name:dog", "Milo"), rex}
	s.Loops = []model.Loop{{ID: 1, Kind: "plan", Text: "an exam", DueFrom: May.AddDate(0, 0, 1), DueUntil: May.AddDate(0, 0, 2), Status: "open"}}
	expect(t, s, "Oslo", "jazz and rain", "Milo", "the exam", "!Rex")
	s.Direct = false
	expect(t, s, "Oslo", "!exam")
}

func TestPlainOmitsOutdatedBeliefs(t *testing.T) {
	jazz := told("likes", "jazz")
	jazz.Status = model.Retracted
	rex := told("pet_name:dog", "Rex")
	rex.Status, rex.ReplacedWhy = model.Superseded, "corrected"
	t.Run("a taste given up", func(t *testing.T) {
		s := annScene(asking("do I like jazz?", understand.Question{Relations: []string{"likes"}, Value: "jazz", YesNo: true, About: "jazz"}))
		s.Beliefs = []model.Belief{jazz, told("likes", "rain")}
		s.Recall.Items = []recall.Item{said(60, annID, "Ann", "I like jazz", May.AddDate(0, 0, -4))}
		expectAny(t, s, "not any more|over", "!you like jazz", "!“")
		s.Beliefs = []model.Belief{jazz}
		expectAny(t, s, "not any more|over", "!you like jazz", "!“")
	})
	t.Run("a taste never told", func(t *testing.T) {
		s := annScene(asking("do I like opera?", understand.Question{Relations: []string{"likes"}, Value: "opera", YesNo: true, About: "opera"}))
		s.Beliefs = []model.Belief{told("likes", "rain")}
		expectAny(t, s, "not that|haven't told", "rain", "!yes")
	})
	t.Run("an old line", func(t *testing.T) {
		s := annScene(asking("what did my dog eat?", understand.Question{About: "dog eat"}))
		s.Beliefs = []model.Belief{rex, told("pet_name:dog", "Milo")}
		s.Recall.Items = []recall.Item{said(61, annID, "Ann", "my dog Rex ate my shoe", May.AddDate(0, 0, -4))}
		expect(t, s, "!Rex")
	})
}

func TestPlainQuotesNoNeighbourOfAMatch(t *testing.T) {
	s := annScene(asking("did I tell you about my car?", understand.Question{About: "tell car"}))
	s.Recall.Items = []recall.Item{{MemoryID: 70, Lines: []model.SnippetLine{
		{PersonID: annID, Author: "Ann", At: May.AddDate(0, 0, -2), Text: "did I tell you about my car?", Hit: true},
		{PersonID: annID, Author: "Ann", At: May.AddDate(0, 0, -2), Text: "ok bye"},
	}}}
	expect(t, s, "!ok bye")
}

func TestPlainDeniesNothingInAGroup(t *testing.T) {
	s := annScene(asking("what's my dog called?", understand.Question{Relations: []string{"pet_name:dog"}, About: "dog"}))
	s.Direct = false
	expect(t, s, "!you haven't told me", "!will you tell me")
}

func TestPlainQuotesWhatNoRelationAnswers(t *testing.T) {
	s := annScene(asking("where does Beth live?", understand.Question{Subject: "Beth", Relations: []string{"lives_in"}, Where: true, About: "Beth live"}))
	s.Beliefs = []model.Belief{told("person_name:sister", "Beth")}
	s.Recall.Items = []recall.Item{said(71, annID, "Ann", "my sister Beth lives in Rome", May.AddDate(0, 0, -2))}
	expect(t, s, "Rome", "18 May")
}

func TestPlainAnswersFromTheRunningTalk(t *testing.T) {
	banjo := scene.Line{Name: "Ann", PersonID: annID, Text: "Jacked in the guitar yesterday, on the banjo now, neighbours delighted I'm sure", At: May.AddDate(0, 0, -2)}
	boast := scene.Line{Name: "Nova", Self: true, Text: "The instrument you are learning is the fiddle", At: May.AddDate(0, 0, -2)}
	s := annScene(asking("what instrument am I learning?", understand.Question{About: "instrument learning"}))
	s.Recent, s.Recall.Nothing = []scene.Line{banjo, boast}, true
	if speech := expect(t, s, "banjo", "!fiddle"); len(speech.Used) > 0 {
		t.Errorf("used %v", speech.Used)
	}
	impostor := banjo
	impostor.PersonID = 0 // the same display name, and nothing more
	s.Direct, s.Recent = false, []scene.Line{impostor}
	expect(t, s, "!banjo")
}

func TestPlainKnowsTheLore(t *testing.T) {
	s := annScene(asking("who built the lighthouse?", understand.Question{Who: true, About: "built lighthouse"}))
	s.Recall.Items = []recall.Item{said(80, 0, "", "The lighthouse was built by the Stevensons", May.AddDate(-1, 0, 0))}
	expect(t, s, "Stevensons", "!you said", "!you told", "!2025")
}

func TestPlainDoesNotAnswerPartialMatches(t *testing.T) {
	s := annScene(asking("what's my cat called?", understand.Question{Relations: []string{"pet_name:cat"}, About: "cat"}))
	s.Recall.Items = []recall.Item{said(62, annID, "Ann", "my cat slept all day", May.AddDate(0, 0, -4))}
	expect(t, s, "know")
}

func TestPlainAnswersOnlyItsAddressee(t *testing.T) {
	s := annScene(asking("what's my dog called?", understand.Question{Relations: []string{"pet_name:dog"}, About: "dog"}))
	s.Direct = false
	aside := asking("who are you?", understand.Question{Subject: "you"})
	aside.Name = "Melanie"
	s.Incoming = append([]scene.Line{aside}, s.Incoming...)
	s.Beliefs = []model.Belief{told("pet_name:dog", "Milo")}
	s.Changes = []model.BeliefChange{{Kind: "new", Belief: model.Belief{AuthorID: melanieID, Author: "Melanie", SubjectPerson: melanieID, Relation: "lives_in", Value: "Rome"}}}
	expect(t, s, "Ann", "Milo", "!lighthouse", "!Rome")
}

func TestS5PlainCreditsWhoToldIt(t *testing.T) {
	s := annScene(asking("where does Melanie live?", understand.Question{Subject: "Melanie", Relations: []string{"lives_in"}, Where: true}))
	s.Beliefs = []model.Belief{{
		AuthorID: melanieID, Author: "Melanie", SubjectPerson: melanieID, Relation: "lives_in", Value: "Rome", Status: model.Active,
		Evidence: []model.Evidence{{AuthorID: melanieID, Author: "Melanie", Stance: 1, At: May}},
	}}
	expect(t, s, "Melanie", "Rome", "!you told", "!you live")
}

// TestPlainDeniesNothingAboutOthersInAGroup asks about a person who may have said it elsewhere.
func TestPlainDeniesNothingAboutOthersInAGroup(t *testing.T) {
	for _, text := range []string{"Where does Ben live?", "Is Ben married?", "Who is Eva?"} {
		s := annScene(heardLine(text))
		s.Direct = false
		expect(t, s, "!about Ben", "!about Eva")
	}
}
