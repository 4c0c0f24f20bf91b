import { IconPlayerSkipForward, IconTrash } from '@tabler/icons-react'
import type { Word } from '#schema/kit/words.gen'
import {
  addNorth,
  deleteNorth,
  getNorthList,
  modifyNorth,
  northEditPermission,
  northScreen,
  skipNorth,
  switchNorth,
} from '#schema/monitor/north'
import { northPlaceholders, topicPlaceholders } from '#schema/monitor/north-message'
import { request } from '../kit/api.ts'
import { Empty } from '../kit/empty.tsx'
import type { Field, FormValues } from '../kit/form/form-model.ts'
import { moment, number } from '../kit/format.ts'
import { t, textsIn } from '../kit/i18n.ts'
import { deleteRow } from '../kit/list/delete-row.ts'
import { listEditor } from '../kit/list/list-editor.tsx'
import { listPage } from '../kit/list/list-page.tsx'
import type { Column, Filter, Row } from '../kit/list/list-types.ts'
import { switchAction } from '../kit/list/switch-action.ts'
import { Mono } from '../kit/mono.tsx'
import { StatusChip } from '../kit/status-chip.tsx'
import { When } from '../kit/time.tsx'
import { sentences } from '../kit/words/sentences.ts'
import { ofProjects, useProjectOptions } from '../monitor/place-filters.ts'

export const words: readonly Word[] = ['north']

type Target = Row<typeof getNorthList>
const kindOptions = () => Object.entries(textsIn('north:kind')).map(([value, label]) => ({ value, label }))

/** By urgency: disabled by a user, rejected by the target, a part of it rejected, behind, up to date. */
function stateOf({ enabled, fault, passedLately, behindSince }: Target) {
  if (!enabled) return 'stopped'
  if (fault) return 'failing'
  if (passedLately) return 'partly'
  return behindSince ? 'behind' : 'inStep'
}
const tones = {
  stopped: 'offline',
  failing: 'critical',
  partly: 'warning',
  behind: 'pending',
  inStep: 'online',
} as const
const StateChip = ({ row }: { row: Target }) => (
  <StatusChip tone={tones[stateOf(row)]} label={stateText(row)} hint={faultText(row) || undefined} />
)
const statusText = (status: number | null) => (status === null ? '' : ` ${status}`)
function faultText(row: Target): string {
  const { fault, failures, passedAt } = row
  const now = fault
    ? t('north:why', {
        fault: t(`north:fault.${fault}`, { status: statusText(row.faultStatus) }),
        failures: t('north:failures', { count: failures }),
      })
    : ''
  const passed = passedAt
    ? t('north:passedOver', {
        count: row.passedCount,
        status: statusText(row.passedStatus),
        at: moment(passedAt),
      })
    : ''
  return sentences([now, passed])
}
const stateText = (row: Target) => t(`north:state.${stateOf(row)}`)
const contentsText = ({ values, alarms }: Target) =>
  [values ? t('north:field.values') : null, alarms ? t('north:field.alarms') : null]
    .filter(Boolean)
    .join(t('kit:comma'))

const columns: readonly Column<Target>[] = [
  { key: 'name', title: 'north:field.name', width: 180, pinned: 'left', card: 'title' },
  {
    key: 'state',
    title: 'north:field.state',
    width: 156,
    card: 'beside',
    render: (row) => <StateChip row={row} />,
    text: stateText,
  },
  {
    key: 'behindSince',
    title: 'north:field.behindSince',
    width: 150,
    render: (row) => <When at={row.behindSince} />,
  },
  {
    key: 'fault',
    title: 'north:field.fault',
    width: 220,
    prose: true,
    card: 'seldom',
    render: faultText,
    text: faultText,
  },
  { key: 'projectName', title: 'north:field.project', width: 140 },
  {
    key: 'kind',
    title: 'north:field.kind',
    width: 120,
    render: (row) => t(`north:kind.${row.kind}`),
    text: (row) => t(`north:kind.${row.kind}`),
  },
  {
    key: 'addressShown',
    title: 'north:field.address',
    width: 220,
    card: 'wide',
    render: (row) => <Mono value={row.addressShown} />,
  },
  { key: 'contents', title: 'north:field.contents', width: 130, render: contentsText, text: contentsText },
  {
    key: 'sentCount',
    title: 'north:field.sentCount',
    width: 110,
    numeric: true,
    render: (row) => number(row.sentCount),
  },
  { key: 'sentAt', title: 'north:field.sentAt', width: 150, render: (row) => <When at={row.sentAt} /> },
  {
    key: 'createdAt',
    title: 'north:field.createdAt',
    width: 160,
    extra: true,
    render: (row) => <When at={row.createdAt} absolute />,
  },
]

