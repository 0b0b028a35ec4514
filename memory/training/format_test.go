package training

import (
	"path/filepath"
	"testing"

	"familiar/internal/golden"
)

func TestFormatsAreAsTrainersReadThem(t *testing.T) {
	talk := []Exchange{{"Hello <Person 2> & all\nHow are you?", "Fine, Person 1."}, {"“Ça va ?”", "Oui."}}
	for name, format := range Formats {
		for system, file := range map[string]string{"A pilot \"at rest\".": name, "": name + "-bare"} {
			text, err := format(system, talk)
			if err != nil {
				t.Fatal(err)
			}
			golden.Check(t, filepath.Join("testdata", file+".jsonl"), string(text))
		}
	}
}
