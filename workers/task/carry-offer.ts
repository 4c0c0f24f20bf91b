import { downloadPassword, downloadSignature } from '#infra/secrets'
import { cancel, offer, query } from '#schema/task/task'
import { carrier } from './carry.ts'

/** A download link outlives a slow night; it becomes invalid with its item anyway. */
const LINK_MS = 24 * 3_600_000

/** Offers a file that the device downloads and installs; a configuration file has neither model nor version. */
export const carryOffer = carrier({
  by: 'offer',
  send: (ctx, row) => {
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
        ...(row.model !== null && { model: row.model }),
        ...(row.version !== null && { version: row.version }),
        url: `${row.server ?? PUBLIC_URL}/files/${row.id}?expires=${expiresAt}&sig=${sig}`,
        username: row.sn,
        password: downloadPassword(JWT_SECRET, row.id),
        expiresAt,
        sizeBytes: row.sizeBytes,
        sha256: row.sha256,
        md5: row.md5,
        ...(row.signature !== null && { signature: row.signature }),
        keepConfig: row.keepConfig,
      },
    }
  },
  ask: ({ id, sn }) => ({ sn, message: query, payload: { item: id } }),
  callBack: ({ id, sn }) => ({ sn, message: cancel, payload: { item: id } }),
})
