/** What a download that is called back leaves: the same file is offered again as another item, and continues from there. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type DownloadOptions, download, type Partial as PartialFile } from './download.ts'
import { until } from './fake-cloud.ts'
import { PASSWORD, startFakeFiles, USER } from './fake-files.ts'
import { startWheel, type Wheel } from './wheel.ts'

let files: Awaited<ReturnType<typeof startFakeFiles>>
let wheel: Wheel
let left: PartialFile | null

beforeEach(async () => {
  files = await startFakeFiles()
  wheel = startWheel()
  left = null
  files.misbehave.breakAfter = 20_000
})
afterEach(async () => {
  wheel.close()
  await files.close()
})

const begin = (more: Partial<DownloadOptions> = {}) =>
  download({
    url: `http://127.0.0.1:${files.port}/files/p`,
    username: USER,
    password: PASSWORD,
    sizeBytes: files.bytes.length,
    keptBytes: 0,
    wheel,
    signal: new AbortController().signal,
    connectMs: 20_000,
    stallMs: 20_000,
    retryPauseMs: 10,
    until: Number.POSITIVE_INFINITY,
    now: () => 0,
    chance: () => 0,
    paceMs: 0,
    network: () => Promise.resolve(),
    lost: () => new AbortController().signal,
    onConnected: () => undefined,
    onBytes: () => undefined,
    onHeldUp: () => undefined,
    onAborted: (partial) => {
      left = partial
    },
    ...more,
  })

it('in the pause between two tries it is what has arrived', async () => {
  const stop = new AbortController()
  let isPaused = false
  const pausing: Wheel = {
    ...wheel,
    sleep: (ms, signal) => {
      isPaused = true
      return wheel.sleep(ms, signal)
    },
  }
  // Longer than any test: it is called back while it waits.
  const ended = begin({ signal: stop.signal, wheel: pausing, retryPauseMs: 1_000_000 }).catch(
    (error: Error) => error.name,
  )
  await until('the pause', () => isPaused)
  stop.abort()
  expect(await ended).toBe('AbortError')
  expect(left?.offset).toBe(20_000)
})

it('where the platform says that the item has ended it is what has arrived', async () => {
  const ended = begin({
    onBytes: (done) => {
      if (done >= 20_000) files.misbehave.status = 410
    },
  }).catch((error: Error) => error.message)
  expect(await ended).toBe('HTTP 410')
  expect(left?.offset).toBe(20_000)
})
