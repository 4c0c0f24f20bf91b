/** Device commands of the console, gathered from their declarations, and the only function that sends them. */

import declared from 'virtual:commands'
import type { Icon } from '@tabler/icons-react'
import { getCommandList, sendCommand } from '#schema/command/command'
import type { Command, Confirmation, Place } from '#schema/kit/command'
import { holds } from '#schema/kit/condition'
import type { FormField } from '#schema/kit/field'
import { request } from '../kit/api.ts'
import { type FormTexts, textOr } from '../kit/form/form-model.ts'
import { t } from '../kit/i18n.ts'
import { opener } from '../kit/opener.ts'
import { queryClient, reportError } from '../kit/query.ts'
import { toast } from '../kit/toast.tsx'

export type DeclaredCommand = Omit<Command, 'args' | 'reply' | 'summary' | 'exampleArgs' | 'exampleReply'> & {
  readonly fields: readonly FormField[]
  readonly Icon: Icon
}

export type Target = { deviceId: number; deviceName: string; deviceSn: string }
type Args = Readonly<Record<string, unknown>>

/** @throws if it is not declared */
export function commandNamed(name: string): DeclaredCommand {
  const found = declared.find((command) => command.name === name)
  if (!found) throw new Error(`the command ${name} is not declared`)
  return found
}
/** False for commands of a later version, which are unknown here. */
export const isBanner = (name: string) => declared.find((command) => command.name === name)?.banner ?? true
export const endsWithReturn = (name: string) =>
  declared.find((command) => command.name === name)?.verify === 'return'
export const commandsAt = (place: Place) => declared.filter((command) => command.place === place)
/** Commands that can be sent to many devices at once. */
export const commandsToMany = declared.filter(({ bulk }) => bulk !== undefined)

/** The text keys of a command's arguments. */
export const textsOfCommand = (name: string): FormTexts => ({
  label: (field) => textOr(`command:arg.${name}.${field}`, field) ?? field,
  hint: (field) => textOr(`command:argHint.${name}.${field}`, undefined),
  choice: (field, value) => textOr(`command:arg.${name}.${field}Is.${value}`, value) ?? value,
  units: true,
})

/** "Reboot", or "Stop dnsmasq" if an argument has its own names. */
export function commandTitle(name: string, args: Args): string {
  const by = declared.find((command) => command.name === name)?.namedBy
  const plain = textOr(`command:name.${name}`, name) ?? name
  return by === undefined ? plain : (textOr(`command:named.${name}.${args[by]}`, plain, args) ?? plain)
}

/** The confirmation required for these arguments. */
export const confirmationOf = ({ confirm, unasked }: DeclaredCommand, args: Args): Confirmation =>
  unasked && holds(unasked, args) ? 'none' : confirm

/** Why the command cannot be sent to the device now; null: it can. */
export function commandBlockedReason(
  device: { online: boolean; deletedAt?: string | null; features?: readonly string[] | null },
  command: string,
): string | null {
  if (device.deletedAt) return t('device:reason.deleted')
  if (!device.online) return t('device:reason.offline')
  return device.features && !device.features.includes(command) ? t('device:reason.unsupported') : null
}

export type Question = {
  target: Target
  command: DeclaredCommand
  /** Undefined: the dialog asks for them. */
  args: Args | undefined
  onSent: ((commandId: string) => void) | undefined
}
/** The open question; rendered by the page (device-dialogs.tsx). */
export const commandQuestion = opener<Question>()

/** Sends the command, confirmed or not; the result is in the device's command list. */
export async function sendNow({ target, command, args, onSent }: Question): Promise<boolean> {
  try {
    // Not cancelled when the page is left: a confirmed command must not be aborted halfway.
    const body = { deviceId: target.deviceId, name: command.name, args: { ...args } }
    const { commandId } = await request(sendCommand, body, new AbortController().signal)
    if (onSent) onSent(commandId)
    else
      void toast(
        'success',
        t('command:sent', { command: commandTitle(command.name, body.args), device: target.deviceName }),
      )
    return true
  } catch (error) {
    reportError(error)
    return false
  } finally {
    await queryClient.invalidateQueries({ queryKey: [getCommandList.name] })
  }
}

/** Asks for confirmation as declared, and for the arguments unless they are given, then sends the command. */
export async function startCommand(
  target: Target,
  name: string,
  args?: Args,
  onSent?: (commandId: string) => void,
): Promise<void> {
  const command = commandNamed(name)
  const question = { target, command, args, onSent }
  const asksArgs = args === undefined && command.fields.length > 0
  if (asksArgs || confirmationOf(command, args ?? {}) !== 'none') commandQuestion.show(question)
  else await sendNow(question)
}
