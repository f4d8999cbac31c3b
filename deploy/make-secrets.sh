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

# 48 hexadecimal digits: nothing in them has a meaning in a URL, in JSON or in a list. A pipe has the status of its last part: what
# came is looked at.
random() {
  digits=$(od -An -N24 -tx1 /dev/urandom | tr -cd '0-9a-f')
  if [ "${#digits}" -ne 48 ]; then
    echo 'make-secrets.sh: od gave no 24 bytes of /dev/urandom; nothing more was made' >&2
    return 1
  fi
  printf %s "$digits"
}

# encoded TEXT: as it stands in a URL, each byte by its number where there is one that means something there.
encoded() {
  case $1 in
    *[!A-Za-z0-9._~-]*)
      written=$(printf %s "$1" | od -An -v -tx1 | tr -cd '0-9a-f' | sed 's/../%&/g')
      if [ -z "$written" ]; then
        echo 'make-secrets.sh: od did not give the bytes of a password; no address of the store was made' >&2
        return 1
      fi
      printf %s "$written"
      ;;
    *) printf %s "$1" ;;
  esac
}

# make NAME MODE VALUE: whole or not there, and without a newline at the end. An empty file holds nothing that is to stay.
make() {
  [ -s "$folder/$1" ] && return 0
  printf %s "$3" >"$folder/$1.draft"
  chmod "$2" "$folder/$1.draft"
  mv "$folder/$1.draft" "$folder/$1"
  printf 'made %s\n' "$folder/$1"
}

# make_random NAME MODE BEFORE: the value is its own line, since the status of one among arguments is nobody's.
make_random() {
  [ -s "$folder/$1" ] && return 0
  value=$(random)
  make "$1" "$2" "$3$value"
}

make_random store-admin-password 0600 ''
make_random store-ops-password 0600 ''
make_random store-ledger-password 0600 ''

password=$(cat "$folder/store-ledger-password")
login=$(encoded "$password")
login=ledger:$login
options='tls=true&tlsCAFile=/certificates/ca/ca.crt'
make event-store-url 0644 "esdb://$login@store:2113?$options"
make event-store-url-cluster 0644 "esdb://$login@store-1:2113,store-2:2113,store-3:2113?$options"

# Replace what follows main= by the API secret (Client Secret) that the provider signs with.
make_random webhook-secrets 0644 main=
scopes=orders:read+reports:read+audit:read+pii:read+quarantine:write+periods:write+statements:write+admin
make_random api-keys 0644 "operator:$scopes="
