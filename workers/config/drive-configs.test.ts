import { beforeAll, beforeEach, expect, it } from 'vitest'
import { sealTexts, unsealTexts } from '#infra/config/config-store'
import { configHash, packageHash } from '#infra/config-hash'
import { configure } from '#test/configured'
import { addDevices, type TestDevice } from '#test/tenants'
import { type Bench, openBench } from '#test/worker-bench'
import { drainInboxJob } from '../inbox/drain-inbox.ts'
import { driveConfigsJob } from './drive-configs.ts'
import { rereadConfigs } from './reread-configs.ts'

let bench: Bench
let device: TestDevice
beforeAll(async () => {
  bench = await openBench()
  const found = bench.tenants.a.devices[0]
  if (!found) throw new Error('no device')
  device = found
})
beforeEach(async () => {
  bench.line.said.length = 0
  await bench.ctx.sql`delete from device_configs`
  await bench.greet(device)
})

const system = (name: string, zone = 'UTC') =>
  `package system\n\nconfig system\n\toption hostname '${name}'\n\toption timezone '${zone}'\n\n`
const hashOf = (texts: Record<string, string>) =>
  configHash(Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, packageHash(text)])))
const hashes = (texts: Record<string, string>) =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, packageHash(text)]))

const hello = async (texts: Record<string, string>, pending?: { revision: number; remainingS: number }) => {
  await bench.hello(device, 'boot-1', '1.0.0', {
    configHash: hashOf(texts),
    config: { level: 1, packages: hashes(texts), abilities: ['wifi'], ...(pending ? { pending } : {}) },
  })
  await drainInboxJob.run(bench.ctx, {})
}
const tell = async (texts: Record<string, string>, told = texts) => {
  await bench.report(device, 'config', {
    at: 0,
    configHash: hashOf(texts),
    packages: hashes(texts),
    texts: told,
  })
  await drainInboxJob.run(bench.ctx, {})
}
const drive = () => driveConfigsJob.run(bench.ctx, {})
const orders = () => bench.heard('command').map(({ payload }) => [payload['name'], payload['args']])
const row = async () => {
  const [found] = await bench.ctx.sql<
    { state: string; documentHash: string | null; document: string; drift: number }[]
  >`
    select state, document_hash as "documentHash", document, drift from device_configs where device_id = ${device.id}`
  return found
}
/** As after a restore without the JWT_SECRET of the backup. */
const changeKey = () => bench.ctx.sql`
  update device_configs set document = ${sealTexts({ system: 'x' }, 'another-key')}, desired = ${sealTexts({}, 'another-key')},
    desired_hash = 'x'`
const set = (texts: Record<string, string>) => bench.ctx.sql`
  update device_configs set desired = ${sealTexts(texts, bench.ctx.env.JWT_SECRET)}, desired_hash = ${hashOf(texts)}
  where device_id = ${device.id}`

it('reads a configuration whose hash it does not know, once a minute until it comes, and stores it encrypted', async () => {
  const texts = { system: system('shop-1') }
  await hello(texts)
  await drive()
  await drive()
  expect(orders()).toEqual([['readConfig', { known: {} }]])
  bench.pass(61_000)
  await bench.greet(device)
  await drive()
  expect(orders()).toHaveLength(2)
  await tell(texts)
  const found = await row()
  expect(found).toMatchObject({ state: 'inStep', documentHash: hashOf(texts), drift: 0 })
  expect(found?.document).not.toContain('shop-1')
  expect(unsealTexts(found?.document ?? null, bench.ctx.env.JWT_SECRET)).toEqual(texts)
})

it('asks only for packages that changed, and keeps the texts of the others', async () => {
  const before = { system: system('shop-1'), dhcp: 'package dhcp\n\n' }
  await hello(before)
  await drive()
  await tell(before)
  const after = { ...before, system: system('shop-2') }
  await hello(after)
  bench.pass(61_000)
  await bench.greet(device)
  bench.line.said.length = 0
  await drive()
  expect(orders()).toEqual([['readConfig', { known: hashes(before) }]])
  await tell(after, { system: after.system })
  expect(unsealTexts((await row())?.document ?? null, bench.ctx.env.JWT_SECRET)).toEqual(after)
})

