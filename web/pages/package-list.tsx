import { Text } from '@mantine/core'
import { IconKey, IconPackageImport, IconTrash, IconUpload } from '@tabler/icons-react'
import { parseAsString, useQueryState } from 'nuqs'
import { Suspense, useState } from 'react'
import type { Word } from '#schema/kit/words.gen'
import { isPlatformType } from '#schema/people/session'
import {
  deletePackage,
  getPackageList,
  modifyPackage,
  packageDeletePermission,
  packageScreen,
  packageTypes,
  packageUploadPermission,
} from '#schema/task/package'
import { packageTitle } from '#schema/task/package-title'
import { upgradeCreatePermission } from '#schema/task/task-pages'
import { ofModels } from '../device/device-options.ts'
import { ActionButton } from '../kit/action-button.tsx'
import { request } from '../kit/api.ts'
import { lazy } from '../kit/chunk.ts'
import { ask } from '../kit/confirm.tsx'
import { Empty } from '../kit/empty.tsx'
import { bytes } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { listEditor } from '../kit/list/list-editor.tsx'
import { listPage } from '../kit/list/list-page.tsx'
import type { Column, Filter, ListContext } from '../kit/list/list-types.ts'
import { me } from '../kit/me.ts'
import { Mono } from '../kit/mono.tsx'
import { goTo } from '../kit/navigation.ts'
import { queryClient, reportError } from '../kit/query.ts'
import { When } from '../kit/time.tsx'
import { toast } from '../kit/toast.tsx'
import { type PackageRow, SyncChip, TypeBadge, visibilityText } from '../package/package-chips.tsx'
import { isPlatformUser, useCustomerOptions } from '../people/people-options.ts'

export const words: readonly Word[] = ['package', 'rollout']

const signedText = ({ signed }: PackageRow) => t(signed ? 'package:signing.yes' : 'package:signing.no')

const columns: readonly Column<PackageRow>[] = [
  {
    key: 'name',
    title: 'package:field.name',
    width: 180,
    pinned: 'left',
    card: 'title',
    render: (row) => (
      <Text span fw={600} truncate title={row.remark ?? undefined}>
        {row.name}
      </Text>
    ),
  },
  { key: 'version', title: 'package:field.version', width: 90 },
  { key: 'model', title: 'package:field.model', width: 85 },
  {
    key: 'type',
    title: 'package:field.type',
    width: 100,
    render: (row) => <TypeBadge type={row.type} />,
    text: (row) => t(`package:type.${row.type}`),
  },
  {
    key: 'spFileSize',
    title: 'package:field.size',
    width: 95,
    numeric: true,
    render: (row) => bytes(row.spFileSize),
  },
  {
    key: 'syncedAt',
    title: 'package:field.sync',
    width: 125,
    card: 'beside',
    render: (row) => <SyncChip row={row} />,
  },
  {
    key: 'visibility',
    title: 'package:field.visibility',
    width: 125,
    render: visibilityText,
    text: visibilityText,
  },
  { key: 'uploader', title: 'package:field.uploader', width: 120 },
  {
    key: 'uploadedAt',
    title: 'package:field.uploadedAt',
    width: 165,
    render: (row) => <When at={row.uploadedAt} absolute />,
  },
  {
    key: 'signed',
    title: 'package:field.signed',
    width: 90,
    extra: true,
    render: signedText,
    text: signedText,
  },
  { key: 'remark', title: 'package:field.remark', width: 220, extra: true },
  {
    key: 'sha256',
    title: 'package:field.sha256',
    width: 200,
    extra: true,
    render: (row) => <Mono value={row.sha256} />,
  },
  {
    key: 'md5',
    title: 'package:field.md5',
    width: 180,
    extra: true,
    render: (row) => <Mono value={row.md5} />,
  },
]

const filters: readonly Filter[] = [
  {
    key: 'type',
    label: 'package:field.type',
    useOptions: () => packageTypes.map((value) => ({ value, label: t(`package:type.${value}`) })),
  },
  {
    key: 'model',
    label: 'package:field.model',
    ...ofModels,
  },
]

