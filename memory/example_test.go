package memory_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"time"

	"familiar/memory"
	"familiar/memory/belief"
	"familiar/memory/model"
	"familiar/memory/transfer"
)

// A program stores what its user says and asks for it later.
func Example() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "notes")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	store, err := memory.Open(ctx, filepath.Join(dir, "notes.db"), memory.Options{Now: morning})
	if err != nil {
		log.Fatal(err)
	}
	defer store.Close()
	ann, err := store.Notebook(ctx, memory.Owner{Persona: "helper", Person: "ann", Name: "Ann"})
	if err != nil {
		log.Fatal(err)
	}
	for _, text := range []string{"My dog is called Rex.", "The vet is open on Tuesdays.", "I moved to Lisbon last week."} {
		if _, err := ann.Remember(ctx, text); err != nil {
			log.Fatal(err)
		}
	}
	text, err := ann.Context(ctx, "What is my dog called?", 20)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(text)
	// Output:
	// [2026-01-05 09:00] Ann: My dog is called Rex.
}

// morning is a stopped clock, so that the examples always print the same.
func morning() time.Time { return time.Date(2026, time.January, 5, 9, 0, 0, 0, time.UTC) }

// withStore runs an example on an empty store.
func withStore(do func(ctx context.Context, store *memory.Store)) {
	dir, err := os.MkdirTemp("", "notes")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	ctx := context.Background()
	store, err := memory.Open(ctx, filepath.Join(dir, "notes.db"), memory.Options{Now: morning})
	if err != nil {
		log.Fatal(err)
	}
	defer store.Close()
	do(ctx, store)
}

// withNotebook runs an example on Ann's empty notebook.
func withNotebook(do func(ctx context.Context, ann *memory.Notebook)) {
	withStore(func(ctx context.Context, store *memory.Store) {
		do(ctx, open(ctx, store, memory.Owner{Person: "ann", Name: "Ann"}))
	})
}

func open(ctx context.Context, store *memory.Store, o memory.Owner) *memory.Notebook {
	o.Persona = "helper"
	n, err := store.Notebook(ctx, o)
	if err != nil {
		log.Fatal(err)
	}
	return n
}

func remember(ctx context.Context, n *memory.Notebook, texts ...string) {
	for i, text := range texts {
		if _, err := n.Remember(ctx, text, memory.At(morning().Add(time.Duration(i)*time.Minute))); err != nil {
			log.Fatal(err)
		}
	}
}

// A private note belongs to its person, a note in a group to the group, and a note of no person to everybody.
func ExampleStore_Notebook() {
	withStore(func(ctx context.Context, store *memory.Store) {
		ann, bob := memory.Owner{Person: "ann"}, memory.Owner{Person: "bob"}
		remember(ctx, open(ctx, store, ann), "The door code is 4711.")
		ann.Group, bob.Group = "office", "office"
		remember(ctx, open(ctx, store, ann), "The back door code has changed.")
		remember(ctx, open(ctx, store, memory.Owner{}), "The front door code is at the reception.")

		hits, err := open(ctx, store, bob).Recall(ctx, "the door code")
		if err != nil {
			log.Fatal(err)
		}
		for _, h := range hits {
			fmt.Println(h.Memory.Text)
		}
	})
	// Output:
	// The back door code has changed.
	// The front door code is at the reception.
}

// A text's sector, salience and time come from its words.
func ExampleNotebook_Remember() {
	withNotebook(func(ctx context.Context, ann *memory.Notebook) {
		for _, text := range []string{"Hi!", "I have an interview tomorrow at Acme.", "Always answer in short sentences."} {
			m, err := ann.Remember(ctx, text)
			if err != nil {
				log.Fatal(err)
			}
			fmt.Printf("%s %.2f %v %s\n", m.Sector, m.Salience, m.Instruction, m.EventFrom.Format(time.DateOnly))
		}
	})
	// Output:
	// episodic 0.10 false 0001-01-01
	// episodic 0.68 false 2026-01-06
	// procedural 0.81 true 0001-01-01
}

func ExampleNotebook_Recall() {
	withNotebook(func(ctx context.Context, ann *memory.Notebook) {
		remember(ctx, ann, "I planted three apple trees.", "My brother Tom loves sailing.", "Tom sold his boat in May.")
		hits, err := ann.Recall(ctx, "Does Tom still have a boat?", memory.Limit(1))
		if err != nil {
			log.Fatal(err)
		}
		for _, h := range hits {
			fmt.Println(h.Memory.Author+":", h.Memory.Text)
		}
		hits, err = ann.Recall(ctx, "quantum computing")
		fmt.Println(len(hits), err)
	})
	// Output:
	// Ann: Tom sold his boat in May.
	// 0 <nil>
}

