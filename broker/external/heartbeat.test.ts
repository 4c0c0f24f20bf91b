/** When an external broker counts as started: its devices get time to return after that [decisions/011]. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { EXTERNAL_BROKER } from '#schema/device/presence'
import { BROKER_LOST_MS } from '#schema/platform/upkeep'
import { testContext } from '#test/harness'
import { until } from '#test/walks/until'
import { startHeartbeat } from '../heartbeat.ts'

const context = await testContext()
const { sql } = context
let connected = true
let heartbeat: Awaited<ReturnType<typeof startHeartbeat>>

beforeAll(async () => {
  heartbeat = await startHeartbeat(context, EXTERNAL_BROKER, { connected: () => connected })
})
afterAll(() => heartbeat.close())

const seconds = async (column: 'started_at' | 'beat_at') => {
  const [row] = await sql<{ ago: number }[]>`
    select extract(epoch from now() - ${sql(column)})::float8 as ago from brokers where id = ${EXTERNAL_BROKER}`
  return row?.ago ?? Number.NaN
}
/** As if its last heartbeat had been so long ago. */
async function silentFor(ms: number): Promise<void> {
  connected = false
  await sql`
    update brokers set started_at = now() - interval '1 day', beat_at = now() - make_interval(secs => ${ms / 1000})
    where id = ${EXTERNAL_BROKER}`
  connected = true
  heartbeat.now()
  await until('it is alive again', async () => (await seconds('beat_at')) < 1)
}

it('it has started when it is connected for the first time, not when the room was', async () => {
  const [{ at } = { at: null }] = await sql<{ at: Date }[]>`select now() as at`
  await sql`delete from brokers where id = ${EXTERNAL_BROKER}`
  heartbeat.now()
  await until('it is there', async () => (await seconds('beat_at')) < 5)
  expect(await sql`select 1 from brokers where id = ${EXTERNAL_BROKER} and started_at >= ${at}`).toHaveLength(
    1,
  )
})

it('one that was unavailable counts as restarted when it is back', async () => {
  await silentFor(BROKER_LOST_MS + 1_000)
  // Its row says that it started yesterday.
  expect(await seconds('started_at')).toBeLessThan(3_600)
})

it('one of several rooms that ends leaves it as it was', async () => {
  await silentFor(BROKER_LOST_MS - 2_000)
  expect(await seconds('started_at')).toBeGreaterThan(86_000)
})
