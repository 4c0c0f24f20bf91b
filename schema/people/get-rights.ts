/** The console asks for it again and again, so it has none of what roles need. */
import { z } from 'zod'
import { call } from '../kit/call.ts'

export const getRights = call({
  path: '/api/permission/getRights',
  method: 'GET',
  permission: 'login',
  summary:
    'A fingerprint of the rights, the customer’s name, logo and copyright: when it changes, ask for them again.',
  reply: z.object({ version: z.string() }),
})
