// Package memory is the memory of a chat persona in one SQLite file. It stores what was said, what was learned from it
// and what waits to be sent, and it decides who may see what. It knows no chat network and calls no model.
//
// # Memory for your own program
//
// A program that needs memory without a chat bot uses two types. [Open] opens a [Store], which is one file.
// [Store.Notebook] opens a [Notebook] in it: what one person tells one persona. A notebook is private to its person.
// All writers of a notebook with a group share it. A notebook without a person holds what everybody may know.
//
//	store, err := memory.Open(ctx, "notes.db", memory.Options{Now: time.Now})
//	…
//	defer store.Close()
//	ann, err := store.Notebook(ctx, memory.Owner{Persona: "helper", Person: "ann"})
//	…
//	_, err = ann.Remember(ctx, "My dog is called Rex.")
//	text, err := ann.Context(ctx, "What is my dog called?", 500)
//
// [Notebook.Remember] stores a text with its sector, its salience, the time it speaks of and its claims.
// [Notebook.Recall] ranks what is known for a query; [Notebook.Context] packs it into a token budget for a prompt.
// [Notebook.Beliefs] lists the claims that hold now with their evidence; a correction replaces the belief it corrects.
// [Notebook.Forget] removes a memory with everything derived from it. No model is called, and nothing leaves the
// process.
//
// What a program knows better than the text can be said with options: [At], [Salience], [As], [Tags], [Pinned], [Answer]
// and [NewSession] for Remember; [Limit], [Weights], [Sectors], [After], [Before], [InSession], [Tagged], [OwnWords],
// [Similar], [Weak] and [Explained] for Recall and Context. The record types are in package [familiar/memory/model].
//
// [Notebook.Recent] and [Notebook.Memories] list, [Notebook.Session] returns a conversation, [Notebook.Correct] replaces
// the value of a belief, and [Notebook.Conclude] stores what the program itself, or its model, concludes from memories.
//
// # Time
//
// Nothing here reads the clock but through [Options].Now. A game hands in its own time: then days pass when the game
// says so, and [Store.Lifecycle] with its Decay fades what is old by that time.
//
// # Meaning
//
// Recall finds by words, by concepts and by who said what. With an [Embedder] it also finds by meaning: call
// [Store.EmbedWaiting] now and then, and recall with [Similar].
//
// # Importing it
//
// The module is called familiar, without a domain, so a program names its source in go.mod:
//
//	require familiar v0.0.0
//	replace familiar => ../familiar
//
// SQLite is linked through cgo: building needs a C compiler.
//
// # The whole store
//
// A bot needs more: rooms with many people, an inbox and an outbox that survive a crash, a record of what each answer
// was made from. Each concern is a package, and a Store holds one value of each:
//
//   - [Store.Log], package log: inbox, outbox, rooms, people and their handles, pairing, and the key-value state of channels.
//   - [Store.Entries], package entry: memories one by one, with tags, and the state of the embedder.
//   - [Store.Recall], package recall: ranking, packing and explaining.
//   - [Store.Beliefs], package belief: beliefs with evidence, revision, and open items.
//   - [Store.Lifecycle], package lifecycle: decay, tiers, rules, edges, clusters, inferences and the embedding backlog; one method for each job.
//   - [Store.Turns], package turns: a turn in one transaction, sessions and their ends, episodes, relationships, mood, growth, proactive messages, and why an answer was given.
//   - [Store.Eraser], package erase: forgetting, expiry, edits and deletions, reverting a job run, pruning.
//   - [Store.Transfer], package transfer: export, import and documents.
//   - [Store.Access], package access: the tokens of other programs, each bound to a persona and a view.
//   - [Store.Jobs] and [Store.Budget], packages jobrun and budget: job runs with their cursors, and token usage.
//
// Every read that may end in an answer takes a [Visibility], the place where the answer is given, so that private talk
// stays private. Methods without one are for operators and jobs.
//
// A Store and its Notebooks are safe for concurrent use, also by several processes on one file.
package memory
