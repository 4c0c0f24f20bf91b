/** Stores uplinks before they are acknowledged: hot rows in their tables, reports in the inbox. */
import type { Context } from '#infra/context'
import { openCopyIn } from '#infra/copy-in'
import { openDatabase } from '#infra/postgres'
import { drainInbox } from '#schema/task/task'
import { type Committer, openCommitter, type Waiter } from './committer.ts'
import { copyRows, type Row } from './copy-rows.ts'
import { openLatest } from './latest.ts'
import { limits } from './limits.ts'
import type { BrokerMetrics } from './metrics.ts'
import type { Cell, FiledUplink, Filing, HotUplink, Slice } from './uplink.ts'
import { openReports, REPORT_CONNECTIONS } from './variables/reports.ts'

export type Report = { deviceId: number; name: string; payload: string; receivedMs: number }
export type Gate = { closed: boolean }

/** Hot rows carry their own timestamp, so groups may overtake each other. */
const HOT_LANES = 3
const INGEST_TIMEOUT_MS = 20_000
const SILENT_MS = INGEST_TIMEOUT_MS + 2_000
const REOPEN_MS = 5_000
/**
 * The worker is woken this long after a report, and at most at this interval: its job continues while reports keep
 * arriving.
 */
const WAKE_MS = 50
const WAKE_EVERY_MS = 150
/** Reports that arrive within this time are committed together: devices report several steps in quick succession. */
const REPORTS_MS = 10

/**
 * COPY costs PostgreSQL half as much as an insert that skips rows that are already stored, but one such row makes the
 * whole group fail. Repetitions come in series: after a restart, or from a device whose clock stands still. So after
 * one, rows are inserted for this time, and a device that repeats forever costs one failed group per period.
 */
const SKIP_MS = 30_000
const isRepetition = (error: unknown) => (error as { code?: unknown }).code === '23505'

const quoted = (text: string) => `"${text.replace(/[\\"]/g, '\\$&')}"`

/** PostgreSQL's array literal of one column of the rows: far cheaper than the driver's own encoding. */
function literal<R>(rows: R[], cell: (row: R) => Cell | undefined): string {
  let text = ''
  for (const row of rows) {
    const value = cell(row)
    if (value === null || value === undefined) text += ',NULL'
    else text += typeof value === 'number' ? `,${value}` : `,${quoted(value)}`
  }
  return `{${text.slice(1)}}`
}

/** Skips rows that are stored already. */
function insertOf(uplink: HotUplink): { text: string; encode(rows: Cell[][]): string[] } {
  const columns = Object.entries(uplink.columns)
  const arrays = columns.map(([, type], i) => `$${i + 1}::text::${type === 'instant' ? 'bigint' : type}[]`)
  const cells = columns.map(([name, type]) =>
    type === 'instant' ? `to_timestamp(${name}::float8 / 1000)` : name,
  )
  const names = columns.map(([name]) => name).join(', ')
  return {
    text: `insert into ${uplink.table} (${names}) select ${cells.join(', ')}
      from unnest(${arrays.join(', ')}) as x(${names}) on conflict do nothing`,
    encode: (rows) => columns.map((_, i) => literal(rows, (row) => row[i])),
  }
}

