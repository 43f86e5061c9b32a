package seen_test

// Saving: over a file or not at all, through links, to names of any length.

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seenfilter/seen/go"
)

func TestSaveReplacesAFileWholeOrNotAtAll(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "f.seen")
	f, err := seen.NewBloom(target)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Save(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(folder, "link")
	if err := os.Symlink("f.seen", link); err != nil {
		t.Skip(err)
	}
	f.AddString("a")
	if err := f.Save(link); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Error("saving through a link replaced the link")
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("saving changed the permissions to %v", info.Mode())
	}
	before, _ := os.ReadFile(path)
	if err := f.Save(path, seen.WithAlignment(100)); err == nil {
		t.Error("an alignment of 100 was accepted")
	}
	after, _ := os.ReadFile(path)
	if !bytes.Equal(before, after) {
		t.Error("a failed save changed the file")
	}
	if err := f.Save(filepath.Join(folder, "missing", "f.seen")); err == nil {
		t.Error("a file was saved in a folder that is not there")
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 2 {
		t.Errorf("%d files are left in the folder, not 2", len(entries))
	}
}

func TestSaveThroughLinksMakesTheFileAtTheirEnd(t *testing.T) {
	folder := t.TempDir()
	f, err := seen.NewBloom(target)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(folder, "there", "below"), 0o777); err != nil {
		t.Fatal(err)
	}
	end := filepath.Join(folder, "there", "f.seen")
	links := map[string]string{
		"link": "there/next", "there/next": "../there/below/last", "there/below/last": end,
		"itself": "itself", "one": "two", "two": "one", "far": "absent/f.seen",
	}
	for link, to := range links {
		if err := os.Symlink(to, filepath.Join(folder, link)); err != nil {
			t.Skip(err)
		}
	}
	for range 2 { // to a new file, and over one
		f.AddString("a")
		if err := f.Save(filepath.Join(folder, "link")); err != nil {
			t.Fatal(err)
		}
		whole, _ := f.MarshalBinary()
		if saved, err := os.ReadFile(end); err != nil || !bytes.Equal(saved, whole) {
			t.Errorf("the file at the end of the links is not the filter: %v", err)
		}
	}
	for _, link := range []string{"itself", "one", "far"} {
		if err := f.Save(filepath.Join(folder, link)); err == nil {
			t.Errorf("a filter was saved through %s, which leads nowhere", link)
		}
	}
	for link, to := range links {
		if named, err := os.Readlink(filepath.Join(folder, link)); err != nil || named != to {
			t.Errorf("%s is no longer a link to %s", link, to)
		}
	}
	before, err := os.Getwd()
	if err != nil || os.Chdir(folder) != nil {
		t.Fatal("cannot change the working directory")
	}
	defer func() { _ = os.Chdir(before) }()
	if err := f.Save("link"); err != nil {
		t.Error(err)
	}
	for _, name := range []string{".", "there"} {
		entries, _ := os.ReadDir(name)
		for _, e := range entries {
			if strings.HasPrefix(e.Name(), ".") {
				t.Errorf("%s is left in %s", e.Name(), name)
			}
		}
	}
}

func TestSaveToNamesOfAnyLengthAndKeepPermissions(t *testing.T) {
	folder := t.TempDir()
	f, err := seen.NewBloom(target)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{strings.Repeat("\u20ac", 85)}
	for _, length := range []int{1, 235, 236, 237, 245, 246, 255} {
		names = append(names, strings.Repeat("n", length))
	}
	for _, name := range names {
		path := filepath.Join(folder, name)
		if err := f.Save(path); err != nil {
			t.Errorf("a name of %d bytes: %v", len(name), err)
			continue
		}
		if err := os.Chmod(path, 0o666); err != nil {
			t.Fatal(err)
		}
		if err := f.Save(path); err != nil {
			t.Errorf("a name of %d bytes: %v", len(name), err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o666 {
			t.Errorf("saving changed the permissions to %v", info.Mode())
		}
	}
	if err := f.Save(filepath.Join(folder, strings.Repeat("n", 256))); err == nil {
		t.Error("a filter was saved to a name of 256 bytes")
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != len(names) {
		t.Errorf("%d files are left in the folder, not %d", len(entries), len(names))
	}
}
