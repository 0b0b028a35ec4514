package simulate

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"time"
)

// opening returns a greeting that starts a talk.
func opening(r *rand.Rand, at time.Time) string {
	switch h := at.Hour(); {
	case h < 11 && chance(r, .5):
		return pick(r, "Good morning!", "morning", "Good morning, did you sleep well?")
	case h >= 18 && chance(r, .4):
		return pick(r, "Good evening.", "evening!")
	}
	return pick(r, "Hi!", "hey", "Hello again", "Hi there", "hello", "Hey, how are you?", "It's me again.", "hi, got a minute?")
}

// What people say on an uneventful day.
var (
	fillers = split("ok|lol|haha|Nothing special today.|just tired of the news tbh|hm, let me think|I don't know what to cook tonight.|not much going on")
	// chatter holds sentences with gaps, each filled from the list of its name, so that people rarely repeat a
	// sentence.
	chatter = split("{When} I {did} {with}.|I {did} {when}.|{When} I {did}, {verdict}.|I can't find {thing} anywhere.|{Thing} broke {when}, {verdict}.|" +
		"The {place} was {state} {when}.|I read {work} {when}, {verdict}.|We watched {work} {with}, {verdict}.|It's been {weather} since {day}.|" +
		"I'm cooking {dish} tonight.|I tried {dish} at the {place}, {verdict}.|My {colleague} {oddity} {when}.|There was {sight} by the {place} {when}.|" +
		"{When} the {transport} was late because of {cause}.|I spent an hour {chore} {when}.|I'm thinking about {chore} on {day}.|" +
		"I dreamt about {sight} last night.|Did you know that {work} is coming back?|My {part} hurts since I {did}.|The {weather} outside makes me want {dish}.")
	gaps = map[string][]string{
		"when": split("yesterday|this morning|last night|on the way home|at lunch|after work|at the weekend|earlier|the other day|on Monday|on Saturday|last week"),
		"day":  split("Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday"),
		"did": split("walked along the canal|baked a loaf of rye|fixed the bathroom tap|rode the bike to the lake|sorted old photographs|repotted the ferns|" +
			"played table tennis|sang in the choir|queued at the post office|swam in the outdoor pool|hung the new curtains|sharpened all the knives|" +
			"carried boxes to the cellar|got lost in the old town|picked blackberries|knitted half a sleeve|tuned the radio|painted the fence|" +
			"waited for the locksmith|listened to a podcast about volcanoes|took the long way round|cleared out the wardrobe|flew a kite|sat in the sauna"),
		"with": split("with a friend|by myself|with the neighbours|with two colleagues|with my cousin|all afternoon|in the rain|until it got dark|for once|without a break"),
		"verdict": split("it was lovely|never again|not bad at all|quite an adventure|what a mess|it made my day|I nearly cried|worth every minute|rather dull|" +
			"I laughed so much|you wouldn't believe it|it took forever"),
		"thing": split("the corkscrew|my umbrella|the spare charger|my left glove|the bread knife|my library card|the tape measure|the kettle|the doorbell|" +
			"the toaster|the remote control|my reading glasses|the bicycle pump|the desk lamp|the vacuum cleaner"),
		"place":     split("market|library|harbour|bakery|station|swimming pool|hardware shop|town hall|park|museum|cinema|car park|laundrette|clinic|corner shop"),
		"state":     split("packed|deserted|closed|full of tourists|freezing|being repainted|surprisingly quiet|flooded|decorated with lanterns|out of everything"),
		"work":      split("a novel about lighthouse keepers|the documentary about octopuses|a detective story|an old western|a comic about bees|a history of tea|that series with the detective twins|a poem about herons|a film about chess|a cookbook from the fifties|the sequel to the heist film|a memoir of a midwife"),
		"weather":   split("drizzling|foggy|stormy|boiling hot|icy|windy|grey|muggy"),
		"dish":      split("lentil soup|pancakes|a potato gratin|curry|stuffed peppers|onion tart|noodle salad|goulash|apple crumble|bean stew|omelette|roast pumpkin"),
		"colleague": split("boss|desk neighbour|flatmate|landlady|postman|hairdresser|trainer|upstairs neighbour"),
		"oddity": split("lost the keys|told the same joke twice|wore two different shoes|brought doughnuts|forgot the meeting|started whistling opera|adopted a cactus|" +
			"shouted at the printer|fell asleep at the table|gave a speech"),
		"sight":     split("a heron|an enormous hedgehog|a brass band|three hot-air balloons|a double rainbow|a stray goat|a street magician|a broken piano|a wedding party"),
		"transport": split("bus|train|tram|ferry|lift"),
		"cause":     split("leaves on the line|a strike|a flat tyre|fog|a lost suitcase|roadworks|a power cut"),
		"chore":     split("doing the taxes|descaling the kettle|calling the bank|filling in forms|ironing shirts|defrosting the freezer|untangling cables|comparing insurances|mowing the lawn|cleaning the oven"),
		"part":      split("back|knee|neck|shoulder|wrist|ankle"),
	}
	// questions are small talk; the script knows no answers to them.
	questions = split("How are you?|What do you think about rain?|What did you do today?|Do you ever get bored?|Can you recommend a book?|" +
		"What should I cook tonight?|Do you like music?|What's your name again?|Where are you from?|Are you a real person?|" +
		"What do you know about me?|What did I tell you last time?|What have I got coming up?|Do you remember what we talked about last week?|" +
		"What's the capital of Peru?|Tell me something.|Do you have a family?")
	warmth = split("You're a good listener.|Thank you so much, that helps.|I like talking to you.|You always remember, I love that.|" +
		"Thanks for asking!|I missed you.|You're the best.")
	grumbles = split("You're not helpful.|You don't get it.|That's a stupid answer.|Whatever.")
	clubTalk = split("I can't make it next week, sorry all.|Who brings the snacks on Thursday?|The film last week was great.|" +
		"I vote for the quiz night.|I'll bring a lasagne.|Has anybody seen my scarf?|Let's meet at the pub at eight.|" +
		"We should do a board game night again.|I'm running ten minutes late.|Happy Thursday everyone!|The new place has terrible parking.|" +
		"Shall we book the bowling alley?|I loved the book we read.|Next book: something shorter, please.|That was so much fun!")
	clubAsks = split("What are we doing next week?|What was the plan for Thursday?|Who brings the snacks?|How are you, by the way?")
)

// gap matches a gap in a sentence. A capital letter at its start capitalizes the filling.
var gap = regexp.MustCompile(`\{\w+\}`)

// filled returns a sentence with its gaps filled.
func filled(r *rand.Rand, sentence string) string {
	return gap.ReplaceAllStringFunc(sentence, func(g string) string {
		list := strings.Trim(g, "{}")
		word := pick(r, gaps[strings.ToLower(list)]...)
		if list[0] < 'a' {
			word = strings.ToUpper(word[:1]) + word[1:]
		}
		return word
	})
}
