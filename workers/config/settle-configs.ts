/** Stores the results of configuration changes: the tried configuration becomes the desired one, or stays a draft. */

import { configOutcomes } from '#schema/config/commands/config'
import type { ConfigEnd } from '#schema/config/config-state'
import type { OwnFields } from '#schema/config/template-stack'
import type { WorkerContext } from '../kit/processor.ts'

type Ended = {
  deviceId: number
  outcome: 'done' | 'failed' | 'cancelled'
  result: { outcome?: string; fault?: unknown; detail?: string } | null
  detail: string | null
  own: OwnFields
  nextOwn: OwnFields | null
  targetHash: string | null
  createdBy: number | null
}

const AT_ONCE = 1_000

function endOf({ outcome, result }: Ended): ConfigEnd {
  if (outcome === 'done') return 'confirmed'
  const named = configOutcomes.find((one) => one === result?.outcome)
  // Only a proven confirmation counts.
  return named === undefined || named === 'confirmed' ? 'failed' : named
}

/** Including the fields of a change that the device has kept. */
function ownOf({ own, nextOwn, outcome }: Ended): OwnFields {
  if (outcome !== 'done' || nextOwn === null) return own
  const pages = [...new Set([...Object.keys(own), ...Object.keys(nextOwn)])]
  return Object.fromEntries(
    pages.map((page) => [page, [...new Set([...(own[page] ?? []), ...(nextOwn[page] ?? [])])]]),
  )
}

/** Returns how many were settled. */
export const settleConfigs = ({ sql, now }: Pick<WorkerContext, 'sql' | 'now'>): Promise<number> =>
  sql.begin(async (tx) => {
    const ended = await tx<Ended[]>`
      select c.device_id as "deviceId", i.outcome, i.result, i.failure_detail as detail,
        c.own, c.next_own as "nextOwn", i.target_hash as "targetHash", t.created_by as "createdBy"
      from device_configs c join task_items i on i.id = c.item_id join tasks t on t.id = i.task_id
      where c.item_id is not null and i.outcome is not null
      order by c.device_id limit ${AT_ONCE} for no key update of c skip locked`
    if (ended.length === 0) return 0
    const rows = ended.map((one) => ({
      deviceId: one.deviceId,
      // A change that was cancelled before it was sent has not been tried.
      ended: one.outcome === 'cancelled' ? null : endOf(one),
      fault: one.result?.fault ?? null,
      detail: one.result?.detail ?? one.detail,
      own: ownOf(one),
      targetHash: one.targetHash,
      createdBy: one.createdBy,
    }))
    await tx`
      with v as (
        select * from jsonb_to_recordset(${tx.json(rows as never)})
          as v("deviceId" integer, ended text, fault jsonb, detail text, own jsonb, "targetHash" text, "createdBy" integer)),
      kept as (
        delete from config_drafts d using v, device_configs c
        where v.ended = 'confirmed' and d.device_id = v."deviceId" and c.device_id = d.device_id and d.sent_revision = c.revision)
      update device_configs c set item_id = null, pending_revision = null, own = v.own, next_own = null, next = null, next_hash = null, next_packages = null, next_files = null,
        next_desired = null, next_desired_hash = null, next_drift = 0, ended = v.ended, fault = v.fault,
        detail = case when v.ended = 'confirmed' then null else v.detail end, ended_at = ${now()},
        desired = case when v.ended = 'confirmed' then coalesce(c.next_desired, c.next) else c.desired end,
        desired_hash = case when v.ended = 'confirmed' then coalesce(c.next_desired_hash, c.next_hash, v."targetHash") else c.desired_hash end,
        desired_at = case when v.ended = 'confirmed' then ${now()} else c.desired_at end,
        desired_by = case when v.ended = 'confirmed' then v."createdBy" else c.desired_by end,
        -- What was confirmed is what runs: nothing has to be read.
        document = case when v.ended = 'confirmed' then c.next else c.document end,
        -- next_hash is null where a user has abandoned the change when the device had kept it already.
        -- What was read on trial was not compared with what is set: it is read again, unless the device has gone back to what was before.
        document_hash = case when v.ended = 'confirmed' then coalesce(c.next_hash, v."targetHash")
          when c.document_hash is distinct from v."targetHash" then c.document_hash end,
        asked_at = case when c.document_hash is distinct from v."targetHash" then c.asked_at end,
        document_at = case when v.ended = 'confirmed' then ${now()} else c.document_at end,
        packages = case when v.ended = 'confirmed' then c.next_packages else c.packages end,
        files = case when v.ended = 'confirmed' then c.next_files else c.files end,
        drift = case when v.ended = 'confirmed' then c.next_drift else c.drift end,
        ignored = case when v.ended = 'confirmed' then '[]' else c.ignored end
      from v where c.device_id = v."deviceId"`
    return ended.length
  })
