/** [§5 Uploads] Logos, avatars, pictures of portals and panels: JPG or PNG up to 2 MB, stored only after re-encoding. */

import { z } from 'zod'
import { makes, object } from '../kit/about.ts'
import { call } from '../kit/call.ts'

export const imageObject = object('image')

export const IMAGE_MAX_BYTES = 2 * 1024 * 1024
/** Larger ones are refused before decoding: a small file can unpack to gigabytes. */
export const IMAGE_MAX_MEGAPIXELS = 24
export const imagePurposes = ['logo', 'avatar', 'portal', 'panel'] as const
export type ImagePurpose = (typeof imagePurposes)[number]

/** URL of images; the token's cookie authorizes it (decision 019). */
export const IMAGE_PATH = '/images/'
export const imageUrl = (id: string | null): string | null => (id === null ? null : `${IMAGE_PATH}${id}`)

/** The id of an uploaded image, in the body of the object that uses it. */
export const imageId = z.guid()

export const uploadImage = call({
  path: '/api/image/uploadImage',
  permission: 'login',
  carrier: 'upload',
  writes: true,
  about: makes(imageObject, { by: 'imageId' }),
  summary:
    'A logo, an avatar or a picture for captive portals or panels, judged by its content; metadata is dropped. Not used within a day, it is deleted.',
  body: z.object({ purpose: z.enum(imagePurposes) }),
  reply: z.object({ imageId: z.string(), url: z.string() }),
})
