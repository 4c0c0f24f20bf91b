/** The form of a project: used by the list of projects and by the fast access wizard. */
import { fristLevelGroup } from '#schema/group/group'
import { projectTypes } from '#schema/monitor/project-types'
import type { Field } from '../kit/form/form-model.ts'
import { t } from '../kit/i18n.ts'
import type { Option } from '../kit/list/list-types.ts'
import { useCall } from '../kit/query.ts'
import { isPlatformUser, useUserOptions } from '../people/people-options.ts'

const STALE_MS = 10_000
const GROUPS_MAX = 500

export const projectTypeOptions = (): readonly Option[] =>
  projectTypes.map((value) => ({ value, label: t(`project:type.${value}`) }))

function useGroupOptions(): readonly Option[] {
  const groups = useCall(fristLevelGroup, { pid: 0, limit: GROUPS_MAX }, { staleMs: STALE_MS })
  return (groups.data?.list ?? [])
    .filter(({ level }) => level === 1)
    .map(({ gid, groupName, customerName }) => ({
      value: String(gid),
      label: isPlatformUser() ? `${groupName} · ${customerName}` : groupName,
    }))
}

/** @param isNew a project keeps its group */
export const projectFields = (isNew: boolean): readonly Field[] => [
  { name: 'name', required: true },
  ...(isNew ? [{ name: 'groupId', required: true, useOptions: useGroupOptions } as const] : []),
  { name: 'type', required: true },
  { name: 'userId', useOptions: useUserOptions },
]