const filters: readonly Filter[] = [
  {
    key: 'projectId',
    label: 'north:field.project',
    ...ofProjects,
  },
  { key: 'kind', label: 'north:field.kind', useOptions: kindOptions },
]

/** A web service has neither a topic nor a user name. */
const hasTopic = (values: FormValues, row: Target | null) => (row?.kind ?? values['kind']) !== 'http'
const braces = (names: readonly string[], twice = false) =>
  names.map((name) => (twice ? `{{${name}}}` : `{${name}}`)).join(' ')

const fields = (row: Target | null): readonly (Field | string)[] => [
  ...(row
    ? []
    : ([
        { name: 'projectId', required: true, useOptions: useProjectOptions },
        { name: 'kind', required: true, choices: () => textsIn('north:kind') },
      ] satisfies Field[])),
  { name: 'name', required: true },
  {
    name: 'secretAddress',
    required: row === null,
    placeholder: row ? `${row.addressShown}/…` : 'mqtts://broker.example.com:8883',
    hint: row ? 'north:addressKept' : 'north:addressHint',
  },
  { name: 'username', when: (values) => hasTopic(values, row) },
  { name: 'password', hint: row?.hasLogin ? 'north:passwordKept' : 'north:passwordHint' },
  {
    name: 'topic',
    hint: 'north:topicHint',
    required: true,
    placeholder: `plant/${braces(topicPlaceholders.slice(0, 3)).replaceAll(' ', '/')}`,
    when: (values) => hasTopic(values, row),
  },
  'values',
  'alarms',
  { name: 'template', hint: 'north:templateHint', placeholder: braces(northPlaceholders, true) },
]

const editor = listEditor({
  list: getNorthList,
  fields,
  success: 'north:saved',
  create: {
    call: addNorth,
    title: 'north:create',
    permission: northEditPermission,
    initial: { kind: 'mqtt', values: true, alarms: true },
  },
  edit: {
    call: modifyNorth,
    title: 'north:edit',
    permission: northEditPermission,
    fixed: ({ id }) => ({ id }),
    values: (row) => ({
      name: row.name,
      secretAddress: '',
      username: row.username ?? '',
      password: '',
      topic: row.topic ?? '',
      template: row.template ?? '',
      values: row.values,
      alarms: row.alarms,
    }),
  },
})

export const Page = listPage({
  screen: northScreen,
  call: getNorthList,
  rowKey: 'id',
  columns,
  filters,
  searchPlaceholder: 'north:search',
  exportName: 'north',
  refreshS: 10,
  Actions: editor.Actions,
  rowActions: (row) => [
    editor.edit(row),
    switchAction({
      row,
      list: getNorthList,
      permission: northEditPermission,
      put: (enabled) => request(switchNorth, { id: row.id, enabled }),
      on: { verb: 'north:start', done: 'north:started' },
      off: { verb: 'north:stop', done: 'north:stopped' },
    }),
    {
      key: 'skip',
      label: t('north:skip'),
      icon: IconPlayerSkipForward,
      permission: northEditPermission,
      danger: true,
      run: () =>
        void deleteRow({
          call: skipNorth,
          body: { id: row.id },
          verb: t('north:skip'),
          title: t('north:skipTitle'),
          text: t('north:skipText', { name: row.name }),
          done: t('north:skipped', { name: row.name }),
          refreshes: [getNorthList],
        }),
    },
    {
      key: 'delete',
      label: t('kit:delete'),
      icon: IconTrash,
      permission: northEditPermission,
      danger: true,
      run: () =>
        void deleteRow({
          call: deleteNorth,
          body: { id: row.id },
          title: t('north:removeTitle'),
          text: t('north:removeText', { name: row.name }),
          done: t('north:removed', { name: row.name }),
          refreshes: [getNorthList],
        }),
    },
  ],
  empty: () => (
    <Empty title={t('north:firstTitle')} text={t('north:firstText')} action={<editor.CreateButton />} />
  ),
})
