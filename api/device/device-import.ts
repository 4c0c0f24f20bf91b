import { and, inArray, sql } from 'drizzle-orm'
import Papa from 'papaparse'
import type { z } from 'zod'
import { sealFor } from '#infra/broker-account'
import { reasonIn } from '#infra/reason-in'
import { sayIn } from '#infra/say'
import { hashSecret, makeSecret } from '#infra/secrets'
import {
  deviceAddress,
  deviceName,
  IMPORT_COLUMNS,
  IMPORT_MAX_ROWS,
  importDevices,
} from '#schema/device/device'
import { deviceRefusals } from '#schema/device/device-refusals'
import { serialNumber } from '#schema/device/hello'
import type { ReplyOf } from '#schema/kit/call'
import { writtenIn } from '#schema/kit/csv'
import { type Language, type RefusalKind, refuse } from '#schema/kit/refusal'
import { sessionRefusals } from '#schema/people/session-refusals'
import { devices } from '#schema/tables/device'
import { groups } from '#schema/tables/group'
import { tell } from '../kit/about.ts'
import { type CallContext, handler } from '../kit/handler.ts'
import { visible } from '../kit/scope.ts'
import { reachGroup } from '../kit/visible-ids.ts'

type Column = (typeof IMPORT_COLUMNS)[number]
type Answer = ReplyOf<typeof importDevices>['rows'][number]
/** `line`: the line of the file in which the row begins; `cells`: how many it has. */
type Row = Record<Column, string> & { line: number; cells: number; columns: number }
type Group = { id: number; name: string; customerId: number }
type Planned = Answer & { name: string; address: string; group: Group | undefined; id?: number }

const isColumn = (name: string): name is Column => IMPORT_COLUMNS.some((column) => column === name)

/**
 * Read from the header. The parser would guess by reading all of a hostile file ten times, blocking the process for
 * seconds.
 */
function delimiterOf(csv: string): string {
  const header =
    csv
      .slice(0, 1000)
      .trimStart()
      .split(/[\r\n]/, 1)[0] ?? ''
  const count = (sign: string) => header.split(sign).length
  return [',', ';', '\t', '|'].reduce((best, sign) => (count(sign) > count(best) ? sign : best))
}

/** The line of the file in which each row begins: a quoted cell may contain line breaks. */
function firstLines(rows: readonly string[][], lineBreak: string): number[] {
  let next = 1
  return rows.map((cells) => {
    const first = next
    next += (cells.join(',') + lineBreak).match(/\r\n|\r|\n/g)?.length ?? 0
    return first
  })
}

/** Up to the last one that is not empty: empty cells at the end are those of a spreadsheet that was wider before. */
const filledCells = (cells: readonly string[]) => cells.findLastIndex((text) => text.trim() !== '') + 1

/** @throws Refusal for a file that is not a valid table; a bad line is refused individually later. */
function readRows(csv: string): Row[] {
  const text = csv.replace(/^\uFEFF/, '')
  const parsed = Papa.parse<string[]>(text, { delimiter: delimiterOf(text), preview: IMPORT_MAX_ROWS + 2 })
  const lineOf = firstLines(parsed.data, parsed.meta.linebreak)
  const broken = parsed.errors.find((error) => error.type === 'Quotes')
  if (broken) refuse(deviceRefusals.csvUnreadable, { line: lineOf[broken.row ?? 0] ?? 1 }, 'csv')
  const [header, ...lines] = parsed.data
    .map((cells, i) => ({ cells, line: lineOf[i] ?? 0 }))
    .filter(({ cells }) => cells.join('').trim() !== '')
  const headings = (header?.cells ?? []).map((name) => name.trim().toLowerCase())
  const names = headings.slice(0, filledCells(headings))
  const wrong = names.find((name) => !isColumn(name))
  if (wrong !== undefined)
    refuse(
      deviceRefusals.csvColumn,
      { column: wrong.slice(0, 40), allowed: IMPORT_COLUMNS.join(', ') },
      'csv',
    )
  const twice = names.find((name, i) => names.indexOf(name) < i)
  if (twice !== undefined) refuse(deviceRefusals.csvColumnTwice, { column: twice }, 'csv')
  if (!names.includes('sn')) refuse(deviceRefusals.csvNoColumn, { column: 'sn' }, 'csv')
  // The parser counts empty lines, which are removed here: lines that it cut off must not be lost silently.
  if (lines.length > IMPORT_MAX_ROWS || parsed.meta.truncated)
    refuse(deviceRefusals.csvTooLong, { max: IMPORT_MAX_ROWS }, 'csv')
  return lines.map(({ cells, line }) => {
    // Copied from a list that was exported, it may begin with the apostrophe of what would be a formula.
    const cell = (column: Column) => writtenIn(cells[names.indexOf(column)] ?? '').trim()
    return {
      line,
      cells: filledCells(cells),
      columns: names.length,
      sn: cell('sn'),
      name: cell('name'),
      group: cell('group'),
      address: cell('address'),
    }
  })
}

