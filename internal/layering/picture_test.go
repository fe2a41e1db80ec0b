package layering

import (
	"bytes"
	"os"
	"os/exec"
	"testing"
)

func TestThePictureOfThePackagesIsCurrent(t *testing.T) {
	draw := exec.Command("go", "run", "scripts/packages.go")
	draw.Dir = "../.."
	drawn, err := draw.Output()
	if err != nil {
		t.Fatal(err)
	}
	kept, err := os.ReadFile("../../docs/packages.svg")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(drawn, kept) {
		t.Error("docs/packages.svg shows other imports than there are: make picture draws it again")
	}
}
