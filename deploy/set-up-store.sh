#!/bin/sh
# Readies an EventStoreDB for the ledger: passwords of its own, the ledger's user, and ACLs under which nobody but an
# administrator deletes a stream or writes its metadata. May be repeated; what is set already stays as it is.
#
#   set-up-store.sh URL…       one for each node
#
# It waits for a leader and speaks to that node alone: followers lag behind. In the end it tries what must be refused.
set -eu

secrets=${SECRETS:-/run/secrets}
bodies=${BODIES:-/deploy/store}
authority=${AUTHORITY:-/certificates/ca/ca.crt}
patience=${PATIENCE_SECONDS:-180}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# A password is in there, and some shells make no end of their own of a signal.
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
leader=
status=
started=$(date +%s)
# Whose passwords were set in this run.
set_passwords=

say() { printf '%s\n' "$*"; }
fail() {
  say "set-up failed: $*" >&2
  exit 1
}
# again WHY: waits a second before the next try, or gives up.
again() {
  [ $(($(date +%s) - started)) -lt "$patience" ] || fail "$1 (waited $patience s)"
  sleep 1
}
password_of() { cat "$secrets/store-$1-password"; }

# in_quotes TEXT: as it stands between double quotes in JSON and in curl's configuration. No password is an argument of a
# program, which everybody sees: printf is the shell's own.
in_quotes() { printf '%s' "$1" | sed 's/[\\"]/\\&/g'; }

# ask USER PASSWORD METHOD PATH [curl's options]: sets status to the answer's, 000 for none. The password goes into a file
# that only this user reads: arguments are seen by everybody. A body comes on standard input.
ask() {
  (umask 077 && printf 'user = "%s:%s"\n' "$1" "$(in_quotes "$2")" >"$work/login")
  method=$3 path=$4
  shift 4
  status=$(curl --silent --max-time 10 --cacert "$authority" --config "$work/login" --request "$method" \
    --output "$work/answer" --write-out '%{http_code}' "$@" "$leader$path") || status=000
}
admin() { ask admin "$(password_of admin)" "$@"; }
ledger() { ask ledger "$(password_of ledger)" "$@"; }

find_leader() {
  for url in "$@"; do
    if curl --silent --max-time 5 --cacert "$authority" "$url/info" | grep -Eqi '"state" *: *"leader"'; then
      leader=$url
      return 0
    fi
  done
  return 1
}

# accepted USER PASSWORD: whether the store takes them. While it starts it answers neither yes nor no.
accepted() {
  while :; do
    ask "$1" "$2" GET '/users/$current'
    case $status in
      200) return 0 ;;
      401) return 1 ;;
      *) again "the store answers $status to a log-in" ;;
    esac
  done
}

# With a body made of a file, its PASSWORD replaced: what means something to sed there is escaped once more.
with_password() {
  replacement=$(in_quotes "$(password_of "$1")" | sed 's/[\\/&]/\\&/g')
  (umask 077 && printf 's/PASSWORD/%s/\n' "$replacement" >"$work/replace")
  sed -f "$work/replace" "$bodies/$2"
}

set_password() {
  accepted "$1" "$(password_of "$1")" && return 0
  with_password "$1" new-password.json >"$work/body"
  admin POST "/users/$1/command/reset-password" --header 'Content-Type: application/json' --data-binary "@$work/body"
  [ "$status" = 200 ] || fail "the password of $1 could not be set: $status"
  set_passwords="$set_passwords $1"
}

# append_once PATH BODY: at expected version -1, no stream. A repeat has the same event id, which the store takes for done;
# what somebody else put there is left alone, and the checks at the end decide.
append_once() {
  admin POST "$1" --header 'Content-Type: application/vnd.eventstore.events+json' --header 'ES-ExpectedVersion: -1' \
    --data-binary "@$bodies/$2"
  case $status in
    201) say "$2 is in force" ;;
    400) say "$1 was set by somebody else, and is left as it is" ;;
    *) fail "$2 could not be written: $status" ;;
  esac
}

# must_be_refused WHAT COMMAND…: until it is answered 401 or 403; a new default ACL takes a moment to be in force.
must_be_refused() {
  what=$1
  shift
  while :; do
    "$@"
    case $status in
      401 | 403) return 0 ;;
      *) again "$what is not refused, but answered $status" ;;
    esac
  done
}
must_be_allowed() {
  what=$1
  shift
  while :; do
    "$@"
    case $status in
      200) return 0 ;;
      *) again "$what is answered $status" ;;
    esac
  done
}

until find_leader "$@"; do again "no leader among $*"; done
say "the leader is $leader"

# A new store makes its users a moment after it has a leader, with the password that everybody knows.
until accepted admin "$(password_of admin)"; do
  if accepted admin changeit; then
    with_password admin new-password.json >"$work/body"
    ask admin changeit POST /users/admin/command/reset-password --header 'Content-Type: application/json' \
      --data-binary "@$work/body"
    if [ "$status" = 200 ]; then
      set_passwords=' admin'
      continue
    fi
  fi
  again 'the store takes neither the password in secrets/store-admin-password nor the one of a new store'
done
set_password ops

admin GET /users/ledger
case $status in
  200) ;;
  404)
    with_password ledger ledger-user.json >"$work/body"
    admin POST /users/ --header 'Content-Type: application/json' --data-binary "@$work/body"
    [ "$status" = 201 ] || fail "the user ledger could not be made: $status"
    say 'the user ledger is made'
    ;;
  *) fail "the user ledger could not be looked up: $status" ;;
esac
set_password ledger
[ -z "$set_passwords" ] || say "passwords are set of:$set_passwords"

append_once '/streams/%24settings' default-acl.json
append_once '/streams/%24all/metadata' all-acl.json

# A stream that does not exist, at a version that it does not have: where the ACLs fail, nothing is changed all the same.
probe=/streams/order-acl-probe
must_be_refused 'the password of a new store for admin' ask admin changeit GET '/users/$current'
must_be_refused 'the password of a new store for ops' ask ops changeit GET '/users/$current'
must_be_refused 'a deletion by the ledger' ledger DELETE "$probe" --header 'ES-ExpectedVersion: 7'
must_be_refused "a stream's metadata written by the ledger" ledger POST "$probe/metadata" \
  --header 'Content-Type: application/vnd.eventstore.events+json' --header 'ES-ExpectedVersion: 7' \
  --data-binary "@$bodies/all-acl.json"
must_be_refused 'the reading of an order by others' ask ops "$(password_of ops)" GET "$probe"
must_be_allowed 'the reading of all events by the ledger' ledger GET '/streams/%24all/head/backward/1' \
  --header 'Accept: application/vnd.eventstore.atom+json'
say 'the store is set up'
