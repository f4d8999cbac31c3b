// Checks a ledger's log with Go's own implementation of transparency logs, and makes notes and proofs for the ledger's
// implementation to check. It is run by sumdb.test.ts.
package main

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

func must[T any](value T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return value
}

func check(err error) { must(0, err) }

type ledger struct{ base, key string }

func (l ledger) get(path string) []byte {
	request := must(http.NewRequest("GET", l.base+path, nil))
	request.SetBasicAuth("mirror", l.key)
	response := must(http.DefaultClient.Do(request))
	defer response.Body.Close()
	body := must(io.ReadAll(response.Body))
	if response.StatusCode != 200 {
		check(fmt.Errorf("%s: %d %s", path, response.StatusCode, body))
	}
	return body
}

func (l ledger) json(path string, into any) { check(json.Unmarshal(l.get(path), into)) }

// Tiles by the paths of tlog-tiles, which has one height and no name for it.
type tiles struct{ ledger }

func (t tiles) Height() int                       { return 8 }
func (t tiles) SaveTiles(_ []tlog.Tile, _ [][]byte) {}
func (t tiles) ReadTiles(wanted []tlog.Tile) ([][]byte, error) {
	var all [][]byte
	for _, tile := range wanted {
		all = append(all, t.get("/v1/log/"+strings.Replace(tile.Path(), "tile/8/", "tile/", 1)))
	}
	return all, nil
}

func hashes(texts []string) []tlog.Hash {
	all := []tlog.Hash{}
	for _, text := range texts {
		all = append(all, must(tlog.ParseHash(text)))
	}
	return all
}

// Holds a ledger to its checkpoint by tiles, and its proofs to the roots that tiles give.
func checkLedger(l ledger) {
	verifier := must(note.NewVerifier(strings.TrimSpace(string(l.get("/v1/log/key")))))
	opened := must(note.Open(l.get("/v1/log/checkpoint"), note.VerifierList(verifier)))
	lines := strings.Split(opened.Text, "\n")
	size := must(strconv.ParseInt(lines[1], 10, 64))
	tree := tlog.Tree{N: size, Hash: must(tlog.ParseHash(lines[2]))}
	if lines[0] != verifier.Name() {
		check(fmt.Errorf("the origin is %s", lines[0]))
	}
	reader := tlog.TileHashReader(tree, tiles{l})
	if must(tlog.TreeHash(size, reader)) != tree.Hash {
		check(fmt.Errorf("the tiles give another root"))
	}
	for at := int64(0); at < size; at += 7 {
		path := tlog.Tile{H: 8, L: 0, N: at / 256, W: int(min(256, size-at/256*256))}.Path()
		bundle := l.get("/v1/log/" + strings.Replace(path, "tile/8/0/", "tile/entries/", 1))
		for skip := at % 256; skip > 0; skip-- {
			bundle = bundle[2+int(bundle[0])<<8+int(bundle[1]):]
		}
		leaf := bundle[2 : 2+int(bundle[0])<<8+int(bundle[1])]
		proof := must(tlog.ProveRecord(size, at, reader))
		check(tlog.CheckRecord(proof, size, tree.Hash, at, tlog.RecordHash(leaf)))
		var named struct{ EventID string }
		check(json.Unmarshal(leaf, &named))
		var ours struct {
			Leaf     string
			RootHash string
			Hashes   []string
			LeafIndex, TreeSize int64
		}
		l.json("/v1/proofs/inclusion?eventId="+url.QueryEscape(named.EventID), &ours)
		check(tlog.CheckRecord(hashes(ours.Hashes), ours.TreeSize, must(tlog.ParseHash(ours.RootHash)), at, tlog.RecordHash([]byte(ours.Leaf))))
	}
	for from := int64(1); from < size; from += 5 {
		old := must(tlog.TreeHash(from, reader))
		var ours struct{ Hashes []string }
		l.json(fmt.Sprintf("/v1/proofs/consistency?from=%d&to=%d", from, size), &ours)
		check(tlog.CheckTree(hashes(ours.Hashes), size, tree.Hash, from, old))
	}
	fmt.Printf("%d leaves\n", size)
}

func min(a, b int64) int64 {
	if a < b {
		return a
	}
	return b
}

type stored []tlog.Hash

func (s *stored) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	var all []tlog.Hash
	for _, index := range indexes {
		all = append(all, (*s)[index])
	}
	return all, nil
}

func texts(all []tlog.Hash) []string {
	written := []string{}
	for _, hash := range all {
		written = append(written, base64.StdEncoding.EncodeToString(hash[:]))
	}
	return written
}

// Makes a tree of so many leaves, and for each size a signed checkpoint with proofs from it.
func makeProofs(count int64) {
	skey, vkey, err := note.GenerateKey(rand.Reader, "go.example/log")
	check(err)
	signer := must(note.NewSigner(skey))
	var all stored
	out := json.NewEncoder(os.Stdout)
	for size := int64(1); size <= count; size++ {
		all = append(all, must(tlog.StoredHashes(size-1, []byte(fmt.Sprint("leaf ", size-1)), &all))...)
		root := must(tlog.TreeHash(size, &all))
		text := fmt.Sprintf("go.example/log\n%d\n%s\n", size, root)
		signed := must(note.Sign(&note.Note{Text: text}, signer))
		for at := int64(0); at < size; at += 1 + size/9 {
			older := must(tlog.TreeHash(at+1, &all))
			check(out.Encode(map[string]any{
				"key": vkey, "note": string(signed), "index": at, "leaf": fmt.Sprint("leaf ", at),
				"inclusion":   texts(must(tlog.ProveRecord(size, at, &all))),
				"olderRoot":   base64.StdEncoding.EncodeToString(older[:]),
				"consistency": texts(must(tlog.ProveTree(size, at+1, &all))),
			}))
		}
	}
}

func main() {
	if os.Args[1] == "check" {
		checkLedger(ledger{os.Args[2], os.Args[3]})
	} else {
		makeProofs(must(strconv.ParseInt(os.Args[2], 10, 64)))
	}
}
