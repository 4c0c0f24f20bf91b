/** Uploaded pictures are re-encoded to small pictures: nothing of the original file is stored. */

import type { Readable } from 'node:stream'
import sharp, { type ResizeOptions } from 'sharp'
import { refuse } from '#schema/kit/refusal'
import { IMAGE_MAX_BYTES, IMAGE_MAX_MEGAPIXELS, type ImagePurpose } from '#schema/people/image'
import { peopleRefusals } from '#schema/people/people-refusals'

const MB = 1024 * 1024
const DECODE_MAX_S = 10
/** Twice the displayed size, for high-density screens; a portal's picture fills a phone, a panel's a wall display. */
const sizes: Record<ImagePurpose, ResizeOptions> = {
  logo: { width: 480, height: 96, fit: 'inside', withoutEnlargement: true },
  avatar: { width: 192, height: 192, fit: 'cover' },
  portal: { width: 1080, height: 1920, fit: 'inside', withoutEnlargement: true },
  panel: { width: 1920, height: 1920, fit: 'inside', withoutEnlargement: true },
}

sharp.cache(false)
sharp.concurrency(1)

const starts = (bytes: Buffer, ...magic: number[]) => magic.every((byte, i) => bytes[i] === byte)
const isJpeg = (bytes: Buffer) => starts(bytes, 0xff, 0xd8, 0xff)
const isPng = (bytes: Buffer) => starts(bytes, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)

/** @throws Refusal pictureTooLarge, also if the sender disconnects. */
export async function readPicture(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    // destroyOnReturn would close the connection before the refusal is sent.
    for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > IMAGE_MAX_BYTES) refuse(peopleRefusals.pictureTooLarge, { maxMb: IMAGE_MAX_BYTES / MB })
      chunks.push(chunk)
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ECONNRESET') refuse(peopleRefusals.notAPicture)
    throw error
  }
  return Buffer.concat(chunks)
}

/** One at a time: decoding may use hundreds of megabytes of memory. */
let turn: Promise<unknown> = Promise.resolve()

async function encode(bytes: Buffer, purpose: ImagePurpose): Promise<Buffer> {
  if (!isJpeg(bytes) && !isPng(bytes)) refuse(peopleRefusals.notAPicture)
  const limits = { limitInputPixels: IMAGE_MAX_MEGAPIXELS * 1e6, failOn: 'error', pages: 1 } as const
  const head = await sharp(bytes, { ...limits, limitInputPixels: false })
    .metadata()
    .catch(() => refuse(peopleRefusals.notAPicture))
  if (head.width * head.height > IMAGE_MAX_MEGAPIXELS * 1e6)
    refuse(peopleRefusals.pictureTooManyPixels, { max: IMAGE_MAX_MEGAPIXELS })
  // Rotated as its metadata says, before the metadata is dropped.
  return sharp(bytes, limits)
    .autoOrient()
    .resize(sizes[purpose])
    .webp({ quality: 86 })
    .timeout({ seconds: DECODE_MAX_S })
    .toBuffer()
    .catch(() => refuse(peopleRefusals.notAPicture))
}

/** As WebP, in the size of its purpose. @throws Refusal notAPicture, pictureTooManyPixels */
export function encodePicture(bytes: Buffer, purpose: ImagePurpose): Promise<Buffer> {
  const mine = turn.then(() => encode(bytes, purpose))
  turn = mine.catch(() => undefined)
  return mine
}
