/** Streams of values: what they send to whom and when, and when they end. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { ReplyOf } from '#schema/kit/call'
import { watchValues } from '#schema/monitor/live-values'
import { apiTest } from '#test/api-client'
import { addTemplate, addTerminal } from '#test/collecting'

const { app, call, token, tenants, context } = await apiTest()
const { sql } = context
const { a, b } = tenants
const address = await app.listen({ host: '127.0.0.1', port: 0 })
const [atRoot, inBranch] = a.devices
if (!atRoot || !inBranch) throw new Error('tenants have devices')

const templateId = await addTemplate(sql, a.customerId)
const addVariable = async (slot: number) => {
  const [row] = await sql<{ id: number }[]>`
    insert into variables (template_id, slot, name, unit, register_type, address, data_type)
    values (${templateId}, ${slot}, ${`V${slot}`}, 'V', 'input', ${slot}, 'float32') returning id`
  return row?.id ?? 0
}
const variables = [await addVariable(0), await addVariable(1)]
const report = (terminalId: number, values: readonly number[], agoMs = 0) => sql`
  update terminal_latest set at = ${values.map(() => Date.now() - agoMs)}::bigint[], vals = ${[...values]}::float8[]
  where terminal_id = ${terminalId}`

type Values = ReplyOf<typeof watchValues>['values']

/** A reader that collects events; `next()` waits for one more. */
async function watch(who: { username: string }, terminalIds: readonly number[], seconds = 60, held?: string) {
  const closing = new AbortController()
  const pairs = terminalIds.flatMap((id) => variables.map((variableId) => [id, variableId] as const))
  const response = await fetch(`${address}/api/variable/watchValues`, {
    method: 'POST',
    headers: { token: held ?? (await token(who)), 'content-type': 'application/json' },
    body: JSON.stringify({
      terminalIds: pairs.map(([id]) => id),
      variableIds: pairs.map(([, id]) => id),
      seconds,
    }),
    signal: closing.signal,
  })
  const events: { event: string; data: unknown }[] = []
  let ended = false
  void (async () => {
    let rest = ''
    const texts = response.body?.pipeThrough(new TextDecoderStream()) ?? []
    for await (const piece of texts as AsyncIterable<string>) {
      const frames = (rest + piece).split('\n\n')
      rest = frames.pop() ?? ''
      for (const frame of frames) {
        const found = /^event: (\w+)\ndata: (.*)$/.exec(frame)
        if (found) events.push({ event: found[1] ?? '', data: JSON.parse(found[2] ?? '') })
      }
    }
  })()
    .catch(() => undefined)
    .finally(() => {
      ended = true
    })
  const until = async (isSo: () => boolean) => {
    for (let i = 0; i < 400 && !isSo(); i++) await sleep(25)
    if (!isSo()) throw new Error(`waited in vain: ${JSON.stringify(events)}`)
  }
  let heard = 0
  return {
    events,
    status: response.headers,
    async next(): Promise<Values> {
      await until(() => events.length > heard)
      const { event, data } = events[heard++] ?? { event: '', data: null }
      expect(event).toBe('values')
      return watchValues.reply.parse(data).values
    },
    async end() {
      await until(() => ended)
      return events.at(-1)
    },
    close: () => closing.abort(),
  }
}

const rootTerminal = await addTerminal(sql, { id: atRoot.id, customerId: a.customerId }, templateId)
const branchTerminal = await addTerminal(sql, { id: inBranch.id, customerId: a.customerId }, templateId)

it('sends the newest values, then only changed ones, to every watcher', async () => {
  await report(rootTerminal, [1, 2])
  const [one, other] = [await watch(a.admin, [rootTerminal]), await watch(a.admin, [rootTerminal])]
  expect(one.status.get('content-type')).toBe('text/event-stream')
  for (const stream of [one, other])
    expect((await stream.next()).map(({ value, stale }) => [value, stale])).toEqual([
      [1, false],
      [2, false],
    ])
  await sql`update terminal_latest set vals[2] = 7 where terminal_id = ${rootTerminal}`
  for (const stream of [one, other])
    expect(await stream.next()).toMatchObject([{ variableId: variables[1], value: 7 }])
  one.close()
  other.close()
})

