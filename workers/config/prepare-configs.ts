/**
 * Builds the packages of each device when its turn comes in a change for many devices: from what it runs then, so that
 * neither waves over several days nor a manual change in between give it a stale document [decisions/106].
 */

import { configChange } from '#infra/config/config-change'
import { docOf, unsealTexts } from '#infra/config/config-store'
import { readableTemplates } from '#infra/config/template-book'
import { wantedConfig } from '#infra/config/wanted-config'
import { ifReadable, unseal } from '#infra/secrets'
import type { ManyChange } from '#schema/config/many-change'
import type { OwnFields, TemplateBook } from '#schema/config/template-stack'
import type { Language } from '#schema/kit/refusal'
import { endReason } from '#schema/task/end-reason'
import type { Transaction, WorkerContext } from '../kit/processor.ts'
import type { TakenRow } from '../task/carry.ts'
import { endUnsent, type Unsent } from '../task/end-unsent.ts'

/** True for a change for many devices whose packages have not been built: a retry builds its own later. */
export const isUnmade = ({ id, args, taskArgs }: TakenRow): boolean =>
  typeof taskArgs?.['change'] === 'string' && args?.['of'] !== id

type Held = {
  item: string
  deviceId: number
  groupId: number
  customerId: number
  language: Language
  level: number | null
  abilities: string[]
  uplink: string | null
  model: string | null
  document: string | null
  packages: Record<string, string>
  revision: number
  own: OwnFields
  files: string | null
  desired: string | null
  ignored: string[]
  reportedWan: unknown
}

const heldBy = (tx: Transaction, items: readonly string[]) => tx<Held[]>`
  select i.id as item, c.device_id as "deviceId", d.group_id as "groupId", d.customer_id as "customerId", t.language,
    c.level, c.abilities, c.uplink, d.model, c.document, c.packages, c.revision, c.own, c.files, c.desired, c.ignored,
    (select s.value from device_sections s where s.device_id = c.device_id and s.name = 'wan') as "reportedWan"
  from task_items i join tasks t on t.id = i.task_id join devices d on d.id = i.device_id
    join device_configs c on c.device_id = i.device_id
  where i.id = any(${[...items]}::uuid[]) order by c.device_id for update of c`

/**
 * Values that a change sets on a device are its own from then on; values from its templates stay those of the
 * templates.
 */
const ownAfter = (change: ManyChange) =>
  change.by === 'templates'
    ? null
    : Object.fromEntries(Object.entries(change.pages).map(([page, values]) => [page, Object.keys(values)]))

type Made = ReturnType<typeof configChange> & {
  item: string
  deviceId: number
  nextOwn: ReturnType<typeof ownAfter>
}

function make(held: Held, change: ManyChange | null, book: TemplateBook | null, key: string): Made | Unsent {
  const fail = (detail: string): Unsent => ({ id: held.item, how: 'fail', detail })
  if (change === null || (change.by === 'templates' && book === null)) return fail(endReason('otherKey'))
  const texts = ifReadable(() => unsealTexts(held.document, key))
  if (texts === null) return fail(endReason('noConfiguration'))
  const traits = { abilities: new Set(held.abilities), model: held.model, uplink: held.uplink }
  const doc = docOf(texts)
  const wanted = wantedConfig(change, { ...held, doc, traits }, book, held.language)
  if (wanted.fault !== null) return fail(wanted.fault)
  const confirmS = wanted.confirmS === 0 ? 0 : (change.confirmS ?? wanted.confirmS)
  const made = configChange(held, { doc, after: wanted.after, files: wanted.files, confirmS }, key)
  if (made === null) return { id: held.item, how: 'arrive', detail: endReason('alreadyConfigured') }
  return { ...made, item: held.item, deviceId: held.deviceId, nextOwn: ownAfter(change) }
}

async function write(tx: Transaction, made: readonly Made[]): Promise<void> {
  if (made.length === 0) return
  const rows = made.map(({ item, deviceId, args, targetHash, next, nextOwn }) => ({
    item,
    deviceId,
    args: { ...args, of: item },
    targetHash,
    ...next,
    nextOwn,
  }))
  await tx`
    with v as (
      select * from jsonb_to_recordset(${tx.json(rows as never)}) as v(item uuid, "deviceId" integer, args jsonb, "targetHash" text,
        revision integer, next text, "nextHash" text, "nextPackages" jsonb, "nextFiles" text,
        "nextDesired" text, "nextDesiredHash" text, "nextDrift" integer, "nextOwn" jsonb)),
    items as (
      update task_items i set args = v.args, target_hash = v."targetHash" from v where i.id = v.item)
    update device_configs c set revision = v.revision, item_id = v.item, last_item_id = v.item, next = v.next,
      next_hash = v."nextHash", next_packages = v."nextPackages", next_files = v."nextFiles",
      next_desired = v."nextDesired", next_desired_hash = v."nextDesiredHash", next_drift = v."nextDrift",
      next_own = v."nextOwn", fault = null, detail = null, ended = null
    from v where c.device_id = v."deviceId"`
}

/**
 * Returns the rows that can be sent, with their arguments. The others have ended: refused here, or without any change.
 */
export async function prepareConfigs(ctx: WorkerContext, rows: readonly TakenRow[]): Promise<TakenRow[]> {
  const unmade = rows.filter(isUnmade)
  if (unmade.length === 0) return [...rows]
  const key = ctx.env.JWT_SECRET
  const changes = new Map<unknown, ManyChange | null>()
  const changeOf = ({ taskArgs }: TakenRow): ManyChange | null => {
    const sealed = taskArgs?.['change']
    const known =
      changes.get(sealed) ?? ifReadable(() => JSON.parse(unseal(String(sealed), key)) as ManyChange)
    changes.set(sealed, known)
    return known
  }
  const args = await ctx.sql.begin(async (tx) => {
    // Items before configurations, as reports of devices lock them.
    await tx`select 1 from task_items where id = any(${unmade.map(({ id }) => id)}::uuid[]) order by id for update`
    const held = await heldBy(
      tx,
      unmade.map(({ id }) => id),
    )
    const byItem = new Map(unmade.map((row) => [row.id, changeOf(row)]))
    const books = [...byItem.values()].some((change) => change?.by === 'templates')
      ? await readableTemplates(tx, [...new Set(held.map(({ customerId }) => customerId))], key)
      : new Map<number, TemplateBook | null>()
    const results = held.map((one) =>
      make(one, byItem.get(one.item) ?? null, books.get(one.customerId) ?? null, key),
    )
    const made = results.filter((one): one is Made => 'args' in one)
    const unsent = results.filter((one): one is Unsent => 'how' in one)
    const seen = new Set(held.map(({ item }) => item))
    const gone = unmade.filter(({ id }) => !seen.has(id))
    await write(tx, made)
    await endUnsent(
      tx,
      [
        ...unsent,
        ...gone.map(({ id }): Unsent => ({ id, how: 'fail', detail: endReason('noConfiguration') })),
      ],
      ctx,
    )
    return new Map(made.map((one) => [one.item, { ...one.args, of: one.item }]))
  })
  return rows.flatMap((row) => {
    if (!isUnmade(row)) return [row]
    const own = args.get(row.id)
    return own ? [{ ...row, args: own }] : []
  })
}
