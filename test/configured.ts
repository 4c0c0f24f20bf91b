/** Devices with a configuration, as rows, for tests of the api. */

import { sealTexts } from '#infra/config/config-store'
import { configHash, packageHash } from '#infra/config-hash'
import type { Context } from '#infra/context'
import { sampleDoc } from '#schema/config/sample-doc'
import { exportUci, type UciDoc } from '#schema/config/uci'

const textsOf = (doc: UciDoc) =>
  Object.fromEntries(Object.values(doc).map((one) => [one.name, exportUci(one)]))
const hashesOf = (texts: Record<string, string>) =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, packageHash(text)]))

/** The device runs `doc`, and the platform has read it; `desired`: what was set, if something else. */
export async function configure(
  { sql, env }: Pick<Context, 'sql' | 'env'>,
  deviceId: number,
  { doc = sampleDoc, desired, drift = 0 }: { doc?: UciDoc; desired?: UciDoc; drift?: number } = {},
): Promise<void> {
  const texts = textsOf(doc)
  const packages = hashesOf(texts)
  const hash = configHash(packages)
  const wanted = desired ? textsOf(desired) : null
  await sql`delete from device_configs where device_id = ${deviceId}`
  await sql`delete from config_drafts where device_id = ${deviceId}`
  await sql`
    insert into device_configs (device_id, level, abilities, running_hash, document_hash, document, packages, document_at,
      desired, desired_hash, drift)
    values (${deviceId}, 1, '["wifi","mobile"]', ${hash}, ${hash}, ${sealTexts(texts, env.JWT_SECRET)}, ${sql.json(packages)}, now(),
      ${wanted && sealTexts(wanted, env.JWT_SECRET)}, ${wanted && configHash(hashesOf(wanted))}, ${drift})`
}