// Outdated values are marked in the context.
func ExampleNotebook_Context() {
	withNotebook(func(ctx context.Context, ann *memory.Notebook) {
		remember(ctx, ann, "I live in Riga.", "It rains a lot.", "I moved to Lisbon.")
		text, err := ann.Context(ctx, "Where do I live?", 100)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(text)
	})
	// Output:
	// [2026-01-05 09:00] Ann: I live in Riga [no longer current].
	// [2026-01-05 09:01] Ann: It rains a lot.
	// [2026-01-05 09:02] Ann: I moved to Lisbon.
}

// A correction replaces a belief. The old value stays as history.
func ExampleNotebook_Beliefs() {
	withNotebook(func(ctx context.Context, ann *memory.Notebook) {
		remember(ctx, ann, "My dog is called Rex.", "No, my dog is called Milo.")
		beliefs, err := ann.Beliefs(ctx, belief.Filter{IncludeHistory: true})
		if err != nil {
			log.Fatal(err)
		}
		for _, b := range beliefs {
			fmt.Println(b.Subject, b.Relation, b.Value, b.Status)
		}
	})
	// Output:
	// Ann pet_name:dog Milo active
	// Ann pet_name:dog Rex superseded
}

// A program can store a claim without a text. It counts like something the person said.
func ExampleNotebook_Believe() {
	withNotebook(func(ctx context.Context, ann *memory.Notebook) {
		for _, plan := range []string{"free", "pro"} {
			if _, err := ann.Believe(ctx, "", "favourite plan", plan); err != nil {
				log.Fatal(err)
			}
		}
		beliefs, err := ann.Beliefs(ctx, belief.Filter{})
		if err != nil {
			log.Fatal(err)
		}
		for _, b := range beliefs {
			fmt.Println(b.Relation, b.Value, len(b.Evidence))
		}
	})
	// Output:
	// favourite plan pro 1
}

// Forgetting a memory removes everything derived from it.
func ExampleNotebook_Forget() {
	withNotebook(func(ctx context.Context, ann *memory.Notebook) {
		m, err := ann.Remember(ctx, "I was born in Oslo.")
		if err != nil {
			log.Fatal(err)
		}
		gone, err := ann.Forget(ctx, m.ID)
		fmt.Println(gone, err)
		beliefs, err := ann.Beliefs(ctx, belief.Filter{IncludeHistory: true})
		fmt.Println(len(beliefs), err)
	})
	// Output:
	// 1 memory, 1 belief, 1 message <nil>
	// 0 <nil>
}

// A query can be narrowed to a time, a session, sectors or a tag.
func ExampleNotebook_Recall_selection() {
	withNotebook(func(ctx context.Context, ann *memory.Notebook) {
		remember(ctx, ann, "I rowed the boat to the island.", "The boat has a leak.", "I love that boat.")
		hits, err := ann.Recall(ctx, "the boat", memory.After(morning()), memory.Sectors(model.Semantic), memory.Limit(5))
		if err != nil {
			log.Fatal(err)
		}
		for _, h := range hits {
			fmt.Println(h.Memory.Sector, "·", h.Memory.Text)
		}
	})
	// Output:
	// semantic · The boat has a leak.
}

// What the persona answered belongs to the session. It is never evidence.
func ExampleNotebook_Session() {
	withNotebook(func(ctx context.Context, ann *memory.Notebook) {
		if _, err := ann.Remember(ctx, "I planted a pear tree.", memory.Answer("You must love pears!")); err != nil {
			log.Fatal(err)
		}
		said, err := ann.Session(ctx, 0) // the latest
		if err != nil {
			log.Fatal(err)
		}
		for _, m := range said {
			fmt.Printf("%s: %s\n", m.Name, m.Text)
		}
		beliefs, err := ann.Beliefs(ctx, belief.Filter{})
		fmt.Println(len(beliefs), err)
	})
	// Output:
	// Ann: I planted a pear tree.
	// helper: You must love pears!
	// 0 <nil>
}

// A program may correct a belief without a text.
func ExampleNotebook_Correct() {
	withNotebook(func(ctx context.Context, ann *memory.Notebook) {
		remember(ctx, ann, "I live in Riga.")
		known, err := ann.Beliefs(ctx, belief.Filter{})
		if err != nil {
			log.Fatal(err)
		}
		if _, err := ann.Correct(ctx, known[0].ID, "Tallinn"); err != nil {
			log.Fatal(err)
		}
		now, err := ann.Beliefs(ctx, belief.Filter{})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(known[0].Value, "→", now[0].Value)
	})
	// Output:
	// Riga → Tallinn
}

// A program that sees a pattern stores it with the memories that show it. It goes when they are forgotten.
func ExampleNotebook_Conclude() {
	withNotebook(func(ctx context.Context, ann *memory.Notebook) {
		remember(ctx, ann, "I could not sleep before the concert.", "I could not sleep before the exam.")
		seen, err := ann.Recent(ctx, 2)
		if err != nil {
			log.Fatal(err)
		}
		m, err := ann.Conclude(ctx, "Ann sleeps badly before big days.", seen[0].ID, seen[1].ID)
		fmt.Println(m.Sector, m.Origin, err)
		for _, m := range seen {
			if _, err := ann.Forget(ctx, m.ID); err != nil {
				log.Fatal(err)
			}
		}
		hits, err := ann.Recall(ctx, "How does Ann sleep?")
		fmt.Println(len(hits), err)
	})
	// Output:
	// reflective inferred <nil>
	// 0 <nil>
}

