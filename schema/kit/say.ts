/**
 * The type of functions that return a text of locales/: `t` in the console, `sayIn(language)` of infra/say on
 * servers.
 */
import type { Key, ServerKey } from './words.gen.ts'

export type TextParams = Readonly<Record<string, string | number>>
/** `{name}` is filled from `params`; `count` also selects the English plural. */
export type Say = (key: Key, params?: TextParams) => string
/** Texts used only by servers are in locales/<language>/servers/, which the console does not load. */
export type ServerSay = (key: Key | ServerKey, params?: TextParams) => string
