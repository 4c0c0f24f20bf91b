/** What the guard must know to restore a configuration, in flash: it survives the agent, a reboot and a power cut. */
import type { FileRow } from '../store.ts'

export type Journal = {
  readonly commandId: string
  readonly revision: number
  /** What each touched file was before. */
  readonly before: readonly FileRow[]
  /** The hash of each package that was applied; null: removed. */
  readonly applied: Readonly<Record<string, string | null>>
  /** Restored by a boot; the command is not answered yet. */
  readonly reverted?: string
}
