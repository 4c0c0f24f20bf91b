import { randomUUID } from 'node:crypto'
import { furnish } from '../furnish.ts'

/** An advertisement for a group, on a device that has it, with a day of counts. */
export const furnishAdvertisement = furnish(async ({ sql }, tenant) => {
  const imageId = randomUUID()
  const { customerId, name, groups } = tenant
  await sql`insert into images (id, customer_id, mime, content) values (${imageId}, ${customerId}, 'image/webp', '\\x00')`
  const [made] = await sql<{ id: number }[]>`
    insert into advertisements (customer_id, name, image_id, caption, link, scope)
    values (${customerId}, ${`${name} advertisement`}, ${imageId}, ${`${name} caption`}, ${`https://${name}.example.test/`}, 'groups') returning id`
  const id = made?.id ?? 0
  await sql`insert into advertisement_groups (advertisement_id, group_id) values (${id}, ${groups.root})`
  const deviceId = tenant.devices[0]?.id ?? 0
  await sql`
    insert into portal_devices (device_id, desired, reported, today, reported_at)
    values (${deviceId}, ${`${id}.1`}, ${`${id}.1`}, ${[id]}, now())
    on conflict (device_id) do nothing`
  await sql`insert into advertisement_counts (advertisement_id, device_id, day, shown, clicked) values (${id}, ${deviceId}, current_date, 7, 1)`
  const names = [
    'modifyAdvertisement',
    'enableAdvertisement',
    'deleteAdvertisement',
    'getAdvertisementDays',
    'getAdvertisementDevices',
  ]
  // `imageId` has to be the customer's as well.
  const shared = { imageId }
  return {
    shared,
    own: Object.fromEntries(names.map((call) => [`advertisement/${call}`, { id }])),
  }
})
