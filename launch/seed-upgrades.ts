/** The rows of past upgrades: packages with their files, tasks, items with their events, and the operation log. */

import { createHash, randomUUID } from 'node:crypto'
import { packTarGz } from '#device-sim/tar-gz'
import type { FileStore } from '#infra/files/store'
import type { Transaction } from '#infra/postgres'
import { deadlinesFor, kindNamed } from '#infra/task-kinds'
import { type ParameterKey, parameters } from '#schema/platform/parameter-list'
import { movedSql } from '#schema/task/moves'
import { packageObject } from '#schema/task/package-object'
import { taskObject } from '#schema/task/task-object'
import { demoNames } from './demo-names.ts'
import { type PastDevice, placeAfter, reportsOf } from './past-items.ts'
import type { PastUpgrade } from './past-upgrades.ts'
import { DEMO_ADMIN } from './seed-demo.ts'

type Package = { id: number; name: string; sizeBytes: number; sha256: string; md5: string }

const WAIT_MINUTES = 1440
/** As the console proposes it. */
const GUARD_PERCENT = 10
const HOUR_MS = 3_600_000
const IMAGE_LINES = 4096
const ADDRESS = '203.0.113.20'

const iso = (ms: number) => new Date(ms).toISOString()

/** Firmware of a simulated device: nothing that runs, but large enough to be downloaded for a while. */
function archiveOf({ model, version }: PastUpgrade, atMs: number): Buffer {
  const line = (i: number) => createHash('sha256').update(`${model} ${version} ${i}`).digest('base64')
  const image = Array.from({ length: IMAGE_LINES }, (_, i) => line(i)).join('\n')
  const files = [
    { path: 'VERSION', text: `${model} ${version}\n` },
    { path: 'firmware.img', text: image },
  ]
  return packTarGz(files, atMs)
}

async function addPackage(
  sql: Transaction,
  files: FileStore,
  customerId: number,
  userId: number | null,
  upgrade: PastUpgrade,
): Promise<Package> {
  const { model, version, startAt } = upgrade
  const uploadedAt = startAt - 10 * HOUR_MS
  const bytes = archiveOf(upgrade, uploadedAt)
  const file = files.create()
  await new Promise<void>((done, fail) => file.stream.once('error', fail).end(bytes, () => done()))
  await file.keep()
  const name = demoNames.firmware(model)
  const hashes = {
    sha256: createHash('sha256').update(bytes).digest('hex'),
    md5: createHash('md5').update(bytes).digest('hex'),
  }
  const [row] = await sql<{ id: number }[]>`
    insert into packages ${sql({
      name,
      version,
      model,
      type: 'upgrade',
      size_bytes: bytes.length,
      ...hashes,
      file_key: file.key,
      visibility: 'customer',
      customer_id: customerId,
      uploader_id: userId,
      uploaded_at: iso(uploadedAt),
      synced_at: iso(uploadedAt + 2000),
    })} returning id`
  const id = row?.id ?? 0
  await logOperation(sql, customerId, userId, {
    at: uploadedAt,
    call: 'package/uploadPackage',
    kind: packageObject.name,
    id,
    name,
    body: { name, version, model, type: 'upgrade' },
    after: { version, model, type: 'upgrade', sha256: hashes.sha256, visibility: 'customer' },
  })
  return { id, name, sizeBytes: bytes.length, ...hashes }
}

type Operation = {
  at: number
  call: string
  kind: string
  id: number
  name: string
  body: object
  after: object
}

async function logOperation(
  sql: Transaction,
  customerId: number,
  userId: number | null,
  { at, call, kind, id, name, body, after }: Operation,
): Promise<void> {
  await sql`
    insert into operations (at, user_id, username, customer_id, call, object, object_kind, objects, body, after, code, ip, request_id)
    values (${iso(at)}, ${userId}, ${DEMO_ADMIN}, ${customerId}, ${call}, ${name}, ${kind}, ${JSON.stringify([{ id: String(id) }])}::text::jsonb,
      ${JSON.stringify(body)}::text::jsonb, ${JSON.stringify(after)}::text::jsonb, 0, ${ADDRESS}, ${randomUUID()})`
}

