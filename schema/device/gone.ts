/** The end of a connection, as reported by the device: with an external broker there is no other source. */
import { z } from 'zod'
import { uplink } from '../kit/message.ts'
import { deviceText } from './hello.ts'

export const gone = uplink({
  name: 'gone',
  class: 'presence',
  summary:
    'The connection has ended. The will of each main connection, and published with `leaving` right before DISCONNECT.',
  payload: z.object({
    connection: deviceText(64).min(1).describe('as in the hello of this connection'),
    leaving: z.boolean().optional().describe('true: the device disconnects by itself'),
  }),
  example: { connection: '9f1d3b0c7a52' },
})
