package seen_test

// The documents that a user meets first: the programs of the README, and the reference that go doc prints.

import (
	"fmt"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"reflect"
	"strings"
	"testing"
)

// program is how a block of a document begins that is one; another block is a part of an example.
const program = "package main\n"

// As a stranger has them: in a module of their own, which gets this one from a module proxy.
func TestTheProgramsOfTheReadmeRunInAModuleOfAStranger(t *testing.T) {
	stranger := newStranger(t)
	page, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	programs := strings.Split(string(page), "```go\n"+program)[1:]
	outputs := []string{"certainly new\ntrue\n", "10000 questions, 1076 lookups, 1000 users found\n", "false 0\ntrue 3\ntrue 7\ntrue\n"}
	if len(programs) != len(outputs) {
		t.Fatalf("README.md has %d programs, not %d", len(programs), len(outputs))
	}
	for i, block := range programs {
		text, _, ends := strings.Cut(block, "```\n")
		if !ends {
			t.Fatalf("program %d of README.md does not end", i)
		}
		if out := stranger.run(t, program+text); out != outputs[i] {
			t.Errorf("%s", out)
		}
	}
	if used := stranger.command(t, "list", "-m", "all"); !strings.Contains(used, home+" "+homeVersion) {
		t.Errorf("%s", used)
	}
}

func TestWhatElseTheReadmeShowsStandsInTheExamples(t *testing.T) {
	page, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	examples, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	parts := 0
	for _, each := range strings.Split(string(page), "```go\n")[1:] {
		if strings.HasPrefix(each, program) {
			continue
		}
		parts++
		if part, _, _ := strings.Cut(each, "```\n"); !strings.Contains(string(examples), part) {
			t.Errorf("no example has\n%s", part)
		}
	}
	if parts == 0 {
		t.Fatal("README.md shows nothing else")
	}
}

// Documentation lists the methods of a type that an exported one embeds, but not those of a type embedded therein.
func TestEveryMethodIsDocumentedWithItsType(t *testing.T) {
	files := token.NewFileSet()
	isSource := func(f fs.FileInfo) bool { return !strings.HasSuffix(f.Name(), "_test.go") }
	packages, err := parser.ParseDir(files, ".", isSource, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	documented := map[string]string{}
	for _, each := range doc.New(packages["seen"], "seen", 0).Types {
		for _, method := range each.Methods {
			documented["*seen."+each.Name+"."+method.Name] = method.Doc
		}
	}
	for _, f := range filterTypes {
		for i := range reflect.TypeOf(f).NumMethod() {
			name := fmt.Sprintf("%T.%s", f, reflect.TypeOf(f).Method(i).Name)
			if documented[name] == "" {
				t.Errorf("%s is not documented", name)
			}
		}
	}
}
