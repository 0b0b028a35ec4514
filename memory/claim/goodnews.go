package claim

import "slices"

// goodNews tell of what people are congratulated on, their own or that of theirs.
var goodNews = compileAll(
	"I just? got just? engaged|married|promoted|hired", "I have just? got|gotten engaged|married|promoted|hired", "I has just? got|gotten engaged|married|promoted|hired",
	"I am~ getting married", "I proposed to|and", "proposed to me", "I am~ engaged $", "I am~ pregnant", "I am~ expecting twins", "I am~ expecting a|an|our|my|another first|second|third? baby|child|boy|girl", "I am~ expecting $",
	"I am~ having twins", "I am~ having a|an|our|my|another baby|boy|girl|child $", "I am~ going to have a|an|our|my baby|child", "I am~ going to be a|an mother|mum|mom|father|dad|parent|aunt|uncle|grandmother|grandma|grandfather|grandpa",
	"I had a|our|my|her|his|their first|second? baby|boy|girl|child $", "I had a|our|my|her|his|their first|second? baby|boy|girl|child last|this|yesterday|today|on|in|named|called", "I gave birth", "I became a mother|mum|mom|father|dad|parent|aunt|uncle|grandmother|grandma|grandfather|grandpa",
	"I graduated", "I got the|a new? job|place|part|role|promotion|raise|scholarship", "I got into {proper}", "I passed my|the|all")

// newsWords are those of which each wording of good news holds one.
var newsWords = set("engaged married promoted hired proposed pregnant expecting twins baby boy girl child birth graduated passed " +
	"job place part role promotion raise scholarship into mother mum mom father dad parent aunt uncle grandmother grandma grandfather grandpa")

// news notes good news told in the clause, which is the speaker's own statement.
func (r *reader) news(c clause) {
	if !slices.ContainsFunc(c.words, func(w word) bool { return newsWords[w.low] }) {
		return
	}
	for i := range c.words {
		if m, ok := at(c, i, goodNews); ok && !mentions(clause{words: c.words[:m.end]}, i, "not") {
			r.out.GoodNews = true
			return
		}
	}
}
