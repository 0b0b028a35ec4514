package simulate

import (
	"math/rand/v2"
	"time"
)

// opening is how people begin.
func opening(r *rand.Rand, at time.Time) string {
	switch h := at.Hour(); {
	case h < 11 && chance(r, .5):
		return pick(r, "Good morning!", "morning", "Good morning, did you sleep well?")
	case h >= 18 && chance(r, .4):
		return pick(r, "Good evening.", "evening!")
	}
	return pick(r, "Hi!", "hey", "Hello again", "Hi there", "hello", "Hey, how are you?", "It's me again.", "hi, got a minute?")
}

// What people say when nothing in particular happened.
var (
	smallTalk = split("It's been raining all day.|The bus was late again.|I had soup for lunch.|Work was busy today.|" +
		"I watched a documentary about octopuses last night.|I can't find my umbrella anywhere.|The neighbours are renovating again.|" +
		"I baked bread and it actually worked.|My phone battery dies by noon.|We played cards until midnight.|I finally cleaned the oven.|" +
		"I'm reading a novel about a lighthouse keeper.|The coffee machine at work broke.|I walked along the river after work.|" +
		"There was a fox in the yard this morning.|I bought new running shoes.|The train was packed today.|I slept terribly.|" +
		"I've been thinking about repainting the kitchen.|We had friends over for dinner.|I tried a new recipe with chickpeas.|" +
		"My boss was in a strange mood.|I forgot my keys at the office.|The market had the first strawberries.|It's so hot in here.|" +
		"I listened to an old record while cooking.|I think I'm coming down with a cold.|The wifi keeps dropping out.|" +
		"I saw the most beautiful sunset.|My back hurts from all the sitting.|I spent an hour on the phone with the bank.|" +
		"We went to the flea market and bought a lamp.|I burned the rice.|The garden needs so much work.|I got a parking ticket.|" +
		"There's a new bakery round the corner.|I've started doing the crossword.|Our meeting could have been an email.|" +
		"I met an old friend at the station by chance.|The film was too long but the music was great.|I dropped my favourite mug.|" +
		"I have to do my taxes.|The weekend went by way too fast.|ok|lol|haha|I don't know what to cook tonight.|Nothing special today.|" +
		"just tired of the news tbh|I spilled tea on my laptop, it survived.|The power was out for an hour.|I found twenty euros in a coat.|" +
		"We looked at old photos.|The plants on the balcony are thriving.|I signed up for a pottery class.|My tooth hurts a little.|" +
		"I got stuck in the lift for ten minutes!|The kids next door built a snowman.|I missed the last bus.|I repaired my bike myself.")
	feelings = split("I feel a bit lonely today.|I'm so happy today!|I'm tired.|I'm stressed about work.|I feel calm for once.|" +
		"I'm really proud of myself.|I'm worried about money.|I feel sad and I don't know why.|I'm excited about the weekend.|" +
		"I'm so angry at my boss.|I'm bored.|I had a panic attack on the train.|I feel much better than last week.|I'm anxious.")
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
