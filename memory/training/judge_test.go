package training_test

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"familiar/memory"
	"familiar/memory/memorytest"
	"familiar/memory/training"
)

// base is a store in which Quinn (1) agreed and Rolf (2) did not: Rolf spoke in their group, and Quinn was answered by a model in her
// direct room.
const base = `
	INSERT INTO people (id, name, created_at) VALUES (1, 'Quinn', 1), (2, 'Rolf', 1);
	INSERT INTO handles VALUES ('desk', 'quinn', 1, 'Quinn', 1, 1), ('desk', 'rolf', 2, 'Rolf', 1, 1);
	INSERT INTO rooms (id, channel, room, direct, person_id, created_at) VALUES (1, 'desk', 'quinn', 1, 1, 1), (2, 'desk', 'club', 0, NULL, 1);
	INSERT INTO room_people VALUES (1, 1, 1, 1), (2, 1, 1, 1), (2, 2, 1, 1);
	INSERT INTO training_consents (persona, person_id, room_id, given, at) VALUES ('tess', 1, 1, 1, 1);
	INSERT INTO sessions (id, persona, room_id, started_at, last_at) VALUES (1, 'tess', 2, 1, 1), (2, 'tess', 1, 1, 1), (3, 'tess', 1, 1, 1);
	INSERT INTO messages (id, persona, room_id, session_id, person_id, external_id, text, at) VALUES
		(10, 'tess', 2, 1, 2, 'a', 'The pond froze', 1), (11, 'tess', 2, 1, NULL, 'b', 'So it did', 1),
		(20, 'tess', 1, 2, 1, 'c', 'I like figs', 1), (21, 'tess', 1, 2, NULL, 'd', 'Figs, then', 1),
		(30, 'tess', 1, 3, 1, 'e', 'Tell me more', 1), (31, 'tess', 1, 3, NULL, 'f', 'SAID', 1);
	INSERT INTO memories (id, persona, audience, audience_person, audience_room, origin, author_id, sector, text, salience, created_at) VALUES
		(10, 'tess', 'room', NULL, 2, 'said', 2, 'episodic', 'The pond froze', 0.5, 1), (20, 'tess', 'private', 1, NULL, 'said', 1, 'episodic', 'I like figs', 0.5, 1),
		(40, 'tess', 'world', NULL, NULL, 'told', NULL, 'semantic', 'The harbour is old', 0.5, 1);
	INSERT INTO memory_sources VALUES (10, 10), (20, 20);
	INSERT INTO turns (id, persona, room_id, session_id, person_id, reply_id, voice, started_at, ended_at) VALUES
		(1, 'tess', 2, 1, 2, 11, 'model', 1, 1), (2, 'tess', 1, 2, 1, 21, 'model', 1, 1), (3, 'tess', 1, 3, 1, 31, 'model', 1, 1);
	INSERT INTO turn_heard VALUES (1, 10), (2, 20), (3, 30);
	INSERT INTO turn_items (turn_id, ord, memory_id, score, reason, used) VALUES (3, 0, 20, 1, 'said earlier', 1), (3, 1, 40, 1, 'said earlier', 0);`

