/** Counts the devices that a change would affect: each document is built as it would be for sending. */

import { docOf, unsealTexts } from '#infra/config/config-store'
import type { Running } from '#infra/config/edited'
import { loadTemplates } from '#infra/config/template-book'
import { nameWarnings } from '#infra/config/together-faults'
import { wantedConfig } from '#infra/config/wanted-config'
import { ifReadable } from '#infra/secrets'
import { type Impact, withWarning } from '#schema/config/impact-sum'
import { changesUplink } from '#schema/config/lint'
import type { ManyChange } from '#schema/config/many-change'
import type { OwnFields, TemplateBook } from '#schema/config/template-stack'
import { exportUci, type UciDoc } from '#schema/config/uci'
import type { Language } from '#schema/kit/refusal'
import type { CallContext } from '../kit/handler.ts'

/** The response must come within a second, and other requests wait meanwhile. */
const STEP_MS = 500
const BATCH = 25
const SAMPLE = 5
/** Number of faults shown as examples: devices differ in what they lack. */
const WARNINGS_MAX = 20

type Row = {
  id: number
  sn: string
  groupId: number
  customerId: number
  model: string | null
  level: number | null
  abilities: string[] | null
  uplink: string | null
  document: string | null
  own: OwnFields | null
  reportedWan: unknown
}

const rowsOf = (ctx: CallContext, ids: readonly number[]) => ctx.sql<Row[]>`
  select d.id, d.sn, d.group_id as "groupId", d.customer_id as "customerId", d.model, c.level, c.abilities, c.uplink, c.document, c.own,
    (select s.value from device_sections s where s.device_id = d.id and s.name = 'wan') as "reportedWan"
  from devices d left join device_configs c on c.device_id = d.id where d.id = any(${[...ids]}) order by d.id`

const differs = (before: UciDoc, after: UciDoc) =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].some((name) => {
    const [old, now] = [before[name], after[name]]
    return old !== now && (old && exportUci(old)) !== (now && exportUci(now))
  })

/** A device counts once, even if several of its rows have the same warning. */
function warningsOf(target: Running, after: UciDoc, language: Language): Impact['warnings'] {
  const found = nameWarnings(target, after, language).map(({ page, path, message }) => ({
    page,
    path: path.replace(/\.\d+(?=\.|$)/g, ''),
    message,
    devices: 1,
  }))
  return [...new Map(found.map((one) => [JSON.stringify(one), one])).values()]
}

/** `ids`: in ascending order, of devices that the actor may see. `books`: instead of the stored templates. */
export async function impactOn(
  ctx: CallContext,
  ids: readonly number[],
  after: number | undefined,
  change: ManyChange,
  books?: ReadonlyMap<number, TemplateBook>,
) {
  const until = performance.now() + STEP_MS
  const left = after === undefined ? ids : ids.filter((id) => id > after)
  const impact = { changed: 0, onUplink: 0, same: 0, unread: 0, faulty: 0 }
  const faults: { sn: string; fault: string }[] = []
  let warnings: Impact['warnings'] = []
  const known = new Map(books)
  let done = 0
  while (done < left.length && performance.now() < until) {
    const rows = await rowsOf(ctx, left.slice(done, done + BATCH))
    const unknown = [...new Set(rows.map(({ customerId }) => customerId))].filter((id) => !known.has(id))
    if (change.by === 'templates' && unknown.length > 0)
      for (const [id, book] of await loadTemplates(ctx.sql, unknown, ctx.env.JWT_SECRET)) known.set(id, book)
    for (const { id, sn, abilities, model, uplink, document, own, ...row } of rows) {
      const texts = document === null ? null : ifReadable(() => unsealTexts(document, ctx.env.JWT_SECRET))
      if (texts === null) {
        impact.unread++
        continue
      }
      const doc = docOf(texts)
      const traits = { abilities: new Set(abilities ?? []), model, uplink }
      const target = { ...row, deviceId: id, doc, traits, own: own ?? {} }
      const wanted = wantedConfig(change, target, known.get(row.customerId) ?? null, ctx.language)
      if (wanted.fault !== null) {
        impact.faulty++
        if (faults.length < SAMPLE) faults.push({ sn, fault: wanted.fault })
      } else if (differs(doc, wanted.after)) {
        impact.changed++
        if (changesUplink(doc, wanted.after, uplink)) impact.onUplink++
        for (const one of warningsOf(target, wanted.after, ctx.language)) {
          const more = withWarning(warnings, one)
          if (more.length <= WARNINGS_MAX) warnings = more
        }
      } else impact.same++
    }
    done = Math.min(done + BATCH, left.length)
  }
  return {
    devices: ids.length,
    done,
    ...impact,
    faults,
    warnings,
    next: done < left.length ? (left[done - 1] ?? null) : null,
  }
}
