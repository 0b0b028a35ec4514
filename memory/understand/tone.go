package understand

import (
	"strings"

	"familiar/memory/understand/english"
)

// The tone of an utterance: greeting, farewell, filler, warmth.

var (
	greetings = english.CompileAll("hi|hello|hey|hiya|howdy|heya|yo|greetings|hullo|ahoy|welcome|aloha|hola|hallo|morning|evening", "good morning|evening|afternoon|day", "long time no see", "i am back", "what is up")
	farewells = english.CompileAll("bye|goodbye|cya|farewell|ciao|adios|cheerio|ttyl|nighty|tschüss|tschüß|adieu|arrivederci|tchau|doei", "au revoir", "auf wiedersehen", "good night", "goodnight|gn", "see you|ya", "talk|speak to? you? later|soon|tomorrow", "have a good|nice|great|lovely one|day|evening|night|weekend", "take care",
		"i? have? got? to go|run|leave $", "i must go|run $", "until|till next time|tomorrow", "catch you later", "later $", "good bye", "signing off", "sleep well", "sweet dreams", "i am off $", "i am off to bed")
)

// Thanks holds the words for thanks, including the well-known ones of other languages.
const Thanks = "thanks thank thx cheers ty danke merci gracias grazie obrigado obrigada bedankt"

// filler holds the words without content of their own.
var filler = english.Set("hi hello hey hiya howdy yo you ok okay k kk yes yeah yep yup no nope nah sure cool nice great good fine " +
	"lol haha hahaha hehe wow oh ah um uh hmm well right really indeed alright fair enough bye goodbye night goodnight morning evening afternoon " +
	"see ya later soon tomorrow take care so very much a lot again then there too and my friend dear everyone all guys please sorry np problem " +
	"welcome awesome perfect lovely amazing exactly true agreed got it i am back how are doing is going what up to the have day one of course " +
	"long time no same here not bad today ahoy omg yay gotcha brb ttyl cya hola hallo " +
	"tschüss tschüß " + Thanks)

// warm holds the wordings that show warmth or hostility towards the persona, with their strength from −1 to 1.
var warm = []struct {
	pattern english.Pattern
	by      float64
}{
	{english.Compile(strings.ReplaceAll(Thanks, " ", "|")), .3},
	{english.Compile("i appreciate you|it|that|this|your"), .4},
	{english.Compile("i love you"), .8},
	{english.Compile("love you"), .7},
	{english.Compile("i like you"), .6},
	{english.Compile("i like talking|chatting to|with you"), .6},
	{english.Compile("i love talking|chatting to|with you"), .7},
	{english.Compile("you are so|really|very|such? a|an|the|my? great|amazing|awesome|wonderful|lovely|sweet|kind|nice|best|brilliant|helpful|good|cool|funny|smart|fantastic|friend|legend|star"), .6},
	{english.Compile("you rock"), .6},
	{english.Compile("good|great|nice bot|job|work"), .4},
	{english.Compile("well done"), .4},
	{english.Compile("i missed|miss you"), .6},
	{english.Compile("nice|good|great to see|meet|hear|talk you|from|to"), .35},
	{english.Compile("you made|make my day"), .6},
	{english.Compile("that is|was so? kind|sweet|lovely|helpful of? you?"), .4},
	{english.Compile("i trust you"), .5},
	{english.Compile("proud of you"), .5},
	{english.Compile("shut up"), -.7},
	{english.Compile("you are so|really|such|just? a|an? idiot|stupid|useless|dumb|annoying|terrible|awful|worthless|pathetic|moron|rude|creepy|boring|bad|liar|joke"), -.7},
	{english.Compile("you idiot|moron|fool|bastard|bitch"), -.9},
	{english.Compile("i hate you"), -.9},
	{english.Compile("hate you"), -.8},
	{english.Compile("fuck you|off"), -1},
	{english.Compile("piss|sod|bugger off"), -.8},
	{english.Compile("go to hell"), -.9},
	{english.Compile("screw you"), -.8},
	{english.Compile("stupid|dumb|useless bot|machine|thing"), -.8},
	{english.Compile("leave me alone"), -.5},
	{english.Compile("you suck"), -.7},
	{english.Compile("go away"), -.5},
	{english.Compile("i do not like|trust you"), -.5},
	{english.Compile("you are not nice|helpful|kind|good|funny|smart|my"), -.4},
}

// toneWords is how many words of an utterance are read for its tone.
const toneWords = 200

// Tone returns an analysis with only Phatic, Greeting, Farewell and Warmth. Analyze returns the same values for ten
// times the work.
func Tone(text string) Analysis {
	text = english.Legible(text)
	r := reading{u: Utterance{Text: text}, sentences: english.Split(text)}
	r.tone()
	return r.out
}

// tone sets the tone of the utterance.
func (r *reading) tone() {
	words, phatic, read := 0, true, 0
	for n, s := range r.sentences {
		c := english.NewClause(r.u.Text, s.Words)
		for i := range s.Words {
			if read++; read > toneWords {
				r.out.Phatic = false
				return
			}
			phatic = phatic && filler[s.Words[i].Low] && !s.Words[i].Quoted
			words++
			if d := r.warmthAt(c, i); d != 0 {
				r.out.Warmth = max(-1, min(1, r.out.Warmth+d))
			}
		}
		start := 0
		for start < len(s.Words)-1 && (s.Words[start].Low == "oh" || s.Words[start].Low == "well" || s.Words[start].Low == "so" || s.Words[start].Low == "ok" || s.Words[start].Low == "okay") {
			start++
		}
		_, greets := greetings.Find(c, start)
		r.out.Greeting = r.out.Greeting || greets && n == 0
		r.out.Farewell = r.out.Farewell || r.parts(c)
	}
	r.out.Phatic = phatic && words <= 12 && !asksAnything(r.sentences, words)
}

// asksAnything reports whether filler words make a question that needs an answer ("what is it?"). "How are you?"
// needs none.
func asksAnything(sentences []english.Sentence, words int) bool {
	for _, s := range sentences {
		if s.Asks && len(s.Words) > 0 && s.Words[0].Low == "what" && words > 2 {
			return true
		}
	}
	return false
}

// warmthAt returns the warmth of the wording at word i.
func (r *reading) warmthAt(c english.Clause, i int) float64 {
	if !warmStarts[c.Low(i)] || c.Low(i-1) == "no" || c.Low(i-1) == "said" {
		return 0
	}
	for _, w := range warm {
		if m, ok := w.pattern.Find(c, i); ok {
			if c.Low(i-1) == "i" && w.pattern.Elements[0].Words[0] != "i" && (c.Low(i) == "love" || c.Low(i) == "hate") {
				return 0 // counted one word earlier
			}
			if c.Low(i-1) == "not" {
				return -w.by / 2
			}
			if w.by < 0 && c.Low(m.End) == "not" {
				return 0
			}
			return w.by
		}
	}
	return 0
}

// warmStarts holds the first words of the wordings in warm.
var warmStarts = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range warm {
		for _, word := range w.pattern.Elements[0].Words {
			m[word] = true
		}
	}
	return m
}()

// parts reports whether the sentence says goodbye, at its start or after a comma.
func (r *reading) parts(c english.Clause) bool {
	for i := range c.Words {
		if i > 0 && !c.Words[i].Comma && !english.Leads[c.Low(i-1)] && !english.Joints[c.Low(i-1)] && !filler[c.Low(i-1)] {
			continue
		}
		if m, ok := farewells.Find(c, i); ok && len(c.Words)-m.End <= 3 {
			return true
		}
	}
	return false
}
