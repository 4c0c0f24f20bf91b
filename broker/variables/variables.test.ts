/** Reports of gateways: what is stored, what becomes the newest value, and what is refused. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { IPubackPacket } from 'mqtt-packet'
import { describe, expect, it } from 'vitest'
import { qualityCode } from '#schema/monitor/fields'
import { brokerTest } from '#test/broker-test'
import { addPlan, addTemplate, addTerminal, plainScale } from '#test/collecting'
import type { Raw } from '#test/raw-mqtt'
import type { TestDevice } from '#test/tenants'

const { context, login, device, tenants } = await brokerTest('VAR-', 60)
const { sql } = context
const DAY_MS = 86_400_000

type Said = Record<string, unknown>

async function gateway(slots = [0, 1, 2], of: TestDevice = device()) {
  const terminalId = await addTerminal(sql, of)
  const plan = await addPlan(sql, of, { [terminalId]: slots.map((slot) => plainScale(slot)) })
  const raw = await login(of)
  return { device: of, terminalId, plan, raw, ...speaker(raw, of.sn, { plan, t: terminalId }) }
}

/** `say` resolves with the acknowledgement: everything is acknowledged, stored or not. */
function speaker(raw: Raw, sn: string, common: Said) {
  let id = 0
  const send = (payload: Said | string, name = 'variables') => {
    raw.send({
      cmd: 'publish',
      topic: `v1/${sn}/up/${name}`,
      payload: typeof payload === 'string' ? payload : JSON.stringify({ ...common, ...payload }),
      qos: 1,
      messageId: ++id,
      retain: false,
      dup: false,
    })
    return id
  }
  const say = async (payload: Said | string, name?: string) => {
    const mine = send(payload, name)
    await raw.take((packet) => packet.cmd === 'puback' && (packet as IPubackPacket).messageId === mine)
  }
  return { send, say }
}

const rows = (terminalId: number) =>
  sql<
    {
      at: Date
      plan: number
      slots: number[]
      vals: (number | null)[]
      quality: number[] | null
      texts: string[] | null
    }[]
  >`select at, plan, slots, array_to_json(vals) as vals, quality, array_to_json(texts) as texts from variable_reports where terminal_id = ${terminalId} order by at`
const latest = async (terminalId: number) =>
  Object.fromEntries(
    (
      await sql<
        { slot: number; at: Date; value: number | null; quality: number; good_value: number | null }[]
      >`
        select slot, at, value, quality, good_value from variable_latest where terminal_id = ${terminalId} order by slot`
    ).map((row) => [row.slot, row]),
  )
const warnings = async (deviceId: number) => {
  await expect
    .poll(async () => (await sql`select 1 from device_warnings where device_id = ${deviceId}`).length)
    .toBeGreaterThan(0)
  const found = await sql<
    { detail: string }[]
  >`select detail from device_warnings where device_id = ${deviceId}`
  return found.map(({ detail }) => detail).join('; ')
}
const soon = () => Date.now() - 1000

