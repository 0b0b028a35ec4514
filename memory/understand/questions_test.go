package understand

import (
	"strings"
	"testing"

	"familiar/memory/understand/rel"
)

// asked holds questions with the first relation that answers each, as subject/relation=value.
var asked = []struct{ text, want string }{
	{"What's my name?", "name"},
	{"whats my name", "name"},
	{"who am I?", "name"},
	{"Do you know my name?", "name"},
	{"do you remember what my name is", "name"},
	{"what am I called", "name"},
	{"tell me my name", "name"},
	{"Where do I live?", "lives_in"},
	{"what city am I in?", "lives_in"},
	{"Where's home for me?", "lives_in"},
	{"which town do I live in", "lives_in"},
	{"Do you remember where I live?", "lives_in"},
	{"In which city do I live?", "lives_in"},
	{"where did I live before?", "lives_in"},
	{"What's my dog called?", "pet_name:dog"},
	{"what is my dog's name", "pet_name:dog"},
	{"Do you remember my pet's name?", "pet_name:pet"},
	{"do you remember the name of my puppy?", "pet_name:dog"},
	{"how is my dog called", "pet_name:dog"},
	{"What did I name my cat?", "pet_name:cat"},
	{"What should you call me?", "call_me"},
	{"how do you address me", "call_me"},
	{"what do I want to be called?", "call_me"},
	{"What do I like?", "likes"},
	{"what music am I into?", "likes"},
	{"what's my taste in music", "likes"},
	{"Do I like jazz?", "likes=jazz"},
	{"what do I hate?", "dislikes"},
	{"What is my favorite color?", "favourite colour"},
	{"which colour do I like best?", "favourite colour"},
	{"When's my interview?", "plan=interview"},
	{"what am I doing on Friday?", "plan"},
	{"What have I got on Friday", "plan"},
	{"do I have plans this weekend?", "plan"},
	{"when do I fly to Oslo?", "plan=fly to Oslo"},
	{"what did I ask you to always do?", "instruction"},
	{"what did I promise you?", "promise"},
	{"Am I vegan?", "diet=vegan"},
	{"Am I vegan or not?", "diet=vegan"},
	{"Am I a vegetarian or a vegan?", "diet"},
	{"Do I live in Oslo or Bergen?", "lives_in"},
	{"Am I married or single?", "marital_status"},
	{"Do I like jazz or blues?", "likes=jazz or blues"},
	{"What was my first school called?", "first school's name"},
	{"what do I do for a living?", "works_as"},
	{"what's my job?", "works_as"},
	{"where do I work", "works_at"},
	{"How old am I?", "age"},
	{"when is my birthday?", "birthday"},
	{"What am I allergic to?", "allergic_to"},
	{"what's my sister's name?", "person_name:sister"},
	{"who is my boss?", "person_name:boss"},
	{"where am I from?", "from"},
	{"what languages do I speak?", "speaks"},
	{"do I have any pets?", "pet_name:pet"},
	{"where was my mum born?", "mother/born_in"},
	{"where does my sister live?", "sister/lives_in"},
	{"how old is my son?", "son/age"},
	{"what does my dad do for a living?", "father/works_as"},
	{"when is my sister's birthday?", "sister/birthday"},
	{"where do my parents live?", "parents/lives_in"},
	{"do I have a brother?", "person_name:brother=a brother"},
	{"what did I tell you about my sister?", "person_name:sister"},
	{"what do you know about my cat?", "pet_name:cat"},
	{"tell me about my family", "spouse"},
	{"what do you know about my job", "works_as"},
	{"where does eva live?", "eva/lives_in"},
	{"how old is leo?", "leo/age"},
	{"where does time go?", "?"},
	{"do you love me?", "you/?"},
	{"what car do I drive?", "drives"},
	{"do I play an instrument?", "plays"},
	{"what is the cat's name?", "pet_name:cat"},
	{"where did I use to live?", "lives_in"},
	{"where did I used to work?", "works_at"},
	{"what did I use to do?", "works_as"},
	{"Which food do I hate?", "dislikes"},
	{"What don't I like?", "dislikes"},
	{"what can't I stand?", "dislikes"},
	{"Is there anything I don't like?", "dislikes"},
	{"what kind of music do I not like?", "dislikes"},
	{"Do you know what I hate?", "dislikes"},
	{"what does Sue hate?", "Sue/dislikes"},
	{"did I use to like jazz?", "likes=jazz"},
	{"do you like me?", "you/?"},
	{"what's Melanie's dog called?", "Melanie/pet_name:dog"},
	{"Where does Melanie live?", "Melanie/lives_in"},
	{"what is your name?", "you/name"},
	{"where do you live", "you/lives_in"},
	{"what is my shoe size?", "shoe size"},
	{"What is the capital of France?", "France/capital"},
	{"who is Rex?", "Rex/=Rex"},
	{"what's my car's name?", "car's name"},
	{"how would I like to be called?", "call_me"},
	{"what is my bike called?", "bike's name"},
	{"who is rex?", "rex/=rex"},
	{"How do I feel?", "feels"},
	{"what colour is my car?", "car"},
	{"is it raining?", "?"},
	{"do you know what I'm called?", "name"},
	{"do you know what I'm allergic to?", "allergic_to"},
	{"what kind of diet am I on?", "diet"},
	{"what did I use to work as?", "works_as"},
	{"What did I do before?", "works_as"},
	{"what did I do before dinner?", "?"},
	{"What did I drive before?", "drives"},
}

