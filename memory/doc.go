// Package memory keeps what a persona knows in one SQLite file: what was heard and said, what was made of it, and
// what is still to be said. It decides what is stored and who may hear it, and knows no network and no model.
//
// # A memory of your own
//
// A program that wants a memory and no chat bot needs two types. [Open] opens a [Store], one file; [Store.Notebook]
// opens a [Notebook] in it, which is what one person tells one persona. A notebook is private to its person; one with a
// group is shared by all who write in it; one of nobody holds what everybody may know.
//
//	store, err := memory.Open(ctx, "notes.db", memory.Options{Now: time.Now})
//	…
//	defer store.Close()
//	ann, err := store.Notebook(ctx, memory.Owner{Persona: "helper", Person: "ann"})
//	…
//	_, err = ann.Remember(ctx, "My dog is called Rex.")
//	text, err := ann.Context(ctx, "What is my dog called?", 500)
//
// [Notebook.Remember] files a text as a message is filed in talk: what kind of memory it is, how much it matters, the
// time it speaks of, what it claims. [Notebook.Recall] ranks what is known about some words, [Notebook.Context] packs it
// into a budget of tokens, for a model to read. [Notebook.Beliefs] is what was claimed and still holds, each with the
// words it rests on; a correction replaces what it corrects. [Notebook.Forget] takes a memory away with everything that
// was made of it. No model is called and nothing leaves the process.
//
// # The whole store
//
// A bot needs more: rooms with many people in them, an inbox and an outbox that survive a crash, a record of what each
// answer was made from. These are methods of Store. Whatever may end in an answer takes a [Hearing], the place it is
// spoken in, so that what was said in private stays there; the methods without one are for operators and jobs.
//
// A Store and its Notebooks are safe for concurrent use, also by several processes on one file.
package memory
