/** One difference between two configurations. */
import type { UciOption } from './uci.ts'

/**
 * Without `option` it is about the section itself; an added or removed section is followed by its options.
 * `index` counts within the type as in `@type[index]`: in the old package, for what was added in the new one.
 * For `moved`, `before` and `after` are the section's places among all of the package.
 */
export type UciChange = {
  readonly package: string
  readonly section: { readonly type: string; readonly name: string | null; readonly index: number }
  readonly kind: 'added' | 'removed' | 'changed' | 'moved'
  readonly option?: string
  readonly before?: UciOption['value']
  readonly after?: UciOption['value']
}
