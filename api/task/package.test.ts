import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'
import { describe, expect, it, vi } from 'vitest'
import type { z } from 'zod'
import type { Envelope } from '#schema/kit/envelope'
import { sessionRefusals } from '#schema/people/session-refusals'
import { transportRefusals } from '#schema/platform/transport-refusals'
import { PACKAGE_MAX_BYTES, type packageRow } from '#schema/task/package'
import { packageRefusals } from '#schema/task/package-refusals'
import { apiTest } from '#test/api-client'
import { makeSigner } from '#test/signer'
import { addPackage } from '#test/tenants'

const { app, token, call, tenants, context } = await apiTest()
const { a, b, systemAdmin } = tenants
const { sql } = context
await app.listen({ host: '127.0.0.1', port: 0 })
const { port } = app.server.address() as AddressInfo
type Row = z.output<typeof packageRow>

async function targz(name: string, content: Buffer | string = 'firmware'): Promise<Buffer> {
  const made = pack()
  made.entry({ name }, content as string)
  made.finalize()
  const chunks: Buffer[] = []
  for await (const chunk of made) chunks.push(chunk as Buffer)
  return gzipSync(Buffer.concat(chunks))
}

let counter = 0
const fields = (more: object = {}) => ({
  fileName: 'fw.tar.gz',
  name: 'R200 firmware',
  model: 'R200',
  version: `1.0.${++counter}`,
  ...more,
})

/** Uploads over a real socket; `body` may be a stream that never ends. */
async function upload(
  body: Buffer | ReadableStream,
  query: Record<string, unknown>,
  who: { username: string } = a.admin,
): Promise<Envelope<Row> & { status: number }> {
  const search = new URLSearchParams(query as Record<string, string>)
  const response = await fetch(`http://127.0.0.1:${port}/api/package/uploadPackage?${search}`, {
    method: 'POST',
    headers: { token: await token(who), 'content-type': 'application/gzip', 'accept-language': 'en-US' },
    body,
    duplex: 'half',
  } as RequestInit)
  return { ...((await response.json()) as Envelope<Row>), status: response.status }
}

const stored = () => readdirSync(join(context.env.DATA_DIR, 'files')).sort()