it('asks for the rest of a configuration that does not fit into one message', async () => {
  const texts = { system: system('shop-1'), dhcp: 'package dhcp\n\n' }
  await hello(texts)
  await drive()
  await tell(texts, { system: texts.system })
  bench.line.said.length = 0
  await drive()
  expect(orders()).toEqual([['readConfig', { known: hashes({ system: texts.system }) }]])
  // As of a package that is too large for any message: not in an endless hurry.
  await tell(texts, {})
  await drive()
  expect(orders()).toHaveLength(1)
  await tell(texts, { dhcp: texts.dhcp })
  expect(await row()).toMatchObject({ state: 'inStep', documentHash: hashOf(texts) })
})

it('asks for the rest at once, too, if the first part is delivered twice', async () => {
  const texts = { system: system('shop-1'), dhcp: 'package dhcp\n\n' }
  await hello(texts)
  await drive()
  bench.line.said.length = 0
  const part = { at: 0, configHash: hashOf(texts), packages: hashes(texts), texts: { system: texts.system } }
  for (let n = 0; n < 2; n++) await bench.report(device, 'config', part)
  await drainInboxJob.run(bench.ctx, {})
  await drive()
  expect(orders()).toEqual([['readConfig', { known: hashes({ system: texts.system }) }]])
})

it('takes no text whose hash is not the one that the device claims', async () => {
  const texts = { system: system('shop-1') }
  await hello(texts)
  await tell(texts, { system: system('forged') })
  expect(await row()).toMatchObject({ state: 'unread', documentHash: null })
})

it('calls a change on the device drift, a mere reordering none', async () => {
  const texts = { system: system('shop-1') }
  await hello(texts)
  await tell(texts)
  await set(texts)
  const reordered = {
    system: `package system\n\nconfig system\n\toption timezone 'UTC'\n\toption hostname 'shop-1'\n\n`,
  }
  await hello(reordered)
  await tell(reordered)
  expect(await row()).toMatchObject({ state: 'inStep', drift: 0 })
  const changed = { system: system('by hand', 'CST-8') }
  await hello(changed)
  await tell(changed)
  expect(await row()).toMatchObject({ state: 'differs', drift: 2 })
})

it('rolls back a trial that belongs to no known change', async () => {
  const texts = { system: system('shop-1') }
  await hello(texts, { revision: 9, remainingS: 60 })
  await tell(texts)
  await drive()
  expect(orders()).toEqual([['revertConfig', { revision: 9 }]])
})

it('takes reports and reads configurations again that were encrypted with another JWT_SECRET', async () => {
  const texts = { system: system('shop-1'), network: `package network\n\nconfig interface 'lan'\n\n` }
  await hello(texts)
  await tell(texts)
  await changeKey()
  // One package has changed: the other cannot be completed from what is stored, and is asked for as a whole.
  await tell({ ...texts, system: system('shop-2') }, { system: system('shop-2') })
  expect(await row()).toMatchObject({ document: null, documentHash: null })
  await tell(texts)
  await changeKey()
  const { document } = (await row()) ?? {}
  await rereadConfigs({ ...bench.ctx, env: { ...bench.ctx.env } })
  // Kept until the device has told it again, because the key of this room may be the wrong one.
  expect(await row()).toMatchObject({ document, documentHash: null })
  await drive()
  expect(orders()).toEqual([['readConfig', { known: expect.anything() }]])
  await tell(texts, {})
  await tell(texts)
  expect((await row())?.documentHash).toBe(hashOf(texts))
})

it('reads what was read under a wrong JWT_SECRET again, though the first devices were not read under it', async () => {
  const { sql } = bench.ctx
  const fleet = await addDevices(sql, device.customerId, bench.tenants.a.groups.root, 'KEY-', 101)
  const late = Math.max(...fleet.map(({ id }) => id))
  await configure(bench.ctx, late)
  // Under the wrong key all were to be read again, and only one of them was there.
  await sql`
    insert into device_configs (device_id, level, running_hash, document)
    select id, 1, 'x', c.document from devices join device_configs c on c.device_id = ${late} where sn like 'KEY-%' and id < ${late}`
  await sql`update device_configs set document = ${sealTexts({}, 'another-key')} where device_id = ${late}`
  await rereadConfigs({ ...bench.ctx, env: { ...bench.ctx.env } })
  expect(await sql`select document_hash from device_configs where device_id = ${late}`).toEqual([
    { document_hash: null },
  ])
})

