package persona

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"familiar/memory/claim"
)

// What the persona says of itself: in its own words where the card has some, else from the card's description, and
// always as the program it is.

// selfTopic is one thing people ask a persona about itself.
type selfTopic struct {
	// key is the wording that answers it.
	key string
	// asked matches the question's words in lower case, single spaces between them.
	asked *regexp.Regexp
}

// selfTopics are tried in order. Each is matched on the words alone, since a question about the persona need not name
// it: "how's it going?".
var selfTopics = []selfTopic{
	{"self.kind", regexp.MustCompile(`\b(?:are|r) (?:you|u) (?:(?:a|an|the|really|actually|just|some|kind|sort|of|even|truly|secretly|still|not|real|living) )*` +
		`(?:human|person|real|bot|chatbot|robot|machine|computer|program|software|ai|alive|sentient|conscious|llm|gpt|chatgpt)\b|` +
		`\b(?:talking|speaking|chatting|writing) (?:to|with) (?:a|an) (?:real )?(?:human|person|bot|robot|machine|computer|ai)\b|` +
		`\byou(?:'re| are) (?:(?:a|an|just|only|not|really) )*(?:human|bot|robot|machine|ai|program|computer|chatbot)\b|\bis this (?:a|an) (?:bot|robot|ai)\b`)},
	{"self.what", regexp.MustCompile(`\bwhat (?:exactly )?are you(?: exactly| really| actually| then)?$`)},
	{"self.advice", regexp.MustCompile(`^(?:(?:so|and|but|hey) )?should i\b|\bdo you think i should\b|\bwhat should i do$|\bwhat would you do\b|\bwhat do you think$|\byour advice\b`)},
	{"self.how.back", regexp.MustCompile(`^(?:(?:i'm |i am )?(?:nothing much|not much|not bad|fine|good|ok|okay|well|great|same)(?: [\w']+){0,2} )?(?:and |how about |what about )?(?:you|yourself)(?: too| today)?$`)},
	{"self.how", regexp.MustCompile(`\bhow(?: are|'re| r) (?:you|u|ya)(?: [\w']+){0,3}$|\bhow(?:'s| is| are)? (?:it|things|life|everything)(?: been)?(?: going| hanging)?(?: today| tonight| lately| now)?$|` +
		`\bhow (?:do you feel|have you been|was your \w+)\b|\bhow(?:'s| is) your (?:day|night|week|evening|morning|weekend)\b|\bare you (?:ok|okay|well|alright|all right|fine|happy|sad|tired)\b|\bwhat's up$`)},
	{"self.age", regexp.MustCompile(`\bhow old (?:are|r) (?:you|u)\b|\byour (?:age|birthday)\b|\bwhen were you (?:born|made|created)\b`)},
	{"self.name", regexp.MustCompile(`\byour (?:(?:full|real|first|last) )?(?:name|surname)\b|\bwhat (?:are you called|(?:do|should|can|shall|may) i call you)\b`)},
	{"self.who", regexp.MustCompile(`\bwho (?:exactly )?(?:are|r) (?:you|u)\b|\b(?:introduce|describe) yourself\b|\b(?:tell|talk|say|share)\b.*\babout (?:yourself|you)$|\bwhat are you like\b|\bwho am i (?:talking|speaking|chatting|writing) (?:to|with)\b`)},
	{"self.place", regexp.MustCompile(`\bwhere (?:do you (?:live|come from|stay|work|sleep)|are you(?: from| based| living| now| right now| at)?$|were you (?:born|raised|made)|did you (?:grow up|come from|live)|is your (?:home|house|place))\b`)},
	{"help", regexp.MustCompile(`\b(?:can|could|will|would) you (?:please )?help me\b|^(?:please |(?:i )?need (?:your |some )?)?help(?: me)?(?: please)?$`)},
	{"hostile", regexp.MustCompile(`\bwhat(?:'s| is) wrong with you\b|\bare you (?:(?:a|an|so|really) )*(?:stupid|dumb|crazy|deaf|idiot|useless)\b|\bthat(?:'s| was| is) (?:(?:so|really|very|a bit|pretty) )*(?:rude|mean|harsh|unkind|insensitive|not nice)$`)},
	{"self.made", regexp.MustCompile(`\bwho (?:made|created|built|wrote|programmed|trained|owns|runs) you\b`)},
	{"self.memory", regexp.MustCompile(`\bdo you (?:(?:ever|really|actually) )?(?:remember|forget|store|save|record) (?:everything|things|stuff|all (?:of )?(?:it|this)|what (?:i|people) (?:say|tell you))$|\bdo you (?:ever )?forget$|\bhow (?:good )?(?:does|is) your memory\b`)},
	{"self.doing", regexp.MustCompile(`\bwhat are you (?:doing|up to)\b|^(?:so )?what(?:'s| is) (?:new|on your mind|happening|going on)(?: with you)?$`)},
	{"self.here", regexp.MustCompile(`\b(?:are|r) (?:you|u) (?:still )?(?:there|here|listening|awake|around)\b|^(?:\w+ )?you there$|\bany(?:body|one) (?:there|here|home)$`)},
	{"self.do", regexp.MustCompile(`\bwhat (?:do|can|could) you (?:(?:actually|really|even) )?do\b|\bwhat(?:'s| is) your (?:job|purpose|work|trade|profession)\b|\bwhat are you (?:for|good at|good for|able to do|capable of)\b|\bhow (?:can|do|could) you (?:help|work)\b|\bhow (?:does (?:this|it) work|do i use (?:this|you))$|\bwhat can i (?:say|ask|tell|do)\b`)},
	{"self.secret", regexp.MustCompile(`\bkeep (?:(?:a|my|any) )?secrets?\b|\b(?:can|could) i (?:trust|confide in) you\b|\bbetween us\b`)},
	{"self.fond", regexp.MustCompile(`\b(?:do|did|will|would) you (?:(?:still|really|even) )?(?:love|like|hate|miss|trust|care about|care for) me\b|\bare we friends\b|\bare you my friend\b`)},
	{"self.calm", regexp.MustCompile(`\bare you (?:(?:still|so|really) )?(?:angry|mad|upset|cross|annoyed|disappointed)\b`)},
	{"prompt", regexp.MustCompile(`\b(?:do )?you (?:want to|wanna) (?:know|hear)\b`)},
	{"world", regexp.MustCompile(`^(?:\w+ )?do you (?:think|believe|reckon|suppose)\b`)},
	{"self.other", regexp.MustCompile(`\b(?:tell|talk to) me (?:\w+ )?about your\b|\bwill you marry me\b|\bare you (?:single|married)\b`)},
	{"self.values", regexp.MustCompile(`\bwhat (?:do you (?:like|love|enjoy|care about|value|believe(?: in)?|want)$|matters to you|are your (?:values|interests|hobbies|principles))\b`)},
	{"self.taste", regexp.MustCompile(`\byour (?:favou?rite|opinion|view|take)\b|\bwhat do you think (?:of|about)\b|\bdo you (?:like|love|enjoy|prefer|hate|dislike|want)\b|\bwhat kind of [\w ]+ do you\b`)},
	{"self.can", regexp.MustCompile(`^(?:\w+ )?can you\b`)},
	{"self.life", regexp.MustCompile(`^(?:\w+ )?(?:do|did|have|has) (?:you|your)\b`)},
}

