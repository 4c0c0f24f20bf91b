/** What a new configuration is built from: the running one, and page values. */
import type { DeviceTraits } from '#schema/config/config-page'
import type { UciDoc } from '#schema/config/uci'

type Values = Readonly<Record<string, unknown>>
/** The edited values of one page. `seen`: on which lists of rows they were made, see seen-rows.ts; absent: unknown. */
export type Edited = { page: string; changes: Values; seen?: string }
/** The document that runs, and what else a page depends on. */
export type Running = {
  doc: UciDoc
  traits: DeviceTraits
  /** Configuration level of the device; null: it has not reported one. */
  level: number | null
  /** The document that the pages are edited on, if it is not the running one: an imported text. */
  base?: UciDoc
  /** The device's last report about its wired uplinks (section `wan` of its status). */
  reportedWan?: unknown
}
