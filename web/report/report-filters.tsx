/** Filters of all reports: range, group, device or model. */

import { Select, Switch, TreeSelect } from '@mantine/core'
import { useEffect, useMemo } from 'react'
import { deviceListPermission } from '#schema/device/device-pages'
import { getGroupTree } from '#schema/group/group'
import { groupListPermission } from '#schema/group/group-pages'
import { reportRanges } from '#schema/report/report'
import { useDeviceFound, useDeviceNamed } from '../device/device-find.ts'
import { useFacet } from '../device/device-options.ts'
import { buildTree, type GroupNode, groupKey } from '../group/group-tree-model.ts'
import { t } from '../kit/i18n.ts'
import { FindField } from '../kit/list/find-field.tsx'
import { useCall } from '../kit/query.ts'
import { can } from '../kit/session.ts'
import { RangePicker } from './range-picker.tsx'
import classes from './report.module.css'
import type { ReportChange, ReportState } from './report-state.ts'

const STALE_MS = 30_000
type Node = { value: string; label: string; children?: Node[] }
const toNode = ({ key, name, children }: GroupNode): Node => ({
  value: key,
  label: name,
  ...(children.length > 0 ? { children: children.map(toNode) } : {}),
})

function useGroups(): { nodes: Node[]; names: ReadonlyMap<string, string> } {
  const tree = useCall(getGroupTree, {}, { staleMs: STALE_MS, enabled: can(groupListPermission) })
  return useMemo(
    () => ({
      nodes: tree.data ? buildTree(tree.data).map(toNode) : [],
      names: new Map((tree.data?.list ?? []).map(({ gid, groupName }) => [String(gid), groupName])),
    }),
    [tree.data],
  )
}

type Props = {
  state: ReportState
  onChange: ReportChange
  onDescribe: (described: string) => void
  noPrevious?: boolean
}

/** `noPrevious`: for a report without comparison. */
export function ReportFilters({ state, onChange, onDescribe, noPrevious = false }: Props) {
  const { nodes, names } = useGroups()
  const models = useFacet('models')
  const device = useDeviceNamed(state.deviceId)
  const described = [
    state.groupId
      ? t('kit:labelled', { label: t('report:group'), text: names.get(state.groupId) ?? state.groupId })
      : '',
    state.model ? t('kit:labelled', { label: t('report:model'), text: state.model }) : '',
    state.deviceId
      ? t('kit:labelled', { label: t('report:device'), text: device?.label ?? `#${state.deviceId}` })
      : '',
  ]
    .filter(Boolean)
    .join(' · ')
  useEffect(() => onDescribe(described), [described, onDescribe])
  return (
    <div className={classes['filters']} role="toolbar" aria-label={t('report:filters')}>
      <RangePicker ranges={reportRanges} state={state} onChange={onChange} />
      {can(groupListPermission) ? (
        <TreeSelect
          // Mounted again when the nodes are loaded, because then the expanded groups are determined.
          key={nodes.length}
          aria-label={t('report:group')}
          placeholder={t('report:allGroups')}
          data={nodes}
          value={state.groupId ? groupKey(state.groupId) : null}
          // Customers cannot be selected, only groups.
          onChange={(key) => onChange({ groupId: key?.startsWith('g') ? key.slice(1) : null })}
          searchable
          clearable
          defaultExpandAll={nodes.length < 20}
          nothingFoundMessage={t('list:noMatch')}
          chevronAriaLabels={{ expand: t('report:expand'), collapse: t('report:collapse') }}
          comboboxProps={{ width: 300, position: 'bottom-start' }}
          w={{ base: undefined, sm: 140 }}
        />
      ) : null}
      {can(deviceListPermission) ? (
        <>
          <Select
            aria-label={t('report:model')}
            placeholder={t('report:allModels')}
            data={[...models]}
            value={state.model || null}
            onChange={(model) => onChange({ model })}
            clearable
            searchable={models.length > 8}
            nothingFoundMessage={t('list:noMatch')}
            w={{ base: undefined, sm: 140 }}
          />
          <FindField
            aria-label={t('report:device')}
            placeholder={t('report:allDevices')}
            useFound={useDeviceFound}
            known={device}
            value={state.deviceId || null}
            onChange={(deviceId) => onChange({ deviceId: deviceId === null ? null : String(deviceId) })}
            w={{ base: undefined, sm: 150 }}
          />
        </>
      ) : null}
      <div data-end>
        {noPrevious ? null : (
          <Switch
            label={t('report:previous')}
            checked={state.previous}
            onChange={(event) => onChange({ previous: event.currentTarget.checked || null })}
          />
        )}
        <Switch
          label={t('report:table')}
          checked={state.table}
          onChange={(event) => onChange({ table: event.currentTarget.checked || null })}
        />
      </div>
    </div>
  )
}
