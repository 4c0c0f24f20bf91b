/** Reads what is due for a target: reports in the order in which they were stored, and changes of alarms. */
import type { Fragment } from 'postgres'
import { composeAlarm, composeReport, composeTopic, qualityOf } from '#schema/monitor/north-message'
import type { NorthAlarm, NorthReport } from '#schema/monitor/north-report'
import type { WorkerContext } from '../kit/processor.ts'

export type Position = { storedBy: number; terminalId: number; reportAt: Date }
export type AlarmPosition = { alarmsBy: number; alarmId: number }
export type Target = Position &
  AlarmPosition & {
    id: number
    projectId: number
    project: string
    groupId: number
    topic: string | null
    template: string | null
    caughtUpAt: Date
  }
/** `key`: messages with the same key stay in order if a target has several partitions. */
export type Message = { topic: string; key: string; body: string }
/** `after`: the position when it is done with. */
export type Positioned<P> = Message & { after: P }

/** Reports, or alarms, that are sent and acknowledged together. */
const BATCH = 200
/**
 * A batch ends before it becomes larger, whatever the template makes of a report: web servers (nginx) and Kafka take 1 MiB
 * unless they are set up otherwise, and refuse what is larger however often it is sent.
 */
const BATCH_BYTES = 1_000_000
/** Of each message: a comma, or the frame of a record in Kafka. */
const FRAME_BYTES = 64
/** Reports that are read at once: a statement costs more than the rows that it returns, since no index has them in this order. */
const READ_MAX = 10 * BATCH
/**
 * Transactions that are looked through at once, so that a target far behind costs no more than one that is not. How many reports one
 * stores depends on the load: the reader begins with few, and takes more while it finds little.
 */
const SPAN = { first: 64, most: 4_096 } as const
/** Reports may be stored this much later than they were read (schema/monitor/wire.ts), and a day for clocks. */
const LATE_DAYS = 31

type Row = Position &
  Pick<NorthReport, 'sn' | 'device' | 'terminal' | 'serial'> & {
    templateId: number | null
    slots: number[]
    vals: (number | null)[]
    quality: number[] | null
    texts: (string | null)[] | null
  }

/** The groups of a project: its own, those below, and those below these. */
const inProject = ({ sql }: Pick<WorkerContext, 'sql'>, groupId: number) => sql`d.group_id in (
  select g.id from groups g left join groups p on p.id = g.parent_id
  where g.id = ${groupId} or g.parent_id = ${groupId} or p.parent_id = ${groupId})`

const columns = ({ sql }: WorkerContext) => sql`
  r.stored_by::float8 as "storedBy", r.terminal_id as "terminalId", r.at as "reportAt", to_json(r.slots) as slots,
  to_json(r.vals) as vals, to_json(r.quality) as quality, to_json(r.texts) as texts, t.name as terminal, t.serial,
  t.template_id as "templateId", d.sn, d.name as device`
const isWaiting = ({ sql }: WorkerContext, { storedBy, terminalId, reportAt }: Position) => sql`
  (r.stored_by, r.terminal_id, r.at) > (${storedBy}::bigint, ${terminalId}::int, ${reportAt}::timestamptz)`

type Variables = ReadonlyMap<string, { name: string; unit: string }>
/** By template and slot. */
async function variablesOf({ sql }: WorkerContext, rows: readonly Row[]): Promise<Variables> {
  const templates = [...new Set(rows.flatMap(({ templateId }) => templateId ?? []))]
  const found = await sql<{ templateId: number; slot: number; name: string; unit: string }[]>`
    select template_id as "templateId", slot, name, unit from variables where template_id = any(${templates}::int[])`
  return new Map(found.map(({ templateId, slot, ...variable }) => [`${templateId} ${slot}`, variable]))
}

/** Some of what waits: sent and acknowledged together; then the position is `next`. */
export type Batch = { messages: Positioned<Position>[]; next: Position; isLast: boolean }

/**
 * What transactions below this one have stored is complete: no further row can appear among it. A position that is ahead of the oldest
 * open transaction, of a target that gets what is stored from now on, does not go back to it; one that is ahead of all of them does:
 * a database that was restored from a dump starts counting transactions from the beginning.
 */
