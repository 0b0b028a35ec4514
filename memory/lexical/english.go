package lexical

import (
	"strings"

	"familiar/internal/text"

	stemmer "github.com/blevesearch/snowballstem/english"
)

// English is read with the Snowball (Porter2) stemmer. Words of unsupported languages are folded and stemmed as
// English, so that a memory and a question yield the same terms.
var English = &Language{
	tag: "en",
	stop: set(`a about after all also am an and any are as at be because been before being but by can could d did do
		does doing don down else ever for from further get got had has have having he her here hers him his how i if
		in into is it its itself just let ll m me might more most much must my no nor not now of off on once only or
		other our out over own re s same shall she should so some such t than that the their them then there these
		they this those through to too up us ve very was we were what when where which while who whom whose why will
		with would yeah yes you your`),
	stem: stemEnglish,
	times: set(`yesterday today tonight tomorrow ago last next week weekend month year day days weeks months years
		monday tuesday wednesday thursday friday saturday sunday recently morning evening night since birthday january
		february march april may june july august september october november december summer winter spring fall
		autumn soon earlier`),
	numbers: set(`one two three four five six seven eight nine ten eleven twelve dozen couple few several hundred
		thousand once twice first second third`),
	asksWhen: phrases("when", "what date", "which date", "what day", "which day", "what month", "which month",
		"what year", "which year", "what time", "how long"),
	asksHowMany: phrases("how many", "how much", "how old", "how long", "how often", "how far", "how big", "how tall"),
	first:       set(`i me my mine myself`),
	asksWho:     set(`who whom whose which where`),
	asksWhat:    set(`what`),
	verbs: set(`s is are was were do does did has have had will would can could shall should may might must about kind
		kinds type types sort sorts`),
}

// irregular lists forms that no rule reduces to their base word. Each base word comes first, followed by its forms.
// Stories use the past tense, but questions use the base form: "did you buy", "I bought". The list omits forms that are
// more often another word, such as "left". It keeps "saw" despite the tool.
const irregular = `become became; begin began begun; bend bent; bind bound; bite bit bitten; bleed bled; blow blew blown;
	break broke broken; breed bred; bring brought; build built; burn burnt; buy bought; catch caught; choose chose chosen;
	cling clung; come came; creep crept; deal dealt; dig dug; draw drew drawn; dream dreamt; drink drank drunk;
	drive drove driven; eat ate eaten; fall fell fallen; feed fed; feel felt; fight fought; flee fled; fly flew flown;
	forbid forbade forbidden; forget forgot forgotten; forgive forgave forgiven; freeze froze frozen; give gave given;
	go goes went gone; grow grew grown; hang hung; hear heard; hide hid hidden; hold held; keep kept; kneel knelt; know knew known;
	lay laid; lead led; learn learnt; lend lent; light lit; lose lost; make made; mean meant; meet met; pay paid;
	ride rode ridden; ring rang rung; rise risen; run ran; say said; see saw seen; seek sought; sell sold; send sent;
	shake shook shaken; shine shone; shoot shot; show shown; shrink shrank shrunk; sing sang sung; sink sank sunk; sit sat;
	sleep slept; slide slid; speak spoke spoken; spend spent; spill spilt; spin spun; spring sprang sprung; stand stood;
	steal stole stolen; stick stuck; sting stung; strike struck; swear swore sworn; sweep swept; swim swam swum;
	swing swung; take took taken; teach taught; tear tore torn; tell told; think thought; throw threw thrown;
	understand understood; wake woke woken; wear wore worn; weave wove woven; weep wept; win won; write wrote written;
	child children; man men; woman women; foot feet; tooth teeth; mouse mice; goose geese; wife wives; knife knives;
	shelf shelves; half halves`

// alike lists everyday synonyms, mainly kinship terms and clipped forms, each group after the word that represents it.
// It contains only words that are almost always interchangeable. Wider synonym groups find more irrelevant matches than
// relevant ones.
const alike = `mother mom mum mama mommy mummy; father dad daddy papa; child kid; brother bro; sister sis; baby infant;
	grandmother grandma granny gran nana; grandfather grandpa granddad; photo photograph pic; bicycle bike;
	television tv telly; refrigerator fridge; business biz; puppy pup; festival fest; tournament tourney; birthday bday;
	film movie; vacation holiday; shop store; university uni; doctor dr; kitten kitty; advert ad advertisement;
	purchase buy; favorite favourite; color colour; neighbor neighbour; theater theatre; center centre; gray grey`

// Both lists by form: from a word to its base, and from a stem to the stem that represents it.
var (
	baseOf  = byForm(irregular, func(w string) string { return w })
	foundBy = byForm(alike, snowballEnglish)
)

func byForm(list string, key func(string) string) map[string]string {
	m := map[string]string{}
	for family := range strings.SplitSeq(list, ";") {
		words := strings.Fields(family)
		for _, w := range words[1:] {
			m[key(w)] = key(words[0])
		}
	}
	return m
}

// stemEnglish returns the Snowball (Porter2) stem of an English word after it resolves irregular forms and synonyms.
//
// It uses the folded word, because many people omit accents in English.
func stemEnglish(w word) string {
	form := w.folded
	if base, known := baseOf[form]; known {
		form = base
	}
	stem := snowballEnglish(form)
	if head, known := foundBy[stem]; known {
		return head
	}
	return stem
}

var snowballEnglish = text.Snowball(stemmer.Stem)