async function remove(row: PackageRow) {
  const sure = await ask({
    title: t('package:remove.title'),
    text: t('package:remove.text', { name: packageTitle(row.name, row.version), model: row.model }),
    verb: t('package:remove.verb'),
    danger: true,
  })
  if (!sure) return
  try {
    await request(deletePackage, { spId: row.spId })
    void queryClient.invalidateQueries({ queryKey: [getPackageList.name] })
    void toast('success', t('package:remove.done', { name: packageTitle(row.name, row.version) }))
  } catch (error) {
    reportError(error)
  }
}

/** Packages visible to all cannot be changed or deleted by customers; the server enforces the same. */
function whyNotChanged(row: PackageRow): string | null {
  const { userType, user_ctid } = me().user
  return isPlatformType(userType) || row.customerId === user_ctid ? null : t('package:remove.notYours')
}

const editor = listEditor({
  list: getPackageList,
  fields: () => [
    ...(isPlatformUser()
      ? [
          { name: 'visibility', required: true } as const,
          {
            name: 'customerId',
            required: true,
            useOptions: useCustomerOptions,
            when: ({ visibility }: Readonly<Record<string, unknown>>) => visibility === 'customer',
          } as const,
        ]
      : []),
    'remark',
  ],
  success: 'package:edit.done',
  edit: {
    call: modifyPackage,
    title: ({ name, version }) => t('package:edit.title', { name: packageTitle(name, version) }),
    permission: packageUploadPermission,
    fixed: ({ spId }) => ({ spId }),
    values: ({ visibility, customerId, remark }) => ({
      ...(isPlatformUser() ? { visibility, customerId: customerId === null ? '' : String(customerId) } : {}),
      remark: remark ?? '',
    }),
  },
})

const PackageUpload = lazy(() =>
  import('../package/package-upload.tsx').then((module) => ({ default: module.PackageUpload })),
)
const useUploadAddress = () => useQueryState('upload', parseAsString.withDefault(''))

function UploadButton() {
  const [, setAddress] = useUploadAddress()
  return (
    <ActionButton
      rank="primary"
      icon={IconUpload}
      label={t('package:upload.title')}
      permission={packageUploadPermission}
      onPress={() => void setAddress('1')}
    />
  )
}

const SigningKeys = lazy(() =>
  import('../package/signing-keys.tsx').then((module) => ({ default: module.SigningKeys })),
)

function KeysButton() {
  const [open, setOpen] = useState(false)
  const [fetched, setFetched] = useState(false)
  return (
    <>
      <ActionButton
        icon={IconKey}
        label={t('package:signing.title')}
        onPress={() => {
          setFetched(true)
          setOpen(true)
        }}
      />
      <Suspense>{fetched ? <SigningKeys opened={open} onClose={() => setOpen(false)} /> : null}</Suspense>
    </>
  )
}

/**
 * `?upload=1` opens the drawer: other pages link to it. Once loaded it stays mounted, because closing is animated.
 */
function Upload(list: ListContext) {
  const [address, setAddress] = useUploadAddress()
  const open = address === '1'
  const [fetched, setFetched] = useState(open)
  if (open && !fetched) setFetched(true)
  return (
    <>
      <KeysButton />
      <UploadButton />
      <editor.Actions {...list} />
      <Suspense>
        {fetched ? <PackageUpload opened={open} onClose={() => void setAddress(null)} /> : null}
      </Suspense>
    </>
  )
}

export const Page = listPage({
  screen: packageScreen,
  call: getPackageList,
  rowKey: 'spId',
  columns,
  filters,
  searchPlaceholder: 'package:searchPlaceholder',
  exportName: 'packages',
  refreshS: 5,
  rowActions: (row) => [
    {
      key: 'upgrade',
      label: t('package:upgradeWith'),
      icon: IconPackageImport,
      permission: upgradeCreatePermission,
      reason: row.syncedAt ? null : t('package:sync.notYet'),
      run: () => goTo(`/task/upgrade?new=1&spId=${row.spId}`),
    },
    { ...editor.edit(row), reason: whyNotChanged(row) },
    {
      key: 'remove',
      label: t('package:remove.verb'),
      icon: IconTrash,
      permission: packageDeletePermission,
      reason: whyNotChanged(row),
      danger: true,
      run: () => void remove(row),
    },
  ],
  Actions: Upload,
  empty: () => (
    <Empty title={t('package:first.title')} text={t('package:first.text')} action={<UploadButton />} />
  ),
})
