package simulate

// topic is the subject of a fact, and the name of its wordings. Everybody has at most one fact per topic at a time.
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
	food        topic = "food"
	sibling     topic = "sibling"
	siblingHome topic = "sibling home"
	birthday    topic = "birthday"
	allergy     topic = "allergy"
	car         topic = "car"
	instrument  topic = "instrument"
	therapist   topic = "therapist"
)

// topicKind describes the values of a topic.
type topicKind struct {
	// proper reports whether a value is a name that nobody else in the world uses.
	proper bool
	// relations lists the prefixes of the relations under which beliefs about the topic are stored.
	relations []string
}

// topics describes each topic.
var topics = map[topic]topicKind{
	name:        {relations: []string{"name"}},
	home:        {proper: true, relations: []string{"lives_in"}},
	job:         {relations: []string{"works_as"}},
	employer:    {proper: true, relations: []string{"works_at"}},
	partner:     {proper: true, relations: []string{"person_name:"}},
	pet:         {proper: true, relations: []string{"pet_name:"}},
	diet:        {relations: []string{"diet"}},
	food:        {relations: []string{"favourite food"}},
	birthday:    {relations: []string{"birthday"}},
	allergy:     {relations: []string{"allergic_to"}},
	car:         {relations: []string{"drives"}},
	instrument:  {relations: []string{"plays"}},
	therapist:   {proper: true, relations: []string{"person_name:therapist"}},
	sibling:     {proper: true, relations: []string{"person_name:"}},
	siblingHome: {proper: true, relations: []string{"lives_in"}},
}
