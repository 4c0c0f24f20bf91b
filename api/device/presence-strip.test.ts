import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { type getPresenceStrips, SEGMENT_MS, STRIP_SEGMENTS } from '#schema/device/presence-strip'
import type { ReplyOf } from '#schema/kit/call'
import { apiTest } from '#test/api-client'

const { call, tenants, context } = await apiTest()
const { a, b } = tenants
const { sql } = context
const id = (i: number) => a.devices[i]?.id ?? 0
const end = Math.ceil(context.now().getTime() / SEGMENT_MS) * SEGMENT_MS
/** Counted in half hours before the strip's end. */
const ago = (halfHours: number) => new Date(end - halfHours * SEGMENT_MS)

const strips = async (deviceIds: number[], who: { username: string } = a.admin) => {
  const answer = await call<ReplyOf<typeof getPresenceStrips>>('device/getPresenceStrips', { deviceIds }, who)
  return new Map(answer.data?.list.map(({ deviceId, strip }) => [deviceId, strip]))
}

describe('the presence strips of a page of devices', () => {
  it('come in one call, half hour by half hour, also of connections that began long ago', async () => {
    await sql`update devices set created_at = ${ago(400)}, owned_since = ${ago(400)}`
    await sql`insert into brokers (id, started_at, beat_at) values ('b', ${ago(400)}, now())`
    const record = (deviceId: number, on: Date, off: Date | null) =>
      sql`insert into presence_records (connection_id, device_id, broker_id, online_at, offline_at, reason) values (${randomUUID()}, ${deviceId}, 'b', ${on}, ${off}, ${off ? 'keepalive' : null})`
    await record(id(0), ago(300), null)
    await record(id(1), ago(100), ago(38))
    const found = await strips([id(0), id(1), id(2)])
    expect(found.get(id(0))).toBe('+'.repeat(STRIP_SEGMENTS))
    expect(found.get(id(1))).toBe('+'.repeat(10) + '-'.repeat(38))
    expect(found.get(id(2))).toBe('-'.repeat(STRIP_SEGMENTS))
  })

  it('leave out devices that the caller may not know of', async () => {
    const foreign = b.devices[0]?.id ?? 0
    expect([...(await strips([id(0), foreign, 2_000_000_000])).keys()]).toEqual([id(0)])
    expect([...(await strips([id(0), id(1)], a.viewer)).keys()]).toEqual([id(1)])
    expect((await strips([foreign])).size).toBe(0)
  })

  it('are asked for at most 100 at a time', async () => {
    const many = Array.from({ length: 101 }, (_, i) => i + 1)
    expect((await call('device/getPresenceStrips', { deviceIds: many }, a.admin)).code).not.toBe(0)
  })
})
