/** How much one customer may send within an hour, for each purpose. send-budget.ts assigns them. */
import { parameter } from '../kit/parameter.ts'
import type { ServerKey } from '../kit/words.gen.ts'

const budget = (description: ServerKey, [initial, min, max]: [number, number, number]) =>
  parameter(description, { unit: 'pieces', initial, min, max, perCustomer: true })

export const sendParameters = {
  alarmMailsPerHour: budget('parameter:description.alarmMailsPerHour', [300, 20, 10_000]),
  channelNoticesPerHour: budget('parameter:description.channelNoticesPerHour', [600, 20, 20_000]),
  reportMailsPerHour: budget('parameter:description.reportMailsPerHour', [100, 20, 5_000]),
  confirmationMailsPerHour: budget('parameter:description.confirmationMailsPerHour', [30, 5, 500]),
  channelTestsPerHour: budget('parameter:description.channelTestsPerHour', [20, 5, 200]),
} as const
