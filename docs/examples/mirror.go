// Mirrors the log of a ledger with Go's own client of transparency logs (golang.org/x/mod/sumdb), and holds it to what was
// mirrored before: docs/mirroring.md says how to run it.
//
//	mirror URL KEY-FILE FOLDER
//
// The API key, which needs audit:read, is in LEDGER_API_KEY. FOLDER gets the newest checkpoint, and all leaves, a line each.
package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

const width = 256

func must[T any](value T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return value
}

func get(path string) []byte {
	request := must(http.NewRequest("GET", strings.TrimRight(os.Args[1], "/")+"/v1/log/"+path, nil))
	request.SetBasicAuth("mirror", os.Getenv("LEDGER_API_KEY"))
	response := must(http.DefaultClient.Do(request))
	defer response.Body.Close()
	body := must(io.ReadAll(response.Body))
	if response.StatusCode != 200 {
		must(0, fmt.Errorf("%s: %d %s", path, response.StatusCode, body))
	}
	return body
}

// Tiles by their paths in tlog-tiles, which knows one height and does not name it. What they hold is checked by the caller,
// tlog.TileHashReader, against the signed root.
type tiles struct{}

func (tiles) Height() int                        { return 8 }
func (tiles) SaveTiles(_ []tlog.Tile, _ [][]byte) {}
func (tiles) ReadTiles(wanted []tlog.Tile) ([][]byte, error) {
	var all [][]byte
	for _, tile := range wanted {
		all = append(all, get(strings.Replace(tile.Path(), "tile/8/", "tile/", 1)))
	}
	return all, nil
}

// The tree that a checkpoint is of.
func treeOf(checkpoint string, origin string) tlog.Tree {
	lines := strings.Split(checkpoint, "\n")
	if len(lines) < 4 || lines[0] != origin {
		must(0, fmt.Errorf("it is no checkpoint of %s", origin))
	}
	return tlog.Tree{N: must(strconv.ParseInt(lines[1], 10, 64)), Hash: must(tlog.ParseHash(lines[2]))}
}

func main() {
	key, folder := must(os.ReadFile(os.Args[2])), os.Args[3]
	verifier := must(note.NewVerifier(strings.TrimSpace(string(key))))
	written := get("checkpoint")
	tree := treeOf(must(note.Open(written, note.VerifierList(verifier))).Text, verifier.Name())
	reader := tlog.TileHashReader(tree, tiles{})

	must(0, os.MkdirAll(folder, 0o700))
	checkpoint, leaves := filepath.Join(folder, "checkpoint"), filepath.Join(folder, "leaves")
	var before tlog.Tree
	var mirrored []byte
	if kept, err := os.ReadFile(checkpoint); err == nil {
		before = treeOf(string(kept), verifier.Name())
		mirrored = must(os.ReadFile(leaves))
		if before.N > tree.N || before.N > 0 && must(tlog.TreeHash(before.N, reader)) != before.Hash {
			must(0, fmt.Errorf("IT IS NOT THE LOG OF BEFORE: the first %d events are others now", before.N))
		}
	}

	var more bytes.Buffer
	for at := before.N; at < tree.N; {
		first := at / width * width
		tile := tlog.Tile{H: 8, L: 0, N: at / width, W: int(min(width, tree.N-first))}
		bundle := get(strings.Replace(tile.Path(), "tile/8/0/", "tile/entries/", 1))
		for index := first; index < first+int64(tile.W); index++ {
			length := int(bundle[0])<<8 + int(bundle[1])
			leaf := bundle[2 : 2+length]
			bundle = bundle[2+length:]
			if index < at {
				continue
			}
			hashes := must(reader.ReadHashes([]int64{tlog.StoredHashIndex(0, index)}))
			if hashes[0] != tlog.RecordHash(leaf) {
				must(0, fmt.Errorf("leaf %d is not the one in the tree", index))
			}
			more.Write(leaf)
			more.WriteByte('\n')
		}
		at = first + int64(tile.W)
	}
	must(0, os.WriteFile(leaves, append(mirrored, more.Bytes()...), 0o600))
	must(0, os.WriteFile(checkpoint, written, 0o600))
	fmt.Printf("%d leaves, %d of them new\n", tree.N, tree.N-before.N)
}

func min(a, b int64) int64 {
	if a < b {
		return a
	}
	return b
}
