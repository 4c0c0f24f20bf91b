/** Parses one message as an account of its format would. */
import { Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { ReplyOf } from '#schema/kit/call'
import { southEditPermission, tryMessage } from '#schema/monitor/south'
import { ActionButton } from '../kit/action-button.tsx'
import { Modal } from '../kit/dialog.tsx'
import { FormDrawer } from '../kit/form/form-drawer.tsx'
import type { FormValues } from '../kit/form/form-model.ts'
import { moment, UNKNOWN } from '../kit/format.ts'
import { t, textsIn } from '../kit/i18n.ts'
import { RowsTable } from './rows-table.tsx'
import { mappingFields, type SouthAccount } from './south-fields.ts'

type Reply = ReplyOf<typeof tryMessage>
type Props = { account: SouthAccount | null; opened: boolean; onClose: () => void }

/** With what is to be known about it: why it has no value, or that its time is uncertain. */
const valueText = ({ value, late, quality }: Reply['samples'][number]) =>
  [
    value === null ? UNKNOWN : String(value),
    ...(quality === 'good' ? [] : [t(`variable:quality.${quality}`)]),
    ...(late ? [t('south:tester.late')] : []),
  ].join(' · ')

export function SouthTester({ account, opened, onClose }: Props) {
  const [tried, setTried] = useState<FormValues>(
    account ? { kind: account.kind, ...account.mapping } : { kind: 'mapping' },
  )
  const [read, setRead] = useState<Reply | null>(null)
  /** The form closes after it was submitted; its owner does not expect a second submit. */
  const [again, setAgain] = useState(false)
  const rows = (read?.samples ?? []).map((sample, n) => ({
    key: n,
    cells: [sample.source, sample.name, valueText(sample), moment(sample.at)],
  }))
  return (
    <>
      <FormDrawer
        opened={(opened || again) && read === null}
        onClose={() => {
          setAgain(false)
          onClose()
        }}
        title={t('south:tester.title')}
        verb={t('south:tester.run')}
        call={tryMessage}
        initial={tried}
        onDone={(reply, body) => {
          setTried(body)
          setRead(reply)
        }}
        fields={[
          { name: 'kind', required: true, choices: () => textsIn('south:kind') },
          { name: 'topic', required: true, placeholder: 'plant/meter-7' },
          { name: 'payload', required: true, hint: 'south:tester.payloadHint' },
          ...mappingFields(),
        ]}
      />
      <Modal opened={read !== null} onClose={() => setRead(null)} title={t('south:tester.title')} size={720}>
        <Stack>
          {read?.fault ? <Text c="var(--critical)">{t(`south:fault.${read.fault}`)}</Text> : null}
          {rows.length === 0 ? (
            <Text c="dimmed">{t('south:tester.none')}</Text>
          ) : (
            <RowsTable
              heads={[
                t('south:tester.source'),
                t('south:tester.name'),
                t('south:tester.value'),
                t('south:field.timeAt'),
              ]}
              numbers={[t('south:tester.value')]}
              rows={rows}
            />
          )}
          {read && read.more > 0 ? (
            <Text c="dimmed">{t('south:tester.more', { count: read.more })}</Text>
          ) : null}
          <Group justify="flex-end">
            <ActionButton
              label={t('south:tester.open')}
              permission={southEditPermission}
              onPress={() => {
                setAgain(true)
                setRead(null)
              }}
            />
          </Group>
        </Stack>
      </Modal>
    </>
  )
}
