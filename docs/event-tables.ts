/** The event tables of docs/webhooks.md: their meaning, and the fields of their bodies. */
import { eventFacts, eventPayload } from '#schema/alarm/channel-event'
import { fieldsOf, jsonSchema, table } from './fields.ts'

export const eventTable = () =>
  [
    table(
      ['`type`', 'Sent when'],
      Object.values(eventFacts).map(({ type, when }) => [`\`${type}\``, when]),
    ),
    table(
      ['Field of `data`', 'Type', 'Meaning'],
      fieldsOf(jsonSchema(eventPayload, 'output')).map(({ path, type, description }) => [
        `\`${path}\``,
        type,
        description,
      ]),
    ),
  ].join('\n\n')