// ofMemory are the words by which a question to the persona asks for what it remembers, not about itself.
var ofMemory = words("know remember recall forget heard hear learn learned learnt told")

// towardsSelf are words of which every question on a self topic holds one: most of what people say holds none, and need
// not be matched.
var towardsSelf = words("you u ya you're your yourself us it things life everything this that that's what's new should help " +
	"talking speaking chatting writing anybody anyone happening going")

// selfTopicOf is what a text asks the persona about itself, "" when it asks nothing of the kind.
func selfTopicOf(text string) string {
	words := tokens(text)
	if !slices.ContainsFunc(words, towardsSelf.has) {
		return ""
	}
	said := strings.Join(words, " ")
	for _, topic := range selfTopics {
		if topic.asked.MatchString(said) {
			return topic.key
		}
	}
	return ""
}

// general are the topics that take any question to the persona: only where nobody else is asked about.
var general = words("self.can self.life world")

// aboutSelf answers questions about the persona: in the words of the card's examples where one answers the same
// question, else from its description.
func (sp *speaking) aboutSelf(line Line, q claim.Question) string {
	toSelf := q.Subject == "you"
	key := selfTopicOf(line.Text)
	recalls := slices.ContainsFunc(tokens(line.Text), ofMemory.has)
	switch {
	case key == "" && (!toSelf || recalls), general.has(key) && (!toSelf || recalls), key == "self.how" && len(q.Relations) > 0 && !toSelf:
		return ""
	case key == "":
		key = "self.other"
	case key == "self.values" && len(sp.scene.Card.Values) == 0:
		key = "self.taste"
	case key == "self.secret" && !sp.scene.Direct:
		key = "self.secret.group"
	}
	if said := sp.exampleFor(key); said != "" {
		sp.asked = sp.asked || strings.Contains(said, "?")
		return said
	}
	sp.asked = sp.asked || key == "self.how" || key == "self.advice"
	life := selfSentence(sp.scene.Card)
	if key == "self.place" && life == "" {
		key = "self.place.none"
	}
	return strings.TrimSpace(sp.put(key, "self", sp.scene.Card.Name, "about", introduction(sp.scene.Card), "life", life,
		"tale", strings.TrimRight(uncapital(life), "."), "values", sp.valuesHeld()))
}

