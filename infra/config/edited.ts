/** What a new configuration is made of: the one that runs, and values of pages. */
import type { DeviceTraits } from '#schema/config/config-page'
import type { UciDoc } from '#schema/config/uci'

type Values = Readonly<Record<string, unknown>>
/** The edited values of one page. */
export type Edited = { page: string; changes: Values }
/** The document that runs, and what else a page depends on. */
export type Running = {
  doc: UciDoc
  traits: DeviceTraits
  /** Configuration level of the device; null: it has told none. */
  level: number | null
  /** What the pages are edited on, if that is not what runs: a text was imported. */
  base?: UciDoc
  /** What the device said last of its wired uplinks (section `wan` of its status). */
  reportedWan?: unknown
}
