package simulate

// topic is the subject of a fact. Everybody has at most one fact per topic at a time.
type topic string

// The topics.
const (
	name        topic = "name"
	home        topic = "home"
	job         topic = "job"
	employer    topic = "employer"
	partner     topic = "partner"
	pet         topic = "pet"
	diet        topic = "diet"
	food        topic = "favourite food"
	sibling     topic = "sibling"
	siblingHome topic = "sibling's home"
	birthday    topic = "birthday"
	allergy     topic = "allergy"
	car         topic = "car"
	instrument  topic = "instrument"
	therapist   topic = "therapist"
)

// topicKind describes how people talk about a topic.
type topicKind struct {
	// questions ask for the current value, before for the earlier one.
	questions, before []string
	// proper reports whether a value is a name that nobody else in the world uses.
	proper bool
	// relations lists the prefixes of the relations under which beliefs about the topic are stored.
	relations []string
}

// topics describes each topic. Questions about people and pets are made for the person (author.kind).
var topics = map[topic]topicKind{
	name:       {questions: []string{"What's my name?", "do you know what I'm called?"}, relations: []string{"name"}},
	home:       {questions: []string{"Where do I live?", "do you remember where I live?", "Which city do I live in?"}, before: []string{"Where did I live before?", "where did I use to live?"}, proper: true, relations: []string{"lives_in"}},
	job:        {questions: []string{"What do I do for a living?", "what's my job again?"}, before: []string{"What did I do before?", "what did I use to work as?"}, relations: []string{"works_as"}},
	employer:   {questions: []string{"Where do I work?", "who do I work for?"}, before: []string{"Where did I work before?"}, proper: true, relations: []string{"works_at"}},
	partner:    {questions: []string{"What's my partner's name?", "Who is my partner?"}, proper: true, relations: []string{"person_name:"}},
	pet:        {questions: []string{"What's my pet's name?", "what is my pet called?"}, proper: true, relations: []string{"pet_name:"}},
	diet:       {questions: []string{"What's my diet?", "am I vegetarian or what?"}, relations: []string{"diet"}},
	food:       {questions: []string{"What's my favourite food?", "do you remember my favourite food?"}, relations: []string{"favourite food"}},
	birthday:   {questions: []string{"When is my birthday?", "do you know my birthday?"}, relations: []string{"birthday"}},
	allergy:    {questions: []string{"What am I allergic to?", "do you know what I'm allergic to?"}, relations: []string{"allergic_to"}},
	car:        {questions: []string{"What car do I drive?", "which car do I have?"}, before: []string{"What did I drive before?"}, relations: []string{"drives"}},
	instrument: {questions: []string{"What instrument do I play?", "which instrument do I play?"}, relations: []string{"plays"}},
	therapist:  {questions: []string{"What's my therapist called?", "what is the name of my therapist?"}, proper: true, relations: []string{"person_name:therapist"}},
	sibling:    {proper: true, relations: []string{"person_name:"}},
	siblingHome: {
		proper: true, relations: []string{"lives_in"},
	},
}
