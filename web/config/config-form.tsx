import { Alert, Group, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconInfoCircle } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { configApplyPermission } from '#schema/config/commands/config'
import {
  discardConfigDraft,
  fillConfigDraft,
  getConfigPage,
  getDeviceConfig,
  reviewConfig,
  saveConfigDraft,
} from '#schema/config/device-config'
import type { ReplyOf } from '#schema/kit/call'
import { ActionButton, SubmitButton } from '../kit/action-button.tsx'
import { ApiError } from '../kit/api.ts'
import { Card } from '../kit/card.tsx'
import { ErrorBar, ReadBar } from '../kit/error-bar.tsx'
import { conflictOf } from '../kit/form/edit-conflict.ts'
import { errorsOf } from '../kit/form/error-texts.ts'
import { faultsOf } from '../kit/form/form-errors.ts'
import { FormField } from '../kit/form/form-fields.tsx'
import { isWide } from '../kit/form/form-layout.ts'
import { type FormValues, isAsked, textOr } from '../kit/form/form-model.ts'
import { KnownNamesContext } from '../kit/form/known-names.ts'
import { useUnsaved } from '../kit/form/unsaved.ts'
import { t } from '../kit/i18n.ts'
import kit from '../kit/kit.module.css'
import { useAction, useCall } from '../kit/query.ts'
import { can } from '../kit/session.ts'
import { When } from '../kit/time.tsx'
import classes from './config.module.css'
import { type DeclaredPage, fieldsOfPage, pageTitle } from './config-pages.ts'
import { toInput, toServer } from './config-values.ts'
import { PageField } from './page-field.tsx'
import { namesOfDevice } from './page-names.ts'

type Read = ReplyOf<typeof getConfigPage>
export type Refused = { path: string; reason: string } | null

type FormProps = { deviceId: number; page: DeclaredPage; read: Read; refused: Refused; again: () => void }

const refreshes = [getDeviceConfig, getConfigPage, reviewConfig]

function PageForm({ deviceId, page, read, refused, again }: FormProps) {
  const fields = fieldsOfPage(page)
  const [failure, setFailure] = useState<Error | null>(null)
  const mayEdit = can(configApplyPermission)
  const labelOf = (path: string) => fields.find((field) => field.path === path.split('.')[0])?.label ?? path
  const form = useForm<FormValues>({
    initialValues: toInput(page.fields, read.values),
    validateInputOnBlur: true,
    validate: (values) => errorsOf(faultsOf(page.fields, [], values), labelOf),
    initialErrors: {
      ...Object.fromEntries(read.faults.map(({ path, message }) => [path, message])),
      ...(refused ? { [refused.path]: t('config:refusedBy', { reason: refused.reason }) } : {}),
    },
  })
  const saved = useUnsaved(`config ${deviceId} ${page.name}`, form.isDirty())
  const save = useAction(saveConfigDraft, { quiet: true, refreshes, success: t('config:saved') })
  const discard = useAction(discardConfigDraft, { refreshes, success: t('config:discarded') })
  const fill = useAction(fillConfigDraft, { refreshes, success: t('config:saved') })
  const submit = form.onSubmit(async (values) => {
    setFailure(null)
    try {
      await save.run({
        deviceId,
        page: page.name,
        values: toServer(page.fields, values),
        edition: read.edition,
      })
      form.resetDirty(values)
      saved()
    } catch (error) {
      const field = error instanceof ApiError ? error.field?.replace(/^values\./, '') : undefined
      if (field && fields.some(({ path }) => path === field.split('.')[0])) {
        form.setFieldError(field, (error as ApiError).message)
        form.getInputNode(field)?.focus()
      } else setFailure(error as Error)
    }
  })
  const changed = new Set(read.changed)
  const names = namesOfDevice(page, form.values, read.names)
  return (
    <form onSubmit={submit} noValidate>
      {failure ? <ErrorBar error={failure} {...(conflictOf(failure) ? { onRetry: again } : {})} /> : null}
      <KnownNamesContext value={names}>
        <fieldset disabled={!mayEdit} className={`${classes['grid']} ${kit['lined']}`}>
          {fields
            .filter((field) => isAsked(field, form.values))
            .map((field) => (
              <div
                key={field.path}
                data-wide={isWide(field) || undefined}
                data-changed={changed.has(field.name) || undefined}
              >
                <FormField field={field} form={form} />
                {changed.has(field.name) ? (
                  <Text size="xs" c="dimmed" component="div" className={classes['running'] ?? ''}>
                    {t('config:review.before')}{' '}
                    <PageField
                      page={page.name}
                      field={field.name}
                      value={read.running[field.name]}
                      beside={read.values[field.name]}
                    />
                  </Text>
                ) : null}
              </div>
            ))}
        </fieldset>
      </KnownNamesContext>
      <Group justify="space-between" mt="md" gap="xs">
        <Text size="sm" c="dimmed" component="div">
          {read.changedAt ? (
            <>
              {t('config:editedBy', { name: read.changedBy ?? '—', count: read.changed.length })} ·{' '}
              <When at={read.changedAt} />
            </>
          ) : null}
        </Text>
        <Group gap="xs">
          {page.filledFrom ? (
            <ActionButton
              label={textOr(`${page.word}:fill`, page.name) ?? page.name}
              permission={configApplyPermission}
              busy={fill.busy}
              reason={form.isDirty() ? t('config:saveFirst') : null}
              onPress={() => fill.start({ deviceId, page: page.name })}
            />
          ) : null}
          {read.changed.length > 0 ? (
            <ActionButton
              label={t('config:discard')}
              permission={configApplyPermission}
              busy={discard.busy}
              onPress={() => discard.start({ deviceId, page: page.name })}
            />
          ) : null}
          <SubmitButton
            label={t('config:save')}
            busy={save.busy}
            reason={mayEdit ? (form.isDirty() ? null : t('form:unchanged')) : t('kit:noRight')}
          />
        </Group>
      </Group>
    </form>
  )
}

type Props = { deviceId: number; page: DeclaredPage; refused: Refused }

/** One page of a device. Changes saved by other users meanwhile are shown as long as there are no edits here. */
export function ConfigForm({ deviceId, page, refused }: Props) {
  const read = useCall(getConfigPage, { deviceId, page: page.name })
  const [shown, setShown] = useState<Read | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new state of the draft or of the device begins a new form
  useEffect(() => {
    if (read.data) setShown(read.data)
  }, [read.data?.edition, JSON.stringify(read.data?.running), page.name])
  return (
    <Card
      title={pageTitle(page)}
      side={
        <Text size="xs" c="dimmed">
          {carriedText(page)}
        </Text>
      }
    >
      <ReadBar read={read} />
      {page.trial === 'none' ? null : (
        <Alert variant="light" icon={<IconInfoCircle size={18} stroke={1.5} />} mb="md" py={8}>
          {t(`config:trial.${page.trial}`)}
        </Alert>
      )}
      {shown ? (
        <PageForm
          key={`${page.name} ${shown.edition} ${shown.changed.length} ${refused?.path ?? ''}`}
          deviceId={deviceId}
          page={page}
          read={shown}
          refused={refused}
          again={() => void read.refetch()}
        />
      ) : null}
    </Card>
  )
}

const carriedText = ({ carriedBy }: DeclaredPage): string =>
  typeof carriedBy === 'string'
    ? t(`config:carriedBy.${carriedBy}`)
    : t('config:carriedBy.package', { name: carriedBy.package })