type Known = {
  byName: Map<string, Group[]>
  fallback: Group | undefined
  own: Set<string>
  taken: Set<string>
}

async function readKnown(ctx: CallContext, rows: Row[], groupId: number | undefined): Promise<Known> {
  const fallback = groupId === undefined ? undefined : await reachGroup(ctx, groupId)
  // Two steps: in a join, many names and many groups might be compared pairwise.
  const asked = await ctx.sql<{ name: string; key: string }[]>`
    select name, name_key(name) as key from unnest(${[...new Set(rows.map((row) => row.group))]}::text[]) name`
  const key = sql<string>`name_key(${groups.name})`
  const found = await ctx.db
    .select({ id: groups.id, name: groups.name, customerId: groups.customerId, key })
    .from(groups)
    .where(and(visible(ctx.actor).groups, inArray(key, [...new Set(asked.map((one) => one.key))])))
  const byKey: Map<string, Group[]> = Map.groupBy(found, (group) => group.key)
  const byName = new Map(asked.map((one) => [one.name, byKey.get(one.key) ?? []]))
  const sns = [...new Set(rows.map((row) => row.sn))]
  // Serial numbers are unique over all customers: one of another customer is taken, an own one already exists.
  const existing = await ctx.sql<
    { id: number; sn: string }[]
  >`select id, sn from devices where sn = any(${sns})`
  const mine = await ctx.db
    .select({ sn: devices.sn })
    .from(devices)
    .where(and(visible(ctx.actor).devices, inArray(devices.id, [0, ...existing.map((row) => row.id)])))
  return {
    byName,
    fallback,
    own: new Set(mine.map((row) => row.sn)),
    taken: new Set(existing.map((row) => row.sn)),
  }
}

function plan(rows: Row[], known: Known, language: Language): Planned[] {
  const lineOf = new Map<string, number>()
  const error = reasonIn(language)
  /** In the words of the form that asks for the same; null: nothing is wrong. */
  const wrongText = (
    field: Column,
    text: string,
    rule: z.ZodType,
  ): [RefusalKind, Record<string, string>] | null => {
    const reason = rule.safeParse(text, { error }).error?.issues[0]?.message
    return reason === undefined ? null : [sessionRefusals.invalid, { field, reason }]
  }
  const judge = (
    row: Row,
    named: Group[],
    group: Group | undefined,
  ): [Answer['outcome'], RefusalKind?, Record<string, string | number>?] => {
    if (row.cells > row.columns)
      return ['refuse', deviceRefusals.csvCells, { cells: row.cells, columns: row.columns }]
    const wrongSn = wrongText('sn', row.sn, serialNumber)
    if (wrongSn) return ['refuse', ...wrongSn]
    const earlier = lineOf.get(row.sn)
    if (earlier !== undefined) return ['refuse', deviceRefusals.csvRepeated, { line: earlier }]
    lineOf.set(row.sn, row.line)
    if (known.own.has(row.sn)) return ['skip', deviceRefusals.snExists]
    if (known.taken.has(row.sn)) return ['refuse', deviceRefusals.snTaken, { sn: row.sn }]
    const wrong =
      (row.name === '' ? null : wrongText('name', row.name, deviceName)) ??
      (row.address === '' ? null : wrongText('address', row.address, deviceAddress))
    if (wrong) return ['refuse', ...wrong]
    if (group) return ['create']
    if (row.group === '') return ['refuse', deviceRefusals.csvNoGroup]
    return [
      'refuse',
      named.length > 1 ? deviceRefusals.csvGroupAmbiguous : deviceRefusals.groupUnknown,
      { group: row.group.slice(0, 64) },
    ]
  }
  return rows.map((row) => {
    const named = (known.byName.get(row.group) ?? []).filter(
      (group) => !known.fallback || group.customerId === known.fallback.customerId,
    )
    const group = row.group === '' ? known.fallback : named.length === 1 ? named[0] : undefined
    const [outcome, kind, params] = judge(row, named, group)
    const reason = kind ? sayIn(language)(kind.text, params) : null
    return {
      line: row.line,
      sn: row.sn.slice(0, 64),
      outcome,
      reason,
      secret: null,
      name: row.name || row.sn,
      address: row.address,
      group,
    }
  })
}

