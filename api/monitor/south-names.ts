/** What the names used by a source refer to, and the inspection of one message. */
import { and, asc, eq, sql } from 'drizzle-orm'
import { refuse } from '#schema/kit/refusal'
import { reportTime } from '#schema/monitor/clock'
import type { Quality } from '#schema/monitor/fields'
import { getSouthNames, linkSouth, tryMessage, unlinkSouth } from '#schema/monitor/south'
import { mappingParts, type SouthSample } from '#schema/monitor/south/adapter'
import { whyMappingRefused } from '#schema/monitor/south/mapping'
import { UNMAPPED_MAX } from '#schema/monitor/south-kinds'
import { southRefusals } from '#schema/monitor/south-refusals'
import { devices } from '#schema/tables/device'
import { southNames, southTerminals } from '#schema/tables/south'
import { terminals } from '#schema/tables/terminal'
import { rowOf } from '../kit/about.ts'
import { handler } from '../kit/handler.ts'
import { visible } from '../kit/scope.ts'
import { projectGroups } from './project-figures.ts'
import { adapters } from './south-adapters.ts'
import { storedSouthAccount } from './south-object.ts'

const SHOWN_MAX = 100
const TEXT_MAX = 1_000

export const getSouthNamesHandler = handler(getSouthNames, async (ctx, { id }) => {
  const links = await ctx.db
    .select({
      source: southTerminals.source,
      terminalId: terminals.id,
      terminalName: terminals.name,
      deviceName: devices.name,
      templateId: terminals.templateId,
    })
    .from(southTerminals)
    .innerJoin(terminals, eq(terminals.id, southTerminals.terminalId))
    .innerJoin(devices, eq(devices.id, terminals.deviceId))
    .where(and(eq(southTerminals.accountId, id), visible(ctx.actor).terminals))
    .orderBy(asc(southTerminals.source))
  const names = await ctx.db
    .select({ source: southNames.source, name: southNames.name, value: southNames.value, at: southNames.at })
    .from(southNames)
    .where(eq(southNames.accountId, id))
    .orderBy(asc(southNames.source), asc(southNames.name))
    .limit(UNMAPPED_MAX)
  return { links, names }
})

/** A visible terminal of the account's project; one that is linked to another account must be unlinked first. */
export const linkSouthHandler = handler(linkSouth, async (ctx, { id, source, terminalId }) => {
  const { customerId, projectId } = rowOf(ctx, storedSouthAccount)
  const [found] = await ctx.db
    .select({ id: terminals.id })
    .from(terminals)
    .innerJoin(devices, eq(devices.id, terminals.deviceId))
    .where(
      and(
        eq(terminals.id, terminalId),
        visible(ctx.actor).terminals,
        eq(devices.customerId, customerId),
        sql`${devices.groupId} in (${projectGroups(projectId)})`,
      ),
    )
  if (!found) refuse(southRefusals.terminalNotInProject, {}, 'terminalId')
  await ctx.db.transaction(async (tx) => {
    await tx
      .delete(southTerminals)
      .where(and(eq(southTerminals.accountId, id), eq(southTerminals.source, source)))
    const made = await tx
      .insert(southTerminals)
      .values({ terminalId, accountId: id, source })
      .onConflictDoNothing()
      .returning({ terminalId: southTerminals.terminalId })
    if (made.length === 0) refuse(southRefusals.terminalLinked, {}, 'terminalId')
    // Those that have a variable now; the others stay, since their source may not send them again for an hour. The broker does
    // the same while the source is connected.
    await tx.execute(sql`
      delete from south_names n using terminals t join variables v on v.template_id = t.template_id
      where n.account_id = ${id} and n.source = ${source} and t.id = ${terminalId} and not v.hidden
        and v.io_controller <> 'formula'
        and name_key(v.name) in (name_key(n.name), name_key(regexp_replace(n.name, '^.*/', '')))`)
  })
  return null
})

export const unlinkSouthHandler = handler(unlinkSouth, async (ctx, { id, source }) => {
  await ctx.db
    .delete(southTerminals)
    .where(and(eq(southTerminals.accountId, id), eq(southTerminals.source, source)))
  return null
})

/** Read as hexadecimal only if that is unambiguous: protobuf begins with a byte that no text begins with. */
const bytesOf = (payload: string): Uint8Array => {
  const hex = payload.replace(/\s/g, '')
  return /^([0-9a-f]{2}){4,}$/i.test(hex) ? Buffer.from(hex, 'hex') : Buffer.from(payload)
}

/** As the broker files it: values of the future under their arrival. */
const timeOf = ({ at, late }: SouthSample, now: number) => reportTime(Math.round(at), late ?? false, 0, now)
/** The last moment that the protocol knows; a sender that counts microseconds says later ones. */
const TIME_MAX = 8_640_000_000_000

/** Without a value, its time says nothing. */
function qualityOf({ value, quality }: SouthSample, isUncertain: boolean): Quality {
  if (quality !== undefined && quality !== 'uncertainTime') return quality
  if (value === null || Number.isNaN(value)) return 'noValue'
  if (typeof value === 'number' && !Number.isFinite(value)) return 'badData'
  return isUncertain ? 'uncertainTime' : (quality ?? 'good')
}

function triedSample(sample: SouthSample, now: number) {
  const { source, name, at, value, late } = sample
  const filed = timeOf(sample, now)
  // What would be refused for its time is shown with it.
  const said = 'fault' in filed ? { at: Math.min(Math.max(at, 0), TIME_MAX), uncertain: false } : filed
  return {
    source: source.slice(0, TEXT_MAX),
    name: name.slice(0, TEXT_MAX),
    at: new Date(said.at),
    value: typeof value === 'string' ? value.slice(0, TEXT_MAX) : value,
    quality: qualityOf(sample, said.uncertain),
    late: late ?? false,
  }
}

export const tryMessageHandler = handler(tryMessage, async (ctx, { kind, topic, payload, ...said }) => {
  const mapping = Object.fromEntries(mappingParts.flatMap((part) => (said[part] ? [[part, said[part]]] : [])))
  const why = kind === 'mapping' ? whyMappingRefused(mapping) : null
  if (why !== null) refuse(southRefusals.southMappingInvalid, {}, why)
  const session = adapters.get(kind)?.open(mapping)
  if (!session) throw new Error(`no adapter ${kind}`)
  const bytes = kind === 'sparkplugB' ? bytesOf(payload) : Buffer.from(payload)
  const now = ctx.now().getTime()
  const { samples, fault } = session.read({ topic, payload: bytes, now })
  const shown = samples.slice(0, SHOWN_MAX)
  return {
    samples: shown.map((sample) => triedSample(sample, now)),
    more: samples.length - shown.length,
    fault: fault ?? (samples.some((sample) => 'fault' in timeOf(sample, now)) ? 'tooOld' : null),
  }
})
