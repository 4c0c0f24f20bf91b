/** Links to big screens: what exists, when each was last used, and how to end it. */

import { IconBan, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import type { ReplyOf } from '#schema/kit/call'
import type { Word } from '#schema/kit/words.gen'
import {
  addKioskLink,
  getKioskLinks,
  kioskPermission,
  kioskScreen,
  revokeKioskLink,
} from '#schema/monitor/kiosk'
import { getPanelList, panelListPermission } from '#schema/monitor/panel'
import { LINK_LANGUAGE } from '#schema/people/before-login'
import { ActionButton } from '../kit/action-button.tsx'
import { request } from '../kit/api.ts'
import { ask } from '../kit/confirm.tsx'
import { Empty } from '../kit/empty.tsx'
import { FormDrawer } from '../kit/form/form-drawer.tsx'
import type { Drawn } from '../kit/form/form-model.ts'
import { CopyField, SecretOnce } from '../kit/form/secret-once.tsx'
import { t } from '../kit/i18n.ts'
import { listPage } from '../kit/list/list-page.tsx'
import type { Column, Row } from '../kit/list/list-types.ts'
import { KIOSK_PATH } from '../kit/navigation.ts'
import { queryClient, reportError, useCall } from '../kit/query.ts'
import { serverNow } from '../kit/server/server-clock.ts'
import { can, language } from '../kit/session.ts'
import { StatusChip } from '../kit/status-chip.tsx'
import { useNow, When } from '../kit/time.tsx'
import { toast } from '../kit/toast.tsx'
import { ofProjects, useProjectOptions } from '../monitor/place-filters.ts'
import { SelectField } from '../monitor/select-field.tsx'

export const words: readonly Word[] = ['kiosk', 'project']

type Link = Row<typeof getKioskLinks>
const MINUTE_MS = 60_000

type Life = 'active' | 'expired' | 'revoked'
const lifeOf = (row: Link, now: number): Life =>
  row.revokedAt ? 'revoked' : new Date(row.expiresAt).getTime() < now ? 'expired' : 'active'

function LifeChip({ row }: { row: Link }) {
  const life = lifeOf(row, useNow(MINUTE_MS))
  return <StatusChip tone={life === 'active' ? 'online' : 'offline'} label={t(`kiosk:${life}`)} />
}

const columns: readonly Column<Link>[] = [
  { key: 'name', title: 'kiosk:field.name', width: 200, pinned: 'left', card: 'title' },
  {
    key: 'state',
    title: 'kiosk:field.state',
    width: 110,
    card: 'beside',
    render: (row) => <LifeChip row={row} />,
    text: (row) => t(`kiosk:${lifeOf(row, serverNow())}`),
  },
  {
    key: 'expiresAt',
    title: 'kiosk:field.expiresAt',
    width: 165,
    render: (row) => <When at={row.expiresAt} absolute />,
  },
  { key: 'projectName', title: 'kiosk:field.project', width: 160 },
  {
    key: 'panelName',
    title: 'kiosk:field.panel',
    width: 150,
    render: (row) => row.panelName ?? t('kiosk:bigScreen'),
    text: (row) => row.panelName ?? t('kiosk:bigScreen'),
  },
  { key: 'userName', title: 'kiosk:field.user', width: 140 },
  {
    key: 'lastUsedAt',
    title: 'kiosk:field.lastUsedAt',
    width: 135,
    render: (row) => (row.lastUsedAt ? <When at={row.lastUsedAt} /> : t('kiosk:never')),
  },
  {
    key: 'createdAt',
    title: 'kiosk:field.createdAt',
    width: 165,
    render: (row) => <When at={row.createdAt} absolute />,
  },
]

type Made = ReplyOf<typeof addKioskLink> & { query: string }
/** A wall display has no user who could choose a language on it. */
const queryOf = (panelId: unknown) =>
  `?${new URLSearchParams({ [LINK_LANGUAGE]: language(), ...(panelId ? { panel: `${panelId}` } : {}) })}`

const PANELS_MAX = 500
/** The panels of the chosen project: a link shows nothing of another one. */
function PanelField(drawn: Drawn) {
  const projectId = Number(drawn.values['projectId']) || 0
  const { data } = useCall(
    getPanelList,
    { projectId, limit: PANELS_MAX, sort: 'name' },
    { enabled: projectId > 0 },
  )
  const panels = (data?.list ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
  return <SelectField drawn={drawn} placeholder={t('kiosk:bigScreen')} options={panels} />
}

async function revoke({ id, name }: Link) {
  const sure = await ask({
    title: t('kiosk:revoke.title', { name }),
    text: t('kiosk:revoke.text'),
    verb: t('kiosk:revoke.verb'),
    danger: true,
  })
  if (!sure) return
  try {
    await request(revokeKioskLink, { id })
    void queryClient.invalidateQueries({ queryKey: [getKioskLinks.name] })
    void toast('success', t('kiosk:revoke.done'))
  } catch (error) {
    reportError(error)
  }
}

function Create() {
  const [open, setOpen] = useState(false)
  const [made, setMade] = useState<Made | null>(null)
  return (
    <>
      <ActionButton
        rank="primary"
        icon={IconPlus}
        label={t('kiosk:create')}
        permission={kioskPermission}
        onPress={() => setOpen(true)}
      />
      <FormDrawer
        opened={open}
        onClose={() => setOpen(false)}
        title={t('kiosk:create')}
        verb={t('kiosk:create')}
        call={addKioskLink}
        refreshes={[getKioskLinks]}
        onDone={(reply, { panelId }) => setMade({ ...reply, query: queryOf(panelId) })}
        initial={{ expiresInDays: 365 }}
        fields={[
          { name: 'projectId', required: true, useOptions: useProjectOptions, empties: ['panelId'] },
          { name: 'panelId', Draw: PanelField, narrow: true, when: () => can(panelListPermission) },
          { name: 'name', required: true, hint: 'kiosk:nameHint' },
          { name: 'expiresInDays', required: true },
        ]}
      />
      <SecretOnce opened={made !== null} onClose={() => setMade(null)} title={t('kiosk:created')}>
        <CopyField
          block
          label={t('kiosk:address')}
          value={made ? `${location.origin}${KIOSK_PATH}${made.query}#${made.kioskToken}` : ''}
        />
      </SecretOnce>
    </>
  )
}

export const Page = listPage({
  screen: kioskScreen,
  call: getKioskLinks,
  rowKey: 'id',
  columns,
  filters: [
    {
      key: 'projectId',
      label: 'kiosk:field.project',
      ...ofProjects,
    },
  ],
  searchPlaceholder: 'kiosk:search',
  exportName: 'kiosk-links',
  rowActions: (row) => [
    {
      key: 'revoke',
      label: t('kiosk:revoke.verb'),
      icon: IconBan,
      danger: true,
      permission: kioskPermission,
      reason: lifeOf(row, serverNow()) === 'active' ? null : t('kiosk:revoke.over'),
      run: () => void revoke(row),
    },
  ],
  Actions: Create,
  empty: () => <Empty title={t('kiosk:none.title')} text={t('kiosk:none.text')} />,
})
