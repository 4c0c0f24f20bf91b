import { commandBook } from '#infra/task-kinds'

/** Commands that end when the device is back with another boot id. */
export const returnVerified: ReadonlySet<string> = new Set(
  [...commandBook.values()].filter(({ verify }) => verify === 'return').map(({ name }) => name),
)
