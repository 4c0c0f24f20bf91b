/** The whole product in one process: broker, workers, api, and optionally a simulated fleet. */
import { join } from 'node:path'
import { startApi } from '#api/start'
import { startBroker } from '#broker/start'
import { type SimOptions, startDeviceSim } from '#device-sim/start'
import { openContext } from '#infra/context'
import type { Job } from '#schema/kit/job'
import { startWorkers } from '#workers/start'
import { type TestContext, testContext } from './harness.ts'
import { until } from './walks/until.ts'

export type Booted = {
  context: TestContext
  url: string
  mqttUrl: string
  sim: Awaited<ReturnType<typeof startDeviceSim>> | null
  /** POSTs a call; returns the envelope. */
  call(
    name: string,
    body?: unknown,
    token?: string,
  ): Promise<{ code: number; data: never; message: string; field?: string }>
  login(username: string, password: string): Promise<string>
  /**
   * Runs a job with an empty body so often, one run after another, instead of waiting for its schedule. One more run is made
   * before, since a run under way may have begun before the call.
   */
  runJob(job: Job, times?: number): Promise<void>
  /** As during a restart of the api alone; on the same port afterwards. */
  stopApi(): Promise<void>
  startApi(): Promise<void>
  close(): Promise<void>
}

type BootOptions = {
  env?: Record<string, string>
  sim?: Partial<SimOptions>
  context?: TestContext
  /** The platform's clock, if it is not the machine's; devices keep their own. */
  now?: () => Date
}

/** Rooms get their own contexts (pools, queues), as they would as processes. Call `close` in afterAll. */
export async function bootAll(options: BootOptions = {}): Promise<Booted> {
  const context = options.context ?? (await testContext(options.env))
  const { env, databaseUrl } = context
  const own = (room: string) =>
    Object.assign(openContext(room, env, databaseUrl), options.now && { now: options.now })
  const contexts = { broker: own('broker'), workers: own('workers'), api: own('api') }
  const broker = await startBroker(contexts.broker)
  const workers = await startWorkers(contexts.workers)
  let api = await startApi(contexts.api)
  const mqttUrl = `mqtt://127.0.0.1:${broker.ports.mqtt}`
  const sim = options.sim
    ? await startDeviceSim({
        count: 0,
        seed: 1,
        mqttUrl,
        dataDir: join(env.DATA_DIR, 'sim'),
        faults: {},
        speed: 20,
        log: context.log,
        ...options.sim,
      })
    : null
  const url = `http://127.0.0.1:${api.port}`
  const call: Booted['call'] = async (name, body = {}, token) => {
    const response = await fetch(`${url}/api/${name}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'accept-language': 'en-US',
        ...(token ? { token } : {}),
      },
      body: JSON.stringify(body),
    })
    return (await response.json()) as Awaited<ReturnType<Booted['call']>>
  }
  return {
    context,
    url,
    mqttUrl,
    sim,
    call,
    login: async (username, password) => {
      const answer = await call('userLogin', { username, password })
      if (answer.code !== 0) throw new Error(`login of ${username}: ${answer.message}`)
      return (answer.data as { token: string }).token
    },
    runJob: async (job, times = 1) => {
      const ended = () => workers.processed.get(job.name) ?? 0
      for (let i = 0; i <= times; i++) {
        const before = ended()
        await contexts.workers.queue.add(job, {})
        await until(`a run of ${job.name} has ended`, () => ended() > before, 60_000)
      }
    },
    stopApi: () => api.close(),
    startApi: async () => {
      api = await startApi(contexts.api)
    },
    close: async () => {
      await sim?.close()
      await api.close()
      await workers.close()
      await broker.close()
      for (const entry of Object.values(contexts)) await entry.close()
      await context.dispose()
    },
  }
}
