import type { Word } from '#schema/kit/words.gen'
import { monitorTerminalScreen } from '#schema/monitor/monitor-lists'
import { placeFilters } from '../monitor/place-filters.ts'
import { terminalPage } from '../monitor/terminal-page.tsx'

export const words: readonly Word[] = ['terminal', 'variable', 'project']

export const Page = terminalPage(monitorTerminalScreen, placeFilters)