// TestS1TheRecordOfAReplyDecides changes what is on record of the last reply, one thing at a time.
func TestS1TheRecordOfAReplyDecides(t *testing.T) {
	for name, c := range map[string]struct {
		change string
		why    training.Reason
	}{
		"only hers and lore":                   {``, ""},
		"his memory, used":                     {`INSERT INTO turn_items (turn_id, ord, memory_id, score, reason, used) VALUES (3, 2, 10, 1, 'x', 1)`, training.Others},
		"his memory, only shown":               {`INSERT INTO turn_items (turn_id, ord, memory_id, score, reason, used) VALUES (3, 2, 10, 1, 'x', 0)`, training.Others},
		"his memory, set aside":                {`UPDATE turns SET unused = '[{"m":10,"o":2}]' WHERE id = 3`, training.Others},
		"hers, set aside":                      {`UPDATE turns SET unused = '[{"m":20,"o":2,"n":[20]}]' WHERE id = 3`, ""},
		"one that is gone":                     {`UPDATE turns SET unused = '[{"m":77,"o":2}]' WHERE id = 3`, training.Others},
		"his line, set aside":                  {`UPDATE turns SET unused = '[{"m":20,"o":2,"n":[10]}]' WHERE id = 3`, training.Others},
		"his line":                             {`INSERT INTO turn_item_lines VALUES (3, 0, 10)`, training.Others},
		"what it answered him":                 {`INSERT INTO turn_item_lines VALUES (3, 0, 11)`, training.Others},
		"what it answered her":                 {`INSERT INTO turn_item_lines VALUES (3, 0, 21)`, ""},
		"what it answered her, from his":       {`INSERT INTO turn_item_lines VALUES (3, 0, 21); INSERT INTO turn_items (turn_id, ord, memory_id, score, reason, used) VALUES (2, 0, 10, 1, 'x', 0)`, training.Others},
		"her memory of him":                    {`INSERT INTO memory_about VALUES (20, 2)`, training.Others},
		"a summary of both":                    {summary + `; INSERT INTO memory_sources VALUES (50, 20), (50, 10)`, training.Others},
		"a summary of her":                     {summary + `; INSERT INTO memory_sources VALUES (50, 20), (50, 21)`, ""},
		"a summary of nothing":                 {summary, training.Others},
		"a summary of what it told him":        {summary + `; INSERT INTO memory_sources VALUES (50, 20), (50, 11)`, training.Others},
		"a belief of hers":                     {believed(`1, 1`, `1`), ""},
		"a belief of his about her":            {believed(`2, 1`, `2`), training.Others},
		"a belief of hers about him":           {believed(`1, 2`, `1`), training.Others},
		"a belief that he bears out":           {believed(`1, 1`, `2`), training.Others},
		"a plan of hers":                       {plan + `VALUES (60, 20, 'new')`, ""},
		"a plan that he moved":                 {plan + `VALUES (60, 20, 'new'), (60, 10, 'moved')`, training.Others},
		"a tool":                               {called(`web_fetch`), training.Tools},
		"the memory's own tool":                {called(`recall`), ""},
		"an old reply of a model":              {`UPDATE turns SET thinned = 1 WHERE id = 3`, training.Unknown},
		"an old reply in full":                 {`UPDATE turns SET thinned = 1, exact = 1 WHERE id = 3`, ""},
		"talk before that he took part in":     {`INSERT INTO room_people VALUES (1, 2, 1, 1); UPDATE messages SET person_id = 2 WHERE id = 20; UPDATE turns SET recent_from = 20 WHERE id = 3; DELETE FROM turn_items`, training.Others},
		"what she quoted in the talk before":   {`UPDATE messages SET text = '> The pond froze' WHERE id = 20; UPDATE turns SET recent_from = 20 WHERE id = 3; DELETE FROM turn_items`, training.Quotes},
		"his name in the talk before":          {`UPDATE messages SET text = 'I like Rolf' WHERE id = 20; UPDATE turns SET recent_from = 20 WHERE id = 3; DELETE FROM turn_items`, training.Named},
		"his name before the talk that it had": {`UPDATE messages SET text = 'I like Rolf' WHERE id = 20; UPDATE turns SET recent_from = 30 WHERE id = 3; DELETE FROM turn_items`, ""},
		"a portrait of his words":              {portrait + `; INSERT INTO memory_sources VALUES (50, 10)`, training.Others},
		"a portrait of hers":                   {portrait + `; INSERT INTO memory_sources VALUES (50, 20)`, ""},
		"a notepad":                            {`INSERT INTO notepads (persona, audience, audience_person, text, updated_at) VALUES ('tess', 'private', 1, 'x', 1)`, training.Others},
		"a notepad where he is not":            {`INSERT INTO notepads (persona, audience, audience_person, text, updated_at) VALUES ('tess', 'private', 1, 'x', 1); DELETE FROM room_people WHERE room_id = 2 AND person_id = 1`, ""},
		"another persona's yes":                {`UPDATE training_consents SET persona = 'otto'`, "all"},
	} {
		t.Run(name, func(t *testing.T) {
			data, report := exported(t, base+c.change)
			if kept := strings.Contains(data, "SAID"); kept != (c.why == "") || c.why != "" && c.why != "all" && report.LeftOut[c.why] == 0 {
				t.Errorf("%+v:\n%s", report, data)
			}
			if strings.Contains(data, "pond") || strings.Contains(data, "So it did") {
				t.Errorf("it has what Rolf said:\n%s", data)
			}
		})
	}
}

const (
	plan = `INSERT INTO open_loops (id, persona, audience, audience_person, person_id, message_id, kind, text, status, created_at)
			VALUES (60, 'tess', 'private', 1, 1, 20, 'plan', 'figs', 'open', 1);
		INSERT INTO turn_items (turn_id, ord, loop_id, score, reason, used) VALUES (3, 2, 60, 1, 'x', 1);
		INSERT INTO open_loop_sources (loop_id, message_id, kind) `
	inferred = `INSERT INTO memories (id, persona, audience, audience_person, origin, kind, sector, text, salience, created_at) VALUES (50, 'tess', 'private', 1, 'inferred', `
	summary  = inferred + `'summary', 'semantic', 'figs', 0.5, 1); INSERT INTO turn_items (turn_id, ord, memory_id, score, reason, used) VALUES (3, 2, 50, 1, 'x', 0)`
	portrait = inferred + `'portrait', 'semantic', 'figs', 0.5, 1)`
)

// believed has a belief in front of the voice: of an author about somebody, borne out by somebody.
func believed(authorAndSubject, witness string) string {
	return `INSERT INTO beliefs (id, persona, audience, audience_room, author_id, subject_person, subject, relation, value, domain, status, created_at, updated_at)
			VALUES (70, 'tess', 'room', 2, ` + authorAndSubject + `, 'x', 'likes', 'figs', 'x', 'active', 1, 1);
		INSERT INTO belief_evidence (belief_id, message_id, author_id, quote, stance, hearsay, at) VALUES (70, 20, ` + witness + `, 'figs', 1, 0, 1);
		INSERT INTO turn_items (turn_id, ord, belief_id, score, reason, used) VALUES (3, 2, 70, 1, 'believed', 1)`
}

// called has a tool called for the reply.
func called(tool string) string {
	return `INSERT INTO tool_calls (persona, person_id, room_id, message_id, turn, tool, arguments, digest, gate, outcome, day, at)
		VALUES ('tess', 1, 1, 30, 'x', '` + tool + `', '', '', 'allow', 'ok', '', 1)`
}

// exported returns the training data of a store that some statements make.
func exported(t *testing.T, statements string) (string, training.Report) {
	t.Helper()
	address := memorytest.Address(t, filepath.Join(t.TempDir(), "memory.db"))
	store, err := memory.Open(t.Context(), address, memory.Options{Now: (&memorytest.Clock{}).Now, NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	memorytest.Script(t, memorytest.SQL(t, address), statements)
	var out bytes.Buffer
	report, err := store.Training.Export(t.Context(), &out, training.Options{Persona: "tess", Format: training.ShareGPT})
	if err != nil {
		t.Fatal(err)
	}
	return out.String(), report
}
