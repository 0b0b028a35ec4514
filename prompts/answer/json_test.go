package answer_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"familiar/prompts/answer"
)

type item struct {
	Line  int     `json:"line"`
	Text  string  `json:"text"`
	From  []int   `json:"from"`
	Share float64 `json:"share"`
	Sure  bool    `json:"sure"`
}

type items struct {
	Items *[]item `json:"items"`
}

func TestO1JSONIsFoundAndRead(t *testing.T) {
	want := []item{{Line: 2, Text: "moved to Lagos", From: []int{1, 2}, Share: 0.5, Sure: true}}
	const good = `{"items":[{"line":2,"text":"moved to Lagos","from":[1,2],"share":0.5,"sure":true}]}`
	const bare = `[{"line":2,"text":"moved to Lagos","from":[1,2],"share":0.5,"sure":true}]`
	for _, text := range []string{
		good, " \n" + good, "```json\n" + good + "\n```", "```JSON\n" + good + "```", "~~~\n" + good + "\n~~~", "Sure! Here it is:\n" + good + "\nAnything else?",
		"<think>{\"items\":[]}</think>" + good, "Let me see {\"items\":[]}</think>" + good, "<|channel|>analysis<|message|>{\"items\":[]}<|end|><|start|>assistant<|channel|>final<|message|>" + good,
		good + good, good + "<|im_end|>", bare, "As lines [1] and [2] say:\n" + bare, "See [the list]: " + good, "{ and } frame it: " + good,
		`{"items":[{"line":2,"text":"moved to Lagos","from":[1,2,],"share":0.5,"sure":true,},],}`,
		"{\n  // the list\n  \"items\": [ /* one */ {\"line\": 2, \"text\": \"moved to Lagos\", \"from\": [1, 2], \"share\": .5, \"sure\": true} ] # end\n}",
		`{"items":[{"line":"2","text":"moved to Lagos","from":["1","2"],"share":"0.5","sure":"yes"}]}`,
		`{"items":[{"line":"#2.","text":"moved to Lagos","from":"1, 2","share":"0,5","sure":1}]}`,
		`{“items”:[{“line”:2,“text”:“moved to Lagos”,“from”:[1,2],“share”:0.5,“sure”:true}]}`,
		`{'items':[{'line':2,'text':'moved to Lagos','from':[1,2],'share':0.5,'sure':True}]}`,
		`{items:[{line:2,text:"moved to Lagos",from:[1,2],share:0.5,sure:true}]}`,
		`{"Items":[{"Line":2,"TEXT":"moved to Lagos","from":[1,2],"share":0.5,"sure":true,"note":null}]}`,
		`{"items":{"line":2,"text":"moved to Lagos","from":[1,2],"share":0.5,"sure":true}}`,
		`{"result":{"items":[{"line":2.0,"text":"moved to Lagos","from":[1,2],"share":0.5,"sure":true}]}}`,
	} {
		var got items
		if err := answer.JSON(text, &got); err != nil || got.Items == nil || !reflect.DeepEqual(*got.Items, want) {
			t.Errorf("JSON(%q) = %+v, %v", text, got.Items, err)
		}
	}
	for text, want := range map[string]string{
		`{"items":[{"text":"she said "no" to me"}]}`: `she said "no" to me`, `{"items":[{"text":"a\"b\u00e9\ud83d\ude00\n"}]}`: "a\"bé😀\n",
		`{"items":[{"text":42}]}`: "42", "{\"items\":[{\"text\":\"two\nlines\"}]}": "two\nlines", `{"items":[{"text":"it’s “so”"}]}`: "it’s “so”",
	} {
		var got items
		if err := answer.JSON(text, &got); err != nil || len(*got.Items) != 1 || (*got.Items)[0].Text != want {
			t.Errorf("JSON(%q) = %+v, %v", text, got.Items, err)
		}
	}
	for _, text := range []string{
		"", "no", "{}", "null", "5", `{"claims":[]}`, good[:len(good)-3], good[:40], "```json\n" + good[:len(good)-1], `{"items":[{"line":"two"}]}`, `{"items":[{"line":2.5}]}`,
		`{"items":"none"}`, "<think>" + good, strings.Repeat("[", 5000), strings.Repeat(`{"a":`, 5000), strings.Repeat(" ", 70_000) + good,
		`{"items":[{"text":"a","from":[]},{"te`, "I can't help with that.",
	} {
		var got items
		if err := answer.JSON(text, &got); !errors.Is(err, answer.ErrInvalidJSON) || got.Items != nil {
			t.Errorf("JSON(%.60q) = %+v, %v", text, got.Items, err)
		}
	}
	var none items
	if err := answer.JSON(`{"items":[]}`, &none); err != nil || none.Items == nil || len(*none.Items) != 0 {
		t.Errorf("an empty list is an answer: %+v, %v", none.Items, err)
	}
}

func TestO1SchemasAreStrict(t *testing.T) {
	var got, want any
	if err := json.Unmarshal(answer.Schema(struct {
		Kind string `json:"kind" enum:"fact,taste"`
		Item *item  `json:"item"`
		items
	}{}), &got); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(answer.Schema(items{}), &want); err != nil {
		t.Fatal(err)
	}
	object := want.(map[string]any)
	list := object["properties"].(map[string]any)["items"].(map[string]any)
	if list["type"] != "array" || object["additionalProperties"] != false || len(list["items"].(map[string]any)["required"].([]any)) != 5 {
		t.Errorf("the schema of a list is %v", want)
	}
	kind := got.(map[string]any)["properties"].(map[string]any)["kind"].(map[string]any)
	if kind["type"] != "string" || len(kind["enum"].([]any)) != 2 {
		t.Errorf("the schema of a choice is %v", kind)
	}
}

func FuzzJSON(f *testing.F) {
	f.Add(`{"items":[{"line":1,"text":"x"}]}`)
	f.Add("```json\n[{line:'1',}]\n```")
	f.Fuzz(func(t *testing.T, text string) {
		var got items
		if err := answer.JSON(text, &got); err != nil && got.Items != nil {
			t.Errorf("JSON(%q) gives %+v and %v", text, got, err)
		}
	})
}
