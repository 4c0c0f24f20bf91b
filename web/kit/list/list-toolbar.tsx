import { Button, Checkbox, CloseButton, Menu, TextInput } from '@mantine/core'
import {
  IconColumns3,
  IconDownload,
  IconFilter,
  IconLineHeight,
  IconRefresh,
  IconSearch,
} from '@tabler/icons-react'
import { memo, type ReactNode, useState } from 'react'
import { type ListCall, SEARCH_MAX } from '#schema/kit/list'
import type { Key } from '#schema/kit/words.gen'
import { ActionIconButton } from '../action-button.tsx'
import { duration } from '../format.ts'
import { Hint } from '../hint.tsx'
import { t } from '../i18n.ts'
import classes from '../kit.module.css'
import { LateMenu } from '../light/late-menu.tsx'
import { QuietSelect } from '../light/quiet-select.tsx'
import { IconButton } from '../light/row-parts.tsx'
import type { Needed } from '../session.ts'
import { CardSort } from './card-sort.tsx'
import type { useColumns } from './list-preferences.ts'
import { useDensity } from './list-preferences.ts'
import { type ListChange, type ListState, REFRESH_CHOICES, useSearchText } from './list-state.ts'
import type { Column, Filter, FilterProps } from './list-types.ts'
import { SavedViews } from './list-views.tsx'

function FilterSelect({ filter, value: set, preset, onChange }: FilterProps) {
  const options = filter.useOptions()
  const value = set || preset
  // A value from a link may not be among the options yet; it must still be visible and clearable.
  const data =
    value === '' || options.some((one) => one.value === value)
      ? options
      : [...options, { value, label: value }]
  return (
    <QuietSelect
      w={filter.width ?? 150}
      aria-label={t(filter.label)}
      placeholder={t(filter.label)}
      data={[...data]}
      value={value === '' ? null : value}
      onChange={(next) => onChange(next ?? '')}
      // Without a choice the preset applies: there is nothing to clear then.
      clearable={set !== ''}
      searchable={data.length > 8}
      nothingFoundMessage={t('list:noMatch')}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
    />
  )
}

function RefreshMenu({
  seconds,
  busy,
  onChoose,
  onRefresh,
}: {
  seconds: number
  busy: boolean
  onChoose: (seconds: number) => void
  onRefresh: () => void
}) {
  const shown = seconds === 0 ? t('list:refreshOff') : duration(seconds, 'narrow', 1)
  const label = (s: number) => (s === 0 ? t('list:refreshNone') : t('list:refreshEvery', { seconds: s }))
  return (
    <Button.Group>
      <Hint label={t('list:refresh')}>
        <Button variant="default" px={8} aria-label={t('list:refresh')} onClick={onRefresh} loading={busy}>
          <IconRefresh size={16} stroke={1.5} />
        </Button>
      </Hint>
      <LateMenu
        button={(props) => (
          <Button
            {...props}
            variant="default"
            px={8}
            fw={400}
            aria-label={`${t('list:refreshChoice')}: ${shown}`}
          >
            {shown}
          </Button>
        )}
      >
        {REFRESH_CHOICES.map((choice) => (
          <Menu.Item key={choice} fw={choice === seconds ? 600 : 400} onClick={() => onChoose(choice)}>
            {label(choice)}
          </Menu.Item>
        ))}
      </LateMenu>
    </Button.Group>
  )
}

type Props<R> = {
  /** The name of the list's call. */
  list: string
  state: ListState
  onChange: (change: ListChange) => void
  title: string | undefined
  hint: string | undefined
  action: ReactNode
  filters: readonly Filter[]
  /** What the call takes where no filter is set. */
  presets: ListCall['presets']
  searchable: boolean
  searchPlaceholder: Key
  narrow: boolean
  columns: readonly Column<R>[]
  /** What the call sorts by. */
  sorts: readonly string[]
  chosen: ReturnType<typeof useColumns<R>>
  busy: boolean
  onRefresh: () => void
  onExport: () => void
  exporting: boolean
  exportPermission: Needed | undefined
  /** Re-rendered when permissions change, because buttons use `can`. */
  rights: ReadonlySet<number>
}

