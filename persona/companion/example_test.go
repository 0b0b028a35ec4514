package companion_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"familiar/memory"
	"familiar/persona/card"
	"familiar/persona/companion"
)

// A persona that remembers, in a few lines.
func Example() {
	dir, err := os.MkdirTemp("", "companion")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	ctx := context.Background()
	c, err := companion.Open(ctx, companion.Options{
		Path:  filepath.Join(dir, "otto.db"),
		Card:  &card.Card{Key: "otto", Name: "Otto", Description: "Otto mends boats.", Language: "en"},
		Start: time.Date(2026, time.January, 5, 18, 0, 0, 0, time.UTC),
	})
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Say(ctx, "ann", "My dog is called Rex."); err != nil {
		log.Fatal(err)
	}
	reply, err := c.Say(ctx, "ann", "What is my dog called?")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(reply.Text)
	// Output:
	// As you told it, your dog is called Rex.
}

// bar is a game with a bartender, whose days pass when the game says so.
type bar struct {
	*companion.Companion
	ctx context.Context
}

func (b bar) say(player, text string) {
	reply, err := b.Say(b.ctx, player, text)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s: %s\n  Lily: %s\n", player, text, reply.Text)
}

func (b bar) night() {
	if err := b.Advance(b.ctx, 24*time.Hour); err != nil {
		log.Fatal(err)
	}
	fmt.Println("—", b.Now().Format("Monday"))
}

// A bartender serves several players. What one tells alone, no other hears; what is said at the counter, everybody there
// may hear. Nights pass: the bartender dreams, forgets what matters little, and asks how plans turned out.
func ExampleCompanion_Advance_gameLoop() {
	dir, err := os.MkdirTemp("", "game")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	ctx := context.Background()
	lily, err := companion.Open(ctx, companion.Options{
		Path:  filepath.Join(dir, "bar.db"),
		Card:  &card.Card{Key: "lily", Name: "Lily", Description: "Lily keeps the bar at the harbour.", Language: "en"},
		Start: time.Date(2026, time.January, 5, 18, 0, 0, 0, time.UTC),
		Seed:  1,
		Deliver: func(d companion.Delivery) {
			fmt.Printf("  Lily, %s, to %s: %s\n", d.At.Format("Monday 15:04"), d.To, d.Text)
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer lily.Close()
	lily.Introduce("ann", "Ann")
	lily.Introduce("bob", "Bob")

	game := bar{lily, ctx}
	game.say("ann", "I buried the treasure at the lighthouse.")
	game.say("bob", "Where is the treasure?")
	game.say("ann", "I have a duel with the pirate tomorrow at noon.")
	game.night()
	game.night()
	game.say("ann", "Where did I bury the treasure?")

	counter := lily.Room("counter")
	if err := counter.Hear(ctx, "bob", "The ferry leaves on Friday."); err != nil {
		log.Fatal(err)
	}
	reply, err := counter.Say(ctx, "ann", "When does the ferry leave?")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("at the counter:", reply.Text)
	// Output:
	// ann: I buried the treasure at the lighthouse.
	//   Lily: Good evening, Ann. We haven't met yet: I'm Lily. Thanks for telling me.
	// bob: Where is the treasure?
	//   Lily: Good evening, Bob. I'm Lily. We haven't talked before. I don't know that — I'm no encyclopaedia, I only know what I hear in talks like this.
	// ann: I have a duel with the pirate tomorrow at noon.
	//   Lily: Duel with the pirate tomorrow at 12:00 — I'll ask you afterwards how it went, Ann.
	// — Tuesday
	//   Lily, Tuesday 18:50, to ann: Hello, Ann. “Duel with the pirate”, you said. How was it?
	// — Wednesday
	// ann: Where did I bury the treasure?
	//   Lily: You said on 5 January: “I buried the treasure at the lighthouse”.
	// at the counter: Bob said just now: “The ferry leaves on Friday” — so on Friday, Ann.
}

// The memory is there for the game's own logic.
func ExampleCompanion_Store() {
	dir, err := os.MkdirTemp("", "game")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	ctx := context.Background()
	c, err := companion.Open(ctx, companion.Options{
		Path:  filepath.Join(dir, "bar.db"),
		Card:  &card.Card{Key: "lily", Name: "Lily", Language: "en"},
		Start: time.Date(2026, time.January, 5, 18, 0, 0, 0, time.UTC),
	})
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	world, err := c.Store().Notebook(ctx, memory.Owner{Persona: "lily"}) // what everybody may know
	if err != nil {
		log.Fatal(err)
	}
	if _, err := world.Remember(ctx, "The ferry leaves on Friday at nine."); err != nil {
		log.Fatal(err)
	}
	reply, err := c.Say(ctx, "ann", "When does the ferry leave?")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(reply.Text)
	// Output:
	// Good evening, ann. We haven't met yet: I'm Lily. The ferry leaves on Friday at nine.
}
