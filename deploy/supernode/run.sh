#!/bin/sh
# A supernode of n2n 3 that admits the groups which the console gives to it: fetches its list of communities, starts, and
# reloads when the list has changed. A reload drops the connections for a moment, so an unchanged list causes none.
set -eu
: "${PLATFORM_URL:?where the platform answers}" "${N2N_SERVER_ID:?number of the n2n server in the console}"
: "${N2N_TOKEN:?the token that the console showed once}"
port="${N2N_PORT:-9001}"
management="${N2N_MANAGEMENT_PORT:-5645}"
password="${N2N_MANAGEMENT_PASSWORD:-n2n}"
cd "${N2N_DIR:-/tmp}"

# In a file: arguments of a process are visible to others.
(umask 077 && printf 'Authorization: Bearer %s\n' "$N2N_TOKEN" > header)

# Succeeds if there is a new list. An empty answer is none: without communities a supernode admits everybody.
fetch() {
  rm -f community.new
  # curl empties the file of --etag-save if an answer has no ETag: it must not be the one that the next request compares with.
  curl -fsS -m 20 -H @header --etag-compare community.etag --etag-save etag.new -o community.new \
    "$PLATFORM_URL/n2n/$N2N_SERVER_ID/community.list" && [ -s community.new ] \
    && mv etag.new community.etag && mv community.new community.list
}

rm -f community.etag
until fetch; do
  echo "no list of communities from $PLATFORM_URL yet" >&2
  sleep 10
done

set -- -f -p "$port" -t "$management" -c community.list --management-password "$password"
[ -z "${N2N_FEDERATION:-}" ] || set -- "$@" -F "$N2N_FEDERATION"
supernode "$@" &
node=$!
# n2n opens its management port on loopback only; the workers read the state of the edges there.
bind="${N2N_MANAGEMENT_BIND:-$(hostname -i | cut -d' ' -f1)}"
socat -T 10 "UDP4-LISTEN:$management,bind=$bind,reuseaddr,fork" "UDP4:127.0.0.1:$management" &
door=$!
# socat would wait for the last question.
trap 'kill $node; kill -KILL $door; exit 0' TERM INT

while kill -0 $node 2>/dev/null; do
  sleep "${N2N_FETCH_S:-60}" &
  wait $!
  if fetch; then echo "w 1:1:$password reload_communities" | socat -t 1 - "UDP4:127.0.0.1:$management"; fi
done
kill -KILL $door
exit 1
