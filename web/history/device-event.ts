/** Texts of the events of a device. */
import type { getDeviceTimeline } from '#schema/device/timeline'
import { faultCodes } from '#schema/platform/operation'
import { packageTitle } from '#schema/task/package-title'
import { endedText } from '../kit/ended-text.ts'
import { t, tOr } from '../kit/i18n.ts'
import { nameText } from '../kit/known-name.ts'
import type { Row } from '../kit/list/list-types.ts'
import { callName } from '../platform/call-name.ts'
import { failureName, stepName } from '../task/step-text.ts'

export type Event = Row<typeof getDeviceTimeline>

/** Events of one device may have the same millisecond. A task keeps its key while it goes on. */
export const eventKey = ({ at, kind, what, detail, taskId, steps }: Event) =>
  steps?.[0] ? ['task', taskId, steps[0].at].join(' ') : [at, kind, what, detail].join(' ')

type OfTask = Pick<Event, 'taskKind' | 'taskName' | 'packageName' | 'version'>
/** "Firmware upgrade: R200 firmware 2.0.0", "Bulk reboot: Monday"; '' unless it is a task. */
export const taskTitle = ({ taskKind, taskName, packageName, version }: OfTask): string =>
  taskKind
    ? t('kit:labelled', {
        label: tOr(`task:kind.${taskKind}`, taskKind),
        text: packageName ? packageTitle(packageName, version) : (taskName ?? ''),
      })
    : ''

/** `offline`, or `offline:over`. */
function alarmText(what: string): string {
  const [kind = '', over] = what.split(':')
  const name = tOr(`alarm:kind.${kind}`, kind)
  return over ? t('device:event.alarmOver', { name }) : name
}

/** A failure, possibly with what the device did instead (`upgradeFailed: backWith:1.4.1`); the outcome; or a user name. */
function taskText(detail: string, kind: string | null): string {
  const [failure = '', ...said] = detail.split(': ')
  const name = failureName(failure, kind)
  if (name === '') return tOr(`task:ended.${detail}`, nameText(detail) ?? '')
  return said.length === 0 ? name : t('kit:labelled', { label: name, text: endedText(said.join(': ')) })
}

/** "Failed · Upgrade failed: It came back with 1.4.1". @param actor the user whom the row shows anyway: not said twice */
export function stepText(
  { what, detail }: Pick<Event, 'what' | 'detail'>,
  { taskKind = null, actor = null }: Partial<Pick<Event, 'taskKind' | 'actor'>> = {},
): string {
  const name = stepName(what, taskKind) || tOr(`task:event.${what}`, what)
  return [name, detail && detail !== actor ? taskText(detail, taskKind) : ''].filter(Boolean).join(' · ')
}

/** `failed: no such host`: the state, and why. */
function commandEnd(detail: string): string {
  const [, state = '', why = ''] = /^(\w+)(?:: (.*))?$/s.exec(detail) ?? []
  const name = tOr(`command:state.${state}`, state)
  return why === '' ? name : t('kit:labelled', { label: name, text: endedText(why) })
}

/** Of a call that did nothing, with the code by which its refusal is described. */
function refusedText(code: string): string {
  const result = faultCodes.includes(Number(code)) ? 'fault' : 'refused'
  return t('operation:refusedWith', { result: t(`operation:result.${result}`), code })
}

/** The event in the user's language, if its name is known. */
export function eventText(event: Event): string {
  const { kind, what, detail } = event
  if (kind === 'task') return [taskTitle(event), stepText(event, event)].filter(Boolean).join(' · ')
  const name = {
    online: () => t('device:event.online'),
    offline: () => tOr(`device:offlineReason.${what}`, what),
    command: () => what.replace(/^\S+/, (command) => tOr(`command:name.${command}`, command)),
    operation: () => callName(what),
    warning: () => tOr(`device:warning.${what}`, what),
    firmware: () =>
      detail
        ? t('device:event.firmwareFrom', { version: what, from: detail })
        : t('device:event.firmware', { version: what }),
    alarm: () => alarmText(what),
    sim: () => tOr(`detail:switchReason.${what}`, what),
    backup: () => tOr(`detail:backupState.${what}`, what),
    schedule: () => tOr(`detail:runState.${what}`, what),
  }[kind]()
  const more =
    kind === 'command' && detail
      ? commandEnd(detail)
      : kind === 'firmware'
        ? null
        : kind === 'schedule' && detail
          ? tOr(`detail:runReason.${detail}`, tOr(`detail:runBy.${detail}`, detail))
          : kind === 'operation' && detail
            ? refusedText(detail)
            : detail
  return more ? `${name} · ${more}` : name
}
