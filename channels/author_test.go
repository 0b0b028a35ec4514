package channels

import "testing"

func TestAnAccountIsRecognizedByEitherID(t *testing.T) {
	who := func(channel, id, alias string) Author {
		return Author{Handle: Handle{Channel: channel, ID: id}, Alias: alias}
	}
	for _, c := range []struct {
		name string
		a, b Author
		want bool
	}{
		{"one id", who("net", "ann", ""), who("net", "ann", ""), true},
		{"known by a number before", who("net", "hidden", "+1555"), who("net", "+1555", ""), true},
		{"the same number", who("net", "hidden", "+1555"), who("net", "other", "+1555"), true},
		{"somebody else", who("net", "ann", ""), who("net", "bob", ""), false},
		{"another network", who("net", "ann", ""), who("other", "ann", ""), false},
		{"nobody", who("net", "", ""), who("net", "", ""), false},
	} {
		if c.a.SameAccount(c.b) != c.want || c.b.SameAccount(c.a) != c.want {
			t.Errorf("%s: want %v", c.name, c.want)
		}
	}
}
