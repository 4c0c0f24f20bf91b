/** What the names of a source refer to: read again when their links, terminals or variables have changed. */
import type { Sql } from '#infra/postgres'
import { type Collected, isDerived, slotFormulas } from '#schema/monitor/formula/derived'
import { type Scaled, scaleOf, type VariableScale } from '#schema/monitor/scale'
import { SOUTH_NAME_MAX, type SouthMapping } from '#schema/monitor/south/adapter'
import type { SouthKind } from '#schema/monitor/south-kinds'
import { type Derived, derivedOf } from '../variables/derive.ts'
import { nameKey } from './raw-value.ts'

export type LinkedTerminal = {
  terminalId: number
  deviceId: number
  byName: ReadonlyMap<string, VariableScale>
  /** Its computed variables: no source sends them. */
  derived: readonly Derived[]
}
/** `madeAt`: by the clock of the database; a terminal that got another template since takes nothing by it. */
export type Links = {
  edition: string
  madeAt: number
  bySource: ReadonlyMap<string, LinkedTerminal>
  /** Sources of hidden terminals [§4]: nothing of them is collected. */
  hidden: ReadonlySet<string>
}
export type Account = {
  id: number
  secretHash: string
  enabled: boolean
  kind: SouthKind
  topics: readonly string[]
  mapping: SouthMapping
  /** Changes with everything in `Links`, and with the account's own rules. */
  edition: string
}

/**
 * Only terminals that the account may still write to: of its customer, in the groups of its project. The same checks as
 * when they were linked, repeated each time.
 */
const linked = `
  select l.account_id, l.source, t.id as terminal_id, t.device_id, t.template_id, t.template_since, t.hidden as terminal_hidden
  from south_accounts a
    join projects p on p.id = a.project_id
    cross join lateral (
      with recursive tree as (
        select p.group_id as id union select g.id from groups g join tree on g.parent_id = tree.id)
      select array_agg(id) as ids from tree) y
    join south_terminals l on l.account_id = a.id
    join terminals t on t.id = l.terminal_id
    join devices d on d.id = t.device_id and d.customer_id = a.customer_id and d.deleted_at is null
      and d.group_id = any(y.ids)
  where a.id = any($1::int[])`

export const readAccounts = (sql: Sql, ids: readonly number[]) =>
  sql.unsafe<Account[]>(
    `with linked as (${linked})
    select a.id, a.secret_hash as "secretHash", a.enabled, a.kind, a.topics, a.mapping,
      concat_ws('/', a.updated_at, md5(coalesce((
        select string_agg(concat_ws(':', l.source, l.terminal_id, l.device_id, l.template_since, l.terminal_hidden, v.slot, v.name, v.data_type,
          v.factor, v.addend, v.precision, v.min, v.max, v.length, v.power_address, v.hidden, v.io_controller, v.formula, v.report_type, v.cycle_s),
          ',' order by l.source, v.slot)
        from linked l left join variables v on v.template_id = l.template_id
        where l.account_id = a.id), ''))) as edition
    from south_accounts a where a.id = any($1::int[])`,
    [[...ids]],
    { prepare: true },
  )

/** `name` null: the terminal has no variable. */
type Row = {
  source: string
  terminalId: number
  deviceId: number
  templateId: number
  terminalHidden: boolean
  now: number
} & ((Collected & Scaled) | { name: null })

function ofTemplate(rows: readonly Row[]): Pick<LinkedTerminal, 'byName' | 'derived'> {
  const variables = rows.flatMap((row) => (row.name === null ? [] : [row]))
  const formulas = slotFormulas(variables)
  const bySlot: VariableScale[] = []
  const byName = new Map<string, VariableScale>()
  for (const row of variables) {
    if (row.hidden) continue
    const scale = scaleOf(row, formulas.get(row.slot))
    bySlot[row.slot] = scale
    if (!isDerived(row)) byName.set(nameKey(row.name), scale)
  }
  return { byName, derived: derivedOf(bySlot) }
}

export async function readLinks(sql: Sql, { id, edition }: Account): Promise<Links> {
  const rows = await sql.unsafe<Row[]>(
    `with linked as (${linked})
    select l.source, l.terminal_id as "terminalId", l.device_id as "deviceId", l.template_id as "templateId", l.terminal_hidden as "terminalHidden",
      (extract(epoch from now()) * 1000)::float8 as now, v.name, v.slot, v.data_type as "dataType", v.factor,
      v.addend, v.precision, v.min, v.max, v.length, v.power_address as "powerAddress", v.hidden, v.io_controller as "ioController", v.formula,
      v.report_type as "reportType", v.cycle_s as "cycleS"
    from linked l left join variables v on v.template_id = l.template_id`,
    [[id]],
    { prepare: true },
  )
  const bySource = new Map<string, LinkedTerminal>()
  const hidden = new Set<string>()
  /** Terminals with the same template share its variables. */
  const known = new Map<number, ReturnType<typeof ofTemplate>>()
  for (const [source, own] of Map.groupBy(rows, (row) => row.source)) {
    const [first] = own
    if (!first) continue
    const { terminalId, deviceId, templateId, terminalHidden } = first
    if (terminalHidden) {
      hidden.add(source)
      continue
    }
    const shared = known.get(templateId) ?? ofTemplate(own)
    known.set(templateId, shared)
    bySource.set(source, { terminalId, deviceId, ...shared })
  }
  return { edition, madeAt: rows[0]?.now ?? 0, bySource, hidden }
}

/**
 * The variable of this name, or of its last part: `fast/voltage` of group `fast` may be called `voltage`. null: none;
 * undefined: there is no such terminal.
 */
export function variableOf(
  { bySource }: Links,
  source: string,
  name: string,
): { terminal: LinkedTerminal; scale: VariableScale } | null {
  // No variable has such a long name, and comparing it is expensive.
  const terminal = name.length > SOUTH_NAME_MAX ? undefined : bySource.get(source)
  if (!terminal) return null
  const scale =
    terminal.byName.get(nameKey(name)) ?? terminal.byName.get(nameKey(name.slice(name.lastIndexOf('/') + 1)))
  return scale ? { terminal, scale } : null
}
