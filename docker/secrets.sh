#!/bin/sh
# Makes the secrets of docker/compose.yaml, each in a file of docker/secrets/. Files that are there already are kept:
# without the sealing key, the secrets in the database cannot be read.
set -eu
cd "$(dirname "$0")"
umask 077
mkdir -p secrets

secret() {
  [ -s "secrets/$1" ] || printf '%s\n' "$2" > "secrets/$1"
  # Compose mounts the file with its owner and mode; the containers run as user 1000.
  chmod 0444 "secrets/$1"
}
random() {
  head -c 32 /dev/urandom | od -An -tx1 | tr -d ' \n'
}

secret postgres_password "$(random)"
secret database_url "postgres://ies:$(cat secrets/postgres_password)@postgres:5432/ies"
secret url_signing_key "$(random)"
secret sealing_key "$(random)"
secret metrics_token "$(random)"
