#!/bin/bash
# Starts the broker, and gives it the policies and a user for each service once it runs. The broker can load such files by itself, but one that does makes no user from
# RABBITMQ_DEFAULT_USER and RABBITMQ_DEFAULT_PASS. Importing is harmless to repeat, so each start does it.
set -euo pipefail
folder="$(dirname "$0")"
users=/tmp/users.json
rm -f /tmp/imported

# As the broker keeps it: https://www.rabbitmq.com/docs/passwords#this-is-the-algorithm
hash_of() {
  local salt
  salt=$(head -c 4 /dev/urandom | od -An -v -tx1 | tr -d ' \n')
  local digest
  digest=$({ bytes "$salt"; printf '%s' "$1"; } | sha256sum | cut -d ' ' -f 1)
  bytes "$salt$digest" | base64 -w 0
}
bytes() { printf '%b' "$(sed 's/../\\x&/g' <<<"$1")"; }

# Every service declares the exchanges and queues that are missing, and publishes. It reads its own queue and, for bindings, the exchanges.
exchanges='calls|calls\\.live(\\..*)?'
separator=''
definitions='{"users":['
permissions='],"permissions":['
# Takes the user, its password, what else it reads, and what else it writes.
add() {
  definitions+="$separator{\"name\":\"$1\",\"password_hash\":\"$(hash_of "$2")\",\"hashing_algorithm\":\"rabbit_password_hashing_sha256\",\"tags\":[]}"
  permissions+="$separator{\"user\":\"$1\",\"vhost\":\"/\",\"configure\":\"^calls(\\\\..*)?$\",\"write\":\"^(calls(\\\\..*)?${4:-})$\",\"read\":\"^($exchanges${3:-})$\"}"
  separator=','
}
add gateway "$RABBITMQ_GATEWAY_PASSWORD"
add dispatcher "$RABBITMQ_DISPATCHER_PASSWORD" '|calls\\..*'
# Consumers pass messages on, to their own queue or to the dead letters, through the default exchange.
add transcription "$RABBITMQ_TRANSCRIPTION_PASSWORD" '|calls\\.transcription' '|amq\\.default'
add analysis "$RABBITMQ_ANALYSIS_PASSWORD" '|calls\\.analysis' '|amq\\.default'
add cleanup "$RABBITMQ_CLEANUP_PASSWORD" '|calls\\.cleanup' '|amq\\.default'
add ops "$RABBITMQ_OPS_PASSWORD" '|calls\\.dead-letters' '|amq\\.default'
(umask 077 && printf '%s' "$definitions$permissions]}" >"$users")
chown rabbitmq "$users" 2>/dev/null || true

(
  # The listener opens when all else has started. Asked earlier, rabbitmqctl would fail, or make a cookie that the broker cannot read.
  until (: </dev/tcp/127.0.0.1/5672) 2>/dev/null; do sleep 1; done
  for file in "$folder/definitions.json" "$users"; do
    until rabbitmqctl -q import_definitions "$file"; do sleep 1; done
  done
  rm -f "$users"
  touch /tmp/imported
) &
exec docker-entrypoint.sh rabbitmq-server
