/**
 * Enrolment behind an external broker. We do not see its connections, and any client with the same key may read the
 * response: so the request contains the key, and the device generates its secret itself [decisions/138].
 */
import type { z } from 'zod'
import type { Context } from '#infra/context'
import { hashSecret } from '#infra/secrets'
import type { DeviceLine } from '#infra/service-mqtt'
import { enrol, enrolled } from '#schema/device/enrol'
import type { Uplink } from '#schema/kit/message'
import { openCredentials } from '../credentials.ts'
import { answered } from '../enrolment.ts'
import { readPayload } from '../ingest.ts'
import type { SessionUplink } from '../uplink.ts'

type Request = z.output<(typeof enrol)['payload']>
type Answer = z.input<(typeof enrolled)['payload']>

export type Enrolling = {
  /** Calls `done` once the response was sent, or cannot be. */
  ask(sn: string, payload: Buffer, done: () => void): void
}

export function openEnrolling(
  context: Pick<Context, 'sql' | 'log' | 'env'>,
  handler: SessionUplink | undefined,
  line: DeviceLine,
  /** Resolves when the broker knows the account, or will later. */
  accountMade: () => Promise<void>,
): Enrolling {
  const credentials = openCredentials(context)

  async function decide(sn: string, payload: Buffer): Promise<Answer> {
    const read = readPayload(enrol as Uplink, payload)
    if ('fault' in read) return { sn, refusal: read.fault }
    const said = read.value as Request
    if (said.key === undefined || said.secret === undefined)
      return { sn, refusal: 'this platform needs `key` and `secret` in enrol' }
    const key = await credentials.key(hashSecret(said.key))
    if (!key || !handler) return { sn, refusal: 'the enrolment key has expired or was revoked' }
    const answer = (await answered(context, handler, { sn, keyId: key.id }, said)) as Answer
    if (answer.refusal === undefined) await accountMade()
    return answer
  }

  return {
    ask: (sn, payload, done) => {
      decide(sn, payload)
        .then((answer) => line.publish(sn, enrolled, answer))
        // If the device asks again, the same secret is accepted again.
        .catch((error: unknown) => context.log.warn({ err: error, sn }, 'enrolment not answered'))
        .finally(done)
    },
  }
}
