import { fileURLToPath } from 'node:url'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import postgres from 'postgres'
import { ensurePartitions } from './partitions.ts'
import { prepareQueues } from './queue.ts'

const folder = fileURLToPath(new URL('../schema/migrations', import.meta.url))

/**
 * Brings the database to this version: product tables, partitions for the coming days, queue tables. One process at a
 * time (advisory lock); the migrations that are due are one transaction: a killed start leaves none of them half done.
 */
export async function migrateDatabase(url: string): Promise<void> {
  const client = postgres(url, { max: 1, onnotice: () => undefined })
  try {
    await client`select pg_advisory_lock(7301)`
    await migrate(drizzle(client), { migrationsFolder: folder })
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
