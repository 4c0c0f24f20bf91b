/** Commands that run beside each other reply one after the other: they share the name of a connection. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { agentParts, runShell } from '#test/openwrt/agent-shell'

const root = mkdtempSync(join(tmpdir(), 'iot-replies-'))
afterAll(() => rmSync(root, { recursive: true }))

it('each reply is sent whole, by a connection of its own', () => {
  runShell(
    root,
    `
${agentParts('mqtt')}
TAG=3
tell_file() { echo "begins $(cat "$2")"; sleep 1; echo "ends $(cat "$2")"; } >>"$ROOT/sent"
for one in a b c; do tell reply "$one" & done
wait`,
  )
  const sent = readFileSync(join(root, 'sent'), 'utf8').trim().split('\n')
  expect(sent.toSorted()).toEqual(['begins a', 'begins b', 'begins c', 'ends a', 'ends b', 'ends c'])
  for (let i = 0; i < sent.length; i += 2) expect(sent[i + 1]).toBe(sent[i]?.replace('begins', 'ends'))
})

it('a lock that a killed background process held is free again, although its parent lives', () => {
  const free = runShell(
    root,
    `
${agentParts()}
# What it leaves behind must not hold the output open.
exec 2>/dev/null
(lock turn; : >"$ROOT/locked"; sleep 60) >/dev/null & pid=$!
while [ ! -e "$ROOT/locked" ]; do sleep 0.1; done
kill -9 $pid; wait $pid
(sleep 10; kill $$) >/dev/null & late=$!
lock turn; echo free
kill $late`,
  )
  expect(free).toBe('free\n')
})

it('a lock is held by one process at a time, however many wait for it and end as soon as they have had it', () => {
  const twice = runShell(
    root,
    `
${agentParts()}
sleep() { command sleep 0.02; }
use() { lock turn; mkdir "$ROOT/inside" || echo twice; sleep; rmdir "$ROOT/inside"; unlock turn; }
for one in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do use 2>&1 & done
wait`,
  )
  expect(twice).toBe('')
})

it('a lock is free again whose owner was killed, although another process has its number meanwhile', () => {
  const free = runShell(
    root,
    `
${agentParts()}
(lock turn)
# Of what the killed process held, as if this shell, which lives, had been given its number.
owner=$(readlink "$RUN/turn.lock")
start=\${owner#"\${owner%%.*}"}
ln -sfn "$$\${start:+\${start}1}" "$RUN/turn.lock"
(sleep 10; kill $$) >/dev/null 2>&1 & late=$!
lock turn; echo free
kill $late`,
  )
  expect(free).toBe('free\n')
})

it('of replies that are kept in RAM the newest are there, not all since the boot', () => {
  const count = runShell(
    root,
    `
${agentParts('commands')}
KEPT=ram
reply() { :; }
for id in $(seq 1 230); do finish $id; done
[ -e "$RUN/commands/230" ] && ls "$RUN/commands" | wc -l`,
  )
  expect(Number(count)).toBe(200)
})

it('a text that is too long loses its end, between two characters', () => {
  const long = ['ABCDEFG12345', 'Section @rule[0]', '中文中文中文']
  const cut = long.map((text) =>
    runShell(root, `${agentParts()}\nquoted "$TEXT" 8`, { TEXT: text, LC_ALL: 'C' }),
  )
  expect(cut).toEqual(['"ABCDEFG1"', '"Section "', '"中文"'])
})

it('a text has no control characters, of one byte or of two, and keeps its other letters', () => {
  const text = 'a\u0085b\u009fc\u007f\u001b"é中文\\'
  expect(runShell(root, `${agentParts()}\nquoted "$TEXT"`, { TEXT: text })).toBe('"a b c  \\"é中文\\\\"')
})

const SETTLED = `
${agentParts('commands', 'config', 'upgrade')}
config_hash() { :; }; fsync() { :; }; boot_id() { echo "$BOOT"; }
tell() { echo "$2" | sed 's/"at":[0-9]*,//' >>"$ROOT/told"; }
settle() { : >"$ROOT/told"; settle_commands; cat "$ROOT/told"; }`

it('of two commands to restart both are done after the restart, and none has failed before', () => {
  const told = runShell(
    root,
    `${SETTLED}
KEPT=flash BOOT=one
for id in 1a 1b; do restarts_for $id; settled $id '"state":"accepted"'; done
settle; echo restarted; BOOT=two; settle; echo again; settle`,
  )
  const done = (id: string) => `{"id":"${id}","state":"done","result":{}}\n`
  expect(told).toBe(`restarted\n${done('1a')}${done('1b')}again\n`)
})

it('of two commands to restart that come together both are kept', () => {
  const kept = runShell(
    root,
    `${SETTLED}
BOOT=one
rm -f "$STATE/rebooting"
keep() { sleep 0.2; printf '%s\\n' "$2" >"$STATE/$1"; }
for id in 3a 3b; do restarts_for $id & done
wait
cut -d' ' -f1 "$STATE/rebooting" | sort
rm "$STATE/rebooting"`,
  )
  expect(kept).toBe('3a\n3b\n')
})

it('what a power cut left of a reply that was to be kept is no command, and that of a step no installation', () => {
  const told = runShell(
    root,
    `${SETTLED}
echo '"state":"accepted"' >"$STATE/commands/2a.new"; echo upgrading >"$STATE/items/2b.new"
end_leftovers; settle; ! busy_item || echo busy`,
  )
  expect(told).toBe('')
})

it('what the main loop asks of the services does not disturb what the reporter reads of them', () => {
  mkdirSync(join(root, 'etc/init.d'), { recursive: true })
  writeFileSync(join(root, 'etc/init.d/dnsmasq'), 'USE_PROCD=1')
  const said = runShell(
    root,
    `
${agentParts('status', 'facts')}
await() { until [ -e "$ROOT/$1" ]; do command sleep 0.02; done; }
# The reporter has its answer; then the main loop asks, and its answer takes until the reporter has read its own.
ubus() { [ "$TAG" = 2 ] || { : >"$ROOT/asked"; await looked; }; echo list; [ "$TAG" = 1 ] || : >"$ROOT/listed"; }
value() { [ "$TAG" = 1 ] || { await asked; : >"$ROOT/looked"; }; [ ! -s "$1" ] || echo true; }
(TAG=1; await listed; services) >/dev/null &
(TAG=2; services)
wait`,
  )
  expect(said).toContain('"name":"dnsmasq","state":"running"')
})

it('nothing is installed before the platform has been reached with restored files, which are put back otherwise', () => {
  const said = runShell(
    root,
    `
${agentParts('restore', 'upgrade')}
boot_id() { echo two; }; fsync() { :; }; present() { echo "$1 $(cat "$STATE/items/$1")"; }
work_on() { echo "$1 begins"; }
mkdir -p "$RESTORE"; echo 5a >"$RESTORE/item"; echo one >"$RESTORE/boot"; echo swapped >"$RESTORE/phase"
echo upgrading >"$STATE/items/5a"; : >"$STATE/items/5a.offer"; echo accepted >"$STATE/items/5b"; : >"$STATE/items/5b.offer"
BEGUN=; begin_item; wait
echo welcome; keep_restored; wait`,
  )
  expect(said).toBe('welcome\n5a done\n5b begins\n')
})
