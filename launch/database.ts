/** The database of `npm start`: the configured one, or our embedded one, restarted when it dies. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type EmbeddedPostgres, freePort, startEmbeddedPostgres } from '#infra/embedded-postgres'
import { type Env, SettingError } from '#infra/env'

export type LaunchedDatabase = { url: string; stop(): Promise<void> }

/** Detects another `npm start` on the same folder by its lock, before anything is touched. */
export function refuseSecondStart(dataDir: string): void {
  const file = join(dataDir, 'launch.pid')
  if (!existsSync(file)) return
  const pid = Number(readFileSync(file, 'utf8'))
  try {
    process.kill(pid, 0)
  } catch {
    return // A stale lock of a killed start.
  }
  if (pid !== process.pid)
    throw new SettingError(`DATA_DIR ${dataDir} is in use by process ${pid}: stop it or set another DATA_DIR`)
}

export async function launchDatabase(env: Env): Promise<LaunchedDatabase> {
  if (env.DATABASE_URL) return { url: env.DATABASE_URL, stop: async () => undefined }
  const dir = join(env.DATA_DIR, 'postgres')
  const port = await freePort()
  let stopping = false
  let postgres: EmbeddedPostgres = await startEmbeddedPostgres(dir, { port })
  const watch = async () => {
    for (;;) {
      await postgres.exited
      if (stopping) return
      process.stderr.write('postgres ended; starting it again\n')
      for (;;) {
        try {
          postgres = await startEmbeddedPostgres(dir, { port })
          break
        } catch (error) {
          process.stderr.write(`postgres: ${(error as Error).message}\n`)
          await sleep(1000)
        }
        if (stopping) return
      }
    }
  }
  void watch()
  return {
    url: postgres.url,
    stop: async () => {
      stopping = true
      await postgres.stop()
    },
  }
}
