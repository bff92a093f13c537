#!/bin/bash
# Is MongoDB the primary of its replica set of one, with a user for each service? users.js sees to it. mongosh keeps a processor busy for a second, so it is asked until it says yes, once for each
# start of the container; from then on it is enough that the port answers.
: <"/dev/tcp/127.0.0.1/27017" || exit 1
primary="/tmp/primary-since-$(cut -d " " -f 22 /proc/1/stat)"
[ -f "$primary" ] && exit 0
answer=$(mongosh --quiet -u root -p "$MONGO_INITDB_ROOT_PASSWORD" "$(dirname "$0")/users.js" 2>&1) && touch "$primary" && exit 0
case "$answer" in
  *"Authentication failed"*)
    echo 'MongoDB refuses MONGODB_PASSWORD from .env. If this stays, its volume was made with another password: docs/operations.md, "Passwords".' ;;
  *) echo "$answer" ;;
esac
exit 1