// TestReadQuestions checks how many questions are read just as meant.
func TestReadQuestions(t *testing.T) {
	const least = 0.7
	right := 0
	for _, tt := range asked {
		q := Analyze(Utterance{Text: tt.text, At: at0}).Question
		if q == nil {
			t.Errorf("%q asks nothing", tt.text)
			continue
		}
		got := "?"
		if len(q.Relations) > 0 {
			got = q.Relations[0]
		} else if q.Value != "" {
			got = ""
		}
		if q.Value != "" {
			got += "=" + q.Value
		}
		if q.Subject != "" {
			got = q.Subject + "/" + got
		}
		if got, want := strings.ToLower(got), strings.ToLower(tt.want); got == want || strings.HasPrefix(got, want+"=") {
			right++
		} else {
			t.Logf("%q asks for %s (%v), want %s", tt.text, got, q.Relations, tt.want)
		}
	}
	if share := float64(right) / float64(len(asked)); share < least {
		t.Errorf("%.2f of the questions are read rightly, want at least %.2f", share, least)
	}
}

func TestQuestionForms(t *testing.T) {
	for text, holds := range map[string]func(*Question) bool{
		"When did Caroline go to the support group?": func(q *Question) bool {
			return q.When && q.Subject == "Caroline" && q.About == "Caroline support group" || q.About == "Caroline go support group"
		},
		"Where is my passport?":                func(q *Question) bool { return q.Where && q.Relations[0] == "passport" },
		"Do I like jazz?":                      func(q *Question) bool { return q.YesNo && q.Value == "jazz" },
		"do you remember my name?":             func(q *Question) bool { return !q.YesNo },
		"Where did I live before?":             func(q *Question) bool { return q.Before && q.Where },
		"What did I do last Friday?":           func(q *Question) bool { return q.Span != nil && q.Span.Past },
		"Who is my boss?":                      func(q *Question) bool { return q.Who },
		"hey, quick question: where do I live": func(q *Question) bool { return q.Relations[0] == "lives_in" },
	} {
		if q := Analyze(Utterance{Text: text, At: at0}).Question; q == nil || !holds(q) {
			t.Errorf("%q: read %+v", text, q)
		}
	}
	for _, text := range []string{"What a day!", "I know what I like", "when I was young I sang", "How lovely", "what if I lived in Rome?", "do not do that", "Have a nice day", "My name is Ann"} {
		if q := Analyze(Utterance{Text: text, At: at0}).Question; q != nil {
			t.Errorf("%q was taken for a question: %+v", text, q)
		}
	}
}

