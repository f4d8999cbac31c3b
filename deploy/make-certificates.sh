#!/bin/sh
# Makes the store's private certificate authority and a certificate for each node, once; what is there already stays.
#
#   make-certificates.sh NODE…
#
# The authority's key never leaves $AUTHORITY, which no node mounts. Node keys belong to the user that the node image runs as.
set -eu

authority=${AUTHORITY:-/authority}
certificates=${CERTIFICATES:-/certificates}
node_user=${NODE_USER:-1001:1001}
# Five years for the authority, a little less for a node: docs/operating.md, Certificates.
authority_days=1826
node_days=1800

# A run that was cut off leaves nothing of a pair, or its key alone: made anew.
complete() { [ -s "$1.crt" ] && [ -s "$1.key" ]; }

fail() {
  echo "make-certificates.sh: $*" >&2
  exit 1
}

# make FOLDER NAME COMMAND…: has es-gencert-cli make NAME.crt and NAME.key, and moves both to FOLDER. The tool refuses a
# folder that is there, and exits with 0 all the same: it gets a new one, and what it made is looked at.
make() {
  folder=$1 name=$2
  shift 2
  draft=$folder/draft
  rm -rf "${draft:?}"
  es-gencert-cli "$@" -out "$draft"
  complete "$draft/$name" || fail "es-gencert-cli $1 made no $name.crt and $name.key; what it says is above"
  # Beside a certificate of another key a new key would look complete where this is cut off.
  rm -f "$folder/$name.crt" "$folder/$name.key"
  mv -f "$draft/$name.key" "$folder/"
  mv -f "$draft/$name.crt" "$folder/"
  rm -rf "${draft:?}"
}

# The name of a node that has a certificate; empty: none has.
signed_node() {
  for signed in "$certificates"/*/node.crt; do
    [ -s "$signed" ] && basename "$(dirname "$signed")" && return 0
  done
  return 0
}

rm -rf "${authority:?}/draft"
if ! complete "$authority/ca"; then
  node=$(signed_node)
  [ -z "$node" ] || fail "ca.crt or ca.key is gone from $authority, and the certificate of $node is signed with it: put both back, or remove everything in $certificates and $authority to have all made anew, and restart every node and ledger"
  mkdir -p "$authority"
  make "$authority" ca create-ca -days "$authority_days"
fi
mkdir -p "$certificates/ca"
cp -f "$authority/ca.crt" "$certificates/ca/ca.crt"
chmod 0755 "$certificates" "$certificates/ca"
chmod 0444 "$certificates/ca/ca.crt"

for node in "$@"; do
  mkdir -p "$certificates/$node"
  rm -rf "${certificates:?}/$node/draft"
  if ! complete "$certificates/$node/node"; then
    chmod 0700 "$certificates/$node"
    make "$certificates/$node" node create-node -days "$node_days" -ca-certificate "$authority/ca.crt" \
      -ca-key "$authority/ca.key" -ip-addresses 127.0.0.1 -dns-names "$node,localhost"
  fi
  chown -R "$node_user" "$certificates/$node"
  chmod 0500 "$certificates/$node"
  chmod 0400 "$certificates/$node/node.crt" "$certificates/$node/node.key"
done
