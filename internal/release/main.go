// Release checks the binary of a release: how it is linked, and what it says of its own build.
package main

import (
	"debug/buildinfo"
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: release BINARY")
		os.Exit(2)
	}
	if err := check(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "release: "+strings.ReplaceAll(err.Error(), "\n", "\nrelease: "))
		os.Exit(1)
	}
}

// check returns everything that is wrong with the binary at path.
func check(path string) error {
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read how %s was built: %w", path, err)
	}
	wrong := checkBuild(info)
	file, err := elf.Open(path)
	if err != nil {
		return errors.Join(wrong, fmt.Errorf("read %s: %w", path, err))
	}
	defer file.Close() //nolint:errcheck // it was only read
	return errors.Join(wrong, checkLinking(file))
}

// checkBuild reports settings of the build that make it differ by machine, or show where it was made.
func checkBuild(info *buildinfo.BuildInfo) error {
	set := map[string]string{}
	for _, s := range info.Settings {
		set[s.Key] = s.Value
	}
	var wrong []error
	for key, want := range map[string]string{"-trimpath": "true", "-buildmode": "pie", "CGO_ENABLED": "1"} {
		if set[key] != want {
			wrong = append(wrong, fmt.Errorf("built with %s=%q: want %q", key, set[key], want))
		}
	}
	for _, dep := range info.Deps {
		if dep.Replace != nil && filepath.IsAbs(dep.Replace.Path) {
			wrong = append(wrong, fmt.Errorf("%s comes from %s on the machine that built it", dep.Path, dep.Replace.Path))
		}
	}
	return errors.Join(wrong...)
}

// checkLinking reports what a hardened binary that needs no library has and this one lacks.
func checkLinking(file *elf.File) error {
	var wrong []error
	if file.Type != elf.ET_DYN {
		wrong = append(wrong, fmt.Errorf("it is not position independent (%v)", file.Type))
	}
	segments := map[elf.ProgType]*elf.Prog{}
	for _, p := range file.Progs {
		segments[p.Type] = p
	}
	if segments[elf.PT_GNU_RELRO] == nil {
		wrong = append(wrong, errors.New("it has no read-only relocations (RELRO)"))
	}
	if stack := segments[elf.PT_GNU_STACK]; stack == nil || stack.Flags&elf.PF_X != 0 {
		wrong = append(wrong, errors.New("its stack is executable"))
	}
	if segments[elf.PT_INTERP] != nil {
		wrong = append(wrong, errors.New("it needs a dynamic linker"))
	}
	if libraries, err := file.ImportedLibraries(); err != nil || len(libraries) > 0 {
		wrong = append(wrong, fmt.Errorf("it needs the libraries %q", libraries))
	}
	flags, err := file.DynValue(elf.DT_FLAGS_1)
	if err != nil || len(flags) == 0 || elf.DynFlag1(flags[0])&elf.DF_1_NOW == 0 {
		wrong = append(wrong, errors.New("its relocations are not bound at the start, so RELRO is partial"))
	}
	if symbols, err := file.Symbols(); err == nil && len(symbols) > 0 {
		wrong = append(wrong, errors.New("it has a symbol table"))
	}
	return errors.Join(wrong...)
}