// exampleFor is how the card answers a question on a topic, "" when it has no example of that or has just said it.
func (sp *speaking) exampleFor(topic string) string {
	return sp.example(func(e Example) bool { return !general.has(topic) && selfTopicOf(e.Person) == topic })
}

// example is what the card says in the first fitting example, "" when none fits or it has just been said. What it says
// of its kind must own that it is a program: a character may play somebody, and must not deny it.
func (sp *speaking) example(fits func(Example) bool) string {
	for _, e := range sp.scene.Card.Examples {
		if !fits(e) || strings.Contains(sp.lastSaid, e.Persona) {
			continue
		}
		if selfTopicOf(e.Person) != "self.kind" || slices.ContainsFunc(tokens(e.Persona), madeOf.has) {
			return e.Persona
		}
	}
	return ""
}

// madeOf are the words that own to being a program.
var madeOf = words("program software machine bot chatbot ai computer model")

// exampleOf is how the card answers just these words, "" when it does not or has just said it.
func (sp *speaking) exampleOf(text string) string {
	said := tokens(text)
	return sp.example(func(e Example) bool { return len(said) > 0 && slices.Equal(said, tokens(e.Person)) })
}

// valuesHeld are the card's values as they stand after a colon, "" when it has none: all of them when they are single
// words, one when they are sentences.
func (sp *speaking) valuesHeld() string {
	var values []string
	whole := false
	for _, v := range sp.scene.Card.Values {
		values = append(values, uncapital(strings.TrimRight(v, ".")))
		whole = whole || strings.Contains(v, " ")
	}
	if whole {
		i := int(sp.hash("values") % uint32(len(values)))
		return values[i]
	}
	return listed(values)
}

// uncapital begins a text with a small letter, unless its first word is "I" or written in capitals throughout.
func uncapital(text string) string {
	first := firstWord(text)
	if strings.HasPrefix(first, "I'") || first == "I" || len(first) > 1 && strings.ToUpper(first) == first {
		return text
	}
	r, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return text
	}
	return string(unicode.ToLower(r)) + text[size:]
}

// introduction says who the persona is: "I'm Nova, a retired lighthouse keeper."
func introduction(card *Card) string {
	life := selfSentence(card)
	rest, named := strings.CutPrefix(life, "I'm ")
	switch {
	case life == "":
		return "I'm " + card.Name + "."
	case named && strings.HasPrefix(rest, card.Name):
		return life
	case named && (articles.has(strings.ToLower(firstWord(rest))) || indefinite.has(strings.ToLower(firstWord(rest)))):
		return "I'm " + card.Name + ", " + rest
	}
	return "I'm " + card.Name + ". " + life
}

// indefinite are the words for a person that stand like a noun.
var indefinite = words("somebody someone one")

// selfSentence is the first sentence of the card's description that can be said in the first person, "" when none can.
func selfSentence(card *Card) string {
	for _, s := range sentences(card.Description) {
		if said, ok := inFirstPerson(s, card.Name); ok {
			return endSentence(said)
		}
	}
	return ""
}

// inFirstPerson turns a sentence about somebody of that name into their own words: "Nell keeps a bar" becomes "I keep a
// bar". It reports false for a sentence that is not about them or cannot be turned safely.
func inFirstPerson(sentence, name string) (string, bool) {
	fields := strings.Fields(sentence)
	if len(fields) == 0 {
		return "", false
	}
	first := plainWord(fields[0])
	switch {
	case first == "i" || first == "i'm" || first == "my":
		return sentence, true
	case first == "a" || first == "an" || first == "the":
		return "I'm " + strings.ToLower(sentence[:1]) + sentence[1:], true
	}
	t := turning{name: tokens(name), you: first == "you" || first == "you're"}
	for i := range fields {
		if !t.word(fields, i) {
			return "", false
		}
	}
	if !t.begun {
		return "", false
	}
	said := strings.Join(t.said, " ")
	if rest, ok := strings.CutPrefix(said, "I am "); ok {
		said = "I'm " + rest
	}
	return said, true
}

