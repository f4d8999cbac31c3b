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

# A run that was cut off leaves a key without a certificate, or the other way round: made anew.
complete() { [ -s "$1.crt" ] && [ -s "$1.key" ]; }

if ! complete "$authority/ca"; then
  rm -f "$authority/ca.crt" "$authority/ca.key"
  es-gencert-cli create-ca -days "$authority_days" -out "$authority"
fi
mkdir -p "$certificates/ca"
cp -f "$authority/ca.crt" "$certificates/ca/ca.crt"
chmod 0755 "$certificates" "$certificates/ca"
chmod 0444 "$certificates/ca/ca.crt"

for node in "$@"; do
  if ! complete "$certificates/$node/node"; then
    rm -rf "${certificates:?}/$node"
    es-gencert-cli create-node -days "$node_days" -ca-certificate "$authority/ca.crt" -ca-key "$authority/ca.key" \
      -ip-addresses 127.0.0.1 -dns-names "$node,localhost" -out "$certificates/$node"
  fi
  chown -R "$node_user" "$certificates/$node"
  chmod 0500 "$certificates/$node"
  chmod 0400 "$certificates/$node/node.crt" "$certificates/$node/node.key"
done
