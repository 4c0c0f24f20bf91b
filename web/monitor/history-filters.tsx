import { MultiSelect, SegmentedControl, Select, Switch } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { getHistoryChoices, historyFigures, historySteps, SERIES_MAX } from '#schema/monitor/variable-history'
import { MomentField } from '../kit/form/date-field.tsx'
import { pills } from '../kit/form/pills.ts'
import { t } from '../kit/i18n.ts'
import { SEARCH_PAUSE_MS } from '../kit/list/list-state.ts'
import { useCall } from '../kit/query.ts'
import reportClasses from '../report/report.module.css'
import {
  type HistoryState,
  historyRanges,
  idsOf,
  keyOf,
  localMs,
  pairsOf,
  stepFor,
  stepOf,
  type useHistoryState,
  withUnseen,
} from './history-state.ts'
import classes from './monitor.module.css'
import { nameWithUnit } from './variable-columns.tsx'

type Change = ReturnType<typeof useHistoryState>[1]
type Props = { state: HistoryState; onChange: Change }

function SeriesField({ state, onChange }: Props) {
  const [search, setSearch] = useState('')
  const [typed] = useDebouncedValue(search, SEARCH_PAUSE_MS)
  const chosen = pairsOf(state.series)
  const found = useCall(
    getHistoryChoices,
    { ...idsOf(chosen), ...(typed ? { search: typed } : {}) },
    { keepPrevious: true },
  )
  const seen = (found.data?.list ?? []).map((one) => ({
    value: keyOf(one),
    // The distinguishing part first: a chip on a phone is cut.
    label: `${nameWithUnit({ name: one.variableName, unit: one.unit })} · ${one.terminalName} · ${one.deviceName}`,
  }))
  // A link may name variables that its reader may not see.
  const data = found.data ? withUnseen(seen, chosen.map(keyOf), t('variable-history:unseen')) : []
  return (
    <MultiSelect
      className={classes['series']}
      aria-label={t('variable-history:series')}
      placeholder={chosen.length === 0 ? t('variable-history:choose') : undefined}
      data={data}
      value={data.length > 0 ? chosen.map(keyOf) : []}
      onChange={(next) => void onChange({ series: next.join(',') || null, zoom: null })}
      maxValues={SERIES_MAX}
      searchable
      clearable
      hidePickedOptions
      classNames={pills}
      searchValue={search}
      onSearchChange={setSearch}
      nothingFoundMessage={t('list:noMatch')}
    />
  )
}

export function HistoryFilters({ state, onChange }: Props) {
  return (
    <div className={classes['filters']}>
      <SeriesField state={state} onChange={onChange} />
      <div className={reportClasses['ranges']}>
        <SegmentedControl
          aria-label={t('report:range.label')}
          value={state.range}
          data={historyRanges.map((value) => ({ value, label: t(`variable-history:range.${value}`) }))}
          onChange={(value) => {
            const range = historyRanges.find((one) => one === value)
            if (range) void onChange({ range, step: stepOf[range], zoom: null })
          }}
        />
      </div>
      {state.range === 'custom'
        ? (['from', 'to'] as const).map((name) => (
            <MomentField
              key={name}
              w={180}
              aria-label={t(`report:${name}`)}
              value={state[name]}
              onChange={(moment) => {
                const range = { from: state.from, to: state.to, [name]: moment }
                const length = localMs(range.to) - localMs(range.from)
                void onChange({ ...range, zoom: null, ...(length > 0 ? { step: stepFor(length) } : {}) })
              }}
            />
          ))
        : null}
      <Select
        w={150}
        aria-label={t('variable-history:step.label')}
        data={historySteps.map((value) => ({ value, label: t(`variable-history:step.${value}`) }))}
        value={state.step}
        allowDeselect={false}
        onChange={(value) => {
          const step = historySteps.find((one) => one === value)
          if (step) void onChange({ step, zoom: null })
        }}
      />
      {state.step === 'raw' ? null : (
        <Select
          w={220}
          aria-label={t('variable-history:figure.label')}
          data={historyFigures.map((value) => ({ value, label: t(`variable-history:figure.${value}`) }))}
          value={state.figure}
          allowDeselect={false}
          onChange={(value) => {
            const figure = historyFigures.find((one) => one === value)
            if (figure) void onChange({ figure })
          }}
        />
      )}
      {state.step === 'raw' || state.table ? null : (
        <Switch
          my="auto"
          label={t('report:previous')}
          checked={state.previous}
          onChange={(event) => void onChange({ previous: event.currentTarget.checked || null })}
        />
      )}
      <SegmentedControl
        aria-label={t('variable-history:view.label')}
        value={state.table ? 'table' : 'chart'}
        data={(['chart', 'table'] as const).map((value) => ({
          value,
          label: t(`variable-history:view.${value}`),
        }))}
        onChange={(value) => void onChange({ table: value === 'table' })}
      />
    </div>
  )
}
