package calculator

import (
	"context"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"familiar/persona/tool"
)

func TestEvaluate(t *testing.T) {
	for expression, want := range map[string]float64{
		"1+2*3": 7, "(17.5+3)*2^3": 164, "2**10": 1024, "7 % 4": 3, "7.5 % 2": 1.5, "-2^2": -4, "10/4": 2.5, "sqrt(2)*sqrt(2)": 2,
		"round(2.345, 2)": 2.35, "min(3, 1, 2)": 1, "max(3)": 3, "2 × 3 ÷ 4": 1.5, "pi": math.Pi, "abs(-3)": 3, "9007199254740993 * 10": 90071992547409930, "5²": 25,
		"9223372036854775807 + 1": 9223372036854775808,
	} {
		if got, err := Evaluate(expression); err != nil || math.Abs(got-want) > 1e-9*math.Max(1, math.Abs(want)) {
			t.Errorf("%s = %v, %v; want %v", expression, got, err, want)
		}
	}
}

func TestNothingButArithmeticIsComputed(t *testing.T) {
	for _, expression := range []string{
		"", "1/0", "0/0", "10^400", "x+1", `"a"+"b"`, "1..100000000", "[1,2,3]", "len([1])", "map(1..9, # * 2)", "$env", "true", "1 == 1", "{a: 1}",
		"sqrt", "sqrt()", "now()", "let x = 1; x", "1 ? 2 : 3", "a.b", "sqrt(1)(2)", "1; 2", strings.Repeat("1+", 499) + "1",
		`repeat("x", 1000000000)`, "sum(1..10)", "nil", "not true", "min()", "reduce(1..9, #acc)",
	} {
		if got, err := Evaluate(expression); err == nil {
			t.Errorf("%.40s = %v", expression, got)
		}
	}
}

func TestConvert(t *testing.T) {
	for _, tt := range []struct {
		from, to string
		v, want  float64
	}{
		{"miles", "km", 1, 1.609344},
		{"km", "mi", 1.609344, 1},
		{"celsius", "fahrenheit", 100, 212},
		{"°F", "°C", 32, 0},
		{"C", "F", -40, -40},
		{"kg", "pounds", 1, 2.2046226},
		{"lbs", "kg", 1, 0.45359237},
		{"feet", "metres", 1, 0.3048},
		{"hours", "seconds", 1, 3600},
		{"min", "s", 2, 120},
		{"inches", "cm", 1, 2.54},
		{"liters", "gallons", 3.785411784, 1},
		{"days", "hours", 2, 48},
		{"gigabytes", "megabytes", 1, 1000},
		{"kcal", "kJ", 1, 4.184},
		{"km/h", "mph", 160.9344, 100},
		{"hectares", "acres", 1, 2.47105381},
		{"mmHg", "Pa", 1, 133.322387},
		{"K", "C", 0, -273.15},
		{"US gallons", "litres", 1, 3.785411784},
	} {
		got, err := Convert(tt.v, tt.from, tt.to)
		if err != nil || math.Abs(got.Value-tt.want) > 1e-4*math.Max(1, math.Abs(tt.want)) {
			t.Errorf("%v %s = %v %s, %v; want %v", tt.v, tt.from, got.Value, tt.to, err, tt.want)
		}
	}
	for name, all := range units() {
		for i, u := range all {
			if u.factor <= 0 || u.kind == "" || i > 0 && all[i-1].kind == u.kind {
				t.Errorf("%s: %+v", name, all)
			}
		}
	}
	for _, pair := range [][2]string{{"km", "kg"}, {"euros", "dollars"}, {"km", "quux"}, {"", "km"}} {
		if got, err := Convert(1, pair[0], pair[1]); err == nil {
			t.Errorf("%s to %s is %+v", pair[0], pair[1], got)
		}
	}
}

func TestCall(t *testing.T) {
	for given, want := range map[string]string{
		`{"expression":"0.1+0.2"}`:                       "The result is 0.3.",
		`{"expression":"2^40"}`:                          "The result is 1099511627776.",
		`{"expression":"26.2","from":"miles","to":"km"}`: "26.2 miles are 42.1648128 kilometers.",
		`{"expression":"1/3"}`:                           "The result is 0.333333333333.",
		`{"expression":"10^20"}`:                         "The result is 1e+20.",
	} {
		got, err := New().Call(context.Background(), tool.Use{Arguments: json.RawMessage(given)})
		if err != nil || got.Text != want || !got.ProgramText {
			t.Errorf("%s: %+v, %v; want %q", given, got, err, want)
		}
	}
	if _, err := New().Call(context.Background(), tool.Use{Arguments: json.RawMessage(`{"expression":"1","from":"km"}`)}); err == nil {
		t.Error("half a conversion is done")
	}
}

func FuzzEvaluate(f *testing.F) {
	for _, seed := range []string{"1+2", "sqrt(2)", "1..9", "((((", "round(1,2,3)", "a.b[0]"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, expression string) {
		if v, err := Evaluate(expression); err == nil && (math.IsNaN(v) || math.IsInf(v, 0)) {
			t.Errorf("%q = %v", expression, v)
		}
	})
}
