/** Deadlines of the platform on a router whose clock is wrong. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { agentParts, runShell } from '#test/openwrt/agent-shell'

const root = mkdtempSync(join(tmpdir(), 'iot-clock-'))
mkdirSync(join(root, 'proc'))
afterAll(() => rmSync(root, { recursive: true }))

const WELCOME_AT = 1_795_226_400_000

/** Whether a command is refused whose deadline is `inS` seconds after the welcome, 100 s after it. */
function isRefused(inS: number, welcome: string): boolean {
  writeFileSync(join(root, 'proc/uptime'), '1100.25 50.00\n')
  const lines = `
${agentParts('commands')}
now() { echo ${WELCOME_AT + 86_400_000}; }
refuse() { echo "refused $2"; }
reply() { return 1; }
rm -f "$RUN/welcome"; ${welcome}
obey 0a none ${WELCOME_AT + inS * 1000} "$ROOT/none" 2>/dev/null`
  return runShell(root, lines).includes('came after its deadline')
}

it('counts from the time of the last welcome, whatever the clock of the router says', () => {
  const welcome = `echo '${WELCOME_AT} 1000' >"$RUN/welcome"`
  expect(isRefused(101, welcome)).toBe(false)
  expect(isRefused(99, welcome)).toBe(true)
})

it('uses the clock of the router where no welcome has arrived', () => {
  expect(isRefused(86_401, ':')).toBe(false)
  expect(isRefused(86_399, 'echo " " >"$RUN/welcome"')).toBe(true)
})

it('keeps the time on flash once a day, for a start without a time server, but not by a clock that is wrong', () => {
  const lines = (calls: string) =>
    runShell(
      root,
      `${agentParts()}
date() { echo "$CLOCK"; }
flush() { :; }
welcome() { CLOCK=\${2:-$1}; keep_clock "$1"000; cat "$STATE/clock" 2>/dev/null || echo none; }
rm -f "$STATE/clock"
${calls}`,
    )
  expect(
    lines('welcome 1000000 900000; welcome 1000000; welcome 1086399; welcome 1086401; welcome 1000000'),
  ).toBe('none\n1000000\n1000000\n1086401\n1000000\n')
})
