import { randomUUID } from 'node:crypto'
import { ListObjectsV2Command } from '@aws-sdk/client-s3'
import { afterAll, describe, expect, it } from 'vitest'
import { readEnv } from '#infra/env'
import { openFiles } from '#infra/files/open'
import { BUCKET, noDebianSwift, startDebianSwift } from '#test/programs/debian-swift'
import { openBench } from '#test/worker-bench'
import { removeStrayPiecesJob } from './remove-stray-pieces.ts'

const HOUR_MS = 3_600_000

it('does nothing with a folder', async () => {
  const { ctx } = await openBench()
  expect(await removeStrayPiecesJob.run(ctx, {})).toEqual({ removed: 0 })
})

describe.skipIf(noDebianSwift)('pieces in an object store', async () => {
  const swift = noDebianSwift ? null : await startDebianSwift()
  if (!swift) return
  afterAll(() => swift.stop())
  const files = openFiles(readEnv({ DATA_DIR: '/tmp/iot-pieces', ...swift.settings }))

  it('without an owner are removed after a day, those of a recording and whole files stay', async () => {
    const bench = await openBench()
    const ctx = { ...bench.ctx, files }
    const device = bench.tenants.a.devices[0]?.id ?? 0
    const begin = async (line: string) => {
      const file = files.grow()
      file.stream.write(line)
      await file.keep()
      return file
    }
    const [owned, dropped, whole] = [await begin('owned'), await begin('dropped'), files.create()]
    await new Promise<void>((done) => whole.stream.end('a package', () => done()))
    await whole.keep()
    await ctx.sql`
      insert into terminal_recordings (id, session_id, device_id, customer_id, user_id, account, file_key)
      values (${randomUUID()}, ${randomUUID()}, ${device}, ${bench.tenants.a.customerId}, 1, 'root', ${owned.key})`
    // As after a kill: it does not become one object.
    owned.stream.destroy()
    await swift.leave()
    await dropped.drop()
    await expect(removeStrayPiecesJob.run(ctx, {})).rejects.toMatchObject({ code: 'CONNECTION_FILES' })
    await swift.comeBack()
    expect(await files.size(dropped.key)).toBe(7)
    bench.pass(23 * HOUR_MS)
    expect(await removeStrayPiecesJob.run(ctx, {})).toEqual({ removed: 0 })
    bench.pass(2 * HOUR_MS)
    expect(await removeStrayPiecesJob.run(ctx, {})).toEqual({ removed: 1 })
    expect(await files.size(dropped.key)).toBeNull()
    expect([await files.size(owned.key), await files.size(whole.key)]).toEqual([5, 9])
    const { Contents = [] } = await swift.client.send(new ListObjectsV2Command({ Bucket: BUCKET }))
    expect(Contents).toHaveLength(2)
  })
})