describe('a report', () => {
  it('is one row, and its values are the newest, before it is acknowledged', async () => {
    const { terminalId, plan, say } = await gateway()
    const at = soon()
    await say({ at, i: [0, 2], v: [230.456, null], q: [0, 3] })
    expect(await rows(terminalId)).toEqual([
      { at: new Date(at), plan, slots: [0, 2], vals: [230.46, null], quality: [0, 3], texts: null },
    ])
    expect(await latest(terminalId)).toMatchObject({
      0: { at: new Date(at), value: 230.46, quality: 0, good_value: 230.46 },
      2: { value: null, quality: qualityCode('slaveOffline'), good_value: null },
    })
  })

  it('of bad quality is stored with the last good value', async () => {
    const { terminalId, say } = await gateway()
    const at = soon()
    await say({ at, i: [0], v: [7] })
    await say({ at: at + 1, i: [0], v: [null], q: [1] })
    expect(await latest(terminalId)).toMatchObject({ 0: { value: null, quality: 1, good_value: 7 } })
  })

  it('is scaled by the plan that it was read by, not by a newer one', async () => {
    const own = device()
    const terminalId = await addTerminal(sql, own)
    const before = await addPlan(sql, own, { [terminalId]: [plainScale(0, { factor: 0.1 })] })
    const after = await addPlan(sql, own, { [terminalId]: [plainScale(0, { factor: 100 })] })
    const { say } = speaker(await login(own), own.sn, { t: terminalId })
    const at = soon()
    await say({ plan: before, at, i: [0], v: [5] })
    await say({ plan: after, at: at + 1, i: [0], v: [5] })
    expect((await rows(terminalId)).map(({ vals }) => vals)).toEqual([[0.5], [500]])
  })

  it('that is repeated is one row, also within one group', async () => {
    const { terminalId, send, say } = await gateway()
    const at = soon()
    for (let n = 0; n < 5; n++) send({ at, i: [0], v: [n] })
    await say({ at, i: [0], v: [9] })
    expect((await rows(terminalId)).length).toBe(1)
  })

  it('out of order is filed where it belongs and never replaces a younger value', async () => {
    const { terminalId, say } = await gateway()
    const at = soon()
    await say({ at, i: [0, 1], v: [1, 1] })
    await say({ at: at - 500, i: [0, 2], v: [2, 2] })
    expect((await rows(terminalId)).map((row) => row.at.getTime())).toEqual([at - 500, at])
    expect(await latest(terminalId)).toMatchObject({ 0: { value: 1 }, 1: { value: 1 }, 2: { value: 2 } })
  })

  it('that is late is filed under its day and never becomes the newest', async () => {
    const { terminalId, say } = await gateway()
    const old = Date.now() - 20 * DAY_MS
    await say({ at: old, i: [0], v: [1], late: true })
    expect((await rows(terminalId)).map((row) => row.at.getTime())).toEqual([old])
    expect(await latest(terminalId)).toEqual({})
  })

  it('older than 30 days is refused and said', async () => {
    const { device: own, terminalId, say } = await gateway()
    await say({ at: Date.now() - 31 * DAY_MS, i: [0], v: [1], late: true })
    expect(await rows(terminalId)).toEqual([])
    expect(await warnings(own.id)).toContain('30 days')
  })

  it('says how many were dropped; a repetition counts them once', async () => {
    const { terminalId, say } = await gateway()
    const at = soon()
    const dropped = { n: 7, from: at - 60_000, to: at - 30_000 }
    await say({ at, i: [0], v: [1], dropped })
    await say({ at, i: [0], v: [1], dropped })
    expect(
      await sql`select reports, from_at, to_at from variable_gaps where terminal_id = ${terminalId}`,
    ).toEqual([{ reports: 7, from_at: new Date(dropped.from), to_at: new Date(dropped.to) }])
  })

  it('of texts and 64-bit integers keeps every character', async () => {
    const own = device()
    const terminalId = await addTerminal(sql, own)
    const plan = await addPlan(sql, own, {
      [terminalId]: [plainScale(0, { type: 'text' }), plainScale(1, { type: 'uint64' }), plainScale(2)],
    })
    const { say } = speaker(await login(own), own.sn, { plan, t: terminalId })
    const hostile = `"\\{,}' NULL; drop`
    await say({ at: soon(), i: [0, 1, 2], v: [hostile, '18446744073709551615', 1] })
    const [row] = await rows(terminalId)
    expect(row?.texts).toEqual([hostile, '18446744073709551615', null])
    const [shown] = await sql`select text from variable_latest where terminal_id = ${terminalId} and slot = 0`
    expect(shown).toEqual({ text: hostile })
  })
})