describe('an upload', () => {
  it('is stored completely with its size and hashes, for the own customer, and its sync is queued', async () => {
    const bytes = await targz('bin/app', randomBytes(3_000_000))
    const answer = await upload(bytes, fields({ remark: 'spring release' }))
    expect(answer).toMatchObject({
      code: 0,
      data: {
        spFileSize: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        md5: createHash('md5').update(bytes).digest('hex'),
        type: 'upgrade',
        visibility: 'customer',
        customerId: a.customerId,
        uploader: a.admin.username,
        syncedAt: null,
        remark: 'spring release',
      },
    })
    const [row] = await sql<
      { key: string }[]
    >`select file_key as key from packages where id = ${answer.data?.spId ?? 0}`
    expect(await context.files.size(row?.key ?? '')).toBe(bytes.length)
    expect(context.queue.added.get('syncPackage')).toBe(1)
  })

  it('may be for a board of OpenWrt, whose name has a comma', async () => {
    const answer = await upload(await targz('app'), fields({ model: 'glinet,gl-mt300n-v2' }))
    expect(answer).toMatchObject({ code: 0, data: { model: 'glinet,gl-mt300n-v2' } })
  })

  it.each<[string, Promise<Buffer> | Buffer, { code: number }]>([
    ['a picture', Buffer.from('89504e470d0a1a0a', 'hex'), packageRefusals.packageNotTarGz],
    ['a page with a script', Buffer.from('<svg onload="alert(1)"/>'), packageRefusals.packageNotTarGz],
    ['nothing', Buffer.alloc(0), packageRefusals.packageNotTarGz],
    ['a path out of the tree', targz('../../etc/passwd'), packageRefusals.packageUnsafe],
    [
      'an incomplete file',
      targz('app', randomBytes(100_000)).then((all) => all.subarray(0, 50_000)),
      packageRefusals.packageTruncated,
    ],
    ['a bomb of 2 GB', bomb(), packageRefusals.packageUnsafe],
  ])('of %s is refused and leaves no file [threats 31–33]', async (_what, bytes, kind) => {
    const before = stored()
    const answer = await upload(await bytes, fields())
    expect(answer).toMatchObject({ code: kind.code, data: null, status: 200 })
    expect(stored()).toEqual(before)
  })

  it('of more than 512 MB is aborted, and the sender gets the reason', async () => {
    // Stored blocks of gzip: bytes that are cheap to create and to check.
    const before = stored()
    const megabyte = randomBytes(1024 * 1024)
    let sent = 0
    const tooMuch = new ReadableStream({
      pull: (controller) => {
        const chunk = sent === 0 ? gzipHead() : storedBlocks(megabyte)
        sent += chunk.length
        controller.enqueue(chunk)
        // If it were not aborted, it would continue after the test and use all memory of a process that other files
        // share.
        if (sent > 2 * PACKAGE_MAX_BYTES) controller.close()
      },
    })
    const answer = await upload(tooMuch, fields())
    expect(answer.code).toBe(packageRefusals.packageTooLarge.code)
    expect(answer.message).toContain('512')
    expect(sent).toBeGreaterThan(PACKAGE_MAX_BYTES)
    expect(stored()).toEqual(before)
  }, 120_000)

  it('that breaks off leaves nothing behind, and the server continues', async () => {
    const before = stored()
    const query = new URLSearchParams(fields())
    const socket = connect(port, '127.0.0.1')
    const head = `POST /api/package/uploadPackage?${query} HTTP/1.1\r\nhost: x\r\ntoken: ${await token(a.admin)}\r\ncontent-type: application/gzip\r\ncontent-length: 1000000\r\n\r\n`
    socket.write(head)
    socket.write((await targz('app', randomBytes(200_000))).subarray(0, 100_000))
    await expect.poll(() => stored().length).toBe(before.length + 1)
    socket.destroy()
    await expect.poll(stored).toEqual(before)
    expect(await upload(await targz('app'), fields())).toMatchObject({ code: 0 })
  })

  it('for which the disk has no room is refused, leaves nothing behind, and the next one is accepted', async () => {
    const before = stored()
    const create = vi.spyOn(context.files, 'create').mockImplementationOnce(() => {
      const stream = new Writable({
        write: (_chunk, _encoding, done) =>
          done(Object.assign(new Error('no space left'), { code: 'ENOSPC' })),
      })
      return { key: randomUUID(), stream, keep: async () => undefined, drop: async () => undefined }
    })
    const answer = await upload(await targz('app', randomBytes(300_000)), fields())
    create.mockRestore()
    expect(answer).toMatchObject({ status: 507, code: transportRefusals.storageFull.code })
    expect(answer.message).toContain('disk is full')
    expect(stored()).toEqual(before)
    expect(await upload(await targz('app'), fields())).toMatchObject({ code: 0 })
  })

  it('of one version twice at once stores one', async () => {
    const query = fields()
    const bytes = await targz('app')
    const before = stored().length
    const answers = await Promise.all(Array.from({ length: 6 }, () => upload(bytes, query)))
    expect(answers.map((answer) => answer.code).sort()).toEqual([
      0,
      ...Array(5).fill(packageRefusals.packageExists.code),
    ])
    expect(stored()).toHaveLength(before + 1)
    // Another type, another customer: not the same package.
    expect(await upload(bytes, { ...query, type: 'patch' })).toMatchObject({ code: 0 })
    expect(await upload(bytes, query, b.admin)).toMatchObject({ code: 0 })
  })

  it('of a patch or an ordinary package has versions of its own for each name, since devices report them by name', async () => {
    const bytes = await targz('app')
    const version = `9.0.${++counter}`
    for (const type of ['patch', 'ordinary']) {
      const named = (name: string) => upload(bytes, fields({ type, version, name }))
      const codes = [await named('time zones'), await named('certificates'), await named('time zones')]
      expect(codes.map(({ code }) => code)).toEqual([0, 0, packageRefusals.packageExists.code])
    }
    const firmware = (name: string) => upload(bytes, fields({ version, name }))
    expect([await firmware('R200'), await firmware('R200 new')].map(({ code }) => code)).toEqual([
      0,
      packageRefusals.packageExists.code,
    ])
  })

  it('requires the permission before the file is read', async () => {
    expect((await upload(await targz('app'), fields(), a.operator)).code).toBe(
      sessionRefusals.noPermission.code,
    )
  })

  it('with an invalid name, version, model or file name is refused', async () => {
    const bytes = await targz('app')
    const wrong = { name: 'a\nb', version: '../1', model: 'a/b', fileName: 'fw.zip' }
    for (const [field, value] of Object.entries(wrong))
      expect(await upload(bytes, fields({ [field]: value }))).toMatchObject({
        code: sessionRefusals.invalid.code,
        field,
      })
    expect((await upload(bytes, fields({ fileName: 'fw.zip' }))).message).toBe('File must end with .tar.gz')
  })
})

