/**
 * Stands in for zod where schemas are only declared, never asked (see web/schemas-on-demand.ts): everything on it
 * answers itself. Asking it is a mistake, and says so.
 */
const ASKING = ['parse', 'safeParse', 'parseAsync', 'safeParseAsync', '~standard']

const inert: unknown = new Proxy(() => inert, {
  get: (_, name) => {
    if (typeof name === 'symbol') return undefined
    if (ASKING.includes(name))
      throw new Error(
        `${name}: this schema is not loaded; take it from kit/schemas.ts, or import zod in the file`,
      )
    return inert
  },
  apply: () => inert,
})
export const z = inert
