import { describe, expect, it, vi } from 'vitest'
import { configFileRefusals } from '#schema/task/config-file-refusals'
import { packageRefusals } from '#schema/task/package-refusals'
import { taskRefusals } from '#schema/task/task-refusals'
import type { LeftOut } from '#schema/task/task-target'
import { apiTest } from '#test/api-client'
import { addConfigFile, configArchive, packEntries } from '#test/config-archive'
import { meanwhile } from '#test/meanwhile'
import { addDevices } from '#test/tenants'

const { token, call, tenants, context } = await apiTest()
const { a, b, systemAdmin } = tenants
const { sql } = context
const content = await configArchive({ 'etc/config/system': 'config system\n' })
const { id: spId } = await addConfigFile(context, { customerId: a.customerId, name: 'Settings', content })
const fleet = await addDevices(sql, a.customerId, a.groups.root, 'CFG-', 4)
const [plain, able, old, gone] = fleet.map(({ id }) => id)
await sql`update devices set features = '["reboot","configFile"]', model = 'G100' where id = ${able ?? 0}`
await sql`update devices set features = '["reboot"]' where id = ${old ?? 0}`
await sql`update devices set secret_hash = null where id = ${gone ?? 0}`
const dids = fleet.map(({ id }) => id)

type Made = { taskId: number; devices: number; leftOut: LeftOut[] }
const add = async (body: object, who: { username: string } = a.admin) =>
  call<Made>('configTask/addConfig', { name: 'Night', spId, ...body }, await token(who))
const reasons = (left: readonly LeftOut[] | undefined) =>
  Object.fromEntries((left ?? []).map(({ reason, count }) => [reason, count]))

describe('[§7] addConfig', () => {
  it('creates a task with the payload of the specification, and leaves out who cannot', async () => {
    const { data } = await add({ description: 'd', dids: dids.join(','), path: '/x', spFileSize: '12' })
    expect(data?.devices).toBe(2)
    // [§8] "version not supported, upgrade device"
    expect(reasons(data?.leftOut)).toEqual({ versionUnsupported: 1, revoked: 1 })
    const [task] =
      await sql`select kind, type, config_file_id, version, model, package_name from tasks where id = ${data?.taskId ?? 0}`
    expect(task).toMatchObject({ kind: 'configFile', type: 'config', config_file_id: spId, version: null })
    const rows = await sql`select device_id from task_items where task_id = ${data?.taskId ?? 0} order by 1`
    expect(rows.map((row) => row['device_id'])).toEqual([plain, able])
  })

  it.each(['', null])('takes %j in the description, path or size as if it were absent', async (blank) => {
    expect((await add({ description: blank, dids, path: blank, spFileSize: blank })).code).toBe(0)
  })

  it('shows the models of the devices beforehand', async () => {
    const { data } = await call<{ eligible: number; matching: number; models: object[] }>(
      'configTask/preflight',
      { spId, dids },
      await token(a.admin),
    )
    expect(data).toMatchObject({ eligible: 2, matching: 4 })
    expect(data?.models).toEqual(expect.arrayContaining([{ model: 'G100', count: 1 }]))
  })

  it('never sends the settings of one customer to the devices of another, not even for the platform', async () => {
    const foreign = b.devices[0]?.id ?? 0
    const { data } = await add({ dids: [able, foreign] }, systemAdmin)
    expect(data?.devices).toBe(1)
    expect(reasons(data?.leftOut)).toEqual({ otherCustomer: 1 })
    expect((await add({ dids: [foreign] }, systemAdmin)).code).toBe(taskRefusals.taskNoEligible.code)
    expect((await add({ dids }, b.admin)).code).not.toBe(0)
  })

  it('repeated with the same request id is one task', async () => {
    const requestId = '3f0d1c5e-3a52-4b50-9d0d-0a3d8f6a7b11'
    const first = await add({ dids: [able], requestId })
    expect((await add({ dids: [able], requestId })).data?.taskId).toBe(first.data?.taskId)
  })

  it('of a request that is sent several times at once is created once', async () => {
    const requestId = '3f0d1c5e-3a52-4b50-9d0d-0a3d8f6a7b12'
    const answers = await Promise.all(Array.from({ length: 5 }, () => add({ dids: [able], requestId })))
    expect(answers.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0])
    expect(new Set(answers.map(({ data }) => data?.taskId)).size).toBe(1)
  })

  it('is listed among the config tasks, with its update time', async () => {
    const { data } = await call<{ list: { kind: string; updatedAt: string; createdAt: string }[] }>(
      'configTask/getConfigTaskList',
      {},
      await token(a.admin),
    )
    expect(new Set(data?.list.map(({ kind }) => kind))).toEqual(new Set(['configFile']))
    for (const { updatedAt, createdAt } of data?.list ?? []) expect(updatedAt >= createdAt).toBe(true)
  })
})