describe('the clock of a gateway', () => {
  it('that is wrong is taken off by what hello measured, and stays the same across a reconnect', async () => {
    const { device: own, terminalId, say } = await gateway()
    const wrong = 3_600_000
    const hello = (skew: number) => ({ bootId: 'b', model: 'R200', firmware: '1.0.0', at: Date.now() + skew })
    const helloText = (skew: number) => JSON.stringify(hello(skew))
    await say(helloText(wrong), 'hello')
    const at = Date.now() + wrong - 1000
    await say({ at, i: [0], v: [1] })
    // Measured a little differently, and what was not acknowledged is sent again.
    const again = speaker(await login(own), own.sn, {})
    await again.say(helloText(wrong + 700), 'hello')
    const [first] = await rows(terminalId)
    await say({ at, i: [0], v: [1] }).catch(() => undefined)
    const [, second] = await rows(terminalId)
    expect(Math.abs((first?.at.getTime() ?? 0) - Date.now())).toBeLessThan(10_000)
    expect(second).toBeUndefined()
  })

  it('that ran ahead after its hello is measured by the report, whose time is uncertain', async () => {
    const { terminalId, say } = await gateway()
    const began = Date.now()
    const ahead = began + DAY_MS
    await say({ at: ahead, i: [0], v: [1] })
    await say({ at: ahead + 10, i: [0], v: [2] })
    const [first, second] = await rows(terminalId)
    expect(first?.quality).toEqual([qualityCode('uncertainTime')])
    expect((second?.at.getTime() ?? 0) - (first?.at.getTime() ?? 0)).toBe(10)
    expect(first?.at.getTime()).toBeGreaterThan(began - 1_000)
    expect(first?.at.getTime()).toBeLessThanOrEqual(Date.now())
  })
})

describe('one report from the future', () => {
  it('does not shift those that follow, and is said', async () => {
    const { device: own, terminalId, say } = await gateway()
    const at = soon()
    await say({ at, i: [0], v: [1] })
    await say({ at: at + 60_000, i: [0], v: [2] })
    for (let n = 3; n < 6; n++) {
      // Two of the same millisecond would be one.
      await sleep(5)
      await say({ at: Date.now(), i: [0], v: [n] })
    }
    expect((await rows(terminalId)).map(({ vals }) => vals[0])).toEqual([1, 2, 3, 4, 5])
    expect((await latest(terminalId))[0]).toMatchObject({ value: 5, quality: 0 })
    expect(await warnings(own.id)).toContain('uncertain time')
  })
})

describe('a hostile report', () => {
  it.each([
    [
      'of numbers that are none',
      (at: number, t: number, plan: number) => `{"plan":${plan},"t":${t},"at":${at},"i":[0],"v":[NaN]}`,
    ],
    [
      'of an infinite number',
      (at: number, t: number, plan: number) => `{"plan":${plan},"t":${t},"at":${at},"i":[0],"v":[1e999]}`,
    ],
    [
      'with lists of different length',
      (at: number, t: number, plan: number) => JSON.stringify({ plan, t, at, i: [0, 1], v: [1] }),
    ],
    [
      'with a quality list of another length',
      (at: number, t: number, plan: number) => JSON.stringify({ plan, t, at, i: [0, 1], v: [1, 2], q: [0] }),
    ],
    [
      'with a quality that does not exist',
      (at: number, t: number, plan: number) => JSON.stringify({ plan, t, at, i: [0], v: [1], q: [12] }),
    ],
    [
      'with a slot named twice',
      (at: number, t: number, plan: number) => JSON.stringify({ plan, t, at, i: [1, 0, 1], v: [1, 2, 3] }),
    ],
    [
      'with a slot that the plan does not have',
      (at: number, t: number, plan: number) => JSON.stringify({ plan, t, at, i: [3], v: [1] }),
    ],
    [
      'without a clock',
      (_at: number, t: number, plan: number) => JSON.stringify({ plan, t, at: 0, i: [0], v: [1] }),
    ],
    [
      'with an object for a value',
      (at: number, t: number, plan: number) => JSON.stringify({ plan, t, at, i: [0], v: [{}] }),
    ],
    [
      'with control characters in a text',
      (at: number, t: number, plan: number) => JSON.stringify({ plan, t, at, i: [0], v: ['a\u0000b'] }),
    ],
  ])('%s is acknowledged, not stored, and said', async (_name, payload) => {
    const { device: own, terminalId, plan, say } = await gateway()
    await say(payload(soon(), terminalId, plan))
    expect(await rows(terminalId)).toEqual([])
    expect(await warnings(own.id)).toContain('variables')
    await say({ at: soon(), i: [0], v: [1] })
    expect((await rows(terminalId)).length).toBe(1)
  })

  it('for a terminal of another customer is not stored, even when a plan of ours named it', async () => {
    const theirs = await addTerminal(sql, tenants.b.devices[0] as TestDevice)
    const own = device()
    const plan = await addPlan(sql, own, { [theirs]: [plainScale(0)] })
    const { say } = speaker(await login(own), own.sn, { plan })
    await say({ t: theirs, at: soon(), i: [0], v: [666] })
    const honest = await gateway()
    await honest.say({ t: theirs, at: soon(), i: [0], v: [666] })
    expect(await rows(theirs)).toEqual([])
    expect(await latest(theirs)).toEqual({})
  })

  it('by a plan that does not exist is not stored, and the gateway is sent its plan again', async () => {
    const { device: own, terminalId, say } = await gateway()
    await say({ plan: 2_000_000_000, at: soon(), i: [0], v: [1] })
    expect(await rows(terminalId)).toEqual([])
    await expect
      .poll(async () => sql`select running_revision from collection_states where device_id = ${own.id}`)
      .toEqual([{ running_revision: null }])
  })
})

