import { type SQL, sql } from 'drizzle-orm'
import type { Actor } from '#api/kit/actor'
import { visible } from '#api/kit/scope'
import { stored } from '#api/kit/stored'
import { templateObject } from '#schema/monitor/collection-template'
import { collectionTemplates } from '#schema/tables/collection-template'
import { devices } from '#schema/tables/device'
import { terminals } from '#schema/tables/terminal'

const { id, name, customerId } = collectionTemplates

/**
 * False for a user confined to groups if terminals outside them use the template: an edit would change what those
 * devices collect, which this user may not change. Deleted devices of the groups are still theirs; those that are being purged
 * collect nothing any more.
 */
export const changeableTemplate = (actor: Actor, templateId: SQL | typeof id = id): SQL<boolean> =>
  actor.groupIds === null
    ? sql<boolean>`true`
    : sql<boolean>`not exists (select 1 from ${terminals} join ${devices} on ${devices.id} = ${terminals.deviceId}
        where ${terminals.templateId} = ${templateId} and ${devices.purgedAt} is null
          and not ((${visible(actor).devices}) or (${visible(actor).unusualDevices})))`

export const storedTemplate = stored({
  object: templateObject,
  table: collectionTemplates,
  id,
  name,
  customerId,
  seen: (walls) => walls.collectionTemplates,
  row: (actor) => ({ id, customerId, changeable: changeableTemplate(actor) }),
  parts: {
    main: {
      table: collectionTemplates,
      id,
      fields: {
        name,
        type: collectionTemplates.type,
        vendor: collectionTemplates.vendor,
        byteOrder: collectionTemplates.byteOrder,
        maxGap: collectionTemplates.maxGap,
        maxRegisters: collectionTemplates.maxRegisters,
        timeoutMs: collectionTemplates.timeoutMs,
        pauseMs: collectionTemplates.pauseMs,
        connectDelayMs: collectionTemplates.connectDelayMs,
        pollMs: collectionTemplates.pollMs,
        retries: collectionTemplates.retries,
        remark: collectionTemplates.remark,
      },
    },
  },
})
