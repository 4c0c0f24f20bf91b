/** The user's list settings: hidden columns of each list, row height of all. Local storage; cleared at login [§4]. */
import { useLocalStorage } from '@mantine/hooks'
import { useMemo } from 'react'
import { fitting, type Naturals, widened } from './list-fit.ts'
import type { Column } from './list-types.ts'

/**
 * Shown columns in their declared order. The stored setting lists hidden columns, so new columns appear; without one,
 * as many columns as fit are shown.
 */
export function useColumns<R>(list: string, columns: readonly Column<R>[], room: number, naturals: Naturals) {
  const [stored, store, reset] = useLocalStorage<string[] | null>({
    key: `hidden-columns:${list}`,
    defaultValue: null,
    getInitialValueInEffect: false,
  })
  const isChosen = Array.isArray(stored)
  const wanted = useMemo(
    () => columns.filter(({ key, extra }) => (Array.isArray(stored) ? !stored.includes(key) : !extra)),
    [stored, columns],
  )
  const shown = useMemo(() => (isChosen ? wanted : fitting(wanted, room)), [isChosen, wanted, room])
  return useMemo(() => {
    const hidden = columns.filter((column) => !shown.includes(column)).map(({ key }) => key)
    return {
      shown: widened(shown, room, naturals),
      /** Also those that do not fit the window. */
      wanted,
      isShown: (key: string) => !hidden.includes(key),
      toggle: (key: string) =>
        store(hidden.includes(key) ? hidden.filter((one) => one !== key) : [...hidden, key]),
      reset,
    }
  }, [columns, shown, wanted, store, reset, room, naturals])
}

export type Density = 'compact' | 'comfortable'
export const useDensity = () =>
  useLocalStorage<Density>({ key: 'density', defaultValue: 'compact', getInitialValueInEffect: false })
