/** Variables pasted from a spreadsheet or read from a CSV file, with the fault of each cell before they are saved. */
import { Button, Group, ScrollArea, Stack, Table, Text, Textarea } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import type { ReplyOf } from '#schema/kit/call'
import { faultText } from '#schema/kit/fault'
import { languages } from '#schema/kit/refusal'
import type { Key } from '#schema/kit/words.gen'
import { getTemplate } from '#schema/monitor/collection-template'
import { VARIABLES_MAX } from '#schema/monitor/fields'
import { readVariables, TABLE_BYTES_MAX } from '#schema/monitor/template/variables-table'
import { addVariable, getTemplateVariables, saveVariables } from '#schema/monitor/variable'
import { ActionButton } from '../kit/action-button.tsx'
import { isSessionEnd } from '../kit/api.ts'
import { Modal } from '../kit/dialog.tsx'
import { ErrorBar } from '../kit/error-bar.tsx'
import { declaredForm } from '../kit/form/forms.ts'
import '../kit/form/error-texts.ts'
import { FileButton } from '../kit/form/file-button.tsx'
import { bytes } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { textOfFile } from '../kit/list/csv.ts'
import { useAction, useCall } from '../kit/query.ts'
import { language } from '../kit/session.ts'
import classes from './monitor.module.css'
import { variableTexts } from './variable-texts.ts'

const label = (name: string) => t(`variable:field.${name}` as Key)

/** Their own first; the file of a colleague may be headed in another language. */
const texts = await Promise.all([...new Set([language(), ...languages])].map((one) => variableTexts(one)))

/** Wrong cells shown at once: a file of another kind has thousands. */
const WRONG_SHOWN = 200

type Stored = ReplyOf<typeof getTemplateVariables>['list']
const readRows = (text: string, known: Stored) =>
  readVariables(text, declaredForm(addVariable).fields, texts, known)

type Props = { templateId: number; opened: boolean; onClose: () => void }

export function VariablesImport({ templateId, opened, onClose }: Props) {
  const [text, setText] = useState('')
  const [failure, setFailure] = useState<Error | null>(null)
  const action = useAction(saveVariables, {
    quiet: true,
    refreshes: [getTemplateVariables, getTemplate],
    success: t('variable:imported'),
  })
  // All variables of a template fit into one page of their list.
  const stored = useCall(getTemplateVariables, { templateId, limit: VARIABLES_MAX }, { enabled: opened })
  const known = stored.data?.list
  const read = useMemo(() => (text.trim() === '' || !known ? null : readRows(text, known)), [text, known])
  const rows = read?.rows ?? []
  const total = read?.total ?? 0
  const wrong = rows.flatMap(({ line, faults, texts }) =>
    Object.entries(faults).map(([name, fault]) => ({ line, name, fault, text: texts[name] ?? '' })),
  )
  const lack = () => {
    if (read?.unclosed) return t('variable:unclosed', { line: read.unclosed })
    if (read && read.missing.length > 0)
      return t('variable:missingColumns', { names: read.missing.map(label).join(t('kit:comma')) })
    if (rows.length === 0) return t('variable:nothingRead')
    if (total > VARIABLES_MAX) return t('variable:tooManyRows', { rows: total, max: VARIABLES_MAX })
    return wrong.length > 0 ? t('variable:readRows', { rows: total, wrong: wrong.length }) : null
  }
  const choose = async (file: File) => {
    if (file.size > TABLE_BYTES_MAX)
      return setFailure(new Error(t('variable:tooLarge', { max: bytes(TABLE_BYTES_MAX) })))
    const found = await textOfFile(file)
    setFailure(found === null ? new Error(t('variable:notText')) : null)
    setText(found ?? '')
  }
  const save = async () => {
    setFailure(null)
    try {
      // Others may have changed meanwhile what this table has no column for.
      const { data, error } = await stored.refetch()
      if (error) throw error
      if (!data) return
      const now = readRows(text, data.list).rows
      // Shown by now.
      if (now.some(({ faults }) => Object.keys(faults).length > 0)) return
      await action.run({ templateId, variables: now.map(({ values }) => values) as never })
      setText('')
      onClose()
    } catch (error) {
      // It would still be shown when the password has been entered over the page.
      if (isSessionEnd(error)) return
      setFailure(error instanceof Error ? error : new Error(String(error)))
    }
  }
  return (
    <Modal opened={opened} onClose={onClose} title={t('variable:import')} size={820}>
      <Stack gap="sm">
        {failure ? <ErrorBar error={failure} /> : null}
        {stored.error ? <ErrorBar error={stored.error} onRetry={() => void stored.refetch()} /> : null}
        <Textarea
          label={t('variable:pasteHere')}
          description={t('variable:pasteHint')}
          minRows={5}
          maxRows={10}
          autosize
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Group gap="sm">
          <FileButton accept=".csv,text/csv,text/plain" onChange={(file) => void choose(file)}>
            {(props) => (
              <Button {...props} variant="default" leftSection={<IconFileImport size={16} stroke={1.5} />}>
                {t('variable:fromCsv')}
              </Button>
            )}
          </FileButton>
          {read ? (
            <Text size="sm">{t('variable:readRows', { rows: total, wrong: wrong.length })}</Text>
          ) : null}
        </Group>
        {read?.unclosed ? (
          <Text size="sm" className={classes['wrong'] ?? ''}>
            {t('variable:unclosed', { line: read.unclosed })}
          </Text>
        ) : null}
        {read && read.missing.length > 0 ? (
          <Text size="sm" className={classes['wrong'] ?? ''}>
            {t('variable:missingColumns', { names: read.missing.map(label).join(t('kit:comma')) })}
          </Text>
        ) : null}
        {read && read.unknown.length > 0 ? (
          <Text size="sm" c="dimmed">
            {t('variable:unknownColumns', { names: read.unknown.join(t('kit:comma')) })}
          </Text>
        ) : null}
        {wrong.length > 0 ? (
          <ScrollArea.Autosize mah={220}>
            <Table>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('variable:line')}</Table.Th>
                  <Table.Th>{t('variable:column')}</Table.Th>
                  <Table.Th>{t('variable:cell')}</Table.Th>
                  <Table.Th>{t('variable:fault')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {wrong.slice(0, WRONG_SHOWN).map(({ line, name, fault, text: cell }) => (
                  <Table.Tr key={`${line} ${name}`}>
                    <Table.Td>{line}</Table.Td>
                    <Table.Td>{label(name)}</Table.Td>
                    <Table.Td>{cell}</Table.Td>
                    <Table.Td className={classes['wrong'] ?? ''}>{faultText(fault, t)}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </ScrollArea.Autosize>
        ) : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('kit:cancel')}
          </Button>
          <ActionButton
            label={t('kit:save')}
            rank="primary"
            reason={lack()}
            busy={action.busy || stored.isFetching}
            onPress={() => void save()}
          />
        </Group>
      </Stack>
    </Modal>
  )
}
