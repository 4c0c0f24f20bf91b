import { furnish } from '../furnish.ts'

export const furnishSmsMessage = furnish(async ({ sql }, tenant) => {
  const [made] = await sql<{ id: number }[]>`
    insert into sms_messages (device_id, customer_id, number, text)
    values (${tenant.devices[0]?.id ?? 0}, ${tenant.customerId}, '+8613800138000', ${`${tenant.name} message`}) returning id`
  const id = made?.id
  // Accepted by the rules, so that the calls get as far as the ids.
  const valid = { number: '+8613800138000' }
  return {
    own: {
      'smsMessage/addSmsMessage': valid,
      'smsMessage/modifySmsMessage': { id, ...valid },
      'smsMessage/sendSmsMessage': { id },
      'smsMessage/deleteSmsMessage': { id },
    },
  }
})
