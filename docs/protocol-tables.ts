/** The reference tables of docs/protocol.md: one per declared message, one for all commands. */
import { pageList } from '#schema/config/page-list'
import type { Command } from '#schema/kit/command'
import type { Downlink, Uplink } from '#schema/kit/message'
import { PROTOCOL_VERSION } from '#schema/kit/message'
import { parameters } from '#schema/platform/parameter-list'
import { packageSteps } from '#schema/task/package-steps'
import { fieldsOf, fieldTable, jsonSchema, table } from './fields.ts'

const block = (value: unknown) => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``

export function messageReference(message: Uplink | Downlink): string {
  const up = message.kind === 'uplink'
  const topic = `v${PROTOCOL_VERSION}/{sn}/${up ? 'up' : 'down'}/${message.name}`
  const facts = [
    up ? 'device → platform' : 'platform → device',
    'QoS 1, not retained',
    ...(up ? [`at most ${message.maxBytes} bytes`] : []),
  ]
  return [
    `\`${topic}\` · ${facts.join(' · ')}`,
    message.summary,
    fieldTable(fieldsOf(jsonSchema(message.payload)), message.example),
    block(message.example),
  ].join('\n\n')
}

const verified = {
  reply: 'a reply `done`',
  return: 'a hello with another `bootId`',
} as const

export function commandReference(command: Command): string {
  return [
    `### Command \`${command.name}\``,
    command.summary,
    `Answered within ${command.deadlineS} s${command.delayedBy ? `, counted from when it begins (\`${command.delayedBy}\` later)` : ''}; it ends with ${verified[command.verify]}. ` +
      (command.repeatSafe
        ? 'Safe to repeat: after a crash of the platform it may come again with the same id.'
        : 'After a crash of the platform the device is first asked (`inquire`).'),
    'Arguments:',
    fieldTable(fieldsOf(jsonSchema(command.args)), command.exampleArgs),
    'Result:',
    fieldTable(fieldsOf(jsonSchema(command.reply, 'output')), command.exampleReply),
  ].join('\n\n')
}

const words = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ')

/** Which configuration pages there are, and what a device must have and manage for each. */
export const configPageTable = () =>
  table(
    ['Page', 'Level', 'Abilities', 'Packages'],
    pageList
      .toSorted((a, b) => a.name.localeCompare(b.name))
      .map(({ name, sinceLevel, needs, packages }) => [
        name,
        String(sinceLevel),
        words(needs),
        words(packages),
      ]),
  )

/**
 * Default time that a step may last without progress, and the failure that silence causes while the device is online.
 */
export const deadlineTable = () =>
  table(
    ['Last step told', 'Seconds', 'Silence means'],
    Object.entries(packageSteps.deadlineS).map(([step, seconds]) => [
      step === 'sent' ? 'none, or `accepted`' : `\`${step}\``,
      String(parameters[seconds].initial),
      `\`${packageSteps.silence[step as keyof typeof packageSteps.silence]}\``,
    ]),
  )
