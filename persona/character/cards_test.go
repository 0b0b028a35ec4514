package character_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
)

// cards returns cards of every version, made of the same parts in many combinations and spellings.
func cards() map[string]string {
	all := map[string]string{}
	for i, part := range parts() {
		all[fmt.Sprintf("v1-%02d", i)] = object(fields(), part)
		all[fmt.Sprintf("v2-%02d", i)] = object(m{"spec": "chara_card_v2", "spec_version": "2.0", "data": merged(fields(), full(), part)})
		all[fmt.Sprintf("v3-%02d", i)] = object(m{"spec": "chara_card_v3", "spec_version": "3.0", "data": merged(fields(), full(), m{"group_only_greetings": []string{"Hi, all."}}, part)})
	}
	// As SillyTavern writes it: the fields twice, with its own beside them.
	all["sillytavern"] = object(fields(), m{
		"spec": "chara_card_v2", "spec_version": "2.0", "avatar": "none", "chat": "Mira - 2024-1-1", "talkativeness": "0.5", "fav": false,
		"create_date": "2024-1-1 @10h 00m", "data": merged(fields(), full()),
	})
	all["newer"] = object(m{"spec": "chara_card_v3", "spec_version": "3.7", "data": merged(fields(), m{"moods": m{"calm": 1}})})
	all["unnamed-format"] = object(m{"spec": "chara_card_v9", "data": merged(fields(), full())})
	all["sparse"] = object(m{"spec": "chara_card_v2", "data": m{"name": "M"}})
	return all
}

type m = map[string]any

func fields() m {
	return m{
		"name": "Mira", "description": "Keeper of the Copper Kettle.", "personality": "dry", "scenario": "A bar by the sea.",
		"first_mes": "Evening, {{user}}.", "mes_example": "<START>\n{{user}}: Hi\n{{char}}: Sit.",
	}
}

func full() m {
	return m{
		"creator_notes": "For tests.", "system_prompt": "{{original}} Stay dry.", "post_history_instructions": "Short.",
		"alternate_greetings": []string{"Back again?"}, "tags": []string{"sea"}, "creator": "us", "character_version": "1.1",
		"extensions": m{"depth_prompt": m{"prompt": "It rains.", "depth": 2, "role": "system"}, "other/app": m{"deep": []any{1, nil, m{}}}},
	}
}

// parts are what cards have beside the usual.
func parts() []m {
	entry := m{"keys": []string{"bar"}, "content": "@@depth 2\nThe Copper Kettle.", "extensions": m{}, "enabled": true, "insertion_order": 10, "use_regex": false}
	return []m{
		{},
		{"description": "", "personality": ""},
		{"name": "Zoë 李雷 🜁", "description": "Quotes \" and \\ and \u2028 and <b>&amp;</b>."},
		{"tags": "not, a, list", "alternate_greetings": nil},
		{"extensions": m{"big": json.Number("123456789012345678901234567890.5"), "depth_prompt": "odd"}},
		{"character_book": m{"name": "B", "scan_depth": 2, "token_budget": 300, "recursive_scanning": true, "extensions": m{}, "entries": []m{entry}}},
		{"character_book": m{"entries": []m{}, "extensions": m{}, "mine": true}},
		{"character_book": m{"entries": []m{merged(entry, m{"id": "seven", "priority": nil, "case_sensitive": true, "secondary_keys": []string{"old"}, "selective": true})}}},
		{"character_book": nil},
		{"assets": []m{{"type": "icon", "uri": "https://example.org/a.png", "name": "main", "ext": "png", "more": 1}}, "nickname": "Mi"},
		{"creation_date": 1700000000, "modification_date": 0, "source": []string{"x"}, "creator_notes_multilingual": m{"de": "Für Tests."}},
		{"first_mes": strings.Repeat("A long night. ", 4000)},
	}
}

func merged(all ...m) m {
	out := m{}
	for _, o := range all {
		maps.Copy(out, o)
	}
	return out
}

func object(all ...m) string {
	data, err := json.Marshal(merged(all...))
	if err != nil {
		panic(err)
	}
	return string(data)
}