describe('who sees a package [§6]', () => {
  const see = async (who: { username: string }, spId: number | undefined) => {
    const answer = await call<{ list: Row[] }>('package/getPackageList', { limit: 1000 }, who)
    return answer.data?.list.some((row) => row.spId === spId)
  }

  it('all users, the designated customer, or system administrators only', async () => {
    const bytes = await targz('app')
    const all = await upload(bytes, fields(), systemAdmin)
    const designated = await upload(bytes, fields({ customerId: b.customerId }), systemAdmin)
    const system = await upload(bytes, fields({ visibility: 'system' }), systemAdmin)
    expect([all, designated, system].map((answer) => answer.data?.visibility)).toEqual([
      'all',
      'customer',
      'system',
    ])
    const ids = [all, designated, system].map((answer) => answer.data?.spId)
    expect(await Promise.all(ids.map((spId) => see(a.viewer, spId)))).toEqual([true, false, false])
    expect(await Promise.all(ids.map((spId) => see(b.viewer, spId)))).toEqual([true, true, false])
    expect(await Promise.all(ids.map((spId) => see(systemAdmin, spId)))).toEqual([true, true, true])
  })

  it('a customer’s user uploads for their own customer only', async () => {
    const bytes = await targz('app')
    for (const visibility of ['all', 'system'])
      expect((await upload(bytes, fields({ visibility }))).code).toBe(packageRefusals.packageSharing.code)
    expect((await upload(bytes, fields({ customerId: b.customerId }))).code).toBe(
      sessionRefusals.noPermission.code,
    )
    const nobody = await upload(bytes, fields({ visibility: 'customer' }), systemAdmin)
    expect(nobody).toMatchObject({
      code: sessionRefusals.invalid.code,
      field: 'customerId',
      message: 'Customer is required',
    })
    const missing = fields({ visibility: 'customer', customerId: 999_999 })
    expect((await upload(bytes, missing, systemAdmin)).code).toBe(sessionRefusals.noPermission.code)
  })
})

describe('deleting a package', () => {
  const remove = (spId: number | undefined, who: { username: string } = a.admin) =>
    call('package/deletePackage', { spId }, who)

  it('removes its file and frees its version', async () => {
    const query = fields()
    const bytes = await targz('app')
    const made = await upload(bytes, query)
    const before = stored().length
    expect(await remove(made.data?.spId)).toMatchObject({ code: 0 })
    expect(stored()).toHaveLength(before - 1)
    expect((await remove(made.data?.spId)).code).toBe(sessionRefusals.noPermission.code)
    expect(await upload(bytes, query)).toMatchObject({ code: 0 })
  })

  it('is refused while a task is ongoing', async () => {
    const { id, sha256, md5 } = await addPackage(context, {
      customerId: a.customerId,
      model: 'R200',
      version: '7.0',
    })
    const task = (status: string) => sql`
      insert into tasks (kind, customer_id, name, package_id, package_name, type, model, version, size_bytes, sha256, md5, keep_config,
        status, start_at, wait_offline_minutes)
      values ('upgrade', ${a.customerId}, 'Monthly update', ${id}, 'p', 'upgrade', 'R200', '7.0', 1, ${sha256}, ${md5}, true, ${status}, now(), 1)`
    await task('ongoing')
    const inUse = await remove(id)
    expect(inUse.code).toBe(packageRefusals.packageInUse.code)
    expect(inUse.message).toContain('Monthly update')
    await sql`update tasks set status = 'completed' where package_id = ${id}`
    expect(await remove(id)).toMatchObject({ code: 0 })
  })

  it('of another customer is refused like a missing one, and one of all users is the platform’s', async () => {
    await sql`delete from packages where version = '8.0'`
    const foreign = await addPackage(context, { customerId: b.customerId, model: 'R200', version: '8.0' })
    const shared = await addPackage(context, { customerId: null, model: 'R200', version: '8.0' })
    const missing = await remove(999_999)
    expect(missing.code).toBe(sessionRefusals.noPermission.code)
    expect(await remove(foreign.id)).toEqual(missing)
    // That one is seen: nothing is revealed by naming the permission alone.
    expect(await remove(shared.id)).toMatchObject({ code: missing.code })
    expect(await remove(shared.id, systemAdmin)).toMatchObject({ code: 0 })
  })
})

