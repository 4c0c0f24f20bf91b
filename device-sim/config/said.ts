import { saidBy, textOf } from '#schema/config/bind'
import type { UciSection } from '#schema/config/uci'

/** The text of an option, items of a list separated by blanks; '' without it. */
export const said = (section: UciSection | undefined, option: string): string =>
  textOf(saidBy(section, option))
