/**
 * The journal from which a configuration is restored, in flash: it survives a crash of the agent, a reboot and a power
 * cut.
 */
import type { FileRow } from '../store.ts'

export type Journal = {
  readonly commandId: string
  readonly revision: number
  /** The previous content of each changed file. */
  readonly before: readonly FileRow[]
  /** The hash of each package that was applied; null: removed. */
  readonly applied: Readonly<Record<string, string | null>>
  /** It was restored at boot; the command has no reply yet. */
  readonly reverted?: string
}
