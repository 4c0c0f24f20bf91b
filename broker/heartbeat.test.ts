import { expect, it } from 'vitest'
import { testContext } from '#test/harness'
import { openSilentLine } from '#test/silent-line'
import { until } from '#test/walks/until'
import { startHeartbeat } from './heartbeat.ts'

const context = await testContext()

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
