import { Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { PageValues } from '#schema/config/many-change'
import { readUci } from '#schema/config/uci-import'
import { ActionButton } from '../kit/action-button.tsx'
import { Modal } from '../kit/dialog.tsx'
import { t } from '../kit/i18n.ts'
import { useAction } from '../kit/query.ts'
import { UciText } from './uci-text.tsx'

type Props = { opened: boolean; onClose: () => void; onRead: (pages: PageValues) => void }

/** The values that a router's `uci export` says, into a template. */
export default function TemplateUci({ opened, onClose, onRead }: Props) {
  const [uciText, setText] = useState('')
  const [nothing, setNothing] = useState(false)
  const read = useAction(readUci, {
    quiet: true,
    onDone: ({ pages }) => {
      if (Object.keys(pages).length === 0) return setNothing(true)
      onRead(pages)
      onClose()
    },
  })
  return (
    <Modal opened={opened} onClose={onClose} title={t('config:import.title')} size={720}>
      <Stack>
        <Text size="sm">{t('config:import.ofTemplate')}</Text>
        <UciText
          value={uciText}
          onChange={(text) => {
            setText(text)
            setNothing(false)
          }}
          error={nothing ? t('config:import.noPage') : (read.error?.message ?? null)}
        />
        <Group justify="flex-end">
          <ActionButton
            rank="primary"
            label={t('config:import.read')}
            busy={read.busy}
            reason={uciText.trim() === '' ? t('config:import.empty') : null}
            onPress={() => read.start({ uciText })}
          />
        </Group>
      </Stack>
    </Modal>
  )
}