describe('a backup that is restored', () => {
  async function addBackup(deviceId: number, archive: Buffer): Promise<string> {
    const { fileKey, sha256 } = await addConfigFile(context, {
      customerId: a.customerId,
      name: crypto.randomUUID(),
      content: archive,
    })
    const [row] = await sql<{ id: string }[]>`
      insert into device_backups (id, device_id, customer_id, command_id, link_expires_at, file_key, size_bytes, sha256)
      values (gen_random_uuid(), ${deviceId}, ${a.customerId}, gen_random_uuid(), now(), ${fileKey}, ${archive.length}, ${sha256})
      returning id`
    return row?.id ?? ''
  }
  const restore = async (backupId: string, who = a.admin) =>
    call<{ taskId: number }>('configTask/restoreBackup', { backupId }, await token(who))

  it('of a former owner is not sent to the device of the new one, not even by the platform', async () => {
    const backupId = await addBackup(able ?? 0, content)
    await sql`update devices set customer_id = ${b.customerId}, group_id = ${b.groups.root} where id = ${able ?? 0}`
    const moved = await restore(backupId, systemAdmin)
    await sql`update devices set customer_id = ${a.customerId}, group_id = ${a.groups.root} where id = ${able ?? 0}`
    expect(moved.code).toBe(taskRefusals.taskNoEligible.code)
    expect((await restore(backupId, systemAdmin)).code).toBe(0)
  })

  it('is a config task of its own device, and cannot be deleted meanwhile', async () => {
    const backupId = await addBackup(able ?? 0, content)
    const { data } = await restore(backupId)
    const [task] = await sql`select kind, backup_id, md5 from tasks where id = ${data?.taskId ?? 0}`
    expect(task).toMatchObject({
      kind: 'configFile',
      backup_id: backupId,
      md5: expect.stringMatching(/^[0-9a-f]{32}$/),
    })
    const items = await sql`select device_id from task_items where task_id = ${data?.taskId ?? 0}`
    expect(items.map((row) => row['device_id'])).toEqual([able])
    const remove = await call('backup/deleteBackup', { backupId }, await token(a.admin))
    expect(remove.code).toBe(configFileRefusals.configFileInUse.code)
  })

  it('is refused for a device whose version cannot, and if the archive is not one to restore', async () => {
    expect((await restore(await addBackup(old ?? 0, content))).code).toBe(
      configFileRefusals.restoreUnsupported.code,
    )
    const wrong = await packEntries([{ name: 'usr/a', content: 'x' }])
    expect((await restore(await addBackup(able ?? 0, wrong))).code).toBe(packageRefusals.packageUnsafe.code)
  })

  it('goes to the machine that has replaced the one that made it', async () => {
    const [former] = await addDevices(sql, a.customerId, a.groups.root, 'FORMER-', 1)
    const backupId = await addBackup(former?.id ?? 0, content)
    const who = await token(a.admin)
    const swap = { deviceId: former?.id, deviceSn: 'SUCCESSOR', reason: 'Lightning' }
    const { data } = await call<{ deviceId: number }>('device/swapDevice', swap, who)
    const made = await restore(backupId)
    expect(made.code).toBe(0)
    const items = await sql`select device_id from task_items where task_id = ${made.data?.taskId ?? 0}`
    expect(items.map((row) => row['device_id'])).toEqual([data?.deviceId])
    expect(data?.deviceId).not.toBe(former?.id)
  })
})

