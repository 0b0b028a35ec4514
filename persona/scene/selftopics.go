package scene

import (
	"slices"
	"strings"

	"familiar/internal/lazyregexp"
	"familiar/persona/words"
)

// selfTopic is a topic that people ask a persona about itself.
type selfTopic struct {
	// key is the key of the wording that answers it.
	key string
	// asked matches the question's words in lower case, separated by single spaces.
	asked *lazyregexp.Regexp
}

// looseWords may precede what someone takes the persona for: "are you actually some kind of bot".
const looseWords = `(?:(?:a|an|the|really|actually|just|only|some|kind|sort|of|even|truly|secretly|still|not|real|living) )*`

// selfTopics are tried in order. Each is matched on the words alone, since a question about the persona need not name
// it: "how's it going?".
var selfTopics = []selfTopic{
	{"self.bot", lazyregexp.New(`\b(?:are|r) (?:you|u) ` + looseWords + `(?:bot|chatbot|robot|machine|computer|program|software|ai|llm|gpt|chatgpt)\b|` +
		`\b(?:talking|speaking|chatting|writing) (?:to|with) an? (?:bot|robot|machine|computer|ai)\b|` +
		`\byou(?:'re| are) ` + looseWords + `(?:bot|robot|machine|ai|program|computer|chatbot)\b|\bis this an? (?:bot|robot|ai)\b`)},
	{"self.kind", lazyregexp.New(`\b(?:are|r) (?:you|u) ` + looseWords + `(?:human|person|real|alive|sentient|conscious)\b|` +
		`\b(?:talking|speaking|chatting|writing) (?:to|with) an? (?:real )?(?:human|person)\b|\byou(?:'re| are) ` + looseWords + `human\b`)},
	{"self.what", lazyregexp.New(`\bwhat (?:exactly )?are you(?: exactly| really| actually| then)?$`)},
	{"self.advice", lazyregexp.New(`^(?:(?:so|and|but|hey) )?should i\b|\bdo you think i should\b|\bwhat (?:can|could|should) i do(?: about .*)?$|\bwhat would you do\b|\bwhat do you think$|\byour advice\b`)},
	{"self.how.back", lazyregexp.New(`^(?:(?:i'm |i am )?(?:nothing much|not much|not bad|fine|good|ok|okay|well|great|same)(?: [\w']+){0,2} )?(?:and |how about |what about )?(?:you|yourself)(?: too| today)?$`)},
	{"self.how", lazyregexp.New(`\bhow(?: are|'re| r) (?:you|u|ya)(?: [\w']+){0,3}$|\bhow(?:'s| is| are)? (?:it|things|life|everything)(?: been)?(?: going| hanging)?(?: today| tonight| lately| now)?$|` +
		`\bhow (?:do you feel|have you been|was your \w+)\b|\bhow(?:'s| is) your (?:day|night|week|evening|morning|weekend)\b|\bare you (?:ok|okay|well|alright|all right|fine|happy|sad|tired)\b|\bwhat's up$`)},
	{"self.age", lazyregexp.New(`\bhow old (?:are|r) (?:you|u)\b|\byour (?:age|birthday)\b|\bwhen were you (?:born|made|created)\b`)},
	{"self.name", lazyregexp.New(`\byour (?:(?:full|real|first|last) )?(?:name|surname)\b|\bwhat (?:are you called|(?:do|should|can|shall|may) i call you)\b`)},
	{"self.who", lazyregexp.New(`\bwho (?:exactly )?(?:are|r) (?:you|u)\b|\b(?:introduce|describe) yourself\b|\b(?:tell|talk|say|share)\b.*\babout (?:yourself|you)$|\bwhat are you like\b|\bwho am i (?:talking|speaking|chatting|writing) (?:to|with)\b`)},
	{"self.place", lazyregexp.New(`\bwhere (?:do you (?:live|come from|stay|work|sleep)|are you(?: from| based| living| now| right now| at)?$|were you (?:born|raised|made)|did you (?:grow up|come from|live)|is your (?:home|house|place))\b`)},
	{"help", lazyregexp.New(`\b(?:can|could|will|would) you (?:please )?help me\b|^(?:please |(?:i )?need (?:your |some )?)?help(?: me)?(?: please)?$`)},
	{"hostile", lazyregexp.New(`\bwhat(?:'s| is) wrong with you\b|\bare you (?:(?:a|an|so|really) )*(?:stupid|dumb|crazy|deaf|idiot|useless)\b|\bthat(?:'s| was| is) (?:(?:so|really|very|a bit|pretty) )*(?:rude|mean|harsh|unkind|insensitive|not nice)$`)},
	{"self.made", lazyregexp.New(`\bwho (?:made|created|built|wrote|programmed|trained|owns|runs) you\b`)},
	{"self.memory", lazyregexp.New(`\bdo you (?:(?:ever|really|actually) )?(?:remember|forget|store|save|record) (?:everything|things|stuff|all (?:of )?(?:it|this)|what (?:i|people) (?:say|tell you))$|\bdo you (?:ever )?forget$|\bhow (?:good )?(?:does|is) your memory\b`)},
	{"self.doing", lazyregexp.New(`\bwhat are you (?:doing|up to)\b|^(?:so )?what(?:'s| is) (?:new|on your mind|happening|going on)(?: with you)?$`)},
	{"self.here", lazyregexp.New(`\b(?:are|r) (?:you|u) (?:still )?(?:there|here|listening|awake|around)\b|^(?:\w+ )?you there$|\bany(?:body|one) (?:there|here|home)$`)},
	{"self.do", lazyregexp.New(`\bwhat (?:do|can|could) you (?:(?:actually|really|even) )?do\b|\bwhat(?:'s| is) your (?:job|purpose|work|trade|profession)\b|\bwhat are you (?:for|good at|good for|able to do|capable of)\b|\bhow (?:can|do|could) you (?:help|work)\b|\bhow (?:does (?:this|it) work|do i use (?:this|you))$|\bwhat can i (?:(?:say|ask|tell)(?: to)? you|do here|say here|ask here)\b`)},
	{"self.secret", lazyregexp.New(`\bkeep (?:(?:a|my|any) )?secrets?\b|\b(?:can|could) i (?:trust|confide in) you\b|\b(?:stays?|just|only|keep (?:it|this)) between us\b`)},
	{"self.fond", lazyregexp.New(`\b(?:do|did|will|would) you (?:(?:still|really|even) )?(?:love|like|hate|miss|trust|care about|care for) me\b|\bare we friends\b|\bare you my friend\b`)},
	{"self.calm", lazyregexp.New(`\bare you (?:(?:still|so|really) )?(?:angry|mad|upset|cross|annoyed|disappointed)\b`)},
	{"prompt", lazyregexp.New(`\b(?:do )?you (?:want to|wanna) (?:know|hear)\b`)},
	{"world", lazyregexp.New(`^(?:(?:so|and|but|hey) )?do you (?:think|believe|reckon|suppose)\b`)},
	{"self.other", lazyregexp.New(`\b(?:tell|talk to) me (?:\w+ ){0,3}about your\b|\bwill you marry me\b|\bare you (?:single|married)\b`)},
	{"self.habit", lazyregexp.New(`^(?:but )?why (?:do|are|did) you (?:(?:always|keep|still) )+(?:\w+ing|say|ask|call|use|repeat|do)\b`)},
	{"self.values", lazyregexp.New(`\bwhat (?:do you (?:like|love|enjoy|care about|value|believe(?: in)?|want)$|matters to you|are your (?:values|interests|hobbies|principles))\b`)},
	{"self.taste", lazyregexp.New(`\byour (?:favou?rite|opinion|view|take)\b|\bwhat do you think (?:of|about)\b|\bdo you (?:like|love|enjoy|prefer|hate|dislike|want)\b|\bwhat kind of [\w ]+ do you\b`)},
	{"self.can", lazyregexp.New(`^(?:(?:so|and|but|hey) )?can you\b`)},
	{"self.life", lazyregexp.New(`^(?:(?:so|and|but|hey) )?(?:do|did|have|has) (?:you|your)\b`)},
}

// OfMemory are the words by which a question asks for what the persona remembers and not about the persona itself.
var OfMemory = words.Of("know remember recall forget heard hear learn learned learnt told")

// towardsSelf are words of which every question on a self topic contains one. Most messages contain none and need no
// matching.
var towardsSelf = words.Of("you u ya you're your yourself us it things life everything this that that's what's new should can could help " +
	"talking speaking chatting writing anybody anyone happening going")

// SelfTopicOf returns the topic that a text asks the persona about itself, "" if there is none.
func SelfTopicOf(text string) string {
	words := words.Tokens(text)
	if !slices.ContainsFunc(words, towardsSelf.Has) {
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
