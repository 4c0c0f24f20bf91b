/** Commands that run beside each other reply one after the other: they share the name of a connection. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
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