it('sends that a value has become stale and that its gateway is online, without a report', async () => {
  await report(rootTerminal, [1, 2], 149_000)
  const stream = await watch(a.admin, [rootTerminal])
  expect((await stream.next()).map(({ stale }) => stale)).toEqual([false, false])
  expect((await stream.next()).map(({ stale }) => stale)).toEqual([true, true])
  await sql`update device_states set online = true where device_id = ${atRoot.id}`
  expect((await stream.next()).map(({ deviceOnline }) => deviceOnline)).toEqual([true, true])
  stream.close()
})

it('values of a foreign source are not those of a gateway that is offline', async () => {
  const [account] = await sql<{ id: number }[]>`
    with p as (insert into projects (customer_id, group_id, name, type) values (${a.customerId}, ${a.groups.root}, 'Plant', 'energy') returning id)
    insert into south_accounts (customer_id, project_id, name, kind, username, secret_hash, topics)
    select ${a.customerId}, id, 'Source', 'neuron', 'south.live', 'hash', '{"x/#"}' from p returning id`
  await sql`update device_states set online = false where device_id = ${inBranch.id}`
  await report(branchTerminal, [1, 2])
  const stream = await watch(a.admin, [branchTerminal])
  const online = async () => (await stream.next()).map(({ deviceOnline }) => deviceOnline)
  expect(await online()).toEqual([false, false])
  await sql`insert into south_terminals (account_id, terminal_id, source) values (${account?.id ?? 0}, ${branchTerminal}, 'node')`
  expect(await online()).toEqual([true, true])
  const { data } = await call('variable/getVariableValues', { terminalId: branchTerminal }, a.admin)
  expect(data).toMatchObject({ list: [{ deviceOnline: true }, { deviceOnline: true }] })
  await sql`delete from south_terminals`
  expect(await online()).toEqual([false, false])
  stream.close()
})

it('sends values of a terminal that has reported some of its variables, or none of them well', async () => {
  await sql`update terminal_latest set at = ${[Date.now()]}::bigint[], vals = '{null}', quality = '{4}',
    texts = '{"9223372036854775807"}', good_at = '{null,null}', good_vals = '{null,null}' where terminal_id = ${rootTerminal}`
  const first = await watch(a.admin, [rootTerminal])
  // A second reader meets what is held for the first one.
  const second = await watch(a.admin, [rootTerminal])
  for (const stream of [first, second])
    expect(await stream.next()).toMatchObject([
      { text: '9223372036854775807', value: null, goodAt: null, goodValue: null },
      { at: null, text: null, value: null, quality: null, goodAt: null, goodValue: null },
    ])
  await sql`update terminal_latest set at = array[null, ${Date.now()}]::bigint[], vals = '{null,3}', quality = '{null,0}',
    texts = '{null,null}' where terminal_id = ${rootTerminal}`
  expect((await second.next()).map(({ value, text }) => [value, text])).toEqual([
    [null, null],
    [3, null],
  ])
  await sql`update terminal_latest set quality = null, texts = null, good_at = null, good_vals = null
    where terminal_id = ${rootTerminal}`
  first.close()
  second.close()
})

it('a terminal that cannot be shown ends the streams that show it, and no others', async () => {
  await report(rootTerminal, [1, 2])
  await report(branchTerminal, [1, 2])
  const other = await watch(a.admin, [rootTerminal])
  await other.next()
  // Further away than a date can be.
  const spoil = () =>
    sql`update terminal_latest set at = '{9000000000000000,9000000000000000}' where terminal_id = ${branchTerminal}`
  await spoil()
  await (await watch(a.admin, [branchTerminal])).end()
  await (await watch(a.admin, [branchTerminal, rootTerminal])).end()
  await report(branchTerminal, [1, 2])
  const again = await watch(a.admin, [branchTerminal])
  expect(await again.next()).toHaveLength(2)
  await spoil()
  await again.end()
  await report(rootTerminal, [8, 9])
  expect((await other.next()).map(({ value }) => value)).toEqual([8, 9])
  await report(branchTerminal, [1, 2])
  other.close()
})

