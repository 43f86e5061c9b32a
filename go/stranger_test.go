package seen_test

// This module as everybody else gets it. A folder is laid out as a module proxy (https://go.dev/ref/mod#goproxy-protocol), with one version
// of this module in it, a zip file. A stranger's module asks for it with "go get", as the README says. Nothing is fetched: what this module
// requires comes from the cache of the go command, which is laid out in the same way.

import (
	"archive/zip"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/seenfilter/seen/go"
)

// home is the module's path, which every import of its packages begins with.
var home = reflect.TypeFor[seen.Bloom]().PkgPath()

const homeVersion = "v0.1.0"

type stranger struct {
	goCommand, folder string
	environment       []string
}

func newStranger(t *testing.T) *stranger {
	t.Helper()
	goCommand, err := exec.LookPath("go")
	if err != nil {
		t.Skip("there is no go command")
	}
	cache, err := exec.Command(goCommand, "env", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	proxy := t.TempDir()
	publish(t, filepath.Join(proxy, filepath.FromSlash(home), "@v"))
	s := &stranger{goCommand: goCommand, folder: t.TempDir()}
	s.environment = append(os.Environ(), "GOPROXY="+fileURL(proxy)+","+fileURL(filepath.Join(strings.TrimSpace(string(cache)), "cache", "download")),
		"GOSUMDB=off", "GONOPROXY=none", "GOPRIVATE=", "GOWORK=off", "GOFLAGS=-mod=mod -modcacherw", "GOMODCACHE="+t.TempDir())
	s.command(t, "mod", "init", "example.org/stranger")
	s.command(t, "get", home)
	return s
}

// command returns what the go command prints in the stranger's module.
func (s *stranger) command(t *testing.T, arguments ...string) string {
	t.Helper()
	command := exec.Command(s.goCommand, arguments...)
	command.Dir, command.Env = s.folder, s.environment
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(arguments, " "), err, out)
	}
	return string(out)
}

// run returns what a program prints.
func (s *stranger) run(t *testing.T, source string) string {
	t.Helper()
	if err := os.WriteFile(filepath.Join(s.folder, "main.go"), []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	return s.command(t, "run", ".")
}

// publish writes the files of one version. The zip has what the go command takes of a repository: this folder without the modules in it.
func publish(t *testing.T, folder string) {
	t.Helper()
	check := func(err error) {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
	}
	check(os.MkdirAll(folder, 0o777))
	module, err := os.ReadFile("go.mod")
	check(err)
	at := func(name string) string { return filepath.Join(folder, name) }
	check(os.WriteFile(at("list"), []byte(homeVersion+"\n"), 0o666))
	check(os.WriteFile(at(homeVersion+".info"), []byte(`{"Version":"`+homeVersion+`"}`), 0o666))
	check(os.WriteFile(at(homeVersion+".mod"), module, 0o666))
	file, err := os.Create(at(homeVersion + ".zip"))
	check(err)
	defer file.Close()
	archive := zip.NewWriter(file)
	check(filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if _, err := os.Stat(filepath.Join(path, "go.mod")); path != "." && err == nil {
				return filepath.SkipDir
			}
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		member, err := archive.Create(home + "@" + homeVersion + "/" + filepath.ToSlash(path))
		if err == nil {
			_, err = member.Write(text)
		}
		return err
	}))
	check(archive.Close())
}

func fileURL(folder string) string {
	return "file://" + strings.TrimSuffix("/"+strings.TrimPrefix(filepath.ToSlash(folder), "/"), "/")
}