/** Writes all planned devices at once; a serial number taken meanwhile becomes a refusal. */
async function create(ctx: CallContext, planned: Planned[]): Promise<void> {
  const wanted = planned.filter((row) => row.outcome === 'create')
  for (const row of wanted) row.secret = makeSecret()
  const column = <T>(pick: (row: Planned) => T) => wanted.map(pick)
  const made = await ctx.sql.begin(async (tx) => {
    const rows = await tx<{ id: number; sn: string }[]>`
      insert into devices (customer_id, group_id, sn, name, address, secret_hash, secret_sealed)
      select g.customer_id, g.id, r.sn, r.name, nullif(r.address, ''), r.hash, r.sealed
      from unnest(${column((row) => row.group?.id ?? 0)}::int[], ${column((row) => row.sn)}::text[],
        ${column((row) => row.name)}::text[], ${column((row) => row.address)}::text[],
        ${column((row) => hashSecret(row.secret ?? ''))}::text[],
        ${column((row) => sealFor(ctx.env, row.secret ?? ''))}::text[]) as r(group_id, sn, name, address, hash, sealed)
      join groups g on g.id = r.group_id
      on conflict (sn) do nothing returning id, sn`
    await tx`insert into device_states (device_id) select unnest(${rows.map((row) => row.id)}::int[]) on conflict do nothing`
    return new Map(rows.map((row) => [row.sn, row.id]))
  })
  for (const row of wanted) {
    const id = made.get(row.sn)
    if (id !== undefined) {
      row.id = id
      continue
    }
    row.outcome = 'refuse'
    row.secret = null
    row.reason = sayIn(ctx.language)(deviceRefusals.snTaken.text, { sn: row.sn })
  }
}

/** Records which devices were added to which group: the file itself is not kept. */
function noteImport(
  ctx: CallContext,
  planned: readonly Planned[],
  rest: { skipped: number; refused: number },
): void {
  const made = planned.filter(({ outcome }) => outcome === 'create')
  const groups = [...Map.groupBy(made, ({ group }) => group?.name ?? '')]
  tell(
    ctx,
    made.map(({ id, sn, group }) => ({ id: id ?? 0, name: sn, customerId: group?.customerId ?? null })),
  )
  ctx.note({
    after: {
      created: made.length,
      ...rest,
      groups: groups.map(([group, rows]) => ({ group, devices: rows.length })),
    },
  })
}

export const importDevicesHandler = handler(importDevices, async (ctx, body) => {
  const rows = readRows(body.csv)
  const planned = plan(rows, await readKnown(ctx, rows, body.groupId), ctx.language)
  if (!body.dryRun) await create(ctx, planned)
  const of = (outcome: Answer['outcome']) => planned.filter((row) => row.outcome === outcome).length
  if (body.dryRun) ctx.note({ trial: true })
  else noteImport(ctx, planned, { skipped: of('skip'), refused: of('refuse') })
  return {
    create: of('create'),
    skip: of('skip'),
    refuse: of('refuse'),
    rows: planned.map(({ line, sn, outcome, reason, secret }) => ({ line, sn, outcome, reason, secret })),
  }
})
