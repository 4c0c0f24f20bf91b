/** How a text of locales/ is said: `t` in the console, `sayIn(language)` of infra/say on servers. */
import type { Key, ServerKey } from './words.gen.ts'

export type TextParams = Readonly<Record<string, string | number>>
/** `{name}` is filled from `params`; `count` also chooses the English plural. */
export type Say = (key: Key, params?: TextParams) => string
/** What servers say beside it stands in locales/<language>/servers/, which the console does not have. */
export type ServerSay = (key: Key | ServerKey, params?: TextParams) => string
