import { IconDownload, IconEye, IconFileSettings, IconTrash, IconUpload } from '@tabler/icons-react'
import { parseAsString, useQueryState } from 'nuqs'
import { Suspense, useState } from 'react'
import type { Word } from '#schema/kit/words.gen'
import {
  configFileDeletePermission,
  configFileListScreen,
  configFileReadPermission,
  configFileUploadPermission,
  deleteConfigFile,
  downloadConfigFile,
  getConfigFileContents,
  getConfigFileList,
  modifyConfigFile,
} from '#schema/task/config-file'
import { configTaskCreatePermission } from '#schema/task/config-pages'
import { ActionButton } from '../kit/action-button.tsx'
import { lazy } from '../kit/chunk.ts'
import { Empty } from '../kit/empty.tsx'
import { number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { deleteRow } from '../kit/list/delete-row.ts'
import { listEditor } from '../kit/list/list-editor.tsx'
import { listPage } from '../kit/list/list-page.tsx'
import type { Column, ListContext, Row } from '../kit/list/list-types.ts'
import { openOver } from '../kit/list/url-drawers.ts'
import { Mono } from '../kit/mono.tsx'
import { goTo } from '../kit/navigation.ts'
import { reportError, useCall } from '../kit/query.ts'
import { When } from '../kit/time.tsx'
import { download } from '../kit/transfer.ts'

export const words: readonly Word[] = ['config-file', 'package']

type ConfigFile = Row<typeof getConfigFileList>
const KB = 1024
const sizeText = ({ spFileSize }: ConfigFile) => number(Math.max(0.1, spFileSize / KB), 1)

const columns: readonly Column<ConfigFile>[] = [
  { key: 'name', title: 'config-file:field.name', width: 220, pinned: 'left', card: 'title' },
  {
    key: 'spFileSize',
    title: 'config-file:field.size',
    width: 110,
    numeric: true,
    render: sizeText,
    text: sizeText,
  },
  { key: 'uploader', title: 'package:field.uploader', width: 130 },
  {
    key: 'uploadedAt',
    title: 'package:field.uploadedAt',
    width: 165,
    render: (row) => <When at={row.uploadedAt} absolute />,
  },
  { key: 'remark', title: 'config-file:field.remark', width: 260 },
  { key: 'customerName', title: 'package:field.customer', width: 140, extra: true },
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

const editor = listEditor({
  list: getConfigFileList,
  fields: () => [{ name: 'name', required: true }, 'remark'],
  success: 'config-file:saved',
  edit: {
    call: modifyConfigFile,
    title: 'config-file:edit',
    permission: configFileUploadPermission,
    fixed: ({ spId }) => ({ spId }),
    values: ({ name, remark }) => ({ name, remark: remark ?? '' }),
  },
})

const ConfigUpload = lazy(() =>
  import('../package/config-upload.tsx').then((module) => ({ default: module.ConfigUpload })),
)
const ConfigContents = lazy(() =>
  import('../task/config-contents.tsx').then((module) => ({ default: module.ConfigContents })),
)
const useUploadAddress = () => useQueryState('upload', parseAsString.withDefault(''))
const useShownAddress = () => useQueryState('shown', parseAsString.withDefault(''))

function UploadButton() {
  const [, setAddress] = useUploadAddress()
  return (
    <ActionButton
      rank="primary"
      icon={IconUpload}
      label={t('config-file:upload.title')}
      permission={configFileUploadPermission}
      onPress={() => void setAddress('1')}
    />
  )
}

/** `?shown=` is the id of the file whose contents are open. */
function Contents({ spId, onClose }: { spId: number; onClose: () => void }) {
  const files = useCall(getConfigFileList, { spId }, { staleMs: 60_000 })
  const read = useCall(getConfigFileContents, { spId })
  const name = files.data?.list[0]?.name ?? String(spId)
  return <ConfigContents name={name} read={read} onClose={onClose} />
}

function Actions(list: ListContext) {
  const [address, setAddress] = useUploadAddress()
  const [shown, setShown] = useShownAddress()
  const open = address === '1'
  // Once loaded it stays mounted, because closing is animated.
  const [fetched, setFetched] = useState(open)
  if (open && !fetched) setFetched(true)
  return (
    <>
      <UploadButton />
      <editor.Actions {...list} />
      <Suspense>
        {fetched ? <ConfigUpload opened={open} onClose={() => void setAddress(null)} /> : null}
        {Number(shown) > 0 ? <Contents spId={Number(shown)} onClose={() => void setShown(null)} /> : null}
      </Suspense>
    </>
  )
}

const showContents = ({ spId }: ConfigFile) => openOver(configFileListScreen.path, 'shown', String(spId))

export const Page = listPage({
  screen: configFileListScreen,
  call: getConfigFileList,
  rowKey: 'spId',
  columns,
  searchPlaceholder: 'config-file:searchPlaceholder',
  exportName: 'configuration-files',
  rowActions: (row) => [
    {
      key: 'use',
      label: t('config-file:configureWith'),
      icon: IconFileSettings,
      permission: configTaskCreatePermission,
      run: () => goTo(`/resource/firmware?new=1&spId=${row.spId}`),
    },
    {
      key: 'contents',
      label: t('config-file:contents'),
      icon: IconEye,
      permission: configFileReadPermission,
      run: () => showContents(row),
    },
    {
      key: 'download',
      label: t('config-file:download'),
      icon: IconDownload,
      permission: configFileReadPermission,
      run: () =>
        void download(downloadConfigFile, { spId: row.spId }, `${row.name}.tar.gz`).catch(reportError),
    },
    editor.edit(row),
    {
      key: 'remove',
      label: t('config-file:remove.verb'),
      icon: IconTrash,
      permission: configFileDeletePermission,
      danger: true,
      run: () =>
        void deleteRow({
          call: deleteConfigFile,
          body: { spId: row.spId },
          title: t('config-file:remove.title'),
          text: t('config-file:remove.text', { name: row.name }),
          done: t('config-file:remove.done', { name: row.name }),
          refreshes: [getConfigFileList],
        }),
    },
  ],
  Actions,
  empty: () => (
    <Empty
      title={t('config-file:first.title')}
      text={t('config-file:first.text')}
      action={<UploadButton />}
    />
  ),
})
