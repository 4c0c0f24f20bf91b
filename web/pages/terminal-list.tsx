import { terminalScreen } from '#schema/device/terminal'
import type { Word } from '#schema/kit/words.gen'
import { groupFilter } from '../monitor/place-filters.ts'
import { terminalPage } from '../monitor/terminal-page.tsx'

export const words: readonly Word[] = ['terminal', 'variable']

export const Page = terminalPage(terminalScreen, [groupFilter])
