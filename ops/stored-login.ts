/** The login stored by `ops login`: readable by its owner only. */
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { z } from 'zod'

const stored = z.object({ url: z.string(), token: z.string(), username: z.string() })
export type StoredLogin = z.output<typeof stored>

const path = () =>
  join(process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'iot-cloud', 'session.json')

/** null if there is none, or it cannot be read. */
export function readLogin(): StoredLogin | null {
  try {
    return stored.parse(JSON.parse(readFileSync(path(), 'utf8')))
  } catch {
    // Missing or damaged makes no difference to the user: log in again.
    return null
  }
}

export function keepLogin(login: StoredLogin): void {
  mkdirSync(dirname(path()), { recursive: true, mode: 0o700 })
  writeFileSync(path(), `${JSON.stringify(login)}\n`, { mode: 0o600 })
  // Overwriting a file keeps its mode.
  chmodSync(path(), 0o600)
}

export const forgetLogin = (): void => rmSync(path(), { force: true })
