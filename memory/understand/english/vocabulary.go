// Package english holds the knowledge of English for parsing: words, sentences, function words, names, clauses and a
// notation for wordings (Pattern).
package english

import "strings"

// The English vocabulary of the parser. Another language needs another file like this one, like relations.txt and
// like tone.go.

type pair struct{ head, tail string }

// contractions that no rule about apostrophes covers.
var contractions = map[string]pair{
	"im": {"i", "am"}, "ive": {"i", "have"}, "dont": {"do", "not"}, "doesnt": {"does", "not"}, "didnt": {"did", "not"},
	"cant": {"can", "not"}, "can't": {"can", "not"}, "cannot": {"can", "not"}, "wont": {"will", "not"},
	"won't": {"will", "not"}, "isnt": {"is", "not"}, "wasnt": {"was", "not"}, "arent": {"are", "not"},
	"whats": {"what", "is"}, "wheres": {"where", "is"}, "whos": {"who", "is"}, "whens": {"when", "is"},
	"thats": {"that", "is"}, "gonna": {"going", "to"}, "wanna": {"want", "to"}, "gotta": {"got", "to"},
	"youre": {"you", "are"}, "shes": {"she", "is"}, "hes": {"he", "is"}, "ain't": {"is", "not"},
}

// spellings maps spelling variants to one form.
var spellings = map[string]string{
	"favorite": "favourite", "fav": "favourite", "fave": "favourite", "favorites": "favourites", "ur": "your", "u": "you",
	"neighbor": "neighbour", "bday": "birthday", "b-day": "birthday", "color": "colour", "colors": "colours", "luv": "love",
}

// isAfter holds the words after which 's means "is" and is not a possessive.
var isAfter = Set("it he she that this there here what who where when how why name everyone everything nothing")

// Adverbs may stand between a subject and its verb without changing the claim.
var Adverbs = Set("really also still currently now actually just totally absolutely definitely mostly usually already " +
	"recently finally simply truly quite so very both originally basically mainly particularly especially only do")

// Function words never are, begin or end a value or a name.
var Function = Set("a an the i you he she it we they me him her us them my your his its our their mine yours this that these " +
	"those and or but so because if then than as at by for from in into of off on onto to up with without about is am are was " +
	"were be been being do does did have has had will would shall should can could may might must not no nor yes yeah yep nope " +
	"what who whom whose which where when why how there here very really just too also always never ever again still already " +
	"well ok okay oh ah hey hi hello please thanks thank sorry actually maybe perhaps anyway though although while until since " +
	"after before during like some any all both each every either neither much many more most few little lot lots one it's 's " +
	"got get gets going let lets know think wait hmm um uh lol haha wow btw sure right correct wrong true false nothing " +
	"something anything everything someone anyone everyone nobody somebody dear good great nice happy bad sad fine")

// calendarWords holds the days, months and seasons, which are capitalised but are not names.
var calendarWords = Set("monday tuesday wednesday thursday friday saturday sunday january february march april may june july august " +
	"september october november december christmas easter halloween today tomorrow yesterday tonight spring summer autumn winter")

// Dates holds the weekdays and months, which a correction may be about.
var Dates = Set("monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september " +
	"october november december")

// Months holds the names of the months and their abbreviations.
var Months = Set("january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec")

// notNames holds words that follow "I'm", "my name is" and the like but are not names. After words that only
// introduce a name they count when capitalised: "my name is Christian".
var notNames = Set("english german french spanish italian dutch american british irish scottish welsh canadian australian polish " +
	"russian chinese japanese korean indian mexican brazilian turkish greek swedish norwegian danish finnish portuguese " +
	"ukrainian european african asian muslim catholic protestant jewish hindu buddhist atheist vegan vegetarian gay lesbian " +
	"bi trans straight queer single married divorced engaged pregnant sick ill tired hungry thirsty bored busy late early back " +
	"home here ready new old young excited scared afraid angry mad upset stressed worried lonely proud glad free alone lost " +
	"broke rich poor hot cold drunk sober awake asleep alive dead human real kidding joking serious curious confused sorry " +
	"available able unable used hard easy weird strange common unusual long short important irrelevant secret unknown classified " +
	"pronounced spelled spelt written taken changed called named awful terrible amazing awesome beautiful ugly boring funny " +
	"christian aries taurus gemini cancer virgo libra scorpio sagittarius capricorn aquarius pisces ceo cto cfo batman depressed " +
	"retired unemployed mean kind done finished gonna trying looking doing having working thinking feeling living moving " +
	"sleepy lazy crazy dizzy grumpy ready thirsty cranky moody happy freezing starving hangry aware interested based born raised studying allergic fluent better worse okay later soon all out in off down up over " +
	"under outside inside away online offline open closed left gutted chuffed knackered exhausted grateful thankful blessed " +
	"spoken blank private red blue green team anonymous raining snowing sunny cloudy rainy")

