import { z } from 'zod'

const CODES = '% as %25, # as %23, / as %2F, ? as %3F and @ as %40'

/** Whether every program reads the same host, user and password from it. */
function isReadable(text: string): boolean {
  try {
    const { username, password } = new URL(text)
    decodeURIComponent(username + password)
    return true
  } catch {
    return false
  }
}

/** An address that begins with one of the schemes and names a host. A password is often copied into it as it is. */
export const urlLike = (pattern: RegExp, example: string) =>
  z
    .string()
    .regex(pattern, `must be like ${example}`)
    .refine(isReadable, `must be like ${example}; in a user name or a password write ${CODES}`)
    .optional()