func TestReadAnswersToThePersona(t *testing.T) {
	for _, tt := range []struct{ before, text, want string }{
		{"What's your dog called?", "Rex", "pet_name:dog=Rex"},
		{"What's your dog called?", "Rex!", "pet_name:dog=Rex"},
		{"Lovely! What's your dog called?", "he's called Rex", "pet_name:dog=Rex"},
		{"What's your dog called?", "rex", "pet_name:dog=rex"},
		{"What's your name?", "Ann", "name=Ann"},
		{"What is your name?", "it's Ann", "name=Ann"},
		{"Where do you live?", "In Berlin", "lives_in=Berlin"},
		{"How old are you?", "34", "age=34"},
		{"What do you like?", "jazz and rainy days", "likes=jazz; likes=rainy days"},
		{"What should I call you?", "Captain", "call_me=Captain"},
		{"What do you do for a living?", "I'm a nurse", "works_as=nurse"},
		{"What's your favourite colour?", "green", "favourite colour=green"},
		{"What's your dog called?", "I don't know", ""},
		{"What's your dog called?", "why do you ask?", ""},
		{"What's your dog called?", "not telling", ""},
		{"Do you have a dog?", "yes", ""},
		{"How was your day?", "Great", ""},
		{"Nice.", "Rex", ""},
		{"Your dog is called Rex.", "no, it's Milo", "pet_name:dog=Milo<Rex>"},
		{"Your dog is called Rex.", "actually it's Milo", "pet_name:dog=Milo<Rex>"},
		{"Your dog is called Rex.", "not Rex, Milo", "pet_name:dog=Milo<Rex>"},
		{"You live in Berlin, don't you?", "no, Oslo", "lives_in=Oslo<Berlin>"},
		{"You live in Berlin.", "I meant Oslo", "lives_in=Oslo<Berlin>"},
		{"You live in Berlin.", "no", ""},
		{"Your dog is called Rex.", "no, it's fine", ""},
		{"Your birthday is on 3 May.", "that's wrong, it's 4 May", "birthday=4 May<3 May>"},
		{"You are 34 years old.", "No, 35", "age=35<34>"},
		{"You are 34 years old.", "No, it's 35", "age=35<34>"},
		{"You're 34.", "No, 35.", "age=35<34>"},
		{"Your favourite colour is blue.", "No, green", "favourite colour=green<blue>"},
		{"Your favourite colour is blue.", "No, thanks", ""},
		{"What's your favourite colour?", "actually green", "favourite colour=green"},
		{"You are 34 years old.", "I'm 35, not 34", "age=35<34>"},
		{"Your favourite colour is blue.", "actually I'm hungry", ""},
		{"You were born in Hamburg.", "No, Bremen", "born_in=Bremen<Hamburg>"},
		{"Your cat is called Biscuit.", "Sorry, it's Muffin", "pet_name:cat=Muffin<Biscuit>"},
		{"You told me your sister is called Eva.", "Sorry, it's Ava", "person_name:sister=Ava<Eva>"},
		{"Your cat is called Biscuit.", "Sorry, Muffin", ""},
		{"Your cat is called Biscuit.", "Sorry, it's late", ""},
	} {
		got := notation(Analyze(Utterance{Text: tt.text, At: at0, Before: tt.before}).Claims)
		if got != tt.want {
			t.Errorf("%q after %q: got %s, want %s", tt.text, tt.before, got, tt.want)
		}
	}
}

func TestAnswers(t *testing.T) {
	for _, tt := range []struct {
		kept, wanted string
		want         bool
	}{
		{"pet_name:dog", "pet_name:pet", true},
		{"pet_name:pet", "pet_name:dog", false},
		{"pet_name:dog", "pet_name", true},
		{"person_name:son", "person_name:child", true},
		{"person_name:child", "person_name:son", false},
		{"person_name:husband", "spouse", true},
		{"spouse", "person_name:wife", true},
		{"person_name:boss", "spouse", false},
		{"mother/born_in", "mother/born_in", true},
		{"mother/born_in", "born_in", false},
		{"born_in", "mother/born_in", false},
		{"brother/lives_in", "sibling/lives_in", true},
		{"sister/works_as", "sister/", true},
		{"sister/works_as", "brother/", false},
	} {
		if got := rel.Answers(tt.kept, tt.wanted); got != tt.want {
			t.Errorf("Answers(%q, %q) = %v", tt.kept, tt.wanted, got)
		}
	}
}

func TestDescribeThePeopleOfTheSpeaker(t *testing.T) {
	for _, tt := range []struct{ subject, relation, value, want string }{
		{"", "mother/born_in", "cork", "your mother was born in Cork"},
		{"Ann", "mother/born_in", "Cork", "Ann's mother was born in Cork"},
		{"", "parents/lives_in", "Cork", "your parents live in Cork"},
		{"", "sister/works_as", "nurse", "your sister works as a nurse"},
		{"", "works_as", "engineer", "you work as an engineer"},
		{"", "person_name:child", "Mia and Leo", "your children are called Mia and Leo"},
		{"", "sister/birthday", "4 june", "your sister's birthday is on 4 June"},
		{"", "dog/likes", "bacon", "your dog likes bacon"},
	} {
		if got := rel.Describe(tt.subject, tt.relation, tt.value); got != tt.want {
			t.Errorf("Describe(%q, %q, %q) = %q, want %q", tt.subject, tt.relation, tt.value, got, tt.want)
		}
	}
}