// With a clock of its own, a game lets years pass in no time. What matters little becomes dormant then: it is found
// only by a strong match, until it is removed.
func ExampleStore_time() {
	dir, err := os.MkdirTemp("", "game")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	ctx, today := context.Background(), morning()
	store, err := memory.Open(ctx, filepath.Join(dir, "game.db"), memory.Options{Now: func() time.Time { return today }})
	if err != nil {
		log.Fatal(err)
	}
	defer store.Close()
	ann := open(ctx, store, memory.Owner{Person: "ann", Name: "Ann"})
	if _, err := ann.Remember(ctx, "The bridge is closed.", memory.Salience(0.2)); err != nil {
		log.Fatal(err)
	}

	today = today.AddDate(2, 0, 0)
	faded, err := store.Lifecycle.Decay(ctx, today)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(faded)
	text, err := ann.Context(ctx, "the bridge", 50)
	fmt.Println(text, err)
	// Output:
	// 1 became dormant, removed 0 dormant and 0 expired
	// [2026-01-05 09:00] Ann: The bridge is closed. <nil>
}

// letters is a toy model: a text's vector counts its letters.
type letters struct{}

func (letters) Model() string { return "letters" }

func (letters) Embed(_ context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		vectors[i] = make([]float32, 26)
		for _, r := range strings.ToLower(text) {
			if r >= 'a' && r <= 'z' {
				vectors[i][r-'a']++
			}
		}
	}
	return vectors, nil
}

// A program brings its own embedding model.
func ExampleStore_EmbedWaiting() {
	withStore(func(ctx context.Context, store *memory.Store) {
		ann := open(ctx, store, memory.Owner{Person: "ann", Name: "Ann"})
		remember(ctx, ann, "My dog is called Rex.", "I planted a pear tree.")
		done, err := store.EmbedWaiting(ctx, letters{}, 0)
		fmt.Println(done.Vectors, err)
		hits, err := ann.Recall(ctx, "What is my dog called?", memory.Similar(letters{}), memory.Limit(1))
		fmt.Println(hits[0].Memory.Text, err)
	})
	// Output:
	// 2 <nil>
	// My dog is called Rex. <nil>
}

// Several reads can see one moment of the store.
func ExampleStore_Snapshot() {
	withStore(func(ctx context.Context, store *memory.Store) {
		ann := open(ctx, store, memory.Owner{Person: "ann"})
		remember(ctx, ann, "I live in Riga.")
		err := store.Snapshot(ctx, func(ctx context.Context) error {
			beliefs, err := ann.Beliefs(ctx, belief.Filter{})
			if err != nil {
				return err
			}
			newest, err := ann.Recent(ctx, 1)
			if err != nil {
				return err
			}
			fmt.Println(beliefs[0].Value, "·", newest[0].Text)
			return nil
		})
		if err != nil {
			log.Fatal(err)
		}
	})
	// Output:
	// Riga · I live in Riga.
}

// A copy can be made while the store is in use.
func ExampleStore_Backup() {
	withStore(func(ctx context.Context, store *memory.Store) {
		remember(ctx, open(ctx, store, memory.Owner{Person: "ann"}), "My dog is called Rex.")
		saved := store.Path() + ".saved"
		if err := store.Backup(ctx, saved); err != nil {
			log.Fatal(err)
		}
		copied, err := memory.Open(ctx, saved, memory.Options{Now: morning})
		if err != nil {
			log.Fatal(err)
		}
		defer copied.Close()
		text, err := open(ctx, copied, memory.Owner{Person: "ann"}).Context(ctx, "the dog", 50)
		fmt.Println(text, err)
	})
	// Output:
	// [2026-01-05 09:00] ann: My dog is called Rex. <nil>
}

// An export of one store can be imported into another.
func ExampleStore_Export() {
	var file bytes.Buffer
	withStore(func(ctx context.Context, store *memory.Store) {
		remember(ctx, open(ctx, store, memory.Owner{Person: "ann"}), "My dog is called Rex.")
		written, err := store.Transfer.Export(ctx, &file, transfer.ExportOptions{})
		fmt.Println(written["memory"], err)
	})
	withStore(func(ctx context.Context, store *memory.Store) {
		added, err := store.Transfer.Import(ctx, "notes.jsonl", bytes.NewReader(file.Bytes()))
		fmt.Println(added["memory"], err)
		hits, err := open(ctx, store, memory.Owner{Person: "ann"}).Recall(ctx, "my dog")
		fmt.Println(hits[0].Memory.Text, err)
	})
	// Output:
	// 1 <nil>
	// 1 <nil>
	// My dog is called Rex. <nil>
}
