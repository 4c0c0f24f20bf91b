/** Makers of UCI values. */
import type { UciPackage, UciSection } from '#schema/config/uci'

type Options = Readonly<Record<string, string | number | readonly string[] | undefined>>

/** Options without a value are left out. */
export const section = (type: string, name: string | null, options: Options = {}): UciSection => ({
  type,
  name,
  options: Object.entries(options).flatMap(([option, value]) =>
    value === undefined || value === ''
      ? []
      : [{ name: option, value: typeof value === 'number' ? String(value) : value }],
  ),
})

export const pkg = (name: string, ...sections: readonly (UciSection | null)[]): UciPackage => ({
  name,
  sections: sections.filter((one) => one !== null),
})
