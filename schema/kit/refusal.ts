/** A refusal answers the user: a product code and a text in three languages, declared once in schema/refusals.ts. */

export const languages = ['zh-CN', 'zh-TW', 'en-US'] as const
export type Language = (typeof languages)[number]
/** [§9] */
export const DEFAULT_LANGUAGE: Language = 'zh-CN'

export type RefusalKind = { readonly code: number } & Readonly<Record<Language, string>>

/** `{name}` in the text is replaced by `params.name`. */
export class Refusal extends Error {
  readonly kind: RefusalKind
  readonly params: Readonly<Record<string, string | number>>
  /** The body field at fault, for the form that sent it. */
  readonly field: string | undefined
  /** What the form needs beside the text: travels as `data`. */
  readonly data: unknown

  constructor(
    kind: RefusalKind,
    params: Readonly<Record<string, string | number>> = {},
    field?: string,
    data: unknown = null,
  ) {
    super(kind['en-US'])
    this.name = 'Refusal'
    this.kind = kind
    this.params = params
    this.field = field
    this.data = data
  }
}

/** Throws a refusal; `field` names the body field at fault, `data` is what the form needs to go on. */
export function refuse(
  kind: RefusalKind,
  params: Readonly<Record<string, string | number>> = {},
  field?: string,
  data: unknown = null,
): never {
  throw new Refusal(kind, params, field, data)
}

export function refusalText(
  kind: RefusalKind,
  params: Readonly<Record<string, string | number>>,
  language: Language,
): string {
  return kind[language].replace(/\{(\w+)\}/g, (whole, key: string) => String(params[key] ?? whole))
}

/** The first offered language of an Accept-Language header that we speak; zh-CN when none. */
export function pickLanguage(header: string | undefined): Language {
  for (const part of (header ?? '').split(',')) {
    const tag = (part.split(';')[0] ?? '').trim().toLowerCase()
    if (tag === 'zh-tw' || tag === 'zh-hk' || tag.startsWith('zh-hant')) return 'zh-TW'
    if (tag.startsWith('zh')) return 'zh-CN'
    if (tag.startsWith('en')) return 'en-US'
  }
  return DEFAULT_LANGUAGE
}
