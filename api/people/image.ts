import { randomUUID } from 'node:crypto'
import { refuse } from '#schema/kit/refusal'
import { IMAGE_PATH, uploadImage } from '#schema/people/image'
import { sessionRefusals } from '#schema/people/session-refusals'
import { images } from '#schema/tables/customer'
import { handler } from '../kit/handler.ts'
import { encodePicture, readPicture } from './picture.ts'

/** Uploaded and not used yet; more is somebody filling the disk. */
const UNUSED_MAX = 100
const UNUSED_S = 86_400

export const uploadImageHandler = handler(uploadImage, async (ctx, body) => {
  const content = await encodePicture(await readPicture(ctx.stream), body.purpose)
  const { customerId } = ctx.actor
  const unused = ctx.sql`customer_id is not distinct from ${customerId}
    and not exists (select 1 from users where icon = images.id) and not exists (select 1 from customers where logo = images.id)`
  await ctx.sql`delete from images where ${unused} and created_at < now() - ${UNUSED_S} * interval '1 second'`
  const [waiting] = await ctx.sql<
    { total: number }[]
  >`select count(*)::int as total from images where ${unused}`
  if (waiting && waiting.total >= UNUSED_MAX) refuse(sessionRefusals.tooManyAttempts, { seconds: UNUSED_S })
  const id = randomUUID()
  await ctx.db.insert(images).values({ id, customerId, mime: 'image/webp', content })
  ctx.note({ object: `#${id}`, after: { purpose: body.purpose, bytes: content.length } })
  return { imageId: id, url: `${IMAGE_PATH}${id}` }
})
