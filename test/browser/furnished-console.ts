/** A console with data: empty pages show little. */
import { randomUUID } from 'node:crypto'
import type { Screen } from '#schema/kit/screen'
import { addDevices, addPackage, seedTenants, simulated, TEST_PASSWORD } from '#test/tenants'
import { type Booted, bootAll } from '../boot.ts'
import { furnishAll } from '../furnish-all.ts'
import { testContext } from '../harness.ts'
import { makeArchive } from '../walks/make-archive.ts'
import { completed, itemsOf } from '../walks/watch-task.ts'
import { reportPast } from './report-past.ts'

export type Furnished = {
  booted: Booted
  /** Of the platform's administrator, who sees everything. */
  token: string
  /** With ids of existing objects for the parameters of the path. */
  pathOf: (screen: Screen) => string
  devicePath: string
}

/** Creates data for the pages: a fleet, packages synced and not, a task with several outcomes. */
export async function furnishedConsole(): Promise<Furnished> {
  const context = await testContext({ TASK_DEADLINE_SCALE: '0.1' })
  const { a, superAdmin } = await seedTenants(context)
  const fleet = await addDevices(context.sql, a.customerId, a.groups.root, 'LOOK-', 10)
  await reportPast(context)
  const booted = await bootAll({
    context,
    sim: {
      ...simulated(fleet, (_, i) => (i === 9 ? 'P10' : 'R200')),
      speed: 20,
      faults: { md5Failed: 0.4, packageVerifyFailed: 0.3 },
    },
  })
  await context.sql`update devices set deleted_at = now(), deleted_reason = 'Lightning' where id = ${a.devices[3]?.id ?? 0}`
  await booted.sim?.whenOnline(60_000)
  const token = await booted.login(superAdmin.username, TEST_PASSWORD)
  const made = await addPackage(context, {
    customerId: null,
    model: 'R200',
    version: '9.9.0',
    content: await makeArchive(20_000),
  })
  const other = await addPackage(context, { customerId: a.customerId, model: 'R200', version: '9.9.1' })
  await context.sql`update packages set synced_at = null, sync_error = 'ECONNREFUSED' where id = ${other.id}`
  const answer = await booted.call(
    'levelUp/addLevelUp',
    { spId: made.id, name: 'Night run', filter: { search: 'LOOK-' } },
    token,
  )
  const { taskId } = answer.data as { taskId: number }
  // Some are cancelled, unless they are already too far; some of the others fail.
  const items = await itemsOf(context, taskId)
  await booted.call('task/cancelTask', { taskId, itemIds: items.slice(0, 2).map(({ id }) => id) }, token)
  await completed(context, taskId)
  // One of everything else that a customer can own.
  const { shared } = await furnishAll(context, a)
  await context.sql`
    insert into api_tokens (user_id, name, hash, expires_at)
    values (${superAdmin.id}, 'Nightly backup', ${randomUUID()}, now() + interval '1 day')`
  await context.sql`
    insert into n2n_servers (name, address, port, version, management_port, token_hash, up, started_at, last_seen_at, edges)
    values ('North', 'north.example.test', 9101, 3, 5645, ${randomUUID()}, true, now() - interval '2 days', now(), 118),
      ('A supernode with a long name', 'supernode.somewhere.example.test', 9102, 2, null, ${randomUUID()}, null, null, null, null)`
  const parameters: Record<string, string> = {
    taskId: String(taskId),
    id: String(a.groups.root),
    did: String(fleet[0]?.id),
    sessionId: String(shared['sessionId']),
    recordingId: String(shared['recordingId']),
    panelId: String(shared['panelId']),
  }
  return {
    booted,
    token,
    pathOf: ({ path }) => path.replace(/:(\w+)/g, (_, name: string) => parameters[name] ?? name),
    devicePath: `/device/particulars/${parameters['id']}/${parameters['did']}`,
  }
}
