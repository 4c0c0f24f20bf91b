/** The console's pages: declared in schema, implemented in web/pages, or web/monitor-pages, in <screen name>.tsx. */

import declared from 'virtual:screens'
import type { ComponentType } from 'react'
import type { Screen } from '#schema/kit/screen'
import type { Word } from '#schema/kit/words.gen'
import { inTime } from '../kit/chunk.ts'
import { loadWords } from '../kit/i18n.ts'

type Address = { search: string; params: Readonly<Record<string, string | undefined>> }
/** `ahead`: asks for what the page shows first, before it is drawn. */
type PageComponent = ComponentType & { ahead?: (search: string, params: Address['params']) => void }
/** What a page file exports. */
export type PageModule = { Page: PageComponent; words: readonly Word[] }

const files = import.meta.glob<PageModule>([
  '../pages/*.tsx',
  '../monitor-pages/*.tsx',
  '!../pages/*.test.tsx',
])

const fileOf = ({ name }: Screen) => files[`../pages/${name}.tsx`] ?? files[`../monitor-pages/${name}.tsx`]

/** Screens inside the shell, each with a page file. */
export const screens: readonly Screen[] = declared.filter(
  (screen) => screen.name !== 'login' && fileOf(screen) !== undefined,
)

const ready = new Map<string, PageComponent>()
/** The component, loaded by the guard before the shell renders it. */
export const pageOf = (name: string) => ready.get(name)

/** Loads a page's code and texts. Repeated calls cost nothing. With its address, also what it shows first. */
export async function loadPage(screen: Screen, address?: Address): Promise<void> {
  const known = ready.get(screen.name)
  if (known) return address && known.ahead?.(address.search, address.params)
  const load = fileOf(screen)
  if (!load) throw new Error(`no page for the screen ${screen.name}`)
  const { Page, words } = await inTime(load)
  if (address) Page.ahead?.(address.search, address.params)
  await loadWords(words)
  ready.set(screen.name, Page)
}
