#!/bin/sh
# Starts the broker, and gives it the policies once it runs. The broker can load such a file by itself, but one that does makes no user from RABBITMQ_DEFAULT_USER
# and RABBITMQ_DEFAULT_PASS, and a file with users in it would hold a password. Importing is harmless to repeat, so each start does it.
set -eu
definitions="$(dirname "$0")/definitions.json"
(
  # Asked before the broker has made its cookie, rabbitmqctl makes one that the broker cannot read.
  until [ -s /var/lib/rabbitmq/.erlang.cookie ]; do sleep 1; done
  rabbitmqctl -q await_startup --timeout 300
  rabbitmqctl -q import_definitions "$definitions"
) &
exec docker-entrypoint.sh rabbitmq-server
