package gql

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// generator writes random requests: most of them valid, many slightly wrong.
type generator struct {
	*rand.Rand
	schema    *ast.Schema
	variables []string // as they are declared
	values    map[string]any
	fragments []string
	budget    int // fields still to write
}

func (g *generator) chance(percent int) bool { return g.IntN(100) < percent }

func pick[E any](g *generator, of ...E) E { return of[g.IntN(len(of))] }

// request makes one request.
func (g *generator) request() asked {
	g.variables, g.values, g.fragments, g.budget = nil, map[string]any{}, nil, 5+g.IntN(40)
	kind, root := "query", g.schema.Query
	if g.chance(10) {
		kind, root = "mutation", g.schema.Mutation
	}
	body := g.selection(root, 0)
	head := kind
	if g.chance(30) {
		head += " Op"
	}
	if g.chance(2) {
		g.variables = append(g.variables, "$unused: Int")
	}
	if len(g.variables) > 0 {
		head += "(" + strings.Join(g.variables, pick(g, ", ", " ", "\n")) + ")"
	} else if head == "query" && g.chance(50) {
		head = ""
	}
	text := head + " " + body + "\n" + strings.Join(g.fragments, "\n")
	if g.chance(5) {
		text += "\nquery Other { old }"
	}
	if g.chance(20) {
		text = g.spoil(text)
	}
	a := asked{Query: text}
	a.Variables, _ = json.Marshal(g.values)
	if g.chance(10) {
		a.OperationName = pick(g, "Op", "Other", "None")
	}
	return a
}

// spoil changes a text a little.
func (g *generator) spoil(text string) string {
	words := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' })
	i, j := g.IntN(len(words)), g.IntN(len(words))
	switch g.IntN(5) {
	case 0:
		words[i] = ""
	case 1:
		words[i] += " " + words[j]
	case 2:
		words[i], words[j] = words[j], words[i]
	case 3:
		words[i] = pick(g, "}", "{", "...", "$x", "@skip(if: true)", "@skip", "@nothing", "1a", "01", "on", "&", `"`, `""`, "#", "null", "@include(if: null)", "subscription { a }", "\uFEFF", "ü", "-", "1.", "1e", `"\x"`, `"\u00zz"`, `"\ud83d"`)
	case 4:
		at := g.IntN(len(text))
		return strings.ToValidUTF8(text[:at]+pick(g, "", " ", "x", "}", "!", ":", "\r", "\x01", ",")+text[at:], "")
	}
	return strings.Join(words, " ")
}

func (g *generator) selection(of *ast.Definition, depth int) string {
	var parts []string
	for range 1 + g.IntN(4) {
		parts = append(parts, g.part(of, depth))
	}
	return "{ " + strings.Join(parts, pick(g, " ", ", ", "\n", "\r\n  ", " # é \n ")) + " }"
}

func (g *generator) part(of *ast.Definition, depth int) string {
	switch {
	case g.chance(6):
		on := pick(g, "", "on "+of.Name, "on "+of.Name)
		if g.chance(3) {
			on = pick(g, "on Query", "on Nothing", "on Color", "on Filter")
		}
		return "... " + on + g.directives() + " " + g.selection(of, depth)
	case g.chance(6) && depth < 4:
		return g.spread(of, depth)
	}
	return g.field(of, depth)
}

func (g *generator) spread(of *ast.Definition, depth int) string {
	name := fmt.Sprintf("F%d", len(g.fragments))
	if g.chance(20) {
		name = fmt.Sprintf("F%d", g.IntN(len(g.fragments)+1))
		if g.chance(70) {
			return "..." + name + g.directives()
		}
	}
	at := len(g.fragments)
	g.fragments = append(g.fragments, "")
	g.fragments[at] = "fragment " + name + " on " + of.Name + " " + g.selection(of, depth)
	return "..." + name + g.directives()
}

func (g *generator) directives() string {
	if !g.chance(8) {
		return ""
	}
	condition := pick(g, "true", "false")
	if g.chance(50) {
		condition = g.variable(ast.NonNullNamedType("Boolean", nil), pick(g, "", "= true"))
	}
	return pick(g, " @skip(if: ", " @include(if: ") + condition + ")"
}

func (g *generator) field(of *ast.Definition, depth int) string {
	g.budget--
	if g.chance(4) {
		return "__typename" + g.directives()
	}
	f := of.Fields[g.IntN(len(of.Fields))]
	def := g.schema.Types[f.Type.Name()]
	for strings.HasPrefix(f.Name, "__") || def.IsCompositeType() && (g.budget < 0 || depth > 3) {
		f = of.Fields[g.IntN(len(of.Fields))]
		def = g.schema.Types[f.Type.Name()]
	}
	text := f.Name
	if g.chance(1) {
		text = pick(g, "nothing", "__schema", "name1")
	}
	if g.chance(10) {
		text = pick(g, "a", "b", "id", "c1") + ": " + text
	}
	text += g.arguments(f) + g.directives()
	if def.IsCompositeType() != g.chance(1) {
		if !def.IsCompositeType() {
			def = g.schema.Types["Hero"]
		}
		text += " " + g.selection(def, depth+1)
	}
	return text
}

