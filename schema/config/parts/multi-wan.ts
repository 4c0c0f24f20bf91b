/** What the package `mwan3` writes in its own way. */
import { textOf } from '../bind.ts'
import type { RowBound } from '../bind-rows.ts'

/** Names of sections that no row may have. */
export const PACKAGE_NAMES: readonly string[] = ['globals']

/** Ports of one option, as iptables takes them: `80,443,8000:8010`. */
export const portsInOne = (option: string): RowBound => ({
  option,
  get: (found) =>
    textOf(found)
      .split(/[\s,]+/)
      .filter((one) => one !== '' && one !== 'any')
      .map((one) => one.replace(':', '-')),
  put: (value) => {
    const ports = (value as string[]).map((one) => one.replace('-', ':'))
    return ports.length > 0 ? ports.join(',') : null
  },
})
