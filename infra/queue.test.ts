import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { job } from '#schema/kit/job'
import { cloneDatabase } from '#test/harness'
import { patience, stopwatch } from '#test/patience'
import { openSilentLine } from '#test/silent-line'
import { freePort } from './embedded-postgres.ts'
import { openLog } from './log.ts'
import type { QueueSettings } from './queue/backend.ts'
import { openQueue, runWorker } from './queue.ts'

const log = openLog('test', 'silent')
const redisServer = '/usr/bin/redis-server'
if (!existsSync(redisServer)) console.warn('SKIPPED: queues on Redis, there is no redis-server')

async function startRedis(port: number, ...more: string[]): Promise<{ url: string; stop(): void }> {
  const dir = mkdtempSync(join(tmpdir(), 'iot-redis-'))
  const child: ChildProcess = spawn(
    redisServer,
    ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir, '--save', '', ...more],
    { stdio: 'ignore' },
  )
  await vi.waitFor(
    () =>
      new Promise((done, fail) => {
        const probe = connect(port, '127.0.0.1', () => done(probe.end())).once('error', fail)
      }),
    30_000,
  )
  return {
    url: `redis://127.0.0.1:${port}`,
    stop: () => {
      child.kill()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

/** One command, of which only that it was answered matters. */
const say = (port: number, command: string) =>
  new Promise<void>((done, fail) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`${command}\r\n`))
    socket.once('error', fail).once('data', () => done(void socket.destroy()))
  })

const count = job({ name: 'count', body: z.object({ n: z.number() }) })
const look = job({ name: 'look', body: z.object({}), single: true })
const tick = job({ name: 'tick', body: z.object({}), everyMs: 200 })

async function until(condition: () => boolean, ms = 20_000): Promise<void> {
  const isOver = patience(ms)
  while (!condition()) {
    if (isOver()) throw new Error('it did not happen in time')
    await sleep(20)
  }
}

/** Runs of a single job that last far longer than its interval. */
async function keepsPlaces(settings: QueueSettings): Promise<void> {
  const long = job({ name: 'long', body: z.object({}), single: true, everyMs: 100 })
  const queue = openQueue(settings, log)
  const { promise: enough, resolve: end } = Promise.withResolvers<void>()
  let runs = 0
  let running = 0
  let most = 0
  let counted = 0
  const run = async () => {
    most = Math.max(most, ++running)
    runs++
    await enough
    running--
    if (runs === 1) throw new Error('once')
  }
  const worker = await runWorker(
    settings,
    [
      { job: long, run },
      { job: count, run: async () => void counted++ },
    ],
    log,
  )
  try {
    await until(() => running > 0)
    // More scheduled runs become due than a worker has places.
    await sleep(1_500)
    await queue.add(count, { n: 1 })
    await until(() => counted === 1)
    expect([runs, most]).toEqual([1, 1])
    await queue.add(long, {})
    await sleep(300)
    expect(runs).toBe(1)
    end()
    // The first run fails, but not what was enqueued meanwhile.
    await until(() => runs >= 2)
    expect(most).toBe(1)
  } finally {
    end()
    await worker.close()
    await queue.close()
  }
}

/** A later version whose job is no longer periodic: a job that is waiting already runs, but none after it. */
async function forgetsSchedules(settings: QueueSettings): Promise<void> {
  let ticks = 0
  const later = await runWorker(
    settings,
    [{ job: job({ name: tick.name, body: tick.body }), run: async () => void ticks++ }],
    log,
  )
  await sleep(1000)
  await later.close()
  expect(ticks).toBeLessThanOrEqual(1)
}

