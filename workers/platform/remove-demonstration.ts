/**
 * Removes what is left of the deleted demonstration: the histories of its devices, its rows, and its part in
 * the sums of reports.
 */
import { removeDemonstration } from '#schema/people/demonstration'
import { removePurged } from '../device/purge-devices.ts'
import { processor, type Transaction } from '../kit/processor.ts'

/** In dependency order: referring rows first. */
export const ownTables = [
  'tasks',
  'packages',
  'config_files',
  'north_targets',
  'south_accounts',
  'signing_keys',
  'alarm_rules',
  'maintenances',
  'alarm_notices',
  'mails',
  'alarm_incidents',
  'alarm_channels',
  'contacts',
  'roles',
  'projects',
  'collection_templates',
  'terminal_snippets',
  'groups',
] as const

/**
 * Sums over all customers are recomputed without it; its share is subtracted from version counts, which
 * cannot be recomputed.
 */
async function removeFromReports(tx: Transaction, customerId: number): Promise<void> {
  await tx`insert into stale_hours (hour) select distinct hour from fleet_hours where customer_id = ${customerId} on conflict do nothing`
  await tx`delete from fleet_hours where customer_id = ${customerId}`
  await tx`delete from fleet_days where customer_id = ${customerId}`
  await tx`
    update version_days v set devices = v.devices - own.devices
    from version_days own
    where own.customer_id = ${customerId} and own.group_id = 0 and v.customer_id = 0
      and (v.day, v.model, v.firmware) = (own.day, own.model, own.firmware)`
  await tx`delete from version_days where customer_id = ${customerId} or devices <= 0`
}

export const removeDemonstrationJob = processor(removeDemonstration, async (ctx) => {
  const [customer] = await ctx.sql<{ id: number }[]>`
    select id from customers c where demonstration
      and not exists (select 1 from devices where customer_id = c.id and purged_at is null)
      and not exists (select 1 from users where customer_id = c.id)`
  if (!customer) return { removed: false }
  const removed = await removePurged(ctx)
  const files = await ctx.sql<{ fileKey: string }[]>`
    select file_key as "fileKey" from packages where customer_id = ${customer.id} and deleted_at is null
    union all select file_key from config_files where customer_id = ${customer.id}`
  await ctx.sql.begin(async (tx) => {
    await removeFromReports(tx, customer.id)
    for (const table of ownTables) await tx`delete from ${tx(table)} where customer_id = ${customer.id}`
    await tx`delete from customers where id = ${customer.id}`
  })
  // Rows first: an unreferenced file only costs space, while a row without its file is wrong.
  for (const { fileKey } of files) await ctx.files.remove(fileKey)
  return { removed: true, ...removed }
})
