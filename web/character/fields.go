package character

import (
	"familiar/memory/model"
)

// kind is how a field is written in a form.
type kind int

const (
	// line is a text of one line, prose one of several.
	line kind = iota
	prose
	// items is a list of short texts, one on each line. A line that begins with a space belongs to the item above.
	items
	// texts is a list of longer texts, each with a box of its own.
	texts
	// pairs is a list of examples: what a person says and what the persona answers.
	pairs
	// named are numbers by names of the operator's, sectors numbers of the sectors of memory.
	named
	sectors
	// note is a text with its depth and role.
	note
	// choice is one of several words.
	choice
)

// option is one word of a choice.
type option struct{ value, label string }

// field is a field of a persona's file as forms show it.
type field struct {
	name, label, hint string
	kind              kind
	options           []option
	rows              string
	// required fields stay in the file when they are empty.
	required bool
}

// form is a page with a part of the fields.
type form struct {
	// path is the last part of the page's path, "" for the first page.
	path, title, about string
	fields             []field
}

// sectorNames are the sectors of memory in the order of forms.
var sectorNames = []model.Sector{model.Episodic, model.Semantic, model.Procedural, model.Emotional, model.Reflective}

// sectorLabels say what the sectors hold.
var sectorLabels = map[model.Sector]string{
	model.Episodic: "what happened", model.Semantic: "facts", model.Procedural: "how things are done", model.Emotional: "feelings",
	model.Reflective: "its own thoughts",
}

// forms are the pages with fields.
var forms = []form{
	{"", "Card", "Who the persona is. Only what you change is written; everything else in the file stays as it is, comments too.", []field{
		{name: "name", label: "Name", hint: "How it is called. The name heads every line it says.", kind: line, required: true},
		{name: "nickname", label: "Nickname", hint: "What {{char}} stands for in texts, if not the name.", kind: line},
		{name: "description", label: "Description", hint: "Who this is, in a few sentences: where they are found, what they know, what they care about.", kind: prose, rows: "8", required: true},
		{name: "traits", label: "Traits", hint: "Traits of character with their strength, 0 to 1. Growth moves them slowly from there.", kind: named},
		{name: "values", label: "Values", hint: "What it holds to, one on each line.", kind: items, rows: "4"},
		{name: "interests", label: "Interests", hint: "What it likes to read about on the web, one on each line, a few words each.", kind: items, rows: "3"},
		{name: "personality", label: "Personality", hint: "As character cards have it. May contain placeholders such as {{char}} and {{user}}.", kind: prose, rows: "4"},
		{name: "scenario", label: "Scenario and backstory", hint: "Where the talk takes place, and what came before.", kind: prose, rows: "4"},
		{name: "language", label: "Language", hint: "A tag such as en or pt-PT.", kind: line},
		{name: "timezone", label: "Time zone", hint: "Such as Europe/Lisbon; empty for that of the home.", kind: line},
	}},
	{"voice", "Voice", "How the persona sounds, how it opens a talk, and what shows its manner.", []field{
		{name: "voice", label: "Voice", hint: "How it talks: length, words, humour, what it never does.", kind: prose, rows: "5", required: true},
		{name: "greetings", label: "Greetings", hint: "How it opens a talk, each in its turn, one on each line; {name} stands for how the person is called.", kind: items, rows: "5"},
		{name: "examples", label: "Examples", hint: "A few exchanges in its manner teach more than any description. Empty both boxes to remove one.", kind: pairs},
		{name: "first_messages", label: "First messages", hint: "Longer openings, as character cards have them. The first is for somebody new.", kind: texts},
		{name: "group_greetings", label: "Openings in groups", hint: "What it says when it comes into a group.", kind: texts},
		{name: "example_dialogue", label: "Example dialogue", hint: "As character cards have it: lines that begin with {{user}}: or {{char}}:, in blocks behind <START>.", kind: prose, rows: "5"},
		{name: "system_prompt", label: "Instructions", hint: "Read by the model before everything else.", kind: prose, rows: "4"},
		{name: "post_history_instructions", label: "Instructions after the talk", hint: "Read by the model last.", kind: prose, rows: "3"},
		{name: "author_note", label: "Author's note", hint: "Stands within the talk, so many messages before its end.", kind: note},
	}},
	{"boundaries", "Boundaries", "What the persona does not do. Growth never changes these.", []field{
		{name: "boundaries", label: "Boundaries", hint: "What it does not do, one on each line.", kind: items, rows: "8"},
		{name: "rating", label: "Rating", hint: "A persona for adults talks only in rooms that have adult: true in familiar.yaml.", kind: choice, options: []option{{"everyone", "Everyone"}, {"adult", "Adults"}}},
		{name: "world_facts", label: "Facts about the world", hint: "Whether it learns and follows facts such as who wrote a book.", kind: choice, options: []option{{"true", "Yes"}, {"false", "No"}}},
	}},
	{"remembering", "Remembering", "How much each kind of memory counts, and how fast it fades.", []field{
		{name: "sectors", label: "Weight", hint: "How much each kind of memory counts when it remembers, 0 to 5; empty is 1, as usual.", kind: sectors},
		{name: "fading", label: "Fading", hint: "How fast each kind fades, a day: 0.0001 (for life) to 1 (for days); empty is as usual. What is stored already keeps the day on which it is forgotten.", kind: sectors},
	}},
}
