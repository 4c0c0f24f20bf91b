/** Filters of the lists of Cloud Monitoring: by project and by group, or by one device or terminal that a link names. */

import { getTerminalList, terminalListPermission } from '#schema/device/terminal'
import { getProjectList, projectListPermission } from '#schema/monitor/project'
import { ofGroups } from '../device/device-options.ts'
import type { Filter, Option, Row } from '../kit/list/list-types.ts'
import { useCall } from '../kit/query.ts'
import { can } from '../kit/session.ts'

const STALE_MS = 30_000
const PROJECTS_MAX = 500

export function useProjectOptions(): readonly Option[] {
  const projects = useCall(
    getProjectList,
    { limit: PROJECTS_MAX },
    { enabled: can(projectListPermission), staleMs: STALE_MS },
  )
  return (projects.data?.list ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
}

/** For a filter by project: shown to users who may see projects. */
export const ofProjects = { useOptions: useProjectOptions, when: () => can(projectListPermission) }

export const groupFilter: Filter = { key: 'groupId', label: 'variable:field.group', width: 150, ...ofGroups }
export const placeFilters: readonly Filter[] = [
  { key: 'projectId', label: 'variable:field.project', width: 150, ...ofProjects },
  groupFilter,
]

const TERMINALS_MAX = 1_000
const FOUND = 20

const terminalOption = ({ id, name, deviceSn }: Row<typeof getTerminalList>): Option => ({
  value: String(id),
  label: `${name} · ${deviceSn}`,
})

/** Searched on the server, however many there are, of a project or of all. */
export const foundTerminalsOf = (projectId?: number) =>
  function useFoundTerminals(search: string): readonly Option[] {
    const found = useCall(
      getTerminalList,
      { ...(projectId === undefined ? {} : { projectId }), limit: FOUND, ...(search ? { search } : {}) },
      { enabled: can(terminalListPermission), keepPrevious: true },
    )
    return (found.data?.list ?? []).map(terminalOption)
  }

/** The terminals by name, with their device, as far as they are read at once: to name a chosen one. */
export function useNamedTerminal(): readonly Option[] {
  const terminals = useCall(
    getTerminalList,
    { limit: TERMINALS_MAX },
    { enabled: can(terminalListPermission), staleMs: STALE_MS },
  )
  return (terminals.data?.list ?? []).map(terminalOption)
}
