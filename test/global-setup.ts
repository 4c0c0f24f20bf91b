/**
 * A PostgreSQL for the whole run, with a migrated template that each test file clones; and one of the oldest version that
 * the platform supports, on which the tests of some rooms run (test/harness.ts).
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '#infra/embedded-postgres'
import { migrateDatabase } from '#infra/migrate'
import { checkMoves } from './move-check.ts'
import { noDebianPostgres, startDebianPostgres } from './programs/debian-postgres.ts'
import { databaseFolder } from './scratch.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The server to clone databases on: …/postgres */
    postgresUrl: string
    /** The same of the oldest version that the platform supports; null if it is not installed. */
    oldestUrl: string | null
  }
}

export const TEMPLATE = 'template_iot'

/** With TEST_CONTAINERS=1 and a container engine, the stock image instead of the embedded server. */
async function startContainer(): Promise<{ url: string; stop(): Promise<void> }> {
  const { PostgreSqlContainer } = await import('@testcontainers/postgresql')
  const started = await new PostgreSqlContainer('postgres:18')
    .withDatabase('iot')
    .withCommand(['postgres', '-c', 'fsync=off', '-c', 'max_connections=300'])
    .start()
  return { url: started.getConnectionUri(), stop: async () => void (await started.stop()) }
}

async function startEmbedded(): Promise<{ url: string; stop(): Promise<void> }> {
  const dir = databaseFolder('iot-test-pg-')
  const server = await startEmbeddedPostgres(join(dir, 'postgres'), { durable: false })
  return {
    url: server.url,
    stop: async () => {
      await server.stop()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

async function makeTemplate(server: string): Promise<void> {
  const admin = postgres(server, { max: 1, onnotice: () => undefined })
  await admin.unsafe(`create database ${TEMPLATE}`)
  const url = new URL(server)
  url.pathname = `/${TEMPLATE}`
  await migrateDatabase(url.href)
  const template = postgres(url.href, { max: 1, onnotice: () => undefined })
  await checkMoves(template)
  await template.end()
  await admin.end()
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = process.env['TEST_CONTAINERS'] === '1' ? await startContainer() : await startEmbedded()
  const oldest = noDebianPostgres ? null : await startDebianPostgres()
  for (const one of [server, oldest]) if (one) await makeTemplate(one.url)
  project.provide('postgresUrl', server.url)
  project.provide('oldestUrl', oldest?.url ?? null)
  return async () => {
    await server.stop()
    await oldest?.stop()
  }
}