async function completeTo({ sql }: WorkerContext, position: number): Promise<number> {
  const [open] = await sql<{ oldest: number; next: number }[]>`
    select pg_snapshot_xmin(s)::text::bigint::float8 as oldest, pg_snapshot_xmax(s)::text::bigint::float8 as next
    from pg_current_snapshot() as s`
  const { oldest, next } = open ?? { oldest: 0, next: 0 }
  return position < next ? Math.max(oldest, position) : oldest
}

/** Over one turn of a target. */
export const openReader = () => ({ span: SPAN.first as number })
export type Reader = ReturnType<typeof openReader>

/**
 * The next reports, in batches, each with the position after it. `done`: nothing waits behind them. Rows of transactions that
 * may still be open, and all stored after them, wait for the next time.
 */
export async function readReports(
  ctx: WorkerContext,
  target: Target,
  reader: Reader,
): Promise<{ batches: Iterable<Batch>; done: boolean }> {
  const { sql } = ctx
  const complete = await completeTo(ctx, target.storedBy)
  const upTo = Math.min(complete, target.storedBy + reader.span)
  const oldest = new Date(target.caughtUpAt.getTime() - LATE_DAYS * 86_400_000)
  const rows = await sql<Row[]>`
    select ${columns(ctx)}
    from variable_reports r join terminals t on t.id = r.terminal_id join devices d on d.id = t.device_id
    where r.stored_by >= ${target.storedBy} and r.stored_by < ${upTo} and r.at >= ${oldest}
      and ${isWaiting(ctx, target)}
      and r.at >= t.template_since and not t.hidden and d.deleted_at is null and ${inProject(ctx, target.groupId)}
    order by r.stored_by, r.terminal_id, r.at limit ${READ_MAX}`
  const known = await variablesOf(ctx, rows)
  const isCut = rows.length === READ_MAX
  if (isCut) reader.span = Math.max(1, Math.floor(reader.span / 2))
  else if (rows.length < READ_MAX / 2) reader.span = Math.min(SPAN.most, reader.span * 2)
  const end = isCut ? undefined : { storedBy: upTo, terminalId: 0, reportAt: new Date(0) }
  return { batches: batchesOf(rows, target, known, end), done: !isCut && upTo >= complete }
}

/** The newest report that waits of each of some terminals, other ones each time: what a target that refuses a batch may take. */
export async function readNewest(ctx: WorkerContext, target: Target, terminals: number): Promise<Message[]> {
  const rows = await ctx.sql<Row[]>`
    select ${columns(ctx)}
    from (select t.* from terminals t join devices d on d.id = t.device_id
        where not t.hidden and d.deleted_at is null and ${inProject(ctx, target.groupId)}
        order by random() limit ${terminals}) t
      join devices d on d.id = t.device_id
      cross join lateral (select * from variable_reports r where r.terminal_id = t.id and r.at >= t.template_since
        order by r.at desc limit 1) r
    where ${isWaiting(ctx, target)}`
  const known = await variablesOf(ctx, rows)
  return rows.map((row) => messageOf(row, target, known)).filter(({ body }) => body !== '')
}

/** Composed when their turn comes: templates can make them large. @param end the position after all of them, if not that of the last one */
function* batchesOf(
  rows: readonly Row[],
  target: Target,
  known: Variables,
  end: Position | undefined,
): Generator<Batch> {
  let messages: Positioned<Position>[] = []
  let bytes = 0
  let before: Position | undefined
  for (const [n, row] of rows.entries()) {
    const { storedBy, terminalId, reportAt } = row
    const after = { storedBy, terminalId, reportAt }
    const message = messageOf(row, target, known)
    const size = Buffer.byteLength(message.body) + FRAME_BYTES
    if (messages.length > 0 && before && bytes + size > BATCH_BYTES) {
      yield { messages, next: before, isLast: false }
      messages = []
      bytes = 0
    }
    if (message.body !== '') {
      messages.push({ ...message, after })
      bytes += size
    }
    before = after
    const isLast = n === rows.length - 1
    if (messages.length < BATCH && !isLast) continue
    yield { messages, next: (isLast && end) || after, isLast }
    messages = []
    bytes = 0
  }
  if (rows.length === 0 && end) yield { messages, next: end, isLast: true }
}