/** A tar header for one file of `size` bytes. */
function header(size: number): Buffer {
  const made = Buffer.alloc(512)
  made.write('zeros', 0)
  made.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  made.write('        0', 148)
  made.write('ustar\x0000', 257)
  const sum = made.reduce((total, byte) => total + byte, 0)
  made.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return made
}

/** 2 GB of zeros in 2 MB. */
function bomb(): Buffer {
  const zeros = gzipSync(Buffer.alloc(32 * 1024 * 1024), { level: 9 })
  return Buffer.concat([gzipSync(header(2 ** 31)), ...Array.from({ length: 64 }, () => zeros)])
}

/** RFC 1951 stored blocks: the bytes as they are, at most 65,535 each; none is marked as the last. */
function storedBlocks(bytes: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; at < bytes.length; at += 65_535) {
    const part = bytes.subarray(at, at + 65_535)
    const head = Buffer.alloc(5)
    head.writeUInt16LE(part.length, 1)
    head.writeUInt16LE(~part.length & 0xffff, 3)
    parts.push(head, part)
  }
  return Buffer.concat(parts)
}

/** An open gzip member that begins with a file larger than any package. */
function gzipHead(): Buffer {
  return Buffer.concat([
    Buffer.from('1f8b0800000000000003', 'hex'),
    storedBlocks(header(4 * 1024 ** 3 - 512)),
  ])
}

describe('signed packages', () => {
  const signer = makeSigner()
  const stranger = makeSigner()
  const factsOf = (bytes: Buffer, of: ReturnType<typeof fields>) => ({
    ...of,
    type: 'upgrade',
    sizeBytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  })
  const add = (publicKey: string, who = a.admin) =>
    call<{ id: number; keyName: string }>('package/createSigningKey', { name: 'Vendor', publicKey }, who)

  it('an owner with a key accepts no package that it has not signed, under these very words', async () => {
    const bytes = await targz('app')
    const before = stored()
    expect(
      (await upload(bytes, { ...fields(), signature: signer.plain(factsOf(bytes, fields())) })).code,
    ).toBe(packageRefusals.signatureWrong.code)
    const made = await add(signer.pem)
    expect(made).toMatchObject({ code: 0, data: { keyName: signer.keyName } })
    const of = fields()
    const missing = await upload(bytes, of)
    expect(missing).toMatchObject({ code: packageRefusals.signatureMissing.code, field: 'signature' })
    for (const signature of [
      'nothing of the kind',
      stranger.plain(factsOf(bytes, of)),
      signer.plain({ ...factsOf(bytes, of), version: '0.0.1' }),
    ])
      expect((await upload(bytes, { ...of, signature })).code).toBe(packageRefusals.signatureWrong.code)
    expect(stored()).toEqual(before)

    const taken = await upload(bytes, { ...of, signature: signer.plain(factsOf(bytes, of)) })
    expect(taken).toMatchObject({ code: 0, data: { signed: true } })
    const [row] = await sql<{ signature: string }[]>`
      select signature from packages where id = ${taken.data?.spId ?? 0}`
    expect(row?.signature).toBe(signer.signify(factsOf(bytes, of)))
    // Other owners have keys of their own, or none.
    expect((await upload(await targz('other'), fields(), b.admin)).code).toBe(0)
    await call('package/deleteSigningKey', { signingKeyId: made.data?.id }, a.admin)
    expect((await upload(await targz('later'), fields())).code).toBe(0)
  })

  it('a key is valid, added once, and only by users who may', async () => {
    expect(await add('no key')).toMatchObject({
      code: packageRefusals.signingKeyInvalid.code,
      field: 'publicKey',
    })
    expect((await add(stranger.pem)).code).toBe(0)
    expect((await add(stranger.deviceFile)).code).toBe(packageRefusals.signingKeyKnown.code)
    expect((await add(signer.pem, a.operator)).code).toBe(sessionRefusals.noPermission.code)
    const seen = await call<{ list: { deviceKey: string }[] }>('package/getSigningKeyList', {}, a.admin)
    expect(stranger.deviceFile).toContain(seen.data?.list[0]?.deviceKey ?? 'none')
    await sql`delete from signing_keys`
  })
})
