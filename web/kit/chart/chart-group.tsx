/** The charts of one page: pointing at a time in one of them marks it in all. */
import { createContext, type ReactNode, useContext, useMemo } from 'react'

/** ms since 1970; null: nothing is marked. */
type Watcher = (at: number | null) => void
export type ChartGroup = {
  /** `by` itself is not informed: it shows the time with its values. */
  mark: (at: number | null, by: Watcher) => void
  join: (watcher: Watcher) => () => void
}

function makeGroup(): ChartGroup {
  const watchers = new Set<Watcher>()
  return {
    mark: (at, by) => {
      for (const watcher of watchers) if (watcher !== by) watcher(at)
    },
    join: (watcher) => {
      watchers.add(watcher)
      return () => {
        watchers.delete(watcher)
      }
    },
  }
}

const Group = createContext<ChartGroup | null>(null)

/** null: a single chart. */
export const useChartGroup = () => useContext(Group)

export function ChartGroupProvider({ children }: { children: ReactNode }) {
  const group = useMemo(makeGroup, [])
  return <Group value={group}>{children}</Group>
}