// turning is a sentence on its way into the first person.
type turning struct {
	name []string // of whom it speaks, in lower case
	// you says that the sentence speaks to them, not about them.
	you bool
	// begun says that they were named, verb that their verb comes next, relative that the clause is about another.
	begun, verb, relative bool
	said                  []string
}

var (
	// laterVerbs come between somebody and their verb.
	laterVerbs = words("never always still now often also once rarely seldom usually only just then")
	// conjunctions may be followed by another verb of the same person.
	conjunctions = words("and but or")
	relatives    = words("who whom which that whose")
	// afterVerbs come after a verb and not after a plural: "knows the", "remembers what".
	afterVerbs = words("a an the his her their my your its this that these those what how where when who every each all no some any people everybody everything nothing")
)

// word turns the word at i, false when it is not clear how.
func (t *turning) word(fields []string, i int) bool {
	w, low := fields[i], plainWord(fields[i])
	next := ""
	if i+1 < len(fields) {
		next = plainWord(fields[i+1])
	}
	switch {
	case slices.Contains(t.name, low) && (!t.begun || t.verb):
		if !t.begun {
			t.begin("I")
		}
		return !strings.HasSuffix(w, ",")
	case slices.Contains(t.name, low), slices.Contains(t.name, strings.TrimSuffix(low, "'s")):
		return false
	case low == "she" || low == "he" || low == "you" && t.you && (!t.begun || conjunctions.has(before(fields, i))):
		t.begin("I")
	case low == "you're" && t.you && !t.begun:
		t.begin("I")
		t.said, t.verb = append(t.said, "am"), false
	case !t.begun:
		return false
	case t.verb && !laterVerbs.has(low) && !strings.HasSuffix(low, "ly"):
		t.said, t.verb = append(t.said, strings.Replace(w, bareWord(w), ownVerb(low), 1)), false
	default:
		return t.other(fields, i, low, next)
	}
	return true
}

func (t *turning) begin(pronoun string) {
	t.said, t.begun, t.verb, t.relative = append(t.said, pronoun), true, true, false
}

// other turns a word that is neither whom the sentence is about nor their verb.
func (t *turning) other(fields []string, i int, low, next string) bool {
	w := fields[i]
	joins := i > 0 && (conjunctions.has(plainWord(fields[i-1])) || strings.HasSuffix(fields[i-1], ","))
	t.relative = t.relative || relatives.has(low)
	to := ""
	switch {
	case low == "himself" || low == "herself" || low == "yourself" && t.you:
		to = "myself"
	case low == "his" || low == "your" && t.you, low == "her" && next != "" && !danglers.has(next) && bareWord(w) == w && !emptyWords.has(next):
		to = "my"
	case low == "him" || low == "her" || low == "you" && t.you:
		to = "me"
	case joins && !t.relative && !t.you && (low == "is" || low == "has" || low == "does"):
		to = ownVerb(low)
	case joins && !t.relative && !t.you && strings.HasSuffix(low, "s") && len(low) > 3 && !laterVerbs.has(low) && !unicode.IsUpper([]rune(w)[0]):
		switch {
		case afterVerbs.has(next):
			to = ownVerb(low)
		case next != "of" && next != "" && bareWord(w) == w && !conjunctions.has(next):
			return false // another verb, or a plural: nobody can tell
		}
	}
	if to != "" {
		w = strings.Replace(plainApostrophe(w), bareWord(w), to, 1)
	}
	t.said = append(t.said, w)
	return true
}

// before is the word before the one at i.
func before(fields []string, i int) string {
	if i == 0 {
		return ""
	}
	return plainWord(fields[i-1])
}

// ownVerb is a verb of the second or third person in the first: "is" becomes "am", "carries" becomes "carry".
func ownVerb(verb string) string {
	switch verb {
	case "is", "are":
		return "am"
	case "was", "were":
		return "was"
	case "has":
		return "have"
	case "isn't", "aren't":
		return "am not"
	case "hasn't":
		return "haven't"
	case "doesn't":
		return "don't"
	}
	for _, ending := range []struct{ from, to string }{{"ies", "y"}, {"sses", "ss"}, {"shes", "sh"}, {"ches", "ch"}, {"xes", "x"}, {"oes", "o"}, {"ss", "ss"}, {"s", ""}} {
		if root, ok := strings.CutSuffix(verb, ending.from); ok {
			return root + ending.to
		}
	}
	return verb
}
