import { Alert, Checkbox, Group, Radio, Select, Stack, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { packageTitle } from '#schema/task/package-title'
import { addLevelUp, getFileServers } from '#schema/task/upgrade'
import { Facts } from '../kit/facts.tsx'
import { instantOf, localOf, MomentField } from '../kit/form/date-field.tsx'
import { boundsOf, declaredLabel, declaredProps, declaredTexts } from '../kit/form/forms.ts'
import { WholeField } from '../kit/form/whole-field.tsx'
import { t } from '../kit/i18n.ts'
import { useCall } from '../kit/query.ts'
import { useNow } from '../kit/time.tsx'
import { GuardFields } from './guard-fields.tsx'
import { RolloutFields } from './rollout-fields.tsx'
import type { Draft } from './upgrade-draft.ts'
import { type usePreflight, VerdictBox } from './upgrade-verdict.tsx'

type Props = {
  draft: Draft
  change: (part: Partial<Draft>) => void
  preflight: ReturnType<typeof usePreflight>
  offeredName: string
  /** By field of the call's body. */
  errors: Readonly<Record<string, string>>
}

const HOUR = 60
const NEXT_HOURS_MS = 3_600_000

function Start({ draft, change, errors }: Pick<Props, 'draft' | 'change' | 'errors'>) {
  const now = useNow(60_000)
  return (
    <div>
      <Radio.Group
        label={declaredLabel(addLevelUp, 'startAt')}
        value={draft.startAt === null ? 'now' : 'at'}
        onChange={(value) =>
          change({ startAt: value === 'now' ? null : new Date(now + NEXT_HOURS_MS).toISOString() })
        }
      >
        <Group gap="lg" mt={4}>
          <Radio value="now" label={t('upgrade:wizard.startNow')} />
          <Radio value="at" label={t('upgrade:wizard.startAt')} />
        </Group>
      </Radio.Group>
      {draft.startAt === null ? null : (
        <MomentField
          mt={8}
          aria-label={t('upgrade:wizard.startAt')}
          minDate={localOf(now).slice(0, 10)}
          value={localOf(draft.startAt)}
          onChange={(local) => local && change({ startAt: instantOf(local) })}
          error={errors['startAt']}
        />
      )}
    </div>
  )
}

/** In minutes for the call, in hours for the user. */
function Wait({
  draft,
  change,
  errors,
  preflight,
}: Pick<Props, 'draft' | 'change' | 'errors' | 'preflight'>) {
  const minutes = draft.waitOfflineMinutes ?? preflight.data?.waitOfflineMinutes ?? 0
  const [unit, setUnit] = useState<number>(minutes >= HOUR && minutes % HOUR === 0 ? HOUR : 1)
  const { min: least = 0, max: most = Number.POSITIVE_INFINITY } = boundsOf(addLevelUp, 'waitOfflineMinutes')
  const within = (value: number) => Math.min(most, Math.max(least, value))
  return (
    <Group gap={8} align="flex-end" wrap="nowrap">
      <WholeField
        flex={1}
        {...declaredTexts(addLevelUp, 'waitOfflineMinutes')}
        min={least / unit}
        max={most / unit}
        clampBehavior="strict"
        value={Math.round(minutes / unit)}
        onChange={(value) => change({ waitOfflineMinutes: within(value * unit) })}
        error={errors['waitOfflineMinutes']}
      />
      <Select
        w={120}
        aria-label={t('upgrade:wizard.waitUnit')}
        allowDeselect={false}
        value={String(unit)}
        data={[
          { value: '1', label: t('upgrade:wizard.minutes') },
          { value: String(HOUR), label: t('upgrade:wizard.hours') },
        ]}
        onChange={(value) => {
          const next = Number(value)
          setUnit(next)
          change({ waitOfflineMinutes: within(Math.round(minutes / unit) * next) })
        }}
      />
    </Group>
  )
}

export function WizardReview({ draft, change, preflight, offeredName, errors }: Props) {
  const servers = useCall(getFileServers, {}, { staleMs: 60_000 }).data?.list ?? []
  const { chosen } = draft
  const config = chosen?.type === 'config'
  const keep = declaredTexts(addLevelUp, 'keepConfig')
  return (
    <Stack gap="md">
      <Facts
        width={180}
        facts={
          config
            ? [{ label: t('config-task:field.file'), value: chosen.name }]
            : [
                {
                  label: t('upgrade:field.package'),
                  value: chosen && packageTitle(chosen.name, chosen.version),
                },
                { label: t('upgrade:field.model'), value: chosen?.model },
                { label: t('upgrade:field.type'), value: chosen ? t(`package:type.${chosen.type}`) : null },
              ]
        }
      />
      {config ? <Alert color="yellow">{t('config-task:wizard.meaning')}</Alert> : null}
      <VerdictBox draft={draft} preflight={preflight} />
      <TextInput
        {...declaredProps(addLevelUp, 'name')}
        autoComplete="off"
        value={draft.name ?? offeredName}
        onChange={(event) => change({ name: event.currentTarget.value })}
        error={errors['name']}
      />
      <Textarea
        autosize
        minRows={2}
        {...declaredProps(addLevelUp, 'description')}
        value={draft.description}
        onChange={(event) => change({ description: event.currentTarget.value })}
        error={errors['description']}
      />
      {config ? null : (
        <Checkbox
          size="sm"
          label={keep.label}
          description={keep.description}
          checked={draft.keepConfig}
          onChange={(event) => change({ keepConfig: event.currentTarget.checked })}
        />
      )}
      <Start draft={draft} change={change} errors={errors} />
      <Wait draft={draft} change={change} errors={errors} preflight={preflight} />
      <GuardFields
        value={draft}
        change={change}
        errors={errors}
        total={preflight.data?.eligible ?? 0}
        config={config}
      />
      <RolloutFields value={draft} change={change} errors={errors} downloads />
      {servers.length > 1 && !config ? (
        <Select
          {...declaredTexts(addLevelUp, 'server')}
          allowDeselect={false}
          value={draft.server ?? servers.find(({ isDefault }) => isDefault)?.url ?? null}
          data={servers.map(({ url, isDefault }) => ({
            value: url,
            label: isDefault ? t('upgrade:wizard.serverDefault', { url }) : url,
          }))}
          onChange={(server) => change({ server })}
          error={errors['server']}
        />
      ) : null}
    </Stack>
  )
}
