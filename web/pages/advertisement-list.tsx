import { IconChartBar, IconTrash } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import type { Word } from '#schema/kit/words.gen'
import {
  advertisementEditPermission,
  advertisementScopes,
  advertisementScreen,
  deleteAdvertisement,
  enableAdvertisement,
  getAdvertisementList,
} from '#schema/portal/advertisement'
import { advertisementStates } from '#schema/portal/portal-schedule'
import { request } from '../kit/api.ts'
import { lazy } from '../kit/chunk.ts'
import { Empty } from '../kit/empty.tsx'
import { number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { deleteRow } from '../kit/list/delete-row.ts'
import { listPage } from '../kit/list/list-page.tsx'
import type { Column, Filter, ListContext } from '../kit/list/list-types.ts'
import { switchAction } from '../kit/list/switch-action.ts'
import { opener } from '../kit/opener.ts'
import { When } from '../kit/time.tsx'
import { StateChip } from '../portal/advertisement-chips.tsx'
import { type Advertisement, advertisementEditor } from '../portal/advertisement-editor.tsx'
import { scheduleText } from '../portal/advertisement-text.ts'
import classes from '../portal/portal.module.css'

export const words: readonly Word[] = ['advertisement', 'user', 'alarm', 'device-state']

const onText = ({ scope, groups }: Advertisement) =>
  scope === 'groups' ? groups.map(({ name }) => name).join(t('kit:comma')) : t('advertisement:scope.customer')

function devicesText({ haveCount, waitCount, unsupportedCount }: Advertisement): string {
  return [
    t('advertisement:have.of', { have: number(haveCount), all: number(haveCount + waitCount) }),
    unsupportedCount > 0 ? t('advertisement:have.unsupported', { count: unsupportedCount }) : null,
  ]
    .filter(Boolean)
    .join(' · ')
}

/** A picture that does not load leaves its grey place. */
function Picture({ url }: { url: string }) {
  const [failed, setFailed] = useState(false)
  return (
    <span className={classes['thumb']}>
      {failed ? null : <img className={classes['thumb']} src={url} alt="" onError={() => setFailed(true)} />}
    </span>
  )
}

const columns: readonly Column<Advertisement>[] = [
  {
    key: 'imageUrl',
    title: 'advertisement:field.imageId',
    width: 66,
    csv: false,
    card: 'none',
    render: (row) => <Picture key={row.imageUrl} url={row.imageUrl} />,
  },
  { key: 'name', title: 'advertisement:field.name', width: 150, pinned: 'left', card: 'title' },
  {
    key: 'state',
    title: 'advertisement:field.state',
    width: 122,
    card: 'beside',
    render: (row) => <StateChip state={row.state} />,
    text: (row) => t(`advertisement:state.${row.state}`),
  },
  { key: 'place', title: 'advertisement:field.place', width: 72, numeric: true },
  {
    key: 'fromDate',
    title: 'advertisement:field.schedule',
    width: 165,
    render: scheduleText,
    text: scheduleText,
  },
  { key: 'scope', title: 'advertisement:field.scope', width: 120, render: onText, text: onText },
  {
    key: 'devices',
    title: 'advertisement:field.devices',
    width: 185,
    render: devicesText,
    text: devicesText,
  },
  {
    key: 'shownTotal',
    title: 'advertisement:field.shownTotal',
    width: 92,
    numeric: true,
    render: (row) => number(row.shownTotal),
  },
  {
    key: 'clickedTotal',
    title: 'advertisement:field.clickedTotal',
    width: 92,
    numeric: true,
    render: (row) => number(row.clickedTotal),
  },
  { key: 'caption', title: 'advertisement:field.caption', width: 180, extra: true },
  { key: 'link', title: 'advertisement:field.link', width: 220, extra: true },
  { key: 'customerName', title: 'advertisement:field.customer', width: 130, extra: true },
  {
    key: 'updatedAt',
    title: 'advertisement:field.updatedAt',
    width: 165,
    extra: true,
    render: (row) => <When at={row.updatedAt} absolute />,
  },
]

const filters: readonly Filter[] = [
  {
    key: 'state',
    label: 'advertisement:field.state',
    width: 130,
    useOptions: () =>
      advertisementStates.map((value) => ({ value, label: t(`advertisement:state.${value}`) })),
  },
  {
    key: 'scope',
    label: 'advertisement:field.scope',
    width: 140,
    useOptions: () =>
      advertisementScopes.map((value) => ({ value, label: t(`advertisement:scope.${value}`) })),
  },
]

const figures = opener<Advertisement>()
const AdvertisementFigures = lazy(() =>
  import('../portal/advertisement-figures.tsx').then((part) => ({ default: part.AdvertisementFigures })),
)

function Figures() {
  const now = figures.useOpened()
  return now ? (
    <Suspense key={now.turn}>
      <AdvertisementFigures row={now.what} opened={now.shown} onClose={figures.close} />
    </Suspense>
  ) : null
}

const Actions = (context: ListContext) => (
  <>
    <advertisementEditor.Actions {...context} />
    <Figures />
  </>
)

export const Page = listPage({
  screen: advertisementScreen,
  call: getAdvertisementList,
  line: 'advertisement:line',
  rowKey: 'id',
  columns,
  filters,
  searchPlaceholder: 'advertisement:search',
  exportName: 'advertisements',
  refreshS: 20,
  Actions,
  rowActions: (row) => [
    {
      key: 'figures',
      label: t('advertisement:figures.open'),
      icon: IconChartBar,
      run: () => figures.show(row),
    },
    advertisementEditor.edit(row),
    switchAction({
      row,
      list: getAdvertisementList,
      permission: advertisementEditPermission,
      put: (enabled) => request(enableAdvertisement, { id: row.id, enabled }),
      on: { verb: 'advertisement:switchOn', done: 'advertisement:nowOn' },
      off: { verb: 'advertisement:switchOff', done: 'advertisement:nowOff' },
    }),
    {
      key: 'delete',
      label: t('kit:delete'),
      icon: IconTrash,
      permission: advertisementEditPermission,
      danger: true,
      run: () =>
        void deleteRow({
          call: deleteAdvertisement,
          body: { id: row.id },
          title: t('advertisement:remove.title'),
          text: t('advertisement:remove.text', { name: row.name }),
          done: t('advertisement:remove.done', { name: row.name }),
          refreshes: [getAdvertisementList],
        }),
    },
  ],
  empty: () => (
    <Empty
      title={t('advertisement:first.title')}
      text={t('advertisement:first.text')}
      action={<advertisementEditor.CreateButton />}
    />
  ),
})
