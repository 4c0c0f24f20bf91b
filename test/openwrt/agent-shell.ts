/** Parts of the agent for OpenWrt, run by themselves: a test calls their functions, and puts its own in the place of others. */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const lib = fileURLToPath(new URL('../../agent/openwrt/files/usr/lib/iotagent', import.meta.url))

/** Lines that load `base` and the parts named: `upgrade` for `upgrade.sh`. */
export const agentParts = (...parts: string[]): string =>
  ['base', ...parts].map((part) => `. "${lib}/${part}.sh"`).join('\n')

/**
 * Runs lines of shell with the folder as the root of the router. Without BusyBox: they may use what every shell has.
 * @returns what they print. @throws when they fail
 */
export const runShell = (root: string, lines: string, variables: Record<string, string> = {}): string =>
  execFileSync('sh', ['-c', lines], {
    env: { PATH: process.env['PATH'], IOTAGENT_ROOT: root, ...variables },
    encoding: 'utf8',
  })
