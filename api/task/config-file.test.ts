import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, vi } from 'vitest'
import type { z } from 'zod'
import type { Envelope } from '#schema/kit/envelope'
import { sessionRefusals } from '#schema/people/session-refusals'
import { CONFIG_FILE_MAX_BYTES, type configFileRow } from '#schema/task/config-file'
import { configFileRefusals } from '#schema/task/config-file-refusals'
import { packageRefusals } from '#schema/task/package-refusals'
import { apiTest } from '#test/api-client'
import { addConfigFile, configArchive, type Entry, packEntries } from '#test/config-archive'

const { app, token, call, tenants, context } = await apiTest()
const { a, b, systemAdmin } = tenants
await app.listen({ host: '127.0.0.1', port: 0 })
const { port } = app.server.address() as AddressInfo
type Row = z.output<typeof configFileRow>

const settings = { 'etc/config/system': "config system\n\toption hostname 'shop'\n" }
let counter = 0
const nextName = () => `Settings ${++counter}`

async function upload(body: Buffer, more: object = {}, who: { username: string } = a.admin) {
  const query = { fileName: 'backup.tar.gz', name: nextName(), ...more }
  const search = new URLSearchParams(query as Record<string, string>)
  const response = await fetch(`http://127.0.0.1:${port}/api/configFile/uploadConfigFile?${search}`, {
    method: 'POST',
    headers: { token: await token(who), 'content-type': 'application/gzip', 'accept-language': 'en-US' },
    body: new Uint8Array(body),
  })
  return (await response.json()) as Envelope<Row>
}
const stored = () => readdirSync(join(context.env.DATA_DIR, 'files')).sort()
const list = async (who: { username: string }) =>
  (await call<{ list: Row[]; total: number }>('configFile/getConfigFileList', {}, await token(who))).data
    ?.list ?? []

describe('an upload', () => {
  it('is listed with name, size, uploader, time and remark, for the own customer', async () => {
    const bytes = await configArchive(settings)
    const answer = await upload(bytes, { name: 'Shops 2026', remark: 'for kiosks' })
    expect(answer).toMatchObject({ code: 0, data: { name: 'Shops 2026', spFileSize: bytes.length } })
    const found = (await list(a.admin)).find(({ name }) => name === 'Shops 2026')
    expect(found).toMatchObject({
      uploader: a.admin.username,
      remark: 'for kiosks',
      customerId: a.customerId,
    })
    expect((await list(b.admin)).map(({ name }) => name)).not.toContain('Shops 2026')
  })

  const file = (name: string): Entry => ({ name, content: 'x' })
  const cases: [string, readonly Entry[], string][] = [
    ['a file outside of etc/', [file('etc/a'), file('usr/bin/a')], 'a file is outside of etc/'],
    ['a file that is called etc', [file('etc')], 'a file is outside of etc/'],
    ['an absolute path', [file('/etc/config/a')], 'a path leads out of the tree'],
    ['`..`', [file('etc/../../a')], 'a path leads out of the tree'],
    [
      'a symbolic link, even inside of etc/',
      [{ name: 'etc/a', type: 'symlink', linkname: 'b' }],
      'it holds a link, which a configuration must not',
    ],
    [
      'a hard link',
      [file('etc/b'), { name: 'etc/a', type: 'link', linkname: 'etc/b' }],
      'it holds a link, which a configuration must not',
    ],
    ['no file', [{ name: 'etc/', type: 'directory' }], 'it holds no file'],
  ]
  it.each(cases)('with %s is refused, names the file, and leaves nothing', async (_, entries, reason) => {
    const before = stored()
    const answer = await upload(await packEntries(entries))
    expect(answer).toMatchObject({
      code: packageRefusals.packageUnsafe.code,
      field: 'fileName',
      message: `The archive is unsafe: ${reason}`,
    })
    expect(stored()).toEqual(before)
  })

  it('of something else, of half an archive or of too much is refused', async () => {
    const whole = await configArchive({ 'etc/a': 'x'.repeat(20_000) })
    expect((await upload(Buffer.from('text'))).code).toBe(packageRefusals.packageNotTarGz.code)
    expect((await upload(gzipSync('text'))).code).toBe(packageRefusals.packageNotTarGz.code)
    expect((await upload(whole.subarray(0, whole.length - 20))).code).toBe(
      packageRefusals.packageTruncated.code,
    )
    expect((await upload(whole, { fileName: 'a.zip' })).code).toBe(sessionRefusals.invalid.code)
    const noise = randomBytes(CONFIG_FILE_MAX_BYTES).toString('latin1')
    const big = await upload(await configArchive({ 'etc/a': noise }))
    expect(big.code).toBe(packageRefusals.packageTooLarge.code)
  })

  it('of a name that exists is refused at the name, in any case, only within the customer', async () => {
    const bytes = await configArchive(settings)
    expect((await upload(bytes, { name: 'Twice' })).code).toBe(0)
    expect(await upload(bytes, { name: 'TWICE' })).toMatchObject({
      code: configFileRefusals.configFileExists.code,
      field: 'name',
    })
    expect((await upload(bytes, { name: 'Twice' }, b.admin)).code).toBe(0)
  })

  it('by a platform user is for the customer that it names', async () => {
    const bytes = await configArchive(settings)
    expect(await upload(bytes, {}, systemAdmin)).toMatchObject({ field: 'customerId' })
    const made = await upload(bytes, { customerId: b.customerId }, systemAdmin)
    expect(made.data?.customerId).toBe(b.customerId)
    expect((await upload(bytes, { customerId: b.customerId }, a.admin)).code).not.toBe(0)
  })
})

