/** The files of a device: browsing folders, downloads, and uploads that resume where they broke off. */
import { Breadcrumbs, Button, Group, Progress, Table, Text, UnstyledButton } from '@mantine/core'
import { IconDownload, IconFile, IconFolder, IconTrash, IconUpload } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useState } from 'react'
import type { ReplyOf } from '#schema/kit/call'
import {
  deleteFile,
  downloadFile,
  type FileWay,
  FOLDER_MAX,
  getFiles,
  uploadFile,
} from '#schema/remote/remote-file'
import { remoteRefusals } from '#schema/remote/remote-refusals'
import { ActionIconButton } from '../kit/action-button.tsx'
import { ApiError, isCancelled, LOCAL_CODES, request } from '../kit/api.ts'
import { Card } from '../kit/card.tsx'
import { ask } from '../kit/confirm.tsx'
import { ReadBar } from '../kit/error-bar.tsx'
import { FileButton } from '../kit/form/file-button.tsx'
import { bytes, UNKNOWN } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { leavingSignal } from '../kit/navigation.ts'
import { queryClient, reportError, useCall } from '../kit/query.ts'
import { When } from '../kit/time.tsx'
import { fetchFile, saveFile, upload } from '../kit/transfer.ts'
import { Arrivals } from './arrivals.ts'
import { FileLogin } from './file-login.tsx'
import classes from './remote.module.css'

type Entry = ReplyOf<typeof getFiles>['entries'][number]
type Moving = { name: string; percent: number }

const START = '/tmp'

const isBroken = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.code === LOCAL_CODES.notSent || error.code === LOCAL_CODES.network)

const within = (folder: string, name: string) => `${folder === '/' ? '' : folder}/${name}`

/** A file of that name: what the device has there now is lost. */
const mayReplace = (file: File, entries: readonly Entry[]) =>
  !entries.some(({ name }) => name === file.name) ||
  ask({
    title: t('remote:files.replace.title', { name: file.name }),
    text: t('remote:files.delete.text'),
    verb: t('remote:files.replace.verb'),
    danger: true,
  })

/** Where an upload begins: after the part that the device already has, if the user confirms it. */
async function startOf(file: File, entries: readonly Entry[]): Promise<number> {
  const held = entries.find(({ name }) => name === `${file.name}.part`)?.sizeBytes ?? 0
  if (held === 0 || held >= file.size) return 0
  const goesOn = await ask({
    title: t('remote:files.resume.title'),
    text: t('remote:files.resume.text', { held: bytes(held), name: file.name }),
    verb: t('remote:files.resume.verb'),
  })
  return goesOn ? held : 0
}

function Path({ path, go }: { path: string; go: (path: string) => void }) {
  const parts = path.split('/').filter(Boolean)
  return (
    <Breadcrumbs separator="›" separatorMargin={4}>
      {['', ...parts].map((name, i) => (
        <UnstyledButton
          key={parts.slice(0, i).join('/')}
          onClick={() => go(`/${parts.slice(0, i).join('/')}`)}
        >
          <Text size="sm" {...(i < parts.length ? { c: 'var(--primary)' } : {})}>
            {name || '/'}
          </Text>
        </UnstyledButton>
      ))}
    </Breadcrumbs>
  )
}

type Actions = { go: () => void; save: () => void; remove: () => void }

function Row({ entry, go, save, remove }: { entry: Entry } & Actions) {
  const Shape = entry.type === 'folder' ? IconFolder : IconFile
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap={6} wrap="nowrap">
          <Shape size={16} stroke={1.5} aria-hidden />
          {entry.type === 'folder' || entry.type === 'link' ? (
            // A link may lead to a folder, as /var of OpenWrt does: where it does not, the device says so.
            <UnstyledButton onClick={go}>
              <Text size="sm" c="var(--primary)" className={classes['fileName'] ?? ''}>
                {entry.name}
              </Text>
            </UnstyledButton>
          ) : (
            <Text size="sm" className={classes['fileName'] ?? ''}>
              {entry.name}
            </Text>
          )}
        </Group>
      </Table.Td>
      <Table.Td className={`tabular ${classes['fileSize']}`}>
        {entry.type === 'folder' ? '' : bytes(entry.sizeBytes)}
      </Table.Td>
      <Table.Td className={classes['fileTime'] ?? ''}>
        {entry.modifiedAt ? <When at={entry.modifiedAt} absolute /> : UNKNOWN}
      </Table.Td>
      <Table.Td>
        <Group gap={4} wrap="nowrap" justify="flex-end">
          {entry.type === 'folder' ? null : (
            <ActionIconButton icon={IconDownload} label={t('remote:files.download')} onPress={save} />
          )}
          <ActionIconButton icon={IconTrash} label={t('remote:files.delete.verb')} danger onPress={remove} />
        </Group>
      </Table.Td>
    </Table.Tr>
  )
}

