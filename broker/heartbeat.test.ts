import { describe, expect, it } from 'vitest'
import { testContext } from '#test/harness'
import { openSilentLine } from '#test/silent-line'
import { until } from '#test/walks/until'
import { startHeartbeat } from './heartbeat.ts'

const context = await testContext()

describe('a broker counts as restarted', () => {
  const { sql } = context
  const HOURS = sql`interval '3 hours'`
  it.each([
    [
      'when the clock of the server was set forward',
      sql`beat_at = beat_at - ${HOURS}, started_at = started_at - ${HOURS}`,
    ],
    [
      'when the clock was set back, so that it had started in the future',
      sql`started_at = started_at + ${HOURS}`,
    ],
  ])('%s', async (id, change) => {
    const heartbeat = await startHeartbeat(context, id)
    const read = () => sql<{ age: number }[]>`
      select extract(epoch from clock_timestamp() - started_at)::float8 as age from brokers where id = ${id}`
    try {
      await sql`update brokers set ${change} where id = ${id}`
      heartbeat.now()
      await until('the next heartbeat has seen it', async () => {
        const [row] = await read()
        return row !== undefined && row.age >= 0 && row.age < 3_600
      })
    } finally {
      await heartbeat.close()
    }
  })
})

it('a heartbeat that never ends, on a connection that is not silent, is given up and sent again on another', async () => {
  const { sql } = context
  const line = await openSilentLine(context.databaseUrl)
  const heartbeat = await startHeartbeat({ ...context, databaseUrl: line.url }, 'babbling')
  const isThere = async () => (await sql`select 1 from brokers where id = 'babbling'`).length === 1
  try {
    expect(await isThere()).toBe(true)
    line.silence('babbles')
    await sql`delete from brokers where id = 'babbling'`
    await until('it is sent again', isThere, 60_000, 200)
  } finally {
    line.close()
    await heartbeat.close()
  }
}, 90_000)
