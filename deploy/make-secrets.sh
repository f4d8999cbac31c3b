#!/bin/sh
# Generates what docker-compose.yml reads from ./secrets; what is there already stays as it is.
#
#   deploy/make-secrets.sh [FOLDER]
#
# The folder is of mode 0700, so nobody else on this machine reaches into it. Compose hands a file to a container with the
# owner and mode that it has here, and the ledger runs as a user of its own there: the files that it reads are 0644 behind
# the closed folder. The passwords, which only the set-up service reads, are 0600.
set -eu
umask 077

folder=${1:-$(dirname "$0")/../secrets}
mkdir -p "$folder"
chmod 0700 "$folder"

# 48 hexadecimal digits: nothing in them has a meaning in a URL, in JSON or in a list.
random() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }

# make NAME MODE VALUE: whole or not there, and without a newline at the end.
make() {
  [ -e "$folder/$1" ] && return 0
  printf %s "$3" >"$folder/$1.draft"
  chmod "$2" "$folder/$1.draft"
  mv "$folder/$1.draft" "$folder/$1"
  printf 'made %s\n' "$folder/$1"
}

make store-admin-password 0600 "$(random)"
make store-ops-password 0600 "$(random)"
make store-ledger-password 0600 "$(random)"

login="ledger:$(cat "$folder/store-ledger-password")"
options='tls=true&tlsCAFile=/certificates/ca/ca.crt'
make event-store-url 0644 "esdb://$login@store:2113?$options"
make event-store-url-cluster 0644 "esdb://$login@store-1:2113,store-2:2113,store-3:2113?$options"

# Replace what follows main= by the API secret (Client Secret) that the provider signs with.
make webhook-secrets 0644 "main=$(random)"
scopes=orders:read+reports:read+audit:read+pii:read+quarantine:write+periods:write+statements:write+admin
make api-keys 0644 "operator:$scopes=$(random)"
