/**
 * 500 open screens of 48 variables each, whose values change: pushed by streams, and polled every 5 s as without them.
 * Processor time of the api and of PostgreSQL for a second, in alternating rounds against the same api.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#infra/embedded-postgres'
import { hashPassword } from '#infra/secrets'
import { seedRoles } from '#launch/seed'
import { addTemplate, addTerminals } from '#test/collecting'
import { benchDatabase, benchDevices, processorSeconds, startChild } from './bench-fleet.ts'

const SCREENS = 500
const VALUES = 48
const TERMINALS = 500
const POLL_MS = 5_000
/** Each terminal reports as often. */
const REPORT_MS = 10_000
const SECONDS = 20
const ROUNDS = 2
const PASSWORD = 'bench-horse-7'
/** The maximum of streams of one user per process. */
const USERS = 20

type Measured = { api: number; postgres: number; bytes: number; events: number }

const mean = (all: readonly number[]) => all.reduce((sum, one) => sum + one, 0) / all.length

export async function run() {
  const database = await benchDatabase()
  const { sql } = database
  try {
    await seedRoles(sql)
    await benchDevices(sql, TERMINALS)
    const [customer] = await sql<{ id: number }[]>`select id from customers`
    const templateId = await addTemplate(sql, customer?.id ?? 0)
    const variables = await sql<{ id: number }[]>`
      insert into variables (template_id, slot, name, unit, register_type, address, data_type)
      select ${templateId}, n, 'V' || n, 'V', 'input', n, 'float32' from generate_series(0, ${VALUES - 1}) n returning id`
    const devices = await sql<{ id: number }[]>`select id from devices order by id`
    const terminals = await addTerminals(
      sql,
      devices.map(({ id }) => id),
      templateId,
    )
    const hash = await hashPassword(PASSWORD, { memory: 8, passes: 1, parallelism: 1, tagLength: 32 })
    await sql`
      insert into users (username, password_hash, type, role_id, customer_id, mon_state)
      select 'bench' || n, ${hash}, 'customerAdmin', (select id from roles where customer_id is null and name = 'customerAdmin'), ${customer?.id ?? 0}, 1
      from generate_series(1, ${USERS}) n`
    const http = await freePort()
    const api = await startChild('api/main.ts', {
      DATABASE_URL: database.url,
      DATA_DIR: database.dir,
      JWT_SECRET: randomBytes(32).toString('hex'),
      HTTP_PORT: String(http),
      HTTP_HOST: '127.0.0.1',
      NODE_ENV: 'production',
    })
    const url = `http://127.0.0.1:${http}/api/`
    const post = (call: string, body: object, token?: string, signal?: AbortSignal) =>
      fetch(url + call, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(token ? { token } : {}) },
        body: JSON.stringify(body),
        ...(signal ? { signal } : {}),
      })
    const tokens: string[] = []
    const ask = async (call: string, body: object, token?: string) => {
      const answer = (await (await post(call, body, token)).json()) as {
        data?: { token: string }
        message: string
      }
      return answer.data?.token ?? Promise.reject(new Error(answer.message))
    }
    for (let n = 1; n <= USERS; n++) {
      const login = await ask('userLogin', { username: `bench${n}`, password: PASSWORD })
      // All screens are at one address, where a login counts as one browser.
      tokens.push(await ask('token/createApiToken', { name: 'screens' }, login))
    }
    const screens = Array.from({ length: SCREENS }, (_, n) => ({
      terminalId: terminals[n % TERMINALS] ?? 0,
      token: tokens[n % USERS] ?? '',
    }))

    /** Reports come as from the broker: a tenth of the terminals each second. */
    let reporting = true
    const steps = REPORT_MS / 1_000
    const reports = (async () => {
      for (let step = 0; reporting; step++) {
        await sql`
          update terminal_latest set at = array_fill((extract(epoch from now()) * 1000)::bigint, array[${VALUES}::int]),
            vals = (select array_agg(random() * 100) from generate_series(1, ${VALUES}))
          where terminal_id % ${steps} = ${step % steps}`
        await sleep(1_000)
      }
    })()

    const measure = async (
      screen: (n: number, signal: AbortSignal, got: (bytes: number) => void) => void,
    ) => {
      const closing = new AbortController()
      let bytes = 0
      let events = 0
      for (let n = 0; n < SCREENS; n++) {
        screen(n, closing.signal, (size) => {
          bytes += size
          events += 1
        })
        await sleep(POLL_MS / SCREENS)
      }
      const before = [processorSeconds(api.child.pid ?? 0), processorSeconds(database.pid, true)]
      bytes = 0
      events = 0
      await sleep(SECONDS * 1_000)
      const used = [processorSeconds(api.child.pid ?? 0), processorSeconds(database.pid, true)].map(
        (now, i) => (now - (before[i] ?? 0)) / SECONDS,
      )
      const found: Measured = {
        api: used[0] ?? 0,
        postgres: used[1] ?? 0,
        bytes: bytes / SECONDS,
        events: events / SECONDS,
      }
      closing.abort()
      await sleep(1_000)
      return found
    }

    /** A screen that shows nothing would make the measurement worthless. */
    const failed = (signal: AbortSignal) => (error: unknown) => {
      if (signal.aborted) return
      process.stderr.write(`${error}\n`)
      process.exit(1)
    }
    const polled = () =>
      measure((n, signal, got) => {
        void (async () => {
          const { terminalId, token } = screens[n] ?? { terminalId: 0, token: '' }
          while (!signal.aborted) {
            const answer = await post(
              'variable/getVariableValues',
              { terminalId, limit: VALUES },
              token,
              signal,
            )
            const text = await answer.text()
            if (!text.startsWith('{"code":0')) throw new Error(text)
            got(text.length)
            await sleep(POLL_MS, undefined, { signal })
          }
        })().catch(failed(signal))
      })
    const pushed = () =>
      measure((n, signal, got) => {
        void (async () => {
          const { terminalId, token } = screens[n] ?? { terminalId: 0, token: '' }
          const body = {
            terminalIds: variables.map(() => terminalId),
            variableIds: variables.map(({ id }) => id),
            seconds: 3_600,
          }
          const answer = await post('variable/watchValues', body, token, signal)
          if (!answer.body || !answer.headers.get('content-type')?.startsWith('text/event-stream'))
            throw new Error(await answer.text())
          for await (const piece of answer.body) got(piece.length)
        })().catch(failed(signal))
      })

    const [polls, pushes]: [Measured[], Measured[]] = [[], []]
    for (let round = 0; round < ROUNDS; round++) {
      polls.push(await polled())
      pushes.push(await pushed())
    }
    reporting = false
    await reports
    await api.stop()
    const per = (all: readonly Measured[], key: keyof Measured) => mean(all.map((one) => one[key]))
    const ms = (all: readonly Measured[], key: 'api' | 'postgres') => Math.round(per(all, key) * 1_000)
    return {
      name: 'live',
      figures: {
        screens: SCREENS,
        valuesPerScreen: VALUES,
        polledEveryS: POLL_MS / 1_000,
        reportEveryS: REPORT_MS / 1_000,
        apiMsPerSecondPolled: ms(polls, 'api'),
        apiMsPerSecondPushed: ms(pushes, 'api'),
        postgresMsPerSecondPolled: ms(polls, 'postgres'),
        postgresMsPerSecondPushed: ms(pushes, 'postgres'),
        bytesPerSecondPolled: Math.round(per(polls, 'bytes')),
        bytesPerSecondPushed: Math.round(per(pushes, 'bytes')),
        answersPerSecondPolled: Math.round(per(polls, 'events')),
        eventsPerSecondPushed: Math.round(per(pushes, 'events')),
        ratio: Number((per(pushes, 'api') / per(polls, 'api')).toFixed(2)),
      },
    }
  } finally {
    await database.close()
  }
}