describe('a configuration file', () => {
  it('shows its files with their text', async () => {
    const made = await upload(await configArchive({ ...settings, 'etc/dropbear/key': '\u0000\u0001' }))
    const { data } = await call<{ files: { path: string; text: string | null }[] }>(
      'configFile/getConfigFileContents',
      { spId: made.data?.spId },
      await token(a.admin),
    )
    expect(data?.files.map(({ path, text }) => [path, text])).toEqual([
      ['etc/config/system', settings['etc/config/system']],
      ['etc/dropbear/key', null],
    ])
  })

  it('is not deleted while an ongoing task uses it', async () => {
    const { sql } = context
    const content = await configArchive(settings)
    const { id, fileKey } = await addConfigFile(context, {
      customerId: a.customerId,
      name: nextName(),
      content,
    })
    const [task] = await sql<{ id: number }[]>`
      insert into tasks (kind, customer_id, name, config_file_id, type, start_at, wait_offline_minutes)
      values ('configFile', ${a.customerId}, 't', ${id}, 'config', now(), 60) returning id`
    const remove = async () => call('configFile/deleteConfigFile', { spId: id }, await token(a.admin))
    expect((await remove()).code).toBe(configFileRefusals.configFileInUse.code)
    await sql`update tasks set status = 'completed' where id = ${task?.id ?? 0}`
    expect((await remove()).code).toBe(0)
    expect(stored()).not.toContain(fileKey)
    const [left] = await sql`select config_file_id from tasks where id = ${task?.id ?? 0}`
    expect(left?.['config_file_id']).toBeNull()
  })
})

it('keeps the file of an upload whose row is stored, when the answer cannot be read any more', async () => {
  const insert = context.db.insert.bind(context.db)
  const broken = vi.spyOn(context.db, 'insert').mockImplementationOnce((table) => {
    vi.spyOn(context.db, 'select').mockImplementationOnce(() => {
      throw new Error('the connection broke')
    })
    return insert(table)
  })
  const name = nextName()
  const before = stored()
  expect((await upload(await configArchive(settings), { name })).code).not.toBe(0)
  expect(broken).toHaveBeenCalled()
  expect((await list(a.admin)).map((row) => row.name)).toContain(name)
  expect(stored()).toHaveLength(before.length + 1)
})
