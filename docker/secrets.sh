#!/bin/sh
# Makes the secrets of the Compose files, each in a file of docker/secrets/. Files that are there already are kept:
# without the sealing key, the secrets in the database cannot be read.
set -eu
cd "$(dirname "$0")"
umask 077
mkdir -p secrets
# Nobody else on this host gets to the files.
chmod 0700 secrets

secret() {
  if [ ! -s "secrets/$1" ]; then
    printf '%s\n' "$2" > "secrets/.$1.new"
    mv "secrets/.$1.new" "secrets/$1"
  fi
  # Compose mounts the file with its owner and mode, and containers run as different users.
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
# compose.observability.yaml
secret grafana_password "$(random)"
# compose.s3.yaml; for compose.bucket.yaml, replace them with those of your bucket
secret s3_credentials "[default]
aws_access_key_id = $(random | cut -c1-20)
aws_secret_access_key = $(random)"