describe('a user who may see configuration tasks and no others', () => {
  it('reads the details, devices and timeline of one, and nothing of an upgrade', async () => {
    const { data } = await add({ dids })
    const taskId = data?.taskId ?? 0
    const [upgrade] = await sql<{ id: number }[]>`
      insert into tasks (kind, customer_id, name, start_at, wait_offline_minutes) values ('upgrade', ${a.customerId}, 'U', now(), 5) returning id`
    await sql`insert into task_items (id, task_id, device_id, customer_id, deadline_at)
      values (gen_random_uuid(), ${upgrade?.id ?? 0}, ${plain ?? 0}, ${a.customerId}, now())`
    const [role] = await sql<{ id: number }[]>`
      insert into roles (customer_id, name, function_ids) values (${a.customerId}, 'Configurer', '{9300,9302}') returning id`
    const [before] = await sql<{ id: number }[]>`select role_id as id from users where id = ${a.admin.id}`
    await sql`update users set role_id = ${role?.id ?? 0} where id = ${a.admin.id}`
    try {
      const who = await token(a.admin)
      for (const name of ['task/getTask', 'task/getTaskItems', 'task/getTaskDecisions']) {
        expect((await call(name, { taskId }, who)).code, name).toBe(0)
        expect((await call(name, { taskId: upgrade?.id }, who)).code, name).toBe(5)
      }
      expect((await call('task/pauseTask', { taskId }, who)).code).toBe(0)
      expect((await call('task/pauseTask', { taskId: upgrade?.id }, who)).code).toBe(5)
      expect((await call('task/getTaskList', {}, who)).code).toBe(5)
    } finally {
      await sql`update users set role_id = ${before?.id ?? 0} where id = ${a.admin.id}`
    }
  })
})

it.each(['configuration file', 'backup'])(
  'a %s is not deleted by a request that arrives while its task is being retried',
  async (source) => {
    const who = await token(a.admin)
    const file = await addConfigFile(context, {
      customerId: a.customerId,
      name: `Retried ${source}`,
      content,
    })
    const [backup] = await sql<{ id: string }[]>`
      insert into device_backups (id, device_id, customer_id, command_id, link_expires_at, file_key)
      values (gen_random_uuid(), ${able ?? 0}, ${a.customerId}, gen_random_uuid(), now(), 'retried') returning id`
    const [own, column, name, body] =
      source === 'backup'
        ? [backup?.id ?? '', 'backup_id', 'backup/deleteBackup', { backupId: backup?.id }]
        : [file.id, 'config_file_id', 'configFile/deleteConfigFile', { spId: file.id }]
    const [task] = await sql<{ id: number }[]>`
      insert into tasks (kind, type, customer_id, name, start_at, wait_offline_minutes, status, completed_at, ${sql(column)})
      values ('configFile', 'config', ${a.customerId}, 'R', now(), 5, 'completed', now(), ${own}) returning id`
    await sql`
      insert into task_items (id, task_id, device_id, customer_id, deadline_at, outcome, failure)
      values (gen_random_uuid(), ${task?.id ?? 0}, ${able ?? 0}, ${a.customerId}, now(), 'failed', 'upgradeFailed')`
    let deletion: Promise<{ code: number }> | undefined
    const retried = await meanwhile(
      sql,
      () => call('task/retryTask', { taskId: task?.id }, who),
      // The retry waits for the device when it has the task.
      (tx) => tx`select 1 from devices where id = ${able ?? 0} for update`,
      async () => {
        deletion = call(name, body, who)
        await vi.waitFor(async () =>
          expect(
            await sql`
              select distinct l.pid from pg_locks l join pg_stat_activity s on s.pid = l.pid and s.datname = current_database()
              where not l.granted`,
          ).toHaveLength(2),
        )
      },
    )
    expect(retried).toMatchObject({ code: 0, data: { retried: 1 } })
    expect((await deletion)?.code).toBe(configFileRefusals.configFileInUse.code)
    expect((await sql`select ${sql(column)} as file from tasks where id = ${task?.id ?? 0}`)[0]).toEqual({
      file: own,
    })
  },
)
