/** The declared commands by name. */
import { gatherDeclared } from '#infra/gather'
import { type Command, isCommand } from '#schema/kit/command'

export const commandBook: ReadonlyMap<string, Command> = new Map(
  (await gatherDeclared(isCommand)).map((command) => [command.name, command]),
)
/** Those that end when the device is back from another boot. */
export const returnVerified: ReadonlySet<string> = new Set(
  [...commandBook.values()].filter(({ verify }) => verify === 'return').map(({ name }) => name),
)
