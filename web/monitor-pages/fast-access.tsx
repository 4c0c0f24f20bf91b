/** Five steps from a project to the first value of a terminal: each takes what exists, or adds it in place. */
import { Button, Group, Stepper, VisuallyHidden } from '@mantine/core'
import { useEffect, useState } from 'react'
import { addTerminal, getTerminalList, terminalEditPermission } from '#schema/device/terminal'
import type { Word } from '#schema/kit/words.gen'
import { fastAccessScreen } from '#schema/monitor/fast-access'
import { getMonitorDevices } from '#schema/monitor/monitor-device'
import { ActionButton, disabledReason } from '../kit/action-button.tsx'
import { ApiError, isCancelled, isSessionEnd } from '../kit/api.ts'
import { Card } from '../kit/card.tsx'
import { ErrorBar } from '../kit/error-bar.tsx'
import { DraftNote } from '../kit/form/draft-note.tsx'
import { t } from '../kit/i18n.ts'
import { useNarrow } from '../kit/narrow.ts'
import { usePageTitle } from '../kit/page/page.tsx'
import { PageHeader } from '../kit/page/page-header.tsx'
import { screenTitle } from '../kit/page/screen-title.ts'
import { useAction } from '../kit/query.ts'
import { FINISH, NEW_TERMINAL, steps, useAccess } from '../monitor/access-draft.ts'
import { AccessFinish } from '../monitor/access-finish.tsx'
import { AccessDevice, AccessProject } from '../monitor/access-places.tsx'
import { AccessTemplate } from '../monitor/access-template.tsx'
import { AccessTerminal, useNewTerminal } from '../monitor/access-terminal.tsx'
import { AccessVariables } from '../monitor/access-variables.tsx'

export const words: readonly Word[] = [
  'fast-access',
  'project',
  'device',
  'device-state',
  'terminal',
  'collection-template',
  'variable',
  'command',
]

const TERMINAL_STEP = steps.indexOf('terminal')