function DrawnToolbar<R>(props: Props<R>) {
  const { state, onChange, narrow, columns, chosen } = props
  const filters = props.filters.filter(({ key, when }) => when?.(state.filters[key] ?? '') ?? true)
  const [text, setText] = useSearchText(state.search, (search) => onChange({ search }))
  const [open, setOpen] = useState(false)
  const [density, setDensity] = useDensity()
  const active = filters.filter(({ key }) => state.filters[key]).length
  return (
    <div className={classes['toolbar']} role="toolbar" aria-label={t('list:toolbar')}>
      {props.title ? <h2 className={classes['toolbarTitle']}>{props.title}</h2> : null}
      {props.hint ? <span className={classes['toolbarHint']}>{props.hint}</span> : null}
      {props.searchable ? (
        <TextInput
          wrapperProps={{ 'data-grow': true }}
          data-list-search
          type="search"
          aria-label={t('list:search')}
          placeholder={t(props.searchPlaceholder)}
          // Beside many filters the field is too narrow for it.
          title={t(props.searchPlaceholder)}
          leftSection={<IconSearch size={16} stroke={1.5} />}
          rightSection={
            text === '' ? null : (
              <CloseButton
                size="sm"
                aria-label={t('list:clearSearch')}
                onClick={() => {
                  // Text that has not been searched yet would otherwise be searched after its pause.
                  setText('')
                  onChange({ search: '' })
                }}
              />
            )
          }
          maxLength={SEARCH_MAX}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      ) : null}
      {narrow && filters.length > 0 ? (
        <Button
          variant={active > 0 ? 'light' : 'default'}
          leftSection={<IconFilter size={16} stroke={1.5} />}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {active > 0 ? active : t('list:filters')}
        </Button>
      ) : null}
      {narrow ? <CardSort columns={columns} sorts={props.sorts} state={state} onChange={onChange} /> : null}
      {!narrow || open
        ? filters.map((filter) => {
            const Shown = filter.Draw ?? FilterSelect
            return (
              <Shown
                key={filter.key}
                filter={filter}
                value={state.filters[filter.key] ?? ''}
                preset={props.presets?.[filter.key] ?? ''}
                onChange={(value) => onChange({ filters: { [filter.key]: value } })}
              />
            )
          })
        : null}
      <div data-end>
        {props.action}
        <SavedViews list={props.list} state={state} onChange={onChange} narrow={narrow} />
        <RefreshMenu
          seconds={state.refresh}
          busy={props.busy}
          onChoose={(refresh) => onChange({ refresh })}
          onRefresh={props.onRefresh}
        />
        <ActionIconButton
          label={t('list:export')}
          icon={IconDownload}
          permission={props.exportPermission}
          busy={props.exporting}
          onPress={props.onExport}
        />
        {narrow ? null : (
          <>
            <ActionIconButton
              label={t(density === 'compact' ? 'list:comfortable' : 'list:compact')}
              icon={IconLineHeight}
              onPress={() => setDensity(density === 'compact' ? 'comfortable' : 'compact')}
            />
            <LateMenu
              tall
              closeOnItemClick={false}
              button={(props) => (
                <IconButton {...props} aria-label={t('list:columns')}>
                  <IconColumns3 size={16} stroke={1.5} />
                </IconButton>
              )}
            >
              {columns
                .filter(({ pinned }) => !pinned)
                .map(({ key, title }) => (
                  <Menu.Item key={key} onClick={() => chosen.toggle(key)}>
                    <Checkbox
                      label={t(title)}
                      checked={chosen.isShown(key)}
                      readOnly
                      tabIndex={-1}
                      style={{ pointerEvents: 'none' }}
                    />
                  </Menu.Item>
                ))}
              <Menu.Divider />
              <Menu.Item onClick={chosen.reset}>{t('list:columnsReset')}</Menu.Item>
            </LateMenu>
          </>
        )}
      </div>
    </div>
  )
}

/** Not re-rendered while rows are selected, polled or changed. */
export const ListToolbar = memo(DrawnToolbar) as typeof DrawnToolbar
