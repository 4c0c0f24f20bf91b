/** The differences between two backups, file by file. Pure. */
import { structuredPatch } from 'diff'
import type { getBackupFiles } from '#schema/device/backup'
import type { ReplyOf } from '#schema/kit/call'

type File = ReplyOf<typeof getBackupFiles>['files'][number]
export type DiffLine = { kind: 'added' | 'removed' | 'same' | 'hunk'; text: string }
export type FileFacts = Pick<File, 'sizeBytes' | 'sha256'>
export type FileDiff = {
  path: string
  change: 'added' | 'removed' | 'changed'
  /** null: binary or too large to show; only sizes and hashes can be compared. */
  lines: DiffLine[] | null
  before: FileFacts | null
  after: FileFacts | null
}

/** Limit of the edit distance: comparing two completely different files would take the browser too long. */
const EDITS_MAX = 4_000
const CONTEXT = 3

function linesOf(path: string, before: string, after: string): DiffLine[] | null {
  const patch = structuredPatch(path, path, before, after, '', '', {
    context: CONTEXT,
    maxEditLength: EDITS_MAX,
  })
  if (!patch) return null
  return patch.hunks.flatMap((hunk) => [
    { kind: 'hunk', text: `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@` },
    ...hunk.lines.map(
      (text): DiffLine => ({
        kind: text.startsWith('+') ? 'added' : text.startsWith('-') ? 'removed' : 'same',
        text,
      }),
    ),
  ])
}

const factsOf = (file: File | undefined): FileFacts | null =>
  file ? { sizeBytes: file.sizeBytes, sha256: file.sha256 } : null

/** Equal files are left out. */
export function compareFiles(before: readonly File[], after: readonly File[]): FileDiff[] {
  const [olds, news] = [before, after].map((files) => new Map(files.map((file) => [file.path, file])))
  const paths = [...new Set([...before, ...after].map(({ path }) => path))].toSorted()
  return paths.flatMap((path): FileDiff[] => {
    const [old, now] = [olds?.get(path), news?.get(path)]
    if (old && now && old.sha256 === now.sha256) return []
    const change = old ? (now ? 'changed' : 'removed') : 'added'
    const readable = (old === undefined || old.text !== null) && (now === undefined || now.text !== null)
    const lines = readable ? linesOf(path, old?.text ?? '', now?.text ?? '') : null
    return [{ path, change, lines, before: factsOf(old), after: factsOf(now) }]
  })
}