// Animals maps the words for animals to their keys.
var Animals = map[string]string{
	"dog": "dog", "puppy": "dog", "pup": "dog", "doggo": "dog", "doggy": "dog", "labrador": "dog", "poodle": "dog", "corgi": "dog",
	"beagle": "dog", "terrier": "dog", "retriever": "dog", "cat": "cat", "kitten": "cat", "kitty": "cat", "tomcat": "cat",
	"rabbit": "rabbit", "bunny": "rabbit", "hamster": "hamster", "parrot": "parrot", "budgie": "budgie", "bird": "bird",
	"horse": "horse", "pony": "horse", "fish": "fish", "goldfish": "goldfish", "turtle": "turtle", "tortoise": "tortoise",
	"snake": "snake", "lizard": "lizard", "gecko": "gecko", "ferret": "ferret", "hedgehog": "hedgehog", "mouse": "mouse",
	"rat": "rat", "chicken": "chicken", "hen": "chicken", "duck": "duck", "goat": "goat", "pig": "pig", "sheep": "sheep",
	"cow": "cow", "donkey": "donkey", "iguana": "iguana", "chinchilla": "chinchilla", "canary": "canary", "cockatiel": "cockatiel",
	"spider": "spider", "tarantula": "tarantula", "frog": "frog", "pet": "pet", "animal": "pet", "axolotl": "axolotl", "llama": "llama",
	"alpaca": "alpaca", "parakeet": "parakeet", "guinea-pig": "guinea pig",
}

// role is a relationship to a person.
type role struct {
	Key string
	// Many reports that a person may have several.
	Many bool
}

// Roles maps the words for roles to their keys.
var Roles = map[string]role{
	"wife": {"wife", false}, "husband": {"husband", false}, "hubby": {"husband", false}, "partner": {"partner", false},
	"girlfriend": {"girlfriend", false}, "gf": {"girlfriend", false}, "boyfriend": {"boyfriend", false}, "bf": {"boyfriend", false},
	"fiancé": {"fiancé", false}, "fiancée": {"fiancée", false}, "fiance": {"fiancé", false}, "fiancee": {"fiancée", false},
	"spouse": {"spouse", false}, "mother": {"mother", false}, "mum": {"mother", false}, "mom": {"mother", false},
	"mummy": {"mother", false}, "mama": {"mother", false}, "father": {"father", false}, "dad": {"father", false},
	"daddy": {"father", false}, "papa": {"father", false}, "boss": {"boss", false}, "manager": {"boss", false},
	"son": {"son", true}, "daughter": {"daughter", true}, "child": {"child", true}, "kid": {"child", true}, "baby": {"baby", true},
	"brother": {"brother", true}, "sister": {"sister", true}, "sibling": {"sibling", true}, "twin": {"twin", false},
	"friend": {"friend", true}, "best-friend": {"best friend", false}, "cousin": {"cousin", true}, "aunt": {"aunt", true},
	"uncle": {"uncle", true}, "niece": {"niece", true}, "nephew": {"nephew", true}, "grandmother": {"grandmother", true},
	"grandma": {"grandmother", true}, "granny": {"grandmother", true}, "grandfather": {"grandfather", true},
	"grandpa": {"grandfather", true}, "granddad": {"grandfather", true}, "roommate": {"roommate", true},
	"flatmate": {"flatmate", true}, "colleague": {"colleague", true}, "coworker": {"colleague", true},
	"neighbour": {"neighbour", true}, "teacher": {"teacher", true}, "doctor": {"doctor", false}, "therapist": {"therapist", false},
	"mentor": {"mentor", false}, "grandson": {"grandson", true}, "granddaughter": {"granddaughter", true},
	"parent": {"parent", true}, "grandparent": {"grandparent", true}, "father-in-law": {"father-in-law", false},
	"mother-in-law": {"mother-in-law", false}, "brother-in-law": {"brother-in-law", true}, "sister-in-law": {"sister-in-law", true},
	"stepmother": {"stepmother", false}, "stepfather": {"stepfather", false}, "godmother": {"godmother", false}, "landlord": {"landlord", false},
}

// makes holds the brands that name the thing itself: a Volvo is a car.
var makes = Set("volvo toyota honda ford tesla bmw audi mercedes volkswagen vw skoda seat renault peugeot citroen fiat opel vauxhall mazda nissan " +
	"subaru suzuki hyundai kia lexus porsche jaguar chevrolet chevy dodge jeep buick cadillac chrysler dacia saab mitsubishi yamaha kawasaki ducati vespa")

