package chart

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// colour is one in linear light, red, green and blue.
type colour [3]float64

func parse(t *testing.T, hex string) (c colour) {
	t.Helper()
	n, err := strconv.ParseUint(strings.TrimPrefix(hex, "#"), 16, 32)
	if err != nil {
		t.Fatal(err)
	}
	for i := range c {
		v := float64(n>>(16-8*i)&0xFF) / 255
		if c[i] = v / 12.92; v > .04045 {
			c[i] = math.Pow((v+.055)/1.055, 2.4)
		}
	}
	return c
}

// contrast is that of WCAG 2.
func contrast(a, b colour) float64 {
	light := func(c colour) float64 { return .2126*c[0] + .7152*c[1] + .0722*c[2] + .05 }
	return max(light(a), light(b)) / min(light(a), light(b))
}

// themes reads the colours of a variable from chart.css, light and dark.
func themes(t *testing.T, name string) (light, dark string) {
	t.Helper()
	m := regexp.MustCompile(`--chart-` + name + `: light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);`).FindStringSubmatch(CSS)
	if m == nil {
		t.Fatalf("chart.css has no --chart-%s", name)
	}
	return m[1], m[2]
}

// TestContrast: lines and bars stand out by 3 to 1 in both themes, on every surface of the dashboard.
func TestContrast(t *testing.T) {
	for i := range kinds {
		light, dark := themes(t, strconv.Itoa(i+1))
		for _, pair := range [][2]string{{light, "#ffffff"}, {light, "#faf8f5"}, {light, "#f1eee8"}, {dark, "#16151a"}, {dark, "#201e26"}, {dark, "#2a2832"}} {
			if got := contrast(parse(t, pair[0]), parse(t, pair[1])); got < 3 {
				t.Errorf("colour %d: %s on %s has a contrast of %.2f", i+1, pair[0], pair[1], got)
			}
		}
	}
}

// deficiencies are how people see who lack a kind of cone (Machado, Oliveira and Fernandes 2009).
var deficiencies = map[string][3]colour{
	"protanopia":   {{.152286, 1.052583, -.204868}, {.114503, .786281, .099216}, {-.003882, -.048116, 1.051998}},
	"deuteranopia": {{.367322, .860646, -.227968}, {.280085, .672501, .047413}, {-.011820, .042940, .968881}},
	"tritanopia":   {{1.255528, -.076749, -.178779}, {-.078411, .930809, .147602}, {.004733, .691367, .303900}},
}

// lab is a colour in Oklab, in which distances are what people see.
func lab(c colour) colour {
	l := math.Cbrt(.4122214708*c[0] + .5363325363*c[1] + .0514459929*c[2])
	m := math.Cbrt(.2119034982*c[0] + .6806995451*c[1] + .1073969566*c[2])
	s := math.Cbrt(.0883024619*c[0] + .2817188376*c[1] + .6299787005*c[2])
	return colour{.2104542553*l + .7936177850*m - .0040720468*s, 1.9779984951*l - 2.4285922050*m + .4505937099*s, .0259040371*l + .7827717662*m - .8086757660*s}
}

func apart(a, b colour) float64 {
	a, b = lab(a), lab(b)
	return math.Sqrt((a[0]-b[0])*(a[0]-b[0]) + (a[1]-b[1])*(a[1]-b[1]) + (a[2]-b[2])*(a[2]-b[2]))
}

// TestColoursAreApart: with each deficiency, any two colours of a theme differ visibly.
func TestColoursAreApart(t *testing.T) {
	const least = .08
	for theme := range 2 {
		var all []colour
		for i := range kinds {
			light, dark := themes(t, strconv.Itoa(i+1))
			all = append(all, parse(t, [...]string{light, dark}[theme]))
		}
		for name, see := range deficiencies {
			for i := range all {
				for j := range i {
					if got := apart(seen(all[i], see), seen(all[j], see)); got < least {
						t.Errorf("theme %d: colours %d and %d are %.3f apart with %s", theme, j+1, i+1, got, name)
					}
				}
			}
		}
	}
}

func seen(c colour, see [3]colour) (s colour) {
	for i := range s {
		s[i] = min(1, max(0, see[i][0]*c[0]+see[i][1]*c[1]+see[i][2]*c[2]))
	}
	return s
}

// TestOnePalette: chart.css and files have the same colours and dashes.
func TestOnePalette(t *testing.T) {
	for i := range kinds {
		if light, _ := themes(t, strconv.Itoa(i+1)); light != colours[i] {
			t.Errorf("colour %d is %s in chart.css and %s in files", i+1, light, colours[i])
		}
		rule := fmt.Sprintf(".%s { stroke-dasharray: %s; }", dashClass(i), dashes[i])
		if strings.Contains(CSS, rule) != (dashes[i] != "") {
			t.Errorf("chart.css and files differ in %q", rule)
		}
	}
	for class := range strings.FieldsSeq("chart-grid chart-base chart-tick chart-line chart-faint chart-area chart-symbol chart-level chart-note chart-moment chart-moment-s chart-hit") {
		if files[class] == "" || !strings.Contains(CSS, "."+class) {
			t.Errorf("%s has no look in chart.css or in files", class)
		}
	}
}
