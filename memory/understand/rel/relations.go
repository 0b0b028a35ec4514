package rel

import "slices"

// Relation is one row of the table: how something is claimed, asked for and said. The notation is pattern's.
type Relation struct {
	// Key names the relation; one that ends in ":" is completed by the key slot of its patterns.
	Key    string
	Kind   Kind
	Many   bool
	Domain string
	// Said claim the value, changed claim it as new, denied deny it.
	Said, changed, denied []string
	// asked are the questions it answers.
	asked []string
	// topic names it, says claims it; {key} and {value} are filled in.
	topic, says string
}

// Domains of claims.
const (
	personDomain  = "person"
	projectDomain = "project"
	WorldDomain   = "world"
)

// Relations in the order they are tried: the narrow wording before the wide one.
var Relations = slices.Concat(identity, company, living, tastes, habits)

// identity is who somebody is.
var identity = []Relation{
	{
		Key: "call_me", Kind: Instruction, Domain: personDomain, topic: "what to call {ME}", says: "I want~ to be called {value}",
		Said: []string{
			"always call me {address}", "call me {address}", "address me as {address}", "refer to me as {address}",
			"i would like|love|prefer to be called {address}", "i prefer to be called {address}", "i want you to call me {address}",
			"i want to be called {address}", "i prefer {proper} $", "i go by {name}", "greet me as {address}",
		},
		denied: []string{"do not ever? call me {address}", "never call me {address}", "stop calling me {address}", "do not address me as {address}"},
		asked: []string{
			"what should|do|will|would you call me", "how should|do|will|would you address|call me", "what do|did i want|like|ask|prefer ... call|called",
			"what to call me", "how to address me", "how do i want|like to be addressed|called", "how would i like|prefer to be called|addressed", "what would i like to be called", "what ... nickname", "what have you been calling me",
			"what am i to be called", "what do you call me", "what did i tell|ask you to call me", "how you address me",
		},
	},
	{
		Key: "name", Domain: personDomain, topic: "MY name", says: "MY name is {value}",
		Said: []string{
			"MY first? name is|'s actually|just? {name}", "i am called|named {name}", "i am {self}", "the name is|'s {name} $",
			"people|friends|everyone|everybody|they all? call|calls me {name}", "this is {self} $", "it is {self} here $",
		},
		denied: []string{"MY name is not {name}", "i am not called|named {name}", "i am not {self}"},
		asked: []string{
			"what is|was MY first|full|real? name", "who am i $", "what i am called $", "know|remember|recall|forget|forgotten|guess|say|tell|state me? my name",
			"know|remember|recall|tell me? who i am", "what am i called", "what MY name is", "is MY name", "what do people call me", "you know me by name",
		},
	},
	{
		Key: "age", Domain: personDomain, topic: "MY age", says: "I am~ {value} years old",
		Said:    []string{"I am~ {number} years|year|yrs old", "I am~ {number} $", "MY age is {number}", "I am~ {number} and|not"},
		changed: []string{"I just turned {number}", "I turned {number} today|yesterday|last"},
		asked:   []string{"how old am|is|are I", "what is MY age", "know|remember MY age", "how old I am~"},
	},
	{
		Key: "birthday", Domain: personDomain, topic: "MY birthday", says: "MY birthday is on {value}",
		Said: []string{"MY birthday is on|in? the? {date}", "I was born on? the? {date}", "MY date of birth is the? {date}", "MY birthday is on|in the? {thing}", "I was born on {thing}"},
		asked: []string{
			"when is|was MY birthday", "what day|date is MY birthday", "know|remember MY birthday", "what is MY birthday", "when was|were I born",
			"what is MY date of birth", "when MY birthday is", "is MY birthday",
		},
	},
	{
		Key: "birth_year", Domain: personDomain, topic: "the year I was born", says: "I was born in {value}",
		Said:  []string{"I was born in {year}", "MY year of birth is {year}"},
		asked: []string{"what|which year was|were I born", "what is MY year of birth", "when was|were I born"},
	},
	{
		Key: "from", Domain: personDomain, topic: "where I come~ from", says: "I come~ from {value}",
		Said:   []string{"I am~ from {place}", "I am~ originally from {place}", "I come~ from {place}", "I grew up in {place}", "I hail~ from {place}"},
		denied: []string{"I am~ not from {place}"},
		asked: []string{
			"where am|is|are I originally? from", "where do|does I come from", "where did I grow up", "which|what country|city|town am|is|are I from",
			"where I am~ from", "what is MY nationality|hometown", "where is MY hometown",
		},
	},
	{
		Key: "born_in", Domain: personDomain, topic: "where I was born", says: "I was born in {value}",
		Said:  []string{"I was born in {place}", "I was born and raised in {place}"},
		asked: []string{"where was|were I born", "what|which city|country|town was|were I born", "where I was born", "what is MY birthplace"},
	},
	{
		Key: "speaks", Many: true, Domain: personDomain, topic: "the languages I speak~", says: "I speak~ {value}",
		Said:   []string{"I speak~ fluent|some|good|basic? {things}", "I am~ fluent in {things}", "MY native|first language is {thing}", "MY mother tongue is {thing}"},
		denied: []string{"I do|does not speak {thing}"},
		asked:  []string{"what|which languages|language do|does I speak", "do|does I speak {thing} $", "what is MY native|first language", "how many languages do|does I speak"},
	},
	{
		Key: "diet", Domain: personDomain, topic: "MY diet", says: "I am~ {value}",
		Said: []string{"I am~ a|an? {diet}", "I have been {diet}"}, changed: []string{"I became a? {diet}", "I went {diet}", "I have~ gone|turned {diet}", "I turned {diet}"},
		denied: []string{"I am~ not a|an? {diet}", "I am~ no longer a|an? {diet}"},
		asked:  []string{"am|is|are I a? {diet}", "do|does I eat meat", "what is MY diet", "what|which kind|sort? of? diet am|is|are I on", "what can|do|does I eat", "what can not I eat"},
	},
	{
		Key: "allergic_to", Many: true, Domain: personDomain, topic: "what I am~ allergic to", says: "I am~ allergic to {value}",
		Said:   []string{"I am~ allergic to {things}", "I have~ a|an severe|bad? {thing} allergy", "I have~ an allergy to {things}", "I am~ intolerant to {things}", "I am~ {thing} intolerant"},
		denied: []string{"I am~ not allergic to {things}"},
		asked:  []string{"what am|is|are I allergic to", "what I am~ allergic to", "do|does I have any|an? allergies|allergy", "am|is|are I allergic to {thing} $", "MY allergies", "what should|can i not|avoid eat|eating?"},
	},
}

