package formula

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"
)

func TestEval(t *testing.T) {
	outer := NewScope(nil, OpenLCA)
	outer.Set("Yield", 0.8)
	outer.Set("x", 1)
	outer.Define("twice", "2 * x")
	s := NewScope(outer, OpenLCA)
	s.Set("x", 10)
	s.Define("y", "x / yield")
	for text, want := range map[string]float64{
		"1 + 2 * 3": 7, "(1 + 2) * 3": 9, "2^3": 8, "2^3^2": 64, "-2^2": 4, "2^-1": 0.5, "1e3": 1000, "1.5E-2": 0.015, ".5": 0.5, "--1": 1, "3 - -1": 4,
		"7 div 2": 3, "7 mod 2": 1, "7 % 4": 3, "1 = 1": 1, "1 == 1": 1, "1 <> 1": 0, "1 != 2": 1, "2 >= 2": 1, "1 < 2 and 2 < 3": 1, "1 > 2 or 1": 1,
		"1 & 0": 0, "1 || 0": 1, "not(1)": 0, "not 0": 1, "if(1 > 2; 1; 2)": 2, "iif(x>5,3,4)": 3, "If(1;5;1/0)": 5, "2 if x > 3 else 7": 2,
		"pi": math.Pi, "PI()": math.Pi, "sin(0)": 0, "log(1000)": 3, "lg(100)": 2, "ln(exp(2))": 2, "log(8;2)": 3, "power(2;10)": 1024, "sqr(3)": 9,
		"max(1;2;3)": 3, "min(2,1)": 1, "sum(1;2;3)": 6, "avg(1;2;3)": 2, "round(2.5)": 3, "round(2.345;2)": 2.35, "trunc(-2.7)": -2, "frac(2.25)": 0.25,
		"and(1;1;0)": 0, "or(0;0;1)": 1, "x": 10, "X * 2": 20, "YIELD": 0.8, "y": 12.5, "twice": 2, "UnitConversion(1; 'kWh'; 'MJ')": 3.6, "2·3": 6, "true": 1,
	} {
		if got, err := s.Eval(text); err != nil || math.Abs(got-want) > 1e-12 {
			t.Errorf("%s: %v, %v, want %v", text, got, err, want)
		}
	}
}

func TestPython(t *testing.T) {
	s := NewScope(nil, Brightway)
	s.Set("a", 2)
	s.Set("A", 3)
	for text, want := range map[string]float64{
		"-2**2": -4, "2**3**2": 512, "2**-1": 0.5, "a + A": 5, "log(e)": 1, "7 // 2": 3, "1 if a == 2 else 0": 1, "not a == 2": 0, "round(2.5)": 2, "a*(A+1)": 8,
		"max(a, A)": 3, "a and A": 1, "1e-3*a": 0.002,
	} {
		if got, err := s.Eval(text); err != nil || math.Abs(got-want) > 1e-12 {
			t.Errorf("%s: %v, %v, want %v", text, got, err, want)
		}
	}
}

func TestDecimalComma(t *testing.T) {
	s := NewScope(nil, Syntax{DecimalComma: true})
	for text, want := range map[string]float64{"1,5 + 1.5": 3, "max(1,5;2)": 2, ",5*2": 1} {
		if got, err := s.Eval(text); err != nil || got != want {
			t.Errorf("%s: %v, %v, want %v", text, got, err, want)
		}
	}
	if got, err := s.Eval("max(1;2,5,3)"); err == nil {
		t.Errorf("got %v", got)
	}
}

func TestErrorsAreNamed(t *testing.T) {
	s := NewScope(nil, OpenLCA)
	s.Define("a", "b + 1")
	s.Define("b", "c * 2")
	s.Define("c", "a")
	s.Define("bad", "1 +")
	s.Define("user", "bad * 2")
	for i := range 300 {
		s.Define(fmt.Sprintf("d%d", i), fmt.Sprintf("d%d", i+1))
	}
	s.Set("d300", 1)
	for text, want := range map[string]string{
		"":                                  "ends too early",
		"1 +":                               "ends too early",
		"1 2":                               `unexpected "2" at 3`,
		"(1":                                "the bracket at 1 is not closed",
		"1)":                                "unexpected",
		"#":                                 `unexpected '#' at 1`,
		"a":                                 `the parameter "a" depends on itself`,
		"user":                              `the parameter "bad": `,
		"nothing * 2":                       `the parameter "nothing" is not defined`,
		"foo(1)":                            `the function "foo" is not known`,
		"sin(1;2)":                          "sin does not take 2 values",
		"1 / 0":                             "division by zero",
		"ln(0)":                             "is not a number",
		"1e999":                             "is not a number",
		"10^400":                            "is not a number",
		"'x'":                               "unexpected",
		"'x":                                "is not closed",
		"if(1;2)":                           "takes a condition and two values",
		"random()":                          "a different number each time",
		"UnitConversion(1;'kg';s)":          "two units in quotes",
		"UnitConversion(1;'kg';'m')":        "kg cannot be converted to m",
		strings.Repeat("(", 300):            "nested more than 200 levels deep",
		strings.Repeat("-", 300) + "1":      "nested more than 200 levels deep",
		strings.Repeat("1+", 6000) + "1":    "longer than 10000 characters",
		strings.Repeat("1 if 1 else ", 300): "nested more than 200 levels deep",
		"d0":                                "more than 200 levels deep",
	} {
		if got, err := s.Eval(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40s: %v, %v, want %q", text, got, err, want)
		}
	}
}

// A parameter is evaluated once, however often it is used.
func TestDoublingTakesNoTime(t *testing.T) {
	s := NewScope(nil, OpenLCA)
	s.Set("p0", 1)
	for i := range 150 {
		s.Define(fmt.Sprintf("p%d", i+1), fmt.Sprintf("(p%d + p%d) / 2", i, i))
	}
	started := time.Now()
	if got, err := s.Eval("p150"); err != nil || got != 1 {
		t.Errorf("%v, %v", got, err)
	}
	if took := time.Since(started); took > time.Second {
		t.Errorf("took %v", took)
	}
}

func FuzzEval(f *testing.F) {
	for _, seed := range []string{
		"1 + 2 * 3", "if(a > 1; b; -c^2)", "2**3**-1", "max(1,5;2)", "a if b else c", "not(x) and not y", "UnitConversion(1;'kg';'g')",
		"Ref('x')", "((((", "1e", "1e+", "--1", "a.b", "\xff", "%", "'", "=", "é*2", "1,2", "0x1", "a(b(c(",
	} {
		f.Add(seed, true, false)
		f.Add(seed, false, true)
	}
	f.Fuzz(func(t *testing.T, text string, comma, python bool) {
		s := NewScope(nil, Syntax{DecimalComma: comma, Python: python})
		s.Set("a", 1)
		s.Define("b", text)
		s.Define("c", "b + 1")
		for _, formula := range []string{text, "b", "c"} {
			v, err := s.Eval(formula)
			if err == nil && (math.IsNaN(v) || math.IsInf(v, 0)) {
				t.Errorf("%q: %v", formula, v)
			}
			if err != nil && err.Error() == "" {
				t.Errorf("%q: an error without words", formula)
			}
		}
	})
}