// possessions holds the things for which "I have" means "I own".
var possessions = Set("car bike bicycle motorcycle motorbike boat house flat apartment garden piano guitar violin drone camera van " +
	"scooter telescope laptop tablet cabin cottage farm greenhouse aquarium")

// instruments holds the instruments and games that people play without "the".
var instruments = Set("guitar piano violin cello drums bass flute trumpet saxophone sax clarinet harp ukulele banjo viola organ keyboard " +
	"football soccer tennis chess basketball volleyball hockey badminton golf rugby cricket squash poker bridge handball baseball")

// Diets, marital states and trades are claimed with only "I'm (a) …", where anything else could follow as well.
var (
	diets   = Set("vegan vegetarian pescatarian veggie flexitarian gluten-free keto halal kosher coeliac celiac lactose-intolerant diabetic")
	marital = Set("married single divorced engaged widowed separated")
	Trades  = Set("nurse doctor teacher lawyer engineer developer programmer designer artist painter musician writer author journalist " +
		"chef cook baker barista waiter waitress bartender driver pilot farmer gardener carpenter plumber electrician mechanic builder " +
		"architect accountant banker economist scientist physicist chemist biologist mathematician historian researcher professor " +
		"student pupil apprentice intern librarian photographer actor actress singer dancer director producer editor translator " +
		"consultant manager analyst salesman saleswoman cashier clerk secretary receptionist hairdresser barber tailor soldier sailor " +
		"policeman policewoman officer firefighter paramedic dentist vet veterinarian pharmacist psychologist psychiatrist therapist " +
		"counsellor counselor midwife surgeon physiotherapist coach trainer athlete footballer judge politician priest pastor " +
		"potter sculptor welder tester administrator freelancer entrepreneur founder geologist astronomer linguist " +
		"optician postman courier cleaner caretaker carer nanny plasterer roofer surveyor statistician")
)

// Singular returns the singular of an English noun, as far as the lexicons here need it.
func Singular(w string) string {
	switch {
	case w == "mice":
		return "mouse"
	case w == "children":
		return "child"
	case strings.HasSuffix(w, "ies") && len(w) > 4:
		return w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "ss"):
		return w
	case strings.HasSuffix(w, "s") && len(w) > 3:
		return w[:len(w)-1]
	}
	return w
}

// Third returns a verb's third person singular.
func Third(verb string) string {
	switch verb {
	case "am":
		return "is"
	case "have":
		return "has"
	}
	switch last := verb[len(verb)-1]; {
	case last == 'y' && !strings.ContainsRune("aeiou", rune(verb[len(verb)-2])):
		return verb[:len(verb)-1] + "ies"
	case strings.HasSuffix(verb, "sh"), strings.HasSuffix(verb, "ch"), last == 's', last == 'x', last == 'o':
		return verb + "es"
	}
	return verb + "s"
}

// Gerund returns a verb's -ing form.
func Gerund(verb string) string {
	n := len(verb)
	vowel := func(i int) bool { return i >= 0 && i < n && strings.IndexByte("aeiou", verb[i]) >= 0 }
	switch {
	case n < 2 || verb == "be" || verb == "see":
		return verb + "ing"
	case strings.HasSuffix(verb, "ie"):
		return verb[:n-2] + "ying"
	case verb[n-1] == 'e' && !strings.HasSuffix(verb, "ee"):
		return verb[:n-1] + "ing"
	case n == 3 && !vowel(0) && vowel(1) && !vowel(2) && strings.IndexByte("wxy", verb[2]) < 0, verb == "begin" || verb == "swim" || verb == "stop" || verb == "plan" || verb == "quit":
		return verb + verb[n-1:] + "ing"
	}
	return verb + "ing"
}

// Determiners begin a noun phrase.
var Determiners = Set("a an the my our two three four some his her their")

// Passing holds nouns for a momentary state and nouns that begin a figure of speech. Neither is worth remembering.
var Passing = Set("weather point guess question problem god goodness head mind heart day night morning week weekend life answer bad fault turn pleasure " +
	"feeling mood opinion idea thought understanding impression hope advice plan hands eyes battery concern worry apologies sense dream wish " +
	"only whole biggest evening afternoon internet phone screen body stomach back feet legs bags")

// NotValues begin a clause or a passing state rather than a value.
var NotValues = Set("been that so not going doing getting fine good great bad okay ok better worse very too really about like because when where why what how " +
	"being here there at in on to with for from still always never off over up down out back ready done gone coming almost all just also " +
	"spinning hurting killing driving making trying supposed able sick nice crazy awful amazing terrible broken dead empty full it he she they you i we " +
	"wrong right true open closed awesome comin' beautiful cute adorable perfect lovely super such my our your their his her everything another " +
	"wonderful fantastic incredible important called named")
