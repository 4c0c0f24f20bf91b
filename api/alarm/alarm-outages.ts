/** Which alarms are shown as one outage, to a reader who may see only some of them. */
import { type SQL, sql } from 'drizzle-orm'
import { OUTAGE_MIN } from '#schema/alarm/alarm'
import { OUTAGES_TOLD } from '#schema/alarm/alarm-outage'
import { alarms } from '#schema/tables/alarm'
import type { Actor } from '../kit/actor.ts'
import { visible } from '../kit/scope.ts'

/**
 * Ids of incidents with enough active alarms for an outage, the largest first; the remaining alarms of a smaller one
 * are listed as rows. So are those beyond the maximum number: the list omits only what is shown above it.
 */
export const outagesOf = (actor: Actor): SQL => sql`(select ${alarms.incidentId} from ${alarms}
  where ${visible(actor).alarms} and ${alarms.endedAt} is null and ${alarms.incidentId} is not null
  group by ${alarms.incidentId} having count(*) >= ${OUTAGE_MIN}
  order by count(*) desc, ${alarms.incidentId} desc limit ${OUTAGES_TOLD})`

export const outsideOutages = (actor: Actor): SQL =>
  sql`(${alarms.incidentId} is null or ${alarms.incidentId} not in ${outagesOf(actor)})`