function messageOf(row: Row, { topic, template, project }: Target, known: Variables): Message {
  // Without a prototype: a variable may be called `__proto__`.
  const values: NorthReport['values'] = Object.create(null)
  const quality: NorthReport['quality'] = Object.create(null)
  const units: NorthReport['units'] = Object.create(null)
  row.slots.forEach((slot, i) => {
    const variable = known.get(`${row.templateId} ${slot}`)
    // Deleted since: nobody can tell what it meant.
    if (variable === undefined) return
    values[variable.name] = row.texts?.[i] ?? row.vals[i] ?? null
    units[variable.name] = variable.unit
    const code = row.quality?.[i] ?? 0
    if (code !== 0) quality[variable.name] = qualityOf(code)
  })
  const { sn, device, terminal, terminalId, serial, reportAt: at } = row
  const report: NorthReport = {
    project,
    sn,
    device,
    terminalId,
    terminal,
    serial,
    at,
    values,
    quality,
    units,
  }
  return {
    topic: composeTopic(topic ?? '', report, 'values'),
    key: String(terminalId),
    body: composeReport(report, template),
  }
}

type AlarmRow = Omit<NorthAlarm, 'project' | 'state'> & {
  changedBy: number
  /** Null unless the alarm is about a terminal. */
  terminal: string | null
  terminalId: number | null
}

/**
 * The next changes of alarms of the project, in the order in which they were stored: what became of each, not each step on the way;
 * without those that began or ended while the gateway belonged to a former owner. `done`: nothing waits behind them.
 */
export async function readAlarms(
  ctx: WorkerContext,
  target: Target,
): Promise<{ messages: Positioned<AlarmPosition>[]; next: AlarmPosition; done: boolean }> {
  const complete = await completeTo(ctx, target.alarmsBy)
  const rows = await alarmsOf(ctx, target, complete, ctx.sql`a.changed_by, a.id limit ${BATCH}`)
  const messages = rows.map(
    (row): Positioned<AlarmPosition> => ({
      ...alarmMessage(row, target),
      after: { alarmsBy: row.changedBy, alarmId: row.id },
    }),
  )
  const last = rows.length === BATCH ? rows.at(-1) : undefined
  const next = last ? { alarmsBy: last.changedBy, alarmId: last.id } : { alarmsBy: complete, alarmId: 0 }
  return { messages, next, done: last === undefined }
}

/** The changes that wait and are the newest ones. */
export async function readNewestAlarms(
  ctx: WorkerContext,
  target: Target,
  alarms: number,
): Promise<Message[]> {
  const newest = ctx.sql`a.changed_by desc, a.id desc limit ${alarms}`
  const rows = await alarmsOf(ctx, target, await completeTo(ctx, target.alarmsBy), newest)
  return rows.map((row) => alarmMessage(row, target))
}

const alarmsOf = (ctx: WorkerContext, target: Target, complete: number, order: Fragment) => ctx.sql<
  AlarmRow[]
>`
    select a.changed_by::float8 as "changedBy", a.id::float8 as id, a.rule_name as rule, a.severity, a.sn, a.device_name as device,
      coalesce(nullif(concat_ws(' / ', a.terminal_name, a.variable_name), ''), a.subject) as subject,
      a.terminal_name as terminal, a.terminal_id as "terminalId", a.value, a.threshold, a.started_at as "startedAt", a.ended_at as "endedAt", a.times
    from alarms a join devices d on d.id = a.device_id
    where (a.changed_by, a.id) > (${target.alarmsBy}::bigint, ${target.alarmId}::bigint) and a.changed_by < ${complete}
      and d.deleted_at is null and a.customer_id = d.customer_id and ${inProject(ctx, target.groupId)}
    order by ${order}`

function alarmMessage({ changedBy: _, terminal, terminalId, ...row }: AlarmRow, target: Target): Message {
  const { project } = target
  const of = { project, sn: row.sn, terminal: terminal ?? row.subject, terminalId: terminalId ?? '' }
  const state = row.endedAt === null ? 'active' : 'ended'
  return {
    topic: composeTopic(target.topic ?? '', of, 'alarm'),
    key: `alarm ${row.id}`,
    body: composeAlarm({ project, ...row, state }, target.template),
  }
}
