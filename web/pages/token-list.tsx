import { Text, Tooltip } from '@mantine/core'
import { IconBan, IconPlus } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import type { Word } from '#schema/kit/words.gen'
import { apiTokensPermission, tokenScreen } from '#schema/people/account-pages'
import { getApiTokenList, revokeApiToken } from '#schema/people/token'
import { ActionButton } from '../kit/action-button.tsx'
import { request } from '../kit/api.ts'
import { lazy } from '../kit/chunk.ts'
import { ask } from '../kit/confirm.tsx'
import { Empty } from '../kit/empty.tsx'
import { t } from '../kit/i18n.ts'
import { listPage } from '../kit/list/list-page.tsx'
import type { Column, Row } from '../kit/list/list-types.ts'
import { me } from '../kit/me.ts'
import { queryClient, reportError } from '../kit/query.ts'
import { serverNow } from '../kit/server/server-clock.ts'
import { StatusChip } from '../kit/status-chip.tsx'
import { useNow, When } from '../kit/time.tsx'
import { toast } from '../kit/toast.tsx'

export const words: readonly Word[] = ['token']

type TokenRow = Row<typeof getApiTokenList>
const MINUTE_MS = 60_000

type Life = 'active' | 'expired' | 'revoked'
const lifeOf = (row: TokenRow, now: number): Life =>
  row.revokedAt ? 'revoked' : new Date(row.expiresAt).getTime() < now ? 'expired' : 'active'

function LifeChip({ row }: { row: TokenRow }) {
  const life = lifeOf(row, useNow(MINUTE_MS))
  return <StatusChip tone={life === 'active' ? 'online' : 'offline'} label={t(`token:${life}`)} />
}

/** A function that the user has lost since then is shown by its id. */
function scopeNames({ functionIds }: TokenRow): string {
  const names = new Map(me().functions.map(({ functionId, functionName }) => [functionId, functionName]))
  return functionIds.map((id) => names.get(id) ?? String(id)).join(t('kit:comma'))
}
const scopeText = (row: TokenRow) =>
  row.functionIds.length === 0 ? t('token:scopeAll') : t('token:scope', { count: row.functionIds.length })

const columns: readonly Column<TokenRow>[] = [
  {
    key: 'name',
    title: 'token:field.name',
    width: 200,
    pinned: 'left',
    card: 'title',
    render: (row) => (
      <Text span fw={600}>
        {row.name}
      </Text>
    ),
  },
  {
    key: 'state',
    title: 'token:field.state',
    width: 110,
    card: 'beside',
    render: (row) => <LifeChip row={row} />,
    text: (row) => t(`token:${lifeOf(row, serverNow())}`),
  },
  {
    key: 'functionIds',
    title: 'token:field.scope',
    width: 175,
    text: (row) => scopeNames(row) || t('token:scopeAll'),
    render: (row) => (
      <Tooltip label={scopeNames(row)} disabled={row.functionIds.length === 0} multiline maw={360}>
        <span>{scopeText(row)}</span>
      </Tooltip>
    ),
  },
  {
    key: 'expiresAt',
    title: 'token:field.expiresAt',
    width: 165,
    render: (row) => <When at={row.expiresAt} absolute />,
  },
  {
    key: 'lastUsedAt',
    title: 'token:field.lastUsedAt',
    width: 140,
    render: (row) => (row.lastUsedAt ? <When at={row.lastUsedAt} /> : t('token:never')),
  },
  {
    key: 'createdAt',
    title: 'token:field.createdAt',
    width: 165,
    render: (row) => <When at={row.createdAt} absolute />,
  },
]

async function revoke(row: TokenRow) {
  const sure = await ask({
    title: t('token:revoke.title', { name: row.name }),
    text: t('token:revoke.text'),
    verb: t('token:revoke.verb'),
    danger: true,
  })
  if (!sure) return
  try {
    await request(revokeApiToken, { id: row.id })
    void queryClient.invalidateQueries({ queryKey: [getApiTokenList.name] })
    void toast('success', t('token:revoke.done'))
  } catch (error) {
    reportError(error)
  }
}

const TokenCreate = lazy(() =>
  import('../people/token-create.tsx').then((module) => ({ default: module.TokenCreate })),
)

function Create() {
  const [open, setOpen] = useState(false)
  // Once loaded it stays mounted: the secret is shown after the drawer has closed.
  const [fetched, setFetched] = useState(false)
  return (
    <>
      <ActionButton
        rank="primary"
        icon={IconPlus}
        label={t('token:create')}
        permission={apiTokensPermission}
        onPress={() => {
          setFetched(true)
          setOpen(true)
        }}
      />
      <Suspense>{fetched ? <TokenCreate opened={open} onClose={() => setOpen(false)} /> : null}</Suspense>
    </>
  )
}

export const Page = listPage({
  screen: tokenScreen,
  call: getApiTokenList,
  rowKey: 'id',
  columns,
  searchPlaceholder: 'token:searchPlaceholder',
  exportName: 'tokens',
  rowActions: (row) => [
    {
      key: 'revoke',
      label: t('token:revoke.verb'),
      icon: IconBan,
      danger: true,
      reason: lifeOf(row, serverNow()) === 'active' ? null : t('token:revoke.over'),
      run: () => void revoke(row),
    },
  ],
  Actions: Create,
  empty: () => <Empty title={t('token:none.title')} text={t('token:none.text')} />,
})
