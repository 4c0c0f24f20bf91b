/** A refusal tells the user why: a product code and a text of locales/, declared by the subject that refuses. */

import { ofKind } from './kind.ts'
import type { Places } from './places.gen.ts'
import type { TextParams } from './say.ts'
import type { Key, ServerKey } from './words.gen.ts'

export const languages = ['zh-CN', 'zh-TW', 'en-US'] as const
export type Language = (typeof languages)[number]
/** [§9] */
export const DEFAULT_LANGUAGE: Language = 'zh-CN'

type AnyKey = Key | ServerKey
export type RefusalKind<K extends AnyKey = AnyKey> = {
  readonly kind: 'refusal'
  readonly code: number
  readonly text: K
}

/**
 * Declares one product code [§8] and the key of its text, usually `<word>:refusal.<name>`; `{names}` in the text are
 * filled in. 0 is success, 1 failed, 2 and 20 session, 5 permission, 15 wrong password; ours from 100. Subjects
 * export theirs as one object, `<word>Refusals`.
 */
export const refusal = <const K extends AnyKey>(code: number, text: K): RefusalKind<K> => ({
  kind: 'refusal',
  code,
  text,
})

const isRefusal = ofKind<RefusalKind>('refusal')
/** A subject's refusals by name. */
export const isRefusals = (value: unknown): value is Readonly<Record<string, RefusalKind>> =>
  typeof value === 'object' &&
  value !== null &&
  Object.keys(value).length > 0 &&
  Object.values(value).every(isRefusal)

/** `{name}` in the text is replaced by `params.name`. */
export class Refusal extends Error {
  readonly kind: RefusalKind
  readonly params: TextParams
  /** The invalid body field, for the form that sent it. */
  readonly field: string | undefined
  /** Data for the form besides the text, in `data`. */
  readonly data: unknown

  constructor(kind: RefusalKind, params: TextParams = {}, field?: string, data: unknown = null) {
    super(kind.text)
    this.name = 'Refusal'
    this.kind = kind
    this.params = params
    this.field = field
    this.data = data
  }
}

type Rest = [field?: string, data?: unknown]
/** The values that its text interpolates; unchecked for a refusal whose text is not known at compile time. */
type Filling<K extends AnyKey> = [AnyKey] extends [K]
  ? [params?: TextParams, ...Rest]
  : K extends keyof Places
    ? [params: Readonly<Record<Places[K], string | number>>, ...Rest]
    : [params?: Readonly<Record<string, never>>, ...Rest]

/** Throws a refusal; `field` is the invalid body field, `data` is what the form needs to continue. */
export function refuse<K extends AnyKey>(
  kind: RefusalKind<K>,
  ...[params = {}, field, data = null]: Filling<K>
): never {
  throw new Refusal(kind, params, field, data)
}

/** The first language of an Accept-Language header that we support; zh-CN if none. */
export function pickLanguage(header: string | undefined): Language {
  for (const part of (header ?? '').split(',')) {
    const tag = (part.split(';')[0] ?? '').trim().toLowerCase()
    if (tag === 'zh-tw' || tag === 'zh-hk' || tag.startsWith('zh-hant')) return 'zh-TW'
    if (tag.startsWith('zh')) return 'zh-CN'
    if (tag.startsWith('en')) return 'en-US'
  }
  return DEFAULT_LANGUAGE
}