function useWizard() {
  const wizard = useAccess()
  const { access, change } = wizard
  const terminal = useNewTerminal(wizard.terminal)
  const [failure, setFailure] = useState<Error | null>(null)
  const action = useAction(addTerminal, {
    quiet: true,
    refreshes: [getTerminalList, getMonitorDevices],
    success: t('terminal:saved'),
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of the choices or of the form is kept
  useEffect(() => wizard.keep(terminal.form.values), [JSON.stringify([access, terminal.form.values])])
  const add = async (deviceId: number, templateId: number) => {
    setFailure(null)
    try {
      const { id } = await action.run(terminal.bodyWith(deviceId, templateId))
      wizard.forget()
      terminal.empty()
      change({ terminalId: id, step: FINISH })
    } catch (error) {
      if (isCancelled(error) || isSessionEnd(error)) return
      const field = error instanceof ApiError ? error.field : undefined
      if (field && terminal.fields.some(({ name }) => name === field)) {
        terminal.form.setFieldError(field, (error as ApiError).message)
        change({ step: TERMINAL_STEP })
      } else setFailure(error instanceof Error ? error : new Error(String(error)))
    }
  }
  const next = () => {
    setFailure(null)
    const isNew = access.terminalId === NEW_TERMINAL
    if (access.step === TERMINAL_STEP && isNew && terminal.form.validate().hasErrors) return
    if (access.step < FINISH - 1) return change({ step: access.step + 1 })
    if (isNew && access.deviceId !== null && access.templateId !== null)
      return void add(access.deviceId, access.templateId)
    wizard.forget()
    change({ step: FINISH })
  }
  return { ...wizard, terminal, failure, busy: action.busy, next }
}

function Step({ wizard }: { wizard: ReturnType<typeof useWizard> }) {
  const { access, change, terminal } = wizard
  const { step, projectId, deviceId, terminalId, templateId } = access
  // A choice drops the later ones that belonged to another one.
  const chooseProject = (id: number) => {
    if (id !== projectId) change({ projectId: id, deviceId: null, terminalId: null, templateId: null })
  }
  if (step === 0 || projectId === null) return <AccessProject chosen={projectId} onChoose={chooseProject} />
  if (step === 1 || deviceId === null)
    return (
      <AccessDevice
        projectId={projectId}
        chosen={deviceId}
        onChoose={(id) => {
          if (id !== deviceId) change({ deviceId: id, terminalId: null, templateId: null })
        }}
      />
    )
  if (step === TERMINAL_STEP || terminalId === null)
    return (
      <AccessTerminal
        deviceId={deviceId}
        chosen={terminalId}
        onChoose={(row) => change({ terminalId: row.id, templateId: row.templateId })}
        onNew={(isNew) => change({ terminalId: isNew ? NEW_TERMINAL : null, templateId: null })}
        terminal={terminal}
      />
    )
  if (step === FINISH) return <AccessFinish deviceId={deviceId} terminalId={terminalId} />
  if (step === FINISH - 1 && templateId !== null)
    return (
      <AccessVariables
        deviceId={deviceId}
        terminalId={terminalId}
        templateId={templateId}
        typed={terminal.form.values}
      />
    )
  return (
    <AccessTemplate
      projectId={projectId}
      deviceId={deviceId}
      chosen={templateId}
      onChoose={(id) => change({ templateId: id })}
      fixed={terminalId !== NEW_TERMINAL}
    />
  )
}

export function Page() {
  usePageTitle(screenTitle(fastAccessScreen))
  const wizard = useWizard()
  const narrow = useNarrow()
  const { access, change } = wizard
  const { step, projectId, deviceId, terminalId, templateId } = access
  const chosen = [projectId, deviceId, terminalId, templateId, templateId]
  const finished = step === FINISH
  const isNew = terminalId === NEW_TERMINAL
  const lacking = step < FINISH && chosen[step] === null ? t('fast-access:chooseFirst') : null
  const adds = step === FINISH - 1 && isNew
  const startOver = () => {
    wizard.terminal.empty()
    wizard.restart()
  }
  return (
    <>
      <PageHeader title={screenTitle(fastAccessScreen)} line={t('fast-access:about')} />
      <Card>
        <Stepper
          active={step}
          size="xs"
          iconSize={28}
          onStepClick={(to) => change({ step: to })}
          styles={narrow ? { separator: { marginInline: 4 }, stepBody: { marginInlineStart: 6 } } : {}}
        >
          {steps.map((name, i) => (
            <Stepper.Step
              key={name}
              label={
                narrow && i !== step ? (
                  <VisuallyHidden>{t(`fast-access:step.${name}`)}</VisuallyHidden>
                ) : (
                  t(`fast-access:step.${name}`)
                )
              }
              // Forward by the button, which checks the form of a new terminal.
              allowStepSelect={i < step}
            />
          ))}
        </Stepper>
        <div style={{ paddingBlock: 16 }}>
          <DraftNote at={wizard.restoredAt} onDiscard={startOver} />
          {wizard.failure ? <ErrorBar error={wizard.failure} /> : null}
          <div style={{ marginTop: wizard.restoredAt === null ? 0 : 12 }}>
            <Step wizard={wizard} />
          </div>
        </div>
        <Group justify="space-between" gap="sm">
          {step === 0 || finished ? (
            <span />
          ) : (
            <Button variant="default" onClick={() => change({ step: step - 1 })}>
              {t('fast-access:back')}
            </Button>
          )}
          <Group gap="sm">
            {projectId === null ? null : (
              <Button variant="subtle" color="gray" onClick={startOver}>
                {t('fast-access:startOver')}
              </Button>
            )}
            {finished ? (
              <ActionButton
                rank="primary"
                label={t('fast-access:another')}
                onPress={() => change({ terminalId: null, templateId: null, step: TERMINAL_STEP })}
              />
            ) : (
              <ActionButton
                rank="primary"
                label={t(
                  adds
                    ? 'terminal:create'
                    : step === FINISH - 1
                      ? 'fast-access:showValues'
                      : 'fast-access:next',
                )}
                reason={isNew ? disabledReason(terminalEditPermission, lacking) : lacking}
                busy={wizard.busy}
                onPress={wizard.next}
              />
            )}
          </Group>
        </Group>
      </Card>
    </>
  )
}
