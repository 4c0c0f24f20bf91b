/** Boots the real product for tests: with its own database, data folder and free ports. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import { expect, inject } from 'vitest'
import { type Context, openContext } from '#infra/context'
import { freePort } from '#infra/embedded-postgres'
import { readEnv } from '#infra/env'
import { afterFile } from './after-file.ts'
import { TEMPLATE } from './global-setup.ts'

export type TestContext = Context & {
  /** Closes connections, drops the database, removes the folder. */
  dispose(): Promise<void>
}

type TestDatabase = { url: string; drop(): Promise<void> }

/** An empty, migrated database cloned from the template; returns its URL and how to drop it. */
export const cloneDatabase = (): Promise<TestDatabase> =>
  makeDatabase(`template ${TEMPLATE} strategy wal_log`)
/** The same without any table. */
export const emptyDatabase = (): Promise<TestDatabase> => makeDatabase('')

const DROP_MAX_MS = 30_000

/**
 * The rooms with most of our SQL are tested on the oldest PostgreSQL that the platform supports, which lacks functions of the
 * newer ones; everything else, the console and the walks through all rooms as well, on the one that comes with the platform.
 */
const ON_OLDEST = /^(api|workers)\//
const root = fileURLToPath(new URL('..', import.meta.url))

function serverOfFile(): string {
  const { testPath = '' } = expect.getState()
  return (ON_OLDEST.test(relative(root, testPath)) ? inject('oldestUrl') : null) ?? inject('postgresUrl')
}

async function makeDatabase(how: string): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const server = serverOfFile()
  const run = async (statement: string) => {
    const admin = postgres(server, { max: 1, onnotice: () => undefined })
    await admin.unsafe(statement)
    await admin.end({ timeout: 5 })
  }
  await run(`create database ${name} ${how}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  const drop = async () => {
    const dropped = run(`drop database if exists ${name} with (force)`)
    dropped.catch(() => undefined)
    // PostgreSQL waits until every one of its processes has noticed, also one that is busy with another file's work. Such
    // a database ends with its server.
    const late = sleep(DROP_MAX_MS, 'late', { ref: false })
    if ((await Promise.race([dropped, late])) === 'late') console.warn(`${name} is not dropped yet`)
  }
  return { url: url.href, drop }
}

/** Settings of a test: every port free and known in advance, silent unless TEST_LOG is set. */
export async function testSettings(overrides: Record<string, string> = {}): Promise<Record<string, string>> {
  const [http, mqtt, mqtts, ws] = await Promise.all([freePort(), freePort(), freePort(), freePort()])
  const [ssh, web] = await Promise.all([freePort(), freePort()])
  return {
    NODE_ENV: 'test',
    DATA_DIR: mkdtempSync(join(tmpdir(), 'iot-test-')),
    HTTP_HOST: '127.0.0.1',
    MQTT_HOST: '127.0.0.1',
    HTTP_PORT: String(http),
    MQTT_PORT: String(mqtt),
    MQTTS_PORT: String(mqtts),
    MQTT_WS_PORT: String(ws),
    SSH_HOST: '127.0.0.1',
    SSH_PORT: String(ssh),
    REMOTE_WEB_PORT: String(web),
    SIM_DEVICES: '0',
    LOG_LEVEL: process.env['TEST_LOG'] ?? 'silent',
    ...overrides,
  }
}

/** A context on its own database, disposed of by the caller. `room` names it in pg_stat_activity. */
export async function looseContext(
  overrides: Record<string, string> = {},
  room = 'test',
): Promise<TestContext> {
  const database = await cloneDatabase()
  const env = readEnv(await testSettings(overrides))
  const context = openContext(room, env, database.url)
  let disposed = false
  const dispose = async () => {
    if (disposed) return
    disposed = true
    await context.close()
    await database.drop()
    rmSync(env.DATA_DIR, { recursive: true, force: true })
  }
  return { ...context, dispose }
}

/** The same, disposed of after the file's tests. */
export async function testContext(
  overrides: Record<string, string> = {},
  room = 'test',
): Promise<TestContext> {
  const context = await looseContext(overrides, room)
  afterFile(context.dispose)
  return context
}
