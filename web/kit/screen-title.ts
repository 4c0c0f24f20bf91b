import type { Screen } from '#schema/kit/screen'
import { tOr } from './i18n.ts'

/** What a page is called, in the menu, on its tab and above it; one of a later version by its name. */
export const screenTitle = ({ name }: Pick<Screen, 'name'>): string => tOr(`screen:${name}`, name)
