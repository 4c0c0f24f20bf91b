import { downloadPassword, downloadSignature } from '#infra/secrets'
import type { PackageType } from '#schema/task/package'
import { offer } from '#schema/task/task'
import type { Told } from '../inbox/batch-state.ts'
import type { WorkerContext } from '../kit/processor.ts'

export type OfferRow = {
  id: string
  deviceId: number
  sn: string
  type: PackageType
  packageName: string
  model: string
  version: string
  sizeBytes: number
  sha256: string
  md5: string
  keepConfig: boolean
  server: string | null
}

/** A download link outlives a slow night, and dies with its item anyway. */
const LINK_MS = 24 * 3_600_000

export function makeOffer(ctx: Pick<WorkerContext, 'env' | 'now'>, row: OfferRow): Told {
  const expiresAt = ctx.now().getTime() + LINK_MS
  const { JWT_SECRET, PUBLIC_URL } = ctx.env
  const sig = downloadSignature(JWT_SECRET, row.id, row.sn, expiresAt)
  return {
    sn: row.sn,
    message: offer,
    payload: {
      item: row.id,
      type: row.type,
      name: row.packageName,
      model: row.model,
      version: row.version,
      url: `${row.server ?? PUBLIC_URL}/files/${row.id}?expires=${expiresAt}&sig=${sig}`,
      username: row.sn,
      password: downloadPassword(JWT_SECRET, row.id),
      expiresAt,
      sizeBytes: row.sizeBytes,
      sha256: row.sha256,
      md5: row.md5,
      keepConfig: row.keepConfig,
    },
  }
}
