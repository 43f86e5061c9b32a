package seen_test

// The program on the first page is the first that anyone runs.

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheProgramOfTheReadmeRuns(t *testing.T) {
	goCommand, err := exec.LookPath("go")
	if err != nil {
		t.Skip("there is no go command")
	}
	page, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, begins := strings.Cut(string(page), "```go\n")
	program, _, ends := strings.Cut(after, "```\n")
	if !begins || !ends {
		t.Fatal("README.md has no program")
	}
	folder := t.TempDir()
	source, binary := filepath.Join(folder, "main.go"), filepath.Join(folder, "program.exe")
	if err := os.WriteFile(source, []byte(program), 0o666); err != nil {
		t.Fatal(err)
	}
	// A file that is named is built as if it were in this module, whose packages it imports.
	if out, err := exec.Command(goCommand, "build", "-o", binary, source).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run := exec.Command(binary)
	run.Dir = folder // where it saves its filter
	if out, err := run.CombinedOutput(); err != nil || string(out) != "certainly new\ntrue\n" {
		t.Errorf("%v\n%s", err, out)
	}
}
