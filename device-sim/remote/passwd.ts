/** `passwd`: asks twice with echo off, and sets the password of root. */
import { hashSecret } from '#infra/secrets'
import type { Part } from '../world.ts'

/** Prompts, each answered by a line that is not echoed; then the result message. */
export type Dialogue = Generator<string, { lines: string[]; done?: () => Promise<void> }, string>

export function* passwd(part: Part): Dialogue {
  const first = yield 'Changing password for root\r\nNew password: '
  if (first === '') return { lines: ['Bad password: too short', 'passwd: password for root is unchanged'] }
  const again = yield '\r\nRetype password: '
  if (first !== again) return { lines: ["Passwords don't match", 'passwd: password for root is unchanged'] }
  return {
    lines: ['passwd: password for root changed by root'],
    done: async () => {
      await part.settings.put('rootPassword', hashSecret(first))
      part.note('notice', 'passwd', 'password for root changed by root')
    },
  }
}
