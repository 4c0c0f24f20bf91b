/** The form of a project: used by the list of projects and by the fast access wizard. */
import { NumberInput, Text } from '@mantine/core'
import { fristLevelGroup } from '#schema/group/group'
import { getProjectHistory } from '#schema/monitor/project'
import { projectTypes } from '#schema/monitor/project-types'
import type { Drawn, Field } from '../kit/form/form-model.ts'
import { bytes } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import type { Option } from '../kit/list/list-types.ts'
import { useCall } from '../kit/query.ts'
import { serverNow } from '../kit/server/server-clock.ts'
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

/* How long samples are kept: what there is, and what a shorter time deletes. */

const DAY_MS = 86_400_000

const drawnFor = (projectId: number | null) =>
  function HistoryDays({ name, label, hint, value, error, set }: Drawn) {
    const { data } = useCall(
      getProjectHistory,
      { projectId: projectId ?? 0 },
      { enabled: projectId !== null, staleMs: 60_000 },
    )
    const days = Number(value) || null
    // As the upkeep does it: whole days of UTC.
    const oldest = days === null ? '' : new Date(serverNow() - days * DAY_MS).toISOString().slice(0, 10)
    const sum = (rows: readonly { bytes: number }[]) => rows.reduce((all, row) => all + row.bytes, 0)
    const freed = sum((data?.days ?? []).filter(({ day }) => day < oldest))
    return (
      <>
        <NumberInput
          data-path={name}
          label={label}
          description={hint}
          error={error}
          value={value === null || value === undefined ? '' : (value as number | string)}
          onChange={set}
          placeholder={data ? t('project:history.platform', { count: data.platformDays }) : ''}
          // A value out of bounds is refused, not silently changed: a shorter time deletes samples.
          clampBehavior="none"
          allowDecimal={false}
          suffix={` ${t('project:history.unit')}`}
          hideControls
        />
        {data && (
          <Text size="sm" c="dimmed">
            {data.days.length === 0
              ? t('project:history.none')
              : t('project:history.now', { bytes: bytes(sum(data.days)), count: data.days.length })}
          </Text>
        )}
        {freed > 0 && (
          <Text size="sm" c="var(--critical)" role="status">
            {t('project:history.frees', { bytes: bytes(freed), day: oldest })}
          </Text>
        )}
      </>
    )
  }

/** One component for each project: a new one at each render would lose the focus. */
const made = new Map<number | null, ReturnType<typeof drawnFor>>()

/** @param projectId null: of a new project, which has nothing yet */
function historyDaysField(projectId: number | null) {
  const known = made.get(projectId) ?? drawnFor(projectId)
  made.set(projectId, known)
  return known
}

/** @param id null: a new one; a project keeps its group */
export const projectFields = (id: number | null): readonly Field[] => [
  { name: 'name', required: true },
  ...(id === null ? [{ name: 'groupId', required: true, useOptions: useGroupOptions } as const] : []),
  { name: 'type', required: true },
  { name: 'userId', useOptions: useUserOptions },
  { name: 'historyDays', hint: 'project:hint.historyDays', Draw: historyDaysField(id) },
]