/** @param onClosed the device has ended the connection, or the tunnel is another one */
function Folder({ sessionId, onClosed }: { sessionId: string; onClosed: () => void }) {
  const [path, setPath] = useState(START)
  /** By path, since two folders may have a file of one name. */
  const [moving, setMoving] = useState<ReadonlyMap<string, Moving>>(new Map())
  const [arrivals] = useState(() => new Arrivals())
  const read = useCall(getFiles, { sessionId, path }, { staleMs: 0 })
  const isClosed = read.error instanceof ApiError && read.error.code === remoteRefusals.filesClosed.code
  const close = useEffectEvent(onClosed)
  useEffect(() => {
    if (isClosed) close()
  }, [isClosed])
  const entries = read.data?.entries ?? []
  /** Once per percent, because the rows are re-rendered each time. */
  const tell = (file: string, name: string, bytes: number, of: number) => {
    const percent = of === 0 ? 100 : Math.min(100, Math.floor((bytes / of) * 100))
    setMoving((now) => (now.get(file)?.percent === percent ? now : new Map(now).set(file, { name, percent })))
  }
  const arrived = (file: string) => setMoving((now) => new Map([...now].filter(([other]) => other !== file)))
  const run = async (work: () => Promise<unknown>) => {
    try {
      await work()
    } catch (error) {
      if (!isCancelled(error)) reportError(error)
    }
    await read.refetch()
  }
  const remove = (name: string) =>
    run(async () => {
      const sure = await ask({
        title: t('remote:files.delete.title', { name }),
        text: t('remote:files.delete.text'),
        verb: t('remote:files.delete.verb'),
        danger: true,
      })
      if (sure)
        await request(deleteFile, { sessionId, path: within(path, name) }, new AbortController().signal)
    })
  const send = (file: File) =>
    run(async () => {
      if (!(await mayReplace(file, entries))) return
      const from = await startOf(file, entries)
      const to = within(path, file.name)
      const body = { sessionId, path: to, from, sizeBytes: file.size }
      const show = (share: number) => tell(to, file.name, from + share * (file.size - from), file.size)
      show(0)
      try {
        await upload(uploadFile, body, file.slice(from), show)
      } catch (error) {
        // Elsewhere an interrupted upload is lost; here it resumes.
        throw error instanceof ApiError && error.code === LOCAL_CODES.notSent
          ? new ApiError(error.code, t('remote:files.broke'))
          : error
      } finally {
        arrived(to)
      }
    })
  const save = async ({ name, ...known }: Entry) => {
    const file = within(path, name)
    const got = arrivals.begin(file, known)
    if (got === null) return
    const { sizeBytes } = known
    let isWhole = false
    await run(async () => {
      tell(file, name, got.bytes, sizeBytes)
      const onPart = (_bytes: number, part: Uint8Array) => {
        got.parts.push(part as Uint8Array<ArrayBuffer>)
        got.bytes += part.length
        tell(file, name, got.bytes, sizeBytes)
      }
      try {
        const body = { sessionId, path: file, from: got.bytes }
        await fetchFile(downloadFile, body, { signal: leavingSignal(), onPart })
        saveFile(new Blob(got.parts), name)
        isWhole = true
      } catch (error) {
        throw isBroken(error) && got.bytes > 0 ? new ApiError(error.code, t('remote:files.brokeDown')) : error
      } finally {
        arrivals.end(file, isWhole)
        arrived(file)
      }
    })
  }
  return (
    <>
      <Group justify="space-between" mb={8}>
        <Path path={path} go={setPath} />
        <FileButton onChange={(file) => void send(file)}>
          {(props) => (
            <Button
              {...props}
              size="xs"
              variant="default"
              loading={moving.size > 0}
              leftSection={<IconUpload size={16} stroke={1.5} />}
            >
              {t('remote:files.upload')}
            </Button>
          )}
        </FileButton>
      </Group>
      {[...moving].map(([file, one]) => (
        <div key={file}>
          <Text size="xs" role="status">
            {t('remote:files.progress', one)}
          </Text>
          <Progress value={one.percent} aria-label={one.name} mb={8} />
        </div>
      ))}
      <ReadBar read={read} />
      <Table.ScrollContainer minWidth={280} maxHeight={420}>
        <Table verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('remote:files.field.name')}</Table.Th>
              <Table.Th className={classes['fileSize'] ?? ''}>{t('remote:files.field.sizeBytes')}</Table.Th>
              <Table.Th className={classes['fileTime'] ?? ''}>{t('remote:files.field.modifiedAt')}</Table.Th>
              <Table.Th />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {entries.map((entry) => (
              <Row
                key={entry.name}
                entry={entry}
                go={() => setPath(within(path, entry.name))}
                save={() => void save(entry)}
                remove={() => void remove(entry.name)}
              />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {read.data && entries.length === 0 ? <Text c="dimmed">{t('remote:files.empty')}</Text> : null}
      {read.data?.complete === false ? (
        <Text size="sm" c="dimmed">
          {t('remote:files.more', { most: FOLDER_MAX })}
        </Text>
      ) : null}
    </>
  )
}

export function FilePane({ sessionId }: { sessionId: string }) {
  const [by, setBy] = useState<FileWay | null>(null)
  const begin = (way: FileWay) => {
    // A folder whose last read told that the former connection had ended would end this one, too, before it is read again.
    queryClient.removeQueries({ queryKey: [getFiles.name] })
    setBy(way)
  }
  return (
    <Card
      title={t('remote:files.title')}
      side={
        by ? (
          <Text size="xs" c="dimmed">
            {t(`remote:files.by.${by}`)}
          </Text>
        ) : null
      }
    >
      {by === null ? (
        <FileLogin sessionId={sessionId} onOpen={begin} />
      ) : (
        <Folder sessionId={sessionId} onClosed={() => setBy(null)} />
      )}
    </Card>
  )
}