export function openStore(
  context: Context,
  uplinks: HotUplink[],
  filed: FiledUplink[],
  metrics: BrokerMetrics,
  gate: Gate,
) {
  const { log, queue, databaseUrl } = context
  // Separate connections: a stalled group and logins must not wait for each other.
  const openPool = () =>
    openDatabase(databaseUrl, {
      applicationName: 'iot-broker-ingest',
      max: uplinks.length * HOT_LANES + filed.reduce((sum, { lanes }) => sum + lanes, 1 + REPORT_CONNECTIONS),
      answerMs: INGEST_TIMEOUT_MS,
    })
  const openCopies = () =>
    openCopyIn(databaseUrl, {
      applicationName: 'iot-broker-ingest',
      max: uplinks.length * HOT_LANES,
      answerMs: INGEST_TIMEOUT_MS,
    })
  let pool = openPool()
  let copies = openCopies()
  let reopenedAt = Number.NEGATIVE_INFINITY
  /** postgres.js may never recover a connection that broke with unsent data: start with new connections. */
  function reconnect(): void {
    if (performance.now() - reopenedAt < REOPEN_MS) return
    reopenedAt = performance.now()
    void pool.close().catch(() => undefined)
    pool = openPool()
    void copies.close().catch(() => undefined)
    copies = openCopies()
  }
  const committers: Committer<never>[] = []
  const held = { rows: 0, bytes: 0 }
  const open = <R>(name: string, insert: (rows: R[]) => Promise<unknown>, lanes: number, gatherMs = 0) => {
    const committed = (rows: number, seconds: number) => metrics.committed(name, rows, seconds)
    const made = openCommitter<R>({
      name,
      insert,
      log,
      committed,
      held,
      lanes,
      gatherMs,
      reconnect,
      silentMs: SILENT_MS,
    })
    committers.push(made as unknown as Committer<never>)
    return made
  }

  const hot = new Map(
    uplinks.map((uplink) => {
      const { name } = uplink.uplink
      const { statement, row, data, cells } = copyRows(uplink)
      const { text, encode } = insertOf(uplink)
      let skipUntil = Number.NEGATIVE_INFINITY
      const insert = async (rows: Row[]) => {
        if (performance.now() > skipUntil)
          try {
            return await copies.copy(statement, data(rows))
          } catch (error) {
            if (!isRepetition(error)) throw error
            skipUntil = performance.now() + SKIP_MS
          }
        return pool.sql.unsafe(text, encode(rows.map(cells)), { prepare: true })
      }
      const committer = open<Row>(name, insert, HOT_LANES)
      return [name, { committer, row, latest: openLatest(context, uplink) }] as const
    }),
  )

  const inbox = open<Report>(
    'report',
    async (rows) => {
      await pool.sql`
      insert into inbox (device_id, name, payload, received_at)
      select device_id, name, payload::json, to_timestamp(ms / 1000.0) from unnest(
        ${literal(rows, (row) => row.deviceId)}::text::int[], ${literal(rows, (row) => row.name)}::text::text[],
        ${literal(rows, (row) => row.payload)}::text::text[], ${literal(rows, (row) => row.receivedMs)}::text::bigint[]
      ) with ordinality as x(device_id, name, payload, ms, n) order by n`
      wakeSoon()
    },
    1,
    REPORTS_MS,
  )

  const toolsOf = (name: string) => ({
    sql: () => pool.sql,
    committer: <R>(insert: (rows: R[]) => Promise<unknown>) => open<R>(name, insert, 1),
    log,
    now: context.now,
  })
  const reports = openReports(toolsOf('variables'))
  const filings = new Map<string, Filing<unknown>>(
    filed.map((uplink) => {
      const { name } = uplink.uplink
      return [name, uplink.open({ ...toolsOf(name), file: reports.file })] as const
    }),
  )

  let wake: NodeJS.Timeout | null = null
  let wokenAt = Number.NEGATIVE_INFINITY
  function wakeSoon(): void {
    wake ??= setTimeout(
      () => {
        wake = null
        wokenAt = performance.now()
        // The schedule of the job makes up for lost wake-ups.
        queue.add(drainInbox, {}).catch((error: unknown) => log.warn({ err: error }, 'drainInbox not queued'))
      },
      Math.max(WAKE_MS, wokenAt + WAKE_EVERY_MS - performance.now()),
    )
  }

  /** A gate with hysteresis, so that it does not flap. */
  function watchGate(): void {
    const most = gate.closed ? 0.5 : 1
    gate.closed = held.rows > most * limits.heldRows || held.bytes > most * limits.heldBytes
  }

  return {
    /** `waitMs`: how long to wait before it is stored. */
    sample: (name: string, cells: readonly Cell[], bytes: number, waitMs: number, waits: Waiter) => {
      const table = hot.get(name)
      if (!table) return
      const row = table.row(cells)
      if (waitMs === 0) table.committer.add(row, bytes, waits)
      else setTimeout(() => table.committer.add(row, bytes, waits), waitMs)
      watchGate()
    },
    latest: (name: string, deviceId: number, atMs: number, payload: unknown) =>
      hot.get(name)?.latest.set(deviceId, atMs, payload),
    latestBytes: (name: string, deviceId: number, atMs: number, message: Slice) =>
      hot.get(name)?.latest.setBytes(deviceId, atMs, message),
    report: (row: Report, waits: Waiter) => {
      inbox.add(row, row.payload.length + 100, waits)
      watchGate()
    },
    /** A report about a terminal that was not sent by a gateway. */
    file: reports.file,
    /** Handlers of messages that write their own rows, by name. */
    filings: filings as ReadonlyMap<string, Filing<unknown>>,
    /** QoS 0 messages are accepted only while there is room: they have no acknowledgement to hold back. */
    hasRoom: () => !gate.closed,
    /** Also called periodically: acknowledgements open the gate again. */
    watchGate,
    held: () => held.rows,
    close: async () => {
      await Promise.all(committers.map((entry) => entry.drain(5_000)))
      for (const entry of committers) entry.stop()
      for (const entry of hot.values()) await entry.latest.close()
      for (const filing of filings.values()) await filing.close()
      await reports.close()
      if (wake) {
        clearTimeout(wake)
        await queue.add(drainInbox, {}).catch(() => undefined)
      }
      await Promise.all([pool.close(), copies.close()])
    },
  }
}
export type Store = ReturnType<typeof openStore>
