import type { Screen } from '#schema/kit/screen'
import { tOr } from '../i18n.ts'

/** The title of a page, in the menu, on its tab and above it; for one of a later version its name. */
export const screenTitle = ({ name }: Pick<Screen, 'name'>): string => tOr(`screen:${name}`, name)

/** Title of a page about one thing: the thing first, since a tab shows the beginning only and several are open at once. */
export const pageOf = (thing: string, screen: Pick<Screen, 'name'>): string =>
  `${thing} · ${screenTitle(screen)}`
