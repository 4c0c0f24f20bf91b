/** How this user likes lists: hidden columns of each list, row height of all. Local storage; a login forgets it [§4]. */
import { useLocalStorage } from '@mantine/hooks'
import type { Column } from './list-types.ts'

/** Shown columns in their declared order. A stored choice names the hidden ones, so new columns appear. */
export function useColumns<R>(list: string, columns: readonly Column<R>[]) {
  const standard = columns.filter(({ extra }) => extra).map(({ key }) => key)
  const [stored, store, reset] = useLocalStorage<string[]>({
    key: `hidden-columns:${list}`,
    defaultValue: standard,
    getInitialValueInEffect: false,
  })
  const hidden = Array.isArray(stored) ? stored : standard
  return {
    shown: columns.filter(({ key }) => !hidden.includes(key)),
    isShown: (key: string) => !hidden.includes(key),
    toggle: (key: string) =>
      store(hidden.includes(key) ? hidden.filter((one) => one !== key) : [...hidden, key]),
    reset,
  }
}

export type Density = 'compact' | 'comfortable'
export const useDensity = () =>
  useLocalStorage<Density>({ key: 'density', defaultValue: 'compact', getInitialValueInEffect: false })
