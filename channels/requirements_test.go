package channels

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestRequirementIDsAreExplained checks that every id in a test's name has a row in the table of its family.
func TestRequirementIDsAreExplained(t *testing.T) {
	tables := map[string]string{"A": "README.md", "D": "discord/README.md", "T": "telegram/README.md", "W": "whatsapp/README.md"}
	legend := map[string]string{}
	for family, name := range tables {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		legend[family] = string(text)
	}
	id := regexp.MustCompile(`\bfunc (?:Test|Fuzz)([ADTW])(\d+)[A-Z]`)
	err := filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range id.FindAllStringSubmatch(string(text), -1) {
			if !strings.Contains(legend[m[1]], "| "+m[1]+m[2]+" |") {
				t.Errorf("%s: %s%s is not explained in channels/%s", path, m[1], m[2], tables[m[1]])
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
