package seen_test

// The lying files of the kit: opened, mapped, verified and asked with the same outcome as in every other language.

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seenfilter/seen/go"
	"github.com/seenfilter/seen/go/internal/hash"
	"github.com/seenfilter/seen/go/internal/kit"
)

func TestKitLyingFilesHaveTheSameVerdictsAndAnswersInEveryLanguage(t *testing.T) {
	rows, err := kit.Table(filepath.Join(kitFolder, "verdicts.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	byFile := map[string]kit.Case{}
	for _, c := range kitCases(t) {
		byFile[c["file"]] = c
	}
	folder := t.TempDir()
	files := map[string][]byte{}
	for i, row := range rows {
		c := byFile[row["base"]]
		if files[row["base"]] == nil {
			if files[row["base"]], err = os.ReadFile(filepath.Join(kitFolder, row["base"])); err != nil {
				t.Fatal(err)
			}
		}
		data := edit(t, files[row["base"]], row["edits"])
		options := c.OpenOptions()
		if row["recover"] == "1" {
			options = append(options, seen.WithRecover())
		}
		answersOf := func(f seen.Filter) string {
			bitmap, _ := kitSet(t, row["probes"]).Ask(f)
			return fmt.Sprintf("%016x", hash.XXH3(bitmap, 0))
		}
		expect := func(what, got, want string) {
			// A file that lies in several places may be refused for any of them.
			if row["why"] == "random" && got != "ok" && want != "ok" && !strings.HasPrefix(what, "answers") {
				return
			}
			if got != want {
				t.Errorf("%s of %s with %q (%s): %s, not %s", what, row["base"], row["edits"], row["why"], got, want)
			}
		}
		loaded, err := seen.Read(data, options...)
		expect("load", verdict(err), row["load"])
		if err == nil {
			expect("answers", answersOf(loaded), row["answers"])
		}
		// A new file each: to write over one again waits for the disk.
		path := filepath.Join(folder, fmt.Sprint(i))
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		view, err := seen.Map(path, options...)
		expect("map", verdict(err), row["map"])
		if err == nil {
			expect("verify", verdict(view.Verify()), row["verify"])
			if answers := answersOf(view); row["answers"] != "" {
				expect("answers of a map", answers, row["answers"])
			}
			if err := view.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
}
