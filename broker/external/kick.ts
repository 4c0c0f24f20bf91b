/** Ends connections at an EMQX by its REST API, when the credentials of a device end [decisions/139]. */
import type { Context } from '#infra/context'
import { auxiliaryUsers } from '#schema/device/auxiliary'
import { EXTERNAL_BROKER } from '#schema/device/presence'

const LOOK_MS = 5_000
const ANSWER_MS = 5_000
/** A device has one main connection and four auxiliary ones. */
const CLIENTS_MAX = 20

type Row = { sn: string }
type Clients = { data: { clientid: string }[] }

export async function openKicks({ sql, log, env }: Pick<Context, 'sql' | 'log' | 'env'>, lookMs = LOOK_MS) {
  const authorization = `Basic ${Buffer.from(`${env.EMQX_API_KEY}:${env.EMQX_API_SECRET}`).toString('base64')}`
  const ask = async (method: string, path: string) => {
    const response = await fetch(`${env.EMQX_URL}/api/v5/${path}`, {
      method,
      headers: { authorization },
      signal: AbortSignal.timeout(ANSWER_MS),
    })
    // 404: it has disconnected by itself.
    if (!response.ok && response.status !== 404) throw new Error(`EMQX answers ${response.status}`)
    return response
  }
  let problem: string | null = null

  /** Devices whose connections are to be ended, until EMQX has ended them. */
  const due = new Set<string>()

  async function kick(sns: readonly string[]): Promise<void> {
    for (const sn of sns) due.add(sn)
    try {
      for (const sn of [...due]) {
        // Last, if EMQX fails at it: it must not hold up the others for ever.
        due.delete(sn)
        due.add(sn)
        for (const user of [sn, ...auxiliaryUsers(sn)]) {
          const found = await ask('GET', `clients?username=${encodeURIComponent(user)}&limit=${CLIENTS_MAX}`)
          const { data } = (await found.json()) as Clients
          for (const { clientid } of data) await ask('DELETE', `clients/${encodeURIComponent(clientid)}`)
        }
        due.delete(sn)
      }
      problem = null
    } catch (error) {
      problem = (error as Error).message
      log.warn({ err: error }, 'connections not ended at EMQX')
    }
  }

  /**
   * Devices whose credentials were revoked, or that were moved to another customer, since they connected: a notification may have
   * been lost, or this process was started while EMQX was unavailable.
   */
  async function look(): Promise<void> {
    const rows = await sql<Row[]>`
      select d.sn from devices d join device_states s on s.device_id = d.id
      where s.online and s.broker_id = ${EXTERNAL_BROKER}
        and (d.secret_hash is null or d.deleted_at is not null or d.secret_changed_at > s.last_login_at
          or d.owned_since > s.last_login_at)`
    await kick(rows.map(({ sn }) => sn))
  }

  let running: Promise<unknown> = Promise.resolve()
  const soon = (work: () => Promise<void>) => {
    running = running
      .then(work)
      .catch((error: unknown) => log.warn({ err: error }, 'credentials not checked'))
  }
  const listening = await sql.listen(
    'device_credentials',
    (payload) => {
      const ids = (payload.split(' ').at(-1) ?? '').split(',').map(Number)
      soon(async () => {
        const rows = await sql<Row[]>`select sn from devices where id = any(${ids}::int[])`
        await kick(rows.map(({ sn }) => sn))
      })
    },
    () => soon(look),
  )
  const timer = setInterval(() => soon(look), lookMs)
  return {
    lacks: (): string[] => (problem === null ? [] : [`REST API of EMQX: ${problem}`]),
    close: async () => {
      clearInterval(timer)
      await listening.unlisten()
      await running
    },
  }
}
