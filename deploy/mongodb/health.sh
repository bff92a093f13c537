#!/bin/bash
# Is MongoDB the primary of its replica set of one? The first time it is made one. mongosh keeps a processor busy for a second, so it is asked until it says yes, once for
# each start of the container; from then on it is enough that the port answers.
: <"/dev/tcp/127.0.0.1/27017" || exit 1
primary="/tmp/primary-since-$(cut -d " " -f 22 /proc/1/stat)"
[ -f "$primary" ] && exit 0
mongosh --quiet -u root -p "$MONGO_INITDB_ROOT_PASSWORD" --eval '
  try { rs.status() } catch { rs.initiate({ _id: "rs0", members: [{ _id: 0, host: "mongodb:27017" }] }) }
  quit(db.hello().isWritablePrimary ? 0 : 1)
' && touch "$primary"
