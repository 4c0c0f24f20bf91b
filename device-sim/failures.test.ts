import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TaskFailure, taskFailures } from '#schema/kit/task-kind'
import { cancel, offer } from '#schema/task/task'
import { makeSigner } from '#test/signer'
import { retryPause } from './download.ts'
import { ENROLMENT_KEY, type FakeCloud, type OfferInput, quiet, startFakeCloud, until } from './fake-cloud.ts'
import { startFakeFiles } from './fake-files.ts'
import { decideFault } from './faults.ts'
import { type Sim, startDeviceSim } from './start.ts'

let cloud: FakeCloud
let files: Awaited<ReturnType<typeof startFakeFiles>>
let dataDir: string
let sim: Sim

const sn = 'RT24000001'
/** Expiry of a link that the test does not want to wait for. */
const soon = () => Date.now() + 1_000
const start = (
  faults: Partial<Record<TaskFailure, number>> = {},
  more: Partial<Parameters<typeof startDeviceSim>[0]> = {},
) =>
  startDeviceSim({
    count: 1,
    seed: 1,
    mqttUrl: cloud.url,
    enrolmentKey: ENROLMENT_KEY,
    dataDir,
    faults,
    speed: 500,
    log: quiet,
    models: ['R200'],
    ...more,
  })

/** Offers an item and waits for its end; returns the steps. */
async function upgrade(given: OfferInput, timeoutMs = 9_000): Promise<string[]> {
  await cloud.tell(sn, offer, given)
  const ends = ['done', ...taskFailures]
  await until('an end', () => cloud.steps(given.item).some((step) => ends.includes(step)), timeoutMs)
  return cloud.steps(given.item)
}

beforeAll(async () => {
  cloud = await startFakeCloud()
  dataDir = mkdtempSync(join(tmpdir(), 'iot-sim-'))
})
beforeEach(async () => {
  files = await startFakeFiles()
  sim = await start()
  await sim.whenOnline(60_000)
})
afterEach(async () => {
  await sim.close()
  await files.close()
  expect(cloud.invalid).toEqual([])
})
afterAll(async () => {
  await cloud.close()
  rmSync(dataDir, { recursive: true })
})

describe('a failure on demand', () => {
  it.each(taskFailures)('ends the next item with %s and leaves the firmware as it was', async (failure) => {
    const before = sim.device(sn).firmware
    sim.device(sn).failNext(failure)
    const given = files.offer()
    expect((await upgrade(given)).at(-1)).toBe(failure)
    expect(sim.device(sn).firmware).toBe(before)
    expect(sim.device(sn).installs(given.item)).toBe(failure === 'upgradeFailed' ? 1 : 0)
    if (failure === 'wrongCredentials' || failure === 'fileNotFound')
      expect(files.asked.map(({ sent }) => sent)).toEqual([0])
  })

  it('happens to the share of items that the setting defines, the same ones for the same seed', async () => {
    const drawn = (seed: number) =>
      Array.from({ length: 2000 }, (_, i) =>
        decideFault({ md5Failed: 0.1, deviceOffline: 0.05 }, seed, `i${i}`),
      )
    expect(drawn(1)).toEqual(drawn(1))
    expect(drawn(1)).not.toEqual(drawn(2))
    const count = (failure: TaskFailure) => drawn(1).filter((one) => one === failure).length / 2000
    expect(count('md5Failed')).toBeCloseTo(0.1, 1)
    expect(count('deviceOffline')).toBeCloseTo(0.05, 1)
    await sim.close()
    sim = await start({ md5Failed: 1 })
    await sim.whenOnline(60_000)
    expect((await upgrade(files.offer())).at(-1)).toBe('md5Failed')
  })
})

