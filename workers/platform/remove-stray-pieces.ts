import { removeStrayPieces } from '#schema/platform/upkeep'
import { processor } from '../kit/processor.ts'

/** A file has its row within seconds of its first piece. */
const STRAY_MS = 86_400_000

export const removeStrayPiecesJob = processor(removeStrayPieces, async ({ sql, files, now }) => {
  // The files first: a row that is written meanwhile is seen.
  const keys = await files.unfinished(new Date(now().getTime() - STRAY_MS))
  if (keys.length === 0) return { removed: 0 }
  const stray = await sql<{ key: string }[]>`
    select key from unnest(${keys}::text[]) as key
    where not exists (select 1 from terminal_recordings where file_key = key)`
  for (const { key } of stray) await files.remove(key)
  return { removed: stray.length }
})