// living is where somebody lives and what they do.
var living = []Relation{
	{
		Key: "lives_in", Domain: personDomain, topic: "where I live~", says: "I live~ in {value}",
		Said: []string{
			"I live~ in {place}", "I live~ near|outside of? {place}", "I am~ living in {place}", "I am~ based in {place}", "I reside~ in {place}",
			"MY home is in? {place} $", "home for me is {place} $", "I have been living in {place}", "I have lived in {place} for|since",
		},
		changed: []string{
			"I moved back? to {place}", "I finally|just? moved to {place}", "I have~ moved back? to {place}", "I relocated to {place}", "I have~ just? relocated to {place}", "I moved|relocated from ... to {place}", "I just moved to {place}",
			"I have~ just|recently moved to {place}", "I recently moved to {place}", "I now live~ in {place}", "I live~ in {place} now",
		},
		denied: []string{"I do|does not live in {place}", "I no longer live~ in {place}", "I used to live in {place}", "I moved away from {place}", "I moved out of {place}", "I moved here? from {place} $", "I moved here from {place}"},
		asked: []string{
			"where do|does|did I live", "where am|is|are I based|living|located", "what|which city|town|country|place do|does I live|call", "what|which city|town|country am|is|are I in|based|living",
			"where is home", "where I live~", "where is MY home|house|place", "what|which city|town|country|place is ... home", "what is MY city|town|address|hometown", "which town", "what city", "which city",
			"am|is|are I living in", "do|does I live in {place}", "where am i at home", "where do i call home", "where have i moved", "where did I move",
		},
	},
	{
		Key: "works_at", Domain: personDomain, topic: "where I work~", says: "I work~ at {value}",
		Said: []string{"I work~ at|for {org}", "I am~ working at|for {org}", "I have~ been working at|for {org}", "I have~ worked at|for {org} for|since", "MY employer is {org}", "I am~ employed by|at {org}"}, changed: []string{
			"I started working|work at|for {org}", "I joined {org} as", "I now work~ at|for {org}", "I took|got|accepted|started a|my? new? job|position|role at|with {org}",
			"I have~ got|started a|my? new? job at|with {org}", "I left|quit ... and joined {org}", "I left|quit ... to join {org}", "I switched from ... to {org}",
		},
		denied: []string{"I do|does not work at|for {org}", "I no longer work~ at|for {org}", "I left {org} as", "I quit working at|for {org}", "I used to work at|for {org}"},
		asked:  []string{"where do|does|did I work", "who do|does I work for", "what company do|does I work", "who is MY employer", "where I work~", "which company"},
	},
	{
		Key: "works_as", Domain: personDomain, topic: "MY job", says: "I work~ as {a-value}",
		Said: []string{
			"I work~ as a|an|the? {job}", "I am~ working as a|an? {job}", "I am~ a|an {trade}", "MY job is a|an? {trade}", "MY profession is {job}",
			"I am~ a|an? {trade} by trade|profession",
		},
		changed: []string{"I became a|an {trade}", "I started working as a|an? {job}", "I got promoted to {job}", "I now work~ as a|an? {job}"},
		denied:  []string{"I quit|left|lost my job", "I got fired|sacked", "I am~ retired|unemployed", "I retired $", "I am~ not a|an {trade}", "I no longer work~ as a|an? {job}", "I am~ no longer a|an {trade}", "I used to be a|an {trade}", "I used to work as a|an? {job}"},
		asked: []string{
			"what do|does|did I do $", "what do|does I do for a living|work", "what do|does I work as", "what did I use|used to work as", "what did I do before $", "what is MY job|profession|occupation|work", "know|remember MY job", "what kind|sort of work do|does I",
			"what work do|does I", "how do|does I make|earn ... living|money", "what I do~ for a living",
		},
	},
	{
		Key: "studies_at", Domain: personDomain, topic: "where I study~", says: "I study~ at {value}",
		Said: []string{
			"I study~ at {org}", "I am~ studying at {org}", "I attend~ {org}", "I am~ a student at|of {org}", "I go~ to school|college|university|uni at|in {org}", "MY school|college|university is {org} $",
		},
		changed: []string{"I started studying at {org}"},
		denied:  []string{"I used to study at {org}", "I no longer study~ at {org}", "I do|does not study at {org}"},
		asked:   []string{"where do|does|did I study", "where I study~", "where am|is|are I studying", "which|what school|college|university|uni do|does|did I", "where do|does I go to school|college|university|uni", "what is MY school|college|university"},
	},
	{
		Key: "studies", Domain: personDomain, topic: "what I study~", says: "I study~ {value}",
		Said: []string{"I study~ {thing}", "I am~ studying {thing}", "I major~ in {thing}", "MY major is {thing}"}, changed: []string{"I started studying {thing}", "I switched to studying {thing}"},
		denied: []string{"I no longer study~ {thing}", "I do|does not study {thing}", "I used to study {thing}"},
		asked:  []string{"what do|does|did I study", "what am|is|are I studying|majoring", "what is MY major", "what subject", "what I study~"},
	},
	{
		Key: "hobby", Many: true, Domain: personDomain, topic: "MY hobbies", says: "MY hobby is {value}",
		Said:   []string{"MY hobby|hobbies is|are {things}", "in my free|spare time i {things}", "I took up {things}", "I have taken up {things}", "I collect~ {thing}"},
		denied: []string{"I gave up {thing}", "I have given up {thing}"},
		asked:  []string{"what is|are MY hobby|hobbies", "what do|does I do ... fun|free|spare", "what hobbies", "what do|does I collect"},
	},
	{
		Key: "plays", Many: true, Domain: personDomain, topic: "what I play~", says: "I play~ {value}",
		Said:   []string{"I play~ the {thing}", "I play~ {instruments}", "I started playing|learning the {thing}", "I am~ learning the {thing}"},
		denied: []string{"I no longer play~ {thing}", "I stopped playing {thing}", "I gave up playing? the {thing}", "I used to play {thing}"},
		asked:  []string{"what instrument|instruments|sport|sports do|does I play", "what do|does I play", "do|does I play {thing} $", "which instrument|instruments do|does I play"},
	},
	{
		Key: "drives", Domain: personDomain, topic: "what I drive~", says: "I drive~ {value}",
		Said: []string{"I drive~ {owned}"}, changed: []string{"I now drive~ {owned}"}, denied: []string{"I no longer drive~ {owned}", "I used to drive {owned}"},
		asked: []string{"what ... do|does I drive", "what|which ... did I drive", "what did I use|used to drive", "what|which car do|does I", "what is|was MY car $"},
	},
	{
		Key: "owns", Many: true, Domain: personDomain, topic: "what I own~", says: "I own~ {value}",
		Said: []string{"I own~ {owned}", "I have~ {possession}", "I bought {possession}", "I just bought {possession}", "I got {possession}"}, denied: []string{"I sold my|our|the {thing}", "I do|does not own {owned}"},
		asked: []string{"what do|does I own", "what car do|does I", "do|does I have|own {possession}", "do|does I own {thing} $"},
	},
}

// habits are what somebody stopped doing: tried after the tastes, for "no longer" takes any verb.
var habits = []Relation{
	{
		Key: "habit", Many: true, Domain: personDomain, topic: "MY habits", says: "I have~ the habit of {value}",
		Said:   []string{"I have~ the|a habit of {doing}", "I am~ in the habit of {doing}"},
		denied: []string{"I quit {doing}", "I stopped {doing}", "I have quit {doing}", "I have stopped {doing}", "I no longer {habit}", "I do|does not {habit} anymore", "I do|does not {habit} any more|longer"},
	},
}