describe('a terminal', () => {
  it('with another template takes no values by an older plan', async () => {
    const { device: own, terminalId, say } = await gateway()
    await say({ at: soon(), i: [0], v: [1] })
    await sql`update terminals set template_id = ${await addTemplate(sql, own.customerId)} where id = ${terminalId}`
    await say({ at: soon(), i: [0], v: [2] })
    expect((await rows(terminalId)).map(({ vals }) => vals)).toEqual([[1]])
    expect(await latest(terminalId)).toEqual({})
    const plan = await addPlan(sql, own, { [terminalId]: [plainScale(0)] })
    await say({ plan, at: soon(), i: [0], v: [3] })
    expect(await latest(terminalId)).toMatchObject({ 0: { value: 3 } })
  })

  it('that was moved to another gateway takes nothing from the former one', async () => {
    const { terminalId, say } = await gateway()
    await say({ at: soon(), i: [0], v: [1] })
    await sql`update terminals set device_id = ${device().id} where id = ${terminalId}`
    await say({ at: soon(), i: [0], v: [2] })
    expect((await rows(terminalId)).length).toBe(1)
    expect(await latest(terminalId)).toMatchObject({ 0: { value: 1 } })
  })

  it('that was deleted takes nothing, and its neighbours in the group are stored', async () => {
    const first = await gateway()
    const other = await addTerminal(sql, first.device)
    const plan = await addPlan(sql, first.device, {
      [first.terminalId]: [plainScale(0)],
      [other]: [plainScale(0)],
    })
    await first.say({ plan, at: soon(), i: [0], v: [1] })
    await sql`delete from terminals where id = ${first.terminalId}`
    first.send({ plan, at: soon(), i: [0], v: [2] })
    await first.say({ plan, t: other, at: soon(), i: [0], v: [3] })
    expect((await rows(first.terminalId)).length).toBe(1)
    expect(await latest(other)).toMatchObject({ 0: { value: 3 } })
  })

  it('written by another broker meanwhile loses neither value', async () => {
    const { terminalId, say } = await gateway()
    const at = soon()
    await say({ at, i: [0], v: [1] })
    await sql`
      update terminal_latest set version = version + 1, at = ${sql.array([at, at + 500])}::bigint[], vals = '{1,55}'
      where terminal_id = ${terminalId}`
    await say({ at: at + 1, i: [0], v: [2] })
    expect(await latest(terminalId)).toMatchObject({
      0: { value: 2 },
      1: { value: 55, at: new Date(at + 500) },
    })
  })
})
