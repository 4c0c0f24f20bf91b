import { Alert, Checkbox, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useState } from 'react'
import { configApplyPermission } from '#schema/config/commands/config'
import { getConfigPage, getDeviceConfig, reviewConfig } from '#schema/config/device-config'
import { compareUci, importUci } from '#schema/config/uci-import'
import type { ReplyOf } from '#schema/kit/call'
import { ActionButton } from '../kit/action-button.tsx'
import { ApiError } from '../kit/api.ts'
import { Drawer } from '../kit/dialog.tsx'
import { ErrorBar } from '../kit/error-bar.tsx'
import { t } from '../kit/i18n.ts'
import { useAction } from '../kit/query.ts'
import { FieldChanges, UciChanges } from './config-changes.tsx'
import { fieldLabel } from './page-field.tsx'
import { UciText } from './uci-text.tsx'

type Compared = ReplyOf<typeof compareUci>
type Props = { opened: boolean; onClose: () => void; deviceId: number }

const ofText = (error: Error | null) => error instanceof ApiError && error.field === 'uciText'

/** Imports a router's `uci export`: shows what it would change on this device, then puts it into the draft. */
export default function UciImport({ opened, onClose, deviceId }: Props) {
  const [uciText, setText] = useState('')
  const [merge, setMerge] = useState(false)
  const [compared, setCompared] = useState<Compared | null>(null)
  const compare = useAction(compareUci, { quiet: true, onDone: setCompared })
  const take = useAction(importUci, {
    quiet: true,
    refreshes: [getDeviceConfig, getConfigPage, reviewConfig],
    success: t('config:import.taken'),
    onDone: onClose,
  })
  const body = { deviceId, uciText, merge }
  const error = take.error ?? compare.error
  const left = compared?.packages.filter(({ outcome }) => outcome === 'unmanaged') ?? []
  return (
    <Drawer opened={opened} onClose={onClose} title={t('config:import.title')} size={920}>
      <Stack>
        {error && !ofText(error) ? <ErrorBar error={error} /> : null}
        <UciText
          value={uciText}
          onChange={(text) => {
            setText(text)
            setCompared(null)
          }}
          error={ofText(error) ? (error?.message ?? null) : null}
        />
        <Checkbox
          size="sm"
          label={t('config:import.merge')}
          description={t('config:import.mergeHint')}
          checked={merge}
          onChange={(event) => {
            setMerge(event.currentTarget.checked)
            setCompared(null)
          }}
        />
        {compared ? (
          <>
            {left.length > 0 ? (
              <Text size="sm" c="dimmed">
                {t('config:import.unmanaged', { names: left.map(({ name }) => name).join(t('kit:comma')) })}
              </Text>
            ) : null}
            {compared.faults.map(({ page, path, message }) => (
              <Alert
                key={`${page} ${path} ${message}`}
                color="orange"
                icon={<IconAlertTriangle size={18} stroke={1.5} />}
              >
                {message}
              </Alert>
            ))}
            {compared.warnings.map(({ page, path, message }) => (
              <Alert
                key={`${page} ${path} ${message}`}
                color="yellow"
                icon={<IconAlertTriangle size={18} stroke={1.5} />}
              >
                {t('kit:labelled', { label: fieldLabel(page, path.split('.')[0] ?? ''), text: message })}
              </Alert>
            ))}
            <FieldChanges fields={compared.fields} />
            {compared.uci.length > 0 ? (
              <UciChanges changes={compared.uci} />
            ) : (
              <Text size="sm">{t('config:import.same')}</Text>
            )}
          </>
        ) : null}
        <Group justify="flex-end">
          <ActionButton
            label={t('config:import.compare')}
            busy={compare.busy}
            reason={uciText.trim() === '' ? t('config:import.empty') : null}
            onPress={() => compare.start(body)}
          />
          <ActionButton
            rank="primary"
            label={t('config:import.take')}
            permission={configApplyPermission}
            busy={take.busy}
            reason={
              compared === null
                ? t('config:import.compareFirst')
                : compared.uci.length === 0
                  ? t('config:import.same')
                  : null
            }
            onPress={() => take.start({ ...body, edition: compared?.edition })}
          />
        </Group>
      </Stack>
    </Drawer>
  )
}