describe('real network errors', () => {
  it('a refused password is wrongCredentials', async () => {
    expect((await upgrade(files.offer({ password: 'wrong' }))).at(-1)).toBe('wrongCredentials')
  })

  it('a missing file is fileNotFound', async () => {
    const url = `http://127.0.0.1:${files.port}/files/other`
    expect((await upgrade(files.offer({ url }))).at(-1)).toBe('fileNotFound')
  })

  it('an unknown host is domainError, once the link has expired', async () => {
    const url = 'http://no-such-host.invalid/files/p'
    expect((await upgrade(files.offer({ url, expiresAt: soon() }))).at(-1)).toBe('domainError')
  })

  it('a closed port is remoteConnectFailed, once the link has expired', async () => {
    const probe = createServer()
    await new Promise<void>((done) => probe.listen(0, '127.0.0.1', done))
    const address = probe.address()
    await new Promise((done) => probe.close(done))
    const port = typeof address === 'object' ? address?.port : 0
    const url = `http://127.0.0.1:${port}/files/p`
    expect((await upgrade(files.offer({ url, expiresAt: soon() }))).at(-1)).toBe('remoteConnectFailed')
  })

  it('a server that never responds is connectTimeout', async () => {
    files.misbehave.mute = true
    expect((await upgrade(files.offer({ expiresAt: soon() }), 12_000)).at(-1)).toBe('connectTimeout')
  })

  it('a busy server is retried, and then is remoteConnectFailed', async () => {
    files.misbehave.status = 503
    expect((await upgrade(files.offer({ expiresAt: soon() }))).at(-1)).toBe('remoteConnectFailed')
    expect(files.asked.length).toBeGreaterThan(1)
  })

  it('a server that is down for long is retried until it is back, and the reason is reported', async () => {
    files.misbehave.status = 503
    const given = files.offer()
    await cloud.tell(sn, offer, given)
    await until('ten tries', () => files.asked.length >= 10)
    expect(cloud.progress(given.item).at(-1)).toMatchObject({
      step: 'downloading',
      failure: 'remoteConnectFailed',
      detail: 'HTTP 503',
    })
    files.misbehave.status = undefined
    await until('done', () => cloud.steps(given.item).includes('done'))
    expect(sim.device(sn).installs(given.item)).toBe(1)
  })

  it('an item that is called back is no longer requested', async () => {
    files.misbehave.status = 503
    const given = files.offer()
    await cloud.tell(sn, offer, given)
    await until('some tries', () => files.asked.length >= 5)
    await cloud.tell(sn, cancel, { item: given.item })
    const before = files.asked.length
    await new Promise((done) => setTimeout(done, 300))
    expect(files.asked.length).toBeLessThanOrEqual(before + 1)
    expect(sim.device(sn).installs(given.item)).toBe(0)
  })

  it('an item that is called back leaves what has arrived to the next one with the same file', async () => {
    files.misbehave.stallAfter = 20_000
    const first = files.offer()
    await cloud.tell(sn, offer, first)
    await until('some of it', () => cloud.steps(first.item).includes('downloading'))
    await cloud.tell(sn, cancel, { item: first.item })
    files.misbehave.stallAfter = undefined
    expect((await upgrade(files.offer())).at(-1)).toBe('done')
    expect(files.asked.map(({ range }) => range)).toEqual([null, expect.stringMatching(/^bytes=[1-9]\d*-$/)])
    expect(files.asked.reduce((sum, { sent }) => sum + sent, 0)).toBe(files.bytes.length)
  })

  it('but not to another file, nor after the power was cut', async () => {
    const other = await startFakeFiles()
    const interrupted = async () => {
      files.misbehave.stallAfter = 20_000
      const item = files.offer()
      await cloud.tell(sn, offer, item)
      await until('some of it', () => cloud.steps(item.item).includes('downloading'))
      await cloud.tell(sn, cancel, { item: item.item })
      files.misbehave.stallAfter = undefined
    }
    await interrupted()
    expect((await upgrade(other.offer())).at(-1)).toBe('done')
    expect(other.asked.map(({ range }) => range)).toEqual([null])
    await interrupted()
    await sim.close()
    sim = await start()
    await sim.whenOnline(60_000)
    files.asked.length = 0
    expect((await upgrade(files.offer({ version: '9.9.8' }))).at(-1)).toBe('done')
    expect(files.asked.map(({ range }) => range)).toEqual([null])
    await other.close()
  })

  it('after 416 the whole file is requested again', async () => {
    files.misbehave.breakAfter = 20_000
    const given = files.offer()
    await cloud.tell(sn, offer, given)
    await until('a part of it', () => files.asked.length === 1)
    files.misbehave.status = 416
    await until('a refused range', () => files.asked.length >= 2)
    files.misbehave.status = undefined
    files.misbehave.breakAfter = undefined
    await until('done', () => cloud.steps(given.item).includes('done'))
    expect(files.asked.at(-1)).toEqual({ range: null, sent: files.bytes.length })
  })

  it('pauses 2, 4, 8, 16, then 30 s between tries, each randomly shortened to no less than half', () => {
    const tries = [1, 2, 3, 4, 5, 6, 1000]
    expect(tries.map((n) => retryPause(n, 2, 1))).toEqual([2, 4, 8, 16, 30, 30, 30])
    expect(tries.map((n) => retryPause(n, 2, 0))).toEqual([1, 2, 4, 8, 15, 15, 15])
  })

  it('an item that the platform has ended is not requested again', async () => {
    files.misbehave.status = 410
    expect((await upgrade(files.offer())).at(-1)).toBe('unknownError')
    expect(files.asked).toHaveLength(1)
  })

  it('a package of another size, another hash or another model is refused before it is installed', async () => {
    const cases = [
      { given: files.offer({ sizeBytes: files.bytes.length + 1 }), failure: 'md5Failed' },
      { given: files.offer({ sizeBytes: files.bytes.length - 1 }), failure: 'md5Failed' },
      { given: files.offer({ sha256: 'a'.repeat(64) }), failure: 'md5Failed' },
      { given: files.offer({ md5: 'b'.repeat(32) }), failure: 'md5Failed' },
      { given: files.offer({ model: 'R500' }), failure: 'packageVerifyFailed' },
    ]
    for (const { given, failure } of cases) {
      expect((await upgrade(given)).at(-1)).toBe(failure)
      expect(sim.device(sn).installs(given.item)).toBe(0)
    }
  })

  it('a device that trusts keys installs only what they have signed, under the name and version that they have signed', async () => {
    const [signer, stranger] = [makeSigner(), makeSigner()]
    await sim.close()
    sim = await start({}, { trustedKeys: [signer.pem] })
    await sim.whenOnline(60_000)
    const facts = (given: OfferInput) => ({
      sha256: given.sha256,
      sizeBytes: given.sizeBytes,
      type: given.type,
      model: given.model ?? '',
      version: given.version ?? '',
      name: given.name,
    })
    const plain = files.offer()
    const signed = (by: typeof signer, more = {}) =>
      files.offer({ signature: by.signify({ ...facts(plain), ...more }) })
    for (const given of [plain, signed(stranger), signed(signer, { version: '9.9.8' })]) {
      expect((await upgrade(given)).at(-1)).toBe('packageVerifyFailed')
      expect(sim.device(sn).installs(given.item)).toBe(0)
    }
    expect((await upgrade(signed(signer))).at(-1)).toBe('done')
  })

  it('an archive that is no gzip is packageVerifyFailed, although its hashes match', async () => {
    const wrong = await startFakeFiles(Buffer.from('not an archive'.repeat(500)))
    expect((await upgrade(wrong.offer())).at(-1)).toBe('packageVerifyFailed')
    await wrong.close()
  })

  it('a broken connection is resumed by Range, and hashing continues', async () => {
    files.misbehave.breakAfter = 20_000
    const given = files.offer()
    expect((await upgrade(given)).at(-1)).toBe('done')
    expect(files.asked.map(({ range }) => range)).toEqual(
      [null, 'bytes=20000-', 'bytes=40000-', `bytes=60000-`].slice(0, Math.ceil(files.bytes.length / 20_000)),
    )
    expect(files.asked.reduce((sum, { sent }) => sum + sent, 0)).toBe(files.bytes.length)
  })

  it('a server without ranges is read from the beginning again', async () => {
    files.misbehave.breakAfter = 20_000
    files.misbehave.ignoreRanges = true
    setTimeout(() => {
      files.misbehave.breakAfter = undefined
    }, 30)
    expect((await upgrade(files.offer())).at(-1)).toBe('done')
  })

  it('a device that loses its network during a download resumes it', async () => {
    files.misbehave.stallAfter = 30_000
    const given = files.offer()
    await cloud.tell(sn, offer, given)
    // Not when the request was sent, but when data has arrived.
    await until('some of it', () => cloud.steps(given.item).includes('downloading'))
    files.misbehave.stallAfter = undefined
    sim.device(sn).goOffline(300)
    await until('done', () => cloud.steps(given.item).includes('done'))
    expect(files.asked.map(({ range }) => range)).toEqual([null, expect.stringMatching(/^bytes=[1-9]\d*-$/)])
  })
})