const [before, after] = [{ system: system('shop-1') }, { system: system('shop-2') }]

/** The device runs what is set, `before`, and is sent `after`. @returns the item of the task */
async function sendAfter(step: 'done' | 'upgrading'): Promise<string> {
  await hello(before)
  await tell(before)
  await set(before)
  const { sql, env } = bench.ctx
  const [task] = await sql<{ id: number }[]>`
    insert into tasks (kind, name, command, start_at, wait_offline_minutes, created_by)
    values ('config', 'T', 'applyConfig', now(), 15, 4711) returning id`
  const [item] = await sql<{ id: string }[]>`
    insert into task_items (id, task_id, device_id, customer_id, deadline_at, step, outcome, target_hash)
    values (gen_random_uuid(), ${task?.id ?? 0}, ${device.id}, ${bench.tenants.a.customerId}, now() + interval '1 hour', ${step},
      ${step === 'done' ? 'done' : null}, ${hashOf(after)}) returning id`
  const itemId = item?.id ?? ''
  await sql`
    update device_configs set item_id = ${itemId}, revision = 1, next = ${sealTexts(after, env.JWT_SECRET)},
      next_hash = ${hashOf(after)}, next_packages = ${sql.json(hashes(after))} where device_id = ${device.id}`
  await hello(after)
  return itemId
}

it('a change that a user abandons when the device has kept it already is what is set', async () => {
  const { sql } = bench.ctx
  await sendAfter('done')
  // As the call that abandons it leaves it.
  await sql`update device_configs set next_hash = null where device_id = ${device.id}`
  await drive()
  expect(await row()).toMatchObject({ state: 'inStep', documentHash: hashOf(after) })
  expect(
    await sql`select desired_hash as hash, desired_by as by, desired_at is not null as dated from device_configs`,
  ).toEqual([{ hash: hashOf(after), by: 4711, dated: true }])
})

it('a change that failed though the device runs it is read again, and is a difference then', async () => {
  const itemId = await sendAfter('upgrading')
  await tell(after)
  expect(await row()).toMatchObject({ state: 'waiting', drift: 0 })
  await bench.ctx
    .sql`update task_items set outcome = 'failed', failure = 'upgradeFailed' where id = ${itemId}`
  bench.line.said.length = 0
  await drive()
  expect(orders()).toEqual([['readConfig', { known: hashes(after) }]])
  await tell(after, {})
  expect(await row()).toMatchObject({ state: 'refused', documentHash: hashOf(after), drift: 1 })
})

it('does not wait for devices whose reports are being stored: that transaction locks several, in the order of arrival', async () => {
  const { sql } = bench.ctx
  const [, other] = bench.tenants.a.devices
  if (!other) throw new Error('no second device')
  await bench.greet(other)
  await hello({ system: system('shop-1') })
  const [held] = await sql`select running_hash from device_configs where device_id = ${device.id}`
  await sql`
    insert into device_configs (device_id, level, running_hash, unread_since, pending_revision, document_hash)
    values (${other.id}, 1, 'x', now(), null, null)`
  await sql`update device_configs set pending_revision = 7, unread_since = now()`
  await sql`update device_configs set document_hash = ${held?.['running_hash']} where device_id = ${device.id}`
  await sql.begin(async (tx) => {
    await tx`select 1 from device_configs where device_id = ${device.id} for update`
    await drive()
  })
  expect(bench.heard('command').map(({ sn, payload }) => [sn, payload['name']])).toEqual([
    [other.sn, 'revertConfig'],
    [other.sn, 'readConfig'],
  ])
  await drive()
  expect(
    bench
      .heard('command')
      .slice(2)
      .map(({ sn, payload }) => [sn, payload['name']]),
  ).toEqual([[device.sn, 'revertConfig']])
})
