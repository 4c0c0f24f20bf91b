import { Button, CloseButton, SegmentedControl, Stack, TextInput, UnstyledButton } from '@mantine/core'
import { IconCheck, IconClipboardCheck, IconFilter, IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { ALARMS_AT_ONCE, alarmHandlePermission, getAlarmFacets, type getAlarmList } from '#schema/alarm/alarm'
import { severities } from '#schema/alarm/alarm-kind'
import type { ReplyOf } from '#schema/kit/call'
import { SEARCH_MAX } from '#schema/kit/list'
import { useDeviceNamed } from '../device/device-find.ts'
import { ActionButton } from '../kit/action-button.tsx'
import { Drawer } from '../kit/dialog.tsx'
import { number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { QuietSelect } from '../kit/light/quiet-select.tsx'
import { useSearchText } from '../kit/list/list-state.ts'
import { useNarrow } from '../kit/narrow.ts'
import { useCall } from '../kit/query.ts'
import classes from './alarm.module.css'
import { canAcknowledge } from './alarm-acknowledge.ts'
import type { AlarmRow } from './alarm-chips.tsx'
import { SeverityChip } from './alarm-mark.tsx'

export const alarmStates = ['active', 'cleared', 'all'] as const
export const groupings = ['none', 'device', 'rule'] as const
export type AlarmFilter = {
  state: string
  ack: string
  severity: string
  ruleId: string
  groupId: string
  deviceId: string
  incidentId: string
  search: string
  by: string
}
type Change = (change: Partial<AlarmFilter>) => void
const FACET_REFRESH_S = 20

type Props = { filter: AlarmFilter; onChange: Change }

/** Only the values that occur, the most frequent first. */
function Choices({ filter, onChange, width }: Props & { width: number | string }) {
  const facets = useCall(getAlarmFacets, {}, { refreshS: FACET_REFRESH_S, keepPrevious: true })
  // A link may name a device that has no alarm any more.
  const device = useDeviceNamed(filter.deviceId || null)
  return (
    [
      ['ruleId', 'rules'],
      ['groupId', 'groups'],
      ['deviceId', 'devices'],
    ] as const
  ).map(([key, list]) => {
    const data = (facets.data?.[list] ?? []).map(({ value, label }) => ({
      value,
      label,
    }))
    const value = filter[key]
    const label = (key === 'deviceId' && device?.label) || `#${value}`
    return (
      <QuietSelect
        key={key}
        w={width}
        size="sm"
        aria-label={t(`alarm:facet.${list}`)}
        placeholder={t(`alarm:facet.${list}`)}
        data={value && !data.some((one) => one.value === value) ? [...data, { value, label }] : data}
        value={value || null}
        onChange={(next) => onChange({ [key]: next ?? '' })}
        clearable
        searchable
        nothingFoundMessage={t('list:noMatch')}
        comboboxProps={{ width: width === '100%' ? 'target' : 'max-content', position: 'bottom-start' }}
      />
    )
  })
}

const Grouping = ({ filter, onChange }: Props) => (
  <SegmentedControl
    size="xs"
    aria-label={t('alarm:by.label')}
    data={groupings.map((value) => ({ value, label: t(`alarm:by.${value}`) }))}
    value={filter.by}
    onChange={(by) => onChange({ by })}
  />
)

/** In narrow windows the filters are in a sheet. */
function ChoiceSheet(props: Props) {
  const { ruleId, groupId, deviceId, by } = props.filter
  const [open, setOpen] = useState(false)
  const active = [ruleId, groupId, deviceId, by === 'none' ? '' : by].filter((value) => value !== '').length
  return (
    <>
      <Button
        variant={active > 0 ? 'light' : 'default'}
        leftSection={<IconFilter size={16} stroke={1.5} />}
        aria-expanded={open}
        onClick={() => setOpen(true)}
      >
        {t('list:filters')}
        {active > 0 ? ` ${active}` : ''}
      </Button>
      <Drawer
        opened={open}
        onClose={() => setOpen(false)}
        position="bottom"
        size={300}
        title={t('list:filters')}
      >
        <Stack gap="sm" pb="md">
          <Choices {...props} width="100%" />
          <Grouping {...props} />
        </Stack>
      </Drawer>
    </>
  )
}

/** From the response that holds the rows; undefined until it is there. */
type Counted = ReplyOf<typeof getAlarmList>['severities'] | undefined

/** Severities as buttons, the others as selects. */
export function AlarmFacets({ filter, onChange, severities: counted }: Props & { severities: Counted }) {
  const counts = new Map(counted?.map(({ value, count }) => [value, count]))
  const narrow = useNarrow()
  return (
    <div className={classes['facets']}>
      {severities.map((severity) => (
        <UnstyledButton
          key={severity}
          className={classes['facet']}
          aria-pressed={filter.severity === severity}
          onClick={() => onChange({ severity: filter.severity === severity ? '' : severity })}
        >
          <SeverityChip severity={severity} />
          {counted ? number(counts.get(severity) ?? 0) : null}
        </UnstyledButton>
      ))}
      {narrow ? (
        <ChoiceSheet filter={filter} onChange={onChange} />
      ) : (
        <Choices filter={filter} onChange={onChange} width={170} />
      )}
    </div>
  )
}

export function AlarmTools({ filter, onChange }: Props) {
  const [text, setText] = useSearchText(filter.search, (search) => onChange({ search }))
  const narrow = useNarrow()
  return (
    <div className={classes['tools']} role="toolbar" aria-label={t('list:toolbar')}>
      <TextInput
        className={classes['grow']}
        type="search"
        data-list-search
        aria-label={t('alarm:search')}
        placeholder={t('alarm:search')}
        leftSection={<IconSearch size={16} stroke={1.5} />}
        maxLength={SEARCH_MAX}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <SegmentedControl
        size="xs"
        aria-label={t('alarm:field.state')}
        data={alarmStates.map((value) => ({ value, label: t(`alarm:show.${value}`) }))}
        value={filter.state}
        onChange={(state) => onChange({ state })}
      />
      <QuietSelect
        className={classes['ack']}
        aria-label={t('alarm:field.ack')}
        placeholder={t('alarm:field.ack')}
        data={[
          { value: 'open', label: t('alarm:ack.open') },
          { value: 'acknowledged', label: t('alarm:ack.acknowledged') },
        ]}
        value={filter.ack || null}
        onChange={(ack) => onChange({ ack: ack ?? '' })}
        clearable
      />
      {narrow ? null : <Grouping filter={filter} onChange={onChange} />}
    </div>
  )
}

/** What was handled before is left out, or the server refuses all: its note is not overwritten. */
export const toHandle = (rows: readonly AlarmRow[]) => rows.filter(({ handledAt }) => !handledAt)

type BulkProps = {
  rows: readonly AlarmRow[]
  /** How many match the filter, if all of the page are selected; else 0. */
  matching: number
  busy: boolean
  onMatching: () => void
  onClear: () => void
  onAcknowledge: () => void
  onHandle: () => void
}
export function AlarmBulk({ rows, matching, busy, onMatching, onClear, onAcknowledge, onHandle }: BulkProps) {
  const open = rows.filter(canAcknowledge).length
  const unhandled = toHandle(rows).length
  const most = Math.min(matching, ALARMS_AT_ONCE)
  return (
    <div className={classes['tools']} data-bulk role="toolbar" aria-label={t('list:bulkBar')}>
      <CloseButton aria-label={t('list:clearSelection')} onClick={onClear} />
      <strong aria-live="polite">{t('list:selected', { count: rows.length })}</strong>
      {most > rows.length ? (
        <Button variant="subtle" size="compact-sm" loading={busy} onClick={onMatching}>
          {most < matching
            ? t('alarm:selectNewest', { shown: number(most), total: number(matching) })
            : t('list:selectAll', { count: matching })}
        </Button>
      ) : null}
      <ActionButton
        icon={IconClipboardCheck}
        label={t('list:bulkAll', { verb: t('alarm:handle.verb'), count: unhandled })}
        permission={alarmHandlePermission}
        reason={unhandled === 0 ? t('alarm:handle.none') : null}
        onPress={onHandle}
      />
      <ActionButton
        rank="primary"
        icon={IconCheck}
        label={t('list:bulkAll', { verb: t('alarm:acknowledge.verb'), count: open })}
        permission={alarmHandlePermission}
        reason={open === 0 ? t('alarm:acknowledge.none') : null}
        onPress={onAcknowledge}
      />
    </div>
  )
}

export const FreshBar = ({ count, onShow }: { count: number; onShow: () => void }) =>
  count > 0 ? (
    <UnstyledButton className={classes['fresh']} onClick={onShow} aria-live="polite">
      {t('alarm:fresh', { count })}
    </UnstyledButton>
  ) : null

export const KeyHelp = () => (
  <div className={classes['keys']}>
    {(['move', 'select', 'acknowledge', 'handle'] as const).map((key) => (
      <span key={key}>
        {{ move: ['J', 'K'], select: ['X'], acknowledge: ['E'], handle: ['H'] }[key].map((cap) => (
          <kbd key={cap}>{cap}</kbd>
        ))}{' '}
        {t(`alarm:keys.${key}`)}
      </span>
    ))}
  </div>
)

export const ClearFilters = ({ onClear }: { onClear: () => void }) => (
  <Button variant="default" onClick={onClear}>
    {t('list:clearFilters')}
  </Button>
)
