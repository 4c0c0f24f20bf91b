import { createHash } from 'node:crypto'
import type { UciDoc } from '#schema/config/uci'
import { diffUci } from '#schema/config/uci-diff'
import type { DeviceConfig } from './load-config.ts'
import type { Edits } from './load-edits.ts'
import { shownChanges } from './shown-changes.ts'

/**
 * Identifies what a review shows: the changes, and the edits behind them, since of passwords only the edit is seen. Another one means
 * that somebody has edited, or the device has changed, after the review.
 */
export function reviewedEdits(
  { doc }: Pick<DeviceConfig, 'doc'>,
  { drafts, imported }: Pick<Edits, 'drafts' | 'imported'>,
  after: UciDoc,
): string {
  const edits = drafts.map(({ page, edition }) => [page, edition])
  const seen = JSON.stringify([shownChanges(diffUci(doc, after)), edits, imported?.edition ?? null])
  return createHash('sha256').update(seen).digest('base64url').slice(0, 16)
}
