/** How a text of locales/ is said: `t` in the console, `sayIn(language)` of infra/say on servers. */
import type { Key } from './words.gen.ts'

/** `{name}` is filled from `params`; `count` also chooses the English plural. */
export type Say = (key: Key, params?: Record<string, string | number>) => string
