/**
 * Compares devices with their templates, a batch at a time. The rows show what there is to do: devices of customers
 * with templates whose state is missing, or was computed for another document or group [decisions/105].
 */

import { docOf, unsealTexts } from '#infra/config/config-store'
import { readableTemplates } from '#infra/config/template-book'
import { wantedConfig } from '#infra/config/wanted-config'
import { ifReadable } from '#infra/secrets'
import { compareTemplates, TEMPLATES_LOCK } from '#schema/config/compare-templates'
import { changesUplink } from '#schema/config/lint'
import { type OwnFields, stackOf } from '#schema/config/template-stack'
import { processor, type Transaction, type WorkerContext } from '../kit/processor.ts'
import { readAgain } from './reread-configs.ts'

/** Small, because saving a template waits for the batch in progress. */
const BATCH = 50
/** Time limit of one run: other jobs of this worker wait meanwhile. */
const RUN_MS = 4_000

type Due = {
  deviceId: number
  groupId: number
  customerId: number
  model: string | null
  level: number | null
  abilities: string[]
  uplink: string | null
  document: string
  ofHash: string
  own: OwnFields
}

const due = (tx: Transaction) => tx<Due[]>`
  select c.device_id as "deviceId", d.group_id as "groupId", d.customer_id as "customerId", d.model, c.level, c.abilities, c.uplink,
    c.document, c.document_hash as "ofHash", c.own
  from device_configs c join devices d on d.id = c.device_id left join config_template_states s on s.device_id = c.device_id
  where d.customer_id in (select customer_id from config_templates) and d.deleted_at is null
    and c.document is not null and c.document_hash is not null
    and (s.of_hash, s.group_id, s.customer_id) is distinct from (c.document_hash, d.group_id, d.customer_id)
  order by c.device_id limit ${BATCH}`

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

async function compare(ctx: WorkerContext, tx: Transaction, rows: readonly Due[]): Promise<void> {
  const ids = [...new Set(rows.map(({ customerId }) => customerId))]
  // Saving a template, or giving fields of a device back to its templates, waits for this, and deletes what is written
  // here (api/config/config-template.ts, follow-templates.ts).
  await tx`select pg_advisory_xact_lock_shared(${TEMPLATES_LOCK}, id) from unnest(${ids}::int[]) as id order by id`
  const key = ctx.env.JWT_SECRET
  const books = await readableTemplates(tx, ids, key)
  const foreign: { id: number; document: string }[] = []
  const states = rows.flatMap(({ deviceId, groupId, customerId, ofHash, ...row }) => {
    const book = books.get(customerId)
    const base = {
      deviceId,
      groupId,
      customerId,
      ofHash,
      own: row.own,
      changes: 0,
      onUplink: false,
      isFaulty: false,
    }
    // Encrypted with another JWT_SECRET: those of other customers are compared all the same.
    if (!book) return [{ ...base, templates: '', isFaulty: true }]
    const stack = stackOf(book, { deviceId, groupId })
    if (stack.length === 0) return [{ ...base, templates: '' }]
    const texts = ifReadable(() => unsealTexts(row.document, key))
    // Only this document is: it is due again when its device has told it, and until then in nobody's way.
    if (texts === null) {
      foreign.push({ id: deviceId, document: row.document })
      return []
    }
    const doc = docOf(texts)
    const traits = { abilities: new Set(row.abilities), model: row.model, uplink: row.uplink }
    const target = { deviceId, groupId, level: row.level, doc, traits, own: row.own }
    const { pages, after, fault } = wantedConfig({ by: 'templates' }, target, book, 'en-US')
    const changes = pages.reduce(
      (sum, { draft, before, values }) =>
        sum + Object.keys(draft.changes).filter((name) => !same(before[name], values[name])).length,
      0,
    )
    const templates = stack.map(({ name }) => name).join(', ')
    return [
      {
        ...base,
        templates,
        changes,
        onUplink: changesUplink(doc, after, row.uplink),
        isFaulty: fault !== null,
      },
    ]
  })
  if (foreign.length > 0) await readAgain(tx, foreign)
  await tx`
    insert into config_template_states (device_id, customer_id, group_id, of_hash, templates, changes, on_uplink, is_faulty)
    select v."deviceId", v."customerId", v."groupId", v."ofHash", v.templates, v.changes, v."onUplink", v."isFaulty"
    from jsonb_to_recordset(${tx.json(states as never)}) as v("deviceId" integer, "customerId" integer, "groupId" integer,
      "ofHash" text, own jsonb, templates text, changes integer, "onUplink" boolean, "isFaulty" boolean)
    join devices d on d.id = v."deviceId"
    -- The fields were read before the lock: a device whose fields have changed since is compared again.
    join device_configs c on c.device_id = v."deviceId" and c.own = v.own
    on conflict (device_id) do update set customer_id = excluded.customer_id, group_id = excluded.group_id, of_hash = excluded.of_hash,
      templates = excluded.templates, changes = excluded.changes, on_uplink = excluded.on_uplink, is_faulty = excluded.is_faulty`
}

export const compareTemplatesJob = processor(compareTemplates, async (ctx) => {
  const until = performance.now() + RUN_MS
  let compared = 0
  while (performance.now() < until) {
    const count = await ctx.sql.begin(async (tx) => {
      const rows = await due(tx)
      if (rows.length > 0) await compare(ctx, tx, rows)
      return rows.length
    })
    if (count === 0) break
    compared += count
  }
  return { compared }
})
