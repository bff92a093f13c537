#!/bin/sh
# Uploads a recording, waits for its report and prints it. Needs curl.
# Usage: sh report.sh call.mp3, with CALLS_URL and CALLS_KEY in the environment.
set -eu
recording=${1:-call.mp3}
auth="Authorization: Bearer $CALLS_KEY"

# The same Idempotency-Key on every retry: the upload makes one call, however often it is sent.
upload=$(curl -sS --fail-with-body --retry 3 -H "$auth" -H "Idempotency-Key: $$-$(date +%s)" \
  -F "file=@$recording" -F reportType=medium "$CALLS_URL/api/v1/calls") || { echo "$upload" >&2; exit 1; }
id=$(printf '%s' "$upload" | sed -n 's/.*"id": *"\([^"]*\)".*/\1/p')

while :; do
  call=$(curl -sS --fail-with-body --retry 3 -H "$auth" "$CALLS_URL/api/v1/calls/$id") || { echo "$call" >&2; exit 1; }
  case $call in
    *'"status":"completed"'*) printf '%s\n' "$call"; exit 0 ;;
    *'"status":"failed"'*) printf '%s\n' "$call" >&2; exit 1 ;;
  esac
  sleep 5
done
