/** The declared commands by name. */
import { commandFolder, gather } from '#infra/gather'
import { type Command, isCommand } from '#schema/kit/command'

export const commandBook: ReadonlyMap<string, Command> = new Map(
  (await gather(commandFolder, isCommand)).map((command) => [command.name, command]),
)
/** Those that end when the device is back from another boot. */
export const returnVerified: ReadonlySet<string> = new Set(
  [...commandBook.values()].filter(({ verify }) => verify === 'return').map(({ name }) => name),
)
