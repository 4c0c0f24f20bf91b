/** Configurations that were encrypted with another JWT_SECRET are read again from the devices. */
import { ifReadable, unseal } from '#infra/secrets'
import type { Transaction, WorkerContext } from '../kit/processor.ts'

const AT_ONCE = 100

type Foreign = { id: number; document: string }

/**
 * Unless the device has reported meanwhile. What is stored stays until the device replaces it: this room may have the
 * wrong key by mistake.
 */
export const readAgain = (sql: WorkerContext['sql'] | Transaction, foreign: readonly Foreign[]) => sql`
  update device_configs c set document_hash = null, asked_at = null
  from jsonb_to_recordset(${sql.json([...foreign])}) as v(id integer, document text)
  where c.device_id = v.id and c.document = v.document`

const checked = new WeakSet<object>()

/**
 * Once for each process, whose key does not change. An installation has one key: if the first devices can be read,
 * so can the others, and if not, all are looked at. Those that are to be read anyway say nothing: under a wrong key, which
 * was corrected since, all got their turn, and only some were read.
 */
export async function rereadConfigs({ sql, env, log }: WorkerContext): Promise<void> {
  if (checked.has(env)) return
  let unread = 0
  for (let after = 0; ; ) {
    const rows = await sql<Foreign[]>`
      select device_id as id, document from device_configs
      where document is not null and document_hash is not null and device_id > ${after}
      order by device_id limit ${AT_ONCE}`
    const foreign = rows.filter(({ document }) => ifReadable(() => unseal(document, env.JWT_SECRET)) === null)
    if (foreign.length === 0) break
    await readAgain(sql, foreign)
    unread += foreign.length
    after = foreign.at(-1)?.id ?? after
  }
  checked.add(env)
  if (unread > 0)
    log.error(
      { devices: unread },
      'secrets are encrypted with another JWT_SECRET: configurations are read again, the rest cannot be read',
    )
}
