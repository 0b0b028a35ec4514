package loosejson_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"familiar/internal/loosejson"
)

type thing struct {
	Name  string   `json:"name"`
	Count *float64 `json:"count"`
	Tags  []string `json:"tags"`
	Own   string   `json:"-"`
}

func TestOnlyWhatChangedIsReplaced(t *testing.T) {
	o, err := loosejson.Parse([]byte("\xef\xbb\xbf"+`{"name":"a","count":"many","tags":null,"more":{"big":12345678901234567890}}`), 3, 9)
	if err != nil {
		t.Fatal(err)
	}
	var before thing
	if unfit := o.Decode(&before); !slices.Equal(unfit, []string{"count"}) || before.Name != "a" {
		t.Errorf("%+v, unfit: %q", before, unfit)
	}
	if unknown := o.Unknown(&before); !slices.Equal(unknown, []string{"more"}) {
		t.Errorf("unknown: %q", unknown)
	}
	now := before
	now.Name = "<b>"
	out, err := o.Encode(&before, &now, "tags")
	if err != nil {
		t.Fatal(err)
	}
	text, err := loosejson.Marshal(out)
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"count":"many","more":{"big":12345678901234567890},"name":"<b>","tags":null}`; string(text) != want {
		t.Errorf("got %s, want %s", text, want)
	}
}

func TestLimits(t *testing.T) {
	for text, says := range map[string]string{
		`{"a":[[[1]]]}`: "deeper", `{"a":[1,2,3,4,5,6,7,8,9,0]}`: "more than", `[1]`: "not an object", `null`: "null", `{"a":"]\"[[[[[[[["}`: "", `{`: "JSON",
	} {
		_, err := loosejson.Parse([]byte(text), 3, 9)
		if says == "" && err != nil || says != "" && (err == nil || !strings.Contains(err.Error(), says)) {
			t.Errorf("%s gives %v, want %q", text, err, says)
		}
	}
	if _, err := loosejson.Parse([]byte(`[[[[[[`), 3, 9); !errors.Is(err, loosejson.ErrTooComplex) {
		t.Errorf("got %v", err)
	}
}
