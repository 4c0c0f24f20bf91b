/** Redis from Debian's packages, empty and not durable; ends with the file. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { Redis } from 'ioredis'
import { freePort } from '#infra/embedded-postgres'
import { afterFile } from '../after-file.ts'

const program = '/usr/bin/redis-server'
const noRedis = !existsSync(program)

async function startRedis(): Promise<string> {
  const port = await freePort()
  const child = spawn(
    program,
    ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
    {
      stdio: 'ignore',
    },
  )
  afterFile(() => void child.kill())
  const asks = new Redis(port, '127.0.0.1', { maxRetriesPerRequest: null })
  asks.on('error', () => undefined)
  await asks.ping()
  asks.disconnect()
  return `redis://127.0.0.1:${port}`
}

/** Where sessions are kept, for `describe.each`: what it is called, and the settings of the broker. */
export async function bothKinds(): Promise<[string, Record<string, string>][]> {
  if (noRedis) return [['in memory', {}]]
  return [
    ['in memory', {}],
    ['on Redis', { REDIS_URL: await startRedis() }],
  ]
}
