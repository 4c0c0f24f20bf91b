/** The message `config`: the texts of packages that changed complete the document that the platform holds. */

import { type ConfigTexts, docOf, sealTexts, unsealTexts } from '#infra/config/config-store'
import { packageHash } from '#infra/config-hash'
import { ifReadable } from '#infra/secrets'
import { driftOf } from '#schema/config/drift'
import { config } from '#schema/config/reported'
import { configFileKind } from '#schema/task/kinds/config-file'
import type { Transaction } from '../kit/processor.ts'
import { keptReport } from '../kit/report.ts'

type Said = {
  deviceId: number
  configHash: string
  packages: Record<string, string>
  texts: Record<string, string>
  at: Date
}
type Row = {
  deviceId: number
  document: string | null
  desired: string | null
  desiredHash: string | null
  ignored: string[]
  /** Of the change under way: what the device has with it, and how many differences are left then. */
  nextHash: string | null
  nextDrift: number
  /** The platform has restored a configuration file since the last reading: what the file made of the device is what was set. */
  restored: boolean
}

/** The known text of each package that the device names; a text that does not match its claimed hash is not used. */
function merged(known: ConfigTexts, { packages, texts }: Said): { texts: ConfigTexts; complete: boolean } {
  const found = Object.entries(packages).flatMap(([name, hash]) => {
    const text = [texts[name], known[name]].find((one) => one !== undefined && packageHash(one) === hash)
    return text === undefined ? [] : [[name, text] as const]
  })
  return { texts: Object.fromEntries(found), complete: found.length === Object.keys(packages).length }
}

function changed(row: Row, said: Said, key: string) {
  const known = ifReadable(() => unsealTexts(row.document, key))
  const { texts, complete } = merged(known ?? {}, said)
  // What cannot be read is asked for as a whole.
  const document = known === null && !complete ? null : sealTexts(texts, key)
  const desired = ifReadable(() => unsealTexts(row.desired, key))
  const adopts = complete && row.restored && row.desired !== null
  const isSet = adopts || row.desired === null || desired === null || row.desiredHash === said.configHash
  // A change from here that is on trial is no difference that somebody has made.
  const isOnTrial = row.nextHash === said.configHash
  const drift = isSet
    ? 0
    : isOnTrial
      ? row.nextDrift
      : driftOf(docOf(desired), docOf(texts), new Set(row.ignored)).length
  return {
    deviceId: row.deviceId,
    document,
    desired: adopts ? document : null,
    // Of those whose text is held: what is named as known is not sent, and the rest is asked for.
    packages: Object.fromEntries(Object.entries(said.packages).filter(([name]) => name in texts)),
    // Nothing new, as of a package too large for any message: it is asked for again, but not at once.
    again: !complete && Object.keys(texts).some((name) => texts[name] !== known?.[name]),
    // Incomplete: it stays unread, and is asked for again.
    hash: complete ? said.configHash : null,
    runningHash: said.configHash,
    at: said.at,
    drift,
  }
}

async function write(tx: Transaction, said: readonly Said[], key: string): Promise<void> {
  const ids = [...new Set(said.map(({ deviceId }) => deviceId))]
  const rows = await tx<Row[]>`
    select device_id as "deviceId", document, desired, desired_hash as "desiredHash", ignored,
      case when item_id is not null then next_hash end as "nextHash", next_drift as "nextDrift",
      exists (select 1 from task_items i join tasks t on t.id = i.task_id
        where i.device_id = c.device_id and t.kind = ${configFileKind.name} and (i.outcome = 'done' or i.sending = 'soaking')
          and coalesce(i.soak_since, i.step_at) > greatest(c.document_at, c.ended_at)) as restored
    from device_configs c
    where device_id = any(${ids}) order by device_id for update of c`
  const written = rows.map((row) => {
    const own = said.filter(({ deviceId }) => deviceId === row.deviceId)
    return own.reduce(
      (last, one) => {
        const next = changed({ ...row, document: last?.document ?? row.document }, one, key)
        // One that is delivered twice says nothing new the second time.
        return { ...next, again: next.again || (next.hash === null && last?.again === true) }
      },
      null as ReturnType<typeof changed> | null,
    )
  })
  await tx`
    update device_configs c set document = v.document, packages = v.packages, document_hash = v.hash,
      running_hash = v."runningHash", drift = v.drift,
      -- An incomplete one after a restored file must not hide from the complete one that there was a file.
      document_at = case when v.hash is null then coalesce(c.document_at, v.at) else v.at end,
      desired = coalesce(v.desired, c.desired), desired_hash = case when v.desired is null then c.desired_hash else v.hash end,
      desired_at = case when v.desired is null then c.desired_at else v.at end,
      desired_by = case when v.desired is null then c.desired_by end,
      ignored = case when v.desired is null then c.ignored else '[]' end,
      -- An incomplete one is asked for again at once.
      asked_at = case when v.again then null else c.asked_at end
    from jsonb_to_recordset(${tx.json(written)}) as v("deviceId" integer, document text, desired text, packages jsonb,
      hash text, "runningHash" text, at timestamptz, drift integer, again boolean)
    where c.device_id = v."deviceId"`
}

export const configReport = keptReport(
  config,
  ({ device, payload, receivedAt }): Said[] => [
    {
      deviceId: device.id,
      configHash: payload.configHash,
      packages: payload.packages,
      texts: payload.texts,
      at: receivedAt,
    },
  ],
  write,
)
