import { fileURLToPath } from 'node:url'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import postgres from 'postgres'
import { ensurePartitions } from './partitions.ts'
import { prepareQueues } from './queue.ts'

const folder = fileURLToPath(new URL('../schema/migrations', import.meta.url))

const DEADLOCK = '40P01'
const TRIES = 10

/** @throws what made it fail, unless that was a process of the version before, which held what it wanted and the other way round. */
async function migrateUndisturbed(client: postgres.Sql): Promise<void> {
  for (let tried = 1; ; tried++)
    try {
      return await migrate(drizzle(client), { migrationsFolder: folder })
    } catch (error) {
      const why = error instanceof Error && error.cause ? error.cause : error
      if (tried === TRIES || !(why instanceof postgres.PostgresError) || why.code !== DEADLOCK) throw error
    }
}

/**
 * Brings the database to this version: product tables, partitions for the coming days, queue tables. One process at a
 * time (advisory lock); the migrations that are due are one transaction: a killed start leaves none of them half done.
 */
export async function migrateDatabase(url: string): Promise<void> {
  const client = postgres(url, { max: 1, onnotice: () => undefined })
  try {
    await client`select pg_advisory_lock(7301)`
    await migrateUndisturbed(client)
  } finally {
    await client.end({ timeout: 5 })
  }
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  try {
    await ensurePartitions(sql, new Date())
  } finally {
    await sql.end({ timeout: 5 })
  }
  await prepareQueues(url)
}
