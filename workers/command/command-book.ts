import { commandBook } from '#infra/task-kinds'

/** Those that end when the device is back from another boot. */
export const returnVerified: ReadonlySet<string> = new Set(
  [...commandBook.values()].filter(({ verify }) => verify === 'return').map(({ name }) => name),
)