async function addTask(
  sql: Transaction,
  customerId: number,
  userId: number | null,
  upgrade: PastUpgrade,
  source: Package,
  devices: readonly PastDevice[],
): Promise<void> {
  const { model, version, from, startAt } = upgrade
  const createdAt = startAt - 9 * HOUR_MS
  const items = devices.flatMap((device) => {
    const failure = upgrade.devices.get(device.sn)
    if (failure === undefined) return []
    const reports = reportsOf(device, upgrade, failure)
    const [sentAt, endedAt] = [reports[0]?.at ?? startAt, reports.at(-1)?.at ?? startAt]
    const place = placeAfter(reports)
    return [{ id: randomUUID(), deviceId: device.id, failure, reports, sentAt, endedAt, ...place }]
  })
  const name = demoNames.upgrade(model, version)
  const deadlines = await deadlinesFor(
    kindNamed('upgrade'),
    null,
    { get: async (key: ParameterKey) => parameters[key].initial as never },
    customerId,
  )
  const [task] = await sql<{ id: number }[]>`
    insert into tasks ${sql({
      kind: 'upgrade',
      customer_id: customerId,
      name,
      package_id: source.id,
      package_name: source.name,
      type: 'upgrade',
      model,
      version,
      size_bytes: source.sizeBytes,
      sha256: source.sha256,
      md5: source.md5,
      keep_config: true,
      status: 'completed',
      start_at: iso(startAt),
      wait_offline_minutes: WAIT_MINUTES,
      deadlines: sql.json(deadlines),
      max_failure_percent: GUARD_PERCENT,
      matching: items.length,
      created_by: userId,
      responsible_id: userId,
      created_at: iso(createdAt),
      completed_at: iso(Math.max(...items.map(({ endedAt }) => endedAt))),
    })} returning id`
  const taskId = task?.id ?? 0
  await sql`
    insert into task_items (id, task_id, device_id, customer_id, deadline_at, step_at, from_version)
    select id, ${taskId}, "deviceId", ${customerId}, ${iso(startAt + WAIT_MINUTES * 60_000)}::timestamptz, ${iso(createdAt)}::timestamptz, ${from}
    from jsonb_to_recordset(${JSON.stringify(items)}::text::jsonb) as v(id uuid, "deviceId" integer)`
  await sql`
    update task_items i set ${sql.unsafe(movedSql('v'))}, failure = v.failure, failure_detail = v.detail, offers = 1,
      offered_at = v."sentAt", sending_at = v."sentAt", step_at = v."endedAt"
    from jsonb_to_recordset(${JSON.stringify(
      items.map(({ reports, sentAt, endedAt, ...item }) => ({
        ...item,
        detail: reports.at(-1)?.detail,
        sentAt: iso(sentAt),
        endedAt: iso(endedAt),
      })),
    )}::text::jsonb) as v(id uuid, step text, sending text, outcome text, failure text, detail text, "sentAt" timestamptz, "endedAt" timestamptz)
    where i.id = v.id`
  const events = items.flatMap(({ id, deviceId, reports }) => [
    { id, deviceId, at: iso(createdAt), what: 'created' },
    ...reports.map(({ at, step, detail }) => ({ id, deviceId, at: iso(at), what: step, detail })),
  ])
  await sql`
    insert into task_events (item_id, device_id, at, what, detail) select id, "deviceId", at, what, detail
    from jsonb_to_recordset(${JSON.stringify(events)}::text::jsonb) as v(id uuid, "deviceId" integer, at timestamptz, what text, detail text)`
  await logOperation(sql, customerId, userId, {
    at: createdAt,
    call: 'levelUp/addLevelUp',
    kind: taskObject.name,
    id: taskId,
    name,
    body: { name, spId: source.id, dids: items.map(({ deviceId }) => deviceId), startAt: iso(startAt) },
    after: { devices: items.length, skipped: 0 },
  })
}

export async function seedUpgrades(
  sql: Transaction,
  files: FileStore,
  customerId: number,
  upgrades: readonly PastUpgrade[],
  devices: readonly PastDevice[],
): Promise<void> {
  const [admin] = await sql<{ id: number }[]>`
    select id from users where username = ${DEMO_ADMIN} and customer_id = ${customerId}`
  const userId = admin?.id ?? null
  const known = new Set(devices.map(({ sn }) => sn))
  for (const upgrade of upgrades.filter((one) => [...one.devices.keys()].some((sn) => known.has(sn)))) {
    const source = await addPackage(sql, files, customerId, userId, upgrade)
    await addTask(sql, customerId, userId, upgrade, source, devices)
  }
}
