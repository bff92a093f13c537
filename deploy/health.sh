#!/bin/bash
# What the container's HEALTHCHECK asks: can this process work? Prints why not. In bash because it runs every few seconds in every container: starting Node for it would cost
# twenty times as much.
exec 3<>"/dev/tcp/127.0.0.1/${OPS_PORT:-9090}" || exit 1
printf 'GET /readyz HTTP/1.0\r\n\r\n' >&3
read -r -t 4 _ status _ <&3
[ "$status" = 200 ] && exit 0
sed $'1,/^\r$/d' <&3
exit 1
