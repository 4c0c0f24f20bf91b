/** The database of `npm start`: the configured one, or our embedded one, restarted when it dies. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type EmbeddedPostgres, freePort, startEmbeddedPostgres } from '#infra/embedded-postgres'
import type { Env } from '#infra/env'

export type LaunchedDatabase = { url: string; stop(): Promise<void> }

export async function launchDatabase(env: Env): Promise<LaunchedDatabase> {
  if (env.DATABASE_URL) return { url: env.DATABASE_URL, stop: async () => undefined }
  const dir = join(env.DATA_DIR, 'postgres')
  const port = await freePort()
  let stopping = false
  const say = (line: string) => void process.stdout.write(`${line}\n`)
  let postgres: EmbeddedPostgres = await startEmbeddedPostgres(dir, { port, say })
  const watch = async () => {
    for (;;) {
      await postgres.exited
      if (stopping) return
      process.stderr.write('postgres ended; starting it again\n')
      for (;;) {
        try {
          postgres = await startEmbeddedPostgres(dir, { port, say })
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