func (g *generator) arguments(f *ast.FieldDefinition) string {
	var given []string
	for _, a := range f.Arguments {
		needed := a.Type.NonNull && a.DefaultValue == nil
		if needed && g.chance(97) || !needed && g.chance(30) {
			given = append(given, a.Name+": "+g.argument(a.Type))
		}
	}
	if g.chance(1) {
		given = append(given, pick(g, "nothing: 1", "first: 1, first: 1"))
	}
	if given == nil {
		return ""
	}
	g.Shuffle(len(given), func(i, j int) { given[i], given[j] = given[j], given[i] })
	return "(" + strings.Join(given, ", ") + ")"
}

func (g *generator) argument(t *ast.Type) string {
	if g.chance(30) {
		return g.variable(t, "")
	}
	return g.literal(t)
}

// variable declares a variable for a place of a type, and gives it a value.
func (g *generator) variable(t *ast.Type, fallback string) string {
	name := fmt.Sprintf("v%d", len(g.variables))
	declared := *t
	if g.chance(20) {
		declared.NonNull = !declared.NonNull
	}
	if g.chance(2) {
		declared = *pick(g, ast.NamedType("Int", nil), ast.ListType(t, nil), ast.NamedType("Hero", nil), ast.NamedType("Nothing", nil))
	}
	if fallback == "" && g.chance(25) {
		fallback = "= " + g.literal(t)
	}
	g.variables = append(g.variables, "$"+name+": "+declared.String()+" "+fallback)
	if fallback == "" && t.NonNull && g.chance(95) || g.chance(70) {
		g.values[name] = g.value(t, 0)
	}
	return "$" + name
}

var oddLiterals = []string{"null", "1", "1.5", `"text"`, "true", "RED", "PURPLE", "[]", "{}", "[1]", "[[1]]", "2147483648", "-2147483648", "1e3", `{nothing: 1}`, `{must: null}`, `""`, "-0", `["a", null]`}

func (g *generator) literal(t *ast.Type) string {
	if g.chance(6) {
		return pick(g, oddLiterals...)
	}
	if !t.NonNull && g.chance(6) {
		return "null"
	}
	if t.Elem != nil {
		if g.chance(15) {
			return g.literal(t.Elem)
		}
		var parts []string
		for range g.IntN(3) {
			if g.chance(10) {
				parts = append(parts, g.variable(t.Elem, ""))
			} else {
				parts = append(parts, g.literal(t.Elem))
			}
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	switch t.NamedType {
	case "Int":
		return pick(g, "0", "1", "2", "3", "-1", "2147483647")
	case "Float":
		return pick(g, "0", "1.5", "-2.25e-3", "1e10", "0.1", "1e22", "3")
	case "String":
		return pick(g, `"text"`, `""`, `"\u00e9\n\"\\\/ \ud83d\ude00 \u{1F600}"`, `"é😀"`, "\"\"\"block\"\"\"", "\"\"\"\n    a\n      b \"c\" \\\"\"\"\n\n    \td\\n\n  \"\"\"", "\"\"\"x\r\n  y\"\"\"", "\"\"\" \"\"\"", "\"\x01\"", "\"tab\t\"")
	case "Boolean":
		return pick(g, "true", "false")
	case "ID":
		return pick(g, `"1"`, `"2"`, "3", "7", `"none"`, "14")
	case "Color":
		return pick(g, "RED", "GREEN", "BLUE")
	}
	return g.object(g.schema.Types[t.NamedType])
}

func (g *generator) object(def *ast.Definition) string {
	var parts []string
	for _, f := range def.Fields {
		if g.chance(30) {
			value := g.literal(f.Type)
			if g.chance(15) {
				value = g.variable(f.Type, "")
			}
			parts = append(parts, f.Name+": "+value)
		}
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

var oddValues = []string{`null`, `1`, `1.5`, `1.0`, `"1"`, `true`, `[]`, `{}`, `"RED"`, `"PURPLE"`, `[1,[2]]`, `{"nothing":1}`, `2147483648`, `-2147483649`, `1e3`, `1e400`, `{"must":null}`, `["a",null]`}

// value is a variable's value as JSON.
func (g *generator) value(t *ast.Type, depth int) any {
	raw := func(text string) any { return json.RawMessage(text) }
	if g.chance(6) {
		return raw(pick(g, oddValues[:15]...))
	}
	if !t.NonNull && g.chance(8) {
		return nil
	}
	if t.Elem != nil {
		if g.chance(15) {
			return g.value(t.Elem, depth+1)
		}
		all := []any{}
		for range g.IntN(3) {
			all = append(all, g.value(t.Elem, depth+1))
		}
		return all
	}
	switch t.NamedType {
	case "Int":
		return raw(pick(g, "0", "1", "2", "-1", "3.0", "2147483647", "1e1"))
	case "Float":
		return raw(pick(g, "0", "1.5", "-2.25e-3", "1e22", "7"))
	case "String":
		return pick(g, "text", "", "é😀\n")
	case "Boolean":
		return g.chance(50)
	case "ID":
		return raw(pick(g, `"1"`, "2", `"none"`, "7.0"))
	case "Color":
		return pick(g, "RED", "BLUE")
	}
	object := map[string]any{}
	def := g.schema.Types[t.NamedType]
	if def == nil || depth > 3 {
		return object
	}
	for _, f := range def.Fields {
		if g.chance(30) {
			object[f.Name] = g.value(f.Type, depth+1)
		}
	}
	return object
}
