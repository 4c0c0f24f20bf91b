/** Files in an object store: a package is uploaded, and devices are upgraded from it while the store dies. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SIZE_KEPT_MS } from '#api/kit/file-blocks'
import { addDevices, seedTenants, simulated, TEST_PASSWORD, type TestDevice } from '#test/tenants'
import { type Booted, bootAll } from '../boot.ts'
import { testContext } from '../harness.ts'
import { noDebianSwift, startDebianSwift } from '../programs/debian-swift.ts'
import { makeArchive } from './make-archive.ts'
import { until } from './until.ts'
import { completed, itemsOf } from './watch-task.ts'

let swift: Awaited<ReturnType<typeof startDebianSwift>>
let booted: Booted
let fleet: TestDevice[]
let token: string

beforeAll(async () => {
  if (noDebianSwift) return
  swift = await startDebianSwift()
  const context = await testContext({ TASK_DEADLINE_SCALE: '0.1', ...swift.settings })
  const tenants = await seedTenants(context)
  const { customerId, groups } = tenants.a
  fleet = await addDevices(context.sql, customerId, groups.root, 'OBJ-', 3)
  booted = await bootAll({
    context,
    sim: {
      ...simulated(fleet),
      speed: 20,
    },
  })
  token = await booted.login(tenants.a.admin.username, TEST_PASSWORD)
  await booted.sim?.whenOnline(60_000)
}, 240_000)
afterAll(async () => {
  await booted?.close()
  await swift?.stop()
})

const ready = async () => (await fetch(`${booted.url}/readyz`)).json() as Promise<Record<string, unknown>>

async function upload(version: string) {
  const query = new URLSearchParams({ fileName: 'fw.tar.gz', name: 'Firmware', version, model: 'R200' })
  const answer = await fetch(`${booted.url}/api/package/uploadPackage?${query}`, {
    method: 'POST',
    headers: { token, 'content-type': 'application/gzip' },
    body: new Uint8Array(await makeArchive(6_000_000)),
  })
  return { status: answer.status, ...((await answer.json()) as { code: number; data: { spId: number } }) }
}

describe.skipIf(noDebianSwift)('files in an object store', () => {
  it('upgrades devices from it; while it is unavailable their downloads wait, and nothing fails', async () => {
    const { data } = await upload('9.0.0')
    const { sql } = booted.context
    await until('the package is synced', async () => {
      const [row] = await sql`select 1 from packages where id = ${data.spId} and synced_at is not null`
      return row
    })
    expect(await ready()).toMatchObject({ files: true })
    await swift.leave()
    // The platform has just checked that the package can be downloaded, so the api has it in memory.
    await sleep(SIZE_KEPT_MS)
    const created = await booted.call(
      'levelUp/addLevelUp',
      { name: 'Away', spId: data.spId, dids: fleet.map(({ id }) => id).join(',') },
      token,
    )
    const { taskId } = created.data as { taskId: number }
    await until('each has been refused a download', async () =>
      (await itemsOf(booted.context, taskId)).every(
        ({ step }) => step === 'connected' || step === 'downloading',
      ),
    )
    const state = await fetch(`${booted.url}/readyz`)
    expect([state.status, await state.json()]).toMatchObject([
      200,
      { files: false, withoutFiles: expect.any(Array), postgres: true },
    ])
    expect(await upload('9.0.1')).toMatchObject({ status: 503, code: 503 })
    // Which suspends the deadlines of downloads: workers/task/serving-gap.test.ts.
    await until(
      'no heartbeat',
      async () => {
        const [row] = await sql`select 1 from serving_marks where beat_at < now() - interval '7 seconds'`
        return row
      },
      20_000,
    )
    await swift.comeBack()
    const items = await completed(booted.context, taskId, 60_000)
    expect(items.map(({ failure, outcome }) => failure ?? outcome)).toEqual(['done', 'done', 'done'])
    expect(fleet.map(({ sn }) => booted.sim?.device(sn).firmware)).toEqual(['9.0.0', '9.0.0', '9.0.0'])
  }, 240_000)
})
