/** What the log says while a router cannot enrol. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { agentParts, runShell } from '#test/openwrt/agent-shell'

const root = mkdtempSync(join(tmpdir(), 'iot-enrol-'))
const bin = join(root, 'bin')
mkdirSync(bin)
afterAll(() => rmSync(root, { recursive: true }))

/** What is logged where the client of MQTT ends so. */
function logged(client: string): string {
  writeFileSync(join(bin, 'mosquitto_rr'), `#!/bin/sh\n${client}\n`)
  chmodSync(join(bin, 'mosquitto_rr'), 0o755)
  return runShell(
    root,
    `PATH=${bin}:$PATH
uci() { [ "$3" != iotagent.main.key ] || echo ek_0123456789; [ "$3" != iotagent.main.serial ] || echo SN-0001; }
${agentParts('mqtt')}
say() { echo "$1"; }
model() { echo R200; }
quoted() { echo '"R200"'; }
enrol || echo "failed"`,
  )
}

it('names a refused key, whatever the client calls it', () => {
  const refused =
    'not enrolled: the platform refuses the key: it is wrong, used up, expired or revoked\nfailed\n'
  expect(logged('echo "Connection error: Disconnect with Will Message" >&2; exit 4')).toBe(refused)
  expect(logged('echo "Connection error: Connection Refused: not authorised." >&2; exit 5')).toBe(refused)
})

it('quotes why there is no connection, as for the wrong certificate, and says that nothing answered', () => {
  expect(logged('echo "Error: A TLS error occurred." >&2; exit 8')).toMatch(
    /^not enrolled: Error: A TLS error occurred\. Is iotagent\.main\.ca .* and the time right\? Here it is 20\d\d-\d\d-\d\d \d\d:\d\d UTC\nfailed\n$/,
  )
  expect(logged('echo "Error: Connection refused" >&2; exit 1')).toBe(
    'not enrolled: Error: Connection refused\nfailed\n',
  )
  expect(logged('exit 27')).toBe('not enrolled: no answer\nfailed\n')
})
