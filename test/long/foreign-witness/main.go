// A witness (C2SP tlog-witness) whose notes and proofs are read and checked by Go's own implementation of transparency
// logs. It is run by foreign-witness.test.ts:
//
//	main NAME KEY [SIZE ROOT]
//
// KEY is the line of the key of the log that it knows. With SIZE and ROOT it has seen a tree before. It forgets all of it
// at its end.
package main

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

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

// Signs as tlog-cosignature says.
type cosigner struct {
	name string
	key  ed25519.PrivateKey
}

func (c cosigner) public() []byte {
	return append([]byte{4}, c.key.Public().(ed25519.PublicKey)...)
}
func (c cosigner) Name() string { return c.name }
func (c cosigner) KeyHash() uint32 {
	hash := sha256.Sum256(append([]byte(c.name+"\n"), c.public()...))
	return binary.BigEndian.Uint32(hash[:])
}
func (c cosigner) Sign(text []byte) ([]byte, error) {
	now := time.Now().Unix()
	signed := fmt.Sprintf("cosignature/v1\ntime %d\n%s", now, text)
	return append(binary.BigEndian.AppendUint64(nil, uint64(now)), ed25519.Sign(c.key, []byte(signed))...), nil
}
func (c cosigner) line() string {
	return fmt.Sprintf("%s+%08x+%s", c.name, c.KeyHash(), base64.StdEncoding.EncodeToString(c.public()))
}

type witness struct {
	sync.Mutex
	log    note.Verifier
	signer cosigner
	seen   tlog.Tree
}

// What is answered to a question: a status, and a body.
func (w *witness) addCheckpoint(body string) (int, string) {
	w.Lock()
	defer w.Unlock()
	head, signed, found := strings.Cut(body, "\n\n")
	lines := strings.Split(head, "\n")
	old, err := strconv.ParseInt(strings.TrimPrefix(lines[0], "old "), 10, 64)
	if !found || err != nil || !strings.HasPrefix(lines[0], "old ") {
		return 400, ""
	}
	var proof tlog.TreeProof
	for _, line := range lines[1:] {
		hash, err := tlog.ParseHash(line)
		if err != nil {
			return 400, ""
		}
		proof = append(proof, hash)
	}
	opened, err := note.Open([]byte(signed), note.VerifierList(w.log))
	if err != nil {
		return 403, err.Error()
	}
	text := strings.Split(opened.Text, "\n")
	if len(text) < 4 || text[0] != w.log.Name() {
		return 404, ""
	}
	size, err := strconv.ParseInt(text[1], 10, 64)
	root, rootErr := tlog.ParseHash(text[2])
	if err != nil || rootErr != nil || old > size {
		return 400, ""
	}
	if old != w.seen.N || (size == w.seen.N && size > 0 && root != w.seen.Hash) {
		return 409, fmt.Sprintf("%d\n", w.seen.N)
	}
	if old > 0 && old < size {
		if err := tlog.CheckTree(proof, size, root, w.seen.N, w.seen.Hash); err != nil {
			return 422, err.Error()
		}
	} else if len(proof) > 0 {
		return 422, "a proof of nothing"
	}
	cosigned, err := note.Sign(&note.Note{Text: opened.Text}, w.signer)
	if err != nil {
		return 500, err.Error()
	}
	w.seen = tlog.Tree{N: size, Hash: root}
	_, signature, _ := strings.Cut(string(cosigned), "\n\n")
	return 200, signature
}

func main() {
	_, key := must2(ed25519.GenerateKey(rand.Reader))
	w := &witness{log: must(note.NewVerifier(os.Args[2])), signer: cosigner{os.Args[1], key}}
	if len(os.Args) == 5 {
		w.seen = tlog.Tree{N: must(strconv.ParseInt(os.Args[3], 10, 64)), Hash: must(tlog.ParseHash(os.Args[4]))}
	}
	http.HandleFunc("/add-checkpoint", func(to http.ResponseWriter, request *http.Request) {
		status, body := w.addCheckpoint(string(must(io.ReadAll(request.Body))))
		if status == 409 {
			to.Header().Set("Content-Type", "text/x.tlog.size")
		}
		to.WriteHeader(status)
		io.WriteString(to, body)
		// For whoever waits for it.
		fmt.Printf("%d %d\n", status, w.seen.N)
	})
	listener := must(net.Listen("tcp", "127.0.0.1:0"))
	fmt.Printf("%s http://%s\n", w.signer.line(), listener.Addr())
	must(0, http.Serve(listener, nil))
}

func must2[A, B any](a A, b B, err error) (A, B) {
	must(0, err)
	return a, b
}