it('ends by itself after the requested time: immediately for scripts', async () => {
  const stream = await watch(a.admin, [rootTerminal], 0)
  expect(await stream.next()).toHaveLength(2)
  await stream.end()
  expect(stream.events).toHaveLength(1)
})

it('leaves out what the actor may not see: another customer’s terminals, and those of other groups', async () => {
  expect(await (await watch(b.admin, [rootTerminal], 0)).next()).toEqual([])
  const confined = await (await watch(a.operator, [rootTerminal, branchTerminal], 0)).next()
  expect(new Set(confined.map(({ terminalId }) => terminalId))).toEqual(new Set([branchTerminal]))
})

it('sends nothing more about a gateway as soon as it belongs to another group', async () => {
  await report(branchTerminal, [1, 1])
  const [mine, theirs] = [await watch(a.admin, [branchTerminal]), await watch(a.operator, [branchTerminal])]
  await Promise.all([mine.next(), theirs.next()])
  await sql`update devices set group_id = ${a.groups.other} where id = ${inBranch.id}`
  await report(branchTerminal, [5, 5])
  expect((await mine.next()).map(({ value }) => value)).toEqual([5, 5])
  await report(branchTerminal, [6, 6])
  expect((await mine.next()).map(({ value }) => value)).toEqual([6, 6])
  expect(theirs.events).toHaveLength(1)
  mine.close()
  theirs.close()
})

const isRefused = ({ status }: Awaited<ReturnType<typeof watch>>) =>
  status.get('content-type')?.includes('application/json')

it('a browser keeps connections for all else: it has three streams, whatever it shows in how many windows', async () => {
  const all = []
  for (let i = 0; i < 3; i++) all.push(await watch(b.operator, []))
  expect(all.map(isRefused)).toEqual([false, false, false])
  expect(isRefused(await watch(b.operator, []))).toBe(true)
  // Another login is another browser.
  const other = await watch(b.viewer, [])
  expect(isRefused(other)).toBe(false)
  all[0]?.close()
  await expect
    .poll(async () => {
      const again = await watch(b.operator, [])
      again.close()
      return isRefused(again)
    })
    .toBe(false)
  for (const stream of [...all, other]) stream.close()
})

it('a user has a bounded number of streams', async () => {
  const made = await call<{ token: string }>('token/createApiToken', { name: 'panels' }, b.admin)
  const all = []
  for (let i = 0; i < 50; i++) all.push(await watch(b.admin, [], 60, made.data?.token))
  expect(all.some(isRefused)).toBe(false)
  expect(isRefused(await watch(b.admin, [], 60, made.data?.token))).toBe(true)
  for (const stream of all) stream.close()
})

it('ends when the login does, and says why', async () => {
  const stream = await watch(a.viewer, [])
  await stream.next()
  await sql`update sessions set ended_at = now() where user_id = ${a.viewer.id}`
  expect(await stream.end()).toEqual({ event: 'end', data: { code: 20 } })
})

const project = await call<{ id: number }>(
  'project/addProject',
  { name: 'Wall', type: 'energy', groupId: a.groups.other },
  a.admin,
)

it('of an API token or a link to a big screen ends within seconds when its user is disabled, as one of a login does', async () => {
  const made = await call<{ token: string }>('token/createApiToken', { name: 'wall' }, a.admin)
  const link = await call<{ kioskToken: string }>(
    'kiosk/addKioskLink',
    { projectId: project.data?.id, name: 'wall' },
    a.admin,
  )
  const streams = [
    await watch(a.admin, [], 60, made.data?.token),
    await watch(a.admin, [], 60, link.data?.kioskToken),
  ]
  for (const stream of streams) await stream.next()
  await sql`update users set status = 0 where id = ${a.admin.id}`
  try {
    for (const stream of streams) expect(await stream.end()).toEqual({ event: 'end', data: { code: 20 } })
  } finally {
    await sql`update users set status = 1 where id = ${a.admin.id}`
  }
})
