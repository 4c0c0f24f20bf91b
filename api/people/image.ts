import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { refuse } from '#schema/kit/refusal'
import { IMAGE_PATH, imageObject, uploadImage } from '#schema/people/image'
import { sessionRefusals } from '#schema/people/session-refusals'
import { images } from '#schema/tables/customer'
import { handler } from '../kit/handler.ts'
import { stored } from '../kit/stored.ts'
import { withinBound } from '../kit/within-bound.ts'
import { encodePicture, readPicture } from './picture.ts'

export const storedImage = stored({
  object: imageObject,
  table: images,
  id: images.id,
  name: sql`null`,
  customerId: images.customerId,
  seen: (walls) => walls.images,
  row: () => ({ id: images.id }),
})

/** Limit of unused uploads, so that no user can fill the disk. */
const UNUSED_MAX = 100
const UNUSED_S = 86_400

export const uploadImageHandler = handler(uploadImage, async (ctx, body) => {
  const content = await encodePicture(await readPicture(ctx.stream), body.purpose)
  const { customerId } = ctx.actor
  const unused = sql`customer_id is not distinct from ${customerId}
    and not exists (select 1 from users where icon = images.id) and not exists (select 1 from customers where logo = images.id)
    and not exists (select 1 from advertisements where image_id = images.id)
    and not exists (select 1 from panels where image_ids @> array[images.id])`
  await ctx.db.delete(images).where(sql`${unused} and created_at < now() - ${UNUSED_S} * interval '1 second'`)
  const id = randomUUID()
  const bound = {
    table: images,
    where: unused,
    owner: customerId,
    max: UNUSED_MAX,
    full: () => refuse(sessionRefusals.tooManyAttempts, { seconds: UNUSED_S }),
  }
  await withinBound(ctx, bound, (tx) =>
    tx.insert(images).values({ id, customerId, mime: 'image/webp', content }),
  )
  ctx.note({ after: { purpose: body.purpose, bytes: content.length } })
  return { imageId: id, url: `${IMAGE_PATH}${id}` }
})
