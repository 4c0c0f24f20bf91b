/** Time zones that the runtime knows and the database may not: each has its own edition of the IANA database. */
import { sql } from 'drizzle-orm'
import { refuse } from '#schema/kit/refusal'
import { reportRefusals } from '#schema/report/report-refusals'
import type { CallContext } from '../kit/handler.ts'

/** PostgreSQL's invalid_parameter_value: a zone that it does not know. */
const BAD_PARAMETER = '22023'

/** For the error of a query with that zone. @throws Refusal 260, or the error if its cause is another one */
export function refuseUnknownZone(error: unknown, zone: string): never {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  if ((cause as { code?: unknown }).code === BAD_PARAMETER)
    refuse(reportRefusals.unknownZone, { zone }, 'zone')
  throw error
}

/** @throws Refusal 260 */
export async function checkZone({ db }: Pick<CallContext, 'db'>, zone: string): Promise<void> {
  await db
    .execute(sql`select now() at time zone ${zone}::text`)
    .catch((error: unknown) => refuseUnknownZone(error, zone))
}
