/**
 * The format that a text must have, as named in error messages: `form:shape.<name>`. A pattern is declared with its
 * shape; the form, which knows only the pattern, and the server, which knows only zod's issue, look the shape up by the
 * pattern.
 */
import type { Key } from './words.gen.ts'

type NameOf<K> = K extends `form:shape.${infer Name}` ? Name : never
export type ShapeName = NameOf<Key>

/**
 * In a set of a pattern with the flag `u`: characters that are drawn as nothing or as a gap. Besides spaces these are format
 * characters, letters without a picture (a Hangul filler, `\p{DI}`) and an empty Braille cell. A name of nothing else looks like none.
 */
export const INVISIBLE = String.raw`\p{Cf}\p{DI}\p{Zs}\t\u2800`

const byPattern = new Map<string, ShapeName>()

/** `z.string().regex(shaped(/…/, 'macAddress'))`. @throws Error if the pattern already has another shape. */
export function shaped(pattern: RegExp, name: ShapeName): RegExp {
  const known = byPattern.get(String(pattern))
  if (known !== undefined && known !== name) throw new Error(`${pattern} is both ${known} and ${name}`)
  byPattern.set(String(pattern), name)
  return pattern
}

/** Formats that zod knows itself. */
const byFormat: Readonly<Record<string, ShapeName>> = {
  email: 'email',
  ipv4: 'ipv4',
  url: 'webUrl',
  uuid: 'uuid',
  guid: 'uuid',
  datetime: 'moment',
  date: 'day',
}

/** The shape for a check or an issue of zod; an issue has the pattern as text, with slashes and flags. */
export const shapeOf = (format: string, pattern?: RegExp | string): ShapeName | undefined =>
  byPattern.get(String(pattern)) ?? byFormat[format]
