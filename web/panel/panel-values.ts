/** The newest values of what a panel shows, kept up to date by the stream of the tab. */
import { useMemo } from 'react'
import { getVariableValues } from '#schema/monitor/variable-values'
import { useCall } from '../kit/query.ts'
import type { Value } from '../monitor/variable-value.tsx'
import type { Variable, Widget } from './panel-draft.ts'

const REFRESH_S = 10

export const keyOf = ({ terminalId, variableId }: Pick<Variable, 'terminalId' | 'variableId'>) =>
  `${terminalId}.${variableId}`

export type Values = {
  /** undefined: not known yet; null: it is deleted, or the viewer may not see it. */
  of: (variable: Pick<Variable, 'terminalId' | 'variableId'>) => Value | null | undefined
}

/** Each variable once, in an order that does not depend on positions. */
export function pairsOf(widgets: readonly Widget[]) {
  const pairs = new Map(widgets.flatMap(({ variables }) => variables.map((one) => [keyOf(one), one])))
  return [...pairs.keys()].sort().flatMap((key) => pairs.get(key) ?? [])
}

export function usePanelValues(projectId: number, widgets: readonly Widget[]) {
  const pairs = pairsOf(widgets)
  const read = useCall(
    getVariableValues,
    {
      projectId,
      terminalIds: pairs.map(({ terminalId }) => terminalId),
      variableIds: pairs.map(({ variableId }) => variableId),
      limit: Math.max(1, pairs.length),
    },
    { enabled: pairs.length > 0, refreshS: REFRESH_S, keepPrevious: true },
  )
  const list = read.data?.list
  const isOld = read.isPlaceholderData
  const values = useMemo((): Values => {
    const known = new Map(list?.map((row) => [keyOf(row), row]))
    // The result of another query does not mean that variables are missing.
    return { of: (variable) => known.get(keyOf(variable)) ?? (list && !isOld ? null : undefined) }
  }, [list, isOld])
  return { read, values }
}