async function behaves(settings: QueueSettings): Promise<void> {
  const queue = openQueue(settings, log)
  const seen: number[] = []
  let looks = 0
  let looking = 0
  let most = 0
  let ticks = 0
  let failures = 0
  let enough = () => {}
  const lookedLongEnough = new Promise<void>((done) => {
    enough = done
  })
  const worker = await runWorker(
    settings,
    [
      {
        job: count,
        run: async (body) => {
          const { n } = body as { n: number }
          if (n === 7 && failures++ === 0) throw new Error('once')
          seen.push(n)
        },
      },
      {
        job: look,
        run: async () => {
          most = Math.max(most, ++looking)
          looks++
          await lookedLongEnough
          looking--
        },
      },
      { job: tick, run: async () => void ticks++ },
    ],
    log,
  )
  try {
    for (let n = 0; n < 10; n++) await queue.add(count, { n })
    await until(() => seen.length === 10)
    expect(seen.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(failures).toBe(2)
    await queue.add(look, {})
    await until(() => looking === 1)
    for (let n = 0; n < 5; n++) await queue.add(look, {})
    enough()
    await until(() => looks === 2 && looking === 0)
    await sleep(300)
    expect([looks, most]).toEqual([2, 1])
    await until(() => ticks >= 2)
    await expect(queue.add(count, { n: 'x' } as never)).rejects.toThrow()
  } finally {
    await worker.close()
    await queue.close()
  }
  await forgetsSchedules(settings)
}

describe('the queue on PostgreSQL', async () => {
  const database = await cloneDatabase()
  afterAll(database.drop)
  it('retries, keeps at most one running and one waiting of a single job, and runs schedules for as long as they are declared', () =>
    behaves({ databaseUrl: database.url }))

  it('runs a single job once at a time when it lasts longer than its interval, and other jobs meanwhile', () =>
    keepsPlaces({ databaseUrl: database.url }))

  it('50: continues its schedules when the clock is set back', async () => {
    let ticks = 0
    const settings = { databaseUrl: database.url, schedulesMs: 200 }
    const anHourAhead = vi
      .spyOn(Date, 'now')
      .mockImplementation(() => Math.round(performance.timeOrigin + performance.now() + 3_600_000))
    const worker = await runWorker(settings, [{ job: tick, run: async () => void ticks++ }], log)
    try {
      await sleep(500)
      anHourAhead.mockRestore()
      const before = ticks
      await until(() => ticks >= before + 3)
    } finally {
      anHourAhead.mockRestore()
      await worker.close()
    }
  })
})

describe('a queue whose connections went silent', async () => {
  const database = await cloneDatabase()
  afterAll(database.drop)
  it('continues its schedules, accepts jobs and closes', async () => {
    const line = await openSilentLine(database.url)
    const settings = { databaseUrl: line.url, answerMs: 400 }
    const queue = openQueue(settings, log)
    const seldom = job({ name: 'seldom', body: z.object({}), everyMs: 700 })
    let ticks = 0
    let counts = 0
    const worker = await runWorker(
      settings,
      [
        { job: seldom, run: async () => void ticks++ },
        { job: count, run: async () => void counts++ },
      ],
      log,
    )
    try {
      await queue.add(count, { n: 1 })
      // One that was assigned over a connection that stood still comes back within a minute: its lock lasts half of it, and
      // locks are looked at every half minute.
      await until(() => ticks >= 2 && counts >= 1, 100_000)
      // So that nothing is being assigned.
      await line.rests(150)
      line.silence('both')
      const before = ticks
      // What was added without an answer may have arrived all the same: then there are two.
      await queue.add(count, { n: 2 }).catch(() => queue.add(count, { n: 2 }))
      await until(() => counts >= 2 && ticks > before, 100_000)
    } finally {
      await worker.close()
      await queue.close()
      line.close()
    }
  }, 240_000)

  it('accepts jobs once PostgreSQL is available, though it was not when the queue was opened', async () => {
    const port = await freePort()
    const url = new URL(database.url)
    url.port = String(port)
    const queue = openQueue({ databaseUrl: url.href }, log)
    await expect(queue.add(count, { n: 1 })).rejects.toThrow('ECONNREFUSED')
    const line = await openSilentLine(database.url, port)
    try {
      await queue.add(count, { n: 1 })
      expect(await queue.answers()).toBe(true)
    } finally {
      await queue.close()
      line.close()
    }
  })

  it('tells that PostgreSQL works again when it does, not when a wait for jobs has failed', async () => {
    const port = await freePort()
    const line = await openSilentLine(database.url, port)
    const lines: string[] = []
    const told = Object.assign(Object.create(log), {
      warn: (_: object, text: string) => lines.push(text),
      info: (text: string) => lines.push(text.replace(/\d+ s$/, '… s')),
    })
    // So seldom that the worker waits for it when the connections end.
    const seldom = job({ name: 'seldom', body: z.object({}), everyMs: 3_000 })
    let ticks = 0
    const worker = await runWorker(
      { databaseUrl: line.url },
      [{ job: seldom, run: async () => void ticks++ }],
      told,
    )
    let back: Awaited<ReturnType<typeof openSilentLine>> | null = null
    try {
      await until(() => ticks >= 1)
      await line.rests(150)
      line.close()
      await sleep(4_000)
      expect([...new Set(lines)]).toEqual(['queue backend for workers'])
      back = await openSilentLine(database.url, port)
      await until(() => lines.includes('queue backend for workers: works again after … s'), 60_000)
    } finally {
      await worker.close()
      back?.close()
    }
  }, 120_000)

  it('fails an overdue job with its name, and retries it', async () => {
    const told: string[] = []
    const slow = job({ name: 'slow', body: z.object({}), deadlineMs: 100 })
    const settings = { databaseUrl: database.url }
    const queue = openQueue(settings, log)
    let runs = 0
    const run = () => (++runs === 1 ? new Promise(() => undefined) : Promise.resolve())
    // Scheduled runs of earlier tests have no processor now, and fail too.
    const error = ({ err, job: name }: { err: Error; job: string }) =>
      name === 'slow' && told.push(err.message)
    const worker = await runWorker(
      settings,
      [{ job: slow, run }],
      Object.assign(Object.create(log), { error }),
    )
    try {
      await queue.add(slow, {})
      await until(() => worker.processed.get('slow') === 1)
      expect([runs, told]).toEqual([2, ['job slow: no answer for 0.1 s']])
    } finally {
      await worker.close()
      await queue.close()
    }
  })
})

describe('a deadlock in the tables of the queue', async () => {
  const database = await cloneDatabase()
  afterAll(database.drop)
  it('is retried: jobs are added once, run once, and none has failed', async () => {
    const admin = postgres(database.url, { max: 1 })
    // Each first statement that adds or completes is chosen as the victim; a sequence is not rolled back with it.
    await admin.unsafe(`
      create sequence public.victims;
      create function public.be_victim() returns trigger language plpgsql as $$ begin
        if nextval('public.victims') % 2 = 1 then raise exception 'deadlock detected' using errcode = '40P01'; end if;
        return coalesce(new, old); end $$;
      create trigger be_victim before insert or delete on bullmq.job for each row execute function public.be_victim()`)
    const settings = { databaseUrl: database.url }
    const queue = openQueue(settings, log)
    const failed: string[] = []
    const error = (_: object, text: string) => failed.push(text)
    const seen: number[] = []
    const run = async (body: unknown) => void seen.push((body as { n: number }).n)
    const worker = await runWorker(
      settings,
      [{ job: count, run }],
      Object.assign(Object.create(log), { error }),
    )
    try {
      for (let n = 0; n < 5; n++) await queue.add(count, { n })
      const left = () => admin<{ n: number }[]>`select count(*)::int as n from bullmq.job`
      await until(() => seen.length >= 5)
      await expect.poll(() => left()).toEqual([{ n: 0 }])
      expect(seen.toSorted()).toEqual([0, 1, 2, 3, 4])
      expect(failed).toEqual([])
    } finally {
      await worker.close()
      await queue.close()
      await admin.end()
    }
  })
})

/** A backend that refuses to give jobs, as `refuses` makes it, does not keep a worker busy, and is used again after `allows`. */
async function pauses(
  settings: QueueSettings,
  refuses: () => Promise<unknown>,
  allows: () => Promise<unknown>,
) {
  let failures = 0
  const counts: number[] = []
  const { promise: refused, resolve: refuse } = Promise.withResolvers<void>()
  // More wait than are at work: only then is it refused what it asks for.
  const run = async (body: unknown) => {
    counts.push((body as { n: number }).n)
    await refused
  }
  const fails = () => failures++
  // At the level `debug` each of them is logged.
  const told = Object.assign(Object.create(log), { debug: fails, warn: fails, error: fails })
  const queue = openQueue(settings, log)
  const jobs = [
    { job: count, run },
    { job: tick, run: async () => undefined },
  ]
  const worker = await runWorker(settings, jobs, told)
  try {
    for (let n = 1; n <= 20; n++) await queue.add(count, { n })
    await until(() => counts.length === 8)
    await refuses()
    refuse()
    await until(() => failures > 0)
    const before = failures
    await sleep(3_000)
    expect(failures - before).toBeLessThan(50)
    await allows()
    await expect
      .poll(() =>
        queue
          .add(count, { n: 21 })
          .then(() => true)
          .catch(() => false),
      )
      .toBe(true)
    await until(() => counts.includes(21), 20_000)
  } finally {
    await worker.close()
    await queue.close()
  }
}

describe('a database that is read-only', async () => {
  const database = await cloneDatabase()
  afterAll(database.drop)
  it('does not keep a worker busy', async () => {
    const admin = postgres(new URL('/postgres', database.url).href, { max: 1, onnotice: () => undefined })
    const name = new URL(database.url).pathname.slice(1)
    const becomes = async (value: string) => {
      await admin`alter database ${admin(name)} set default_transaction_read_only = ${admin.unsafe(value)}`
      await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`
    }
    try {
      const settings = { databaseUrl: database.url }
      await pauses(
        settings,
        () => becomes('on'),
        () => becomes('off'),
      )
    } finally {
      await admin.end()
    }
  })
})

describe.skipIf(!existsSync(redisServer))('the queue on Redis', () => {
  it('does not keep a worker busy while Redis is full', async () => {
    const port = await freePort()
    const redis = await startRedis(port)
    const holds = (bytes: string) => say(port, `CONFIG SET maxmemory ${bytes}`)
    try {
      await pauses(
        { databaseUrl: '', redisUrl: redis.url },
        () => holds('1'),
        () => holds('0'),
      )
    } finally {
      redis.stop()
    }
  })

  it('does not answer while Redis is full: it still reads, but no job can be added', async () => {
    const port = await freePort()
    const redis = await startRedis(port)
    const queue = openQueue({ databaseUrl: '', redisUrl: redis.url }, log)
    try {
      await expect.poll(() => queue.answers()).toBe(true)
      await say(port, 'CONFIG SET maxmemory 1')
      expect(await queue.answers()).toBe(false)
      await say(port, 'CONFIG SET maxmemory 0')
      await expect.poll(() => queue.answers()).toBe(true)
    } finally {
      await queue.close()
      redis.stop()
    }
  })

  it('fails to add a job to a Redis that says nothing, which keeps its connections', async () => {
    const port = await freePort()
    const redis = await startRedis(port)
    const queue = openQueue({ databaseUrl: '', redisUrl: redis.url, addMs: 300 }, log)
    try {
      await expect.poll(() => queue.answers()).toBe(true)
      await say(port, 'CLIENT PAUSE 8000 ALL')
      await expect(queue.add(look, {})).rejects.toThrow('adding a job: no answer for 0.3 s')
      await expect.poll(() => queue.answers(), { timeout: 40_000 }).toBe(true)
    } finally {
      await queue.close()
      redis.stop()
    }
  })

  it('follows its address to another Redis, although the former one keeps its connections, as a replica', async () => {
    const ports = [await freePort(), await freePort()]
    const servers = await Promise.all(ports.map((port) => startRedis(port)))
    let [target] = ports
    // What the address leads to.
    const mover = createServer((socket) => {
      const onward = connect(target ?? 0, '127.0.0.1')
      socket.pipe(onward).pipe(socket)
      for (const end of [socket, onward]) end.on('error', () => [socket, onward].map((one) => one.destroy()))
    })
    await new Promise<void>((done) => mover.listen(0, '127.0.0.1', done))
    const redisUrl = `redis://127.0.0.1:${(mover.address() as AddressInfo).port}`
    const settings = { databaseUrl: '', redisUrl, schedulesMs: 300 }
    const queue = openQueue(settings, log)
    const seen: number[] = []
    const run = async (body: unknown) => void seen.push((body as { n: number }).n)
    const jobs = [
      { job: count, run },
      { job: tick, run: async () => undefined },
    ]
    const worker = await runWorker(settings, jobs, log)
    const added = (n: number) => () =>
      queue.add(count, { n }).then(
        () => true,
        () => false,
      )
    try {
      await added(1)()
      await until(() => seen.includes(1))
      target = ports[1]
      await say(ports[0] ?? 0, `REPLICAOF 127.0.0.1 ${ports[1]}`)
      await expect.poll(added(2)).toBe(true)
      await until(() => seen.includes(2))
    } finally {
      await worker.close()
      await queue.close()
      mover.close()
      for (const { stop } of servers) stop()
    }
  })

  it.each([
    ['', 'NOAUTH'],
    [':wrong@', 'WRONGPASS'],
  ])('ends the start of workers whose password Redis refuses: %j', async (user, says) => {
    const port = await freePort()
    const redis = await startRedis(port, '--requirepass', 'right')
    try {
      const settings = { databaseUrl: '', redisUrl: `redis://${user}127.0.0.1:${port}` }
      await expect(runWorker(settings, [], log)).rejects.toThrow(says)
    } finally {
      redis.stop()
    }
  })

  it('does the same', async () => {
    const redis = await startRedis(await freePort())
    try {
      await behaves({ databaseUrl: '', redisUrl: redis.url })
    } finally {
      redis.stop()
    }
  })

  it('43: refuses immediately while Redis is down, and recreates the schedules if it comes back empty', async () => {
    const port = await freePort()
    let redis = await startRedis(port)
    const settings = { databaseUrl: '', redisUrl: redis.url, schedulesMs: 300 }
    const lines: string[] = []
    const told = Object.assign(Object.create(log), {
      warn: (_: object, text: string) => lines.push(text),
      info: (text: string) => lines.push(text.replace(/\d+ s$/, '… s')),
    })
    const queue = openQueue(settings, told)
    let ticks = 0
    let counts = 0
    const worker = await runWorker(
      settings,
      [
        { job: tick, run: async () => void ticks++ },
        { job: count, run: async () => void counts++ },
      ],
      told,
    )
    try {
      await until(() => ticks >= 2)
      expect(await queue.answers()).toBe(true)
      redis.stop()
      await sleep(300)
      const taken = stopwatch()
      await expect(queue.add(count, { n: 1 })).rejects.toThrow()
      expect(await queue.answers()).toBe(false)
      expect(taken()).toBeLessThan(5_000)
      await sleep(11_000)
      redis = await startRedis(port)
      const before = ticks
      // However long the outage was, waiting jobs are soon processed.
      await expect.poll(() => queue.answers(), { timeout: 20_000 }).toBe(true)
      await until(() => ticks >= before + 5, 20_000)
      await queue.add(count, { n: 2 })
      await until(() => counts === 1)
      // When it begins and when it is over, and not once a second; on a slow machine it may last for minutes.
      expect(lines.length).toBeLessThan(12)
      expect([...new Set(lines)].toSorted()).toEqual([
        'its schedule was lost and is made anew',
        'queue backend',
        'queue backend for workers',
        'queue backend for workers: works again after … s',
        'queue backend: works again after … s',
      ])
    } finally {
      await worker.close()
      await queue.close()
      redis.stop()
    }
  })
})
