import { Alert, Button, FileInput, Group, Select, Stack, Table, Text } from '@mantine/core'
import { IconDownload, IconFileText } from '@tabler/icons-react'
import { type MouseEvent, useRef, useState } from 'react'
import { IMPORT_COLUMNS, IMPORT_MAX_ROWS, importDevices } from '#schema/device/device'
import type { ReplyOf } from '#schema/kit/call'
import { ActionButton } from '../kit/action-button.tsx'
import { ask } from '../kit/confirm.tsx'
import { Drawer } from '../kit/dialog.tsx'
import { ErrorBar } from '../kit/error-bar.tsx'
import { useUnsaved } from '../kit/form/unsaved.ts'
import { number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import kit from '../kit/kit.module.css'
import { textOf } from '../kit/list/csv.ts'
import { useAction } from '../kit/query.ts'
import { StatusChip, type Tone } from '../kit/status-chip.tsx'
import { saveCsv } from '../kit/transfer.ts'
import { useGroupOptions } from './device-options.ts'
import { deviceReads } from './device-reads.ts'

type Report = ReplyOf<typeof importDevices>
type Outcome = Report['rows'][number]['outcome']
const tones: Record<Outcome, Tone> = { create: 'online', skip: 'offline', refuse: 'critical' }
/** Limit of lines shown; the file contains all of them. */
const LINES_SHOWN = 200
const SAMPLE = 'sn,name,group,address\r\nSN-0001,Kiosk 1,,1 Example Road\r\nSN-0002,Kiosk 2,,\r\n'

function ReportTable({ report, written }: { report: Report; written: boolean }) {
  const label = (outcome: Outcome) =>
    t(`device:import.${written && outcome === 'create' ? 'created' : outcome}`)
  const wrong = report.rows.filter(({ outcome }) => outcome !== 'create')
  const shown = [...wrong, ...report.rows.filter(({ outcome }) => outcome === 'create')].slice(0, LINES_SHOWN)
  return (
    <>
      <Group gap={8}>
        {(['create', 'skip', 'refuse'] as const).map((outcome) => (
          <StatusChip
            key={outcome}
            tone={tones[outcome]}
            label={`${label(outcome)} ${number(report[outcome])}`}
          />
        ))}
      </Group>
      <Table.ScrollContainer minWidth={360} maxHeight={420}>
        <Table stickyHeader verticalSpacing={4} fz="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('device:import.line')}</Table.Th>
              <Table.Th>{t('device:column.deviceSn')}</Table.Th>
              <Table.Th>{t('device:import.outcome')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map(({ line, sn, outcome, reason }) => (
              <Table.Tr key={line}>
                <Table.Td>{line}</Table.Td>
                <Table.Td ff="monospace">{sn}</Table.Td>
                <Table.Td>
                  <StatusChip tone={tones[outcome]} label={label(outcome)} />
                  {reason ? (
                    <Text size="xs" c="dimmed">
                      {reason}
                    </Text>
                  ) : null}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {report.rows.length > shown.length ? (
        <Text size="xs" c="dimmed">
          {t('device:import.more', { count: report.rows.length - shown.length })}
        </Text>
      ) : null}
    </>
  )
}

/** Not by toCsv: secrets are ours (base64url), and its escaping would corrupt one that begins with a dash. */
const saveSecrets = (report: Report) =>
  saveCsv(
    ['sn,secret', ...report.rows.flatMap(({ sn, secret }) => (secret ? `${sn},${secret}` : []))].join('\r\n'),
    'device-secrets.csv',
  )

const forgetFile = ({ currentTarget }: MouseEvent<HTMLInputElement>) => {
  currentTarget.value = ''
}

type Props = { opened: boolean; onClose: () => void; onDone: () => void }

/** CSV import: first a preview of each line's effect, then, after confirmation, the import. */
export function DeviceImport({ opened, onClose, onDone }: Props) {
  const groups = useGroupOptions()
  const [csv, setCsv] = useState('')
  const [group, setGroup] = useState<string | null>(null)
  const [trial, setTrial] = useState<Report | null>(null)
  const [done, setDone] = useState<Report | null>(null)
  const [saved, setSaved] = useState(false)
  const [notText, setNotText] = useState(false)
  const action = useAction(importDevices, { quiet: true, refreshes: deviceReads })

  const unsaved = done !== null && done.create > 0 && !saved
  // A reload would lose the secrets of all of them.
  useUnsaved('device import', unsaved)
  const newest = useRef(0)
  const run = async (text: string, groupId: string | null, dryRun: boolean) => {
    setTrial(null)
    const place = ++newest.current
    const report = await action
      .run({ csv: text, dryRun, ...(groupId ? { groupId: Number(groupId) } : {}) })
      // The error bar shows it.
      .catch(() => null)
    if (!report) return
    // Another file or group may have been chosen meanwhile: this would be the preview of the former one.
    if (dryRun) return place === newest.current ? setTrial(report) : undefined
    setDone(report)
    onDone()
  }
  const close = async () => {
    const leaves =
      !unsaved ||
      (await ask({
        title: t('device:import.leaveTitle'),
        text: t('device:import.leaveText', { count: done.create }),
        verb: t('device:import.leave'),
        danger: true,
      }))
    if (!leaves) return
    newest.current++
    setCsv('')
    setTrial(null)
    setDone(null)
    setSaved(false)
    setNotText(false)
    onClose()
  }
  const choose = async (file: File | null) => {
    const place = ++newest.current
    const text = file ? textOf(new Uint8Array(await file.arrayBuffer())) : ''
    if (place !== newest.current) return
    setNotText(text === null)
    setCsv(text ?? '')
    if (text) await run(text, group, true)
    else setTrial(null)
  }
  return (
    <Drawer
      opened={opened}
      onClose={() => void close()}
      title={t('device:import.title')}
      size={640}
      classNames={{ content: kit['formDrawer'] ?? '', body: kit['formBody'] ?? '' }}
      // Unsaved secrets must not be lost by an accidental key or click.
      closeOnEscape={!unsaved}
      closeOnClickOutside={!unsaved}
    >
      <Stack gap="sm" flex={1}>
        {done ? (
          <>
            <Alert color="yellow" c="var(--warning)">
              {t('device:import.secrets')}
            </Alert>
            <ReportTable report={done} written />
            <div className={kit['formBar']}>
              <ActionButton
                icon={IconDownload}
                label={t('device:import.saveSecrets')}
                reason={done.create === 0 ? t('device:import.noneCreated') : null}
                onPress={() => {
                  saveSecrets(done)
                  setSaved(true)
                }}
              />
              <Button onClick={() => void close()}>{t('kit:close')}</Button>
            </div>
          </>
        ) : (
          <>
            <Text c="dimmed">
              {t('device:import.text', { columns: IMPORT_COLUMNS.join(', '), max: number(IMPORT_MAX_ROWS) })}{' '}
              <Button
                variant="transparent"
                size="compact-sm"
                px={0}
                onClick={() => saveCsv(SAMPLE, 'devices-sample.csv')}
              >
                {t('device:import.sample')}
              </Button>
            </Text>
            <Select
              label={t('device:import.group')}
              description={t('device:import.groupHint')}
              data={[...groups]}
              searchable
              clearable
              value={group}
              onChange={(next) => {
                setGroup(next)
                if (csv !== '') void run(csv, next, true)
              }}
            />
            <FileInput
              label={t('device:import.file')}
              placeholder={t('device:import.choose')}
              accept=".csv,text/csv"
              leftSection={<IconFileText size={16} stroke={1.5} />}
              clearable
              error={notText ? t('device:import.notText') : null}
              // A corrected file that is chosen again would otherwise not be read again.
              fileInputProps={{ onClick: forgetFile }}
              onChange={(file) => void choose(file)}
            />
            {action.error && csv !== '' ? <ErrorBar error={action.error} /> : null}
            {trial ? <ReportTable report={trial} written={false} /> : null}
            <div className={kit['formBar']}>
              <Button variant="default" onClick={() => void close()}>
                {t('kit:cancel')}
              </Button>
              <ActionButton
                rank="primary"
                label={
                  trial?.create
                    ? t('device:import.verb', { count: trial.create })
                    : t('device:import.verbBefore')
                }
                reason={
                  trial
                    ? trial.create === 0
                      ? t('device:import.nothing')
                      : null
                    : t('device:import.needFile')
                }
                busy={action.busy}
                onPress={() => void run(csv, group, false)}
              />
            </div>
          </>
        )}
      </Stack>
    </Drawer>
  )
}
